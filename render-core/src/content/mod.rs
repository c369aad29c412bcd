//! What the source says: text in, [`Document`] out.
//!
//! Every block keeps the byte range of the source it was read from, so nothing on a page is without a source.

mod blocks;
mod calls;
mod condense;
mod emphasis;
mod figures;
mod language;
mod markdown;
mod plain;
mod points;
mod quotes;
mod rank;
mod read;
pub(crate) mod segment;
pub(crate) mod words;

use serde::{Deserialize, Serialize};

pub(crate) use condense::capitalised;
pub use condense::{shorten, shorten_head};
pub use emphasis::emphasised;
pub use language::{Language, UnknownLanguage};
pub use read::{ContentError, ReadOptions, read_text, read_text_with};

/// Version of the stored form of a document.
pub const DOCUMENT_VERSION: u32 = 1;

/// A range of bytes of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Whether both cover a byte.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span around both.
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Words and where the source says them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sourced {
    /// The words, cleaned of markup and with white space folded.
    pub text: String,
    /// Where they were read.
    pub span: Span,
}

/// Words that the source emphasises, and what they stand between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emphasis {
    /// The words.
    pub words: Sourced,
    /// The letters of the word before them in their paragraph, in lower case; empty at its start.
    pub before: String,
    /// Those of the word behind them; empty at its end.
    pub after: String,
}

/// The reading direction of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Left to right.
    #[default]
    Ltr,
    /// Right to left.
    Rtl,
}

/// What a source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// BCP 47 tag of its language, detected or told.
    pub language: Language,
    /// Reading direction of that language.
    pub direction: Direction,
    /// What it is about, in at most 90 characters.
    pub title: Sourced,
    /// The sentence under the title, where there is one.
    pub dek: Option<Sourced>,
    /// Who says so: author, site, handle, where the source names one.
    pub source: Option<Sourced>,
    /// What it says, in order.
    pub blocks: Vec<Block>,
    /// What it emphasises, in order.
    #[serde(default)]
    pub emphasis: Vec<Emphasis>,
}

/// One thing that the source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What kind of thing.
    pub kind: BlockKind,
    /// The detector's score, 0–1.
    pub score: f32,
    /// The range of the source that it covers.
    pub span: Span,
}

/// The kinds of things that a source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BlockKind {
    /// A point of its own: a heading and what stands under it, or a ranked sentence.
    KeyPoint(Point),
    /// Steps to be done in order.
    Steps {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// In order.
        steps: Vec<Point>,
    },
    /// Things of one kind, in no order.
    List {
        /// The line that introduces them.
        title: Option<Sourced>,
        /// Whether the source numbers them.
        numbered: bool,
        /// The items.
        items: Vec<Point>,
    },
    /// A figure in the context of a noun.
    Stat(Stat),
    /// Somebody's words.
    Quote {
        /// The words, without quotation marks.
        text: Sourced,
        /// Who said them.
        who: Option<Sourced>,
    },
    /// What the reader should do now.
    CallToAction(Sourced),
}

/// A head and what supports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The point in a few words.
    pub head: Sourced,
    /// The sentences that support it, best first; may be empty.
    pub body: Vec<Sourced>,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stat {
    /// The figure as set, sign and currency included, unit apart: "−31", "$4.2", "18.4".
    pub value: String,
    /// What stands behind the figure: "%", "×", "bn", "h a week"; may be empty.
    pub unit: String,
    /// The number for charts and for checking, where it is one: −31 → -31.0.
    pub number: f64,
    /// The clause that gives it meaning.
    pub label: Sourced,
    /// Who counted, where the sentence says so.
    pub source: Option<Sourced>,
    /// The range of the figure itself.
    pub span: Span,
}

#[cfg(test)]
mod tests;
