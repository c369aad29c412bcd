//! Wavy edges between a stripe of colour and the rest of its page.

use kurbo::BezPath;

use crate::design::drawn;
use crate::scene::Rect;
use crate::tree::Sides;

/// Amplitude of the wave to both sides, as a share of the canvas's shorter side.
pub const SWING: f32 = 0.024;
/// Length of a wave, in multiples of its amplitude.
const LENGTH: f32 = 22.0;
/// How far a stripe that ends on the page extends under the next one, in multiples of the amplitude.
const UNDER: f32 = 1.2;

/// Returns the outline of `rect` with a wave along the edge opposite to the side on which it bleeds. `swing` is the
/// amplitude in du; `seed` determines where the waves begin.
pub fn waved(rect: Rect, bleed: Sides, swing: f32, seed: u64) -> BezPath {
    let point = |x: f32, y: f32| (f64::from(x), f64::from(y));
    // Position along the edge from 0 to `long`, and outward shift of the edge there.
    let upright = bleed.left != bleed.right;
    let (from, long) = if upright { (rect.y0, rect.h()) } else { (rect.x0, rect.w()) };
    let at = |along: f32, out: f32| match (upright, bleed.left, bleed.top) {
        (true, true, _) => point(rect.x1 + out, from + along),
        (true, false, _) => point(rect.x0 - out, from + along),
        (false, _, true) => point(from + along, rect.y1 + out),
        (false, _, false) => point(from + along, rect.y0 - out),
    };
    // A stripe above another one extends under the waves of that one.
    let under = if bleed.bottom { 0.0 } else { UNDER * swing };
    let far = |along: f32| match (upright, bleed.left, bleed.top) {
        (true, true, _) => point(rect.x0, from + along),
        (true, false, _) => point(rect.x1, from + along),
        (false, _, true) => point(from + along, rect.y0),
        (false, _, false) => point(from + along, rect.y1 + under),
    };
    let waves = (long / (LENGTH * swing)).max(1.0);
    let half = long / (2.0 * libm::roundf(2.0 * waves).max(2.0) / 2.0);
    let start = (drawn(seed, 11) % 1000) as f32 / 1000.0 - 1.0;
    let mut path = BezPath::new();
    path.move_to(far(0.0));
    let mut x = start * 2.0 * half;
    path.line_to(at(x, 0.0));
    let mut up = 1.0;
    while x < long {
        let next = x + half;
        // Each crest differs slightly from the previous one.
        let high = swing * up * (0.82 + 0.36 * ((drawn(seed, 12 + (x + 3.0 * half) as u64) % 100) as f32 / 100.0));
        path.curve_to(at(x + 0.36 * half, 1.3 * high), at(x + 0.64 * half, 1.3 * high), at(next, 0.0));
        x = next;
        up = -up;
    }
    path.line_to(far(long.max(x)));
    path.line_to(far(start * 2.0 * half));
    path.close_path();
    path
}

#[cfg(test)]
mod tests {
    use kurbo::Shape as _;

    use super::*;

    #[test]
    fn the_edge_swings_around_its_place() {
        let rect = Rect::new(0.0, 700.0, 1080.0, 1350.0);
        let path = waved(rect, Sides { bottom: true, left: true, right: true, ..Sides::default() }, 26.0, 7);
        let bounds = path.bounding_box();
        assert!(bounds.y0 > 660.0 && bounds.y0 < 700.0 && bounds.y1 == 1350.0, "{bounds:?}");
        assert!(bounds.x0 <= 0.0 && bounds.x1 >= 1080.0, "{bounds:?}");
        let side = waved(Rect::new(600.0, 0.0, 1920.0, 1080.0), Sides { right: true, ..Sides::default() }, 26.0, 7);
        assert!((560.0..600.0).contains(&side.bounding_box().x0), "{:?}", side.bounding_box());
    }
}
