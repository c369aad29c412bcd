//! An order: what a model is asked to write.

use fleet::llm::Allowance;
use fleet::protocol::Wishes;
use render_core::content::{Document, Idea, Language};
use render_core::design::{Brand, Photo, Style};
use render_core::format::FormatId;
use render_core::plan::Pictured;
use render_core::text::Fonts;
use uuid::Uuid;

use super::look::Look;

/// An order: what a model is asked to write.
pub(crate) struct Order<'a> {
    /// The generation. The author of its source can't know this ID.
    pub generation: Uuid,
    /// The words of the source.
    pub source: &'a str,
    /// The document that was read from them.
    pub document: &'a Document,
    /// The parsed idea, if the source is one.
    pub idea: Option<&'a Idea>,
    /// The title to use instead of the one found.
    pub title: Option<&'a str>,
    /// The formats to make.
    pub formats: &'a [(FormatId, Option<u32>)],
    /// The language to write in.
    pub language: &'a Language,
    /// The detected language of the source.
    pub source_language: &'a Language,
    /// The client's statements about the purpose of the pages.
    pub wishes: &'a Wishes,
    /// The tone of the brand, if the client specifies none.
    pub tone: Option<&'a str>,
    /// The requested style; `None` leaves it to the model.
    pub style: Option<Style>,
    /// The look of the pages, as far as it is decided.
    pub look: Look,
    /// The brand of the pages.
    pub brand: Option<&'a Brand>,
    /// The faces that set the pages.
    pub fonts: &'a Fonts,
    /// The photograph that came with the source.
    pub photo: Option<&'a Photo>,
    /// The other pictures of the source.
    pub pictures: &'a [Pictured],
    /// The same seed yields the same words, if the model supports it.
    pub seed: u64,
    /// What the account may use of the model.
    pub allowance: &'a Allowance,
}

impl Order<'_> {
    /// Returns the descriptions of the photographs that pages may show: first those in the source, then the one that
    /// came with it.
    pub(crate) fn photos(&self) -> Vec<&str> {
        let lead = self.photo.map(|_| "the picture that leads the source");
        self.pictures.iter().map(|picture| picture.image.words()).chain(lead).collect()
    }
}
