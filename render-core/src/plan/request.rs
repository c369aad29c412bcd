//! [`PlanRequest`]: the input of a plan.

use crate::content::{Document, SourceImage};
use crate::design::{Brand, Photo, Scheme, Style};
use crate::format::FormatId;
use crate::outline::{Locale, Outline};

/// A fetched picture of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Pictured {
    /// The source's description of it, and its position in the source.
    pub image: SourceImage,
    /// Its pixels. Shown uncropped unless it is a photograph.
    pub photo: Photo,
}

/// What to design.
#[derive(Debug, Clone)]
pub struct PlanRequest<'a> {
    /// The content.
    pub document: &'a Document,
    /// The requested language, else the document's.
    pub locale: Locale,
    /// The formats and, for carousels, the slide counts.
    pub formats: Vec<(FormatId, Option<u32>)>,
    /// The style.
    pub style: Style,
    /// Seed of all random choices.
    pub seed: u64,
    /// Outlines that a copywriter wrote, by format. For other formats, the outline comes from the document.
    pub written: &'a [(FormatId, Outline)],
    /// A photograph for covers, with its pixels.
    pub photo: Option<&'a Photo>,
    /// The pictures of the source that were fetched, in its order.
    pub pictures: &'a [Pictured],
    /// The brand, its logos with their pixels. The fonts passed with the request include its own fonts.
    pub brand: Option<&'a Brand>,
    /// The colours that the pages' author chose, if the brand has none of its own.
    pub scheme: Option<Scheme>,
}

impl<'a> PlanRequest<'a> {
    /// Creates a request for a document in its own language, without photographs and without a brand.
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
    /// Returns the outline that a copywriter wrote for a format.
    pub(super) fn written_for(&self, format: FormatId) -> Option<&Outline> {
        self.written.iter().find(|(id, _)| *id == format).map(|(_, outline)| outline)
    }
}
