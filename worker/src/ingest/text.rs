//! Plain text and Markdown.

use fleet::protocol::Failure;
use render_core::content::{Document, ReadOptions, read_text_with};

use crate::failure;

/// The text of bytes.
///
/// # Errors
/// A [`Failure`] where they are none.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(bytes).map_err(|_| failure::lasting("no_content", "the input is not UTF-8 text"))
}

/// What a text says, under the title asked for where there is one.
///
/// # Errors
/// A [`Failure`] where it is not text, too long, or says nothing.
pub(crate) fn text(bytes: &[u8], title: Option<&str>, exact: bool) -> Result<Document, Failure> {
    let text = utf8(bytes)?;
    let title = title.map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned);
    let options = ReadOptions { title, exact, ..ReadOptions::default() };
    read_text_with(text, &options).map_err(|e| failure::lasting("no_content", e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_title_asked_for_costs_the_text_no_sentence() {
        let source = "Bring plenty of water for the long way up. Tell somebody where you go. Start before the sun does. \
                      Turn round when the weather does.";
        let document = text(source.as_bytes(), Some("  Hiking rules "), false).unwrap();
        assert_eq!(document.title.text, "Hiking rules");
        let said = format!("{document:?}");
        for sentence in ["Bring plenty of water", "Tell somebody", "Start before", "Turn round"] {
            assert!(said.contains(sentence), "{sentence} is lost: {said}");
        }
    }

    #[test]
    fn what_is_no_text_has_no_content() {
        for bytes in [&b""[..], b" \n\t ", b"\xff\xfe\x00", b"caf\xe9"] {
            let failure = text(bytes, None, false).unwrap_err();
            assert_eq!((failure.code.as_str(), failure.retry), ("no_content", false), "{bytes:?}");
        }
    }
}
