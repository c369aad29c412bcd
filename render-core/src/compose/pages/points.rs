//! Short points in ruled columns whose rows agree: what speaks for either side of a page.

use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use crate::design::{SlotId, Voice};
use crate::scene::TextLevel;

/// What a row may grow by beyond its text, as a share of it.
const GROWTH: f32 = 0.7;

/// A point, and a sentence under it.
struct Point<'a> {
    head: Set<'a>,
    body: Option<Set<'a>>,
}

/// Columns that have their sizes, but no place yet.
pub(super) struct Points<'a> {
    columns: Vec<(Vec<Point<'a>>, Inks)>,
    rows: Vec<f32>,
    pad: f32,
    gap: f32,
    /// From the first rule to the lowest ink.
    pub height: f32,
    /// Whether every text fits its width.
    pub fits: bool,
}

/// The points of each column, on its field, in type of `size`, with `air` em over and under each.
pub(super) fn at<'a>(
    setter: &Setter<'a>,
    columns: &[(Vec<u8>, Inks)],
    width: f32,
    (size, air): (f32, f32),
) -> Points<'a> {
    let frame = setter.frame;
    let (pad, gap) = (air * size, 0.62 * size);
    let mut fits = true;
    let mut set = |slot, voice, level, ink, on: Inks, size: f32, lines| {
        let text = setter.text(slot)?;
        let set = setter.set(Spec::new(slot, text, voice, level, ink, (size, size)).lines(lines).on(on.ground), width);
        fits &= set.fits;
        Some(set)
    };
    let columns: Vec<(Vec<Point<'a>>, Inks)> = columns
        .iter()
        .map(|(items, on)| {
            let points = items.iter().filter_map(|n| {
                let head = set(SlotId::ItemHead(*n), Voice::Head, TextLevel::Head, on.ink, *on, size, 4)?;
                let small = (0.86 * size).max(frame.body_floor);
                let body = set(SlotId::ItemBody(*n), Voice::Body, TextLevel::Body, on.quiet, *on, small, 5);
                Some(Point { head, body })
            });
            (points.collect(), *on)
        })
        .collect();
    let count = columns.iter().map(|(points, _)| points.len()).max().unwrap_or(0);
    let row =
        |n: usize| columns.iter().filter_map(|(points, _)| points.get(n)).map(|p| p.height(gap)).fold(0.0, f32::max);
    let rows: Vec<f32> = (0..count).map(|n| row(n) + 2.0 * pad).collect();
    let mut out = Points { columns, rows, pad, gap, height: 0.0, fits };
    out.measure();
    out
}

impl Point<'_> {
    fn height(&self, gap: f32) -> f32 {
        self.head.height() + self.body.as_ref().map_or(0.0, |b| gap + b.height())
    }
}

impl<'a> Points<'a> {
    /// The last row ends with the descenders of its words.
    fn measure(&mut self) {
        self.height = (self.rows.iter().sum::<f32>() - 0.55 * self.pad).max(0.0);
    }

    /// Lets the rows grow towards `height`.
    pub fn spread(mut self, height: f32) -> Self {
        let spare = (height - self.height).max(0.0) / self.rows.len().max(1) as f32;
        for row in &mut self.rows {
            *row += spare.min(GROWTH * *row);
        }
        self.measure();
        self
    }

    /// Places column `n` of `xs` at its x, each with its first rule at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, xs: &[f32], width: f32, y: f32) {
        for ((points, on), x) in self.columns.iter().zip(xs) {
            let mut top = y;
            for (point, row) in points.iter().zip(&self.rows) {
                setter.rule(*x, x + width, top, on.line);
                let cap = top + 0.5 * (row - point.height(self.gap));
                setter.place(&point.head, *x, cap);
                if let Some(body) = &point.body {
                    setter.place(body, *x, cap + point.head.height() + self.gap);
                }
                top += row;
            }
        }
        setter.misfit |= !self.fits;
    }
}
