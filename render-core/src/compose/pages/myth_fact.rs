//! myth-fact: what is believed and what is so, one against the other. Both are display type of one size; two fields meet
//! between them at 45 %, or a rule stands there and strikes the myth out.

use std::f32::consts::{FRAC_PI_2, PI};

use super::super::column::{Column, Stack};
use super::super::inks::{Inks, ink_on};
use super::super::setter::{Setter, Spec};
use super::super::split::{self, Split};
use super::super::tag::Tag;
use super::{art, art_in_lower_corner, lines_grown, members};
use crate::art::Scale;
use crate::design::{Cut, Recipe, SlotId, Voice};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, TextLevel};

/// Where the two may meet, as shares of the height; the first is to be preferred.
const CUTS: [f32; 7] = [0.45, 0.42, 0.48, 0.39, 0.51, 0.36, 0.54];
/// The share of the width that statements take beside art, and how loud they stay at the least.
const BESIDE_ART: f32 = 0.69;
const AS_LOUD: f32 = 0.7;
/// From a statement's baseline to the cap line of what supports it, and from a label to its statement, in bodies.
const GAPS: (f32, f32) = (1.7, 1.15);

/// One of the two.
struct Side<'a> {
    tag: Option<Tag<'a>>,
    stack: Stack<'a>,
    gap: f32,
}

impl<'a> Side<'a> {
    fn head(&self) -> f32 {
        self.tag.as_ref().map_or(0.0, |t| t.height + self.gap)
    }

    fn depth(&self) -> f32 {
        self.head() + self.stack.depth
    }

    fn size(&self) -> f32 {
        self.stack.texts.first().map_or(0.0, |(_, set)| set.laid.size)
    }

    fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        if let Some(tag) = &self.tag {
            tag.place(setter, x, y);
        }
        self.stack.place(setter, x, y + self.head());
    }
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match setter.split {
        Split::Beside(x) => beside(setter, area, x),
        Split::Stacked | Split::Whole => stacked(setter, area),
    }
}

/// Both in boxes of their own, their statements in one size and in a share of the width.
fn sides<'a>(setter: &Setter<'a>, boxes: [(f32, f32); 2], share: f32) -> [Side<'a>; 2] {
    let inks = setter.parts;
    let alone = [0, 1].map(|n| side(setter, n, inks[usize::from(n)], boxes[usize::from(n)], (share, f32::INFINITY)));
    let size = alone[0].size().min(alone[1].size());
    if alone.iter().all(|s| s.size() - size < 0.6) {
        return alone;
    }
    [0, 1].map(|n| side(setter, n, inks[usize::from(n)], boxes[usize::from(n)], (share, size)))
}

fn side<'a>(setter: &Setter<'a>, n: u8, on: Inks, (w, h): (f32, f32), (share, cap): (f32, f32)) -> Side<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let (b, lead) = (frame.body, frame.lead);
    let ruled = setter.theme.cut == Cut::Rule;
    // A filled label is as dark as the type of its field, the fact's as bright as the palette goes.
    let filling: (Color, Color) =
        if n == 0 { (palette.ink, palette.bg) } else { (palette.art[1], ink_on(palette.art[1], palette.ink, palette)) };
    let named = if n == 0 { quieter(on) } else { on };
    let tag = Tag::of(setter, SlotId::Group(n), named, filling, w);
    let gap = if tag.is_some() { GAPS.1 * b.max(0.9 * lead) } else { 0.0 };
    let room = h - tag.as_ref().map_or(0.0, |t| t.height + gap);
    let item = members(setter.page, n).next().unwrap_or(n);
    let text = setter.text(SlotId::ItemHead(item)).unwrap_or_default();
    let most = match text.chars().count() {
        0..=26 => 4.6,
        27..=44 => 4.8,
        45..=70 => 3.3,
        _ => 2.6,
    };
    let (min, max) = (1.5 * lead, (most * lead).min(cap));
    let ink = if ruled && n == 0 { on.quiet } else { on.ink };
    let statement = Spec::new(SlotId::ItemHead(item), text, Voice::Display, TextLevel::Hero, ink, (min, max.max(min)))
        .lines(6)
        .loud(share < 1.0)
        .on(on.ground)
        .struck((ruled && n == 0).then_some(on.accent));
    let support = setter.text(SlotId::ItemBody(item)).map(|text| {
        let range = (frame.body_floor, frame.body_floor.max(b.max(0.9 * lead)));
        Spec::new(SlotId::ItemBody(item), text, Voice::Body, TextLevel::Body, on.quiet, range).lines(5).on(on.ground)
    });
    let column = Column::default().text(0.0, statement).maybe(GAPS.0 * b.max(0.9 * lead), support).first_in(share);
    Side { tag, stack: column.solve(setter, w, room), gap }
}

/// With its accent as quiet as its supporting text.
fn quieter(on: Inks) -> Inks {
    Inks { accent: on.quiet, ..on }
}

/// Room on each side of where the two meet.
fn clearance(setter: &Setter<'_>) -> f32 {
    0.9 * split::swing(setter.theme, setter.frame.k) + 34.0 * setter.frame.k
}

fn stacked(setter: &mut Setter<'_>, area: Rect) {
    let clear = clearance(setter);
    let whole = met(setter, area, 1.0);
    // Narrower statements leave a ball its place where the fields meet, where that costs them little. Other art wants a
    // ground of one colour.
    let floats = setter.page.art.is_some_and(|a| a.recipe == Recipe::Ball);
    let narrow = (setter.theme.cut == Cut::Wave && floats)
        .then(|| met(setter, area, BESIDE_ART))
        .flatten()
        .filter(|(sides, ..)| sides.iter().all(|s| s.stack.fits))
        .filter(|(sides, ..)| whole.as_ref().is_none_or(|(w, ..)| sides[0].size() >= AS_LOUD * w[0].size()));
    let Some((sides, mut y, _)) = narrow.or(whole) else { return };
    // What both leave over is shared out between them.
    let free = [y - clear - area.y0 - sides[0].depth(), area.y1 - y - clear - sides[1].depth()].map(|f| f.max(0.0));
    y += (0.5 * (free[1] - free[0])).clamp(-0.3 * free[0], 0.3 * free[1]);
    let below = y + clear;
    split::across(setter, y, (area.x0, area.x1));
    let free = [y - clear - area.y0 - sides[0].depth(), area.y1 - below - sides[1].depth()].map(|f| f.max(0.0));
    let tops = [area.y0 + 0.3 * free[0], below + (0.2 * free[1]).min(0.5 * clear)];
    // What supports a statement stands further from the seam than the art reaches.
    let beside = |n: usize| sides[n].stack.texts.first().map_or(0.0, |(_, s)| s.reach());
    let reach = area.x0 + beside(0).max(beside(1)) + 48.0 * setter.frame.k;
    sides[0].place(setter, area.x0, tops[0]);
    sides[1].place(setter, area.x0, tops[1]);
    let zone = Rect::new(reach, y - 0.3 * area.w(), setter.frame.size.w, y + 0.3 * area.w());
    if setter.theme.cut == Cut::Wave && floats {
        if zone.w() >= 0.28 * setter.frame.size.short() {
            art(setter, zone, Scale::Accent);
        } else {
            art_in_lower_corner(setter, below);
        }
        quarter(setter, below);
    }
}

/// A quarter of a disc in the corner under the end of the fact, where nobody signs the page and no line comes near.
fn quarter(setter: &mut Setter<'_>, top: f32) {
    let size = setter.frame.size;
    let radius = 0.24 * size.short();
    let center = Point::new(size.w, size.h);
    let near = |line: &Rect| {
        let (dx, dy) = ((center.x - line.x1).max(0.0), (center.y - line.y1).max(0.0));
        dx * dx + dy * dy < radius * radius
    };
    let clear = size.h - radius > top && !lines_grown(setter, 40.0 * setter.frame.k).iter().any(near);
    if clear && setter.page.slide.is_none() {
        let disc = Coverage::Arc { center, radius, start: PI, sweep: FRAC_PI_2, stroke: None };
        setter.art(Item::new(disc, Paint::Solid(setter.page.palette.accent2), Role::Art));
    }
}

/// The two one over the other, their statements in a share of the width, the place where they meet, and how good that is.
fn met<'a>(setter: &Setter<'a>, area: Rect, share: f32) -> Option<([Side<'a>; 2], f32, f32)> {
    let clear = clearance(setter);
    let mut best: Option<([Side<'a>; 2], f32, f32)> = None;
    for cut in CUTS {
        let y = area.y0 + cut * area.h();
        let boxes = [(area.w(), y - clear - area.y0), (area.w(), area.y1 - y - clear)];
        let sides = sides(setter, boxes, share);
        let whole = sides.iter().all(|s| s.stack.fits);
        // A cut that gains less than a twentieth isn't worth leaving the preferred one.
        let worth = sides[0].size() * if whole { 1.0 } else { 0.2 };
        if best.as_ref().is_none_or(|(_, _, w)| worth > 1.05 * w) {
            best = Some((sides, y, worth));
        }
    }
    best
}

fn beside(setter: &mut Setter<'_>, area: Rect, x: f32) {
    let clear = clearance(setter);
    let right = Rect { x0: x + clear, ..area };
    let boxes = [(x - clear - area.x0, area.h()), (right.w(), area.h())];
    let sides = sides(setter, boxes, 1.0);
    split::down(setter, x, 0.0, (area.y0, area.y1));
    let depth = sides[0].depth().max(sides[1].depth());
    // Labels of both stand on one line, low enough that the page isn't empty below them.
    let y = area.y0 + 0.4 * (area.h() - depth).max(0.0);
    sides[0].place(setter, area.x0, y);
    sides[1].place(setter, right.x0, y);
}
