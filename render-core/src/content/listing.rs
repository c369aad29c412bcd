//! Code listings of a text, kept apart from its prose.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Span;
use super::dialect::edits::Edited;
use crate::limits;

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The language that the source names, in lower case: "rust".
    pub language: Option<String>,
    /// The lines of code.
    pub lines: Vec<String>,
    /// The range in the source, fences included.
    pub span: Span,
}

/// Returns the language in the opening line of a block, such as "rust,ignore" or "{.python}".
pub(super) fn language(info: &str) -> Option<String> {
    let info = info.trim().trim_start_matches(['{', '.']);
    let name = info.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':' | '=')).next()?;
    let plain = !name.is_empty()
        && name.len() <= 24
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.'));
    plain.then(|| name.to_ascii_lowercase())
}

impl Listing {
    /// Creates a listing at `range`, without lines.
    pub(super) fn new(language: Option<String>, range: Range<usize>) -> Self {
        let span = Span { start: range.start as u32, end: range.end as u32 };
        Self { language, lines: Vec::new(), span }
    }

    /// Appends the lines of `text`.
    pub(super) fn push(&mut self, text: &str) {
        let so_far: usize = self.lines.iter().map(|l| l.len() + 1).sum();
        if so_far <= limits::LISTING_CHARS {
            self.lines.extend(text.split_inclusive('\n').map(|line| line.trim_end().to_owned()));
        }
    }

    /// Maps the position from an edited text back to its source.
    pub(super) fn relocate(&mut self, edited: &Edited) {
        let range = edited.source_of(self.span.start as usize..self.span.end as usize);
        self.span = Span { start: range.start as u32, end: range.end as u32 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages() {
        for (info, name) in [
            ("rust,ignore", Some("rust")),
            ("{.python .numberLines}", Some("python")),
            ("C++", Some("c++")),
            ("", None),
            ("title=\"x\"", Some("title")),
        ] {
            assert_eq!(language(info).as_deref(), name, "{info}");
        }
    }
}
