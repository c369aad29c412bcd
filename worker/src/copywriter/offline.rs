//! Decisions that need no language model: the language of the pages, and whether it requires a translation.

use fleet::protocol::{Failure, FailureCode};
use render_core::content::{Document, Language};
use render_core::outline::Locale;
use render_core::warning::{Warning, WarningCode};

use crate::failure;

/// What the requested language requires. The pages are set in that language in any case, even if words stay
/// untranslated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The words are already in it, or the request names no language.
    Own(Locale),
    /// The words seem to be in another language.
    Translation {
        /// The requested language.
        to: Locale,
        /// The detected language of the words.
        own: Language,
        /// Whether the words certainly are in another language.
        sure: bool,
    },
}

impl Wanted {
    /// Returns the locale of the pages.
    pub(crate) fn locale(&self) -> &Locale {
        let (Self::Own(locale) | Self::Translation { to: locale, .. }) = self;
        locale
    }

    /// Returns the detected language of the source.
    pub(crate) fn source_language(&self) -> &Language {
        match self {
            Self::Own(locale) => &locale.language,
            Self::Translation { own, .. } => own,
        }
    }
}

/// Parses the requested language.
///
/// # Errors
/// A [`Failure`] if the tag is not a known language.
pub(crate) fn named(asked: Option<&str>) -> Result<Option<Language>, Failure> {
    let unknown =
        |tag| failure::lasting(FailureCode::TranslationUnavailable, format!("{tag:?} is not a known language"));
    asked.map(|tag| tag.parse().map_err(|_| unknown(tag))).transpose()
}

/// Returns the language to read `source` in: the requested one, unless the words certainly are in another and will be
/// translated. `None` leaves it to detection.
pub(crate) fn reads_in(named: Option<&Language>, source: &str, translates: bool) -> Option<Language> {
    named.filter(|to| !translates || to.surely_another(source).is_none()).cloned()
}

/// Returns what the requested language requires of a document that was read from `source`.
pub(crate) fn wanted(document: &Document, source: &str, named: Option<&Language>) -> Wanted {
    let Some(to) = named else {
        return Wanted::Own(Locale { language: document.language.clone(), direction: document.direction });
    };
    let own = Language::detect(source);
    if to.is_kind_of(&own) {
        // The same language, possibly more specific: zh-TW for zh.
        return Wanted::Own(locale(to));
    }
    Wanted::Translation { to: locale(to), own, sure: to.surely_another(source).is_some() }
}

/// Returns a language with its own direction.
pub(crate) fn locale(language: &Language) -> Locale {
    Locale { direction: language.direction(), language: language.clone() }
}

/// Returns a warning that words stay untranslated although they certainly are in another language.
pub(crate) fn stays(own: &Language, to: &Language, why: &str) -> Warning {
    let message = format!("The input reads as {own}; its words are set as {to} without a translation, because {why}.");
    Warning::new(WarningCode::LanguageMismatch, message)
}

/// Returns the failure for a translation that is unavailable, with the reason.
pub(crate) fn untranslated(own: &Language, to: &Language, why: &str, retry: bool) -> Failure {
    let message = format!("the input is in {own} and would have to be translated into {to}, but {why}");
    Failure { retry, ..failure::lasting(FailureCode::TranslationUnavailable, message) }
}

#[cfg(test)]
mod tests {
    use render_core::content::read_text;

    use super::*;

    fn of(text: &str, asked: Option<&str>) -> Wanted {
        let named = named(asked).unwrap();
        wanted(&read_text(text).unwrap(), text, named.as_ref())
    }

    #[test]
    fn the_language_named_is_the_pages() {
        let german = "Der Wärter des Leuchtturms stieg jeden Abend die Treppe hinauf, um die Lampe anzuzünden.";
        let own = |tag: &str| Wanted::Own(locale(&tag.parse().unwrap()));
        assert_eq!(of(german, None), own("de"));
        assert_eq!(of(german, Some("de-AT")), own("de-AT"));
        assert_eq!(of("Møtet blir flyttet til neste uke fordi noen av oss er syke", Some("no")), own("no"));
        assert!(matches!(of(german, Some("fr")), Wanted::Translation { sure: true, .. }));
        assert!(matches!(of("Sale", Some("fr")), Wanted::Translation { sure: false, .. }));
        for asked in ["fr", "uk", "sw"] {
            assert_eq!(of(german, Some(asked)).locale().language.code(), asked);
        }
        assert_eq!(named(Some("not a language")).unwrap_err().code, "translation_unavailable");
    }

    #[test]
    fn words_are_read_in_the_language_named_unless_they_are_translated() {
        let german = "Der Wärter des Leuchtturms stieg jeden Abend die Treppe hinauf, um die Lampe anzuzünden.";
        let read = |named: &str, text, translates| {
            reads_in(Some(&named.parse().unwrap()), text, translates).map(|l| l.code().to_owned())
        };
        assert_eq!(read("fr", german, false).as_deref(), Some("fr"));
        assert_eq!(read("fr", german, true), None);
        assert_eq!(read("fr", "Sale", true).as_deref(), Some("fr"));
        assert_eq!(reads_in(None, german, true), None);
    }
}
