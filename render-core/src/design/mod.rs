//! The look of a page: styles, palettes, fonts, templates, and [`Page`], which holds the decisions.

mod adjust;
mod art;
pub mod brand;
mod chosen;
mod logo;
pub mod page;
mod palette;
mod part;
mod photo;
mod scheme;
mod slot;
pub mod stored;
mod stored_adjust;
mod stored_common;
mod styles;
pub mod template;
pub mod theme;

pub use adjust::{Adjust, LogoLook, LogoPlace, Stand};

pub use art::{Art, Recipe};
pub use brand::{Brand, FaceFile};
pub use chosen::Scheme;
pub use logo::{FileKey, Logo};
pub use page::{ItemData, Page, SizeCaps, Slide, Writing};
pub use palette::{Branding, readable};
pub(crate) use palette::{field_for_text, ink_for};
pub use part::{Part, Which};
pub use photo::{Crop, Photo, focus};
pub use scheme::Colours;
pub use slot::{Slot, SlotId, UnknownSlot};
pub use styles::{STYLE_NAMES, Style};
pub use template::Template;
pub use theme::{Card, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Rhythm, Theme, Tiles, Traveller, Voice};

use crate::random::{Chance, STEP, fnv1a};
use crate::scene::Color;

/// The background of a page. The slides of a set alternate between them in the rhythm of their style: A A A B A A C, or
/// A B A C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Background {
    /// A: the style's own background.
    Base,
    /// B: the accent colour, for the one slide that contrasts.
    Accent,
    /// C: the background that closes a set.
    Close,
}

/// The colours of a page by purpose, resolved for its background. All are opaque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// The background of the page.
    pub bg: Color,
    /// A card or an inactive bar on the page.
    pub surface: Color,
    /// Headlines.
    pub ink: Color,
    /// Supporting text.
    pub ink2: Color,
    /// Rules and inactive marks.
    pub line: Color,
    /// The accent: art, marks, buttons.
    pub accent: Color,
    /// The accent where it is text on `bg`.
    pub accent_text: Color,
    /// A pale variant of the accent, for art.
    pub accent2: Color,
    /// An even paler variant.
    pub tint: Color,
    /// Ink on the accent.
    pub on_accent: Color,
    /// A second background for text beside `bg`: a band, the other half, a highlighted column.
    pub field: Color,
    /// Ink on that field.
    pub on_field: Color,
    /// The colours of art and tiles, in order; `ink` reads on the tiles of styles that set text on them.
    pub art: [Color; 5],
}

impl Background {
    /// Every background.
    pub const ALL: [Self; 3] = [Self::Base, Self::Accent, Self::Close];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Accent => "accent",
            Self::Close => "close",
        }
    }
}

/// Returns the index among `n` things that a seed picks. Each index occurs equally often, and consecutive seeds pick
/// different ones except at multiples of `n`, so that a user who tries a few seeds sees different results.
pub(crate) fn dealt(seed: u64, n: usize, what: u64) -> usize {
    let n = n.max(1) as u64;
    ((seed % n + drawn(seed / n, what) % n) % n) as usize
}

/// Returns the random number of a seed for one thing of several, by its name.
pub(crate) fn drawn_for(seed: u64, name: &str) -> u64 {
    drawn(seed, fnv1a(name))
}

/// Returns the random number of a seed for the decision `what`, so that the decisions about a page are independent.
pub(crate) fn drawn(seed: u64, what: u64) -> u64 {
    Chance::new(seed.wrapping_add(what.wrapping_mul(STEP))).number()
}
