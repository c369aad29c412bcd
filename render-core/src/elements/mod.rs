//! The elements of the page language, one file each: their declarations, and how they become boxes.
//!
//! An element reads its attributes, the tokens of the style and the colours of its ground. It refers to no style,
//! template or other element by name: [`With`] turns its children into boxes.

pub(crate) mod bullets;
pub(crate) mod charting;
mod signs;

mod graphic;
mod material;
mod shared;
mod telling;

mod arrow;
mod art;
mod avatar;
mod badge;
mod band;
mod button;
mod caption;
mod card;
mod chart;
mod chat;
mod check;
mod code;
mod column;
mod cross;
mod cycle;
mod emoji;
mod figure;
mod funnel;
mod grid;
mod headline;
mod icon;
mod img;
mod item;
mod label;
mod layer;
mod lead;
mod list;
mod logo;
mod matrix;
mod numeral;
mod page;
mod paper;
mod pictogram;
mod picture;
mod pill;
mod progress;
mod qr;
mod quote;
mod rating;
mod row;
mod rule;
mod said;
mod source;
mod steps;
mod svg;
mod table;
mod td;
mod terminal;
mod text;
mod th;
mod ticket;
mod timeline;
mod toggle;
mod tr;
mod tree;
mod waffle;

pub(crate) use avatar::initials;

use crate::sheet::{Boxed, With};
use crate::tree::{Element, Node, Vocabulary};

/// An element and the function that turns it into a box.
pub struct Made {
    /// Its declaration.
    pub element: &'static Element,
    /// Turns it into a box. Parts and shapes have none, because their parent element reads them.
    pub build_box: Option<fn(&Node, &With<'_>) -> Boxed>,
}

/// Every element, in the reference page's order.
const ALL: &[&Made] = &[
    &page::MADE,
    &column::MADE,
    &row::MADE,
    &grid::MADE,
    &layer::MADE,
    &card::MADE,
    &band::MADE,
    &headline::MADE,
    &lead::MADE,
    &text::MADE,
    &label::MADE,
    &caption::MADE,
    &numeral::MADE,
    &figure::MADE,
    &quote::MADE,
    &source::MADE,
    &code::MADE,
    &badge::MADE,
    &icon::MADE,
    &emoji::MADE,
    &pill::MADE,
    &button::MADE,
    &rule::MADE,
    &arrow::MADE,
    &check::MADE,
    &cross::MADE,
    &toggle::MADE,
    &progress::MADE,
    &rating::MADE,
    &avatar::MADE,
    &logo::MADE,
    &list::MADE,
    &img::MADE,
    &picture::MADE,
    &svg::MADE,
    &art::MADE,
    &chart::MADE,
    &table::MADE,
    &waffle::MADE,
    &pictogram::MADE,
    &timeline::MADE,
    &steps::MADE,
    &matrix::MADE,
    &funnel::MADE,
    &cycle::MADE,
    &tree::MADE,
    &terminal::MADE,
    &chat::MADE,
    &paper::MADE,
    &ticket::MADE,
    &qr::MADE,
    &item::MADE,
    &tr::MADE,
    &th::MADE,
    &td::MADE,
    &said::MADE,
    &svg::PLACE,
    &svg::RECT,
    &svg::CIRCLE,
    &svg::ELLIPSE,
    &svg::LINE,
    &svg::POLYLINE,
    &svg::POLYGON,
    &svg::PATH,
    &svg::G,
    &svg::USE,
    &svg::LINEAR,
    &svg::RADIAL,
    &svg::STOP,
    &svg::CLIP,
    &svg::DEFS,
];

/// The declarations of all elements.
pub const VOCABULARY: Vocabulary = Vocabulary(&declarations());

const fn declarations() -> [&'static Element; ALL.len()] {
    let mut all = [ALL[0].element; ALL.len()];
    let mut i = 0;
    while i < ALL.len() {
        all[i] = ALL[i].element;
        i += 1;
    }
    all
}

/// Turns an element into a box.
pub fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let made = ALL.iter().find(|made| made.element.name == node.name());
    match made.and_then(|made| made.build_box) {
        Some(build_box) => build_box(node, with),
        None => Boxed::empty(),
    }
}
