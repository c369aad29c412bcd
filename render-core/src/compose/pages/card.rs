//! article-card: who publishes it over the title at the left of a wide page, what else there is to say under it, and art
//! that takes the right and bleeds.

use super::super::column::{Column, Stack};
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides, call, has_clear_side};
use crate::art::Scale;
use crate::design::{SlotId, Voice};
use crate::scene::{Rect, TextLevel};
use crate::text::TextSpan;

/// The share of the width that text takes beside art, and at the most.
const TEXT: f32 = 0.62;
const WIDER: f32 = 0.66;
/// The title's largest size, as a multiple of the lead, and a size that saves a line.
const LOUD: f32 = 2.9;
const CALM: f32 = 2.45;
/// The tag of a byline behind its first part.
const REST: u8 = 21;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (size, k, b, lead) = (frame.size, frame.k, frame.body, frame.lead);
    let shared = setter.page.art.is_some() && !has_clear_side(setter);
    let width = if shared { TEXT * area.w() } else { area.w() };
    let mut top = area.y0;
    if let Some(text) = setter.text(SlotId::Handle) {
        let range = (frame.small, 0.96 * b);
        let spec = Spec::new(SlotId::Handle, text, Voice::Head, TextLevel::Small, palette.ink, range).lines(1);
        let set = setter.set(spec, width);
        setter.place(&set, area.x0, area.y0);
        top += set.height() + 56.0 * k;
    }
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let head = Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, (1.6 * lead, LOUD * lead));
    let range = (frame.body_floor, frame.body_floor.max(0.92 * b));
    let small = |slot, text, voice, ink| Spec::new(slot, text, voice, TextLevel::Body, ink, range);
    let dek = setter.text(SlotId::Body).map(|t| small(SlotId::Body, t, Voice::Body, palette.ink2).lines(3));
    let by = setter.text(SlotId::Attribution);
    let by = by.map(|t| {
        let spec = small(SlotId::Attribution, t, Voice::Head, palette.accent_text).lines(1);
        // What comes first stands out: how long it takes, who wrote it.
        let Some(at) = t.find([',', '·', '،', '、']).filter(|at| *at > 0) else { return spec };
        let span = TextSpan::tagged(at..t.len(), REST);
        spec.spans(vec![span]).inks(vec![(REST, palette.ink2)])
    });
    let solved = |most: f32, width: f32| {
        let head = head.clone().range(1.6 * lead, most * lead);
        Column::default()
            .text(0.0, head.lines(4).capped(setter.page.sizes.title))
            .maybe(0.95 * (b + lead) * 0.9, dek.clone())
            .maybe(0.8 * (b + frame.body), by.clone())
            .maybe(0.8 * (b + frame.body), call(setter))
            .solve(setter, width, area.y1 - top)
    };
    let lines = |stack: &Stack<'_>| stack.texts.first().map_or(0, |(_, head)| head.laid.lines.len());
    let stack = solved(LOUD, width);
    // A little quieter and wider where that saves a line.
    let wider = if shared { WIDER * area.w() } else { width };
    let calm = solved(CALM, wider);
    let (stack, width) = if lines(&calm) < lines(&stack) { (calm, wider) } else { (stack, width) };
    // Low: the eye comes to it from the art, and what is left over stands above.
    stack.place(setter, area.x0, area.y1 - stack.depth);
    if shared {
        let longest = stack.texts.iter().map(|(_, set)| set.reach()).fold(0.0, f32::max);
        let from = (area.x0 + longest.max(0.78 * width) + 20.0 * k).min(area.x0 + width + 12.0 * k);
        art(setter, Rect::new(from, 0.0, size.w, size.h), Scale::Lead);
    } else {
        art_on_clear_sides(setter, Scale::Lead);
    }
}
