//! Pages that an author composed: they stand as they are where they can be shown, and their faults are named for the
//! author where they can't.

use super::candidate::Wording;
use super::choice::{self, Context};
use super::dress::{Dress, Place};
use super::facts::Around;
use super::photos::Shot;
use super::{Draft, PlanRequest, Studio};
use crate::compose::{self, Authored, compose};
use crate::design::{Page, SlotId, Template};
use crate::format::{Format, FormatId};
use crate::inspect::{self, Quality, proof_canvas, without_text};
use crate::outline::{Outline, PageOutline};
use crate::raster::{Pixmap, Rasteriser};
use crate::text::Fonts;
use crate::tree::Fault;

/// What the page of an author counts for beside those that templates set.
const SCORE: f32 = 10.0;
/// The template that an authored page falls back to where none suits its words.
const PLAIN: &str = "point-lead";

/// The faults of the composed pages of `outline` in one of the request's formats, by the page's place in the set. They
/// only show once a page is set and drawn: words that don't fit their places, lie over others or can't be read.
pub fn faults(
    request: &PlanRequest<'_>,
    format: FormatId,
    outline: &Outline,
    fonts: &Fonts,
) -> Vec<(usize, Vec<Fault>)> {
    let studio = Studio::new(request, fonts);
    let format = format.format();
    let mut out = Vec::new();
    let mut before = None;
    for (index, said) in outline.pages.iter().enumerate() {
        let place = format.carousel.then(|| Place::at(index, outline.pages.len(), before));
        let Some(page) = studio.authored_page(request, format, said, place) else { continue };
        before = Some(page.field);
        let found = studio.faults(&page);
        if !found.is_empty() {
            out.push((index, found));
        }
    }
    out
}

impl Studio<'_> {
    /// The page that the author of `said` composed; `None` where there is none, or it can't be shown in this format.
    pub(super) fn authored(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Option<Place<'_>>,
    ) -> Option<Draft> {
        let page = self.authored_page(request, format, said, place)?;
        let composed = compose(&page, self.fonts);
        let warnings = composed.warnings.clone();
        let fits = composed.fits;
        let quality = Quality::default();
        let draft = self.measured(Draft { page, kind: said.kind, composed, quality, score: SCORE, warnings });
        (fits && draft.quality.passed).then_some(draft)
    }

    fn authored_page(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Option<Place<'_>>,
    ) -> Option<Page> {
        let mut own = Authored::read(said.authored.as_deref()?)?;
        // A page shows one photograph at most, which pages call the same everywhere.
        let shot = own.photo.and_then(|n| match request.pictures.get(n) {
            Some(picture) => Some(Shot { photo: &picture.photo, words: picture.image.words() }),
            // The one that came along is counted behind those.
            None => request.photo.filter(|_| n == request.pictures.len()).map(|photo| Shot { photo, words: "" }),
        });
        let around = Around::of(request, format, said, None, false);
        let fitting = choice::templates(said, format, request.style, Context { before: &[], around });
        let template = fitting.first().map_or_else(|| Template::named(PLAIN), |(template, _)| *template);
        let plain = Template::named(PLAIN);
        let dress = match place {
            Some(place) => Dress::slide(request, format, said, Place { picture: None, shot, ..place }, plain, self.faces),
            None => Dress::visual(request, format, said, plain, (None, shot), self.faces),
        };
        let dress = dress.without_art().on(own.field);
        let page = dress.page(format, template, said, &Wording::whole(said));
        let frame = |s: &&crate::design::Slot| matches!(s.id, SlotId::Brand | SlotId::Handle);
        let framing: Vec<_> = page.slots.iter().filter(frame).cloned().collect();
        own.slots.extend(framing);
        let alt_text = own.alt.unwrap_or_else(|| page.alt_text.clone());
        Some(Page {
            photo: shot.map(|shot| shot.photo.clone()),
            slots: own.slots,
            items: Vec::new(),
            alt_text,
            authored: Some(own.text),
            ..page
        })
    }

    /// What keeps a page from being shown.
    fn faults(&self, page: &Page) -> Vec<Fault> {
        if let Err(wrong) = compose::tree(page) {
            return vec![Fault::new("page", wrong)];
        }
        let composed = compose(page, self.fonts);
        if !composed.faults.is_empty() {
            return composed.faults;
        }
        let scene = &composed.scene;
        let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
        if self.raster.draw(&without_text(scene), proof_canvas(scene), self.fonts, &mut pixels).is_err() {
            return Vec::new();
        }
        let mut out: Vec<Fault> = inspect::misses(scene, page, &pixels)
            .into_iter()
            .map(|miss| Fault::new(miss.slot, miss.message))
            .collect();
        if out.is_empty() && !composed.fits {
            out.push(Fault::new("page", "holds more than fits at the sizes that its style asks for; say less"));
        }
        out
    }
}
