//! tips-bento: three to six short things on uneven tiles, each with its emblem; the first is the largest.

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items;
use super::super::setter::{Set, Setter, Spec};
use super::super::tiles::{Coat, tile};
use super::art_in_corner;
use crate::design::Voice;
use crate::scene::{Coverage, Item, Paint, Point, Rect, Role, Size};

/// The columns of a strip: one tile each.
const ROW: [&[f32]; 4] = [&[1.0]; 4];

/// Tiles that have their sizes.
struct Bento<'a> {
    tiles: Vec<Tip<'a>>,
    fits: bool,
}

struct Tip<'a> {
    rect: Rect,
    coat: Coat,
    head: Set<'a>,
    body: Option<Set<'a>>,
    /// From the head's last baseline to the sentence.
    gap: f32,
    /// Radius of the emblem, and whether it stands over the text instead of beside it.
    emblem: (f32, bool),
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let strip = shape == Shape::Strip;
    let heading =
        Heading { most: if strip { 2.2 } else { 3.2 }, beside: if strip { 0.25 } else { 0.32 }, ..Heading::default() };
    let count = setter.page.item_count();
    let (bento, _) = heading::fitted(setter, area, heading, |setter, room, title| {
        let rects = layout(setter, &room, count, shape);
        fill(|t| at(setter, &rects, title, t), |b| b.fits)
    });
    setter.misfit |= !bento.fits;
    for (i, tip) in bento.tiles.iter().enumerate() {
        tip.place(setter, i);
    }
    art_in_corner(setter);
}

/// Where the tiles lie, in reading order. Columns break at different heights, so that no row runs through.
fn layout(setter: &Setter<'_>, room: &Rect, count: usize, shape: Shape) -> Vec<Rect> {
    let k = setter.frame.k;
    let card = setter.theme.card;
    // Shadows and turned corners need room between tiles, and inside the area.
    let gap = k * if card.is_some_and(|c| c.shadow > 0.0) { 38.0 } else { 24.0 };
    let edge = k * card.map_or(0.0, |c| 0.6 * c.shadow);
    let room = Rect::new(room.x0, room.y0 + edge, room.x1, room.y1 - edge);
    // Heights of the tiles of each column, as shares; and the order in which they are read: column, row.
    let columns: &[&[f32]] = match (shape, count) {
        (Shape::Strip, ..=4) => &ROW[..count.min(4)],
        (Shape::Strip, 5) => &[&[1.0], &[0.5, 0.5], &[0.5, 0.5]],
        (_, ..=3) => &[&[1.0], &[0.5, 0.5]],
        (_, 4) => &[&[0.58, 0.42], &[0.42, 0.58]],
        (Shape::Tall | Shape::Upright, 5) => &[&[0.6, 0.4], &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]],
        (Shape::Wide, 5) => &[&[1.0], &[0.54, 0.46], &[0.46, 0.54]],
        (Shape::Wide | Shape::Strip, _) => &[&[0.56, 0.44], &[0.44, 0.56], &[0.56, 0.44]],
        (_, _) => &[&[0.38, 0.31, 0.31], &[0.31, 0.31, 0.38]],
    };
    let width = (room.w() - gap * (columns.len() - 1) as f32) / columns.len() as f32;
    let mut rects: Vec<Rect> = Vec::new();
    for (c, shares) in columns.iter().enumerate() {
        let x = room.x0 + c as f32 * (width + gap);
        let free = room.h() - gap * (shares.len() - 1) as f32;
        let mut y = room.y0;
        for share in *shares {
            rects.push(Rect::at(x, y, width, share * free));
            y += share * free + gap;
        }
    }
    // From the top down, and along the lines within a row.
    rects.sort_by(|a, b| a.y0.total_cmp(&b.y0).then(a.x0.total_cmp(&b.x0)));
    rects.truncate(count);
    rects
}

fn at<'a>(setter: &Setter<'a>, rects: &[Rect], title: f32, t: f32) -> Bento<'a> {
    let (frame, k) = (setter.frame, setter.frame.k);
    let most = (1.1 * items::largest_head(&frame, rects.len(), title)).min(title / 2.2);
    let size = between(frame.body_floor, most, t);
    let body_size = between(frame.body_floor, items::largest_body(&frame).min(0.8 * size), t);
    let largest = rects.iter().map(Rect::area).fold(0.0, f32::max);
    let mut fits = true;
    let tiles: Vec<Tip<'a>> = rects
        .iter()
        .enumerate()
        .map(|(i, rect)| {
            let leads = i == 0;
            let coat = Coat::of(setter, i, leads);
            let inner = rect.grow(-pad(k));
            let body = items::body(setter, i, coat.ink2, body_size).map(|b| setter.set(b.lines(4), inner.w()));
            let gap = 0.62 * body_size;
            let below = body.as_ref().map_or(0.0, |b| gap + b.depth());
            let big =
                rect.area() >= 0.8 * largest && rect.h() > 1.15 * rects.iter().map(Rect::h).fold(f32::MAX, f32::min);
            let size = if big { 1.18 * size } else { size };
            let head = |width: f32| setter.set(items::head(setter, i, coat.ink, size).lines(3), width);
            let radius =
                if big { (0.2 * rect.w()).min(0.21 * rect.h()) } else { (0.13 * rect.w()).min(0.23 * rect.h()) };
            let over = head(inner.w());
            let free = inner.h() - below - 2.0 * radius - 0.5 * size;
            // Where the emblem has no room over the head, the head stands beside it.
            let emblem = (radius, over.depth().max(over.height()) <= free);
            let head = if emblem.1 { over } else { head(inner.w() - 2.0 * radius - 0.4 * size) };
            let text = head.height() + below;
            let beside_ok = emblem.1 || inner.h() - below - 2.0 * radius >= -0.1 * body_size;
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits) && text <= inner.h() && beside_ok;
            Tip { rect: *rect, coat, head, body, gap, emblem }
        })
        .collect();
    Bento { tiles, fits }
}

/// From a tile's edge to what stands on it.
fn pad(k: f32) -> f32 {
    36.0 * k
}

impl<'a> Tip<'a> {
    fn place(&self, setter: &mut Setter<'a>, i: usize) {
        let inner = self.rect.grow(-pad(setter.frame.k));
        let (radius, over) = self.emblem;
        let big = over && radius > 0.17 * self.rect.w();
        let x = if big { inner.x0 + radius } else { inner.x1 - radius };
        tile(setter, self.rect, i, self.coat, |setter| {
            emblem(setter, Point::new(x, inner.y0 + radius), radius, i, &self.coat);
            let below = self.body.as_ref().map_or(0.0, |b| self.gap + b.depth());
            let last = if self.body.is_some() { self.head.height() } else { self.head.depth() };
            let y = inner.y1 - below - last;
            setter.place(&self.head, inner.x0, y);
            if let Some(body) = &self.body {
                setter.place(body, inner.x0, y + self.head.height() + self.gap);
            }
        });
    }
}

/// The emblem of item `i`: its numeral in a disc.
fn emblem(setter: &mut Setter<'_>, center: Point, radius: f32, i: usize, coat: &Coat) {
    let (p, k) = (setter.page.palette, setter.frame.k);
    let stroke = setter.theme.card.map_or(0.0, |c| c.stroke * k);
    let (disc, ink) = if stroke > 0.0 { (p.surface, coat.ink) } else { (coat.ink, coat.fill) };
    setter.mark(Item::circle(center, radius - 0.5 * stroke, disc, Role::Field));
    if stroke > 0.0 {
        let radii = Size::new(radius - 0.5 * stroke, radius - 0.5 * stroke);
        let coverage = Coverage::Ellipse { center, radii, stroke: Some(stroke) };
        setter.mark(Item::new(coverage, Paint::Solid(p.ink), Role::Mark));
    }
    let size = (0.95 * radius).max(setter.frame.small);
    let spec = items::numeral(setter, i, ink, size).range(setter.frame.small, size);
    let spec = Spec { voice: Voice::Figure, ..spec };
    let set = setter.set(spec, 3.0 * radius);
    let middle = 0.5 * (set.laid.ink.x0 + set.laid.ink.x1);
    let x = center.x - if setter.is_rtl() { set.width - middle } else { middle };
    setter.place(&set, x, center.y - 0.5 * set.height());
}
