//! The words of charts that no slot holds: figures with their units, and the numbers along an axis.

use super::super::setter::Value;
use super::series::rows;
use super::{Notation, Scale};
use crate::design::{Archetype, Page, SlotId};

/// How many numbers an axis has about, on a low chart and on a high one.
const COUNTS: [usize; 2] = [3, 4];
/// A line's scale starts at 0 where its lowest value is below this share of its highest: not much of it stays empty.
const NEAR_ZERO: f64 = 0.4;

/// The words of a page's charts.
#[derive(Debug, Clone, Default)]
pub(in crate::compose) struct Labels {
    /// The figure of each item: its first cell, with its second behind it where that is a unit.
    pub figures: Vec<Value>,
    /// The axis of a chart of lines, with fewer and with more numbers.
    pub axes: Vec<Axis>,
}

/// A scale and its numbers as written.
#[derive(Debug, Clone)]
pub(in crate::compose) struct Axis {
    /// The scale.
    pub scale: Scale,
    /// Its numbers from low to high, and where they stand.
    pub numbers: Vec<(String, f32)>,
}

impl Labels {
    /// Those of a page.
    pub fn of(page: &Page) -> Self {
        let figure = |item: u8| match (page.text(SlotId::Cell(item, 0)), page.text(SlotId::Cell(item, 1))) {
            (Some(text), unit) if page.archetype == Archetype::KpiBento => {
                Value::joined(text, unit.unwrap_or_default())
            }
            (Some(text), Some(unit)) if page.archetype == Archetype::BeforeAfter => Value::joined(text, unit),
            (text, _) => Value::parted(text.unwrap_or_default()),
        };
        let figures = (0..=u8::MAX).zip(&page.items).map(|(item, _)| figure(item)).collect();
        let axes = if page.archetype == Archetype::LineChart { axes(page) } else { Vec::new() };
        Self { figures, axes }
    }
}

fn axes(page: &Page) -> Vec<Axis> {
    let rows = rows(page);
    let numbers = || rows.iter().flat_map(|r| r.numbers).copied().filter(|n| n.is_finite());
    let (low, high) = numbers().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    let from_zero = low >= 0.0 && low < NEAR_ZERO * high;
    let cells = rows.iter().flat_map(|row| {
        let series = (0..=u8::MAX).zip(row.numbers);
        series.filter_map(|(j, n)| Some((page.text(SlotId::Cell(row.item, j))?, *n)))
    });
    let notation = Notation::of(cells);
    let axis = |count: usize| {
        let scale = Scale::over(numbers(), count, from_zero);
        let written =
            |(number, at): ((i64, i16), f32)| (notation.written(number, at >= 1.0, &page.locale.language), at);
        Axis { scale, numbers: scale.numbers().map(written).collect() }
    };
    COUNTS.map(axis).into()
}
