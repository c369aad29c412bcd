//! What needs no language model: the language the pages are set in.

use render_core::content::{Document, Language};
use render_core::outline::Locale;
use render_core::warning::{Warning, WarningCode};

use fleet::protocol::Failure;

use crate::failure;

/// The language of the pages: the one asked for, else the document's. Nothing here translates, so where they differ
/// the words stay as they are and the reader is told.
///
/// # Errors
/// A [`Failure`] where the tag asked for names no language.
pub(crate) fn locale(document: &Document, asked: Option<&str>) -> Result<(Locale, Option<Warning>), Failure> {
    let own = Locale { language: document.language.clone(), direction: document.direction };
    let Some(asked) = asked else { return Ok((own, None)) };
    let language: Language = asked
        .parse()
        .map_err(|_| failure::lasting("translation_unavailable", format!("{asked:?} names no known language")))?;
    if language.primary() == own.language.primary() {
        // The same language, maybe more closely named: zh-TW for zh.
        return Ok((Locale { direction: language.direction(), language }, None));
    }
    let message = format!(
        "the input reads as {}, not {language}; nothing is translated, so the words stay as they are",
        own.language
    );
    Ok((own, Some(Warning::new(WarningCode::LanguageMismatch, message))))
}

#[cfg(test)]
mod tests {
    use render_core::content::{Direction, Evidence, Sourced, Span};

    use super::*;

    fn document(language: &str) -> Document {
        Document {
            language: language.parse().unwrap(),
            direction: Direction::Ltr,
            title: Sourced { text: "Tides".into(), span: Span { start: 2, end: 7 } },
            dek: None,
            source: None,
            blocks: Vec::new(),
            emphasis: Vec::new(),
            entities: Vec::new(),
            evidence: Evidence::default(),
            exact: false,
        }
    }

    #[test]
    fn the_language_is_the_documents_unless_another_is_meant() {
        let (own, warning) = locale(&document("de"), None).unwrap();
        assert_eq!((own.language.to_string().as_str(), warning), ("de", None));
        let (closer, warning) = locale(&document("zh"), Some("zh-TW")).unwrap();
        assert_eq!((closer.language.to_string().as_str(), warning), ("zh-TW", None));
        let (own, warning) = locale(&document("de"), Some("fr")).unwrap();
        assert_eq!(own.language.to_string(), "de");
        assert_eq!(warning.unwrap().code, WarningCode::LanguageMismatch);
        assert_eq!(locale(&document("de"), Some("not a language")).unwrap_err().code, "translation_unavailable");
    }
}
