//! tips-bento: three to six short things on uneven tiles, each with an icon where all have one, else with its numeral; the
//! first is the largest.

use super::super::emblem::{self, Sign};
use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::ink_on;
use super::super::items;
use super::super::setter::{Set, Setter, Spec};
use super::super::tiles::{Coat, tile};
use super::art_in_corner;
use crate::design::Voice;
use crate::icon::Drawing;
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, TextLevel};

/// Tiles: the heights of those of each column, as shares, and the column and row of each in reading order. Columns break
/// at different heights, so that no row runs through.
type Layout = (&'static [&'static [f32]], &'static [(usize, usize)]);

const ROW_2: Layout = (&[&[1.0], &[1.0]], &[(0, 0), (1, 0)]);
const ROW_3: Layout = (&[&[1.0], &[1.0], &[1.0]], &[(0, 0), (1, 0), (2, 0)]);
const ROW_4: Layout = (&[&[1.0], &[1.0], &[1.0], &[1.0]], &[(0, 0), (1, 0), (2, 0), (3, 0)]);
const THREE: Layout = (&[&[1.0], &[0.5, 0.5]], &[(0, 0), (1, 0), (1, 1)]);
const FOUR: Layout = (&[&[0.58, 0.42], &[0.42, 0.58]], &[(0, 0), (1, 0), (0, 1), (1, 1)]);
const FIVE_HIGH: Layout = (&[&[0.6, 0.4], &[0.333, 0.334, 0.333]], &[(0, 0), (1, 0), (1, 1), (0, 1), (1, 2)]);
const FIVE_WIDE: Layout = (&[&[1.0], &[0.54, 0.46], &[0.46, 0.54]], &[(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)]);
const SIX_HIGH: Layout =
    (&[&[0.38, 0.31, 0.31], &[0.31, 0.31, 0.38]], &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]);
const SIX_WIDE: Layout =
    (&[&[0.56, 0.44], &[0.44, 0.56], &[0.56, 0.44]], &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);

/// An icon's side as a share of its disc's width.
const ICON: f32 = 0.6;

/// Tiles that have their sizes.
struct Bento<'a> {
    tiles: Vec<Tip<'a>>,
    fits: bool,
}

struct Tip<'a> {
    rect: Rect,
    coat: Coat,
    emblem: Emblem<'a>,
    head: Set<'a>,
    body: Option<Set<'a>>,
    /// From the head's last baseline to the sentence.
    gap: f32,
}

/// What stands for an item, in a disc where the style outlines its tiles.
struct Emblem<'a> {
    sign: Sign<'a>,
    ink: Color,
    size: Size,
    disc: bool,
    /// It stands at the start of the lines; else at their end.
    leads: bool,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let strip = shape == Shape::Strip;
    let (most, beside) = if strip { (2.2, 0.25) } else { (3.2, 0.32) };
    let heading = Heading { most, beside, ..Heading::default() };
    let count = setter.page.item_count();
    let (bento, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        let rects = rects(setter, &room, count, shape);
        fill(|t| at(setter, &rects, title, t), |b| b.fits)
    });
    setter.misfit |= !bento.fits;
    for (i, tip) in bento.tiles.iter().enumerate() {
        tip.place(setter, i);
    }
    art_in_corner(setter, room.y0);
}

/// Where the tiles lie, in reading order.
fn rects(setter: &Setter<'_>, room: &Rect, count: usize, shape: Shape) -> Vec<Rect> {
    let k = setter.frame.k;
    let card = setter.theme.card;
    // Shadows and turned corners need room between tiles, and inside the area.
    let gap = k * if card.is_some_and(|c| c.shadow > 0.0) { 38.0 } else { 24.0 };
    let edge = k * card.map_or(0.0, |c| 0.6 * c.shadow);
    let room = Rect::new(room.x0, room.y0 + edge, room.x1, room.y1 - edge);
    let (columns, order) = match (shape, count) {
        (Shape::Strip, ..=2) => ROW_2,
        (Shape::Strip, 3) => ROW_3,
        (Shape::Strip, 4) => ROW_4,
        (_, ..=3) => THREE,
        (_, 4) => FOUR,
        (Shape::Tall | Shape::Upright, 5) => FIVE_HIGH,
        (Shape::Wide | Shape::Strip, 5) => FIVE_WIDE,
        (Shape::Tall | Shape::Upright, _) => SIX_HIGH,
        (Shape::Wide | Shape::Strip, _) => SIX_WIDE,
    };
    let width = (room.w() - gap * (columns.len() - 1) as f32) / columns.len() as f32;
    let rect = |(column, row): &(usize, usize)| {
        let shares = columns[*column];
        let free = room.h() - gap * (shares.len() - 1) as f32;
        let before: f32 = shares.iter().take(*row).sum();
        let (x, y) = (room.x0 + *column as f32 * (width + gap), room.y0 + before * free + *row as f32 * gap);
        Rect::at(x, y, width, shares[*row] * free)
    };
    order.iter().take(count).map(rect).collect()
}

fn at<'a>(setter: &Setter<'a>, rects: &[Rect], title: f32, t: f32) -> Bento<'a> {
    let frame = setter.frame;
    let drawings = emblem::drawings(setter);
    let most = (1.1 * items::largest_head(&frame, rects.len(), title)).min(title / 2.2);
    let size = between(frame.body_floor, most, t);
    let body_size = items::sentence(&frame, size, t);
    let lowest = rects.iter().map(Rect::h).fold(f32::MAX, f32::min);
    let mut fits = true;
    let tiles: Vec<Tip<'a>> = rects
        .iter()
        .enumerate()
        .map(|(i, rect)| {
            let big = i == 0 && rect.h() > 1.15 * lowest;
            let size = if big { 1.18 * size } else { size };
            let coat = Coat::of(setter, i, i == usize::from(setter.page.adjust.highlight.unwrap_or(0)));
            let inner = inner(setter, rect);
            let body = items::body(setter, i, coat.ink2, body_size);
            let body = body.map(|b| setter.set(b.on(coat.fill).lines(4), inner.w()));
            let gap = 0.62 * body_size;
            let below = body.as_ref().map_or(0.0, |b| gap + b.depth());
            let free = inner.h() - below;
            let head = |width: f32| {
                let spec = items::head(setter, i, coat.ink, size).on(coat.fill).lines(3);
                setter.set(spec, width)
            };
            let drawing = drawings.as_ref().and_then(|d| d.get(i));
            let emblem = Emblem::of(setter, (i, drawing), &coat, rect, free, big);
            // Where the emblem has no room over the head, the head stands beside it.
            let over = head(inner.w());
            let clear = over.depth() + 0.5 * size + emblem.size.h <= free;
            let head = if clear { over } else { head(inner.w() - emblem.size.w - 0.4 * size) };
            // Discs stand in the corner away from the head, but for the largest.
            let leads = clear && (big || !emblem.disc);
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits) && head.depth().max(emblem.size.h) <= free;
            Tip { rect: *rect, coat, emblem: Emblem { leads, ..emblem }, head, body, gap }
        })
        .collect();
    Bento { tiles, fits }
}

/// Where words may stand on a tile.
fn inner(setter: &Setter<'_>, rect: &Rect) -> Rect {
    rect.grow(-36.0 * setter.frame.k)
}

impl<'a> Tip<'a> {
    fn place(&self, setter: &mut Setter<'a>, i: usize) {
        let inner = inner(setter, &self.rect);
        tile(setter, self.rect, i, self.coat, |setter| {
            self.emblem.place(setter, &inner, &self.coat);
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

impl<'a> Emblem<'a> {
    /// Of item `i`, of which there is a drawing, on a tile that has `free` height over its sentence.
    fn of(
        setter: &Setter<'a>,
        (i, drawing): (usize, Option<&Drawing>),
        coat: &Coat,
        rect: &Rect,
        free: f32,
        big: bool,
    ) -> Self {
        let p = &setter.page.palette;
        let disc = setter.theme.card.is_some_and(|c| c.stroke > 0.0);
        let (across, down) = if big { (0.2, 0.21) } else { (0.13, 0.23) };
        let radius = (across * rect.w()).min(down * rect.h()).min(0.5 * free).max(setter.frame.small);
        let size = if disc { 0.95 * radius } else { 1.5 * radius };
        // On a field of the accent, and on tiles that are all coloured, it is of the head's ink.
        let ink = if disc {
            ink_on(p.surface, coat.ink, p)
        } else if coat.fill == p.accent || p.accent_text.contrast(coat.fill) < 4.5 {
            coat.ink
        } else {
            p.accent_text
        };
        let round = Size::new(2.0 * radius, 2.0 * radius);
        if let Some(drawing) = drawing {
            let side = emblem::SIDE * size;
            let size = if disc { round } else { Size::new(side, side) };
            return Self { sign: Sign::Icon(drawing.clone()), ink, size, disc, leads: false };
        }
        let spec = items::numeral(setter, i, ink, size).on(if disc { p.surface } else { coat.fill });
        let numeral = setter.set(Spec { voice: Voice::Figure, level: TextLevel::Head, ..spec }, 4.0 * radius);
        let size = if disc { round } else { Size::new(numeral.laid.ink.w(), numeral.height()) };
        Self { sign: Sign::Numeral(Box::new(numeral)), ink, size, disc, leads: false }
    }

    fn place(&self, setter: &mut Setter<'a>, inner: &Rect, coat: &Coat) {
        let Size { w, h } = self.size;
        let x = if self.leads { inner.x0 } else { inner.x1 - w };
        let center = Point::new(x + 0.5 * w, inner.y0 + 0.5 * h);
        if self.disc {
            let stroke = setter.theme.card.map_or(0.0, |c| c.stroke) * setter.frame.k;
            let radius = 0.5 * (w - stroke);
            let disc = setter.page.palette.surface;
            setter.mark(Item::circle(center, radius, disc, Role::Field));
            let coverage = Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: Some(stroke) };
            setter.mark(Item::new(coverage, Paint::Solid(coat.ink), Role::Mark));
        }
        match &self.sign {
            Sign::Icon(drawing) => {
                let side = if self.disc { ICON * w } else { w };
                emblem::draw(setter, drawing, center, side, self.ink);
            }
            Sign::Numeral(set) => {
                let middle = 0.5 * (set.laid.ink.x0 + set.laid.ink.x1);
                let x = center.x - if setter.is_rtl() { set.width - middle } else { middle };
                setter.place(set, x, center.y - 0.5 * set.height());
            }
        }
    }
}
