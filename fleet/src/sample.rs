//! Small pictures of how a text would look, for somebody who chooses. In standalone mode the workers of this process draw them.

use async_trait::async_trait;
use bytes::Bytes;
use render_core::warning::Warning;
use uuid::Uuid;

use crate::protocol::Failure;

/// What is to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// What it says, as Markdown in UTF-8.
    pub words: Bytes,
    /// The format's id.
    pub format: String,
    /// The style's name; without one the brand's, or else the service's own.
    pub style: Option<String>,
    /// Whose it is: a stored `render_core::design::Brand`.
    pub brand: Option<Bytes>,
}

/// A small picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// A WebP.
    pub image: Bytes,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// What it shows and says.
    pub alt_text: String,
    /// What was changed so that it can be read.
    pub warnings: Vec<Warning>,
}

/// Draws samples. Nothing is stored.
#[async_trait]
pub trait Sampler: Send + Sync {
    /// The first page of each, in order, for `account`.
    ///
    /// # Errors
    /// A [`Failure`] where one of them can't be drawn; one of the code `busy` where the account has as many requests
    /// waiting as it may.
    async fn draw(&self, account: Uuid, samples: Vec<Sample>) -> Result<Vec<Drawn>, Failure>;
}
