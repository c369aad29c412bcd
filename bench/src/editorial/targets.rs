//! The measures and their targets.

use serde::Serialize;

/// A measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Measure {
    CoverTitle,
    Leftovers,
    LongHeadlines,
    MostlyPoints,
    SameNeighbours,
    UnsupportedPoint,
    ShortPage,
    ShortPageOfAny,
    Sections,
    Refused,
}

/// The target for a share, 0–1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
}

impl Measure {
    /// All measures, in the order of the table.
    pub const ALL: [Self; 10] = [
        Self::CoverTitle,
        Self::Leftovers,
        Self::LongHeadlines,
        Self::MostlyPoints,
        Self::SameNeighbours,
        Self::UnsupportedPoint,
        Self::ShortPage,
        Self::ShortPageOfAny,
        Self::Sections,
        Self::Refused,
    ];

    /// Returns its label in the table.
    pub fn label(self) -> &'static str {
        match self {
            Self::CoverTitle => "cover shows the article's own title",
            Self::Leftovers => "texts with leftover markup or boilerplate",
            Self::LongHeadlines => "body headlines over 70 characters",
            Self::MostlyPoints => "carousels with more than half point-slide",
            Self::SameNeighbours => "carousels with two neighbouring body pages of the same layout",
            Self::UnsupportedPoint => "carousels with a point without support",
            Self::ShortPage => {
                "carousels with a body page under nine words, figures, quotations and statements excepted"
            }
            Self::ShortPageOfAny => "carousels with a body page under nine words, of any kind",
            Self::Sections => "the author's section headings that reach body pages",
            Self::Refused => "articles refused",
        }
    }

    /// Returns its target; `None` for a measure that is shown only for comparison.
    pub fn target(self) -> Option<Target> {
        match self {
            Self::CoverTitle => Some(Target::AtLeast(0.99)),
            Self::Leftovers => Some(Target::AtMost(0.001)),
            Self::LongHeadlines => Some(Target::AtMost(0.01)),
            Self::MostlyPoints => Some(Target::AtMost(0.05)),
            Self::SameNeighbours => Some(Target::AtMost(0.1)),
            Self::UnsupportedPoint | Self::ShortPage => Some(Target::AtMost(0.03)),
            Self::ShortPageOfAny => None,
            Self::Sections => Some(Target::AtLeast(0.98)),
            Self::Refused => Some(Target::AtMost(0.0)),
        }
    }
}

impl Target {
    /// Whether a share meets the target.
    pub fn is_held(self, share: f64) -> bool {
        match self {
            Self::AtLeast(least) => share >= least,
            Self::AtMost(most) => share <= most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_hold_at_their_limit() {
        assert!(Target::AtLeast(0.99).is_held(0.99) && !Target::AtLeast(0.99).is_held(0.98));
        assert!(Target::AtMost(0.0).is_held(0.0) && !Target::AtMost(0.0).is_held(0.001));
    }
}
