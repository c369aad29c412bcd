//! [`Target`]: the page that an edit is about, in its current state.

use crate::compose::{Composed, compose};
use crate::design::{Brand, Page, Part, Photo, SlotId, Which};
use crate::scene::{Color, Scene, TextBlock};
use crate::text::Fonts;

use super::Hue;

/// The page that an edit is about.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The page. Its photograph and logo include their pixels.
    pub page: &'a Page,
    /// The scene composed from the page.
    pub scene: Scene,
    /// The page's version.
    pub version: u32,
    /// The brand kit of the page: colours, logos and typefaces.
    pub brand: Option<&'a Brand>,
    /// The fonts to compose the page with.
    pub fonts: &'a Fonts,
    /// The pictures that the edit may use: those that [`super::pictures`] finds in its text.
    pub pictures: &'a [Picture],
}

/// A picture on the web and the result of fetching it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its address.
    pub url: String,
    /// The picture with its pixels, or a few words that say why fetching it failed.
    pub found: Result<Photo, String>,
}

impl<'a> Target<'a> {
    /// Creates the target for a page and composes its scene.
    pub fn new(page: &'a Page, version: u32, brand: Option<&'a Brand>, fonts: &'a Fonts) -> Self {
        let Composed { scene, .. } = compose(page, fonts);
        Self { page, scene, version, brand, fonts, pictures: &[] }
    }

    /// Sets the pictures that an edit of the page may use.
    pub fn with_pictures(self, pictures: &'a [Picture]) -> Self {
        Self { pictures, ..self }
    }

    /// Returns the largest size in du of some texts, or `None` if the page has none of them.
    pub fn size(&self, which: Which) -> Option<f32> {
        sizes(&self.scene, which).max_by(f32::total_cmp)
    }

    /// Returns the font weight of a part.
    pub fn weight(&self, part: Part) -> Option<u16> {
        self.scene.blocks.iter().find(|b| is_of(b, Which::All(part))).map(|b| b.weight)
    }

    /// Returns the colour of some texts, taken from the first of them.
    pub fn ink(&self, which: Which) -> Option<Color> {
        self.scene.blocks.iter().find(|b| is_of(b, which)).map(|b| b.color)
    }

    /// Returns a colour of the page.
    pub fn colour(&self, hue: Hue) -> Color {
        hue.of(&self.page.palette)
    }

    /// Returns whether the page has text for a part.
    pub fn has(&self, part: Part) -> bool {
        self.page.slots.iter().any(|s| Part::of(s.id) == Some(part))
    }

    /// Returns the text of a slot.
    pub fn text(&self, slot: SlotId) -> Option<&'a str> {
        self.page.text(slot)
    }
}

/// Returns the sizes of some texts of a scene.
pub(super) fn sizes(scene: &Scene, which: Which) -> impl Iterator<Item = f32> + '_ {
    // A stand-alone opening quotation mark doesn't count: its size says nothing about the quotation.
    let alone = |b: &&TextBlock| matches!(b.text.trim(), "“" | "„" | "«" | "»" | "‹" | "\"" | "「" | "『" | "‘");
    scene.blocks.iter().filter(move |b| is_of(b, which) && !alone(b)).map(|b| b.size)
}

/// Returns whether a text block belongs to `which`.
pub(super) fn is_of(block: &TextBlock, which: Which) -> bool {
    block.slot.parse().is_ok_and(|slot: SlotId| which.has(slot))
}
