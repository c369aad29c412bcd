//! Document × format → [`Outline`]: what each page says, before anyone thinks about how it looks.

mod carousel;
mod single;

use serde::{Deserialize, Serialize};

use crate::content::{Direction, Document, Language, Span};
use crate::format::Format;
use crate::warning::Warning;

/// What the pages of one format say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The pages in order: exactly as many as were asked for.
    pub pages: Vec<PageOutline>,
    /// What was left out and why.
    pub warnings: Vec<Warning>,
}

/// What one page says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageOutline {
    /// Its part in the set.
    pub kind: PageKind,
    /// How well the source carries this page, 0–1: the semantic score of the choice between outlines.
    pub score: f32,
    /// A few words over the headline, for example the set's title on a body slide.
    pub kicker: Option<Copy>,
    /// The headline; the quotation of a quote, the label of a stat.
    pub title: Option<Copy>,
    /// What supports it.
    pub body: Option<Copy>,
    /// List items, recap lines.
    pub items: Vec<ItemCopy>,
    /// The figure of a stat: value and unit.
    pub figure: Option<Figure>,
    /// The step's or item's number, as a numeral on the page.
    pub number: Option<u32>,
    /// Who said it; where a figure comes from.
    pub attribution: Option<Copy>,
    /// What to do now.
    pub cta: Option<Copy>,
}

/// The part of a page in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// The hook: title and dek.
    Cover,
    /// One point.
    Point,
    /// One numbered step.
    Step,
    /// Several things side by side.
    List,
    /// A figure.
    Stat,
    /// A quotation.
    Quote,
    /// What was said, in short, and what to do now.
    Recap,
}

/// Words for one slot: the fullest wording first, then shorter ones made by deletion only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copy {
    /// At least one; each shorter than the one before.
    pub wordings: Vec<String>,
    /// Where the source says it. `None` for words of the layout's own ("Recap").
    pub span: Option<Span>,
}

/// Words for one item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemCopy {
    /// The item in a few words.
    pub head: Copy,
    /// A sentence about it.
    pub body: Option<Copy>,
}

/// A figure as set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Sign, currency and digits.
    pub value: String,
    /// What stands behind it; may be empty.
    pub unit: String,
    /// Its value, for art that stands true to scale.
    pub number: f64,
    /// Where the source says it.
    pub span: Span,
}

/// What the outline needs to know beside the document.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What is said.
    pub document: &'a Document,
    /// What it is said in.
    pub format: &'a Format,
    /// How many pages: `None` for a visual, the slide count for a carousel.
    pub slides: Option<u32>,
}

/// Language and direction that pages are set in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locale {
    /// BCP 47.
    pub language: Language,
    /// Reading direction.
    pub direction: Direction,
}
