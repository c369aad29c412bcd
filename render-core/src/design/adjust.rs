//! [`Adjust`]: changes that edits made to a page beyond the choices of its style and template.

use super::{Part, SlotId, Which};
use crate::scene::Color;
use crate::text::Align;

/// The changes made by edits. An unedited page has the default, which changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjust {
    /// Sizes of texts, as multiples of those that the page would choose.
    pub scales: Vec<(Which, f32)>,
    /// Weights of parts, 100–900.
    pub weights: Vec<(Part, u16)>,
    /// Inks of texts; their lightness is changed where they would be unreadable.
    pub inks: Vec<(Which, Color)>,
    /// Alignment of the lines of headline and supporting text.
    pub align: Option<Align>,
    /// Vertical position of the content between head and foot, if the layout leaves a choice.
    pub stand: Option<Stand>,
    /// Distance from the edges and between parts, in hundredths of the usual one.
    pub space: u16,
    /// Index of the style's colour scheme, from 0, if it differs from the one that the seed picks.
    pub scheme: Option<u8>,
    /// How the logo is shown.
    pub logo: LogoLook,
    /// How much darker the photograph is, in hundredths.
    pub dim: u8,
    /// Index of the highlighted row, point or tile, if it differs from the one that the page would choose.
    pub highlight: Option<u8>,
    /// Whether a slide hides its number and the progress next to it.
    pub unnumbered: bool,
    /// The layout variant of the page, if it differs from the one for its place in the carousel. A slide that is moved
    /// keeps its look.
    pub variant: Option<u32>,
}

/// Vertical position of a page's content between its head and its foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stand {
    /// Below the head.
    Top,
    /// In the middle.
    Middle,
    /// Above the foot.
    Bottom,
}

/// How a logo is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogoLook {
    /// Whether it is shown.
    pub shown: bool,
    /// Its position.
    pub place: LogoPlace,
    /// Its size in hundredths of its usual one.
    pub percent: u16,
}

/// Position of a logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogoPlace {
    /// At the start of the head.
    HeadStart,
    /// At the end of the head.
    HeadEnd,
    /// At the start of the foot.
    FootStart,
    /// At the end of the foot.
    FootEnd,
}

impl Default for LogoLook {
    fn default() -> Self {
        Self { shown: true, place: LogoPlace::HeadStart, percent: 100 }
    }
}

impl Default for Adjust {
    fn default() -> Self {
        Self {
            scales: Vec::new(),
            weights: Vec::new(),
            inks: Vec::new(),
            align: None,
            stand: None,
            space: 100,
            scheme: None,
            logo: LogoLook::default(),
            dim: 0,
            highlight: None,
            unnumbered: false,
            variant: None,
        }
    }
}

impl Adjust {
    /// Returns the scale of a slot's text. A scale for the slot alone takes precedence over one for its part.
    pub fn scale(&self, slot: SlotId) -> f32 {
        of(&self.scales, slot).unwrap_or(1.0)
    }

    /// Returns the ink of a slot's text.
    pub fn ink(&self, slot: SlotId) -> Option<Color> {
        of(&self.inks, slot)
    }

    /// Returns the weight of a slot's font.
    pub fn weight(&self, slot: SlotId) -> Option<u16> {
        let part = Part::of(slot)?;
        self.weights.iter().find(|(of, _)| *of == part).map(|(_, weight)| *weight)
    }
}

fn of<T: Copy>(said: &[(Which, T)], slot: SlotId) -> Option<T> {
    let one = said.iter().find(|(which, _)| *which == Which::One(slot));
    one.or_else(|| said.iter().find(|(which, _)| which.has(slot))).map(|(_, value)| *value)
}

impl Stand {
    /// Every position, from the top down.
    pub const ALL: [Self; 3] = [Self::Top, Self::Middle, Self::Bottom];

    /// Returns its name, in the stored form and in instructions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Middle => "middle",
            Self::Bottom => "bottom",
        }
    }

    /// Returns the position with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stand| stand.name() == name)
    }
}

impl LogoPlace {
    /// Every position.
    pub const ALL: [Self; 4] = [Self::HeadStart, Self::HeadEnd, Self::FootStart, Self::FootEnd];

    /// Returns whether it is in the foot.
    pub fn is_low(self) -> bool {
        matches!(self, Self::FootStart | Self::FootEnd)
    }

    /// Returns its name in the stored form.
    pub fn name(self) -> &'static str {
        match self {
            Self::HeadStart => "head-start",
            Self::HeadEnd => "head-end",
            Self::FootStart => "foot-start",
            Self::FootEnd => "foot-end",
        }
    }
}
