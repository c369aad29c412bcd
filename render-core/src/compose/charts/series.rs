//! The numbers of a page: the rows that its items are, and the items that only say something.

use crate::design::{ItemData, Page};

/// An item with numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::compose) struct Row<'a> {
    /// Which of the page's items it is.
    pub item: u8,
    /// Its numbers, one a series; what isn't finite is missing.
    pub numbers: &'a [f64],
}

impl Row<'_> {
    /// Its first number, where it is one.
    pub fn number(&self) -> Option<f64> {
        self.numbers.first().copied().filter(|n| n.is_finite())
    }
}

fn of(page: &Page) -> impl Iterator<Item = (u8, &ItemData)> {
    (0..=u8::MAX).zip(&page.items)
}

/// The items that have numbers, in order.
pub(in crate::compose) fn rows(page: &Page) -> Vec<Row<'_>> {
    of(page).filter(|(_, d)| !d.numbers.is_empty()).map(|(item, d)| Row { item, numbers: &d.numbers }).collect()
}

/// The items that have none: what a chart's page says beside it.
pub(in crate::compose) fn notes(page: &Page) -> Vec<u8> {
    of(page).filter(|(_, d)| d.numbers.is_empty()).map(|(item, _)| item).collect()
}
