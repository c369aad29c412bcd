//! Search in lists of generations: filters, and the index that they run on.

pub(super) mod filter;
pub(super) mod index;
pub(super) mod page_words;
