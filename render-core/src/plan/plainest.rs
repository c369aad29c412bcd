//! The last resort: a page with ever fewer words in the plainest layouts, for content that no other layout has room for.

use super::choice::{self, Context};
use super::dress::{Dress, Place};
use super::{Draft, PlanRequest, Studio};
use crate::design::Theme;
use crate::format::Format;
use crate::outline::PageOutline;

impl Studio<'_> {
    /// A page of `said` that holds every hard measure, with warnings of what it leaves out; `place` is that of a slide.
    pub(super) fn plainest(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Option<Place>,
    ) -> Option<Draft> {
        let context = Context { before: None, seed: request.seed, photo: false };
        said.bare(&request.locale.language).iter().find_map(|(page, costs)| {
            let fitting = choice::archetypes(page, format, Theme::of(request.style), context);
            let dressed = |archetype| match place {
                Some(place) => Dress::slide(request, page, place, archetype, self.faces),
                None => Dress::visual(request, page, archetype, self.faces),
            };
            let drawn = |dress: &Dress<'_>, archetype| {
                let draft = self.proof(self.draft(dress, format, page, archetype, 0.0)?);
                draft.quality.passed.then(|| draft.warned(costs))
            };
            // Words that stay whole come before art.
            let with_art = || fitting.iter().find_map(|(archetype, _)| drawn(&dressed(*archetype), *archetype));
            let bare =
                || fitting.iter().find_map(|(archetype, _)| drawn(&dressed(*archetype).without_art(), *archetype));
            with_art().or_else(bare)
        })
    }
}
