//! [`Op`]: one change to a page, described by its end state.

use std::fmt::Write;

use crate::design::{Background, Crop, LogoPlace, Part, Recipe, SlotId, Stand, Style, Template, Which};
use crate::icon::Icon;
use crate::scene::Color;
use crate::text::{Align, Family};

use super::{Hue, Reshape};

/// The size in du that means "as large as fits". No page has room for text of this size.
pub(super) const LARGEST: u16 = 2_000;

/// One change, described by its end state, so that applying it is idempotent.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// The words of a slot. Empty text removes the slot from the page. A line break in a headline is kept.
    Words {
        /// The slot.
        slot: SlotId,
        /// Its new text.
        to: String,
    },
    /// Replaces a phrase wherever a page contains it. This op is for changes to all slides of a set; a prompt about one
    /// page is read as [`Op::Words`].
    Replace {
        /// The phrase to find, as whole words and case-insensitively.
        from: String,
        /// The replacement.
        to: String,
    },
    /// The items, in order. An item whose head is already on the page keeps its sentence, label, figures and icon.
    Items(Vec<ItemWords>),
    /// The emphasised words of a slot. All other words of the slot lose their emphasis.
    Stress {
        /// The slot.
        slot: SlotId,
        /// Phrases of the slot's text. An empty list removes all emphasis.
        words: Vec<String>,
    },
    /// The size of a text in du (1/1080 of the canvas's short edge). For several texts it is the size of the largest
    /// one; the others scale with it.
    Size {
        /// Which texts.
        which: Which,
        /// 4 to 2000; 2000 means "as large as fits".
        to: u16,
    },
    /// The font weight of a part, 100–900.
    Weight {
        /// Which part.
        part: Part,
        /// The weight, as in CSS.
        to: u16,
    },
    /// The typeface of headlines and figures, or of all other text.
    Face {
        /// True for headlines and figures, false for all other text.
        display: bool,
        /// The family.
        to: Family,
    },
    /// The alignment of the headline and the supporting text.
    Align(Align),
    /// The vertical position of the content between head and foot.
    Stand(Stand),
    /// A colour of the page.
    Colour {
        /// Which colour.
        hue: Hue,
        /// Opaque. A colour in which or on which text would be unreadable is replaced by the nearest readable one.
        to: Color,
    },
    /// The colour of some texts.
    Ink {
        /// Which texts.
        which: Which,
        /// The colour, with the same rules as for [`Op::Colour`].
        to: Color,
    },
    /// The style, with its own colours and typefaces. It resets sizes and colours that earlier edits set.
    Style(Style),
    /// The style's colour scheme by number, counted from 1.
    Scheme(u8),
    /// The style's ground (background field) that the page uses.
    Ground(Ground),
    /// The art.
    Art {
        /// The recipe; `None` removes the art.
        recipe: Option<Recipe>,
        /// The number of the drawing, counted from 1. Each number draws the recipe with another seed.
        variant: u8,
    },
    /// The icons of the items, in order; `None` for an item without an icon.
    Icons(Vec<Option<Icon>>),
    /// Another photograph, on a page whose kind has a layout with a photograph.
    Picture {
        /// Its address.
        url: String,
        /// The key of the stored file ([`crate::design::Photo::key`]). `None` accepts any file found at the address.
        key: Option<String>,
    },
    /// The visibility and framing of the photograph.
    Photo {
        /// Whether the page shows it.
        shown: bool,
        /// How it fills its box.
        crop: Crop,
        /// The point that stays visible, in hundredths from the left and from the top.
        focus: (u8, u8),
        /// How much it is darkened, in hundredths.
        dim: u8,
    },
    /// The logo's visibility, place and size.
    Logo {
        /// Whether the page shows it.
        shown: bool,
        /// Its place.
        place: LogoPlace,
        /// Its size in per cent of the usual size: 40–400.
        percent: u16,
    },
    /// The layout.
    Layout(Template),
    /// The distance from the edges and between parts, in per cent of the usual distance: 50–200.
    Space(u16),
    /// The highlighted chart row, list point or tile, counted from 0.
    Highlight(Option<u8>),
    /// Whether the page shows its number and the progress indicator beside it.
    Counter(bool),
    /// The page's drawing: the name of a picture of the vocabulary, or an emoji.
    Drawing(String),
    /// A change to the elements of the page's text.
    Element(Reshape),
    /// The whole page in the page language, including head and foot.
    Page(String),
}

/// The ground (background field) of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// The style's own ground.
    Own,
    /// The accent field.
    Accent,
    /// The ground of the closing slide of a set.
    Close,
}

/// The words of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemWords {
    /// Its head.
    pub head: String,
    /// Its sentence. `None` keeps the sentence of the existing item with this head.
    pub body: Option<String>,
}

impl Op {
    /// The key of what an op sets. A later op overrides an earlier one with the same key. `None` for ops that
    /// accumulate.
    pub(super) fn key(&self) -> Option<String> {
        let mut out = String::new();
        let written = match self {
            Self::Words { slot, .. } => write!(out, "words {slot}"),
            Self::Stress { slot, .. } => write!(out, "stress {slot}"),
            Self::Size { which, .. } => write!(out, "size {which}"),
            Self::Weight { part, .. } => write!(out, "weight {}", part.name()),
            Self::Face { display, .. } => write!(out, "face {display}"),
            Self::Colour { hue, .. } => write!(out, "colour {}", hue.name()),
            Self::Ink { which, .. } => write!(out, "ink {which}"),
            Self::Replace { .. } => return None,
            Self::Element(change) => return change.key(),
            Self::Drawing(_) => write!(out, "art"),
            Self::Items(_) => write!(out, "items"),
            Self::Align(_) => write!(out, "align"),
            Self::Stand(_) => write!(out, "stand"),
            Self::Style(_) => write!(out, "style"),
            Self::Scheme(_) => write!(out, "scheme"),
            Self::Ground(_) => write!(out, "ground"),
            Self::Art { .. } => write!(out, "art"),
            Self::Icons(_) => write!(out, "icons"),
            Self::Picture { .. } => write!(out, "picture"),
            Self::Photo { .. } => write!(out, "photo"),
            Self::Logo { .. } => write!(out, "logo"),
            Self::Layout(_) => write!(out, "layout"),
            Self::Space(_) => write!(out, "space"),
            Self::Highlight(_) => write!(out, "highlight"),
            Self::Counter(_) => write!(out, "counter"),
            Self::Page(_) => write!(out, "page"),
        };
        written.ok().map(|()| out)
    }
}

impl Ground {
    /// The field of this ground.
    pub fn background(self) -> Background {
        match self {
            Self::Own => Background::Base,
            Self::Accent => Background::Accent,
            Self::Close => Background::Close,
        }
    }

    /// Returns the ground of a field.
    pub fn of(background: Background) -> Self {
        match background {
            Background::Base => Self::Own,
            Background::Accent => Self::Accent,
            Background::Close => Self::Close,
        }
    }
}
