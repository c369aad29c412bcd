//! Plain text and Markdown.

use fleet::protocol::Failure;
use render_core::content::{Document, read_text};

use crate::failure;

/// What a text says.
///
/// # Errors
/// A [`Failure`] where it is not text, too long, or says nothing.
pub(crate) fn text(bytes: &[u8]) -> Result<Document, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| failure::lasting("no_content", "the input is not UTF-8 text"))?;
    read_text(text).map_err(|e| failure::lasting("no_content", e.to_string()))
}
