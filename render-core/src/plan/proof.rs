//! Measures drafts on the pixels under their text. Pictures that disturb the text are removed.

use super::{Draft, Studio, UNSHOWN};
use crate::compose::compose;
use crate::design::{Page, Recipe};
use crate::inspect::{Check, Quality, art_share, inspect, proof_canvas, without_text};
use crate::raster::{Pixmap, Rasteriser as _};

/// Least share of the canvas that an ornament takes; smaller ones look like an accident.
const SEEN: f32 = 0.045;

impl Studio<'_> {
    /// Measures drafts on pixels and returns the best; `None` if none passes.
    pub(super) fn best(&self, drafts: Vec<Draft>) -> Option<Draft> {
        let proofed = drafts.into_iter().map(|d| self.proof(d)).filter(|d| d.quality.passed);
        proofed.reduce(|best, d| if d.score > best.score { d } else { best })
    }

    /// Removes the best draft of a cover from `tried`, measured on pixels. If measuring removes its picture, the best
    /// draft that keeps its picture is used, unless it scores lower than the first one without the picture. `tried` must
    /// not be empty and must be sorted, best first.
    pub(super) fn cover(&self, tried: &mut Vec<Draft>) -> Draft {
        let first = tried.remove(0);
        let is_pictured = first.composed.pictured;
        let first = self.proof(first);
        if first.composed.pictured == is_pictured {
            return first;
        }
        let near = tried.iter().take_while(|draft| draft.score > first.score);
        let keeps = |draft: &Draft| draft.quality.passed && draft.composed.pictured;
        let kept = near.enumerate().find_map(|(at, draft)| Some((at, Some(self.proof(draft.clone())).filter(keeps)?)));
        let Some((at, kept)) = kept else { return first };
        tried.remove(at);
        kept
    }

    /// Measures legibility on pixels. Removes art that is too close to the text, and an ornament that is too small.
    pub(super) fn proof(&self, draft: Draft) -> Draft {
        let seen = self.measured(draft);
        // Beams of light run behind words by design; only the contrast must hold.
        let light = seen.page.art.is_some_and(|art| art.recipe == Recipe::Beams);
        let busy = |c: &Check| c.name == "art_near_text" && !c.passed;
        let small = (0.0..SEEN).contains(&art_share(&seen.composed.scene)) && seen.is_ornamented();
        let near = small || !light && seen.quality.checks.iter().any(busy) || !seen.quality.passed;
        let undecorated = seen.page.art.is_none() && seen.page.picture.is_none();
        if !near || undecorated || seen.page.template.draws_share() {
            return seen;
        }
        let page = Page { art: None, picture: None, ..seen.page.clone() };
        let unshown = if seen.composed.pictured { UNSHOWN } else { 0.0 };
        let composed = compose(&page, self.fonts);
        let bare = self.measured(Draft {
            page,
            said: seen.said.clone(),
            composed,
            quality: Quality::default(),
            score: seen.score - 0.05 - unshown,
            warnings: seen.warnings.clone(),
        });
        // Removing a picture must help the words: a page with fewer colours is not better.
        let reads = |d: &Draft| (d.quality.passed, !d.quality.checks.iter().any(busy));
        if reads(&bare) > reads(&seen) || small && reads(&bare) == reads(&seen) { bare } else { seen }
    }

    /// Returns a draft with its quality measured on the scene and on the pixels under its text.
    pub(super) fn measured(&self, mut draft: Draft) -> Draft {
        let scene = &draft.composed.scene;
        let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
        let drawn = self.raster.draw(&without_text(scene), proof_canvas(scene), self.fonts, &mut pixels);
        draft.quality = inspect(scene, &draft.page, drawn.is_ok().then_some(&pixels));
        draft
    }
}
