//! [`Op`]: one change to a page, as the state that it ends in.

use std::fmt::Write;

use crate::design::{Background, Crop, LogoPlace, Part, Recipe, SlotId, Stand, Style, Template, Which};
use crate::icon::Icon;
use crate::scene::Color;
use crate::text::{Align, Family};

use super::{Hue, Reshape};

/// The size in du that stands for as large as it fits: no page has room for it.
pub(super) const LARGEST: u16 = 2_000;

/// One change, as the state that it ends in: done twice it is done once.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// The words of a slot; none takes the slot off the page. A line break in a headline is kept as one.
    Words {
        /// The slot.
        slot: SlotId,
        /// What it says.
        to: String,
    },
    /// Wherever a page says the one, it says the other: for changes to all slides of a set; of one page it is read as
    /// [`Op::Words`].
    Replace {
        /// Words, found in any case and as whole words.
        from: String,
        /// What stands there instead.
        to: String,
    },
    /// The items, in order. One whose head is on the page already keeps what belongs to it: sentence, label, figures, icon.
    Items(Vec<ItemWords>),
    /// Words of a slot that are emphasised, and no others.
    Stress {
        /// The slot.
        slot: SlotId,
        /// Phrases as they stand in it; none for no emphasis.
        words: Vec<String>,
    },
    /// Size of a text in du (1/1080 of the canvas's short edge); of several, of the largest, and the others with it.
    Size {
        /// Which texts.
        which: Which,
        /// 4 to 2000; 2000 is as large as it fits.
        to: u16,
    },
    /// Weight of a part's face, 100–900.
    Weight {
        /// Which part.
        part: Part,
        /// As in CSS.
        to: u16,
    },
    /// The face of headlines and figures, or of everything else.
    Face {
        /// Of headlines.
        display: bool,
        /// The family.
        to: Family,
    },
    /// Where the lines of headline and supporting text stand.
    Align(Align),
    /// Where what the page says stands between its head and its foot.
    Stand(Stand),
    /// A colour of the page.
    Colour {
        /// Which.
        hue: Hue,
        /// Opaque. What text could not be read in or on is done as near as it can be.
        to: Color,
    },
    /// The colour of some texts.
    Ink {
        /// Which texts.
        which: Which,
        /// As of [`Op::Colour`].
        to: Color,
    },
    /// The style, with its own colours and faces; sizes and colours set before give way to it.
    Style(Style),
    /// Which of the style's schemes the colours are from, counted from 1.
    Scheme(u8),
    /// Which of the style's grounds it stands on.
    Ground(Ground),
    /// The art; none for a page without.
    Art {
        /// By which recipe.
        recipe: Option<Recipe>,
        /// Which of its drawings, counted from 1: another one is drawn for each.
        variant: u8,
    },
    /// The icons of the items, in order; none on an item without.
    Icons(Vec<Option<Icon>>),
    /// Another photograph, on a page that shows one or can.
    Picture {
        /// Where it is to be had.
        url: String,
        /// The stored file ([`crate::design::Photo::key`]); any that is had there, where none is named.
        key: Option<String>,
    },
    /// What is seen of the photograph.
    Photo {
        /// Whether it is there.
        shown: bool,
        /// How it fills its room.
        crop: Crop,
        /// What stays in sight, in hundredths from the left and from the top.
        focus: (u8, u8),
        /// How much darker it is, in hundredths.
        dim: u8,
    },
    /// Whether and where the logo stands, and its size in hundredths of its usual one.
    Logo {
        /// Whether it is there.
        shown: bool,
        /// Where.
        place: LogoPlace,
        /// 40–400.
        percent: u16,
    },
    /// The structure.
    Layout(Template),
    /// Distance from the edges and between parts, in hundredths of the usual one: 50–200.
    Space(u16),
    /// Which row of a chart, point of a list or tile stands out, from 0.
    Highlight(Option<u8>),
    /// Whether the page number, with the progress beside it, is shown.
    Counter(bool),
    /// A picture of the vocabulary by its name, or an emoji, as the page's drawing.
    Drawing(String),
    /// A change to the elements of the page's text.
    Element(Reshape),
    /// The whole page in the page language, head and foot included.
    Page(String),
}

/// Which ground a page stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// The style's own.
    Own,
    /// The accent's background.
    Accent,
    /// The one that closes a set.
    Close,
}

/// The words of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemWords {
    /// Its head.
    pub head: String,
    /// Its sentence; `None` leaves the one that an item of this head has.
    pub body: Option<String>,
}

impl Op {
    /// What an op sets: ops of the same key make each other void. `None` for those that add up.
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
    /// Its background.
    pub fn background(self) -> Background {
        match self {
            Self::Own => Background::Base,
            Self::Accent => Background::Accent,
            Self::Close => Background::Close,
        }
    }

    /// The ground of a background.
    pub fn of(background: Background) -> Self {
        match background {
            Background::Base => Self::Own,
            Background::Accent => Self::Accent,
            Background::Close => Self::Close,
        }
    }
}
