//! What the source says: text in, [`Document`] out.
//!
//! Every block keeps the byte range of the source it was read from, so nothing on a page is without a source.

mod blocks;
mod boilerplate;
mod calls;
mod claim;
mod clean;
mod condense;
mod context;
mod counted;
mod cues;
mod dates;
mod detect;
mod dialect;
mod durations;
mod emphasis;
pub(crate) mod entities;
pub(crate) mod figures;
mod foreign;
mod fractions;
pub mod guard;
mod headings;
pub mod headline;
mod idea;
mod idea_kind;
mod images;
mod item_head;
mod kinds;
mod language;
mod listing;
mod markdown;
mod matter;
pub(crate) mod number;
mod opening;
mod plain;
mod points;
mod promised;
mod prose;
mod quantity;
mod quotes;
mod rank;
mod read;
mod reader;
pub(crate) mod segment;
pub(crate) mod spans;
mod spared;
mod stored;
mod structures;
mod telling;
mod turns;
pub(crate) mod vocabulary;
mod whole;
pub(crate) mod words;

use serde::{Deserialize, Serialize};

pub(crate) use claim::{claim, opens_subordinate};
pub(crate) use condense::{answers_back, capitalised, limits, qualifies, takes_back, unjoined};
pub use condense::{cut, front, shorten, shorten_head};
pub(crate) use context::{announces, is_courtesy, refers_back, says_alone, stands_alone, turns_alone};
pub(crate) use dates::day_of;
pub use durations::durations;
pub use emphasis::emphasised;
pub use entities::{Entity, EntityKind};
pub use guard::Evidence;
pub use idea::{Idea, read_idea};
pub use idea_kind::IdeaKind;
pub use images::{Given, SourceImage, without_pictures};
pub use kinds::{
    Announcement, Block, BlockKind, ChecklistItem, Compare, Declared, Event, Fact, FactKind, Node, Point, ProsCons,
    Series, Side, Stat, Subject, Table, Value,
};
pub use language::{Language, UnknownLanguage};
pub use listing::Listing;
pub use matter::About;
pub use number::digit;
pub(crate) use quantity::quantities;
pub(crate) use quotes::enclosed;
pub use read::{ContentError, ReadOptions, read_text, read_text_with};
pub(crate) use spared::spared;
pub use stored::StoredError;

/// Version of the stored form of a document. 2: kinds of blocks with a structure of their own, entities, word for word;
/// a document of version 1 is read as one without them.
pub const DOCUMENT_VERSION: u32 = 2;

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
    /// What it is about, in at most 90 characters; as long as the source has it where words are set whole.
    pub title: Sourced,
    /// The sentence under the title, where there is one.
    pub dek: Option<Sourced>,
    /// Who says so: author, site, handle, where the source names one.
    pub source: Option<Sourced>,
    /// What it says, in order.
    pub blocks: Vec<Block>,
    /// The sentence with which it ends, where one of its last sentences tells something by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Sourced>,
    /// What it emphasises, in order.
    #[serde(default)]
    pub emphasis: Vec<Emphasis>,
    /// What it names, in order: money, dates, people and their like.
    #[serde(default)]
    pub entities: Vec<Entity>,
    /// What pages may say of it: its numbers and its letters.
    #[serde(default)]
    pub evidence: Evidence,
    /// Whether its words are set whole: nothing is shortened, only chosen and split.
    #[serde(default)]
    pub exact: bool,
    /// Where they are, every sentence behind the title, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<Sourced>,
    /// What it says of itself: its authors, its date, its tags.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// The code that it shows, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listings: Vec<Listing>,
    /// The pictures that it shows, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<SourceImage>,
}

impl Document {
    /// All its words, title first.
    pub fn words(&self) -> Vec<&Sourced> {
        let mut out = vec![&self.title];
        out.extend(&self.dek);
        out.extend(&self.source);
        out.extend(self.blocks.iter().flat_map(Block::words));
        out
    }

    /// What it announces, where it does.
    pub fn announcement(&self) -> Option<&Announcement> {
        self.blocks.iter().find_map(|block| match &block.kind {
            BlockKind::Announcement(announcement) => Some(announcement),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
