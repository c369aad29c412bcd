//! Specimen pages: one of each archetype in a given style and format, for galleries and reference images.
//!
//! The words are our own and sized like real ones; everything else goes the way that a request goes.

mod picture;
mod words;

use super::choice;
use super::dress::{Dress, Place};
use super::{PlanRequest, Studio};
use crate::content::{Direction, Document, Evidence, Language, Sourced, Span};
use crate::design::{Archetype, Brand, Page, Style, Theme};
use crate::format::FormatId;
use crate::outline::{Locale, Outline, PageKind, PageOutline};
use crate::text::Fonts;

/// One page for each archetype, in the order of [`Archetype::ALL`]. An archetype that can't be set in the format
/// without breaking a hard measure is left out.
pub fn specimens(style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Vec<Page> {
    Archetype::ALL.into_iter().filter_map(|a| specimen(a, style, format, seed, fonts)).collect()
}

/// A page in one archetype; `None` where it doesn't suit the format, or can't be set in it without breaking a hard measure.
pub fn specimen(archetype: Archetype, style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Option<Page> {
    // A style that never uses it has no specimen of it.
    if !Theme::of(style).uses(archetype) {
        return None;
    }
    let locale = Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr };
    let said = words::said(archetype, format.format().carousel);
    choice::fit(archetype, &said, format.format())?;
    let place = place(said.kind);
    sample(&Sample { said: &said, archetype, locale: &locale, style, format, seed, brand: None, place }, fonts)
}

/// A page to be made of words that are given, in an archetype that is.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// What it says.
    pub said: &'a PageOutline,
    /// How it is set.
    pub archetype: Archetype,
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
    let Sample { said, archetype, locale, style, format, seed, brand, place: (index, count) } = *sample;
    let document = document(locale);
    let photo = (archetype == Archetype::CoverSplit).then(picture::photo);
    let written = [(format, Outline { pages: vec![said.clone()], warnings: Vec::new() })];
    let request = PlanRequest {
        document: &document,
        locale: locale.clone(),
        formats: vec![(format, None)],
        style,
        seed,
        written: &written,
        photo: photo.as_ref(),
        brand,
    };
    let studio = Studio::new(&request, fonts);
    let format = format.format();
    let dress = if format.carousel {
        let place = Place { index, count, contrasts: said.figure.is_some() };
        Dress::slide(&request, said, place, archetype, studio.faces)
    } else {
        Dress::visual(&request, said, archetype, studio.faces)
    };
    let draft = studio.draft(&dress, format, said, archetype, 0.0).filter(|d| d.composed.fits)?;
    Some(studio.proof(draft)).filter(|d| d.quality.passed).map(|d| d.page)
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

fn document(locale: &Locale) -> Document {
    let sourced = |text: &str| Sourced { text: text.into(), span: Span { start: 0, end: 0 } };
    Document {
        language: locale.language.clone(),
        direction: locale.direction,
        title: sourced(words::TITLE),
        dek: None,
        source: None,
        blocks: Vec::new(),
        emphasis: Vec::new(),
        entities: Vec::new(),
        evidence: Evidence::default(),
        exact: false,
        sentences: Vec::new(),
    }
}
