//! The mark that travels through a set: it lies across the seam of each two slides, half on either, and moves along the seam
//! from slide to slide, so that neighbours belong together while a viewer swipes.

use super::frame::Frame;
use crate::design::{Slide, Traveller};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role};

/// How much of the margin the mark takes; the rest keeps it away from words.
const REACH: f32 = 0.5;
/// Where along the seam the first and the last mark stand, as shares of the page's height.
const WAY: (f32, f32) = (0.2, 0.8);

/// The marks of a slide: at the edge where reading begins that of the seam with the slide before it, at the other edge that
/// of the seam with the next one. `color` is that of a mark around a point.
pub fn trail(
    traveller: Traveller,
    slide: Slide,
    frame: &Frame,
    stroke: f32,
    color: &dyn Fn(Point) -> Color,
) -> Vec<Item> {
    let reach = REACH * frame.room.x0.min(frame.size.w - frame.room.x1);
    let seams = slide.count.saturating_sub(1);
    let at = |seam: u32, leading: bool| {
        let part = seam as f32 / seams.saturating_sub(1).max(1) as f32;
        let y = frame.size.h * (WAY.0 + (WAY.1 - WAY.0) * part);
        let middle = Point::new(if leading == frame.rtl { frame.size.w } else { 0.0 }, y);
        mark(traveller, middle, reach, stroke, color(middle))
    };
    let before = slide.index.checked_sub(1).filter(|seam| *seam < seams).map(|seam| at(seam, true));
    let after = (slide.index < seams).then(|| at(slide.index, false));
    before.into_iter().chain(after).collect()
}

/// A mark whose middle lies on the seam.
fn mark(traveller: Traveller, middle: Point, reach: f32, stroke: f32, color: Color) -> Item {
    let (half, tall) = match traveller {
        Traveller::Disc => return Item::circle(middle, reach, color, Role::Mark),
        Traveller::Band => (0.5 * reach, 2.5 * reach),
        Traveller::Rule => (reach, 0.5 * stroke),
    };
    let rect = Rect::new(middle.x - half, middle.y - tall, middle.x + half, middle.y + tall);
    Item::new(Coverage::Rect { rect, radii: [0.0; 4], stroke: None }, Paint::Solid(color), Role::Mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Direction;
    use crate::design::{Style, Theme};
    use crate::format::Format;

    fn marks(index: u32, direction: Direction) -> Vec<Point> {
        let format = Format::by_id("instagram_carousel").expect("a format");
        let frame = Frame::of(format, Theme::of(Style::DARK), direction, 100);
        let drawn = trail(Traveller::Disc, Slide { index, count: 5 }, &frame, 6.0, &|_| Color::BLACK);
        drawn.iter().map(|item| item.coverage.bounds().center()).collect()
    }

    #[test]
    fn a_mark_goes_on_where_the_slide_before_left_it_and_moves_from_seam_to_seam() {
        let mut last = 0.0;
        for index in 0..4 {
            let (left, right) = (marks(index, Direction::Ltr), marks(index + 1, Direction::Ltr));
            let (leaves, enters) = (left.last().expect("a mark"), right.first().expect("a mark"));
            assert_eq!((leaves.x, enters.x), (1080.0, 0.0));
            assert!((leaves.y - enters.y).abs() < 0.01 && leaves.y > last);
            last = leaves.y;
        }
        assert_eq!((marks(0, Direction::Ltr).len(), marks(4, Direction::Ltr).len()), (1, 1));
    }

    #[test]
    fn it_travels_the_way_that_the_set_is_read() {
        assert_eq!(marks(0, Direction::Rtl)[0].x, 0.0);
        assert_eq!(marks(4, Direction::Rtl)[0].x, 1080.0);
    }
}
