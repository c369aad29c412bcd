//! Where an edit wants what a page says to stand between its head and its foot. A page is set as its archetype has it; then
//! what it says is moved as one, and its art stays where it is.

use super::frame::Frame;
use super::setter::Setter;
use super::split::Split;
use crate::design::{Page, Part, SlotId, Stand, Theme, Writing};
use crate::scene::{Affine, Item, Rect, Role};

/// Least distance in units that what moves keeps from what stays.
const APART: f32 = 72.0;
/// A source nearer than this to what it is the source of goes with it.
const NEAR: f32 = 120.0;

/// Whether what a page says can stand anywhere between head and foot: nothing of it fills the page or keeps to a part of it.
pub(crate) fn stands_free(page: &Page) -> bool {
    let theme = Theme::of(page.style);
    let whole = || matches!(Split::of(page, theme, &Frame::of(page, theme)), Split::Whole);
    page.archetype.stands_free() && page.writing == Writing::Horizontal && whole()
}

/// Whether words stand over the art, where the layout would have it so or, of an edit that moves them, at that end.
pub(super) fn words_first(setter: &Setter<'_>, own: bool) -> bool {
    match setter.page.adjust.stand {
        Some(Stand::Top) => true,
        Some(Stand::Bottom) => false,
        Some(Stand::Middle) | None => own,
    }
}

/// What a page held before its archetype was set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    blocks: usize,
    texts: usize,
    fields: usize,
}

impl Before {
    pub fn of(setter: &Setter<'_>) -> Self {
        Self { blocks: setter.blocks.len(), texts: setter.texts.len(), fields: setter.fields.len() }
    }
}

/// Moves what was set in `area` since `before` to where an edit wants it.
pub(super) fn settle(setter: &mut Setter<'_>, area: Rect, before: Before) {
    let Some(stand) = setter.page.adjust.stand else { return };
    if !stands_free(setter.page) {
        return;
    }
    let k = setter.frame.k;
    let source = |slot: &str| slot.parse::<SlotId>().is_ok_and(|s| Part::of(s) == Some(Part::Attribution));
    let own = &setter.blocks[before.blocks..];
    let Some(said) = own.iter().filter(|b| !source(&b.slot)).map(|b| b.ink).reduce(|a, b| a.union(&b)) else { return };
    let stays = |ink: &Rect, slot: &str| source(slot) && ink.y0 > said.y1 + NEAR * k;
    let floor = own.iter().filter(|b| stays(&b.ink, &b.slot)).map(|b| b.ink.y0 - APART * k).fold(area.y1, f32::min);
    let moved = own.iter().filter(|b| !stays(&b.ink, &b.slot)).map(|b| b.ink).fold(said, |a, b| a.union(&b));
    let down = match stand {
        Stand::Top => area.y0 - moved.y0,
        Stand::Middle => 0.5 * (area.y0 + floor - moved.y0 - moved.y1),
        Stand::Bottom => floor - moved.y1,
    };
    let room = moved.h() <= floor - area.y0;
    if !room || down.abs() < 1.0 {
        return;
    }
    let goes: Vec<bool> = own.iter().map(|b| !stays(&b.ink, &b.slot)).collect();
    for (block, _) in setter.blocks[before.blocks..].iter_mut().zip(&goes).filter(|(_, goes)| **goes) {
        block.ink = block.ink.shift(0.0, down);
        block.slot_box = block.slot_box.shift(0.0, down);
        block.spots.iter_mut().for_each(|spot| spot.ink = spot.ink.shift(0.0, down));
        for line in &mut block.lines {
            line.ink = line.ink.shift(0.0, down);
            line.baseline += down;
        }
    }
    let by = Affine::translate(0.0, down);
    let shift = |item: &mut Item| item.transform = by.after(&item.transform);
    for item in &mut setter.texts[before.texts..] {
        let of = match item.role {
            Role::Text(n) => (n as usize).checked_sub(before.blocks),
            _ => None,
        };
        if of.is_none_or(|n| goes.get(n).copied().unwrap_or(true)) {
            shift(item);
        }
    }
    // Rules and fields among the words go with them.
    let among = moved.grow(NEAR * k);
    for item in &mut setter.fields[before.fields..] {
        let bounds = item.transform.apply_rect(&item.coverage.bounds());
        let middle = 0.5 * (bounds.y0 + bounds.y1);
        if (among.y0..=among.y1).contains(&middle) && bounds.h() < area.h() {
            shift(item);
        }
    }
}
