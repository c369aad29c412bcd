//! step-slide: one numbered step, its numeral over it.

use super::super::art::Scale;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::point::column;
use super::{art, art_on_clear_sides, art_top};
use crate::design::{SlotId, Voice};
use crate::scene::{Rect, TextLevel};

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let b = setter.frame.lead;
    let numeral = setter.text(SlotId::Number).unwrap_or_default();
    let ink = setter.page.palette.accent_text;
    let spec = |most: f32| {
        Spec::new(SlotId::Number, numeral, Voice::Figure, TextLevel::Hero, ink, (2.0 * b, most.max(2.0 * b))).lines(1)
    };
    let shape = Frame::shape_of(&area);
    match shape {
        Shape::Tall | Shape::Upright => {
            let stack = column(setter, 2.5).solve(setter, area.w(), area.h() - 4.0 * b);
            let text_top = area.y1 - stack.depth;
            let room = text_top - area.y0 - 72.0 * k;
            let most = (room / 0.72).min(18.0 * b);
            let set = setter.set(spec(most), 0.62 * area.w());
            setter.place(&set, area.x0, area.y0);
            stack.place(setter, area.x0, text_top);
            let top = art_top(setter, &area);
            let side = (text_top - 96.0 * k - top).min(0.3 * size.w);
            let left = (size.w - side).max(set.reach() + area.x0 + 60.0 * k);
            if !art_on_clear_sides(setter, Scale::Accent) {
                art(setter, Rect::new(left, top, size.w, top + side), Scale::Accent);
            }
        }
        Shape::Wide | Shape::Strip => {
            let most = (0.9 * area.h() / 0.72).min(14.0 * b);
            let set = setter.set(spec(most), 0.3 * area.w());
            let gap = 64.0 * k;
            let left = area.x0 + (set.reach() + gap).max(0.2 * area.w());
            let stack = column(setter, 2.35).solve(setter, area.x1 - left, area.h());
            let free = area.h() - stack.depth.max(set.height());
            // The numeral and its text stand on one cap line, low on the page like every other text.
            let y = area.y0 + free * if shape == Shape::Strip { 0.5 } else { 0.8 };
            setter.place(&set, area.x0, y);
            stack.place(setter, left, y);
            art_on_clear_sides(setter, Scale::Accent);
        }
    }
}
