//! The colours of a page that an edit may set.

use crate::design::Palette;
use crate::scene::Color;

/// Colours of a page that an edit may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hue {
    /// What the page stands on.
    Background,
    /// Of every text on the page's ground.
    Text,
    /// Of art, marks and buttons.
    Accent,
    /// Of cards and idle bars.
    Cards,
    /// Of the band or half that stands against the background.
    Panel,
    /// Of rules.
    Lines,
}

impl Hue {
    /// Every one.
    pub const ALL: [Self; 6] = [Self::Background, Self::Text, Self::Accent, Self::Cards, Self::Panel, Self::Lines];

    /// The colour of a palette.
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

    /// Its name in instructions, to stand before "colour".
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
