//! A point or a step on two fields: the point itself on one, what supports it on the other.

use super::super::column::{Column, Stack};
use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use super::super::split;
use super::{art, art_on_clear_sides, art_top, numeral, underlined};
use crate::art::Scale;
use crate::design::{Flourish, SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// Where the fields meet at the highest and at the lowest, as shares of the area.
const MEET: (f32, f32) = (0.5, 0.7);

/// What supports the point, and what to do now.
fn support<'a>(setter: &Setter<'a>, on: Inks) -> Column<'a> {
    let (frame, sizes) = (setter.frame, setter.page.sizes);
    let b = frame.body.max(0.9 * frame.lead);
    let body = setter.text(SlotId::Body).map(|text| {
        let range = (frame.body_floor, frame.body_floor.max(1.25 * b));
        let spec = Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, on.ink, range);
        spec.lines(7).capped(sizes.body).on(on.ground)
    });
    let call = setter.text(SlotId::Cta).map(|text| {
        let range = (frame.body_floor, frame.body_floor.max(1.1 * b));
        let spec = Spec::new(SlotId::Cta, text, Voice::Head, TextLevel::Head, on.accent, range);
        underlined(spec.lines(2).on(on.ground))
    });
    Column::default().maybe(0.0, body).maybe(1.6 * b, call)
}

/// The point. Where the style is loud it fills what it has.
fn title<'a>(setter: &Setter<'a>, on: Inks, most: f32) -> Spec<'a> {
    let lead = setter.frame.lead;
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let most = most * if setter.theme.flourish == Flourish::Block { 1.3 } else { 1.0 };
    let spec = Spec::new(SlotId::Title, text, Voice::Display, TextLevel::Hero, on.ink, (1.55 * lead, most * lead));
    spec.lines(5).capped(setter.page.sizes.title).on(on.ground)
}

pub(super) fn stacked(setter: &mut Setter<'_>, area: Rect) {
    let (size, k, lead) = (setter.frame.size, setter.frame.k, setter.frame.lead);
    let [upper, lower] = setter.parts;
    let clear = split::swing(setter.theme, k) + 58.0 * k;
    let numbered = setter.text(SlotId::Number).is_some();
    let body: Stack<'_> = support(setter, lower).solve(setter, 0.88 * area.w(), 0.36 * area.h());
    // The lower field is as high as its words and the air around them; the upper one has the rest.
    let low = area.y1 - body.depth - clear - 0.12 * (area.h() - body.depth).max(0.0);
    let y = low.clamp(area.y0 + MEET.0 * area.h(), area.y0 + MEET.1 * area.h()).min(area.y1 - body.depth - clear);
    let room = y - clear - area.y0;
    let least = if numbered { (4.2 * lead).max(0.44 * room) } else { 0.0 };
    let head = setter.set_at_most(title(setter, upper, if numbered { 2.3 } else { 3.6 }), area.w(), room - least);
    let top = y - clear - head.depth();
    split::across(setter, y, (area.x0, area.x1));
    setter.place(&head, area.x0, top);
    body.place(setter, area.x0, y + clear + 0.2 * (area.y1 - y - clear - body.depth).max(0.0));
    let mut left = 0.3 * size.w;
    if let Some(numeral) = numeral::of(setter, upper, (0.56 * area.w(), top - area.y0 - 64.0 * k)) {
        numeral.place(setter, area.x0, area.y0);
        left = area.x0 + numeral.width + 72.0 * k;
    }
    let above = art_top(setter, &area);
    let side = (top - 84.0 * k - above).min(0.62 * size.w).min(size.w - left);
    // Art is drawn in the colours of the page's ground.
    if upper.ground == setter.page.palette.bg && !art_on_clear_sides(setter, Scale::Accent) {
        art(setter, Rect::new(size.w - side, above, size.w, above + side), Scale::Accent);
    }
}

pub(super) fn beside(setter: &mut Setter<'_>, area: Rect, x: f32) {
    let (k, lead) = (setter.frame.k, setter.frame.lead);
    let [left, right] = setter.parts;
    let clear = split::swing(setter.theme, k) + 64.0 * k;
    let width = x - clear - area.x0;
    let body = support(setter, right).solve(setter, area.x1 - x - clear, area.h());
    let numbered = setter.text(SlotId::Number).is_some();
    let room = area.h() - if numbered { (4.2 * lead).max(0.4 * area.h()) } else { 0.0 };
    let head: Set<'_> = setter.set_at_most(title(setter, left, if numbered { 2.2 } else { 3.1 }), width, room);
    split::down(setter, x, 0.0, (area.y0, area.y1));
    // Both end on one line.
    let top = area.y1 - head.depth();
    setter.place(&head, area.x0, top);
    body.place(setter, x + clear, (area.y1 - body.depth).min(top.max(area.y0)));
    if let Some(numeral) = numeral::of(setter, left, (0.8 * width, (top - area.y0 - 60.0 * k).min(10.0 * lead))) {
        numeral.place(setter, area.x0, area.y0);
    }
    art_on_clear_sides(setter, Scale::Accent);
}
