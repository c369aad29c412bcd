//! The words of a page's items as specs, and what is true of all lists of them.

use super::fill::between;
use super::frame::Frame;
use super::setter::{Set, Setter, Spec};
use crate::design::{Numerals, SlotId, Voice};
use crate::scene::{Color, TextLevel};
use crate::text::{FaceId, TextSpan};

/// The tag of numerals in an italic.
const TURNED: u8 = 4;
/// How many times smaller than the title the heads of items are at least, so that the page has one dominant element.
const QUIETER: f32 = 2.25;

/// The largest size of an item's sentence as a share of its head's: nearer to it, both are as loud.
pub(super) const QUIETER_BODY: f32 = 0.8;

/// The head of item `i` at one size, in two lines at most.
pub(super) fn head<'a>(setter: &Setter<'a>, i: usize, ink: Color, size: f32) -> Spec<'a> {
    let slot = SlotId::ItemHead(i as u8);
    let text = setter.text(slot).unwrap_or_default();
    Spec::new(slot, text, Voice::Head, TextLevel::Head, ink, (size, size)).lines(2)
}

/// The sentence of item `i` at one size, where it has one.
pub(super) fn body<'a>(setter: &Setter<'a>, i: usize, ink: Color, size: f32) -> Option<Spec<'a>> {
    let slot = SlotId::ItemBody(i as u8);
    Some(Spec::new(slot, setter.text(slot)?, Voice::Body, TextLevel::Body, ink, (size, size)))
}

/// What stands before or beside item `i`, in one line at a size up to `size`.
pub(super) fn label<'a>(setter: &Setter<'a>, i: usize, ink: Color, size: f32) -> Option<Spec<'a>> {
    let slot = SlotId::ItemLabel(i as u8);
    let range = (setter.frame.small.min(size), size);
    Some(Spec::new(slot, setter.text(slot)?, Voice::Data, TextLevel::Small, ink, range).lines(1))
}

/// The numeral of item `i`; a list that goes on from the page before counts on.
pub(super) fn numeral<'a>(setter: &Setter<'a>, i: usize, ink: Color, size: f32) -> Spec<'a> {
    let text = &setter.numerals[(first(setter) + i) % setter.numerals.len()];
    let spec = Spec::new(SlotId::Number, text, Voice::Data, TextLevel::Small, ink, (size, size)).lines(1);
    if setter.theme.numerals != Numerals::Roman {
        return spec;
    }
    let face = setter.fonts.italic(setter.style(Voice::Data, size).face);
    let covers = |f: &FaceId| setter.fonts.covers_text(setter.fonts.family(*f), text);
    match face.filter(covers) {
        Some(face) => spec.spans(vec![TextSpan { face: Some(face), ..TextSpan::tagged(0..text.len(), TURNED) }]),
        None => spec,
    }
}

/// How many items stand on the pages before.
pub(super) fn first(setter: &Setter<'_>) -> usize {
    setter.text(SlotId::Number).and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).max(1) - 1
}

/// The ink of numerals.
pub(super) fn numeral_ink(setter: &Setter<'_>) -> Color {
    let p = &setter.page.palette;
    if setter.theme.numerals == Numerals::Plain { p.ink2 } else { p.accent_text }
}

/// The one item whose head the source emphasises.
pub(super) fn emphasised(setter: &Setter<'_>) -> Option<usize> {
    let mut heads = setter.page.slots.iter().filter_map(|s| match s.id {
        SlotId::ItemHead(i) if !s.emphasis.is_empty() => Some(usize::from(i)),
        _ => None,
    });
    heads.next().filter(|_| heads.next().is_none())
}

/// Largest size of the heads of `count` items under a title of size `title`: larger where there are few, and where
/// running text may be small; never near the title's.
pub(super) fn largest_head(frame: &Frame, count: usize, title: f32) -> f32 {
    let few = if count <= 3 { 0.22 } else { 0.0 };
    (grow(frame) * (1.32 + few) * frame.body).min(title / QUIETER).max(frame.body_floor)
}

/// Largest size of the sentences of items. They are notes on their heads: smaller than a page's own paragraph.
fn largest_body(frame: &Frame) -> f32 {
    (0.88 * grow(frame) * frame.body).max(frame.item_floor)
}

/// The size of the sentences under heads of size `head`, from the smallest (`t` 0) to the largest (1).
pub(super) fn sentence(frame: &Frame, head: f32, t: f32) -> f32 {
    large_sentence(frame, 1.0, head, t)
}

/// As [`sentence`], where the largest is `by` times that of other lists.
pub(super) fn large_sentence(frame: &Frame, by: f32, head: f32, t: f32) -> f32 {
    between(frame.item_floor, (by * largest_body(frame)).min(QUIETER_BODY * head), t)
}

/// How much larger than running text a list may be set that has the room.
fn grow(frame: &Frame) -> f32 {
    0.5 + 0.5 * frame.lead / frame.body
}

/// The height of capitals in a text's first line.
pub(super) fn cap(set: &Set<'_>) -> f32 {
    set.laid.lines.first().map_or(0.0, |l| l.baseline)
}
