//! [`Target`]: the page that an edit is about, as it stands.

use crate::compose::{Composed, compose};
use crate::design::{Brand, Page, Part, Photo, SlotId, Which};
use crate::scene::{Color, Scene, TextBlock};
use crate::text::Fonts;

use super::Hue;

/// The page that an edit is about.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The page, its photograph and logo with their pixels.
    pub page: &'a Page,
    /// The scene that it makes.
    pub scene: Scene,
    /// The version that it is of.
    pub version: u32,
    /// Whose page it is: its colours, logos and faces.
    pub brand: Option<&'a Brand>,
    /// The faces of the page.
    pub fonts: &'a Fonts,
    /// The pictures that an edit may ask for: those that [`super::pictures`] finds in what it says.
    pub pictures: &'a [Picture],
}

/// A picture of the web, and what came of asking for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Where it is to be had.
    pub url: String,
    /// With its pixels; or why it can't be had, in a few words.
    pub found: Result<Photo, String>,
}

impl<'a> Target<'a> {
    /// A page as it stands.
    pub fn new(page: &'a Page, version: u32, brand: Option<&'a Brand>, fonts: &'a Fonts) -> Self {
        let Composed { scene, .. } = compose(page, fonts);
        Self { page, scene, version, brand, fonts, pictures: &[] }
    }

    /// With the pictures that an edit of it may ask for.
    pub fn with_pictures(self, pictures: &'a [Picture]) -> Self {
        Self { pictures, ..self }
    }

    /// The largest size in du that some texts are set in; `None` where the page has none of them.
    pub fn size(&self, which: Which) -> Option<f32> {
        sizes(&self.scene, which).max_by(f32::total_cmp)
    }

    /// The weight of a part's face.
    pub fn weight(&self, part: Part) -> Option<u16> {
        self.scene.blocks.iter().find(|b| is_of(b, Which::All(part))).map(|b| b.weight)
    }

    /// The ink of some texts.
    pub fn ink(&self, which: Which) -> Option<Color> {
        self.scene.blocks.iter().find(|b| is_of(b, which)).map(|b| b.color)
    }

    /// A colour of the page.
    pub fn colour(&self, hue: Hue) -> Color {
        hue.of(&self.page.palette)
    }

    /// The parts that the page has words for.
    pub fn has(&self, part: Part) -> bool {
        self.page.slots.iter().any(|s| Part::of(s.id) == Some(part))
    }

    /// The words of a slot.
    pub fn text(&self, slot: SlotId) -> Option<&'a str> {
        self.page.text(slot)
    }
}

/// The sizes that some texts of a scene are set in.
pub(super) fn sizes(scene: &Scene, which: Which) -> impl Iterator<Item = f32> + '_ {
    // A quotation's opening mark that stands alone is no text of its size.
    let alone = |b: &&TextBlock| matches!(b.text.trim(), "“" | "„" | "«" | "»" | "‹" | "\"" | "「" | "『" | "‘");
    scene.blocks.iter().filter(move |b| is_of(b, which) && !alone(b)).map(|b| b.size)
}

/// Whether a text of a scene is one of some.
pub(super) fn is_of(block: &TextBlock, which: Which) -> bool {
    block.slot.parse().is_ok_and(|slot: SlotId| which.has(slot))
}
