//! quote: somebody's words as large as they go, the opening mark hung outside, the name at the foot.

use super::super::bubble;
use super::super::frame::{Frame, Shape, is_in_bubble};
use super::super::setter::{Setter, Spec};
use super::{art, art_bottom, art_on_clear_sides, art_top, credit};
use crate::art::Scale;
use crate::design::{Recipe, SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// From a mark that stands alone to the quotation's cap line, in units.
const MARK_GAP: f32 = 44.0;
/// Length of a bubble's tail, in units.
const TAIL: f32 = 62.0;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (b, k, size) = (frame.body, frame.k, frame.size);
    let shape = Frame::shape_of(&area);
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let strip = shape == Shape::Strip;
    let credit = credit::of(setter, if strip { 0.26 } else { 0.5 } * area.w());
    let under = credit.as_ref().filter(|_| !strip);
    let foot = under.map_or(0.0, |c| c.height + 0.3 * b + 72.0 * k);
    let beside = matches!(shape, Shape::Wide | Shape::Strip);
    let bubble = is_in_bubble(setter.page, setter.theme, shape);
    let pad = if bubble { 64.0 * k } else { 0.0 };
    let width = match shape {
        Shape::Wide if setter.page.art.is_some() && !bubble => 0.66 * area.w(),
        // A strip has the name beside the words.
        Shape::Strip if credit.is_some() => 0.7 * area.w(),
        _ => area.w(),
    };
    let width = width - 2.0 * pad;
    // A long quotation is read, a short one is seen.
    let most = match text.chars().count() {
        0..=55 => 3.8,
        56..=95 => 3.6,
        96..=140 => 2.8,
        _ => 2.3,
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
    .on(if bubble { palette.surface } else { palette.bg })
    .lines(9)
    .capped(setter.page.sizes.title);
    let (foot, tail) = if bubble { (foot + 24.0 * k, TAIL * k) } else { (foot, 0.0) };
    let room = area.h() - foot - tail - 2.0 * pad;
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
            // It goes by the size that the words have, whatever an edit asked for.
            let mark = Spec { adjusted: true, ..mark };
            let mark = setter.set(mark, width);
            let spec = Spec { text: rest.trim_start(), ..spec };
            let quote = setter.set_at_most(spec, width, room - mark.laid.ink.y1 - MARK_GAP * k);
            (Some(mark), quote)
        }
    };
    let over = mark.as_ref().map_or(0.0, |m| m.laid.ink.y1 + MARK_GAP * k);
    let spare = (room - over - quote.depth()).max(0.0);
    let y = area.y0 + if beside { 0.35 * spare } else { (0.22 * spare).min(0.1 * area.h()) };
    let x = area.x0 + pad;
    if bubble {
        let width = if beside { area.w() } else { (quote.reach() + 2.4 * pad).clamp(0.7 * area.w(), area.w()) };
        let rect = Rect::at(area.x0, y, width, over + quote.depth() + 2.0 * pad);
        bubble::draw(setter, rect, palette.surface, TAIL * k);
    }
    let top = y + pad;
    if let Some(mark) = &mark {
        setter.place(mark, x + mark.overhang(), top);
    }
    setter.place(&quote, x, top + over);
    let end = top + over + quote.depth() + pad + tail;
    if let Some(credit) = &credit {
        let low = area.y1 - 0.26 * b;
        // A bubble comes from who speaks: the name stands right under it.
        let y = if bubble { low.min(end + 52.0 * k + credit.height) } else { low };
        let left = if strip { area.x1 - 0.26 * area.w() } else { area.x0 };
        credit.place(setter, left, if strip { end } else { y });
    }
    if bubble || art_on_clear_sides(setter, Scale::Accent) {
        return;
    }
    let bottom = art_bottom(setter, &area);
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
