//! [`Adjust`]: what edits asked of a page beyond what its style and its template choose.

use super::{Part, SlotId, Which};
use crate::scene::Color;
use crate::text::Align;

/// What edits asked for. A page that nobody edited has the default, which changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjust {
    /// Sizes of texts, as multiples of those that the page would choose.
    pub scales: Vec<(Which, f32)>,
    /// Weights of parts, 100–900.
    pub weights: Vec<(Part, u16)>,
    /// Inks of texts; moved in lightness where they could not be read.
    pub inks: Vec<(Which, Color)>,
    /// Where the lines of headline and supporting text stand.
    pub align: Option<Align>,
    /// Where what the page says stands between its head and its foot, where the layout leaves room to choose.
    pub stand: Option<Stand>,
    /// Distance from the edges and between parts, in hundredths of the usual one.
    pub space: u16,
    /// Which of the style's schemes the colours are from, counted from 0, where it isn't the one that the seed picks.
    pub scheme: Option<u8>,
    /// How the logo stands.
    pub logo: LogoLook,
    /// How much darker the photograph is, in hundredths.
    pub dim: u8,
    /// Which row, point or tile stands out, where it isn't the one that the page would choose.
    pub highlight: Option<u8>,
    /// Whether a slide goes without its number and the progress beside it.
    pub unnumbered: bool,
    /// Which of its layout's variants the page takes, where it isn't the one of its place in the carousel: a slide that is moved
    /// keeps its look.
    pub variant: Option<u32>,
}

/// Where what a page says stands between its head and its foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stand {
    /// Under the head.
    Top,
    /// Half way.
    Middle,
    /// Over the foot.
    Bottom,
}

/// How a logo stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogoLook {
    /// Whether it is there.
    pub shown: bool,
    /// Where.
    pub place: LogoPlace,
    /// Its size in hundredths of its usual one.
    pub percent: u16,
}

/// Where a logo stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogoPlace {
    /// At the start of the head.
    HeadStart,
    /// At its end.
    HeadEnd,
    /// At the start of the foot.
    FootStart,
    /// At its end.
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
    /// By how much a slot's text is larger than the page would choose: what is said of it alone goes before what is said of
    /// its part.
    pub fn scale(&self, slot: SlotId) -> f32 {
        of(&self.scales, slot).unwrap_or(1.0)
    }

    /// The ink of a slot's text.
    pub fn ink(&self, slot: SlotId) -> Option<Color> {
        of(&self.inks, slot)
    }

    /// The weight of a slot's face.
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
    /// Every place, from the top down.
    pub const ALL: [Self; 3] = [Self::Top, Self::Middle, Self::Bottom];

    /// Its name, in the stored form and in instructions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Middle => "middle",
            Self::Bottom => "bottom",
        }
    }

    /// By its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stand| stand.name() == name)
    }
}

impl LogoPlace {
    /// Every place.
    pub const ALL: [Self; 4] = [Self::HeadStart, Self::HeadEnd, Self::FootStart, Self::FootEnd];

    /// Whether it is in the foot.
    pub fn is_low(self) -> bool {
        matches!(self, Self::FootStart | Self::FootEnd)
    }

    /// Its name in the stored form.
    pub fn name(self) -> &'static str {
        match self {
            Self::HeadStart => "head-start",
            Self::HeadEnd => "head-end",
            Self::FootStart => "foot-start",
            Self::FootEnd => "foot-end",
        }
    }
}
