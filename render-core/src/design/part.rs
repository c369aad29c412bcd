//! Parts of a page as its reader names them: what edits are about.

use std::fmt;

use super::SlotId;

/// Texts that play the same part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The title, or the words of a quotation.
    Headline,
    /// What supports it.
    Supporting,
    /// A closing remark on what supports it.
    Note,
    /// Over the headline, or in the page's head.
    Kicker,
    /// The large figure with its unit, or the numeral of a step.
    Figure,
    /// The heads of items.
    Points,
    /// The sentences of items.
    Details,
    /// Dates and the like beside items, cells of tables, names of groups.
    Labels,
    /// Who said it, or where a figure is from.
    Attribution,
    /// What to do now.
    Button,
    /// Name or handle at the page's foot.
    Footer,
    /// Whose page it is, in the head.
    BrandName,
    /// The page number.
    Counter,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 13] = [
        Self::Headline,
        Self::Supporting,
        Self::Note,
        Self::Kicker,
        Self::Figure,
        Self::Points,
        Self::Details,
        Self::Labels,
        Self::Attribution,
        Self::Button,
        Self::Footer,
        Self::BrandName,
        Self::Counter,
    ];

    /// Its name in instructions, to stand behind "the".
    pub fn name(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Supporting => "supporting text",
            Self::Note => "note",
            Self::Kicker => "kicker",
            Self::Figure => "figure",
            Self::Points => "points",
            Self::Details => "details",
            Self::Labels => "labels",
            Self::Attribution => "attribution",
            Self::Button => "call to action",
            Self::Footer => "footer",
            Self::BrandName => "brand name",
            Self::Counter => "page number",
        }
    }

    /// The part of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }

    /// The part that a slot plays; `None` for what only drawings say.
    pub fn of(slot: SlotId) -> Option<Self> {
        Some(match slot {
            SlotId::Title => Self::Headline,
            SlotId::Body => Self::Supporting,
            SlotId::Note => Self::Note,
            SlotId::Kicker => Self::Kicker,
            SlotId::Value | SlotId::Unit | SlotId::Number => Self::Figure,
            SlotId::ItemHead(_) => Self::Points,
            SlotId::ItemBody(_) => Self::Details,
            SlotId::ItemLabel(_) | SlotId::Cell(..) | SlotId::Group(_) => Self::Labels,
            SlotId::Attribution => Self::Attribution,
            SlotId::Cta => Self::Button,
            SlotId::Handle => Self::Footer,
            SlotId::Brand => Self::BrandName,
            SlotId::Counter => Self::Counter,
            SlotId::Axis => return None,
        })
    }
}

/// Which texts an edit is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Which {
    /// All of a part.
    All(Part),
    /// One of several: a point, a cell.
    One(SlotId),
}

impl Which {
    /// Whether a slot is among them.
    pub fn has(self, slot: SlotId) -> bool {
        match self {
            Self::All(part) => Part::of(slot) == Some(part),
            Self::One(one) => one == slot,
        }
    }
}

/// Names of slots in instructions: "headline", "point 2", "detail 2", "label 2", "cell 1 of point 2", "column 1". Counted
/// from 1, as people do.
impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = |n: u8| u32::from(n) + 1;
        match *self {
            Self::All(part) => f.write_str(part.name()),
            Self::One(slot) => match slot {
                SlotId::ItemHead(i) => write!(f, "point {}", n(i)),
                SlotId::ItemBody(i) => write!(f, "detail {}", n(i)),
                SlotId::ItemLabel(i) => write!(f, "label {}", n(i)),
                SlotId::Cell(i, c) => write!(f, "cell {} of point {}", n(c), n(i)),
                SlotId::Group(i) => write!(f, "column {}", n(i)),
                SlotId::Value => f.write_str("figure's value"),
                SlotId::Unit => f.write_str("figure's unit"),
                SlotId::Number => f.write_str("step's number"),
                SlotId::Axis => f.write_str("axis"),
                other => f.write_str(Part::of(other).map_or("axis", Part::name)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_names_one_part() {
        for part in Part::ALL {
            assert_eq!(Part::by_name(part.name()), Some(part));
        }
    }

    #[test]
    fn parts_have_their_slots() {
        assert!(Which::All(Part::Points).has(SlotId::ItemHead(3)));
        assert!(!Which::All(Part::Points).has(SlotId::ItemBody(3)));
        assert!(Which::One(SlotId::ItemHead(1)).has(SlotId::ItemHead(1)));
        assert!(!Which::One(SlotId::ItemHead(1)).has(SlotId::ItemHead(2)));
    }
}
