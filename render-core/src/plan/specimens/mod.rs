//! Specimen pages: one of each template in a given style and format, for galleries and reference images.
//!
//! The words are our own and sized like real ones; everything else goes the way that a request goes.

mod picture;
mod words;

use super::candidate::wordings;
use super::choice;
use super::dress::{Dress, Place};
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

/// What the choice of a template is told of the photograph that specimens show.
const SEEN: Seen = Seen { whole: false, aspect: 1.0 };

/// One page for each template, in the order of [`Template::all()`]. A template that can't be set in the format
/// without breaking a hard measure is left out.
pub fn specimens(style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Vec<Page> {
    Template::all().filter_map(|a| specimen(a, style, format, seed, fonts)).collect()
}

/// A page in one template; `None` where it doesn't suit the format, or can't be set in it without breaking a hard measure.
pub fn specimen(template: Template, style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Option<Page> {
    // A style that never uses it has no specimen of it.
    if !style.uses(template) {
        return None;
    }
    let locale = Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr };
    let said = words::said(template, format.format().carousel);
    let around = around(&said, seed);
    choice::fit(template, &said, format.format(), around)?;
    let place = place(said.kind);
    sample(&Sample { said: &said, template, locale: &locale, style, format, seed, brand: None, place }, fonts)
}

/// A page to be made of words that are given, in a template that is.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// What it says.
    pub said: &'a PageOutline,
    /// How it is set.
    pub template: Template,
    /// The language it is set in.
    pub locale: &'a Locale,
    /// Its style.
    pub style: Style,
    /// Its format.
    pub format: FormatId,
    /// What is left to chance is drawn from this.
    pub seed: u64,
    /// Whose it is.
    pub brand: Option<&'a Brand>,
    /// Where in its set it stands, from 0, and of how many; pages of other formats stand alone.
    pub place: (usize, usize),
}

/// The page; `None` where it can't be set like that without breaking a hard measure.
pub fn sample(sample: &Sample<'_>, fonts: &Fonts) -> Option<Page> {
    dressed(sample, fonts, |studio, dress, format| {
        let draft = studio.draft(dress, format, sample.said, sample.template, 0.0).filter(|d| d.composed.fits)?;
        Some(studio.proof(draft)).filter(|d| d.quality.passed).map(|d| d.page)
    })
}

/// The hard measures that the specimen of a template breaks in its fullest wording, by name; "fits" where type is too
/// small. Empty where it passes, or where the template doesn't suit its specimen's words.
pub fn failures(template: Template, style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Vec<String> {
    let locale = Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr };
    let said = words::said(template, format.format().carousel);
    let around = around(&said, seed);
    if !style.uses(template) || choice::fit(template, &said, format.format(), around).is_none() {
        return Vec::new();
    }
    let place = place(said.kind);
    faults(&Sample { said: &said, template, locale: &locale, style, format, seed, brand: None, place }, fonts)
}

/// The hard measures that a sample breaks in its fullest wording, by name; "fits" where type is too small, and what is wrong
/// with its template's page.
pub fn faults(sample: &Sample<'_>, fonts: &Fonts) -> Vec<String> {
    dressed(sample, fonts, |_, dress, format| {
        let Some(wording) = wordings(sample.said, format, sample.template).into_iter().next() else {
            return Vec::new();
        };
        let page = dress.page(format, sample.template, sample.said, &wording);
        let composed = compose(&page, fonts);
        let quality = inspect(&composed.scene, &page, None);
        let failed = quality.checks.iter().filter(|c| c.hard && !c.passed);
        let failed = failed.map(|c| format!("{} {} (gate {})", c.name, c.value, c.gate));
        let fits = (!composed.fits).then(|| "fits".to_owned());
        failed.chain(fits).chain(crate::compose::tree(&page).err()).collect()
    })
}

/// What `then` makes of a sample's decisions.
fn dressed<T>(
    sample: &Sample<'_>,
    fonts: &Fonts,
    then: impl FnOnce(&Studio<'_>, &Dress<'_>, &'static Format) -> T,
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
    let dress = if format.carousel {
        let picture = illustrate::best(said, &locale.language).filter(|_| said.kind == PageKind::Cover);
        let place =
            Place { index, count, contrasts: said.figure.is_some(), before: None, picture, shot, ornament: true };
        Dress::slide(&request, format, said, place, template, studio.faces)
    } else {
        let shown = (illustrate::best(said, &locale.language), shot);
        Dress::visual(&request, format, said, template, shown, studio.faces)
    };
    then(&studio, &dress, format)
}

/// What stands around the words of a specimen: everything that a template could ask for.
fn around(said: &PageOutline, seed: u64) -> Around {
    let picture = illustrate::best(said, &Language::english()).is_some();
    Around { photo: Some(SEEN), picture, language: "en", seed, ..Around::default() }
}

/// Where in a set of seven each kind of page stands.
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

/// What the specimen of a template says on a slide.
pub(super) fn said(template: Template) -> PageOutline {
    words::said(template, true)
}

/// A document that says nothing but a specimen's title, in a language.
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
