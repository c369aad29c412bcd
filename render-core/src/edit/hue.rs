//! The colours of a page that an edit may set.

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
