//! Input → document.

mod clip;
mod depicts;
mod fetched;
mod file;
mod idea;
mod pdf;
pub(crate) mod photo;
pub(crate) mod pictures;
mod shown;
mod text;
mod url;

use std::io::Read;

use fleet::protocol::{Failure, FailureCode};
use render_core::content::Document;

pub use fetched::page_of_file;
pub(crate) use fetched::{FILES, Fetched, PAGE, PAGES, fetch};
pub(crate) use file::FILE;
pub(crate) use idea::idea;
pub(crate) use pdf::{FIGURE, PDF};
pub(crate) use text::{text, utf8};

use crate::failure;

/// Limit of a document's JSON in bytes; the longest input takes a fraction of it.
const DOCUMENT_BYTES: u64 = 64 << 20;

/// Serialises a document: JSON compressed with zstd.
pub(crate) fn stored(document: &Document) -> Result<Vec<u8>, Failure> {
    let json = document
        .to_json()
        .map_err(|e| failure::lasting(FailureCode::RenderFailed, format!("the document can't be written: {e}")))?;
    zstd::encode_all(json.as_slice(), zstd::DEFAULT_COMPRESSION_LEVEL)
        .map_err(|e| failure::lasting(FailureCode::RenderFailed, format!("the document can't be written: {e}")))
}

/// Deserialises a document.
pub(crate) fn restored(bytes: &[u8]) -> Result<Document, Failure> {
    let failed =
        |why: String| failure::lasting(FailureCode::RenderFailed, format!("the stored document can't be read: {why}"));
    let mut json = Vec::new();
    zstd::Decoder::new(bytes)
        .and_then(|decoder| decoder.take(DOCUMENT_BYTES + 1).read_to_end(&mut json))
        .map_err(|error| failed(error.to_string()))?;
    if json.len() as u64 > DOCUMENT_BYTES {
        return Err(failed(format!("it is over {DOCUMENT_BYTES} bytes")));
    }
    Document::from_json(&json).map_err(|error| failed(error.to_string()))
}
