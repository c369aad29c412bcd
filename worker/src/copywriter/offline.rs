//! What needs no language model: which language the pages are set in, and whether that takes a translation.

use fleet::protocol::Failure;
use render_core::content::{Document, Language};
use render_core::outline::Locale;
use render_core::warning::{Warning, WarningCode};

use crate::failure;

/// What the language asked for comes to. It is the pages' in any case; words that stay as they are are set in it too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The words are in it already, or it is the words' own.
    Own(Locale),
    /// The words read as being in another.
    Translation {
        /// What is asked for.
        to: Locale,
        /// What the words read as.
        own: Language,
        /// Whether they surely are in another language.
        sure: bool,
    },
}

impl Wanted {
    /// What the pages are set in.
    pub(crate) fn locale(&self) -> &Locale {
        let (Self::Own(locale) | Self::Translation { to: locale, .. }) = self;
        locale
    }

    /// What the words of the source read as.
    pub(crate) fn source_language(&self) -> &Language {
        match self {
            Self::Own(locale) => &locale.language,
            Self::Translation { own, .. } => own,
        }
    }
}

/// The language that the caller names.
///
/// # Errors
/// A [`Failure`] where the tag names no language.
pub(crate) fn named(asked: Option<&str>) -> Result<Option<Language>, Failure> {
    let unknown = |tag| failure::lasting("translation_unavailable", format!("{tag:?} names no known language"));
    asked.map(|tag| tag.parse().map_err(|_| unknown(tag))).transpose()
}

/// The language to read `source` in: the one that is named, unless the words surely are in another and will be translated;
/// `None` where the words tell.
pub(crate) fn reads_in(named: Option<&Language>, source: &str, translates: bool) -> Option<Language> {
    named.filter(|to| !translates || to.surely_another(source).is_none()).cloned()
}

/// What the language named comes to, for a document read from `source`.
pub(crate) fn wanted(document: &Document, source: &str, named: Option<&Language>) -> Wanted {
    let Some(to) = named else {
        return Wanted::Own(Locale { language: document.language.clone(), direction: document.direction });
    };
    let own = Language::detect(source);
    if to.is_kind_of(&own) {
        // The same language, maybe more closely named: zh-TW for zh.
        return Wanted::Own(locale(to));
    }
    Wanted::Translation { to: locale(to), own, sure: to.surely_another(source).is_some() }
}

/// A language with its own direction.
pub(crate) fn locale(language: &Language) -> Locale {
    Locale { direction: language.direction(), language: language.clone() }
}

/// Says that words stay as they are, though they surely are in another language.
pub(crate) fn stays(own: &Language, to: &Language, why: &str) -> Warning {
    let message = format!("The input reads as {own}; its words are set as {to} and not translated, because {why}.");
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
