//! Sizes. What a template makes of a factor is found by trying: its layouts answer to each other.

use crate::design::{Page, SlotId, Which};
use crate::inspect::inspect;

use super::super::Op;
use super::super::op::LARGEST;
use super::super::target::sizes;
use super::{ApplyError, Work, no};

/// How often a factor is corrected, how many are tried between one that fits and one that doesn't, and how often the way
/// between two of these is halved.
const CORRECTIONS: usize = 10;
const STEPS: u16 = 16;
const HALVINGS: usize = 5;
/// Du that nobody sees.
const NEAR: f32 = 0.75;
/// The share of a size within which two sizes are the same to the eye.
const SAME: f32 = 0.015;
/// Factors beyond these are out of all proportion.
const FACTORS: (f32, f32) = (0.1, 6.0);
/// A size that is to be so many times what there was goes before art, where beside art it comes to less than that share of
/// what was asked for, and without it to so many times more.
const MUCH: f32 = 1.4;
const SHORT: f32 = 0.9;
const GAIN: f32 = 1.15;

/// The factors on both sides of a size that is looked for, with the sizes that they give. Sizes can grow with the square of
/// a factor, so that a step in proportion overshoots from each side to the other; a step between both doesn't.
#[derive(Default)]
struct Bounds {
    below: Option<(f32, f32)>,
    above: Option<(f32, f32)>,
    /// How often in a row the same side has moved.
    in_a_row: u8,
    was_below: bool,
}

impl Bounds {
    /// Takes note of the size that a factor gives.
    fn note(&mut self, factor: f32, size: f32, wanted: f32) {
        let is_below = size < wanted;
        self.in_a_row = if is_below == self.was_below { self.in_a_row.saturating_add(1) } else { 1 };
        self.was_below = is_below;
        let side = if is_below { &mut self.below } else { &mut self.above };
        *side = Some((factor, size));
    }

    /// A factor between both sides: as if sizes grew with a power of it, or half-way where one side alone keeps moving;
    /// `None` as long as one side is unknown.
    fn between(&self, wanted: f32) -> Option<f32> {
        let (below, above) = self.below.zip(self.above).filter(|(below, above)| below.0 < above.0)?;
        let share = libm::logf(wanted / below.1.max(1.0)) / libm::logf(above.1 / below.1.max(1.0));
        let share = if self.in_a_row > 2 || !(0.02..=0.98).contains(&share) { 0.5 } else { share };
        Some(below.0 * libm::powf(above.0 / below.0, share))
    }
}

impl Work<'_, '_> {
    /// Sets some texts in a size, or in the one nearest to it at which the page holds.
    pub(super) fn size(&mut self, which: Which, to: u16) -> Result<Op, ApplyError> {
        let Some(now) = sizes(&self.composed().scene, which).max_by(f32::total_cmp) else {
            return no(format!("This page has no {which}."));
        };
        let wanted = f32::from(to);
        if (now - wanted).abs() < NEAR.max(SAME * wanted) {
            return Ok(Op::Size { which, to });
        }
        let before = self.page.clone();
        let mut size = self.refit(which, wanted);
        if wanted >= MUCH * now && size < SHORT * wanted {
            size = self.without_art(which, wanted, (size * GAIN).max(MUCH * now + 1.0), size, &before);
        }
        if (size - now).abs() < NEAR {
            self.page = before;
            let side = if wanted > now { "larger" } else { "smaller" };
            return no(format!(
                "The {which} can't be set {side} here: at {now:.0} it has all the room that the page gives."
            ));
        }
        if to == LARGEST {
            self.note(format!("The {which} is set as large as it fits."));
        } else if (size - wanted).abs() > 2.0 * NEAR {
            self.note(format!("The {which} is set as near to {to} as it fits."));
        }
        Ok(Op::Size { which, to })
    }

    /// The size that some texts come to on the page without its art, where that is `least` or more; else the page stays as
    /// it is, and the size. The page was `before` when it had the other size.
    fn without_art(&mut self, which: Which, wanted: f32, least: f32, size: f32, before: &Page) -> f32 {
        if before.art.is_none() || before.template.draws_share() {
            return size;
        }
        let with = std::mem::replace(&mut self.page, Page { art: None, ..before.clone() });
        let bare = self.refit(which, wanted);
        if bare < least {
            self.page = with;
            return size;
        }
        self.note(format!("The art gives its room to the {which}."));
        bare
    }

    /// Sets some texts as near to a size as they fit, and returns the size that they have then.
    pub(super) fn refit(&mut self, which: Which, wanted: f32) -> f32 {
        let scene = self.composed().scene;
        let Some(now) = sizes(&scene, which).max_by(f32::total_cmp) else { return wanted };
        // A cap that a set agreed on would hold it back.
        self.uncap(which, now.max(wanted));
        let start = self.factor(which);
        let most = FACTORS.1.min(start * scene.size.h / now.max(1.0)).max(start);
        let texts = scene.blocks.len();
        let off = |size: f32| (size - wanted).abs();
        let mut best: Option<(f32, f32)> = None;
        let (mut factor, mut size, mut holds) = (start, now, true);
        if let Some((reached, stands)) = self.tried(which, factor, texts) {
            (size, holds) = (reached, stands);
        }
        // Where the width holds a text, the largest size that it may have says nothing until it is below that.
        let mut stride = 1.0;
        let mut bounds = Bounds::default();
        for _ in 0..CORRECTIONS {
            if holds && best.is_none_or(|(_, nearest)| off(size) < off(nearest)) {
                best = Some((factor, size));
            }
            if off(size) < NEAR {
                break;
            }
            bounds.note(factor, size, wanted);
            let by = libm::powf(wanted / size.max(1.0), stride);
            let next = bounds.between(wanted).unwrap_or(factor * by).clamp(FACTORS.0, most);
            if (next - factor).abs() < 1e-3 * factor {
                break;
            }
            let Some((reached, stands)) = self.tried(which, next, texts) else { break };
            stride = if (reached - size).abs() < 0.1 { 2.0 * stride } else { 1.0 };
            (factor, size, holds) = (next, reached, stands);
        }
        if !holds {
            let nearest = self.nearest(which, (start, factor), wanted, texts);
            let nearer = nearest.filter(|(_, size)| best.is_none_or(|(_, other)| off(*size) < off(other)));
            best = nearer.or(best);
        } else if best.is_none_or(|(_, nearest)| off(size) < off(nearest)) {
            best = Some((factor, size));
        }
        let (factor, size) = best.unwrap_or((start, now));
        self.scale(which, factor);
        size
    }

    /// The factor between one that holds and one that doesn't whose size is nearest to the one wanted. What fits doesn't
    /// follow a curve: a line more or less changes all, so the whole way is tried, and the last step of it more finely.
    fn nearest(&mut self, which: Which, (from, to): (f32, f32), wanted: f32, texts: usize) -> Option<(f32, f32)> {
        let step = (to - from) / f32::from(STEPS + 1);
        let tried = (0..=STEPS).filter_map(|n| {
            let factor = from + step * f32::from(n);
            self.tried(which, factor, texts).filter(|(_, holds)| *holds).map(|(size, _)| (factor, size))
        });
        let off = |size: f32| (size - wanted).abs();
        let mut best = tried.min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
        let mut bad = best.0 + step;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (best.0 + bad);
            let tried = self.tried(which, middle, texts);
            match tried.filter(|(size, holds)| *holds && off(*size) <= off(best.1)) {
                Some((size, _)) => best = (middle, size),
                None => bad = middle,
            }
        }
        Some(best)
    }

    /// The size that a factor gives, and whether the page holds with it, all its texts on it.
    fn tried(&mut self, which: Which, factor: f32, texts: usize) -> Option<(f32, bool)> {
        self.scale(which, factor);
        let composed = self.composed();
        let size = sizes(&composed.scene, which).max_by(f32::total_cmp)?;
        let holds = inspect(&composed.scene, &self.page, None).passed && composed.scene.blocks.len() >= texts;
        Some((size, holds && composed.fits))
    }

    fn factor(&self, which: Which) -> f32 {
        match which {
            Which::One(slot) => self.page.adjust.scale(slot),
            Which::All(_) => {
                self.page.adjust.scales.iter().find(|(of, _)| *of == which).map_or(1.0, |(_, factor)| *factor)
            }
        }
    }

    fn scale(&mut self, which: Which, factor: f32) {
        let scales = &mut self.page.adjust.scales;
        scales.retain(|(of, _)| match (which, of) {
            // What is said of all goes for each.
            (Which::All(_), Which::One(slot)) => !which.has(*slot),
            _ => *of != which,
        });
        if (factor - 1.0).abs() > 1e-4 {
            scales.push((which, factor));
        }
    }

    fn uncap(&mut self, which: Which, to: f32) {
        let sizes = &mut self.page.sizes;
        for (cap, slot) in
            [(&mut sizes.title, SlotId::Title), (&mut sizes.body, SlotId::Body), (&mut sizes.item, SlotId::ItemHead(0))]
        {
            let about = match which {
                Which::All(_) => which.has(slot),
                Which::One(one) => one == slot,
            };
            if about {
                *cap = cap.map(|c| c.max(to));
            }
        }
    }
}
