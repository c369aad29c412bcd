//! The search over outline, design, compose and inspect: tries candidates, sizes a set, keeps the best.
//!
//! A candidate is a page with its words chosen. The fullest wordings are tried first and shortened only until they fit;
//! what fits is measured on the scene, and the best three also on the pixels under their text.

mod art_direction;
mod authored;
mod band;
mod candidate;
mod charts;
#[cfg(test)]
mod charts_tests;
mod choice;
mod contrast;
mod crossing;
mod facts;
mod illustrate;
#[cfg(test)]
mod lists_tests;
mod photos;
mod plainest;
mod proof;
mod request;
mod senses;
mod sizes;
pub mod specimens;
mod suits;
#[cfg(test)]
mod tests;
mod vet;
#[cfg(test)]
mod words_tests;

use crate::cancel;
use crate::compose::{Composed, compose, shows_all};
use crate::content::Document;
use crate::design::{Faces, Page, Rhythm, SlotId, Template, Theme, Writing};
use crate::format::{Format, FormatId};
use crate::inspect::{ALIKE, Quality, art_share, ground, inspect, sameness};
use crate::outline::{self, Outline, PageKind, PageOutline, TooLittle};
use crate::random::fnv1a;
use crate::raster::cpu::CpuRasteriser;
use crate::text::Fonts;
use crate::warning::{Warning, WarningCode};

use art_direction::ArtDirection;
pub(crate) use art_direction::recipe;
pub use authored::faults;
use candidate::{Wording, untold, wordings};
use choice::Context;
use facts::Around;
pub use request::{Pictured, PlanRequest};
pub(crate) use sizes::{caps_of, shared_sizes, shares_sizes};
pub(crate) use suits::{is_alike, outline_of, suited, suits};

/// Number of candidates that are measured on pixels.
const PROOFS: usize = 3;
/// Number of fitting candidates that are kept of each kind of page.
const EACH: usize = 2;
/// Weight of the template's score in a candidate's score.
const CHOICE: f32 = 0.3;

/// Penalty of a page that leaves out all of its words.
const LOSS: f32 = 0.4;
/// Penalty of a list without the sentences of its items.
const UNTOLD: f32 = 0.4;
/// Penalty of an image that shows nothing of what the fullest image for its content shows.
const UNSAID: f32 = 0.8;
/// The same penalty for covers, which show the title of what they lead to.
const COVER_LOSS: f32 = 2.0;
/// Penalty of a slide whose largest empty rectangle exceeds its limit by the whole canvas. A single image is scored by
/// completeness instead.
const EMPTY: f32 = 1.5;
/// Penalty of a page without room for the picture that illustrates it, and the shares of the canvas from which a
/// picture is large: on a cover, on other pages.
const UNSHOWN: f32 = 0.3;
const LARGE: (f32, f32) = (0.16, 0.08);
/// Number of slides without an ornament after a slide with one.
const APART: usize = 3;
/// Penalty of a slide with the layout of the one before, or with its ground in a style that changes grounds.
const SAME: f32 = 0.5;

/// The result of designing a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In the order of the request's formats, slides in order; each page has its own warnings.
    pub pages: Vec<Page>,
    /// The content of each of these pages, in the wording that was used.
    pub outlines: Vec<PageOutline>,
    /// Other warnings: about sets as a whole, and about the brand.
    pub warnings: Vec<Warning>,
}

/// Why a request could not be designed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The document has no content, or no font has most of its letters.
    #[error("the input has no text that can be drawn: it is empty, or no font covers its script")]
    NoContent,
    /// Every candidate for the format breaks a hard limit.
    #[error("no layout of this content fits {0}")]
    NothingFits(FormatId),
    /// All words of a page must be shown, and no layout has room for them.
    #[error("{} of {format} has more words than any layout of its kind can hold; shorten it, leave a part out, or split it in two", .slide.map_or_else(|| "the page".to_owned(), |slide| format!("slide {}", slide + 1)))]
    Crowded {
        /// The format of the page.
        format: FormatId,
        /// Which slide it is, from 0; `None` for a visual.
        slide: Option<u32>,
    },
    /// A page of the outline has a number or a quotation that the source lacks.
    #[error("a page for {0} would state a number or a quotation that the source lacks")]
    Unsourced(FormatId),
    /// The words must be shown verbatim, and the pages don't hold them all.
    #[error(
        "the pages requested in {0} can't hold all of the content word for word; request more slides, or shorten it"
    )]
    TooLong(FormatId),
    /// The document fills fewer slides than requested.
    #[error("{}", too_little(*.format, *.asked, *.carries))]
    TooLittle {
        /// The format of the slides.
        format: FormatId,
        /// Slides requested.
        asked: u32,
        /// The most slides that the document fills, at least 1.
        carries: u32,
    },
}

fn too_little(format: FormatId, asked: u32, carries: u32) -> String {
    let slides = if carries == 1 { "slide" } else { "slides" };
    format!(
        "the content fills {carries} {slides} in {format}, but {asked} were requested; request {carries}, or send more content"
    )
}

/// Designs every page of a request.
///
/// # Errors
/// [`PlanError`].
pub fn plan(request: &PlanRequest<'_>, fonts: &Fonts) -> Result<Plan, PlanError> {
    if !is_drawable(request, fonts) {
        return Err(PlanError::NoContent);
    }
    let studio = Studio::new(request, fonts);
    let mut out = Plan { pages: Vec::new(), outlines: Vec::new(), warnings: Vec::new() };
    for (id, slides) in &request.formats {
        cancel::check();
        let format = id.format();
        let asked = outline::Request { document: request.document, format, slides: *slides };
        let outlines = match request.written_for(*id) {
            // This outline was checked against its source earlier.
            Some(written) => vec![written.clone()],
            None => {
                let outlines = outline::outline(&asked).map_err(|TooLittle { carries }| PlanError::TooLittle {
                    format: *id,
                    asked: slides.unwrap_or(1),
                    carries,
                })?;
                let sourced = vet::outlines(outlines, &request.document.evidence).ok_or(PlanError::Unsourced(*id))?;
                whole(sourced, request.document, *id)?
            }
        };
        let drafts = match slides {
            None => vec![studio.visual(request, format, &outlines)?],
            Some(_) => studio.carousel(request, format, outlines.first().ok_or(PlanError::NoContent)?)?,
        };
        // Content that a set leaves out isn't missing from any page in particular.
        let set = slides.and(outlines.first()).map_or(&[][..], |outline| &outline.warnings);
        let seen = drafts.iter().flat_map(|d| request.brand.map(|b| contrast::adjusted(b, &d.page, &d.composed.scene)));
        for warning in set.iter().cloned().chain(seen.flatten()) {
            if !out.warnings.contains(&warning) {
                out.warnings.push(warning);
            }
        }
        let set = drafts.iter().flat_map(|d| &d.page.slots).map(|slot| slot.text.as_str());
        let exact = request.document.exact && request.written_for(*id).is_none();
        if exact && outline::left_out(request.document, set) > 0 {
            return Err(PlanError::TooLong(*id));
        }
        out.outlines.extend(drafts.iter().map(|draft| draft.said.clone()));
        out.pages.extend(drafts.into_iter().map(Draft::into_page));
    }
    Ok(out)
}

/// Returns, for a document that is set verbatim, the outlines that contain all of it; otherwise all outlines.
fn whole(
    mut outlines: Vec<outline::Outline>,
    document: &Document,
    id: FormatId,
) -> Result<Vec<outline::Outline>, PlanError> {
    let offered = !outlines.is_empty();
    if document.exact {
        outlines.retain(|outline| outline::left_out(document, outline.texts()) == 0);
    }
    if offered && outlines.is_empty() { Err(PlanError::TooLong(id)) } else { Ok(outlines) }
}

/// Returns why no layout fits a page. For a verbatim page the error names the page.
fn unfit(format: FormatId, page: Option<&PageOutline>, slide: Option<usize>) -> PlanError {
    match page.filter(|page| page.whole) {
        Some(_) => PlanError::Crowded { format, slide: slide.map(|slide| slide as u32) },
        None => PlanError::NothingFits(format),
    }
}

/// Returns whether fonts have at least half of the distinct letters and digits of the text.
fn is_drawable(request: &PlanRequest<'_>, fonts: &Fonts) -> bool {
    let letters: Vec<char> = art_direction::corpus(request).chars().filter(|c| c.is_alphanumeric()).collect();
    let drawn = letters
        .iter()
        .inspect(|_| cancel::tick())
        .filter(|c| fonts.faces().any(|face| fonts.covers(face, **c)))
        .count();
    2 * drawn >= letters.len()
}

/// Returns the seed for a request without one: a hash of the content, so that the same content gives the same picture.
pub fn default_seed(content: &str) -> u64 {
    // Shifted so that JSON numbers represent it exactly.
    fnv1a(content) >> 11
}

/// A candidate page.
#[derive(Clone)]
struct Draft {
    page: Page,
    /// Its content, in the wording that was used.
    said: PageOutline,
    composed: Composed,
    quality: Quality,
    score: f32,
    warnings: Vec<Warning>,
}

impl Draft {
    fn into_page(self) -> Page {
        let mut warnings: Vec<Warning> = Vec::with_capacity(self.warnings.len());
        for warning in self.warnings {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Page { warnings, ..self.page }
    }

    /// Returns whether it shows art that doesn't illustrate its words.
    fn is_ornamented(&self) -> bool {
        let art = self.composed.scene.items.iter().any(|item| item.role == crate::scene::Role::Art);
        art && !self.composed.pictured && self.page.photo.is_none()
    }

    /// Adds the warnings of its outline before its own.
    fn warned(mut self, warnings: &[Warning]) -> Self {
        self.warnings.splice(0..0, warnings.iter().cloned());
        self
    }
}

struct Studio<'a> {
    fonts: &'a Fonts,
    raster: CpuRasteriser,
    /// The fonts of every page; the pages of a set share them.
    faces: Faces,
}

impl<'a> Studio<'a> {
    fn new(request: &PlanRequest<'_>, fonts: &'a Fonts) -> Self {
        let text = art_direction::corpus(request);
        let mut faces = Theme::of(request.style).choose_faces(&text, &request.locale.language, request.seed, fonts);
        if let Some(brand) = request.brand {
            faces.display = brand.heading.unwrap_or(faces.display);
            faces.body = brand.body.unwrap_or(faces.body);
            faces.data = brand.body.unwrap_or(faces.data);
        }
        Self { fonts, raster: CpuRasteriser::new(), faces }
    }
}

impl Studio<'_> {
    /// Returns the best page for a visual among all outlines and templates. Candidates are laid out in order of promise
    /// until enough of them can be measured on pixels.
    fn visual(&self, request: &PlanRequest<'_>, format: &Format, outlines: &[Outline]) -> Result<Draft, PlanError> {
        let own = |o: &Outline| Some(self.authored(request, format, o.pages.first()?, None)?.warned(&o.warnings));
        if let Some(own) = outlines.iter().find_map(own) {
            return Ok(own);
        }
        let mut drafts = self.tried(request, format, outlines);
        if !drafts.iter().any(|d| d.composed.fits) {
            // Content that no layout of its own kind has room for uses the plain fallback.
            let plain = outlines.iter().filter_map(|o| {
                let pages = o.pages.iter().take(1).map(PageOutline::plain).collect::<Option<_>>()?;
                Some(Outline { pages, warnings: o.warnings.clone() })
            });
            drafts.extend(self.tried(request, format, &plain.collect::<Vec<_>>()));
        }
        let pages = || outlines.iter().filter_map(|o| Some((o.pages.first()?, &o.warnings)));
        if pages().next().is_none() {
            return Err(PlanError::NoContent);
        }
        drafts.sort_by(|a, b| b.score.total_cmp(&a.score));
        let rest = drafts.split_off(PROOFS.min(drafts.len()));
        let best = self.best(drafts).or_else(|| rest.into_iter().map(|d| self.proof(d)).find(|d| d.quality.passed));
        let plainest = || {
            let mut tried = pages().map(|(p, said)| Some(self.plainest(request, format, p, None)?.warned(said)));
            tried.find_map(|draft| draft)
        };
        best.or_else(plainest).ok_or_else(|| unfit(format.id, pages().next().map(|(page, _)| page), None))
    }

    /// Returns drafts of the outlines, most promising first, until enough of them can be measured on pixels.
    fn tried(&self, request: &PlanRequest<'_>, format: &Format, outlines: &[Outline]) -> Vec<Draft> {
        let pages = outlines.iter().filter_map(|o| Some((o, o.pages.first()?)));
        let mut pairs: Vec<(&Outline, &PageOutline, Template, Option<&'static str>, f32)> = pages
            .flat_map(|(outline, said)| {
                let picture = illustrate::best(said, &request.locale.language);
                let shot = photos::single(said, request);
                let around = Around::of(request, format, said, shot, picture.is_some());
                let context = Context { before: &[], around };
                let fitting = choice::templates(said, format, request.style, context);
                let promise = move |by: f32| said.score + CHOICE * by;
                fitting.into_iter().map(move |(template, by)| (outline, said, template, picture, promise(by)))
            })
            .collect();
        pairs.sort_by(|a, b| b.4.total_cmp(&a.4));
        let most = pairs.iter().map(|(_, said, ..)| candidate::fullest(said)).max().unwrap_or_default();
        let mut drafts: Vec<Draft> = Vec::new();
        for (outline, said, template, picture, promise) in &pairs {
            if drafts.len() > 2 * PROOFS && drafts.iter().any(|d| d.composed.fits) {
                break;
            }
            // One kind of page must not crowd out the others.
            if drafts.iter().filter(|d| d.said.kind == said.kind && d.composed.fits).count() >= EACH {
                continue;
            }
            let shown = (*picture, photos::single(said, request));
            let art_direction = ArtDirection::visual(request, format, said, *template, shown, self.faces);
            let draft = self.draft(&art_direction, format, said, *template, promise - said.score);
            let unsaid = 1.0 - candidate::fullest(said) as f32 / most.max(1) as f32;
            // A photograph that was given for the cover belongs on the only page.
            let given = |d: &Draft| if d.page.photo.is_none() && photos::is_given(request) { UNSHOWN } else { 0.0 };
            let scored = |d: Draft| Draft { score: d.score - UNSAID * unsaid - given(&d), ..d };
            drafts.extend(draft.map(|d| scored(d).warned(&outline.warnings)));
        }
        drafts
    }

    /// Returns the slides of a set, in sizes that agree.
    fn carousel(&self, request: &PlanRequest<'_>, format: &Format, outline: &Outline) -> Result<Vec<Draft>, PlanError> {
        let count = outline.pages.len();
        // A change between two figures is as strong a statement as a single figure.
        let changed = |p: &PageOutline| p.kind == PageKind::Series && p.figure.is_some() && p.items.len() == 2;
        let contrasts = |p: &PageOutline| matches!(p.kind, PageKind::Stat | PageKind::Quote) || changed(p);
        let contrast = outline.pages.iter().skip(1).position(contrasts);
        let mut drafts: Vec<Draft> = Vec::with_capacity(count);
        let mut spares: Vec<Vec<Draft>> = Vec::with_capacity(count);
        let mut places = Vec::with_capacity(count);
        let shots = photos::set(&outline.pages, request);
        let language = &request.locale.language;
        let pictures = illustrate::set(&outline.pages, request.document, language);
        for (i, page) in outline.pages.iter().enumerate() {
            let contrasts = contrast.is_some_and(|c| c + 1 == i);
            let before = drafts.last().map(|d| d.page.background);
            let ornament = !drafts.iter().rev().take(APART).any(Draft::is_ornamented);
            // What the cover shows returns at the end and beside the progress indicator.
            let cover = drafts.first().filter(|cover| cover.composed.pictured);
            let subject = cover.and_then(|_| pictures.first().copied().flatten());
            let motif = subject.and_then(|name| illustrate::motif(name, &outline.pages, language));
            let last = i > 1 && i + 1 == count;
            let picture = if last { illustrate::closing(page, pictures[i], subject) } else { pictures[i] };
            let shot = shots[i];
            let place = art_direction::Place { index: i, count, contrasts, before, picture, motif, shot, ornament };
            let mut tried = self.slide(request, format, page, place, &drafts);
            if tried.is_empty() {
                tried.extend(self.plainest(request, format, page, Some(place)));
            }
            if tried.is_empty() {
                return Err(unfit(format.id, Some(page), Some(i)));
            }
            // What the cover shows returns on other slides, so its picture is settled first.
            let first = if i == 0 { self.cover(&mut tried) } else { tried.remove(0) };
            drafts.push(first);
            spares.push(tried);
            places.push(place);
        }
        let drafts = self.agree(drafts);
        let sharing = drafts.iter().filter(|d| shares_sizes(&d.page, d.said.kind)).map(|d| &d.composed.scene);
        let caps = shared_sizes(sharing);
        let proofed = |draft: Draft| {
            let draft = if shares_sizes(&draft.page, draft.said.kind) { self.fitted(draft, caps) } else { draft };
            Some(self.proof(draft)).filter(|d| d.quality.passed)
        };
        let slide = |(i, (draft, spares)): (usize, (Draft, Vec<Draft>))| {
            let plainest = || self.plainest(request, format, &outline.pages[i], Some(places[i]));
            let kept = proofed(draft).or_else(|| spares.into_iter().find_map(proofed)).or_else(plainest);
            kept.ok_or_else(|| unfit(format.id, outline.pages.get(i), Some(i)))
        };
        let mut kept = drafts.into_iter().zip(spares).enumerate().map(slide).collect::<Result<Vec<_>, _>>()?;
        let shares: Vec<f32> =
            kept.windows(2).map(|pair| sameness(&pair[1].composed.scene, &pair[0].composed.scene)).collect();
        for (draft, share) in kept.iter_mut().skip(1).zip(shares) {
            draft.page.sameness = Some(share);
        }
        Ok(kept)
    }

    /// Returns drafts of a slide in the templates that can show it, the best after the slides `before` it first. Uses
    /// the plain fallback if no template has room for it.
    fn slide(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: art_direction::Place<'_>,
        before: &[Draft],
    ) -> Vec<Draft> {
        if let Some(own) = self.authored(request, format, said, Some(place)) {
            return vec![own];
        }
        let templates: Vec<Template> = before.iter().map(|d| d.page.template).collect();
        let tried = |said: &PageOutline| -> Vec<Draft> {
            let around = Around::of(request, format, said, place.shot, place.picture.is_some());
            let context = Context { before: &templates, around };
            let fitting = choice::templates(said, format, request.style, context);
            let drafts = fitting.into_iter().filter_map(|(template, by)| {
                let art_direction = ArtDirection::slide(request, format, said, place, template, self.faces);
                self.draft(&art_direction, format, said, template, CHOICE * by)
            });
            // The cover should show its picture large, and few templates have room for that, so more of them are tried.
            let most = if said.kind == PageKind::Cover && place.picture.is_some() { 2 * PROOFS } else { PROOFS };
            // Templates without room for the sentences of items don't count.
            let mut told = 0;
            let enough = |draft: &Draft| {
                told += usize::from(!untold(said, &draft.said));
                told <= most
            };
            drafts.take(2 * PROOFS).take_while(enough).collect()
        };
        let mut drafts = tried(said);
        if !drafts.iter().any(|d| d.composed.fits) {
            drafts.extend(said.plain().iter().flat_map(tried));
        }
        if let Some(last) = before.last() {
            let fresh = Theme::of(request.style).rhythm == Rhythm::Fresh;
            let alike = |d: &Draft| {
                let (own, last) = (&d.composed.scene, &last.composed.scene);
                sameness(own, last) > ALIKE || fresh && ground(own) == ground(last)
            };
            drafts.iter_mut().filter(|d| alike(d)).for_each(|d| d.score -= SAME);
        }
        drafts.sort_by(|a, b| b.score.total_cmp(&a.score));
        drafts
    }

    /// Returns the page with its fullest wording that fits. If none fits at the requested sizes, returns one in smaller
    /// type that at least breaks no hard limit.
    fn draft(
        &self,
        art_direction: &ArtDirection<'_>,
        format: &Format,
        said: &PageOutline,
        template: Template,
        promise: f32,
    ) -> Option<Draft> {
        let options = wordings(said, format, template);
        let mut spare: Option<Draft> = None;
        let writings = art_direction.writings(format, said);
        let full = candidate::fullest(said);
        let tries = options.iter().flat_map(|w| writings.iter().map(move |to| (w, *to)));
        for (wording, writing) in tries {
            cancel::check();
            let page = Page { writing, ..art_direction.page(format, template, said, wording) };
            let composed = compose(&page, self.fonts);
            let quality = inspect(&composed.scene, &page, None);
            let fits = composed.fits;
            // If vertical columns don't fit at the requested sizes, horizontal lines are tried.
            let lacks = said.whole && !shows_all(&page, &composed.scene);
            if lacks || composed.broken || !quality.passed || writing == Writing::Vertical && !fits {
                continue;
            }
            let loss = 1.0 - candidate::length(said, wording) as f32 / full.max(1) as f32;
            // The rows of a list have icons; its picture is an extra.
            let wants_picture = page.picture.is_some() && page.photo.is_none() && said.items.is_empty();
            let large = if said.kind == PageKind::Cover { LARGE.0 } else { LARGE.1 };
            let shown = if composed.pictured { (art_share(&composed.scene) / large).min(1.0) } else { 0.0 };
            let score = 0.75 * said.score + 0.25 * quality.softness() + promise
                - if said.kind == PageKind::Cover { COVER_LOSS } else { LOSS } * loss
                - if untold(said, &wording.kept(said, false)) { UNTOLD } else { 0.0 }
                - if page.slide.is_some() { EMPTY * quality.excess("emptiness") } else { 0.0 }
                - if wants_picture { UNSHOWN * (1.0 - shown) } else { 0.0 }
                - if fits { 0.0 } else { 0.5 };
            let warnings = wording.warnings(said, &composed);
            let kept = wording.kept(said, page.text(SlotId::Handle).is_some());
            let draft = Draft { page, said: kept, composed, quality, score, warnings };
            if fits {
                return Some(draft);
            }
            if spare.as_ref().is_none_or(|s| draft.score > s.score) {
                spare = Some(draft);
            }
        }
        spare.or_else(|| self.shrunk(art_direction, format, template, said, options.last()?))
    }

    /// Returns the shortest wording at sizes below those that the style asks for.
    fn shrunk(
        &self,
        art_direction: &ArtDirection<'_>,
        format: &Format,
        template: Template,
        said: &PageOutline,
        wording: &Wording,
    ) -> Option<Draft> {
        let mut page = art_direction.page(format, template, said, wording);
        let floor = format.smallest_size();
        for cap in [2.4, 1.9, 1.5, 1.2, 1.0].map(|by| by * floor) {
            page.sizes.title = Some(cap);
            let composed = compose(&page, self.fonts);
            let quality = inspect(&composed.scene, &page, None);
            let lacks = said.whole && !shows_all(&page, &composed.scene);
            if quality.passed && !composed.broken && !lacks {
                let mut warnings = wording.warnings(said, &composed);
                let message = format!("The headline is set smaller than its style asks for, to fit {}.", format.id);
                warnings.push(Warning::new(WarningCode::TextShrunk, message));
                let (kept, score) = (wording.kept(said, page.text(SlotId::Handle).is_some()), 0.2 * said.score);
                return Some(Draft { page, said: kept, composed, quality, score, warnings });
            }
        }
        None
    }

    /// Gives all slides the writing direction of the cover's headline.
    fn agree(&self, mut drafts: Vec<Draft>) -> Vec<Draft> {
        let Some((cover, rest)) = drafts.split_first_mut() else { return drafts };
        for draft in rest.iter_mut().filter(|d| d.page.writing != cover.page.writing) {
            draft.page.writing = cover.page.writing;
            draft.composed = compose(&draft.page, self.fonts);
            draft.quality = inspect(&draft.composed.scene, &draft.page, None);
        }
        drafts
    }
}
