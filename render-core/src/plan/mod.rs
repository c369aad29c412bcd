//! The only loop over outline, design, compose and inspect: tries candidates, fits a set, keeps the best.

use crate::content::Document;
use crate::design::{Page, Style};
use crate::format::FormatId;
use crate::outline::Locale;
use crate::text::Fonts;
use crate::warning::Warning;

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
}

/// A designed generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In the order of the request's formats, slides in order.
    pub pages: Vec<Page>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// Why nothing was designed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The document says nothing that could be set.
    #[error("the input holds no words to set")]
    NoContent,
    /// No candidate fits the format without breaking a hard measure.
    #[error("no layout of this content fits {0}")]
    NothingFits(FormatId),
}

/// Designs every page of a request.
///
/// # Errors
/// [`PlanError`].
pub fn plan(request: &PlanRequest<'_>, fonts: &Fonts) -> Result<Plan, PlanError> {
    unimplemented!("{:?} {:p}", request.style, fonts)
}

/// The seed of a request that names none: a hash of what is said, so that the same content gets the same picture.
pub fn default_seed(content: &str) -> u64 {
    // FNV-1a, 64 bits.
    content.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)) >> 11
}
