//! Exports stored pages as PDFs while a client waits. In standalone mode the workers of this process do so.

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::protocol::{BlobId, Failure};

/// The pages of a PDF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPages {
    /// The account that owns them. Accounts share exports fairly.
    pub account: Uuid,
    /// The pages, in order.
    pub pages: Vec<ExportPage>,
    /// The brand of the pages (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// The title of the file.
    pub title: Option<String>,
    /// BCP 47 tag of its language.
    pub language: Option<String>,
}

/// One page of a PDF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPage {
    /// The stored page.
    pub page: BlobId,
    /// The format's id.
    pub format: String,
    /// Width of its image in pixels.
    pub width: u32,
    /// Height of its image in pixels.
    pub height: u32,
}

/// Creates PDFs without storing them.
#[async_trait]
pub trait Exporter: Send + Sync {
    /// Returns a PDF of `pages`. The same pages give the same bytes.
    ///
    /// # Errors
    /// A [`Failure`] where a page can't be read or drawn; one with the code `busy` where the account has too many
    /// exports waiting.
    async fn pdf(&self, pages: ExportPages) -> Result<Bytes, Failure>;
}
