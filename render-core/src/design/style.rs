//! The styles.

/// A style that the engine draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// Warm paper, one saturated seed colour, geometric art.
    Modern,
    /// Near-white, ink, a trace of accent.
    Minimal,
    /// Flats in full chroma and black, type that fills the page.
    Bold,
    /// Ivory or a deep field, a light serif, metal in rules.
    Elegant,
    /// Cream and pastel tiles with thick outlines, round type.
    Playful,
    /// White, navy or green, one alert hue.
    Corporate,
    /// Hues far apart, mixed faces, cut waves and halftones.
    Creative,
    /// Near-black, one luminous accent.
    Dark,
}

/// The names that a request may use.
pub const STYLE_NAMES: [&str; 8] = ["modern", "minimal", "bold", "elegant", "playful", "corporate", "creative", "dark"];

impl Style {
    /// Every style, in the order of [`STYLE_NAMES`].
    pub const ALL: [Self; 8] = [
        Self::Modern,
        Self::Minimal,
        Self::Bold,
        Self::Elegant,
        Self::Playful,
        Self::Corporate,
        Self::Creative,
        Self::Dark,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        STYLE_NAMES[self as usize]
    }

    /// The style of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}
