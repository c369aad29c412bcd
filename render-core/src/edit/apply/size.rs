//! Sizes. What an archetype makes of a factor is found by trying: its layouts answer to each other.

use crate::design::{SlotId, Which};
use crate::inspect::inspect;

use super::super::Op;
use super::super::target::sizes;
use super::{ApplyError, Work, no};

/// How often a factor is corrected, and how many are tried between one that fits and one that doesn't.
const CORRECTIONS: usize = 6;
const STEPS: u16 = 16;
/// Du that nobody sees.
const NEAR: f32 = 0.75;
/// Factors beyond these are out of all proportion.
const FACTORS: (f32, f32) = (0.2, 6.0);

impl Work<'_, '_> {
    /// Sets some texts in a size, or in the one nearest to it at which the page holds.
    pub(super) fn size(&mut self, which: Which, to: u16) -> Result<Op, ApplyError> {
        let Some(now) = sizes(&self.composed().scene, which).max_by(f32::total_cmp) else {
            return no(format!("This page has no {which}."));
        };
        let wanted = f32::from(to);
        if (now - wanted).abs() < NEAR {
            return Ok(Op::Size { which, to });
        }
        let before = self.page.clone();
        // A cap that a set agreed on would hold it back.
        self.uncap(which, now.max(wanted));
        let start = self.factor(which);
        let mut factor = start;
        let mut size = self.tried(which, factor).map_or(now, |(size, _)| size);
        for _ in 0..CORRECTIONS {
            if (size - wanted).abs() < NEAR {
                break;
            }
            let next = (factor * wanted / size.max(1.0)).clamp(FACTORS.0, FACTORS.1);
            let Some((reached, _)) = self.tried(which, next) else { break };
            let stuck = (reached - size).abs() < 0.1 && (next - factor).abs() < 0.01 * factor;
            (factor, size) = (next, reached);
            if stuck {
                break;
            }
        }
        if !self.tried(which, factor).is_some_and(|(_, holds)| holds) {
            (factor, size) = self.nearest(which, start, factor, wanted).unwrap_or((start, now));
        }
        if (size - now).abs() < NEAR {
            self.page = before;
            let side = if wanted > now { "larger" } else { "smaller" };
            return no(format!(
                "The {which} can't be set {side} here: at {now:.0} it has all the room that the page gives."
            ));
        }
        self.scale(which, factor);
        if (size - wanted).abs() > 2.0 * NEAR {
            self.note(format!("The {which} is set to {size:.0}: that is as near to {to} as it fits."));
        }
        Ok(Op::Size { which, to })
    }

    /// The factor between one that holds and one that doesn't whose size is nearest to the one wanted. What fits doesn't
    /// follow a curve: a line more or less changes all, so the whole way is tried.
    fn nearest(&mut self, which: Which, holds: f32, fails: f32, wanted: f32) -> Option<(f32, f32)> {
        let steps = 1..=STEPS;
        let tried = steps.filter_map(|n| {
            let factor = holds + (fails - holds) * n as f32 / (STEPS + 1) as f32;
            self.tried(which, factor).filter(|(_, holds)| *holds).map(|(size, _)| (factor, size))
        });
        tried.min_by(|a, b| (a.1 - wanted).abs().total_cmp(&(b.1 - wanted).abs()))
    }

    /// The size that a factor gives, and whether the page holds with it.
    fn tried(&mut self, which: Which, factor: f32) -> Option<(f32, bool)> {
        self.scale(which, factor);
        let composed = self.composed();
        let size = sizes(&composed.scene, which).max_by(f32::total_cmp)?;
        let held = self.target.scene.blocks.len();
        let holds = inspect(&composed.scene, &self.page, None).passed && composed.scene.blocks.len() >= held.min(1);
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
