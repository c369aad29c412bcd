//! quote: somebody's words as large as they go, the opening mark hung outside, the name at the foot.

use super::super::art::Scale;
use super::super::column::{Column, Stack};
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides};
use crate::design::{SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// Least distance in du that a hung mark keeps from the canvas's edge.
const EDGE: f32 = 53.0;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (b, k, size) = (frame.body, frame.k, frame.size);
    let shape = Frame::shape_of(&area);
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let name = attribution(setter, 0.5 * area.w());
    let foot = if name.texts.is_empty() { 0.0 } else { name.height + 0.3 * b + 72.0 * k };
    let beside = matches!(shape, Shape::Wide | Shape::Strip);
    let width = match shape {
        Shape::Wide if setter.page.art.is_some() => 0.8 * area.w(),
        _ => area.w(),
    };
    // A long quotation is read, a short one is seen.
    let most = match text.chars().count() {
        0..=55 => 3.6,
        56..=95 => 3.1,
        96..=140 => 2.6,
        _ => 2.2,
    };
    let most = if beside { 0.86 * most } else { most };
    let spec = Spec::new(
        SlotId::Title,
        text,
        Voice::Display,
        TextLevel::Hero,
        palette.ink,
        (1.5 * frame.lead, most * frame.lead),
    )
    .lines(9)
    .capped(setter.page.sizes.title);
    let room = area.h() - foot;
    let quote = setter.set_at_most(spec.clone(), width, room);
    // The hung mark needs its distance from the edge; where the margin is too small for it, the whole text moves in.
    let edge = setter.page.format.format().safe_rect_du().x0.max(EDGE);
    let shift = (edge - area.x0 - quote.laid.ink.x0).max(0.0);
    let quote = if shift > 0.0 { setter.set_at_most(spec, width - shift, room) } else { quote };
    let spare = (room - quote.depth()).max(0.0);
    let y = area.y0 + if beside { 0.35 * spare } else { (0.22 * spare).min(0.1 * area.h()) };
    setter.place(&quote, area.x0 + shift, y);
    let end = y + quote.depth();
    name.place(setter, area.x0 + shift, area.y1 - name.height - 0.26 * b);
    if art_on_clear_sides(setter, Scale::Accent) {
        return;
    }
    let has_foot = setter.page.slide.is_some() && frame.has_chrome();
    let bottom = if has_foot { area.y1 } else { size.h };
    let side = (bottom - end - 72.0 * k).min(0.48 * size.w);
    art(setter, Rect::new(size.w - side, bottom - side, size.w, bottom), Scale::Accent);
}

/// Who said it: the name, and under it what comes after the first comma.
fn attribution<'a>(setter: &Setter<'a>, width: f32) -> Stack<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let b = frame.body;
    let Some(text) = setter.text(SlotId::Attribution) else { return Stack::default() };
    let (name, role) = text.split_once(", ").map_or((text, None), |(name, role)| (name, Some(role)));
    let spec = |text, voice, ink| {
        let range = (frame.small.max(0.8 * b), 0.96 * b);
        Spec::new(SlotId::Attribution, text, voice, TextLevel::Small, ink, range).lines(2)
    };
    Column::default()
        .text(0.0, spec(name, Voice::Head, palette.ink))
        .maybe(0.7 * b, role.map(|text| spec(text, Voice::Body, palette.ink2)))
        .solve(setter, width, f32::INFINITY)
}
