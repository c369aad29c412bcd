//! checklist: what is to be done, each with a box in the style's stroke; what is done is ticked.

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::setter::{Set, Setter};
use super::art_in_corner;
use crate::design::Nodes;
use crate::scene::{Coverage, Item, Paint, Rect, Role};

/// Things to do that have their sizes.
struct Rows<'a> {
    rows: Vec<Row<'a>>,
    columns: usize,
    /// Side of the boxes.
    side: f32,
    /// From a box's left to the text.
    indent: f32,
    /// Height of each row.
    row: f32,
    fits: bool,
}

struct Row<'a> {
    head: Set<'a>,
    body: Option<Set<'a>>,
    gap: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let count = setter.page.item_count();
    let columns: &[usize] = match shape {
        Shape::Strip if count > 4 => &[2, 3],
        Shape::Strip => &[2],
        Shape::Wide | Shape::Upright if count > 5 => &[1, 2],
        Shape::Tall | Shape::Upright | Shape::Wide => &[1],
    };
    let heading = Heading { most: if shape == Shape::Strip { 2.2 } else { 3.1 }, beside: 0.36, ..Heading::default() };
    let (rows, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        let tried = columns
            .iter()
            .map(|columns| fill(|t| at(setter, &room, title, *columns, t), |r| r.fits && r.height() <= room.h()));
        // The first number of columns in which it fits; else the first of all.
        let mut tried: Vec<(Rows<'_>, Option<f32>)> = tried.collect();
        let best = tried.iter().position(|(_, by)| by.is_some()).unwrap_or(0);
        tried.swap_remove(best)
    });
    setter.misfit |= !rows.fits || rows.height() > room.h() + 0.5;
    rows.place(setter, &room);
    art_in_corner(setter, room.y0);
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, columns: usize, t: f32) -> Rows<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    let most = (1.16 * items::largest_head(&frame, count, title)).min(title / 2.2);
    let size = between(frame.body_floor, most, t);
    let body_size = items::sentence(&frame, size, t);
    let side = 1.02 * size;
    let indent = side + 0.8 * size;
    let width = (room.w() + gutter(setter)) / columns as f32 - gutter(setter) - indent;
    let mut fits = true;
    let rows: Vec<Row<'a>> = (0..count)
        .map(|i| {
            let ink = if is_done(setter, i) { p.ink2 } else { p.ink };
            let head = setter.set(items::head(setter, i, ink, size).lines(3), width);
            let body = items::body(setter, i, p.ink2, body_size).map(|b| setter.set(b.lines(3), width));
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits);
            Row { head, body, gap: 0.7 * body_size }
        })
        .collect();
    let pad = between(0.62, 0.86, t) * size;
    let row = rows.iter().map(Row::height).fold(side, f32::max) + 2.0 * pad;
    Rows { rows, columns, side, indent, row, fits }
}

fn gutter(setter: &Setter<'_>) -> f32 {
    60.0 * setter.frame.k
}

fn is_done(setter: &Setter<'_>, i: usize) -> bool {
    setter.page.items.get(i).is_some_and(|item| item.done)
}

impl Row<'_> {
    fn height(&self) -> f32 {
        self.head.height() + self.body.as_ref().map_or(0.0, |b| self.gap + b.height())
    }
}

impl<'a> Rows<'a> {
    fn lines(&self) -> usize {
        self.rows.len().div_ceil(self.columns)
    }

    fn height(&self) -> f32 {
        self.lines() as f32 * self.row
    }

    fn place(&self, setter: &mut Setter<'a>, room: &Rect) {
        let lines = self.lines();
        let spare = (room.h() - self.height()).max(0.0);
        let grown = (spare / lines.max(1) as f32).min(if lines <= 4 { 0.7 } else { 0.5 } * self.row);
        let row = self.row + grown;
        let top = room.y0 + 0.5 * (spare - grown * lines as f32);
        let gutter = gutter(setter);
        let pitch = (room.w() + gutter) / self.columns as f32;
        let line = setter.page.palette.line;
        for (i, item) in self.rows.iter().enumerate() {
            // Down the columns, as a list is read.
            let (column, n) = (i / lines, i % lines);
            let (x, y) = (room.x0 + column as f32 * pitch, top + n as f32 * row);
            setter.rule(x, x + pitch - gutter, y, line);
            // Boxes stand on their text's capitals; both in the middle of the row.
            let content = item.height().max(self.side);
            let head = y + 0.5 * (row - content) + 0.5 * (content - item.height());
            let middle = head + 0.5 * cap(&item.head);
            tick_box(setter, Rect::at(x, middle - 0.5 * self.side, self.side, self.side), i);
            setter.place(&item.head, x + self.indent, head);
            if let Some(body) = &item.body {
                setter.place(body, x + self.indent, head + item.head.height() + item.gap);
            }
        }
        for column in 0..self.columns {
            let x = room.x0 + column as f32 * pitch;
            let last = (self.rows.len() - (column * lines).min(self.rows.len())).min(lines);
            setter.rule(x, x + pitch - gutter, top + last as f32 * row, line);
        }
    }
}

/// The box of item `i`, ticked where it is done.
fn tick_box(setter: &mut Setter<'_>, rect: Rect, i: usize) {
    let (p, k) = (setter.page.palette, setter.frame.k);
    let done = is_done(setter, i);
    let outlined = setter.theme.nodes == Nodes::Outlined;
    let width = (setter.theme.stroke * k).clamp(2.5 * k, 0.16 * rect.w());
    let radius = (0.34 * setter.theme.radius * k).min(0.3 * rect.w());
    let fill = match (done, outlined) {
        (true, true) => Some(p.art[i % p.art.len()]),
        (true, false) => Some(p.accent),
        (false, true) => Some(p.surface),
        (false, false) => None,
    };
    if let Some(fill) = fill {
        setter.mark(Item::rounded(rect, [radius; 4], fill, Role::Field));
    }
    if !done || outlined {
        let inner = rect.grow(-0.5 * width);
        let coverage = Coverage::Rect { rect: inner, radii: [(radius - 0.5 * width).max(0.0); 4], stroke: Some(width) };
        setter.mark(Item::new(coverage, Paint::Solid(p.ink), Role::Mark));
    }
    if done {
        // A tick is the same in every direction of reading: it is mirrored with the page, and back here.
        let rtl = setter.is_rtl();
        let across = |x: f32| if rtl { 1.0 - x } else { x };
        let at = |x: f32, y: f32| (f64::from(rect.x0 + across(x) * rect.w()), f64::from(rect.y0 + y * rect.h()));
        let mut path = BezPath::new();
        path.move_to(at(0.24, 0.53));
        path.line_to(at(0.43, 0.72));
        path.line_to(at(0.77, 0.3));
        let round = setter.theme.radius > 0.0;
        let (cap, join) = if round { (Cap::Round, Join::Round) } else { (Cap::Butt, Join::Miter) };
        let pen = Stroke::new(f64::from((1.25 * width).max(0.09 * rect.w()))).with_caps(cap).with_join(join);
        let ink = if outlined { p.ink } else { p.on_accent };
        setter.mark(Item::path(stroke(&path, &pen, &StrokeOpts::default(), 0.05), ink, Role::Mark));
    }
}
