//! Specimen pages: one for each template in a given style and format, for galleries and reference images.
//!
//! The words are made up and have realistic lengths; everything else goes through the same steps as a request.

mod picture;
mod words;

use super::art_direction::{ArtDirection, Place};
use super::candidate::wordings;
use super::choice;
use super::facts::Around;
use super::illustrate;
use super::photos::{Seen, Shot};
use super::{PlanRequest, Studio};
use crate::compose::compose;
use crate::content::{About, Direction, Document, Evidence, Language, Sourced, Span};
use crate::design::{Brand, Page, Style, Template};
use crate::format::{Format, FormatId};
use crate::inspect::inspect;
use crate::outline::{Locale, Outline, PageKind, PageOutline};
use crate::text::Fonts;

/// The properties of the specimens' photograph that affect the choice of a template.
const SEEN: Seen = Seen { whole: false, aspect: 1.0 };

/// Returns one page for each template, in the order of [`Template::all()`]. A template that breaks a hard limit in the
/// format is left out.
pub fn specimens(style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Vec<Page> {
    Template::all().filter_map(|a| specimen(a, style, format, seed, fonts)).collect()
}

/// Returns a page in one template; `None` if the template doesn't suit the format, or breaks a hard limit in it.
pub fn specimen(template: Template, style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Option<Page> {
    // A style that never uses a template has no specimen of it.
    if !style.uses(template) {
        return None;
    }
    let locale = Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr };
    let said = words::outline_of(template, format.format().carousel);
    let around = around(&said, seed);
    choice::fit(template, &said, format.format(), around)?;
    let place = place(said.kind);
    sample(&Sample { said: &said, template, locale: &locale, style, format, seed, brand: None, place }, fonts)
}

/// A page to make from given words in a given template.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The content.
    pub said: &'a PageOutline,
    /// The template.
    pub template: Template,
    /// Its language and direction.
    pub locale: &'a Locale,
    /// Its style.
    pub style: Style,
    /// Its format.
    pub format: FormatId,
    /// Seed of all random choices.
    pub seed: u64,
    /// The brand, if any.
    pub brand: Option<&'a Brand>,
    /// Its index in the set, from 0, and the size of the set; ignored for formats with single pages.
    pub place: (usize, usize),
}

/// Returns the page; `None` if it breaks a hard limit.
pub fn sample(sample: &Sample<'_>, fonts: &Fonts) -> Option<Page> {
    directed(sample, fonts, |studio, art_direction, format| {
        let draft =
            studio.draft(art_direction, format, sample.said, sample.template, 0.0).filter(|d| d.composed.fits)?;
        Some(studio.proof(draft)).filter(|d| d.quality.passed).map(|d| d.page)
    })
}

/// Returns the names of the hard limits that a template's specimen breaks in its fullest wording; "fits" if the type is
/// too small. Empty if it passes, or if the template doesn't suit its specimen's words.
pub fn failures(template: Template, style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Vec<String> {
    let locale = Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr };
    let said = words::outline_of(template, format.format().carousel);
    let around = around(&said, seed);
    if !style.uses(template) || choice::fit(template, &said, format.format(), around).is_none() {
        return Vec::new();
    }
    let place = place(said.kind);
    faults(&Sample { said: &said, template, locale: &locale, style, format, seed, brand: None, place }, fonts)
}

/// Returns the names of the hard limits that a sample breaks in its fullest wording, "fits" if the type is too small,
/// and the faults of its template's page.
pub fn faults(sample: &Sample<'_>, fonts: &Fonts) -> Vec<String> {
    directed(sample, fonts, |_, art_direction, format| {
        let Some(wording) = wordings(sample.said, format, sample.template).into_iter().next() else {
            return Vec::new();
        };
        let page = art_direction.page(format, sample.template, sample.said, &wording);
        let composed = compose(&page, fonts);
        let quality = inspect(&composed.scene, &page, None);
        let failed = quality.checks.iter().filter(|c| c.hard && !c.passed);
        let failed = failed.map(|c| format!("{} {} (gate {})", c.name, c.value, c.gate));
        let fits = (!composed.fits).then(|| "fits".to_owned());
        failed.chain(fits).chain(crate::compose::tree(&page).err()).collect()
    })
}

/// Calls `then` with the art direction of a sample.
fn directed<T>(
    sample: &Sample<'_>,
    fonts: &Fonts,
    then: impl FnOnce(&Studio<'_>, &ArtDirection<'_>, &'static Format) -> T,
) -> T {
    let Sample { said, template, locale, style, format, seed, brand, place: (index, count) } = *sample;
    let document = blank(locale);
    let photo = template.shows_photo().then(picture::photo);
    let written = [(format, Outline { pages: vec![said.clone()], warnings: Vec::new() })];
    let request = PlanRequest {
        locale: locale.clone(),
        written: &written,
        brand,
        ..PlanRequest::of(&document, vec![(format, None)], style, seed)
    };
    let studio = Studio::new(&request, fonts);
    let shot = photo.as_ref().map(|photo| Shot { photo, words: "" });
    let format = format.format();
    let art_direction = if format.carousel {
        let picture = illustrate::best(said, &locale.language).filter(|_| said.kind == PageKind::Cover);
        let contrasts = said.figure.is_some();
        let place = Place { contrasts, picture, shot, ornament: true, ..Place::at(index, count, None) };
        ArtDirection::slide(&request, format, said, place, template, studio.faces)
    } else {
        let shown = (illustrate::best(said, &locale.language), shot);
        ArtDirection::visual(&request, format, said, template, shown, studio.faces)
    };
    then(&studio, &art_direction, format)
}

/// Returns surroundings of a specimen's words with everything that a template could ask for.
fn around(said: &PageOutline, seed: u64) -> Around {
    let picture = illustrate::best(said, &Language::english()).is_some();
    Around { photo: Some(SEEN), picture, language: "en", seed, ..Around::default() }
}

/// Returns the place of each kind of page in a set of seven.
fn place(kind: PageKind) -> (usize, usize) {
    let index = match kind {
        PageKind::Cover => 0,
        PageKind::Point => 1,
        PageKind::Step => 2,
        PageKind::Stat => 4,
        PageKind::Quote => 5,
        PageKind::Recap => 6,
        _ => 3,
    };
    (index, 7)
}

/// Returns the words of a template's specimen on a slide.
pub(super) fn outline_of(template: Template) -> PageOutline {
    words::outline_of(template, true)
}

/// Creates a document that contains only a specimen's title, in a language.
pub(crate) fn blank(locale: &Locale) -> Document {
    let sourced = |text: &str| Sourced { text: text.into(), span: Span { start: 0, end: 0 } };
    Document {
        language: locale.language.clone(),
        direction: locale.direction,
        title: sourced(words::TITLE),
        dek: None,
        source: None,
        blocks: Vec::new(),
        ending: None,
        emphasis: Vec::new(),
        entities: Vec::new(),
        evidence: Evidence::default(),
        exact: false,
        sentences: Vec::new(),
        about: About::default(),
        listings: Vec::new(),
        images: Vec::new(),
    }
}
