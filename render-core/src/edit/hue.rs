//! The colours of a page that an edit may set.

use crate::design::Palette;
use crate::scene::Color;

/// A colour of a page that an edit may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hue {
    /// The page's background.
    Background,
    /// All text on the background.
    Text,
    /// Art, marks and buttons.
    Accent,
    /// Cards and idle bars.
    Cards,
    /// The band or half of the page that contrasts with the background.
    Panel,
    /// Rules.
    Lines,
}

impl Hue {
    /// All hues.
    pub const ALL: [Self; 6] = [Self::Background, Self::Text, Self::Accent, Self::Cards, Self::Panel, Self::Lines];

    /// Returns this colour of a palette.
    pub fn of(self, p: &Palette) -> Color {
        match self {
            Self::Background => p.bg,
            Self::Text => p.ink,
            Self::Accent => p.accent,
            Self::Cards => p.surface,
            Self::Panel => p.field,
            Self::Lines => p.line,
        }
    }

    /// Returns its name in instructions, where "colour" follows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Text => "text",
            Self::Accent => "accent",
            Self::Cards => "card",
            Self::Panel => "panel",
            Self::Lines => "line",
        }
    }
}
