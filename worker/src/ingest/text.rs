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

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn what_is_no_text_has_no_content() {
        for bytes in [&b""[..], b" \n\t ", b"\xff\xfe\x00", b"caf\xe9"] {
            let failure = text(bytes).unwrap_err();
            assert_eq!((failure.code.as_str(), failure.retry), ("no_content", false), "{bytes:?}");
        }
    }
}
