//! pros-cons: what speaks for a thing and what against it: two columns on one ground under a plus and a minus, their rows
//! on the same lines even where one has more of them.

use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use super::super::sizes::largest;
use super::points::{self, Points};
use super::{call, members, on_one_line};
use crate::design::{SlotId, Voice};
use crate::scene::{Item, Point, Rect, Role, TextLevel};

/// Side of a sign against its head's size, and the least width of its strokes.
const SIGN: (f32, f32) = (1.9, 0.15);

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    setter.first_fit(&[1.0, 0.72, 0.5], |setter, air| layout(setter, area, *air));
}

/// Both columns under or beside the title, with so much of the air that they would like to have.
fn layout(setter: &mut Setter<'_>, area: Rect, air: f32) {
    let k = setter.frame.k;
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let quiet = 0.5 + 0.5 * air;
    let side = quiet * if strip { 0.3 } else { 0.34 };
    let heading = Heading { most: quiet * 2.7, beside: side, share: 0.26 };
    let mut rest = heading::set(setter, area, heading);
    if let Some(call) = call(setter) {
        let call = on_one_line(setter, call, rest.w());
        setter.place(&call, rest.x0, rest.y1 - call.depth());
        rest.y1 -= call.depth() + 64.0 * k;
    }
    if setter.frame.size.aspect() < 0.66 {
        stacked(setter, rest, air);
    } else {
        beside(setter, rest, if strip { air.min(0.7) } else { air });
    }
}

/// The heads of both columns, in one size.
fn heads<'a>(setter: &Setter<'a>, on: Inks, width: f32, most: f32) -> [Option<Set<'a>>; 2] {
    let lead = setter.frame.lead;
    let spec = |n: u8, cap: f32| {
        let text = setter.text(SlotId::Group(n))?;
        let range = (0.95 * lead, (most * lead).min(cap).max(0.95 * lead));
        Some(setter.set(Spec::new(SlotId::Group(n), text, Voice::Head, TextLevel::Head, on.ink, range).lines(2), width))
    };
    let alone = [0, 1].map(|n| spec(n, f32::INFINITY));
    let size = alone.iter().flatten().map(|s| s.laid.size).fold(f32::INFINITY, f32::min);
    [0, 1].map(|n| spec(n, size))
}

/// A plus for the first column, a minus for the second, in a square of `side` at (x, y).
fn sign(setter: &mut Setter<'_>, n: usize, side: f32, (x, y): (f32, f32)) {
    let palette = setter.page.palette;
    let ink = if n == 0 { palette.accent_text } else { palette.ink };
    let t = (0.5 * SIGN.1 * side + 0.9 * setter.theme.stroke * setter.frame.k).min(0.3 * side);
    let round = setter.theme.radius > 0.0;
    let r = [if round { t / 2.0 } else { 0.0 }; 4];
    let middle = Point::new(x + side / 2.0, y + side / 2.0);
    setter.mark(Item::rounded(Rect::new(x, middle.y - t / 2.0, x + side, middle.y + t / 2.0), r, ink, Role::Mark));
    if n == 0 {
        setter.mark(Item::rounded(Rect::new(middle.x - t / 2.0, y, middle.x + t / 2.0, y + side), r, ink, Role::Mark));
    }
}

fn columns(setter: &Setter<'_>, on: Inks) -> [(Vec<u8>, Inks); 2] {
    [0, 1].map(|n: u8| (members(setter.page, n).collect(), on))
}

fn range(setter: &Setter<'_>) -> (f32, f32) {
    let frame = setter.frame;
    (frame.body_floor, 1.25 * frame.body.max(0.9 * frame.lead))
}

fn beside(setter: &mut Setter<'_>, area: Rect, air: f32) {
    let k = setter.frame.k;
    let on = Inks::page(&setter.page.palette);
    let gutter = 56.0 * k;
    let width = 0.5 * (area.w() - gutter);
    let xs = [area.x0, area.x0 + width + gutter];
    // Where there is little room, the sign stands beside its head.
    let inline = air < 0.9;
    let heads = heads(setter, on, if inline { 0.8 * width } else { width }, 0.9 + 0.7 * air);
    let size = heads.iter().flatten().map(|h| h.laid.size).fold(setter.frame.body, f32::max);
    let side = if inline { 0.8 } else { SIGN.0 } * size;
    let tall = heads.iter().flatten().map(Set::depth).fold(0.0, f32::max);
    let over = if inline { 0.0 } else { side + 0.7 * size };
    let gap = 0.9 * air * size;
    let room = area.h() - over - tall - gap;
    let columns = columns(setter, on);
    let (min, max) = range(setter);
    let (points, fits) = largest(min, max, |size| {
        let points = points::at(setter, &columns, width, (size, 0.66 * air));
        let fits = points.fits && points.height <= room;
        (points, fits)
    });
    setter.misfit |= !fits;
    let points = points.spread(room);
    let y = area.y0 + 0.35 * (room - points.height).max(0.0);
    for (n, x) in xs.into_iter().enumerate() {
        let Some(head) = &heads[n] else { continue };
        if inline {
            let first = head.laid.lines.first().map_or(0.0, |l| l.baseline);
            sign(setter, n, side, (x, y + 0.5 * (first - side)));
            setter.place(head, x + 1.5 * side, y);
        } else {
            sign(setter, n, side, (x, y));
            setter.place(head, x, y + over);
        }
    }
    points.place(setter, &xs, width, y + over + tall + gap);
}

/// One under the other, the sign and the head beside their points.
fn stacked(setter: &mut Setter<'_>, area: Rect, air: f32) {
    let k = setter.frame.k;
    let on = Inks::page(&setter.page.palette);
    let heads = heads(setter, on, 0.8 * area.w(), 1.7);
    let size = heads.iter().flatten().map(|h| h.laid.size).fold(setter.frame.body, f32::max);
    let side = SIGN.0 * size;
    let tall = heads.iter().flatten().map(Set::depth).fold(side, f32::max);
    let (gap, between) = (0.75 * air * size, 96.0 * air * k);
    let room = area.h() - between - 2.0 * (tall + gap);
    let columns = columns(setter, on);
    let (min, max) = range(setter);
    let (sides, fits): ([Points<'_>; 2], bool) = largest(min, max, |size| {
        let sides = [0, 1].map(|n: usize| points::at(setter, &columns[n..=n], area.w(), (size, 0.66 * air)));
        let fits = sides.iter().all(|p| p.fits) && sides.iter().map(|p| p.height).sum::<f32>() <= room;
        (sides, fits)
    });
    setter.misfit |= !fits;
    let whole = sides.iter().map(|p| p.height).sum::<f32>();
    // Rows of both grow alike.
    let grown = (room / whole.max(1.0)).max(1.0);
    let sides = sides.map(|p| {
        let height = p.height * grown;
        p.spread(height)
    });
    let spare = (room - sides.iter().map(|p| p.height).sum::<f32>()).max(0.0);
    let mut y = area.y0 + 0.3 * spare;
    for (n, points) in sides.iter().enumerate() {
        sign(setter, n, side, (area.x0, y));
        if let Some(head) = &heads[n] {
            setter.place(head, area.x0 + side + 0.5 * size, y + 0.5 * (side - head.height()));
        }
        y += tall + gap;
        points.place(setter, &[area.x0], area.w(), y);
        y += points.height + between + 0.3 * spare;
    }
}
