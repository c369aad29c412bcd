//! [`Page`]: everything needed to draw one page, editable and complete. Composing it again needs its template, which it
//! names, but neither the brand kit nor the document.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::content::Span;
use crate::format::FormatId;
use crate::icon::Icon;
use crate::outline::Locale;
use crate::text::Family;
use crate::warning::Warning;

use super::{Adjust, Art, Field, Logo, Palette, Photo, Style, Template};

/// One designed page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The format it is set in.
    pub format: FormatId,
    /// Its place in a carousel; `None` for a visual.
    pub slide: Option<Slide>,
    /// The template that its slots fill.
    pub template: Template,
    /// The style it is set in.
    pub style: Style,
    /// Its colours, resolved.
    pub palette: Palette,
    /// Which of the palette's fields it stands on.
    pub field: Field,
    /// Its art, if any.
    pub art: Option<Art>,
    /// Its photograph, if any.
    pub photo: Option<Photo>,
    /// The logo at its head, if any.
    pub logo: Option<Logo>,
    /// Faces of display and body type.
    pub faces: Faces,
    /// Which way its headline runs.
    pub writing: Writing,
    /// The words, in reading order.
    pub slots: Vec<Slot>,
    /// What items are beside their words; as many as there are items, or none where nothing is to be said.
    pub items: Vec<ItemData>,
    /// Largest sizes in du, fitted once over a set so that all its slides agree.
    pub sizes: SizeCaps,
    /// What edits asked for.
    pub adjust: Adjust,
    /// Language and direction.
    pub locale: Locale,
    /// A description for people who can't see the picture.
    pub alt_text: String,
    /// Whatever is drawn by chance is drawn from this.
    pub seed: u64,
    /// What the reader should know about this page: what was left out or set smaller when it was planned.
    pub warnings: Vec<Warning>,
}

/// A place in a carousel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slide {
    /// From 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

/// The families of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faces {
    /// Headlines and figures.
    pub display: Family,
    /// Everything else.
    pub body: Family,
    /// Data: dates, counters; the body's where a style has no third face.
    pub data: Family,
}

/// Which way a headline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writing {
    /// In lines.
    #[default]
    Horizontal,
    /// In columns from right to left: title and dek of a cover. The pages of a set agree, so that all of them are numbered
    /// in kanji; pages that aren't covers have lines all the same.
    Vertical,
}

/// What an item is beside its words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemData {
    /// Which of the page's groups it falls under, from 0.
    pub group: u8,
    /// The numbers of its cells, where a chart is drawn from them.
    pub numbers: Vec<f64>,
    /// Whether it is ticked.
    pub done: bool,
    /// What it speaks of, where every item of its page speaks of something else that there is a drawing of.
    pub icon: Option<Icon>,
}

/// Words in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The place.
    pub id: SlotId,
    /// The words.
    pub text: String,
    /// Where the source says them; `None` for words that the engine adds.
    pub span: Option<Span>,
    /// Bytes of the words that are emphasised: ranges in order, apart from each other.
    pub emphasis: Vec<Range<u32>>,
}

/// The places of a page. Items count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SlotId {
    /// Whose page it is, in the page's head.
    Brand,
    /// Over the headline, or in the page's head.
    Kicker,
    /// The headline.
    Title,
    /// What supports it.
    Body,
    /// The head of an item.
    ItemHead(u8),
    /// The sentence of an item.
    ItemBody(u8),
    /// What stands before or beside an item: a date, a duration.
    ItemLabel(u8),
    /// A cell of an item's row, or a figure of its: item, then cell.
    Cell(u8, u8),
    /// The name of a group of items: a side, a column, a series.
    Group(u8),
    /// A figure, without its unit.
    Value,
    /// What stands behind the figure.
    Unit,
    /// The numeral of a step.
    Number,
    /// Who said it.
    Attribution,
    /// What to do now.
    Cta,
    /// Who publishes it: name or handle at the page's foot.
    Handle,
    /// The page number; the template adds it, and it is never stored.
    Counter,
    /// A number along an axis; likewise.
    Axis,
}

/// The largest sizes in du that a page may use.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SizeCaps {
    /// Of the title.
    pub title: Option<f32>,
    /// Of body text.
    pub body: Option<f32>,
    /// Of item heads.
    pub item: Option<f32>,
}

impl Page {
    /// The words of a slot.
    pub fn text(&self, id: SlotId) -> Option<&str> {
        self.slots.iter().find(|s| s.id == id).map(|s| s.text.as_str())
    }

    /// How many items it has.
    pub fn item_count(&self) -> usize {
        self.slots.iter().filter(|s| matches!(s.id, SlotId::ItemHead(_))).count()
    }
}

impl fmt::Display for SlotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Brand => f.write_str("brand"),
            Self::Kicker => f.write_str("kicker"),
            Self::Title => f.write_str("title"),
            Self::Body => f.write_str("body"),
            Self::ItemHead(n) => write!(f, "item.{n}.head"),
            Self::ItemBody(n) => write!(f, "item.{n}.body"),
            Self::ItemLabel(n) => write!(f, "item.{n}.label"),
            Self::Cell(n, cell) => write!(f, "item.{n}.cell.{cell}"),
            Self::Group(n) => write!(f, "group.{n}"),
            Self::Value => f.write_str("value"),
            Self::Unit => f.write_str("unit"),
            Self::Number => f.write_str("number"),
            Self::Attribution => f.write_str("attribution"),
            Self::Cta => f.write_str("cta"),
            Self::Handle => f.write_str("handle"),
            Self::Counter => f.write_str("counter"),
            Self::Axis => f.write_str("axis"),
        }
    }
}

impl FromStr for SlotId {
    type Err = UnknownSlot;

    fn from_str(s: &str) -> Result<Self, UnknownSlot> {
        let item = |rest: &str| -> Option<Self> {
            let (n, part) = rest.split_once('.').unwrap_or((rest, ""));
            match (n.parse().ok()?, part) {
                (n, "" | "head" | "head.before" | "head.after" | "stub") => Some(Self::ItemHead(n)),
                (n, "body") => Some(Self::ItemBody(n)),
                (n, "label" | "stub-label") => Some(Self::ItemLabel(n)),
                (n, "value") => Some(Self::Cell(n, 0)),
                (n, part) => match part.strip_prefix("value-") {
                    Some(nth) => Some(Self::Cell(n, nth.parse::<u8>().ok()?.checked_sub(1)?)),
                    None => {
                        let cell = part.strip_prefix("cell.")?;
                        // The unit of a figure is the cell behind it.
                        match cell.strip_suffix(".unit") {
                            Some(value) => Some(Self::Cell(n, value.parse::<u8>().ok()?.checked_add(1)?)),
                            None => Some(Self::Cell(n, cell.parse().ok()?)),
                        }
                    }
                },
            }
        };
        Ok(match s {
            "brand" => Self::Brand,
            "kicker" => Self::Kicker,
            "title" => Self::Title,
            "body" => Self::Body,
            "value" => Self::Value,
            "unit" | "value.unit" => Self::Unit,
            "number" => Self::Number,
            "attribution" | "title.by" => Self::Attribution,
            "cta" => Self::Cta,
            "handle" => Self::Handle,
            "counter" => Self::Counter,
            "axis" => Self::Axis,
            _ => {
                let series = || s.strip_prefix("chart.series-")?.parse::<u8>().ok()?.checked_sub(1).map(Self::Group);
                let named = || s.strip_prefix("group.")?.parse().ok().map(Self::Group);
                let group = || named().or_else(series);
                // A title that is set in pieces.
                let title = || s.strip_prefix("title.")?.parse::<u8>().ok().map(|_| Self::Title);
                let found = s.strip_prefix("item.").and_then(item).or_else(group).or_else(title);
                found.ok_or_else(|| UnknownSlot(s.to_owned()))?
            }
        })
    }
}

/// A slot's name that this engine doesn't know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown slot {0:?}")]
pub struct UnknownSlot(pub String);
