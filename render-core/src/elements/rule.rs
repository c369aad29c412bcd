//! `rule`: a line between things: horizontal in columns, vertical in rows.

use std::sync::Arc;

use kurbo::BezPath;

use super::Made;
use super::signs::fine_or;
use crate::scene::{Color, Coverage, Item, LineCap, Paint, Point, Rect, Role, Size, Stroke};
use crate::sheet::{Boxed, Flow, Place, Ranged, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Space};

/// Length of half a wave and its height, relative to the width of its line.
const WAVE: (f32, f32) = (4.4, 3.2);

/// Length of a dash, distance of dashes, and distance of dots, in widths of the line.
const DASHES: (f32, f32) = (4.0, 7.0);
const DOTS: f32 = 2.6;

const ELEMENT: Element = Element {
    name: "rule",
    group: Group::Marks,
    about: "a line across a column, upright in a row; width makes a short one",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::or("line", Kind::Choice(&["solid", "thick", "dashed", "dotted", "wavy"]), "solid"),
        Attribute::new("ink", Kind::Colour),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let manner = node.get("line").unwrap_or_default().to_owned();
    let heavy = matches!(manner.as_str(), "thick" | "wavy");
    let ink = match node.colour("ink") {
        None if !heavy => with.inks.line(),
        _ => fine_or(node, "ink", with),
    };
    let width = match manner.as_str() {
        "thick" => with.frame.space(Space::Step(1)).max(1.2 * with.stroke()),
        "wavy" => with.stroke().max(0.6 * with.frame.space(Space::Step(1))),
        "dotted" => 1.6 * with.rule().max(with.stroke() * 0.5),
        _ => with.rule(),
    };
    let across = if manner == "wavy" { width * (1.0 + WAVE.1) } else { width };
    let upright = matches!(with.flow, Flow::Row | Flow::Wrap);
    let least = 2.0 * across;
    let size = if upright { Size::new(across, least) } else { Size::new(least, across) };
    let made = Boxed::drawn(Ranged::fixed(size), move |rect| drawn(rect, upright, &manner, width, ink));
    // A short rule is aligned with the start of the text lines.
    let place = if node.has("width") && !upright { side(with) } else { Place::Stretch };
    made.rigid()
        .with(|lay| lay.place = Some(place))
        .at(if upright { Some(0.5) } else { None }, if upright { None } else { Some(0.5) })
}

fn side(with: &With<'_>) -> Place {
    match with.align {
        crate::text::Align::Center => Place::Center,
        crate::text::Align::End => Place::End,
        crate::text::Align::Start => Place::Start,
    }
}

fn drawn(rect: Rect, upright: bool, manner: &str, width: f32, ink: Color) -> Vec<Item> {
    let c = rect.center();
    let half = width / 2.0;
    let (from, to) = if upright {
        (Point::new(c.x, rect.y0), Point::new(c.x, rect.y1))
    } else {
        (Point::new(rect.x0, c.y), Point::new(rect.x1, c.y))
    };
    // Dashes and dots end exactly at the line's end.
    let (from, to) = match manner {
        "dotted" if upright => (Point::new(c.x, from.y + half), Point::new(c.x, to.y - half)),
        "dotted" => (Point::new(from.x + half, c.y), Point::new(to.x - half, c.y)),
        _ => (from, to),
    };
    let long = (to.x - from.x) + (to.y - from.y) + if manner == "dashed" { (DASHES.1 - DASHES.0) * width } else { 0.0 };
    let pen = match manner {
        "wavy" => return vec![Item::new(wave(from, to, upright, width), Paint::Solid(ink), Role::Mark)],
        "dashed" => {
            let period = long / (long / DASHES.1 / width).round().max(1.0);
            let dash = DASHES.0 * width * period / (DASHES.1 * width);
            Stroke { dashes: Arc::from([dash, period - dash]), dash_offset: 0.0, ..Stroke::new(width) }
        }
        "dotted" => {
            let period = long / (long / DOTS / width).round().max(1.0);
            Stroke { dashes: Arc::from([0.0, period]), cap: LineCap::Round, ..Stroke::new(width) }
        }
        _ => {
            let line = Rect::new(from.x, from.y, to.x, to.y);
            let line = if upright {
                Rect { x0: c.x - half, x1: c.x + half, ..line }
            } else {
                Rect { y0: c.y - half, y1: c.y + half, ..line }
            };
            return vec![Item::rect(line, ink, Role::Mark)];
        }
    };
    let coverage = Coverage::Polyline { points: Arc::from([from, to]), closed: false, stroke: Some(pen) };
    vec![Item::new(coverage, Paint::Solid(ink), Role::Mark)]
}

/// Returns a wavy line between two points, with a whole number of half waves.
fn wave(from: Point, to: Point, upright: bool, width: f32) -> Coverage {
    let long = (to.x - from.x) + (to.y - from.y) - width;
    let n = (long / (WAVE.0 * width)).round().max(1.0);
    let (step, rise) = (long / n, 0.5 * WAVE.1 * width);
    let at = |along: f32, across: f32| {
        let along = along + width / 2.0;
        let (x, y) = if upright { (from.x + across, from.y + along) } else { (from.x + along, from.y + across) };
        (f64::from(x), f64::from(y))
    };
    let mut path = BezPath::new();
    path.move_to(at(0.0, 0.0));
    for i in 0..n as u16 {
        let (a, sign) = (f32::from(i) * step, if i % 2 == 0 { -1.0 } else { 1.0 });
        // The middle of a cubic reaches three quarters of the height of its control points.
        let high = sign * rise * 4.0 / 3.0;
        path.curve_to(at(a + 0.36 * step, high), at(a + 0.64 * step, high), at(a + step, 0.0));
    }
    Coverage::Stroke { path: Arc::new(path), stroke: Stroke::round(width) }
}
