//! `cycle`: steps in a loop.

use std::sync::Arc;

use super::Made;
use super::charting::plot;
use super::shared::text_box;
use super::telling::{Telling, disc, item_box};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Point, Role, Stroke, TextLevel};
use crate::sheet::{Boxed, Extent, Place, Plan, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Step};

const ELEMENT: Element = Element {
    name: "cycle",
    group: Group::Data,
    about: "items around a ring with arrows, label in its middle",
    holds: Holds::Only(&["item"]),
    attributes: &[Attribute::new("label", Kind::Words)],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

const TURN: f32 = std::f32::consts::TAU;
/// Number of segments of the ring.
const PIECES: u16 = 96;
/// Share of the box that the ring leaves free at its edges.
const EDGE: f32 = 0.02;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let count = items.len();
    if count == 0 {
        return Boxed::empty();
    }
    // Share of the box for one station.
    let (wide, high) = match count {
        0..=3 => (0.38, 0.28),
        4 => (0.34, 0.26),
        5 | 6 => (0.32, 0.21),
        _ => (0.27, 0.17),
    };
    // Stations with both a head and words are taller.
    let wordy = items.iter().any(|i| i.has("head") && !i.words.is_empty());
    let ring = Ring::of(count, wide, if wordy { high + 0.05 } else { high });
    let marked = items.iter().any(|i| i.flag("mark"));
    let stations = items.iter().enumerate().map(|(i, item)| {
        let station = station(&node.id, item, i, marked, count, with);
        station.with(|lay| lay.width = Some(Extent::Share(wide))).pinned(ring.at(i as f32), (0.5, 0.5))
    });
    let label = node.get("label").map(|text| {
        let plan = Plan {
            ink: Some(with.inks.ink()),
            align: Some(Align::Center),
            level: TextLevel::Head,
            ..Plan::at(Voice::Head, Step::Sm, 3).fit(Step::Sm, Step::Xl)
        };
        let words = text_box(text, &format!("{}.label", node.id), with, plan);
        let room = (2.0 * ring.radii.0 - wide - 0.04).clamp(0.2, 0.5);
        words.with(|lay| lay.width = Some(Extent::Share(room))).pinned(ring.center, (0.5, 0.5))
    });
    let drawing = arrows(ring, with);
    Boxed::layer([drawing].into_iter().chain(label).chain(stations).collect()).growing(1.0)
}

/// The ring of stations: an ellipse in shares of its box, starting at the top.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ring {
    center: (f32, f32),
    radii: (f32, f32),
    count: usize,
}

impl Ring {
    /// Returns the largest ring on which `count` stations of this size stay inside the box, as does the ring itself.
    fn of(count: usize, wide: f32, high: f32) -> Self {
        let angles = || (0..count).map(|i| i as f32 / count.max(1) as f32 * TURN - TURN / 4.0);
        let across = angles().map(|a| libm::cosf(a).abs()).fold(0.0, f32::max);
        let down = angles().map(libm::sinf).fold(-1.0, f32::max);
        let x = (0.5 - EDGE).min((1.0 - wide) / 2.0 / across.max(0.1));
        let y = ((1.0 - high) / (1.0 + down).max(0.1)).min((1.0 - high / 2.0 - EDGE) / 2.0);
        Self { center: (0.5, y + high / 2.0), radii: (x, y), count }
    }

    /// Returns the position of station `i`, or of a point between two.
    fn at(&self, i: f32) -> (f32, f32) {
        let angle = i / self.count.max(1) as f32 * TURN - TURN / 4.0;
        (self.center.0 + self.radii.0 * libm::cosf(angle), self.center.1 + self.radii.1 * libm::sinf(angle))
    }
}

/// Returns a station: a card with its number or sign, and its words.
fn station(id: &str, item: &Node, i: usize, marked: bool, count: usize, with: &With<'_>) -> Boxed {
    let ground = if item.flag("mark") { with.inks.accent() } else { with.inks.surface() };
    let on = with.on(ground);
    let fits = Telling {
        of: id,
        head: if count <= 4 { (Step::Xs, Step::Lg) } else { (Step::Xs, Step::Md) },
        body: (Step::Xs, Step::Sm),
        align: Some(Align::Center),
        ink: on.inks.ink(),
        lines: 4,
    };
    let size = with.square(Step::Xs, fits.head.1, 1.5);
    let fill = match (item.flag("mark"), marked) {
        (true, _) => on.inks.ink(),
        (false, true) => on.inks.ink2(),
        _ => on.inks.accent(),
    };
    let disc = disc(item, i + 1, size, fill, &on).with(|lay| lay.place = Some(Place::Center));
    let words = item_box(item, fits, true, &on);
    let border = with.outline();
    Boxed::column(with.step(2), vec![disc, words])
        .padded(with.step(3), with.step(2))
        .filled(ground, with.radius(1.0))
        .looking(|look| look.border = border)
        .with(|lay| lay.align = Place::Stretch)
}

/// Draws the ring, with an arrow head in the middle of each section.
fn arrows(ring: Ring, with: &With<'_>) -> Boxed {
    let (line, accent, rtl) = (with.inks.line(), with.inks.accent(), with.frame.rtl);
    let width = (0.75 * with.stroke()).clamp(3.0 * with.frame.k, 7.0 * with.frame.k);
    Boxed::drawn(plot(with), move |rect| {
        let to = |i: f32| {
            let (x, y) = ring.at(i);
            Point::new(rect.x0 + rect.w() * if rtl { 1.0 - x } else { x }, rect.y0 + y * rect.h())
        };
        let count = ring.count as f32;
        let points: Vec<Point> = (0..PIECES).map(|n| to(f32::from(n) / f32::from(PIECES) * count)).collect();
        let mut items = vec![stroked(points, true, width, line)];
        items.extend((0..ring.count).map(|i| {
            let middle = i as f32 + 0.5;
            head(to(middle - 0.01), to(middle + 0.01), 2.6 * width, width, accent)
        }));
        items
    })
}

fn stroked(points: Vec<Point>, closed: bool, width: f32, color: Color) -> Item {
    let coverage = Coverage::Polyline { points: Arc::from(points), closed, stroke: Some(Stroke::round(width)) };
    Item::new(coverage, Paint::Solid(color), Role::Mark)
}

/// Draws an arrow head between `a` and `b`.
fn head(a: Point, b: Point, reach: f32, width: f32, color: Color) -> Item {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-6);
    let (dx, dy) = (dx / length, dy / length);
    let at = |along: f32, over: f32| {
        Point::new((a.x + b.x) / 2.0 + along * dx - over * dy, (a.y + b.y) / 2.0 + along * dy + over * dx)
    };
    stroked(vec![at(-0.5 * reach, -reach), at(0.5 * reach, 0.0), at(-0.5 * reach, reach)], false, 1.15 * width, color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_and_ring_stay_in_the_box() {
        for count in 1..=9 {
            let (wide, high) = (0.3, 0.2);
            let ring = Ring::of(count, wide, high);
            for i in 0..count {
                let (x, y) = ring.at(i as f32);
                assert!(x - wide / 2.0 > -0.01 && x + wide / 2.0 < 1.01, "{count}: {x}");
                assert!(y - high / 2.0 > -0.01 && y + high / 2.0 < 1.01, "{count}: {y}");
            }
            assert!(ring.center.1 + ring.radii.1 < 1.0, "{count}");
        }
    }
}
