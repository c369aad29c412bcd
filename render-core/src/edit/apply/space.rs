//! Space. Wider margins leave less room for what stands between them: where lines would come closer by it, type gives way,
//! and where that isn't enough, the margins are as wide as keeps them apart. Less space is the same the other way round.

use crate::compose::{Composed, compose};
use crate::design::{Page, Part, Which};
use crate::inspect::inspect;
use crate::scene::{Scene, TextBlock};

use super::super::Op;
use super::{ApplyError, Work, no};

/// Shares of what was asked for that are tried, the whole of it first.
const SHARES: [f32; 6] = [1.0, 0.75, 0.5, 0.35, 0.2, 0.1];
/// By how much headlines and points are set smaller for more space, the least first; larger by the inverse for less.
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
/// A distance that is so much of the height is room that is left, and no distance between parts.
const LEFT: f32 = 0.2;
/// What nobody sees of a distance: a share of it, and du.
const UNSEEN: (f32, f32) = (0.03, 2.0);
/// From the cap line of a text to its baseline, as a share of its size.
const CAP: f32 = 0.7;

impl Work<'_, '_> {
    /// Sets the space to hundredths of the usual one, or to as many as go that way.
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
                if percent == from {
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
        // What isn't taken up by margins has to be somewhere.
        self.page.adjust.space = to;
        Ok(Op::Space(to))
    }
}

/// A page with other space, its headline and its points in multiples of their sizes.
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

/// Whether a page holds its measures, and fits where it did before.
fn stands(composed: &Composed, page: &Page, before: &Composed) -> bool {
    inspect(&composed.scene, page, None).passed && (composed.fits || !before.fits)
}

/// Whether no distance between lines of text goes against what was asked.
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

/// How far each text stands over the next one below it: from its last baseline to that one's cap line.
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
