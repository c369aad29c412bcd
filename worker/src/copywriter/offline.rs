//! What needs no language model: which language the pages are set in, and whether that takes a translation.

use fleet::protocol::Failure;
use render_core::content::{Document, Language};
use render_core::outline::Locale;
use render_core::warning::{Warning, WarningCode};

use crate::failure;

/// What the language asked for comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The words are in it already.
    Own(Locale),
    /// The words are in another.
    Translation {
        /// What is asked for.
        to: Language,
        /// What the words read as.
        own: Locale,
        /// Whether they surely are in another language, and not just read so.
        sure: bool,
    },
}

/// What the language asked for comes to, for a document read from `source`.
///
/// # Errors
/// A [`Failure`] where the tag asked for names no language.
pub(crate) fn wanted(document: &Document, source: &str, asked: Option<&str>) -> Result<Wanted, Failure> {
    let own = Locale { language: document.language.clone(), direction: document.direction };
    let Some(asked) = asked else { return Ok(Wanted::Own(own)) };
    let to: Language = asked
        .parse()
        .map_err(|_| failure::lasting("translation_unavailable", format!("{asked:?} names no known language")))?;
    if to.primary() == own.language.primary() {
        // The same language, maybe more closely named: zh-TW for zh.
        return Ok(Wanted::Own(locale(&to)));
    }
    let sure = to.surely_another(source).is_some();
    Ok(Wanted::Translation { to, own, sure })
}

/// A language with its own direction.
pub(crate) fn locale(language: &Language) -> Locale {
    Locale { direction: language.direction(), language: language.clone() }
}

/// Says that words stay as they are, because it is unsure that they are in another language.
pub(crate) fn stays(own: &Language, to: &Language) -> Warning {
    let message = format!("the input reads as {own}, not {to}; nothing is translated, so the words stay as they are");
    Warning::new(WarningCode::LanguageMismatch, message)
}

/// Says that nothing translates, and why.
pub(crate) fn untranslated(own: &Language, to: &Language, why: &str, retry: bool) -> Failure {
    let message = format!("the input is in {own} and would have to be translated into {to}, but {why}");
    Failure { retry, ..failure::lasting("translation_unavailable", message) }
}

#[cfg(test)]
mod tests {
    use render_core::content::read_text;

    use super::*;

    fn of(text: &str, asked: Option<&str>) -> Wanted {
        wanted(&read_text(text).unwrap(), text, asked).unwrap()
    }

    #[test]
    fn the_language_is_the_documents_unless_another_is_meant() {
        let german = "Der Wärter des Leuchtturms stieg jeden Abend die Treppe hinauf, um die Lampe anzuzünden.";
        let own = |tag: &str| Wanted::Own(locale(&tag.parse().unwrap()));
        assert_eq!(of(german, None), own("de"));
        assert_eq!(of(german, Some("de-AT")), own("de-AT"));
        assert!(matches!(of(german, Some("fr")), Wanted::Translation { sure: true, .. }));
        assert!(matches!(of("Sale", Some("fr")), Wanted::Translation { sure: false, .. }));
        let odd = wanted(&read_text(german).unwrap(), german, Some("not a language")).unwrap_err();
        assert_eq!(odd.code, "translation_unavailable");
    }
}
