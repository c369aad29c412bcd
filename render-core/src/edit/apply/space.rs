//! Sets the spacing. Wider margins leave less room between them. If lines would move closer together, text is set
//! smaller; if that isn't enough, the margins get only as wide as keeps the lines apart. Less space works the other way
//! round.

use crate::compose::{Composed, compose};
use crate::design::{Page, Part, Which};
use crate::inspect::inspect;
use crate::scene::{Scene, TextBlock};

use super::super::Op;
use super::{ApplyError, Work, no};

/// The shares of the requested change to try, the whole change first.
const SHARES: [f32; 6] = [1.0, 0.75, 0.5, 0.35, 0.2, 0.1];
/// The factors by which headlines and points get smaller for more space, the mildest first. Less space uses the
/// inverse.
const SIZES: [(f32, f32); 9] = [
    (1.0, 1.0),
    (0.92, 1.0),
    (0.84, 1.0),
    (0.92, 0.92),
    (0.84, 0.92),
    (0.76, 0.92),
    (0.76, 0.84),
    (0.68, 0.84),
    (0.68, 0.76),
];
/// The smallest difference of spacing in per cent that is visible.
const SEEN: u16 = 6;
/// A distance of at least this share of the height is empty room, not a distance between parts.
const LEFT: f32 = 0.2;
/// The invisible difference of a distance: a share of it plus du.
const UNSEEN: (f32, f32) = (0.03, 2.0);
/// The height from a text's baseline to its cap line, as a share of its size.
const CAP: f32 = 0.7;

impl Work<'_, '_> {
    /// Sets the spacing in per cent of the usual spacing, or as near to it as possible.
    pub(super) fn space(&mut self, to: u16) -> Result<Op, ApplyError> {
        let from = self.page.adjust.space;
        if from == to {
            return Ok(Op::Space(to));
        }
        let before = self.composed();
        let wider = to > from;
        let asked = f32::from(to) - f32::from(from);
        for share in SHARES {
            let percent = (f32::from(from) + share * asked).round() as u16;
            for (title, points) in SIZES {
                // A part of the change that nobody sees is none.
                if percent == from || percent != to && percent.abs_diff(from) < SEEN {
                    continue;
                }
                let by = |size: f32| if wider { size } else { 1.0 / size };
                let page = scaled(&self.page, percent, by(title), by(points));
                let composed = compose(&page, self.fonts());
                if !stands(&composed, &page, &before) || !goes(&before.scene, &composed.scene, wider) {
                    continue;
                }
                self.page = page;
                if percent != to {
                    let (more, would) = if wider { ("more", "closer together") } else { ("less", "farther apart") };
                    self.note(format!(
                        "The spacing is set to {percent} percent: with {more} of it lines would stand {would}."
                    ));
                }
                if title != 1.0 || points != 1.0 {
                    let size = if wider { "smaller" } else { "larger" };
                    self.note(format!("Text is set {size}, so that all distances change that way."));
                }
                return Ok(Op::Space(percent));
            }
        }
        if wider {
            return no("This page is full: with wider margins its lines would stand closer together.");
        }
        // Room that the margins give up may widen other distances, so less space is always accepted.
        self.page.adjust.space = to;
        Ok(Op::Space(to))
    }
}

/// Returns a page with other spacing, its headline and points scaled.
fn scaled(page: &Page, space: u16, title: f32, points: f32) -> Page {
    let mut page = page.clone();
    page.adjust.space = space;
    for (part, by) in [(Part::Headline, title), (Part::Figure, title), (Part::Points, points)] {
        if by == 1.0 {
            continue;
        }
        let of = |which: Which| match which {
            Which::All(p) => p == part,
            Which::One(slot) => Part::of(slot) == Some(part),
        };
        let scales = &mut page.adjust.scales;
        scales.iter_mut().filter(|(which, _)| of(*which)).for_each(|(_, scale)| *scale *= by);
        if scales.iter().all(|(which, _)| *which != Which::All(part)) {
            scales.push((Which::All(part), by));
        }
    }
    page
}

/// Returns whether a page passes inspection, and fits if it did before.
fn stands(composed: &Composed, page: &Page, before: &Composed) -> bool {
    inspect(&composed.scene, page, None).passed && (composed.fits || !before.fits)
}

/// Returns whether no distance between lines of text changes against the requested direction.
pub(super) fn goes(before: &Scene, after: &Scene, wider: bool) -> bool {
    let then = distances(before);
    distances(after).iter().all(|(pair, now)| {
        let Some((_, was)) = then.iter().find(|(of, was)| of == pair && *was < LEFT * before.size.h) else {
            return true;
        };
        let unseen = UNSEEN.0 * was + UNSEEN.1;
        if wider { *now >= was - unseen } else { *now <= was + unseen }
    })
}

/// Returns the distance from each text to the next one below it: from its last baseline to the other's cap line.
fn distances(scene: &Scene) -> Vec<((&str, &str), f32)> {
    let top = |b: &TextBlock| b.lines.first().map_or(b.ink.y0, |l| l.baseline - CAP * b.size);
    let bottom = |b: &TextBlock| b.lines.last().map_or(b.ink.y1, |l| l.baseline);
    let set = || scene.blocks.iter().filter(|b| !b.lines.is_empty() && !b.vertical);
    let below = |a: &TextBlock| {
        let under = set().filter(|b| top(b) >= bottom(a) && b.ink.x0 < a.ink.x1 && a.ink.x0 < b.ink.x1);
        under.min_by(|b, c| top(b).total_cmp(&top(c)))
    };
    set().filter_map(|a| below(a).map(|b| ((a.slot.as_str(), b.slot.as_str()), top(b) - bottom(a)))).collect()
}
