//! Document × format → [`Outline`]: the words of each page, before any layout.

mod answer;
mod candidates;
mod carousel;
mod change;
mod claims;
mod closing;
mod even;
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
mod series;
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

/// The content of the pages of one format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The pages in order: exactly the number requested.
    pub pages: Vec<PageOutline>,
    /// What was left out and why.
    pub warnings: Vec<Warning>,
}

/// The content of one page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageOutline {
    /// Its role in the set.
    pub kind: PageKind,
    /// How well the source fills this page, 0–1: the semantic score for the choice between outlines.
    pub score: f32,
    /// A few words over the headline, such as the set's title on a body slide.
    pub kicker: Option<Copy>,
    /// The headline; the words of a quotation; the label of a stat.
    pub title: Option<Copy>,
    /// The text that supports the headline.
    pub body: Option<Copy>,
    /// List items, recap lines, events, rows, the points of both sides.
    pub items: Vec<ItemCopy>,
    /// Group names for the items: both sides, a table's columns, a chart's series, "Myth" and "Fact".
    #[serde(default)]
    pub groups: Vec<Copy>,
    /// The figure of a stat: value and unit.
    pub figure: Option<Figure>,
    /// The step's number, shown as a numeral; for a list that continues from another page, the number of its first
    /// item.
    pub number: Option<u32>,
    /// The speaker of a quotation or the source of a figure.
    pub attribution: Option<Copy>,
    /// A closing remark on the support.
    #[serde(default)]
    pub note: Option<Copy>,
    /// The call to action.
    pub cta: Option<Copy>,
    /// The page in the page language, if an author composed it. Templates use the fields above when this doesn't fit.
    #[serde(default)]
    pub authored: Option<String>,
    /// Whether all words are set verbatim: nothing is shortened or left out to make it fit.
    #[serde(default)]
    pub whole: bool,
}

/// How a page supports its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// No support: the claim stands alone.
    Statement,
    /// Sentences under the headline.
    Sentences,
    /// Several things or sentences, one per item.
    Things,
    /// A figure; the body says what it counts.
    Figure,
    /// A quotation in the body, with its speaker.
    Quotation,
    /// The wrong and the right way, one item each.
    Contrast,
    /// The old and the new value, one item each with its number.
    Change,
}

impl Support {
    /// Returns its name: `statement`, `sentences` …
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

/// The role of a page in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// The hook: title and subtitle.
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
    /// A summary and the call to action.
    Recap,
    /// A term in the title and its meaning in the body.
    Definition,
    /// A myth and the truth: one item each, grouped by the source's labels for them.
    MythFact,
    /// A question in the title and its answer in the body.
    Question,
    /// A comparison of two things: the points of both, grouped by side.
    Versus,
    /// Points for and against a thing, grouped by side.
    ProsCons,
    /// Rows of cells: an item per row, a group per column.
    Table,
    /// Events in order, each item labelled with its date.
    Timeline,
    /// Steps on one page, in order.
    Process,
    /// Tasks to tick off.
    Checklist,
    /// Figures of one kind, one item each with its number; several series are groups.
    Series,
    /// A few figures side by side, one item each.
    Figures,
    /// A hierarchy: items under their groups.
    Tree,
    /// News with its facts: items labelled with their kind ("Date").
    Announcement,
    /// A discount with its facts.
    Offer,
    /// An event with its facts.
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

    /// Returns the kind with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns its name: `cover`, `point` …
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

/// Words for one slot: the fullest wording first, then shorter ones made only by deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copy {
    /// At least one; each is shorter than the one before.
    pub wordings: Vec<String>,
    /// Where the source says it. `None` for words that the layout adds ("Recap").
    pub span: Option<Span>,
}

/// Words for one item of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemCopy {
    /// The item in a few words.
    pub head: Copy,
    /// A sentence about it.
    pub body: Option<Copy>,
    /// A sentence about it for which the page has no room.
    #[serde(default)]
    pub omitted: Option<Copy>,
    /// A label before or beside it: a date, a duration, the kind of fact.
    #[serde(default)]
    pub label: Option<Copy>,
    /// The cells of a row after its head; the figures of a chart as the source writes them, one per series.
    #[serde(default)]
    pub cells: Vec<Copy>,
    /// The numbers of these figures, if they have any.
    #[serde(default)]
    pub numbers: Vec<f64>,
    /// Index of the page's group that it belongs to, from 0.
    #[serde(default)]
    pub group: u8,
    /// Whether the source has ticked it off.
    #[serde(default)]
    pub done: bool,
}

/// A figure as shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Sign, currency and digits.
    pub value: String,
    /// The text after it; may be empty.
    pub unit: String,
    /// Its value, for art that is drawn to scale.
    pub number: f64,
    /// Where the source says it.
    pub span: Span,
}

impl ItemCopy {
    /// Creates an item with only a head and a sentence about it.
    pub fn new(head: Copy, body: Option<Copy>) -> Self {
        let (cells, numbers) = (Vec::new(), Vec::new());
        Self { head, body, omitted: None, label: None, cells, numbers, group: 0, done: false }
    }

    /// Returns all words that its page can show.
    pub fn copies(&self) -> impl Iterator<Item = &Copy> {
        self.label.iter().chain([&self.head]).chain(&self.body).chain(&self.cells)
    }
}

impl PageOutline {
    /// Creates a page without content.
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

    /// Returns how it supports its claim.
    pub fn evidence(&self) -> Support {
        let paired = self.items.iter().map(|i| i.group).eq([0, 1]);
        match self.items.len() {
            _ if self.figure.is_some() => Support::Figure,
            // On other kinds of page, the attribution of a text names its source.
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

    /// Returns all its words except those of the figure.
    pub fn copies(&self) -> impl Iterator<Item = &Copy> {
        let own =
            [&self.kicker, &self.title, &self.body, &self.attribution, &self.note, &self.cta].into_iter().flatten();
        own.chain(&self.groups).chain(self.items.iter().flat_map(ItemCopy::copies))
    }

    /// Returns whether `label` repeats the page's figure.
    pub fn repeats_its_figure(&self, label: &str) -> bool {
        self.figure.as_ref().is_some_and(|figure| {
            let digits = figure.value.trim_start_matches(|c: char| !c.is_ascii_digit());
            !digits.is_empty() && label.contains(digits)
        })
    }
}

/// The input of the outline.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The content.
    pub document: &'a Document,
    /// The format of the pages.
    pub format: &'a Format,
    /// Number of pages: `None` for a visual, the slide count for a carousel.
    pub slides: Option<u32>,
}

/// Language and direction of the pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locale {
    /// BCP 47.
    pub language: Language,
    /// Reading direction.
    pub direction: Direction,
}

/// A document has too little content for the slides requested: some would be empty or repeat others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLittle {
    /// The most slides that it fills, at least 1.
    pub carries: u32,
}

/// Returns the outlines that are candidates for a format, best first. A visual gets several outlines of one page each,
/// a carousel one outline with exactly the pages requested. Empty if the document has no content.
///
/// # Errors
/// [`TooLittle`], for carousels only.
pub fn outline(request: &Request<'_>) -> Result<Vec<Outline>, TooLittle> {
    match request.slides {
        None => Ok(single::outlines(request)),
        Some(n) => Ok(carousel::outline(request, n.clamp(1, limits::SLIDES))?.into_iter().collect()),
    }
}

/// Returns the alt text of a page: its words in reading order, at most 400 characters.
pub fn alt_text(page: &PageOutline) -> String {
    const MOST: usize = 400;
    let first = |c: &Copy| c.wordings.first().cloned().unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    let title = page.title.as_ref().map(first).unwrap_or_default();
    // Under a claim, the body says what the figure counts; otherwise the headline does.
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
            // "64% of respondents …" reads on; an independent clause follows a colon.
            let reads_on = title.chars().next().is_some_and(char::is_lowercase);
            let colon = if reads_on { "" } else { ":" };
            parts.push(format!("{}{glue}{}{colon} {title}", figure.value, figure.unit));
        }
        (None, PageKind::Quote) => parts.push(format!("“{}”", title.trim_end_matches('.'))),
        _ => parts.push(page.number.map_or(title.clone(), |n| format!("{n}. {title}"))),
    }
    parts.extend(page.attribution.as_ref().map(first));
    parts.extend(body);
    // A chart's rows consist of labels and figures.
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
        // Only whole parts are added, except for a first part that is too long by itself.
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
