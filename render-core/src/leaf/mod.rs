//! Pages stored as trees: a [`Leaf`] holds a page's text in the page language and all of its layout inputs, so that it
//! draws the same picture again at any time.

mod gates;
mod page;
pub mod random;
#[cfg(test)]
mod random_tests;
mod reference;
mod stored;
#[cfg(test)]
mod tests;

pub use gates::misses;
pub use page::{Leaf, Written, leaves, read, sources, spoken};
pub use reference::{EXAMPLES, reference, reference_page};
pub use stored::{AnyPage, decode, encode, encode_planned};
