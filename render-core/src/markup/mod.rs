//! The page language: pages as text, read into a [`Tree`](crate::tree::Tree) and written back.
//!
//! ```text
//! text --tolerant--> well-formed XML --roxmltree--> XML nodes --parse--> Tree --print--> canonical text
//! ```
//!
//! Models and people write the text, so reading it is lenient about spelling (stray `&` and `<`, missing quotes, names
//! from HTML) and strict about meaning: an element or attribute that is not declared is a fault, and [`parse`] reports
//! all faults at once. [`print()`] writes one spelling only, and reading that gives the same tree again. [`reference()`]
//! describes the language from the declarations.
//!
//! White space in words (spaces, tabs, line ends; no-break spaces are not white space) counts as one space, and none
//! counts at the ends of an element's words or beside a `<br/>`. In an element that holds words, a name that is both an
//! inline mark and an element (`code`) is the mark.

mod entities;
mod ids;
mod malformed;
mod names;
mod parse;
#[cfg(test)]
mod parse_tests;
mod print;
#[cfg(test)]
mod property_tests;
mod reference;
mod tolerant;
mod words;

pub use parse::{Partial, parse, parse_all, parse_each};
pub use print::print;
pub use reference::reference;

use crate::tree::{Attribute, COMMON, Element, Group};

/// The element around all pages when they are passed to the XML parser. It can't occur in a text, because names of
/// elements start with a letter.
const OUTERMOST: &str = "_pages";

/// Returns the attributes of an element in print order: its own ones, then the common ones. The id is the first of the
/// latter.
fn declared(element: &'static Element) -> impl Iterator<Item = &'static Attribute> {
    let own = element.attributes;
    let common = match element.group {
        Group::Parts | Group::Shapes => &COMMON[..1],
        _ => COMMON,
    };
    own.iter().chain(common.iter().filter(|c| own.iter().all(|o| o.name != c.name)))
}

/// Returns whether XML can hold this character.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// Returns whether this character counts as white space that collapses.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Returns a name or value in the form in which faults quote it.
fn shortened(text: &str) -> String {
    const QUOTED: usize = 40;
    let mut short: String = text.chars().take(QUOTED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
