//! The styles.

/// A style that the engine draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// Warm paper, one saturated seed colour, geometric art.
    Modern,
    /// Near-white, ink, a trace of accent.
    Minimal,
    /// Near-black, one luminous accent.
    Dark,
}

/// The names that a request may use.
pub const STYLE_NAMES: [&str; 8] = ["modern", "minimal", "bold", "elegant", "playful", "corporate", "creative", "dark"];

impl Style {
    /// Every style that is drawn.
    pub const ALL: [Self; 3] = [Self::Modern, Self::Minimal, Self::Dark];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Minimal => "minimal",
            Self::Dark => "dark",
        }
    }

    /// The style drawn for a requested name, or `None` for a name outside [`STYLE_NAMES`]. Its own name differs from
    /// `name` where a nearest style stands in.
    pub fn nearest(name: &str) -> Option<Self> {
        Some(match name {
            "modern" | "bold" | "playful" | "creative" => Self::Modern,
            "minimal" | "elegant" | "corporate" => Self::Minimal,
            "dark" => Self::Dark,
            _ => return None,
        })
    }
}
