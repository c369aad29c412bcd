//! Parts of a page in the terms that users use in edits.

use std::fmt;

use super::SlotId;

/// Texts with the same role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The title, or the words of a quotation.
    Headline,
    /// The text that supports the headline.
    Supporting,
    /// A closing remark on the support.
    Note,
    /// A line over the headline, or in the page's head.
    Kicker,
    /// The large figure with its unit, or the numeral of a step.
    Figure,
    /// The heads of items.
    Points,
    /// The sentences of items.
    Details,
    /// Dates and similar labels of items, cells of tables, names of groups.
    Labels,
    /// The speaker of a quotation, or the source of a figure.
    Attribution,
    /// The call to action.
    Button,
    /// Name or handle at the page's foot.
    Footer,
    /// The brand's name, in the head.
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

    /// Returns its name in instructions, for use after "the".
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

    /// Returns the part with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Returns the part that a slot belongs to; `None` for slots that only drawings use.
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

/// The texts that an edit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Which {
    /// All texts of a part.
    All(Part),
    /// One of several: a point, a cell.
    One(SlotId),
}

impl Which {
    /// Returns whether it includes a slot.
    pub fn has(self, slot: SlotId) -> bool {
        match self {
            Self::All(part) => Part::of(slot) == Some(part),
            Self::One(one) => one == slot,
        }
    }
}

/// Formats names of slots as in instructions: "headline", "point 2", "detail 2", "label 2", "cell 1 of point 2",
/// "column 1". Numbers start at 1.
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
