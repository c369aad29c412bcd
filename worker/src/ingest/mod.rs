//! Input → document.

mod text;

use fleet::protocol::Failure;
use render_core::content::{DOCUMENT_VERSION, Document};
use serde::Serialize;

pub(crate) use text::text;

use crate::failure;

/// The stored form of a document: versioned, self-describing.
#[derive(Serialize)]
struct Stored<'a> {
    version: u32,
    document: &'a Document,
}

/// The bytes of a document: JSON under zstd.
pub(crate) fn stored(document: &Document) -> Result<Vec<u8>, Failure> {
    let json = serde_json::to_vec(&Stored { version: DOCUMENT_VERSION, document })
        .map_err(|e| failure::lasting("render_failed", format!("the document can't be written: {e}")))?;
    zstd::encode_all(json.as_slice(), zstd::DEFAULT_COMPRESSION_LEVEL)
        .map_err(|e| failure::lasting("render_failed", format!("the document can't be written: {e}")))
}
