//! Warnings travel beside results: the work went through, but the reader should know something about it.

use serde::{Deserialize, Serialize};

/// What a warning is about; the name on the wire is the variant in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// A request field that the service does not know.
    UnknownField,
    /// A slide count for a format that was not asked for.
    CountIgnored,
    /// Something the source says is not on the pages, for want of room.
    ContentShortened,
    /// Characters that no face has; they were left out.
    MissingGlyphs,
    /// Type is below the size that the style asks for.
    TextShrunk,
    /// The source has fewer points than the slides asked for. Only generations of earlier versions have it.
    FewPoints,
    /// The input surely is in another language than the one asked for, and nothing here translates.
    LanguageMismatch,
    /// An idea was set as it stands, because nothing here develops it.
    CopyNotExpanded,
    /// The language model gave nothing that could be used; the words are those of the input.
    CopywriterUnavailable,
    /// A font that the brand kit names is no longer there; the style's own stands in.
    FontUnavailable,
    /// A colour of the brand kit can't be read as it is; text has it lighter or darker.
    BrandContrastAdjusted,
    /// A picture that the source shows, or that leads a page on the web, could not be had.
    PhotoUnavailable,
    /// The request names no slide count for a carousel; a default applies.
    CarouselCountDefaulted,
    /// Edits of an earlier generation have no place on the pages that take the place of its own.
    EditNotKept,
}

impl WarningCode {
    /// Its name on the wire.
    pub(crate) fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The code of a name; `None` where this version has none.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }
}

/// One warning: a code for programs and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// What it is about.
    pub code: WarningCode,
    /// A sentence that tells the reader what happened and what to do.
    pub message: String,
}

impl Warning {
    /// A warning of `code` that says `message`.
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Some texts in quotation marks, for a sentence that names what is missing: the first few, and how many more there are.
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
