//! [`Setting`] and [`With`]: what a page is set with, and the surroundings of one of its elements.

use crate::content::Language;
use crate::design::{Adjust, Art, Faces, Logo, Palette, Photo, SizeCaps, Slide, SlotId, Style, Theme};
use crate::format::Format;
use crate::scene::Color;
use crate::text::{Align, Fonts, Paragraph, ShapedText};
use crate::tree::Node;

use super::boxed::{Boxed, Flow};
use super::frame::Frame;
use super::inks::Inks;

/// Turns an element into a box. Elements know this function only through [`Setting::dress`], since one calls the other.
pub type Dresser = for<'w, 's> fn(&Node, &'w With<'s>) -> Boxed;

/// The surroundings of an element.
#[derive(Clone, Copy)]
pub struct With<'s> {
    /// What the page is set with.
    pub setting: &'s Setting<'s>,
    /// Its frame.
    pub frame: &'s Frame,
    /// Colours on the ground that the element stands on.
    pub inks: Inks,
    /// Where lines of words stand.
    pub align: Align,
    /// How the element's parent lays it out.
    pub flow: Flow,
}

/// Everything beside the tree that a page is set with.
pub struct Setting<'a> {
    /// The format.
    pub format: &'a Format,
    /// The style.
    pub style: Style,
    /// Colours of the page's field.
    pub palette: Palette,
    /// What the brand is called; empty without one.
    pub brand: &'a str,
    /// The brand's logos for light and for dark grounds.
    pub logos: [Option<&'a Logo>; 2],
    /// The families.
    pub faces: Faces,
    /// The language of the words.
    pub language: &'a Language,
    /// The fonts.
    pub fonts: &'a Fonts,
    /// The page's place in a carousel.
    pub slide: Option<Slide>,
    /// Photographs by the names that the page calls them by.
    pub photos: &'a [(String, Photo)],
    /// Whatever is chosen by chance is chosen by this.
    pub seed: u64,
    /// What edits and the other pages of its set ask of it.
    pub touches: Touches<'a>,
    /// Turns elements into boxes.
    pub dress: Dresser,
}

/// What edits and the other pages of a set ask of a page. The default changes nothing.
#[derive(Clone, Copy, Default)]
pub struct Touches<'a> {
    /// What edits asked of texts, addressed by their slots.
    pub adjust: Option<&'a Adjust>,
    /// The largest sizes of texts, so that the slides of a set agree.
    pub sizes: SizeCaps,
    /// Fit groups that the pages of a set share, with their largest sizes in du.
    pub groups: &'a [(String, f32)],
    /// The ornament that `art` draws where it names none.
    pub art: Option<Art>,
    /// Whether each text is as large as it can be, rather than all at the same share of their ranges.
    pub generous: bool,
}

impl Touches<'_> {
    /// The largest size in du of a slot's text.
    pub fn most(&self, slot: SlotId) -> Option<f32> {
        match slot {
            SlotId::Title => self.sizes.title,
            SlotId::Body => self.sizes.body,
            SlotId::ItemHead(_) => self.sizes.item,
            _ => None,
        }
    }

    /// How far apart things stand, in hundredths of the usual distance.
    pub fn space(&self) -> u16 {
        self.adjust.map_or(100, |adjust| adjust.space)
    }
}

impl Setting<'_> {
    /// The tokens of the style.
    pub fn theme(&self) -> &'static Theme {
        Theme::of(self.style)
    }

    /// The photograph of this name.
    pub fn photo(&self, name: &str) -> Option<&Photo> {
        self.photos.iter().find(|(n, _)| n == name).map(|(_, photo)| photo)
    }

    /// The brand's logo for a ground: the variant made for it where there is one.
    pub fn logo(&self, ground: Color) -> Option<&Logo> {
        let [light, dark] = self.logos;
        if ground.to_oklch().l < 0.6 { dark.or(light) } else { light.or(dark) }
    }

    /// A paragraph, shaped.
    pub fn shaped(&self, paragraph: &Paragraph<'_>) -> ShapedText {
        ShapedText::new(self.fonts, paragraph)
    }
}
