//! cycle: three to six steps of which the last leads to the first, on a ring; each has its words beside its point.

use kurbo::{Arc, BezPath, Shape as _, Vec2};

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::rail::{self, Node};
use super::super::setter::{Set, Setter};
use crate::scene::{Point, Rect};
use crate::text::Align;

/// Radii that are tried, as shares of the largest that the room has.
const RADII: [f32; 11] = [1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52, 0.46, 0.4];

/// Characters that a line of a few words has at least.
const EASE: usize = 10;

/// A ring that has its sizes.
struct Ring<'a> {
    center: Point,
    radius: f32,
    /// Of its points.
    node: f32,
    steps: Vec<Step<'a>>,
    fits: bool,
}

struct Step<'a> {
    /// Where it stands on the ring, in radians, clockwise from three o'clock.
    angle: f32,
    head: Set<'a>,
    body: Option<Set<'a>>,
    gap: f32,
    /// The box of its words.
    words: Rect,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let heading = Heading { beside: 0.3, ..Heading::default() };
    let (ring, _) =
        heading::fitted(setter, area, heading, |setter, room, title| fill(|t| at(setter, &room, title, t), |r| r.fits));
    setter.misfit |= !ring.fits;
    ring.place(setter);
}

/// Where step `i` of `count` stands: the first at the upper left, and none at the top or bottom, where words would have no
/// side to stand at.
fn angle(i: usize, count: usize) -> f32 {
    let step = 360.0 / count.max(1) as f32;
    let start = -180.0 + if count == 6 { step } else { 0.5 * step };
    (start + i as f32 * step).to_radians()
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, t: f32) -> Ring<'a> {
    let count = setter.page.item_count();
    let size = between(setter.frame.body_floor, items::largest_head(&setter.frame, count, title), t);
    let node = between(0.95, 1.2, t) * size;
    let most = (0.5 * room.h()).min(0.5 * room.w()) - node;
    // Words give way to the ring before it grows small.
    let radii = RADII.iter().filter(|share| t <= 0.0 || **share >= 0.6);
    let rings = radii.map(|share| ring(setter, room, size, t, node, share * most));
    // The largest that leaves its words their room; the first that is tried is the largest.
    let mut last = None;
    for ring in rings {
        if ring.fits {
            return ring;
        }
        last = Some(ring);
    }
    last.unwrap_or_else(|| ring(setter, room, size, t, node, 0.3 * most))
}

fn ring<'a>(setter: &Setter<'a>, room: &Rect, size: f32, t: f32, node: f32, radius: f32) -> Ring<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    let body_size = items::sentence(&frame, size, t);
    let upright = matches!(Frame::shape_of(room), Shape::Tall | Shape::Upright);
    let center = Point::new(room.center().x, room.y0 + 0.5 * room.h());
    let aside = node + 0.5 * size;
    let mut fits = radius > 2.2 * node;
    let mut steps: Vec<Step<'a>> = (0..count)
        .map(|i| {
            let angle = angle(i, count);
            let (sin, cos) = libm::sincosf(angle);
            let x = center.x + radius * cos;
            let right = cos > 0.0;
            let width = if right { room.x1 - x - aside } else { x - aside - room.x0 };
            let width = width.max(1.0);
            let align = if right { Align::Start } else { Align::End };
            let lines = if upright { 3 } else { 2 };
            let head = setter.set(items::head(setter, i, p.ink, size).lines(lines).align(align), width);
            let body = items::body(setter, i, p.ink2, body_size).map(|b| setter.set(b.lines(4).align(align), width));
            fits &= width >= 4.0 * size && [Some(&head), body.as_ref()].into_iter().flatten().all(is_at_ease);
            let gap = 0.7 * body_size;
            let height = head.height() + body.as_ref().map_or(0.0, |b| gap + b.height());
            // Words of the upper half grow upwards, of the lower half downwards: away from the ring.
            let y = center.y + radius * sin;
            let half = 0.5 * cap(&head);
            let off = (sin.abs() - 0.5).max(0.0) * 1.2 * size;
            let top = match sin {
                s if s < -0.4 => y + half - off - height,
                s if s > 0.4 => y - half + off,
                _ => y - 0.5 * height,
            };
            let left = if right { x + aside } else { x - aside - width };
            let depth = body.as_ref().unwrap_or(&head);
            let below = depth.depth() - depth.height();
            Step { angle, head, body, gap, words: Rect::new(left, top, left + width, top + height + below) }
        })
        .collect();
    // What the words take above and below the ring is shared out evenly.
    let box_ = steps.iter().fold(Rect::EMPTY, |b, s| b.union(&s.words));
    let top = box_.y0.min(center.y - radius - node);
    let bottom = box_.y1.max(center.y + radius + node);
    let shift = room.y0 + 0.5 * (room.h() - (bottom - top)) - top;
    fits &= bottom - top <= room.h() + 0.5;
    steps.iter_mut().for_each(|s| s.words = s.words.shift(0.0, shift));
    let apart = |a: &Step<'_>, b: &Step<'_>| a.words.grow(0.3 * size).intersect(&b.words).is_empty();
    for (i, a) in steps.iter().enumerate() {
        fits &= steps[i + 1..].iter().all(|b| apart(a, b));
    }
    Ring { center: Point::new(center.x, center.y + shift), radius, node, steps, fits }
}

/// Whether words beside a point fit there, and don't stand one word a line.
fn is_at_ease(set: &Set<'_>) -> bool {
    set.fits && set.laid.lines.len() <= 1 + set.spec.text.chars().count() / EASE
}

impl<'a> Ring<'a> {
    fn on(&self, angle: f32) -> Point {
        let (sin, cos) = libm::sincosf(angle);
        Point::new(self.center.x + self.radius * cos, self.center.y + self.radius * sin)
    }

    fn place(&self, setter: &mut Setter<'a>) {
        let count = self.steps.len();
        let step = (360.0 / count.max(1) as f32).to_radians();
        let off = (self.node + 0.34 * self.node) / self.radius;
        for (i, item) in self.steps.iter().enumerate() {
            let (from, to) = (item.angle + off, item.angle + step - off);
            rail::rail(setter, &arc(self.center, self.radius, from, to));
            let (sin, cos) = libm::sincosf(to);
            rail::arrowhead(setter, self.on(to), (-sin, cos));
            let node = Node { center: self.on(item.angle), radius: self.node, index: i, marked: i == 0 };
            node.numbered(setter);
        }
        for item in &self.steps {
            setter.place(&item.head, item.words.x0, item.words.y0);
            if let Some(body) = &item.body {
                setter.place(body, item.words.x0, item.words.y0 + item.head.height() + item.gap);
            }
        }
    }
}

/// Part of a circle.
fn arc(center: Point, radius: f32, from: f32, to: f32) -> BezPath {
    let radius = f64::from(radius);
    let arc = Arc {
        center: (f64::from(center.x), f64::from(center.y)).into(),
        radii: Vec2::new(radius, radius),
        start_angle: f64::from(from),
        sweep_angle: f64::from(to - from),
        x_rotation: 0.0,
    };
    arc.path_elements(0.05).collect()
}
