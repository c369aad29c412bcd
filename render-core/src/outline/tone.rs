//! Constraints on words: their language, whether they may be shortened, and how many characters a slot holds.

use crate::content::{Language, shorten, shorten_head};
use crate::format::Density;

/// The language of a document's words, and whether they may be shortened.
#[derive(Debug, Clone)]
pub(super) struct Tone {
    /// The language that they are in.
    pub language: Language,
    /// Whether they are set verbatim: sentences are chosen and lists split, but no word is removed.
    pub exact: bool,
}

impl Tone {
    /// Returns the wordings of a sentence, fullest first.
    pub fn shorten(&self, text: &str) -> Vec<String> {
        if self.exact { vec![text.trim().to_owned()] } else { shorten(text, &self.language) }
    }

    /// Returns the wordings of a headline, fullest first.
    pub fn shorten_head(&self, text: &str) -> Vec<String> {
        if self.exact { vec![text.trim().to_owned()] } else { shorten_head(text, &self.language) }
    }
}

/// Width ratio: the first number of wide characters takes the room of the second number of letters.
const WIDE: (usize, usize) = (2, 5);

/// Number of characters that slots hold at 4:5, by density.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// The support of a headline.
    pub body: usize,
    /// The sentence of a list item.
    pub item: usize,
    /// Items of a list.
    pub items: usize,
}

impl Budget {
    /// Returns the limits for a density and a language. A character of Chinese, Japanese or Korean is as wide as two
    /// letters and carries more meaning, so a page holds fewer of them in running text.
    pub fn of(density: Density, language: &Language) -> Self {
        let letters = match density {
            Density::Banner => Self { body: 100, item: 45, items: 4 },
            Density::Poster => Self { body: 160, item: 65, items: 6 },
            Density::Slide => Self { body: 280, item: 110, items: 6 },
            Density::Document => Self { body: 420, item: 150, items: 8 },
        };
        if !matches!(language.primary(), "ja" | "zh" | "yue" | "ko") {
            return letters;
        }
        let wide = |letters: usize| letters * WIDE.0 / WIDE.1;
        Self { body: wide(letters.body), item: wide(letters.item), ..letters }
    }
}
