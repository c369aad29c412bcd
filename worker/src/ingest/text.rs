//! Plain text and Markdown.

use fleet::protocol::{Failure, FailureCode};
use render_core::content::{Document, ReadOptions, read_text_with};

use crate::failure;

/// Returns bytes as text.
///
/// # Errors
/// A [`Failure`] if they are not UTF-8.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(bytes).map_err(|_| failure::lasting(FailureCode::NoContent, "the input is not UTF-8 text"))
}

/// Reads a text, with the caller's options.
///
/// # Errors
/// A [`Failure`] if it is not text, too long, or empty.
pub(crate) fn text(bytes: &[u8], options: &ReadOptions) -> Result<Document, Failure> {
    read_text_with(utf8(bytes)?, options).map_err(|e| failure::lasting(FailureCode::NoContent, e.to_string()))
}

#[cfg(test)]
mod tests {
    use render_core::content::ReadOptions;

    use super::text;

    #[test]
    fn a_title_asked_for_costs_the_text_no_sentence() {
        let source = "Bring plenty of water for the long way up. Tell somebody where you go. Start before the sun does. \
                      Turn round when the weather does.";
        let options = ReadOptions { title: Some("  Hiking rules ".to_owned()), ..ReadOptions::default() };
        let document = text(source.as_bytes(), &options).unwrap();
        assert_eq!(document.title.text, "Hiking rules");
        let said = format!("{document:?}");
        for sentence in ["Bring plenty of water", "Tell somebody", "Start before", "Turn round"] {
            assert!(said.contains(sentence), "{sentence} is lost: {said}");
        }
    }

    #[test]
    fn what_is_no_text_has_no_content() {
        for bytes in [&b""[..], b" \n\t ", b"\xff\xfe\x00", b"caf\xe9"] {
            let failure = text(bytes, &ReadOptions::default()).unwrap_err();
            assert_eq!((failure.code.as_str(), failure.retry), ("no_content", false), "{bytes:?}");
        }
    }
}
