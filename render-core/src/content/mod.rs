//! Reads a source text into a [`Document`].
//!
//! Every block keeps the byte range of the source that it was read from, so nothing on a page lacks a source.

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
mod merit;
pub(crate) mod number;
mod odds;
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
mod stated;
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
pub use condense::{clip, front, shorten, shorten_head};
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
pub(crate) use merit::merit;
pub use number::digit;
pub(crate) use quantity::quantities;
pub(crate) use quotes::enclosed;
pub use read::{ContentError, ReadOptions, read_text, read_text_with};
pub(crate) use spared::{spared, unadded};
pub use stated::stated;
pub use stored::StoredError;

/// Version of the stored form of a document. Version 2 added structured kinds of blocks, entities and exact
/// documents. A document of version 1 is read without them.
pub const DOCUMENT_VERSION: u32 = 2;

/// A byte range of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Whether the spans share a byte.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the smallest span that contains both.
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Words and their position in the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sourced {
    /// The words, cleaned of markup and with white space folded.
    pub text: String,
    /// The range they were read from.
    pub span: Span,
}

/// Words that the source emphasises, and their context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emphasis {
    /// The words.
    pub words: Sourced,
    /// The letters of the previous word in the paragraph, in lower case. Empty at the paragraph's start.
    pub before: String,
    /// The letters of the next word. Empty at the paragraph's end.
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

/// The content of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// BCP 47 tag of the language, detected or supplied by the caller.
    pub language: Language,
    /// Reading direction of that language.
    pub direction: Direction,
    /// The title. At most `limits::SLOT_CHARS` characters, except in an exact document, whose title is not shortened.
    pub title: Sourced,
    /// The sentence under the title, if there is one.
    pub dek: Option<Sourced>,
    /// The author, site or account that the source names, if any.
    pub source: Option<Sourced>,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// The closing sentence, if one of the last sentences is informative by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Sourced>,
    /// The emphasised words, in order.
    #[serde(default)]
    pub emphasis: Vec<Emphasis>,
    /// The named entities, in order: money, dates, people and so on.
    #[serde(default)]
    pub entities: Vec<Entity>,
    /// What pages may state about the document: its numbers and its letters.
    #[serde(default)]
    pub evidence: Evidence,
    /// Whether the document is exact: its words are selected and split, but never shortened.
    #[serde(default)]
    pub exact: bool,
    /// Every sentence after the title, in order, if the document is exact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<Sourced>,
    /// Metadata that the document states about itself: authors, date, tags.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// The code listings, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listings: Vec<Listing>,
    /// The pictures, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<SourceImage>,
}

impl Document {
    /// Returns all words of the document, title first.
    pub fn words(&self) -> Vec<&Sourced> {
        let mut out = vec![&self.title];
        out.extend(&self.dek);
        out.extend(&self.source);
        out.extend(self.blocks.iter().flat_map(Block::words));
        out
    }

    /// Returns the announcement, if the document makes one.
    pub fn announcement(&self) -> Option<&Announcement> {
        self.blocks.iter().find_map(|block| match &block.kind {
            BlockKind::Announcement(announcement) => Some(announcement),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
