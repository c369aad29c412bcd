//! list-bands: a few things on bands that run across the page, each deeper than the one before, the last in the accent, or
//! in the field of the headline's band: rows where the page is high, columns where it is a strip.

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::{Inks, ink_on, mix};
use super::super::items;
use super::super::setter::{Set, Setter, Spec};
use super::super::tiles::Coat;
use crate::design::{SlotId, Tiles, Voice};
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role, TextLevel};

/// How far the first band, and the last but one, are from the page's ground on the way to the deepest.
const DEPTHS: (f32, f32) = (0.12, 0.5);
/// How far from a band's edges its words stand, in sizes of their heads.
const PAD: f32 = 0.8;
/// From the page's ground to the first band under a headline on a band, in units: they meet.
const MEETS: f32 = 60.0;

/// Bands that have their sizes.
struct Bands<'a> {
    bands: Vec<Band<'a>>,
    fits: bool,
}

struct Band<'a> {
    rect: Rect,
    ground: Color,
    numeral: Set<'a>,
    head: Set<'a>,
    body: Option<Set<'a>>,
    /// Where numeral and words begin.
    x: (f32, f32),
    /// From the numeral's baseline to the head, where it stands over it.
    under: Option<f32>,
    gap: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let strip = shape == Shape::Strip;
    let heading = Heading { most: if strip { 2.2 } else { 3.2 }, share: 0.3, beside: if strip { 0.26 } else { 0.34 } };
    let (bands, _) = heading::fitted(setter, area, heading, |setter, room, title| {
        let rects = rects(setter, &room, shape);
        fill(|t| at(setter, &rects, (room.x0, area.x1), title, strip, t), |b| b.fits)
    });
    setter.misfit |= !bands.fits;
    // Columns begin on one line.
    let tallest = bands.bands.iter().map(Band::height).fold(0.0, f32::max);
    for band in &bands.bands {
        band.place(setter, if strip { tallest } else { band.height() });
    }
}

/// Where the bands lie, over the edges of the canvas: the last of them over its lower edge where nothing stands in the foot.
fn rects(setter: &Setter<'_>, room: &Rect, shape: Shape) -> Vec<Rect> {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let count = setter.page.item_count().max(1);
    let signed = [SlotId::Handle, SlotId::Brand].iter().any(|id| setter.text(*id).is_some());
    let footed = setter.frame.has_chrome() && (setter.page.slide.is_some() || signed);
    let beside = matches!(shape, Shape::Wide | Shape::Strip);
    let top = match (beside, setter.banded) {
        (true, _) => room.y0,
        (_, true) => room.y0 - MEETS * k,
        _ => room.y0 - 8.0 * k,
    };
    // Where a format keeps an end of the canvas clear, nothing of it is a margin.
    let far = size.h - setter.frame.text.y1 > 0.16 * size.h;
    let bottom = if footed || beside || far { room.y1 } else { size.h };
    let left = if beside { room.x0 - 40.0 * k } else { 0.0 };
    let all = Rect::new(left, top, size.w, bottom);
    let n = count as f32;
    let part = |i: usize| {
        let (a, b) = (i as f32 / n, (i + 1) as f32 / n);
        if shape == Shape::Strip {
            let right = if i + 1 == count { all.x1 } else { left + b * (setter.frame.text.x1 - left) };
            Rect::new(left + a * (setter.frame.text.x1 - left), all.y0, right, all.y1)
        } else {
            Rect { y0: all.y0 + a * all.h(), y1: all.y0 + b * all.h(), ..all }
        }
    };
    (0..count).map(part).collect()
}

/// What each of `count` bands stands on, and its inks.
fn coats(setter: &Setter<'_>, count: usize) -> Vec<Inks> {
    let p = &setter.page.palette;
    if setter.theme.tiles == Tiles::Flats {
        // Two of one colour would be one.
        let mut flats =
            (0..4 * count).map(|i| Coat::of(setter, i, false)).fold(Vec::new(), |mut flats: Vec<Coat>, coat| {
                if flats.last().is_none_or(|last| last.fill.contrast(coat.fill) >= 1.1 || apart(last.fill, coat.fill)) {
                    flats.push(coat);
                }
                flats
            });
        flats.resize(count.max(flats.len()), Coat::of(setter, 0, false));
        let inks = |coat: Coat| Inks { quiet: coat.ink2, accent: coat.ink, ..Inks::on(coat.fill, coat.ink, p) };
        return flats.into_iter().take(count).map(inks).collect();
    }
    let (deepest, on_deepest) = if setter.banded { (p.field, p.on_field) } else { (p.accent, p.on_accent) };
    let steps = count.saturating_sub(2).max(1) as f32;
    let inks = |i: usize| {
        if i + 1 == count {
            let on = Inks::on(deepest, on_deepest, p);
            return Inks { quiet: on.ink, accent: on.ink, ..on };
        }
        let ground = mix(p.bg, deepest, between(DEPTHS.0, DEPTHS.1, i as f32 / steps));
        let ink = ink_on(ground, p.ink, p);
        // On the deeper ones another colour than the ink's is neither.
        Inks { accent: ink, ..Inks::on(ground, ink, p) }
    };
    (0..count).map(inks).collect()
}

/// Whether two colours are told apart by more than their lightness.
fn apart(a: Color, b: Color) -> bool {
    let (a, b) = (a.to_oklab(), b.to_oklab());
    (1..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>() >= 0.06 * 0.06
}

/// The bands with their words between `x0` and `x1`, their heads between the smallest size and the largest.
fn at<'a>(setter: &Setter<'a>, rects: &[Rect], (x0, x1): (f32, f32), title: f32, strip: bool, t: f32) -> Bands<'a> {
    let frame = setter.frame;
    let count = rects.len();
    let most = (1.16 * items::largest_head(&frame, count, title)).min(title / 1.9).max(frame.body_floor);
    let size = between(frame.body_floor, most, t);
    let body_size = items::sentence(&frame, size, t);
    let lowest = rects.iter().map(Rect::h).fold(f32::MAX, f32::min);
    let numeral_size = between(1.0, if strip { 1.5 } else { 2.3 }, t) * size;
    let numeral_size = numeral_size.min(0.62 * lowest).max(frame.small);
    let inks = coats(setter, count);
    let numerals: Vec<Set<'a>> = (0..count)
        .map(|i| {
            let spec = items::numeral(setter, i, inks[i].accent, numeral_size).on(inks[i].ground);
            setter.set(Spec { voice: Voice::Figure, level: TextLevel::Head, ..spec }, x1 - x0)
        })
        .collect();
    let widest = super::widest(&numerals);
    let column = if strip { 0.0 } else { (widest + 1.1 * size).max(0.13 * (x1 - x0)) };
    let pad = PAD * size;
    let mut fits = true;
    let bands = numerals.into_iter().enumerate().map(|(i, numeral)| {
        let (rect, on) = (rects[i], inks[i]);
        let from = if strip { rect.x0 + if i == 0 { 40.0 * frame.k } else { pad } } else { x0 };
        let to = if strip { rect.x1.min(x1) - pad } else { x1 };
        let width = to - from - column;
        let head = setter.set(items::head(setter, i, on.ink, size).on(on.ground).lines(3), width);
        let body = items::body(setter, i, on.quiet, body_size).map(|b| setter.set(b.on(on.ground).lines(4), width));
        let gap = 0.7 * body_size;
        let under = strip.then_some(1.1 * size);
        let band = Band { rect, ground: on.ground, numeral, head, body, x: (from, from + column), under, gap };
        fits &= band.head.fits
            && band.body.as_ref().is_none_or(|b| b.fits)
            && width > 4.0 * size
            && band.height() + 2.0 * pad <= rect.h()
            // The last may run over the foot of the canvas: its words keep off it.
            && rect.y0 + 0.5 * (rect.h() + band.height()) <= frame.text.y1;
        band
    });
    Bands { bands: bands.collect(), fits }
}

impl<'a> Band<'a> {
    /// From its first cap line to its lowest ink.
    fn height(&self) -> f32 {
        let words = match &self.body {
            Some(body) => self.head.height() + self.gap + body.depth(),
            None => self.head.depth(),
        };
        match self.under {
            Some(under) => self.numeral.height() + under + words,
            None => words.max(self.numeral.height()),
        }
    }

    /// Draws it, its words in the middle of it as if they were so high.
    fn place(&self, setter: &mut Setter<'a>, height: f32) {
        // Where two meet, neither lets the page's ground shine through.
        let field = if self.under.is_some() {
            Rect { x0: self.rect.x0 - 1.0, ..self.rect }
        } else {
            Rect { y0: self.rect.y0 - 1.0, ..self.rect }
        };
        setter.mark(Item::rect(field, self.ground, Role::Field));
        let stroke = setter.theme.card.map_or(0.0, |c| c.stroke) * setter.frame.k;
        if stroke > 0.0 {
            let (r, size) = (self.rect, setter.frame.size);
            // Over the edges of the canvas there is no outline.
            let out = |edge: f32, far: f32| if (edge - far).abs() < 0.5 { 4.0 * stroke } else { 0.0 };
            let rect = Rect::new(r.x0 - out(r.x0, 0.0), r.y0, r.x1 + out(r.x1, size.w), r.y1 + out(r.y1, size.h));
            let coverage = Coverage::Rect { rect, radii: [0.0; 4], stroke: Some(stroke) };
            setter.mark(Item::new(coverage, Paint::Solid(setter.page.palette.ink), Role::Mark));
        }
        let top = self.rect.y0 + 0.5 * (self.rect.h() - height);
        setter.place(&self.numeral, self.x.0, top + self.beside_head());
        let y = match self.under {
            Some(under) => top + self.numeral.height() + under,
            None if self.body.is_some() => top,
            None => top + 0.5 * (self.height() - self.head.depth()),
        };
        setter.place(&self.head, self.x.1, y);
        if let Some(body) = &self.body {
            setter.place(body, self.x.1, y + self.head.height() + self.gap);
        }
    }

    /// How far below the words' first cap line the numeral's stands: both share their middle where nothing is under the head.
    fn beside_head(&self) -> f32 {
        if self.under.is_some() { 0.0 } else { 0.5 * (self.height() - self.numeral.height()) }
    }
}
