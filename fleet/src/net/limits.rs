//! Limits of a fetch: times, sizes and redirects.

use std::time::Duration;

use render_core::limits;

use super::kind::Kind;

/// Limits of a fetch.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// From the first name resolution to the last byte, redirects included.
    pub total: Duration,
    /// Resolving a name; and connecting, TLS included, to any of a host's addresses.
    pub connect: Duration,
    /// From the request to the headers of the response.
    pub answer: Duration,
    /// Maximum pause between two pieces of a body; also how long a body may arrive more slowly than `slowest`.
    pub silence: Duration,
    /// Minimum average bytes per second of a body.
    pub slowest: f64,
    /// Maximum bytes of a page, compressed and decompressed.
    pub page_bytes: usize,
    /// Maximum bytes of a PDF or another file.
    pub file_bytes: usize,
    /// Maximum bytes of a picture.
    pub picture_bytes: usize,
    /// Maximum redirects to follow.
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: limits::FETCH_TIME,
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            silence: Duration::from_secs(4),
            slowest: 1024.0,
            page_bytes: limits::WEB_PAGE_BYTES,
            file_bytes: limits::PDF_BYTES,
            picture_bytes: limits::PHOTO_BYTES,
            redirects: limits::REDIRECTS,
        }
    }
}

impl Limits {
    /// Returns the maximum bytes of this kind.
    pub(super) fn bytes(&self, kind: Kind) -> usize {
        match kind {
            Kind::Html | Kind::Text => self.page_bytes,
            Kind::Pdf | Kind::File => self.file_bytes,
            Kind::Picture => self.picture_bytes,
        }
    }
}
