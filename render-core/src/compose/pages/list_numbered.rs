//! list-numbered: a few things under large numerals, which lead the page: rows where it is high, columns where it is wide.

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::setter::{Set, Setter, Spec};
use crate::design::Voice;
use crate::scene::{Rect, TextLevel};

/// The title is quieter than the numerals, and louder than the heads by this factor.
const QUIETER: f32 = 1.5;
/// The largest sentences against those of other lists: few stand beside numerals this large.
const SENTENCES: f32 = 1.16;

/// Items that have their sizes.
struct Numbered<'a> {
    items: Vec<Numbering<'a>>,
    /// From the left of an item to its words; 0 where they stand under the numeral.
    words: f32,
    /// From the numeral's baseline to the head, where it stands over it.
    under: f32,
    /// Highest item.
    height: f32,
    gap: f32,
    fits: bool,
}

struct Numbering<'a> {
    numeral: Set<'a>,
    head: Set<'a>,
    body: Option<Set<'a>>,
    gap: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let columns = matches!(shape, Shape::Wide | Shape::Strip);
    let strip = shape == Shape::Strip;
    let heading = Heading { most: if strip { 1.8 } else { 2.1 }, share: 0.24, beside: 0.22 };
    let (numbered, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, columns, t), |n| n.fits && n.total(columns) <= room.h())
    });
    setter.misfit |= !numbered.fits || numbered.total(columns) > room.h() + 0.5;
    numbered.place(setter, &room, columns, strip);
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, columns: bool, t: f32) -> Numbered<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count().max(1);
    let most = items::largest_head(&frame, count, f32::INFINITY).min(title / QUIETER).max(frame.body_floor);
    let size = between(frame.body_floor, most, t);
    let body_size = items::large_sentence(&frame, SENTENCES, size, t);
    let gutter = 48.0 * frame.k;
    let column = (room.w() + gutter) / count as f32 - gutter;
    // Numerals are as high as their rows, or as the columns have room.
    let numeral_size = if columns { (0.62 * room.h()).min(1.1 * column) } else { 1.16 * room.h() / count as f32 };
    let numeral_size = between(2.6 * size, (0.5 + 0.5 * t) * numeral_size, 1.0);
    let numerals: Vec<Set<'a>> = (0..count)
        .map(|i| {
            let spec = items::numeral(setter, i, p.accent_text, numeral_size);
            setter.set(Spec { voice: Voice::Figure, level: TextLevel::Hero, ..spec }, room.w())
        })
        .collect();
    let widest = numerals.iter().map(Set::reach).fold(0.0, f32::max);
    let words = if columns { 0.0 } else { (widest + 0.9 * size).max(0.22 * room.w()) };
    let width = if columns { column } else { room.w() - words };
    let mut fits = widest <= if columns { column } else { 0.44 * room.w() };
    let items: Vec<Numbering<'a>> = numerals
        .into_iter()
        .enumerate()
        .map(|(i, numeral)| {
            let head = setter.set(items::head(setter, i, p.ink, size).lines(3), width);
            let body = items::body(setter, i, p.ink2, body_size).map(|b| setter.set(b.lines(4), width));
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits);
            Numbering { numeral, head, body, gap: 0.74 * body_size }
        })
        .collect();
    let under = 1.1 * size;
    let high = |n: &Numbering<'_>| {
        let words = n.words();
        if columns { n.numeral.height() + under + words } else { words.max(n.numeral.height()) }
    };
    let height = items.iter().map(high).fold(0.0, f32::max);
    Numbered { items, words, under, height, gap: between(0.9, 1.2, t) * frame.body, fits }
}

impl Numbering<'_> {
    /// From its head's cap line to the lowest ink.
    fn words(&self) -> f32 {
        match &self.body {
            Some(body) => self.head.height() + self.gap + body.depth(),
            None => self.head.depth(),
        }
    }
}

impl<'a> Numbered<'a> {
    fn total(&self, columns: bool) -> f32 {
        let rows = if columns { 1 } else { self.items.len() } as f32;
        rows * self.height + (rows - 1.0).max(0.0) * self.gap
    }

    fn place(&self, setter: &mut Setter<'a>, room: &Rect, columns: bool, strip: bool) {
        let spare = (room.h() - self.total(columns)).max(0.0);
        if columns {
            let gutter = 48.0 * setter.frame.k;
            let pitch = (room.w() + gutter) / self.items.len().max(1) as f32;
            let top = room.y0 + spare * if strip { 0.5 } else { 0.9 };
            for (i, item) in self.items.iter().enumerate() {
                let x = room.x0 + i as f32 * pitch;
                setter.place(&item.numeral, x, top);
                let y = top + item.numeral.height() + self.under;
                item.place(setter, x, y);
            }
            return;
        }
        let steps = self.items.len().saturating_sub(1).max(1) as f32;
        let grown = (spare / steps).min(0.5 * self.height);
        let mut y = room.y0 + 0.5 * (spare - grown * steps).max(0.0);
        for item in &self.items {
            setter.place(&item.numeral, room.x0, y);
            // One cap line, as large and small capitals have.
            let off = if item.body.is_some() { 0.0 } else { 0.5 * (item.numeral.height() - cap(&item.head)) };
            item.place(setter, room.x0 + self.words, y + off);
            y += self.height + self.gap + grown;
        }
    }
}

impl<'a> Numbering<'a> {
    fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        setter.place(&self.head, x, y);
        if let Some(body) = &self.body {
            setter.place(body, x, y + self.head.height() + self.gap);
        }
    }
}
