//! Warnings accompany results: the work succeeded, but the caller should know something about it.

use serde::{Deserialize, Serialize};

/// The subject of a warning; the name on the wire is the variant in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// The request contains a field that the service doesn't recognise.
    UnknownField,
    /// The request has a slide count for a format that it doesn't request.
    CountIgnored,
    /// The pages omit content of the source, because of lack of room.
    ContentShortened,
    /// No face has some characters; they were dropped.
    MissingGlyphs,
    /// Text is smaller than the style requires.
    TextShrunk,
    /// The source has fewer points than the requested slides. Only generations of earlier versions have this warning.
    FewPoints,
    /// The input is certainly in another language than the requested one, and the service doesn't translate.
    LanguageMismatch,
    /// The text of an idea was used unchanged, because no component expands it.
    CopyNotExpanded,
    /// The language model returned nothing usable; the words are those of the input.
    CopywriterUnavailable,
    /// A font that the brand kit names no longer exists; the style's own font replaces it.
    FontUnavailable,
    /// A colour of the brand kit is not legible as it is; for text it was made lighter or darker.
    BrandContrastAdjusted,
    /// A picture from the source, or the lead picture of a web page, could not be obtained.
    PhotoUnavailable,
    /// The request names no slide count for a carousel; a default applies.
    CarouselCountDefaulted,
    /// Edits of an earlier generation have no place on the pages that take the place of its own.
    EditNotKept,
}

impl WarningCode {
    /// Returns the name on the wire.
    pub(crate) fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Returns the code with this name; `None` if this version has no such code.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }
}

/// A warning: a code for programs and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// The subject.
    pub code: WarningCode,
    /// A sentence that tells the reader what happened and what to do.
    pub message: String,
}

impl Warning {
    /// Creates a warning with a code and a message.
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Joins texts in quotation marks, for a sentence that names what is missing: the first few, and the number of the
/// others.
pub(crate) fn quoted<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    const NAMED: usize = 4;
    let mut texts = texts.into_iter();
    let named: Vec<String> = texts.by_ref().take(NAMED).map(|text| format!("“{}”", text.as_ref())).collect();
    let more = match texts.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_texts_are_quoted_and_the_others_counted() {
        assert_eq!(quoted(["a"]), "“a”");
        assert_eq!(quoted(["a", "b", "c", "d"]), "“a”, “b”, “c”, “d”");
        assert_eq!(quoted(["a", "b", "c", "d", "e", "f"]), "“a”, “b”, “c”, “d” and 2 more");
    }
}
