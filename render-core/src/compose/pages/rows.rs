//! Ruled items: the part that lists and recaps share. All items of a page have the same sizes.

use super::super::fill::between;
use super::super::items;
use super::super::setter::{Set, Setter, Spec};
use crate::design::{SlotId, Voice};
use crate::scene::TextLevel;
use crate::text::Align;

/// How a list of items is ruled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ruling {
    /// Items side by side.
    pub columns: usize,
    /// Whether each item has its numeral.
    pub numerals: bool,
    /// Whether the sentences under the heads are set.
    pub bodies: bool,
    /// A rule under the last row as well.
    pub closed: bool,
    /// Largest size of heads, as a multiple of body size.
    pub most: f32,
    /// Largest size of the sentences, likewise.
    pub body: f32,
}

/// A list that has its sizes.
pub(super) struct Rows<'a> {
    cells: Vec<Cell<'a>>,
    rows: Vec<f32>,
    columns: usize,
    gutter: f32,
    cell_width: f32,
    indent: f32,
    pad: f32,
    closed: bool,
    /// From the first rule to the end of the last row.
    pub height: f32,
    /// Whether it fits the height it was given.
    pub fits: bool,
}

struct Cell<'a> {
    numeral: Option<Set<'a>>,
    head: Set<'a>,
    body: Option<Set<'a>>,
}

/// Halvings of the search for the sizes.
const STEPS: u32 = 5;

/// Sets the page's items in `width` × `height`; rows grow to fill the height, up to half as much again.
pub(super) fn solve<'a>(setter: &Setter<'a>, ruling: Ruling, width: f32, height: f32) -> Rows<'a> {
    let mut best = at(setter, ruling, width, 1.0);
    if best.height > height {
        best = at(setter, ruling, width, 0.0);
        best.fits &= best.height <= height + 0.5;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..if best.fits { STEPS } else { 0 } {
            let mid = (low + high) / 2.0;
            let tried = at(setter, ruling, width, mid);
            if tried.height <= height {
                low = mid;
                best = tried;
            } else {
                high = mid;
            }
        }
    }
    let spare = (height - best.height).max(0.0) / best.rows.len() as f32;
    // Few items may stand further apart.
    let most = if ruling.bodies { 0.14 } else { 0.42 } + if best.rows.len() <= 3 { 0.3 } else { 0.0 };
    let open = if ruling.closed { best.rows.len() } else { best.rows.len().saturating_sub(1) };
    let spare = spare * best.rows.len() as f32 / open.max(1) as f32;
    for row in best.rows.iter_mut().take(open) {
        *row += spare.min(most * *row);
    }
    best.height = best.rows.iter().sum();
    best
}

fn at<'a>(setter: &Setter<'a>, ruling: Ruling, width: f32, t: f32) -> Rows<'a> {
    let (frame, palette, sizes) = (setter.frame, &setter.page.palette, setter.page.sizes);
    let (b, k) = (frame.body, frame.k);
    let gutter = 60.0 * k;
    let columns = ruling.columns.max(1);
    let cell_width = (width - gutter * (columns - 1) as f32) / columns as f32;
    // Heads that agree over a set keep their size; sentences, row by row, take what is left.
    let head_size = sizes.item.unwrap_or_else(|| between(frame.body_floor, ruling.most * b, t));
    let body_size = between(frame.item_floor, (ruling.body * b).min(items::QUIETER_BODY * head_size), t);
    // One column has its numerals in the margin; cells of a grid have them at their right.
    let indent = if ruling.numerals && columns == 1 { 2.25 * head_size } else { 0.0 };
    let aside = if ruling.numerals && columns > 1 { 1.5 * head_size } else { 0.0 };
    let pad = (0.92 + 0.26 * t) * 0.86 * head_size;
    let count = setter.page.item_count().min(crate::limits::PAGE_ITEMS);
    let mut fits = true;
    let cells: Vec<Cell<'a>> = (0..count)
        .map(|i| {
            let n = i as u8;
            let head_ink = palette.ink;
            let has_body = ruling.bodies && setter.text(SlotId::ItemBody(n)).is_some();
            let voice = Voice::Head;
            let head = setter.set(
                Spec::new(
                    SlotId::ItemHead(n),
                    setter.text(SlotId::ItemHead(n)).unwrap_or_default(),
                    voice,
                    TextLevel::Head,
                    head_ink,
                    (head_size, head_size),
                )
                .lines(if has_body { 2 } else { 3 }),
                cell_width - indent - aside,
            );
            let body = setter.text(SlotId::ItemBody(n)).filter(|_| ruling.bodies).map(|text| {
                let ink = palette.ink2;
                let spec =
                    Spec::new(SlotId::ItemBody(n), text, Voice::Body, TextLevel::Body, ink, (body_size, body_size));
                setter.set(spec.lines(5), cell_width - indent)
            });
            let numeral = ruling.numerals.then(|| {
                let ink = items::numeral_ink(setter);
                let size = if columns == 1 { 0.92 * head_size } else { head_size };
                let spec = items::numeral(setter, i, ink, size);
                setter.set(spec.lines(1).align(if columns == 1 { Align::Start } else { Align::End }), 2.0 * head_size)
            });
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits);
            Cell { numeral, head, body }
        })
        .collect();
    let mut rows: Vec<f32> = cells
        .chunks(columns)
        .map(|row| row.iter().map(|cell| cell.height(b)).fold(0.0, f32::max) + 2.0 * pad)
        .collect();
    // A list that no rule closes ends with the descenders of its last words.
    if let Some(last) = rows.last_mut().filter(|_| !ruling.closed) {
        *last += 0.3 * head_size - pad;
    }
    let height = rows.iter().sum();
    Rows { cells, rows, columns, gutter, cell_width, indent, pad, closed: ruling.closed, height, fits }
}

impl Cell<'_> {
    fn height(&self, b: f32) -> f32 {
        self.head.height() + self.body.as_ref().map_or(0.0, |body| gap(b) + body.height())
    }
}

/// From a head's baseline to its sentence's cap line.
fn gap(b: f32) -> f32 {
    0.98 * b
}

impl<'a> Rows<'a> {
    /// Places the list with its first rule at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let b = setter.frame.body;
        let line = setter.page.palette.line;
        let mut top = y;
        for (row, cells) in self.rows.iter().zip(self.cells.chunks(self.columns)) {
            for (i, cell) in cells.iter().enumerate() {
                let left = x + i as f32 * (self.cell_width + self.gutter);
                setter.rule(left, left + self.cell_width, top, line);
                // A lone head stands in the middle of its row, a head with a sentence at its top.
                let free = (row - 2.0 * self.pad - cell.height(b)).max(0.0);
                let lone = cell.body.is_none() && self.columns == 1 && self.closed;
                let cap = top + self.pad + if lone { free / 2.0 } else { 0.0 };
                setter.place(&cell.head, left + self.indent, cap);
                if let Some(body) = &cell.body {
                    setter.place(body, left + self.indent, cap + cell.head.height() + gap(b));
                }
                if let Some(numeral) = &cell.numeral {
                    let first_cap = cell.head.laid.lines.first().map_or(0.0, |l| l.baseline) - numeral.height();
                    let at = if self.columns == 1 { left } else { left + self.cell_width - numeral.width };
                    setter.place(numeral, at, cap + first_cap);
                }
            }
            top += row;
        }
        if self.closed {
            setter.rule(x, x + self.columns as f32 * (self.cell_width + self.gutter) - self.gutter, top, line);
        }
        setter.misfit |= !self.fits;
    }
}
