//! [`Setting`] and [`With`]: the inputs of setting a page, and the surroundings of one of its elements.

use crate::content::Language;
use crate::design::{Adjust, Art, Faces, Logo, Palette, Photo, SizeCaps, Slide, SlotId, Style, Theme};
use crate::format::Format;
use crate::scene::Color;
use crate::text::{Align, Fonts, Paragraph, ShapedText};
use crate::tree::Node;

use super::boxed::{Boxed, Flow};
use super::frame::Frame;
use super::inks::Inks;

/// Turns an element into a box. Elements call it only through [`Setting::build_box`], because the two layers depend on
/// each other.
pub type BuildBox = for<'w, 's> fn(&Node, &'w With<'s>) -> Boxed;

/// The surroundings of an element.
#[derive(Clone, Copy)]
pub struct With<'s> {
    /// The inputs for the page.
    pub setting: &'s Setting<'s>,
    /// Its frame.
    pub frame: &'s Frame,
    /// Colours on the element's ground.
    pub inks: Inks,
    /// The alignment of lines of words.
    pub align: Align,
    /// How the element's parent lays it out.
    pub flow: Flow,
}

/// All inputs of setting a page except the tree.
pub struct Setting<'a> {
    /// The format.
    pub format: &'a Format,
    /// The style.
    pub style: Style,
    /// Colours of the page's background.
    pub palette: Palette,
    /// The brand's name; empty without one.
    pub brand: &'a str,
    /// The brand's logos for light and for dark grounds.
    pub logos: [Option<&'a Logo>; 2],
    /// The font families.
    pub faces: Faces,
    /// The language of the words.
    pub language: &'a Language,
    /// The fonts.
    pub fonts: &'a Fonts,
    /// The page's place in a carousel.
    pub slide: Option<Slide>,
    /// Photographs by the names that the page uses.
    pub photos: &'a [(String, Photo)],
    /// Seed of all random choices.
    pub seed: u64,
    /// The constraints from edits and from the other pages of its set.
    pub touches: Touches<'a>,
    /// Turns elements into boxes.
    pub build_box: BuildBox,
}

/// The constraints on a page from edits and from the other pages of its set. The default changes nothing.
#[derive(Clone, Copy, Default)]
pub struct Touches<'a> {
    /// Changes that edits made to texts, by slot.
    pub adjust: Option<&'a Adjust>,
    /// The largest sizes of texts, so that the slides of a set agree.
    pub sizes: SizeCaps,
    /// Fit groups that the pages of a set share, with their largest sizes in du.
    pub groups: &'a [(String, f32)],
    /// The ornament for an `art` element that names none.
    pub art: Option<Art>,
    /// Whether each text is as large as possible, instead of all at the same share of their ranges.
    pub generous: bool,
}

impl Touches<'_> {
    /// Returns the largest size in du of a slot's text.
    pub fn most(&self, slot: SlotId) -> Option<f32> {
        match slot {
            SlotId::Title => self.sizes.title,
            SlotId::Body => self.sizes.body,
            SlotId::ItemHead(_) => self.sizes.item,
            _ => None,
        }
    }

    /// Returns the distances in hundredths of the usual ones.
    pub fn space(&self) -> u16 {
        self.adjust.map_or(100, |adjust| adjust.space)
    }
}

impl Setting<'_> {
    /// Returns the tokens of the style.
    pub fn theme(&self) -> &'static Theme {
        Theme::of(self.style)
    }

    /// Returns the photograph with this name.
    pub fn photo(&self, name: &str) -> Option<&Photo> {
        self.photos.iter().find(|(n, _)| n == name).map(|(_, photo)| photo)
    }

    /// Returns the brand's logo for a ground: the variant made for it, if there is one.
    pub fn logo(&self, ground: Color) -> Option<&Logo> {
        let [light, dark] = self.logos;
        if ground.to_oklch().l < 0.6 { dark.or(light) } else { light.or(dark) }
    }

    /// Shapes a paragraph.
    pub fn shaped(&self, paragraph: &Paragraph<'_>) -> ShapedText {
        ShapedText::new(self.fonts, paragraph)
    }
}
