//! Document × format → [`Outline`]: what each page says, before anyone thinks about how it looks.

mod answer;
mod candidates;
mod carousel;
mod change;
mod claims;
mod closing;
mod example;
mod gates;
mod halves;
mod heading;
mod labels;
mod material;
mod offers;
mod plain;
mod revised;
mod said;
mod share;
mod single;
mod structure;
mod support;
mod tone;
mod whole;
mod wording;
mod written;

use serde::{Deserialize, Serialize};

use crate::content::{Direction, Document, Language, Span};
use crate::format::Format;
use crate::limits;
use crate::warning::Warning;

pub use claims::{facts, is_claim};
pub use revised::{RevisedFigure, RevisedItem, RevisedPage, Sources};
pub use share::{in_order, ratio};
pub use whole::left_out;
pub use written::WrittenPage;

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
    /// List items, recap lines, events, rows, the points of both sides.
    pub items: Vec<ItemCopy>,
    /// What the items fall under: the names of both sides, of a table's columns, of a chart's series, "Myth" and "Fact".
    #[serde(default)]
    pub groups: Vec<Copy>,
    /// The figure of a stat: value and unit.
    pub figure: Option<Figure>,
    /// The step's number, as a numeral on the page; of a list's first item, where the list goes on from another page.
    pub number: Option<u32>,
    /// Who said it; where a figure comes from.
    pub attribution: Option<Copy>,
    /// A closing remark on what supports the headline.
    #[serde(default)]
    pub note: Option<Copy>,
    /// What to do now.
    pub cta: Option<Copy>,
    /// The page in the page language, where its author composed it. What stands above is what templates set where this
    /// doesn't fit.
    #[serde(default)]
    pub authored: Option<String>,
    /// Whether all of it is set as it stands: nothing is shortened or left out to make it fit.
    #[serde(default)]
    pub whole: bool,
}

/// What a page shows to support its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Nothing: the claim stands alone.
    Statement,
    /// Sentences under the headline.
    Sentences,
    /// Several things or sentences, each an item.
    Things,
    /// A figure and what it counts, in the body.
    Figure,
    /// Somebody's words, in the body, and who said them.
    Quotation,
    /// How not to and how to, an item each.
    Contrast,
    /// What was and what is, an item each with its number.
    Change,
}

impl Support {
    /// Its name: `statement`, `sentences` …
    pub fn name(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Sentences => "sentences",
            Self::Things => "things",
            Self::Figure => "figure",
            Self::Quotation => "quotation",
            Self::Contrast => "contrast",
            Self::Change => "change",
        }
    }
}

/// The part of a page in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// A word in the title, and what it means in the body.
    Definition,
    /// A belief, and what is true: an item each, under the source's words for them.
    MythFact,
    /// A question in the title, and its answer in the body.
    Question,
    /// Two things held against each other: the points of both, each under its side.
    Versus,
    /// What speaks for a thing and what against it, likewise.
    ProsCons,
    /// Rows of cells: an item a row, a group a column.
    Table,
    /// What happened when: items under their dates, in order.
    Timeline,
    /// Steps on one page, in order.
    Process,
    /// Things to be ticked off.
    Checklist,
    /// Figures of one kind, an item each with its number; several series are groups.
    Series,
    /// A few figures side by side, an item each.
    Figures,
    /// Things below things: items under their groups.
    Tree,
    /// News with its facts: items under what they are ("Date").
    Announcement,
    /// Something to be had for less, with its facts.
    Offer,
    /// Something to go to, with its facts.
    Event,
}

impl PageKind {
    /// Every kind.
    pub const ALL: [Self; 22] = [
        Self::Cover,
        Self::Point,
        Self::Step,
        Self::List,
        Self::Stat,
        Self::Quote,
        Self::Recap,
        Self::Definition,
        Self::MythFact,
        Self::Question,
        Self::Versus,
        Self::ProsCons,
        Self::Table,
        Self::Timeline,
        Self::Process,
        Self::Checklist,
        Self::Series,
        Self::Figures,
        Self::Tree,
        Self::Announcement,
        Self::Offer,
        Self::Event,
    ];

    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name: `cover`, `point` …
    pub fn name(self) -> &'static str {
        match self {
            Self::Cover => "cover",
            Self::Point => "point",
            Self::Step => "step",
            Self::List => "list",
            Self::Stat => "stat",
            Self::Quote => "quote",
            Self::Recap => "recap",
            Self::Definition => "definition",
            Self::MythFact => "myth-fact",
            Self::Question => "question",
            Self::Versus => "versus",
            Self::ProsCons => "pros-cons",
            Self::Table => "table",
            Self::Timeline => "timeline",
            Self::Process => "process",
            Self::Checklist => "checklist",
            Self::Series => "series",
            Self::Figures => "figures",
            Self::Tree => "tree",
            Self::Announcement => "announcement",
            Self::Offer => "offer",
            Self::Event => "event",
        }
    }
}

/// Words for one slot: the fullest wording first, then shorter ones made by deletion only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copy {
    /// At least one; each shorter than the one before.
    pub wordings: Vec<String>,
    /// Where the source says it. `None` for words of the layout's own ("Recap").
    pub span: Option<Span>,
}

/// Words for one item of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemCopy {
    /// The item in a few words.
    pub head: Copy,
    /// A sentence about it.
    pub body: Option<Copy>,
    /// A sentence about it that its page has no place for.
    #[serde(default)]
    pub omitted: Option<Copy>,
    /// What stands before or beside it: a date, a duration, what kind of fact it is.
    #[serde(default)]
    pub label: Option<Copy>,
    /// The cells of a row behind its head; the figures of a chart as the source writes them, one a series.
    #[serde(default)]
    pub cells: Vec<Copy>,
    /// The numbers of these figures, where they are some.
    #[serde(default)]
    pub numbers: Vec<f64>,
    /// Which of the page's groups it falls under, from 0.
    #[serde(default)]
    pub group: u8,
    /// Whether the source has ticked it.
    #[serde(default)]
    pub done: bool,
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

impl ItemCopy {
    /// An item that is nothing but its head and a sentence about it.
    pub fn new(head: Copy, body: Option<Copy>) -> Self {
        let (cells, numbers) = (Vec::new(), Vec::new());
        Self { head, body, omitted: None, label: None, cells, numbers, group: 0, done: false }
    }

    /// All the words that its page can show.
    pub fn copies(&self) -> impl Iterator<Item = &Copy> {
        self.label.iter().chain([&self.head]).chain(&self.body).chain(&self.cells)
    }
}

impl PageOutline {
    /// A page that says nothing yet.
    pub fn blank(kind: PageKind, score: f32) -> Self {
        Self {
            kind,
            score,
            kicker: None,
            title: None,
            body: None,
            items: Vec::new(),
            groups: Vec::new(),
            figure: None,
            number: None,
            attribution: None,
            note: None,
            cta: None,
            authored: None,
            whole: false,
        }
    }

    /// What it shows to support its claim.
    pub fn evidence(&self) -> Support {
        let paired = self.items.iter().map(|i| i.group).eq([0, 1]);
        match self.items.len() {
            _ if self.figure.is_some() => Support::Figure,
            // Under other pages' texts stands where they come from.
            _ if self.attribution.is_some()
                && self.body.is_some()
                && matches!(self.kind, PageKind::Point | PageKind::Step | PageKind::Question) =>
            {
                Support::Quotation
            }
            2 if paired => Support::Contrast,
            2 if self.items.iter().all(|item| item.numbers.len() == 1 && item.cells.is_empty()) => Support::Change,
            0 if self.body.is_some() => Support::Sentences,
            0 => Support::Statement,
            _ => Support::Things,
        }
    }

    /// All its words but the figure's.
    pub fn copies(&self) -> impl Iterator<Item = &Copy> {
        let own =
            [&self.kicker, &self.title, &self.body, &self.attribution, &self.note, &self.cta].into_iter().flatten();
        own.chain(&self.groups).chain(self.items.iter().flat_map(ItemCopy::copies))
    }

    /// Whether `label` says the page's figure again.
    pub fn repeats_its_figure(&self, label: &str) -> bool {
        self.figure.as_ref().is_some_and(|figure| {
            let digits = figure.value.trim_start_matches(|c: char| !c.is_ascii_digit());
            !digits.is_empty() && label.contains(digits)
        })
    }
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

/// A document has less to say than the slides asked for: some would stand empty or repeat others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLittle {
    /// The most slides that it fills, at least 1.
    pub carries: u32,
}

/// What the pages of a format say: candidates, best first. A visual gets several outlines of one page each, a carousel
/// one of exactly the pages asked for. Empty where the document says nothing.
///
/// # Errors
/// [`TooLittle`], for carousels.
pub fn outline(request: &Request<'_>) -> Result<Vec<Outline>, TooLittle> {
    match request.slides {
        None => Ok(single::outlines(request)),
        Some(n) => Ok(carousel::outline(request, n.clamp(1, limits::SLIDES))?.into_iter().collect()),
    }
}

/// What a page says, for people who can't see it: its words in reading order, at most 400 characters.
pub fn alt_text(page: &PageOutline) -> String {
    const MOST: usize = 400;
    let first = |c: &Copy| c.wordings.first().cloned().unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    let title = page.title.as_ref().map(first).unwrap_or_default();
    // Under a claim, what the figure counts stands in the body; else it is the headline.
    let claimed = page.figure.is_some() && matches!(page.kind, PageKind::Point | PageKind::Step);
    let body = page.body.as_ref().map(first);
    let (claim, title, body) = match body {
        Some(label) if claimed => (Some(title), label, None),
        body => (None, title, body),
    };
    parts.extend(claim);
    match (&page.figure, page.kind) {
        (Some(figure), _) => {
            let glue = if figure.unit.chars().next().is_some_and(char::is_alphabetic) { " " } else { "" };
            // "64% of respondents …" reads on; a clause of its own stands behind a colon.
            let reads_on = title.chars().next().is_some_and(char::is_lowercase);
            let colon = if reads_on { "" } else { ":" };
            parts.push(format!("{}{glue}{}{colon} {title}", figure.value, figure.unit));
        }
        (None, PageKind::Quote) => parts.push(format!("“{}”", title.trim_end_matches('.'))),
        _ => parts.push(page.number.map_or(title.clone(), |n| format!("{n}. {title}"))),
    }
    parts.extend(page.attribution.as_ref().map(first));
    parts.extend(body);
    // A chart's rows are named by their labels and say their figures.
    let glue = if page.kind == PageKind::Figures { "" } else { ", " };
    let (examples, changes) = (page.evidence() == Support::Contrast, page.evidence() == Support::Change);
    let item = |(i, item): (usize, &ItemCopy)| match item.cells.as_slice() {
        [] if examples => match page.groups.get(i) {
            Some(name) => format!("{}: {}", first(name), first(&item.head)),
            None => format!("{} {}", if i == 0 { "✗" } else { "✓" }, first(&item.head)),
        },
        [] if changes => first(&item.head),
        [] => format!("{}. {}", i + 1, first(&item.head)),
        cells => format!("{}: {}", first(&item.head), cells.iter().map(first).collect::<Vec<_>>().join(glue)),
    };
    let items: Vec<String> = page.items.iter().enumerate().map(item).collect();
    if !items.is_empty() {
        parts.push(items.join(if changes { " → " } else { "; " }));
    }
    parts.extend(page.note.as_ref().map(first));
    parts.extend(page.cta.as_ref().map(first));
    let mut out = String::new();
    for part in parts.iter().map(|p| p.trim()).filter(|p| !p.is_empty()) {
        // Whole parts only, but for a first that is too long by itself.
        let stop = if part.ends_with(['.', '!', '?', '…', '”']) { "" } else { "." };
        let room = MOST.saturating_sub(out.chars().count() + 2);
        if part.chars().count() < room {
            out = format!("{out}{}{part}{stop}", if out.is_empty() { "" } else { " " });
        } else if out.is_empty() {
            let cut: String = part.chars().take(room).collect();
            out = cut.rsplit_once(' ').map_or(cut.clone(), |(front, _)| front.to_owned());
        }
    }
    out
}

#[cfg(test)]
mod edited_tests;
#[cfg(test)]
mod tests;
