//! Sets text sizes. The factor that gives a size is found by trial, because the sizes in a layout depend on each other.

use crate::design::{Page, SlotId, Which};
use crate::inspect::inspect;

use super::super::Op;
use super::super::op::LARGEST;
use super::super::target::sizes;
use super::{ApplyError, Work, no};

/// How often a factor is corrected; how many factors are tried between one that fits and one that doesn't; and how
/// often the interval between two of these is halved.
const CORRECTIONS: usize = 10;
const STEPS: u16 = 16;
const HALVINGS: usize = 5;
/// A difference in du that is invisible.
const NEAR: f32 = 0.75;
/// The relative difference below which two sizes look the same.
const SAME: f32 = 0.015;
/// The smallest and the largest factor.
const FACTORS: (f32, f32) = (0.1, 6.0);
/// The art gives way to a size if three conditions hold: the requested size is at least [`MUCH`] times the current one,
/// with the art it reaches less than [`SHORT`] of the request, and without the art it gets at least [`GAIN`] times
/// larger.
const MUCH: f32 = 1.4;
const SHORT: f32 = 0.9;
const GAIN: f32 = 1.15;

/// The factors that bracket the wanted size, with the sizes they give. Sizes can grow with the square of a factor, so a
/// proportional step overshoots from one side to the other. A step between both bounds doesn't.
#[derive(Default)]
struct Bounds {
    below: Option<(f32, f32)>,
    above: Option<(f32, f32)>,
    /// How often in a row the same bound has moved.
    in_a_row: u8,
    was_below: bool,
}

impl Bounds {
    /// Records the size that a factor gives.
    fn note(&mut self, factor: f32, size: f32, wanted: f32) {
        let is_below = size < wanted;
        self.in_a_row = if is_below == self.was_below { self.in_a_row.saturating_add(1) } else { 1 };
        self.was_below = is_below;
        let side = if is_below { &mut self.below } else { &mut self.above };
        *side = Some((factor, size));
    }

    /// Returns a factor between both bounds, or `None` while one bound is unknown. It interpolates as if the size were
    /// a power of the factor. If only one bound keeps moving, it takes the (geometric) middle.
    fn between(&self, wanted: f32) -> Option<f32> {
        let (below, above) = self.below.zip(self.above).filter(|(below, above)| below.0 < above.0)?;
        let share = libm::logf(wanted / below.1.max(1.0)) / libm::logf(above.1 / below.1.max(1.0));
        let share = if self.in_a_row > 2 || !(0.02..=0.98).contains(&share) { 0.5 } else { share };
        Some(below.0 * libm::powf(above.0 / below.0, share))
    }
}

impl Work<'_, '_> {
    /// Sets some texts in a size, or in the nearest size with which the page passes inspection.
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

    /// Tries to set some texts on the page without its art. If they reach at least `least`, the art is removed and the
    /// new size returned. Otherwise the page stays unchanged and `size` is returned. `before` is the page before the
    /// size change.
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

    /// Sets some texts as near to a size as they fit. Returns the size that was reached.
    pub(super) fn refit(&mut self, which: Which, wanted: f32) -> f32 {
        let scene = self.composed().scene;
        let Some(now) = sizes(&scene, which).max_by(f32::total_cmp) else { return wanted };
        // The size caps shared in a set would limit the text.
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
        // While the width limits a text, its maximum size has no effect: a step without effect doubles the exponent.
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

    /// Returns the factor between one that passes inspection and one that doesn't whose size is nearest to `wanted`.
    /// Fitting is not monotonic, because one line more or less changes everything. So it tries the whole range in
    /// steps, then halves the step after the best factor.
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

    /// Returns the size that a factor gives, and whether the page passes inspection, fits and shows all its texts with
    /// it.
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
            // A size for a whole part replaces the sizes of its single texts.
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
