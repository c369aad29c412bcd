//! [`PlanRequest`]: what a plan is made of.

use super::Pictured;
use crate::content::Document;
use crate::design::{Brand, Photo, Scheme, Style};
use crate::format::FormatId;
use crate::outline::{Locale, Outline};

/// What is to be designed.
#[derive(Debug, Clone)]
pub struct PlanRequest<'a> {
    /// What is said.
    pub document: &'a Document,
    /// The language asked for, else the document's.
    pub locale: Locale,
    /// What to make: format and, for carousels, the slide count.
    pub formats: Vec<(FormatId, Option<u32>)>,
    /// The style.
    pub style: Style,
    /// Everything drawn by chance is drawn from this.
    pub seed: u64,
    /// Outlines that a copywriter wrote, by format. For formats without one the document is outlined here.
    pub written: &'a [(FormatId, Outline)],
    /// A photograph for covers, with its pixels.
    pub photo: Option<&'a Photo>,
    /// The pictures that the source shows and that could be had, in its order.
    pub pictures: &'a [Pictured],
    /// Whose pages these are, its logos with their pixels; the fonts that go with the request have its own faces.
    pub brand: Option<&'a Brand>,
    /// The colours that the author of the pages chose for them, where the brand has none of its own.
    pub scheme: Option<Scheme>,
}

impl<'a> PlanRequest<'a> {
    /// A document in its own language and words, without photographs and without a brand.
    pub fn of(document: &'a Document, formats: Vec<(FormatId, Option<u32>)>, style: Style, seed: u64) -> Self {
        Self {
            document,
            locale: Locale { language: document.language.clone(), direction: document.direction },
            formats,
            style,
            seed,
            written: &[],
            photo: None,
            pictures: &[],
            brand: None,
            scheme: None,
        }
    }
    /// The outline that a copywriter wrote for a format.
    pub(super) fn written_for(&self, format: FormatId) -> Option<&Outline> {
        self.written.iter().find(|(id, _)| *id == format).map(|(_, outline)| outline)
    }
}
