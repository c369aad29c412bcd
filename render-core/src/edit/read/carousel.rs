//! The carousel of the page that a prompt is about, and new orders of its slides.

use crate::design::Slide;
use crate::outline::RevisedPage;

use super::clause::{Kind, Tok};
use super::sense::Sense;

/// Words that introduce the subject of a slide ("a slide about prices").
pub(super) const ABOUT: [&str; 14] =
    ["about", "on", "for", "über", "uber", "zu", "sur", "sobre", "su", "over", "関する", "について", "关于", "關於"];

/// A slide of a carousel in a new order.
#[derive(Debug, Clone, PartialEq)]
pub struct SlideAt {
    /// The slide's current index, from 0.
    pub index: u32,
    /// Whether this is a copy of it.
    pub copied: bool,
    /// New content that replaces the slide's words.
    pub says: Option<RevisedPage>,
}

/// The carousel of the page that a prompt is about.
#[derive(Debug, Clone, Copy)]
pub struct Carousel<'a> {
    /// The slide of the carousel that the page is.
    pub slide: Slide,
    /// The text of each slide, by which prompts may name it. May be empty.
    pub said: &'a [&'a str],
}

/// A slide that a prompt names, and the index of the token that names it.
pub(super) struct Named {
    pub slide: usize,
    pub at: usize,
}

/// Returns the slides that tokens name by number or place: "slide 3", "the last slide", "slides 2 and 4".
pub(super) fn named(toks: &[Tok], count: usize) -> Vec<Named> {
    let number = |tok: &Tok| match tok.kind {
        Kind::Num(n) if n.fract() == 0.0 && (1.0..1_000.0).contains(&n) => Some(n as usize - 1),
        Kind::Sense(Sense::Number(n)) => usize::from(n).checked_sub(1),
        Kind::Sense(Sense::Ordinal(0)) => Some(count - 1),
        Kind::Sense(Sense::Ordinal(n)) => Some(usize::from(n) - 1),
        _ => None,
    };
    toks.iter().enumerate().filter_map(|(at, tok)| Some(Named { slide: number(tok)?, at })).collect()
}
