//! quote: somebody's words as large as they go, the opening mark hung outside, the name at the foot.

use super::super::art::Scale;
use super::super::column::{Column, Stack};
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides, art_top};
use crate::design::{Recipe, SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// From a mark that stands alone to the quotation's cap line, in units.
const MARK_GAP: f32 = 44.0;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (b, k, size) = (frame.body, frame.k, frame.size);
    let shape = Frame::shape_of(&area);
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let name = attribution(setter, 0.5 * area.w());
    let foot = if name.texts.is_empty() { 0.0 } else { name.height + 0.3 * b + 72.0 * k };
    let beside = matches!(shape, Shape::Wide | Shape::Strip);
    let width = match shape {
        Shape::Wide if setter.page.art.is_some() => 0.66 * area.w(),
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
    let hung = setter.set_at_most(spec.clone(), width, room);
    // Where the margin is too narrow to hang the mark in, it stands alone over the text: one left axis either way.
    let mark = text.chars().next().filter(|_| hung.flush);
    let (mark, quote) = match mark {
        None => (None, hung),
        Some(c) => {
            let (mark, rest) = text.split_at(c.len_utf8());
            let size = 1.6 * hung.laid.size;
            let ink = palette.accent_text;
            let mark = Spec::new(SlotId::Title, mark, Voice::Display, TextLevel::Hero, ink, (size, size)).lines(1);
            let mark = setter.set(mark, width);
            let spec = Spec { text: rest.trim_start(), ..spec };
            let quote = setter.set_at_most(spec, width, room - mark.laid.ink.y1 - MARK_GAP * k);
            (Some(mark), quote)
        }
    };
    let over = mark.as_ref().map_or(0.0, |m| m.laid.ink.y1 + MARK_GAP * k);
    let spare = (room - over - quote.depth()).max(0.0);
    let y = area.y0 + if beside { 0.35 * spare } else { (0.22 * spare).min(0.1 * area.h()) };
    if let Some(mark) = &mark {
        setter.place(mark, area.x0 + mark.overhang(), y);
    }
    setter.place(&quote, area.x0, y + over);
    let end = y + over + quote.depth();
    name.place(setter, area.x0, area.y1 - name.height - 0.26 * b);
    if art_on_clear_sides(setter, Scale::Accent) {
        return;
    }
    let has_foot = setter.page.slide.is_some() && frame.has_chrome();
    let bottom = if has_foot { area.y1 } else { size.h };
    if shape == Shape::Wide {
        let left = area.x0 + width + 64.0 * k;
        art(setter, Rect::new(left, art_top(setter, &area), size.w, bottom), Scale::Accent);
        return;
    }
    // A limb hangs from a corner at the top, where the words are.
    if setter.page.art.is_some_and(|a| a.recipe == Recipe::Limb) {
        return;
    }
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
