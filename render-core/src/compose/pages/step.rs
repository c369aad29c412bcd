//! step-slide: one numbered step, its numeral over it.

use super::super::frame::{Frame, Shape};
use super::super::setter::Setter;
use super::super::split::Split;
use super::point::column;
use super::{art_on_clear_sides, numeral, parted};
use crate::art::Scale;
use crate::scene::Rect;

/// Height of the numeral on an upright page, at most, as a share of the canvas's: it counts, and doesn't outshout the step.
const HIGH: f32 = 0.25;
/// What of the free height lies between the numeral and the words.
const OVER: f32 = 0.45;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match setter.split {
        Split::Stacked => return parted::stacked(setter, area),
        Split::Beside(x) => return parted::beside(setter, area, x),
        Split::Whole => {}
    }
    let (size, k) = (setter.frame.size, setter.frame.k);
    let b = setter.frame.lead;
    let on = setter.parts[0];
    let shape = Frame::shape_of(&area);
    match shape {
        Shape::Tall | Shape::Upright => {
            let stack = column(setter, 3.3).solve(setter, area.w(), area.h() - 4.0 * b);
            let room = (area.y1 - stack.depth - area.y0 - 72.0 * k).min(HIGH * size.h);
            let numeral = numeral::of(setter, on, (0.62 * area.w(), room));
            // The words stand nearer to their numeral than to the foot.
            let high = numeral.as_ref().map_or(0.0, |n| n.height);
            let free = area.h() - high - stack.depth;
            let text_top = area.y0 + high + free.min((OVER * free).max(96.0 * k));
            stack.place(setter, area.x0, text_top);
            numeral::over(setter, &area, numeral.as_ref(), text_top, 96.0 * k);
        }
        Shape::Wide | Shape::Strip => {
            let numeral = numeral::of(setter, on, (0.3 * area.w(), (0.9 * area.h()).min(10.1 * b)));
            let gap = 64.0 * k;
            let (reach, height) = numeral.as_ref().map_or((0.0, 0.0), |n| (n.width, n.height));
            let left = area.x0 + (reach + gap).max(0.2 * area.w());
            let stack = column(setter, 2.35).solve(setter, area.x1 - left, area.h());
            let free = area.h() - stack.depth.max(height);
            // The numeral and its text stand on one cap line, low on the page like every other text.
            let y = area.y0 + free * if shape == Shape::Strip { 0.5 } else { 0.8 };
            if let Some(numeral) = &numeral {
                numeral.place(setter, area.x0, y);
            }
            stack.place(setter, left, y);
            art_on_clear_sides(setter, Scale::Accent);
        }
    }
}
