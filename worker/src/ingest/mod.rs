//! Input → document.

mod fetched;
mod idea;
mod pdf;
pub(crate) mod photo;
mod text;
mod url;

use fleet::protocol::Failure;
use render_core::content::Document;

pub(crate) use fetched::{Fetched, PAGE, PAGES, PDFS, fetch};
pub(crate) use idea::idea;
pub(crate) use pdf::{FIGURE, PDF};
pub(crate) use text::{text, utf8};

use crate::failure;

/// The bytes of a document: JSON under zstd.
pub(crate) fn stored(document: &Document) -> Result<Vec<u8>, Failure> {
    let json = document
        .to_json()
        .map_err(|e| failure::lasting("render_failed", format!("the document can't be written: {e}")))?;
    zstd::encode_all(json.as_slice(), zstd::DEFAULT_COMPRESSION_LEVEL)
        .map_err(|e| failure::lasting("render_failed", format!("the document can't be written: {e}")))
}
