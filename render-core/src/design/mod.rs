//! How a page looks: styles, palettes, faces, archetypes, and the [`Page`] that carries the decisions.

mod archetype;
pub mod page;
mod palette;
mod photo;
pub mod stored;
mod style;
mod styles;
pub mod theme;

pub use archetype::Archetype;
pub use page::{Faces, ItemData, Page, SizeCaps, Slide, Slot, SlotId, Writing};
pub use photo::{Crop, Photo, focus};
pub use style::{STYLE_NAMES, Style};
pub use theme::{Card, Cut, Fields, Flourish, Nodes, Numerals, Theme, Tiles, Voice};

use crate::scene::Color;

/// Which field a page stands on. A set moves through them in a rhythm: A A A B A A C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// A: the style's own ground.
    Base,
    /// B: the accent's field, for the one slide that contrasts.
    Accent,
    /// C: the field that closes a set.
    Close,
}

/// The colours of a page by what they are for, resolved for its field. All opaque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// The page.
    pub bg: Color,
    /// A card or an idle bar on the page.
    pub surface: Color,
    /// Headlines.
    pub ink: Color,
    /// Supporting text.
    pub ink2: Color,
    /// Rules and idle marks.
    pub line: Color,
    /// The accent: art, marks, buttons.
    pub accent: Color,
    /// The accent where it is text on `bg`.
    pub accent_text: Color,
    /// A pale relative of the accent, for art.
    pub accent2: Color,
    /// A still paler one.
    pub tint: Color,
    /// Ink on the accent.
    pub on_accent: Color,
    /// The field that text stands on beside `bg`: a band, the other half, a highlighted column.
    pub field: Color,
    /// Ink on that field.
    pub on_field: Color,
    /// The colours of art and tiles, in order; `ink` reads on the tiles of styles that set text on them.
    pub art: [Color; 5],
}

/// Art drawn by a recipe of the kit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Art {
    /// Which recipe.
    pub recipe: Recipe,
    /// What it draws by chance.
    pub seed: u64,
    /// A share of 0–1 that the recipe encodes, where it can.
    pub value: Option<f32>,
}

/// The recipes of the art kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Recipe {
    /// Quarter circles, dots and discs on a square grid.
    Mosaic,
    /// One large ring with an arc of it drawn in the accent.
    Arc,
    /// The lit limb of a planet.
    Limb,
    /// Contour lines of a height field.
    Contours,
}

impl Recipe {
    /// Every recipe.
    pub const ALL: [Self; 4] = [Self::Mosaic, Self::Arc, Self::Limb, Self::Contours];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mosaic => "mosaic",
            Self::Arc => "arc",
            Self::Limb => "limb",
            Self::Contours => "contours",
        }
    }
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 3] = [Self::Base, Self::Accent, Self::Close];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Accent => "accent",
            Self::Close => "close",
        }
    }
}
