//! Slots: the places of a page and the words in them.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::content::Span;

/// Words in a place of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The place.
    pub id: SlotId,
    /// The words.
    pub text: String,
    /// Where the source says them; `None` for words that the engine adds.
    pub span: Option<Span>,
    /// Byte ranges of the emphasised words, in order and without overlap.
    pub emphasis: Vec<Range<u32>>,
}

/// The places of a page that hold words. Items are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SlotId {
    /// The name of the brand, in the head of the page.
    Brand,
    /// A line over the headline or in the head of the page.
    Kicker,
    /// The headline.
    Title,
    /// The text that supports the headline.
    Body,
    /// A closing remark on the support.
    Note,
    /// The head of an item.
    ItemHead(u8),
    /// The sentence of an item.
    ItemBody(u8),
    /// A label before or beside an item: a date, a duration.
    ItemLabel(u8),
    /// A cell in the row of an item, or one of its figures: item, then cell.
    Cell(u8, u8),
    /// The name of a group of items: a side, a column, a series.
    Group(u8),
    /// A figure, without its unit.
    Value,
    /// The unit after the figure.
    Unit,
    /// The numeral of a step.
    Number,
    /// The speaker of a quotation.
    Attribution,
    /// The call to action.
    Cta,
    /// The publisher: a name or a handle at the foot of the page.
    Handle,
    /// The page number. The template adds it, and it is never stored.
    Counter,
    /// A number along an axis. The template adds it, and it is never stored.
    Axis,
}

impl fmt::Display for SlotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Brand => f.write_str("brand"),
            Self::Kicker => f.write_str("kicker"),
            Self::Title => f.write_str("title"),
            Self::Body => f.write_str("body"),
            Self::Note => f.write_str("note"),
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
                        // The unit of a figure is stored as the cell after it.
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
            "note" => Self::Note,
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
                // A title or a sentence that is laid out in pieces.
                let piece = || match s.split_once('.')? {
                    ("title", n) => n.parse::<u8>().ok().map(|_| Self::Title),
                    ("body", n) => n.parse::<u8>().ok().map(|_| Self::Body),
                    _ => None,
                };
                let found = s.strip_prefix("item.").and_then(item).or_else(group).or_else(piece);
                found.ok_or_else(|| UnknownSlot(s.to_owned()))?
            }
        })
    }
}

/// A slot name that this engine doesn't support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown slot {0:?}")]
pub struct UnknownSlot(pub String);
