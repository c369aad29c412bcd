//! The elements of the page language, one file each: its declaration, and how it is turned into boxes.
//!
//! An element reads its attributes, the tokens of the style and the colours of its ground. It knows no style and no
//! template by name, and no other element: what stands inside it is dressed through [`With`].

mod shared;

mod band;
mod caption;
mod card;
mod code;
mod column;
mod figure;
mod grid;
mod headline;
mod item;
mod label;
mod layer;
mod lead;
mod numeral;
mod page;
mod quote;
mod row;
mod source;
mod text;

use crate::sheet::{Boxed, With};
use crate::tree::{Element, Node, Vocabulary};

/// An element and how it is turned into a box.
pub struct Made {
    /// Its declaration.
    pub element: &'static Element,
    /// Turns it into a box; parts and shapes are read by the element that holds them and have none.
    pub dress: Option<fn(&Node, &With<'_>) -> Boxed>,
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
    &item::MADE,
];

/// The declarations of every element.
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
pub fn dress(node: &Node, with: &With<'_>) -> Boxed {
    let made = ALL.iter().find(|made| made.element.name == node.name());
    match made.and_then(|made| made.dress) {
        Some(dress) => dress(node, with),
        None => Boxed::empty(),
    }
}
