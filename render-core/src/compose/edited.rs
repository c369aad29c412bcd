//! What edits asked of a text, done where all text passes: its size, its ink, where its lines stand.

use super::setter::{Setter, Spec};
use crate::design::{Part, SlotId, Voice, readable};
use crate::text::Align;

/// A text as edits want it, and the height that it may take.
pub(super) fn spec<'a>(setter: &Setter<'a>, spec: Spec<'a>, height: f32) -> (Spec<'a>, f32) {
    let adjust = &setter.page.adjust;
    if spec.adjusted {
        return (spec, height);
    }
    let mut spec = Spec { adjusted: true, ..spec };
    if let Some(ink) = adjust.ink(spec.slot) {
        spec.color = readable(ink, spec.ground.unwrap_or(setter.page.palette.bg));
    }
    if let Some(align) = adjust.align.filter(|_| spec.align == Align::Start && is_aligned(spec.slot)) {
        spec.align = align;
    }
    // A figure is sized by its own search.
    let by = if spec.voice == Voice::Figure { 1.0 } else { adjust.scale(spec.slot) };
    if by == 1.0 {
        return (spec, height);
    }
    let (least, most) = spec.range;
    spec.range = (least * by.min(1.0), most * by);
    // A size that is asked for goes before fewer lines.
    spec.loud = true;
    if by > 1.0 {
        // Larger type takes more lines, and a headline more of the page.
        spec.lines = libm::ceilf(spec.lines as f32 * by) as usize;
        spec.range.0 = (least * by).min(spec.range.1);
        let height = if spec.slot == SlotId::Title { height * by } else { height };
        return (spec, height);
    }
    (spec, height)
}

/// The share of the page's lines from which a text has them to itself.
const MOST: f32 = 0.5;

/// How far a text of `width` that an edit aligns is moved along: it is centred on the page, or stands at its end, where
/// its lines are shorter than the page's only so that they are read.
pub(super) fn along(setter: &Setter<'_>, spec: &Spec<'_>, width: f32) -> f32 {
    let whole = setter.frame.text.w();
    if setter.page.adjust.align.is_none() || !is_aligned(spec.slot) || width < MOST * whole {
        return 0.0;
    }
    match spec.align {
        Align::Start => 0.0,
        Align::Center => 0.5 * (whole - width),
        Align::End => whole - width,
    }
}

/// Whether a text's lines stand where an edit says: those of headline and supporting text, not those of rows and tiles.
fn is_aligned(slot: SlotId) -> bool {
    matches!(Part::of(slot), Some(Part::Headline | Part::Supporting | Part::Figure | Part::Attribution))
}
