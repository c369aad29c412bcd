//! The scrim over a photograph: just enough of the ground's colour for words to be readable.

use crate::design::Photo;
use crate::scene::{Color, Paint, Point, Rect, Stop};
use crate::sheet::Inks;

/// Contrasts of a scrim with headlines and running text, and with supporting text.
const CONTRAST: (f32, f32) = (6.5, 4.7);
/// Least opacity of a scrim: words need a calm background, not only contrast.
const LEAST: f32 = 0.4;
/// Share of the photograph that a scrim on one side covers fully, and the share at which it ends.
const REACH: (f32, f32) = (0.5, 0.88);
/// Percentile of the samples that must be readable; specks are ignored.
const MOST: usize = 97;

/// The side of the scrim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Top,
    Bottom,
    Left,
    Right,
    All,
}

impl Side {
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "top" => Self::Top,
            "bottom" => Self::Bottom,
            "left" => Self::Left,
            "right" => Self::Right,
            "all" => Self::All,
            _ => return None,
        })
    }
}

/// Returns the paint of a scrim on `photo`, which fills `rect`.
pub fn paint(side: Side, photo: &Photo, rect: &Rect, inks: &Inks) -> Paint {
    let (x, y) = (REACH.0 * rect.w(), REACH.0 * rect.h());
    let part = match side {
        Side::Top => Rect { y1: rect.y0 + y, ..*rect },
        Side::Bottom => Rect { y0: rect.y1 - y, ..*rect },
        Side::Left => Rect { x1: rect.x0 + x, ..*rect },
        Side::Right => Rect { x0: rect.x1 - x, ..*rect },
        Side::All => *rect,
    };
    let alpha = enough(&photo.seen(rect, &part), inks);
    if side == Side::All {
        return Paint::Solid(inks.ground.alpha(alpha));
    }
    let (w, h) = (REACH.1 * rect.w(), REACH.1 * rect.h());
    let (from, to) = match side {
        Side::Top => (Point::new(0.0, rect.y0 + h), Point::new(0.0, rect.y0)),
        Side::Left => (Point::new(rect.x0 + w, 0.0), Point::new(rect.x0, 0.0)),
        Side::Right => (Point::new(rect.x1 - w, 0.0), Point::new(rect.x1, 0.0)),
        Side::Bottom | Side::All => (Point::new(0.0, rect.y1 - h), Point::new(0.0, rect.y1)),
    };
    // A linear gradient would have a visible start.
    let whole = 1.0 - REACH.0 / REACH.1;
    let stops = [(0.0, 0.0), (0.35, 0.2), (0.72, 0.76), (1.0, 1.0)];
    let stops = stops.map(|(at, by)| Stop { offset: at * whole, color: inks.ground.alpha(alpha * by) });
    Paint::Linear { from, to, stops: stops.to_vec().into() }
}

/// Returns the opacity of the ground's colour at which its ink is readable over these colours.
fn enough(seen: &[Color], inks: &Inks) -> f32 {
    let (ink, ink2) = (inks.ink(), inks.ink2());
    let reads = |alpha: &f32| {
        let good = seen.iter().filter(|c| {
            let ground = inks.ground.alpha(*alpha).over(**c);
            ink.contrast(ground) >= CONTRAST.0 && ink2.contrast(ground) >= CONTRAST.1
        });
        100 * good.count() >= MOST * seen.len()
    };
    (0..=30).map(|n| LEAST + 0.02 * n as f32).find(reads).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Background, Palette, Style};

    #[test]
    fn words_read_on_the_scrim_of_any_photograph() {
        for style in Style::all() {
            let inks = Inks::of(Palette::pick(style, Background::Base, 1));
            for photo in [Color::WHITE, Color::BLACK, Color::hex(0x0080_8080)] {
                let alpha = enough(&[photo], &inks);
                assert!(inks.ink().contrast(inks.ground.alpha(alpha).over(photo)) >= 4.5, "{style:?} {alpha}");
            }
        }
    }
}
