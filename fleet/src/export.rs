//! PDFs of stored pages, for somebody who waits for them. In standalone mode the workers of this process make them.

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::protocol::{BlobId, Failure};

/// The pages of a PDF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPages {
    /// Whose they are: exports are made in fair turns between accounts.
    pub account: Uuid,
    /// The pages, in order.
    pub pages: Vec<ExportPage>,
    /// Whose pages they are (`render_core::design::Brand`).
    pub brand: Option<BlobId>,
    /// The title of the file.
    pub title: Option<String>,
    /// BCP 47 tag of its language.
    pub language: Option<String>,
}

/// One of them.
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

/// Makes PDFs. Nothing is stored.
#[async_trait]
pub trait Exporter: Send + Sync {
    /// The PDF of some pages. The same pages give the same bytes.
    ///
    /// # Errors
    /// A [`Failure`] where a page can't be had or drawn; one of the code `busy` where the account has as many exports
    /// waiting as it may.
    async fn pdf(&self, pages: ExportPages) -> Result<Bytes, Failure>;
}
