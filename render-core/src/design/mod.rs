//! How a page looks: styles, palettes, faces, archetypes, and the [`Page`] that carries the decisions.

pub mod page;
pub mod stored;
mod style;

pub use page::{Faces, Page, SizeCaps, Slide, Slot, SlotId};
pub use style::{STYLE_NAMES, Style};

use crate::scene::Color;

/// The structures of a page. Each says in `compose` how its slots are set at any aspect ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Archetype {
    /// Title and dek, type in the lead.
    CoverType,
    /// One point and what supports it.
    PointSlide,
    /// One numbered step.
    StepSlide,
    /// Several items in a grid ruled off by lines.
    ListGrid,
    /// One figure over the full width.
    BigStat,
    /// A quotation with hanging marks.
    Quote,
    /// Ruled list of what was said, and what to do now.
    RecapCta,
}

/// Which of a palette's fields a page stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The background.
    Base,
    /// The tinted background.
    Tint,
    /// The field colour, type reversed out of it.
    Inverted,
}

/// The colours of a page by what they are for. All opaque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// The page.
    pub bg: Color,
    /// A card on the page.
    pub surface: Color,
    /// Headlines and body.
    pub ink: Color,
    /// Supporting text.
    pub ink2: Color,
    /// Rules and idle marks.
    pub line: Color,
    /// The accent, exact: art, marks, large figures.
    pub accent: Color,
    /// The accent where it is text on `bg`.
    pub accent_text: Color,
    /// A pale relative of the accent.
    pub tint: Color,
    /// The inverted field.
    pub field: Color,
    /// Ink on the field.
    pub on_field: Color,
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
