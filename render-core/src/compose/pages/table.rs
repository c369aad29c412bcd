//! compare-table: rows of cells under their columns, ruled off; one column stands on the palette's field.

use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use super::super::sizes::largest;
use super::super::tiles;
use crate::design::{Cut, SlotId, Voice};
use crate::scene::{Color, Rect, TextLevel};

/// Columns of cells that a table has at most, and rows.
pub(crate) const MOST: (usize, usize) = (3, 6);
/// Of the size of cells: that of their columns' names, of row heads, of what stands under a name.
const SIZES: (f32, f32, f32) = (1.2, 0.92, 0.8);
/// The largest radius of the chosen column's corners, in units: a table is no toy.
const ROUNDEST: f32 = 24.0;
/// What a row may grow by, as a share of it.
const GROWTH: f32 = 0.9;

/// A column's name, and what stands under it in brackets.
struct Name<'a> {
    name: Set<'a>,
    under: Option<Set<'a>>,
}

impl Name<'_> {
    fn height(&self) -> f32 {
        self.name.height() + self.under.as_ref().map_or(0.0, |u| 0.55 * self.name.laid.size + u.height())
    }
}

/// A table that has its sizes, but no place yet.
struct Table<'a> {
    names: Vec<Option<Name<'a>>>,
    rows: Vec<(Option<Set<'a>>, Vec<Option<Set<'a>>>)>,
    heights: Vec<f32>,
    header: f32,
    columns: Columns,
}

/// Where columns stand, from the table's left edge.
#[derive(Debug, Clone)]
struct Columns {
    /// Width of the row heads.
    head: f32,
    /// Width of a column of cells, its padding included.
    cell: f32,
    pad: f32,
    count: usize,
    /// Which one stands on a field.
    chosen: usize,
}

impl Columns {
    fn x(&self, n: usize) -> f32 {
        self.head + n as f32 * self.cell
    }
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    setter.first_fit(&[1.0, 0.72, 0.5], |setter, air| layout(setter, area, *air));
}

/// The table under or beside its title, with so much of the air that it would like to have.
fn layout(setter: &mut Setter<'_>, area: Rect, air: f32) {
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let quiet = 0.5 + 0.5 * air;
    let (most, beside) = if strip { (1.9, 0.26) } else { (2.25, 0.32) };
    let heading = Heading { most: quiet * most, beside: quiet * beside, share: 0.24 };
    let rest = heading::set(setter, area, heading);
    let (frame, k) = (setter.frame, setter.frame.k);
    let max = 1.12 * frame.body.max(0.9 * frame.lead);
    let min = frame.small.max(0.8 * frame.body_floor);
    let (table, fits) = largest(min, max, |size| {
        let (table, fits) = at(setter, rest.w(), size, air);
        let fits = fits && table.height() <= rest.h();
        (table, fits)
    });
    setter.misfit |= !fits;
    let table = table.spread(rest.h());
    let spare = (rest.h() - table.height()).max(0.0);
    let beside = matches!(Frame::shape_of(&area), Shape::Wide | Shape::Strip);
    let y = rest.y0 + if beside { 0.5 } else { (24.0 * k / spare.max(1.0)).min(0.4) } * spare;
    table.place(setter, rest.x0, y);
}

/// The column that the title names alone, else the last.
fn chosen(setter: &Setter<'_>, count: usize, shift: usize) -> usize {
    let title = setter.text(SlotId::Title).unwrap_or_default().to_lowercase();
    let named = |n: &usize| {
        let name = setter.text(SlotId::Group((n + shift) as u8)).unwrap_or_default().to_lowercase();
        !name.is_empty() && title.contains(&name)
    };
    let mut all = (0..count).filter(named);
    match (all.next(), all.next()) {
        (Some(n), None) => n,
        _ => count.saturating_sub(1),
    }
}

fn at<'a>(setter: &Setter<'a>, width: f32, size: f32, air: f32) -> (Table<'a>, bool) {
    let palette = &setter.page.palette;
    let page = Inks::page(palette);
    let rows = setter.page.item_count().min(MOST.1);
    let cell = |row: usize, n: usize| setter.text(SlotId::Cell(row as u8, n as u8));
    let count = (0..MOST.0).rev().find(|n| (0..rows).any(|row| cell(row, *n).is_some())).map_or(1, |n| n + 1);
    // Where the row heads have a name too, it is the first.
    let groups = (0..=MOST.0).take_while(|n| setter.text(SlotId::Group(*n as u8)).is_some()).count();
    let shift = usize::from(groups > count);
    let pad = (0.5 + 0.4 * air) * size;
    let (label, sub) = (SIZES.1 * size, SIZES.2 * size);
    let heads: Vec<Option<&str>> = (0..rows).map(|row| setter.text(SlotId::ItemHead(row as u8))).collect();
    let plain = |slot, text: &'a str, voice, ink: Color, size: f32, on: Inks| {
        Spec::new(slot, text, voice, TextLevel::Small, ink, (size, size)).lines(3).on(on.ground)
    };
    // Row heads take the room of the longest of them, within reason.
    let natural = heads.iter().enumerate().filter_map(|(row, text)| {
        let spec = plain(SlotId::ItemHead(row as u8), (*text)?, Voice::Label, page.quiet, label, page).lines(1);
        Some(setter.set(spec, 20.0 * width).laid.width)
    });
    let natural = natural.fold(0.0, f32::max) + 0.5 * pad + 2.0;
    let share = if count == 1 { 0.5 } else { 0.4 - 0.04 * count as f32 };
    let head = natural.clamp(0.2 * width, share * width);
    let columns =
        Columns { head, cell: (width - head) / count as f32, pad, count, chosen: chosen(setter, count, shift) };
    let inner = columns.cell - 2.0 * pad;
    let mut fits = true;
    let mut keep = |set: Set<'a>| {
        fits &= set.fits;
        set
    };
    // Many columns leave their names less room.
    let larger = if count >= 3 { 1.0 } else { SIZES.0 };
    let on = |n: usize| if n == columns.chosen { field(setter) } else { page };
    let names: Vec<Option<Name<'a>>> = (0..count)
        .map(|n| {
            let slot = SlotId::Group((n + shift) as u8);
            let text = setter.text(slot)?;
            let (name, under) = bracketed(text);
            let spec = plain(slot, name, Voice::Head, on(n).ink, larger * size, on(n)).lines(2);
            let name = keep(setter.set(spec, inner));
            let under =
                under.map(|text| keep(setter.set(plain(slot, text, Voice::Label, on(n).quiet, sub, on(n)), inner)));
            Some(Name { name, under })
        })
        .collect();
    let rows: Vec<(Option<Set<'a>>, Vec<Option<Set<'a>>>)> = heads
        .iter()
        .enumerate()
        .map(|(row, text)| {
            let slot = SlotId::ItemHead(row as u8);
            let head =
                text.map(|t| keep(setter.set(plain(slot, t, Voice::Label, page.quiet, label, page), head - 0.5 * pad)));
            let cells = (0..count).map(|n| {
                let slot = SlotId::Cell(row as u8, n as u8);
                Some(keep(setter.set(plain(slot, cell(row, n)?, Voice::Head, on(n).ink, size, on(n)), inner)))
            });
            (head, cells.collect())
        })
        .collect();
    let header = names.iter().flatten().map(Name::height).fold(0.0, f32::max);
    let header = if header > 0.0 { header + 1.8 * air * size } else { 0.0 };
    let heights = rows.iter().map(|(head, cells)| {
        let tallest = cells.iter().chain([head]).flatten().map(Set::height).fold(0.0, f32::max);
        tallest + 1.5 * air * size
    });
    (Table { names, heights: heights.collect(), rows, header, columns }, fits)
}

/// What the chosen column stands on: the palette's field, or a shade of the page where the style has no fields.
fn field(setter: &Setter<'_>) -> Inks {
    let palette = &setter.page.palette;
    match setter.theme.cut {
        Cut::Rule => Inks::on(palette.surface, palette.ink, palette),
        Cut::Straight | Cut::Wave => Inks::field(palette),
    }
}

/// A name, and what stands behind it in brackets.
fn bracketed(text: &str) -> (&str, Option<&str>) {
    let split = || {
        let (name, rest) = text.split_once(['(', '（'])?;
        let under = rest.trim_end().strip_suffix([')', '）'])?;
        (!name.trim().is_empty() && !under.is_empty()).then_some((name.trim_end(), Some(under)))
    };
    split().unwrap_or((text, None))
}

impl<'a> Table<'a> {
    fn height(&self) -> f32 {
        self.header + self.heights.iter().sum::<f32>()
    }

    /// Lets the rows grow towards `height`.
    fn spread(mut self, height: f32) -> Self {
        let factor = (height / self.height()).clamp(1.0, 1.0 + GROWTH);
        self.heights.iter_mut().for_each(|h| *h *= factor);
        self.header *= factor.min(1.4);
        self
    }

    fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let page = Inks::page(&setter.page.palette);
        let on = field(setter);
        let columns = &self.columns;
        let left = x + columns.x(columns.chosen);
        let right = x + columns.x(columns.count);
        let column = Rect::at(left, y, columns.cell, self.height());
        tiles::draw(setter, column, setter.theme.radius.min(ROUNDEST), on.ground);
        let mut top = y + self.header;
        for (n, name) in self.names.iter().enumerate() {
            let Some(name) = name else { continue };
            let at = x + columns.x(n) + columns.pad;
            // Names of one line and of two stand on one baseline.
            let cap = y + 0.5 * (self.header - name.height());
            setter.place(&name.name, at, cap);
            if let Some(under) = &name.under {
                setter.place(under, at, cap + name.height() - under.height());
            }
        }
        for (n, ((head, cells), height)) in self.rows.iter().zip(&self.heights).enumerate() {
            if n > 0 || self.header > 0.0 {
                setter.rule(x, left, top, page.line);
                let edge = setter.theme.card.map_or(0.0, |c| c.stroke) * setter.frame.k;
                setter.rule(left + edge, left + columns.cell - edge, top, on.line);
                setter.rule(left + columns.cell, right, top, page.line);
            }
            if let Some(head) = head {
                setter.place(head, x, top + 0.5 * (height - head.height()));
            }
            for (n, cell) in cells.iter().enumerate() {
                if let Some(cell) = cell {
                    setter.place(cell, x + columns.x(n) + columns.pad, top + 0.5 * (height - cell.height()));
                }
            }
            top += height;
        }
    }
}
