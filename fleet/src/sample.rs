//! Draws small previews of a text for a client that chooses a design. In standalone mode the workers of this process do
//! so.

use async_trait::async_trait;
use bytes::Bytes;
use render_core::warning::Warning;
use uuid::Uuid;

use crate::protocol::Failure;

/// A preview to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The text, as Markdown in UTF-8.
    pub words: Bytes,
    /// The format's id.
    pub format: String,
    /// The style's name; `None` for the brand's style or else the default.
    pub style: Option<String>,
    /// The brand: a stored `render_core::design::Brand`.
    pub brand: Option<Bytes>,
}

/// A drawn preview.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// A WebP.
    pub image: Bytes,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// A description of the picture and its text.
    pub alt_text: String,
    /// Changes that were made for legibility.
    pub warnings: Vec<Warning>,
}

/// Draws previews without storing them.
#[async_trait]
pub trait Sampler: Send + Sync {
    /// Draws the first page of each sample, in order, for `account`.
    ///
    /// # Errors
    /// A [`Failure`] where one of them can't be drawn; one with the code `busy` where the account has too many requests
    /// waiting.
    async fn draw(&self, account: Uuid, samples: Vec<Sample>) -> Result<Vec<Drawn>, Failure>;
}
