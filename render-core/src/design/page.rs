//! [`Page`]: everything needed to draw one page, editable and complete. Composing it again needs its template, which it
//! names, but neither the brand kit nor the document.

use crate::format::FormatId;
use crate::icon::Icon;
use crate::outline::Locale;
use crate::warning::Warning;

use super::{Adjust, Art, Brand, Colours, Faces, Field, Logo, Palette, Photo, Scheme, Slot, SlotId, Style, Template};

/// One designed page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The format it is set in.
    pub format: FormatId,
    /// Its place in a carousel; `None` for a visual.
    pub slide: Option<Slide>,
    /// The template that its slots fill.
    pub template: Template,
    /// The page in the page language, where its author composed it: it is set in place of the template. Elements whose
    /// ids are names of slots say what the slots say, so that edits of words reach them.
    pub authored: Option<String>,
    /// Whether `authored` is the whole page, with its head and foot, as an editor left it; else a frame is set around it.
    pub whole: bool,
    /// The style it is set in.
    pub style: Style,
    /// Its colours, resolved.
    pub palette: Palette,
    /// The colours that its author chose for the set.
    pub scheme: Option<Scheme>,
    /// Which of the palette's fields it stands on.
    pub field: Field,
    /// Its art, if any.
    pub art: Option<Art>,
    /// The picture that stands in place of its art: a name of the picture vocabulary, or an emoji.
    pub picture: Option<String>,
    /// Its photograph, if any.
    pub photo: Option<Photo>,
    /// The logo at its head, if any.
    pub logo: Option<Logo>,
    /// Faces of display and body type.
    pub faces: Faces,
    /// Which way its headline runs.
    pub writing: Writing,
    /// The words, in reading order.
    pub slots: Vec<Slot>,
    /// What items are beside their words; as many as there are items, or none where nothing is to be said.
    pub items: Vec<ItemData>,
    /// How much of it coincides with the slide before it, as it was planned; `None` for a page that stands alone or was
    /// edited.
    pub sameness: Option<f32>,
    /// Largest sizes in du, fitted once over a set so that all its slides agree.
    pub sizes: SizeCaps,
    /// What edits asked for.
    pub adjust: Adjust,
    /// Language and direction.
    pub locale: Locale,
    /// A description for people who can't see the picture.
    pub alt_text: String,
    /// Whatever is drawn by chance is drawn from this.
    pub seed: u64,
    /// What the reader should know about this page: what was left out or set smaller when it was planned.
    pub warnings: Vec<Warning>,
}

impl Page {
    /// Which of its layout's variants the page takes: those of a carousel take turns.
    pub fn variant(&self) -> u32 {
        self.adjust.variant.unwrap_or_else(|| self.variant_by_place())
    }

    /// The variant that its place calls for; by the seed where the page stands alone.
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
    /// How many there are.
    pub count: u32,
}

/// Which way a headline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writing {
    /// In lines.
    #[default]
    Horizontal,
    /// In columns from right to left: title and dek of a cover. The pages of a set agree, so that all of them are numbered
    /// in kanji; pages that aren't covers have lines all the same.
    Vertical,
}

/// What an item is beside its words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemData {
    /// Which of the page's groups it falls under, from 0.
    pub group: u8,
    /// The numbers of its cells, where a chart is drawn from them.
    pub numbers: Vec<f64>,
    /// Whether it is ticked.
    pub done: bool,
    /// What it speaks of, where every item of its page speaks of something else that there is a drawing of.
    pub icon: Option<Icon>,
}

/// The largest sizes in du that a page may use.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SizeCaps {
    /// Of the title.
    pub title: Option<f32>,
    /// Of body text.
    pub body: Option<f32>,
    /// Of item heads.
    pub item: Option<f32>,
}

impl Page {
    /// What decides its colours, for its `brand`: a scheme of its style that an edit asked for goes before its author's.
    pub fn colours<'b>(&self, brand: Option<&'b Brand>) -> Colours<'b> {
        let edited = self.adjust.scheme;
        Colours {
            style: self.style,
            seed: edited.map_or(self.seed, u64::from),
            brand,
            scheme: self.scheme.filter(|_| edited.is_none()),
        }
    }

    /// The words of a slot.
    pub fn text(&self, id: SlotId) -> Option<&str> {
        self.slots.iter().find(|s| s.id == id).map(|s| s.text.as_str())
    }

    /// How many items it has.
    pub fn item_count(&self) -> usize {
        self.slots.iter().filter(|s| matches!(s.id, SlotId::ItemHead(_))).count()
    }
}
