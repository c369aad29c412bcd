//! Code that a text shows: kept apart from its prose.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Span;
use super::dialect::edits::Edited;
use crate::limits;

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The language that the source names, in lower case: "rust".
    pub language: Option<String>,
    /// Its lines.
    pub lines: Vec<String>,
    /// Where it stands, its fences included.
    pub span: Span,
}

/// The language in the line that opens a block: "rust,ignore" and "{.python}" name one.
pub(super) fn language(info: &str) -> Option<String> {
    let info = info.trim().trim_start_matches(['{', '.']);
    let name = info.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | ':' | '=')).next()?;
    let plain = !name.is_empty()
        && name.len() <= 24
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.'));
    plain.then(|| name.to_ascii_lowercase())
}

impl Listing {
    /// One that stands at `range`, without lines.
    pub(super) fn new(language: Option<String>, range: Range<usize>) -> Self {
        let span = Span { start: range.start as u32, end: range.end as u32 };
        Self { language, lines: Vec::new(), span }
    }

    /// Adds the lines of `text`.
    pub(super) fn push(&mut self, text: &str) {
        let so_far: usize = self.lines.iter().map(|l| l.len() + 1).sum();
        if so_far <= limits::LISTING_CHARS {
            self.lines.extend(text.split_inclusive('\n').map(|line| line.trim_end().to_owned()));
        }
    }

    /// Moves its place from an edited text to the source of that.
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
