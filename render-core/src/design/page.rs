//! [`Page`]: everything needed to draw and edit one page. Composing it again needs the template that it names, but
//! neither the brand kit nor the document.

use crate::format::FormatId;
use crate::icon::Icon;
use crate::outline::Locale;
use crate::warning::Warning;

use super::{
    Adjust, Art, Background, Brand, Colours, Faces, Logo, Palette, Photo, Scheme, Slot, SlotId, Style, Template,
};

/// One designed page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Its format.
    pub format: FormatId,
    /// Its place in a carousel; `None` for a visual.
    pub slide: Option<Slide>,
    /// The template that its slots fill.
    pub template: Template,
    /// The page in the page language, if its author composed it; it replaces the template. Elements whose ids are names
    /// of slots hold the words of these slots, so that edits of words reach them.
    pub authored: Option<String>,
    /// Whether `authored` is the whole page with head and foot, as an editor left it. If not, a frame is added around
    /// it.
    pub whole: bool,
    /// Its style.
    pub style: Style,
    /// Its colours, resolved.
    pub palette: Palette,
    /// The colours that its author chose for the set.
    pub scheme: Option<Scheme>,
    /// Its background, one of the style's fields.
    pub background: Background,
    /// Its art, if any.
    pub art: Option<Art>,
    /// The picture that replaces its art: a name of the picture vocabulary, or an emoji.
    pub picture: Option<String>,
    /// The icon of its set's subject, beside its progress indicator.
    pub motif: Option<Icon>,
    /// Its photograph, if any.
    pub photo: Option<Photo>,
    /// The logo at its head, if any.
    pub logo: Option<Logo>,
    /// Fonts of display and body text.
    pub faces: Faces,
    /// The writing direction of its headline.
    pub writing: Writing,
    /// The words, in reading order.
    pub slots: Vec<Slot>,
    /// Data of the items beside their words: one entry per item, or empty if there is no such data.
    pub items: Vec<ItemData>,
    /// How much of it coincided with the slide before it when it was planned; `None` for a single or an edited page.
    pub sameness: Option<f32>,
    /// Largest sizes in du, fitted once for a set so that all its slides agree.
    pub sizes: SizeCaps,
    /// The changes made by edits.
    pub adjust: Adjust,
    /// Language and direction.
    pub locale: Locale,
    /// The alt text.
    pub alt_text: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Warnings about this page: what was left out or reduced in size when it was planned.
    pub warnings: Vec<Warning>,
}

impl Page {
    /// Returns the layout variant of the page; the slides of a carousel rotate through them.
    pub fn variant(&self) -> u32 {
        self.adjust.variant.unwrap_or_else(|| self.variant_by_place())
    }

    /// Returns the variant for its place in the carousel; for a single page, the one that the seed picks.
    pub fn variant_by_place(&self) -> u32 {
        match self.slide {
            Some(slide) if slide.count > 1 => slide.index + 1,
            _ => ((self.seed >> 1) % 6) as u32,
        }
    }
}

/// A place in a carousel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slide {
    /// From 0.
    pub index: u32,
    /// The number of slides.
    pub count: u32,
}

/// The writing direction of a headline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writing {
    /// Horizontal lines.
    #[default]
    Horizontal,
    /// Vertical columns from right to left, for title and subtitle of a cover. All pages of a set have the same value,
    /// so that all of them are numbered in kanji, but pages other than covers still use lines.
    Vertical,
}

/// Data of an item beside its words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemData {
    /// Index of the page's group that it belongs to, from 0.
    pub group: u8,
    /// The numbers of its cells, if a chart is drawn from them.
    pub numbers: Vec<f64>,
    /// Whether it is ticked.
    pub done: bool,
    /// Its icon, if every item of the page has a different one.
    pub icon: Option<Icon>,
}

/// The largest sizes in du that a page may use.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SizeCaps {
    /// Largest size of the title.
    pub title: Option<f32>,
    /// Largest size of body text.
    pub body: Option<f32>,
    /// Largest size of item heads.
    pub item: Option<f32>,
}

impl Page {
    /// Returns what determines its colours, for its `brand`. A scheme of its style that an edit set takes precedence
    /// over its author's.
    pub fn colours<'b>(&self, brand: Option<&'b Brand>) -> Colours<'b> {
        let edited = self.adjust.scheme;
        Colours {
            style: self.style,
            seed: edited.map_or(self.seed, u64::from),
            brand,
            scheme: self.scheme.filter(|_| edited.is_none()),
        }
    }

    /// Returns the words of a slot.
    pub fn text(&self, id: SlotId) -> Option<&str> {
        self.slots.iter().find(|s| s.id == id).map(|s| s.text.as_str())
    }

    /// Returns the number of items.
    pub fn item_count(&self) -> usize {
        self.slots.iter().filter(|s| matches!(s.id, SlotId::ItemHead(_))).count()
    }
}
