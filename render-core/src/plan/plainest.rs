//! The last resort: a page with fewer and fewer words in the plainest templates, for content that no other template has
//! room for.

use super::art_direction::{ArtDirection, Place};
use super::choice::{self, Context};
use super::facts::Around;
use super::illustrate;
use super::{Draft, PlanRequest, Studio};
use crate::format::Format;
use crate::outline::PageOutline;

impl Studio<'_> {
    /// Returns a page of `said` that meets every hard limit, with warnings about what it leaves out. `place` is the
    /// position of a slide.
    pub(super) fn plainest(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Option<Place<'_>>,
    ) -> Option<Draft> {
        let barer = if said.whole {
            std::iter::once(said.clone()).chain(said.plain()).map(|page| (page, Vec::new())).collect()
        } else {
            said.bare(&request.locale.language)
        };
        barer.iter().find_map(|(page, costs)| {
            let picture = illustrate::best(page, &request.locale.language);
            let around = Around::of(request, format, page, None, picture.is_some());
            let fitting = choice::templates(page, format, request.style, Context { before: &[], around });
            let directed = |template| match place {
                Some(place) => {
                    ArtDirection::slide(request, format, page, Place { shot: None, ..place }, template, self.faces)
                }
                None => ArtDirection::visual(request, format, page, template, (picture, None), self.faces),
            };
            let drawn = |art_direction: &ArtDirection<'_>, template| {
                let draft = self.proof(self.draft(art_direction, format, page, template, 0.0)?);
                draft.quality.passed.then(|| draft.warned(costs))
            };
            // For a verbatim page, keeping all words matters more than art.
            let with_art = || fitting.iter().find_map(|(template, _)| drawn(&directed(*template), *template));
            let bare = || fitting.iter().find_map(|(template, _)| drawn(&directed(*template).without_art(), *template));
            with_art().or_else(bare)
        })
    }
}
