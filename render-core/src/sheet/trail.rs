//! The mark that travels through a set: it stands whole at the upper edge of each slide and moves along it from the first slide
//! to the last, as the tabs of an index do.

use super::frame::Frame;
use crate::design::{Slide, Traveller};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role};

/// Radius of a disc and height of a band, as shares of the margin.
const DISC: f32 = 0.16;
const BAND: f32 = 0.2;

/// The mark of a slide. `color` is that of a mark around a point.
pub fn trail(
    traveller: Traveller,
    slide: Slide,
    frame: &Frame,
    stroke: f32,
    color: &dyn Fn(Point) -> Color,
) -> Option<Item> {
    if slide.count < 2 {
        return None;
    }
    let margin = frame.room.x0.min(frame.size.w - frame.room.x1);
    let wide = frame.room.w() / slide.count as f32;
    let place = if frame.rtl { slide.count - 1 - slide.index.min(slide.count - 1) } else { slide.index };
    let from = frame.room.x0 + wide * place as f32;
    let middle = Point::new(from + wide / 2.0, 0.5 * margin);
    let edge = Point::new(middle.x, 1.0);
    let tab = |high: f32| {
        let rect = Rect::new(from, 0.0, from + wide, high);
        Item::new(Coverage::Rect { rect, radii: [0.0; 4], stroke: None }, Paint::Solid(color(edge)), Role::Mark)
    };
    Some(match traveller {
        Traveller::Disc => Item::circle(middle, DISC * margin, color(middle), Role::Mark),
        Traveller::Band => tab(BAND * margin),
        Traveller::Rule => tab(stroke),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Direction;
    use crate::design::{Style, Theme};
    use crate::format::Format;

    fn mark(index: u32, direction: Direction, traveller: Traveller) -> Rect {
        let format = Format::by_id("instagram_carousel").expect("a format");
        let frame = Frame::of(format, Theme::of(Style::DARK), direction, 100);
        let drawn = trail(traveller, Slide { index, count: 5 }, &frame, 6.0, &|_| Color::BLACK);
        drawn.expect("a mark").coverage.bounds()
    }

    #[test]
    fn a_mark_moves_along_the_edge_and_stays_whole() {
        for traveller in [Traveller::Disc, Traveller::Band, Traveller::Rule] {
            let places: Vec<Rect> = (0..5).map(|index| mark(index, Direction::Ltr, traveller)).collect();
            assert!(places.windows(2).all(|pair| pair[0].x1 <= pair[1].x0 + 0.01), "{places:?}");
            assert!(places.iter().all(|rect| rect.x0 > 0.0 && rect.x1 < 1080.0 && rect.y0 >= 0.0), "{places:?}");
        }
    }

    #[test]
    fn it_travels_the_way_that_the_set_is_read() {
        let middle = |index| mark(index, Direction::Rtl, Traveller::Disc).center().x;
        assert!(middle(0) > middle(4));
    }
}
