//! What an announcement says for certain: each fact under what it is, ruled off.

use super::super::setter::{Set, Setter, Spec};
use super::super::sizes::largest;
use super::underlined;
use crate::design::{SlotId, Voice};
use crate::scene::TextLevel;

/// What a row may grow by, as a share of it.
const GROWTH: f32 = 0.5;
/// The widest labels that stand beside their facts, as a share of the width.
const BESIDE: f32 = 0.36;

/// A fact, and what it is.
struct Fact<'a> {
    label: Option<Set<'a>>,
    words: Set<'a>,
}

/// Facts that have their sizes, but no place yet.
pub(super) struct Facts<'a> {
    facts: Vec<Fact<'a>>,
    rows: Vec<f32>,
    /// Facts side by side.
    columns: usize,
    /// Width of one, and what stands between two.
    width: (f32, f32),
    /// From a fact's left edge to its words, where its label stands beside them.
    indent: f32,
    gap: f32,
    pad: f32,
    /// From the first rule to the lowest ink.
    pub height: f32,
    /// Whether all of it fits.
    pub fits: bool,
}

/// The facts `items` in `width` × `height`, `columns` side by side; in one column, labels stand beside their facts where
/// they are short.
pub(super) fn solve<'a>(setter: &Setter<'a>, items: &[u8], (width, height): (f32, f32), columns: usize) -> Facts<'a> {
    let frame = setter.frame;
    let max = 1.3 * frame.body.max(0.9 * frame.lead);
    let (facts, _) = largest(frame.small.max(0.84 * frame.body_floor), max, |size| {
        let facts = at(setter, items, width, columns, size);
        let fits = facts.fits && facts.height <= height;
        (facts, fits)
    });
    let fits = facts.fits && facts.height <= height + 0.5;
    Facts { fits, ..facts }.spread(height)
}

fn at<'a>(setter: &Setter<'a>, items: &[u8], width: f32, columns: usize, size: f32) -> Facts<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let columns = columns.clamp(1, items.len().max(1));
    let gutter = 56.0 * frame.k;
    let cell = (width - gutter * (columns - 1) as f32) / columns as f32;
    let small = (0.74 * size).max(frame.small);
    let label = |n: u8, width: f32| {
        let text = setter.text(SlotId::ItemLabel(n))?;
        let spec = Spec::new(SlotId::ItemLabel(n), text, Voice::Label, TextLevel::Small, palette.ink2, (small, small));
        Some(setter.set(spec.lines(1), width))
    };
    let widest = items.iter().filter_map(|n| label(*n, 20.0 * width)).map(|s| s.laid.width).fold(0.0, f32::max);
    let beside = columns == 1 && widest > 0.0 && widest <= BESIDE * cell;
    let indent = if beside { widest + 1.1 * size } else { 0.0 };
    let gap = if beside { 0.0 } else { 0.66 * size };
    let mut fits = true;
    let facts: Vec<Fact<'a>> = items
        .iter()
        .filter_map(|n| {
            let text = setter.text(SlotId::ItemHead(*n))?;
            let spec =
                Spec::new(SlotId::ItemHead(*n), text, Voice::Head, TextLevel::Head, palette.ink, (size, size)).lines(2);
            let words = setter.set(underlined(spec), cell - indent);
            let label = label(*n, if beside { widest + 0.5 * size } else { cell });
            fits &= words.fits && label.as_ref().is_none_or(|l| l.fits);
            Some(Fact { label, words })
        })
        .collect();
    let pad = 0.72 * size;
    let tall = |fact: &Fact<'_>| match &fact.label {
        Some(label) if !beside => label.height() + gap + fact.words.height(),
        _ => fact.words.height(),
    };
    let rows: Vec<f32> =
        facts.chunks(columns).map(|row| row.iter().map(tall).fold(0.0, f32::max) + 2.0 * pad).collect();
    let mut out = Facts { facts, rows, columns, width: (cell, gutter), indent, gap, pad, height: 0.0, fits };
    out.measure();
    out
}

impl<'a> Facts<'a> {
    fn measure(&mut self) {
        self.height = (self.rows.iter().sum::<f32>() - 0.55 * self.pad).max(0.0);
    }

    fn spread(mut self, height: f32) -> Self {
        let spare = (height - self.height).max(0.0) / self.rows.len().max(1) as f32;
        let most = if self.columns == 1 { GROWTH } else { 0.2 };
        for row in &mut self.rows {
            *row += spare.min(most * *row);
        }
        self.measure();
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Places them with the first rule at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let line = setter.page.palette.line;
        let (width, gutter) = self.width;
        let mut top = y;
        for (row, facts) in self.rows.iter().zip(self.facts.chunks(self.columns)) {
            for (n, fact) in facts.iter().enumerate() {
                let left = x + n as f32 * (width + gutter);
                setter.rule(left, left + width, top, line);
                let spare = 0.5 * (row - self.tall(fact) - 2.0 * self.pad).max(0.0);
                let mut cap = top + self.pad + spare;
                if let Some(label) = &fact.label {
                    if self.indent > 0.0 {
                        // Both stand on one baseline: the label's and the first line's.
                        let first = fact.words.laid.lines.first().map_or(0.0, |l| l.baseline);
                        setter.place(label, left, cap + first - label.height());
                    } else {
                        setter.place(label, left, cap);
                        cap += label.height() + self.gap;
                    }
                }
                setter.place(&fact.words, left + self.indent, cap);
            }
            top += row;
        }
        setter.misfit |= !self.fits;
    }

    fn tall(&self, fact: &Fact<'_>) -> f32 {
        let over = fact.label.as_ref().filter(|_| self.indent == 0.0).map_or(0.0, |l| l.height() + self.gap);
        over + fact.words.height()
    }
}
