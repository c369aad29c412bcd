//! Points on a line: the nodes of timelines, chains and rings, with or without a numeral in them, and the rail that joins
//! them. One node of a page may be marked; where the style glows, it does.

use std::sync::Arc;

use kurbo::{BezPath, Cap, Join, Stroke as Pen, StrokeOpts, stroke};

use super::inks::{ink_on, mix};
use super::items;
use super::setter::{Set, Setter};
use crate::design::{Field, Nodes};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stop};

/// A point on a rail.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub center: Point,
    /// To the outside of its outline.
    pub radius: f32,
    /// Which of the page's nodes it is, from 0.
    pub index: usize,
    /// It is the one that matters.
    pub marked: bool,
}

impl Node {
    /// Draws it.
    pub fn draw(&self, setter: &mut Setter<'_>) {
        let p = setter.page.palette;
        let Self { center, radius: r, marked, .. } = *self;
        let nodes = setter.theme.nodes;
        if nodes == Nodes::Lit && marked {
            self.glow(setter);
        }
        match nodes {
            Nodes::Solid => {
                let ink = if marked { p.accent } else { p.ink };
                let square = setter.theme.radius <= 0.0;
                setter.mark(if square {
                    Item::rect(Rect::new(center.x - r, center.y - r, center.x + r, center.y + r), ink, Role::Field)
                } else {
                    Item::circle(center, r, ink, Role::Field)
                });
            }
            Nodes::Ring | Nodes::Lit if marked => setter.mark(Item::circle(center, r, p.accent, Role::Field)),
            Nodes::Ring | Nodes::Lit => {
                let t = ring_width(setter).min(0.4 * r);
                setter.mark(Item::circle(center, r, p.bg, Role::Field));
                setter.mark(Item::ring(center, r - t / 2.0, t, idle(setter), Role::Mark));
            }
            Nodes::Outlined => {
                let t = (setter.theme.stroke * setter.frame.k).min(0.34 * r);
                let fill = if marked { p.accent } else { p.art[self.index % p.art.len()] };
                setter.mark(Item::circle(center, r - t / 2.0, fill, Role::Field));
                setter.mark(Item::ring(center, r - t / 2.0, t, p.ink, Role::Mark));
            }
        }
    }

    /// The ink of a numeral in it.
    pub fn ink(&self, setter: &Setter<'_>) -> Color {
        let p = &setter.page.palette;
        match setter.theme.nodes {
            Nodes::Outlined => {
                let first = if setter.page.field == Field::Close { p.bg } else { p.ink };
                ink_on(if self.marked { p.accent } else { p.art[self.index % p.art.len()] }, first, p)
            }
            _ if self.marked => p.on_accent,
            Nodes::Solid => p.bg,
            Nodes::Ring | Nodes::Lit => p.ink,
        }
    }

    /// Draws it with its numeral.
    pub fn numbered<'a>(&self, setter: &mut Setter<'a>) {
        self.draw(setter);
        let (side, r) = (2.0 * self.radius, self.radius);
        let ink = self.ink(setter);
        let size = (0.92 * r).max(setter.frame.small);
        let spec = items::numeral(setter, self.index, ink, size).range(setter.frame.small.min(size), size);
        let set: Set<'a> = setter.set(spec, 1.4 * side);
        // Its ink is what stands in the middle.
        let middle = 0.5 * (set.laid.ink.x0 + set.laid.ink.x1);
        let x = self.center.x - if setter.is_rtl() { set.width - middle } else { middle };
        setter.place(&set, x, self.center.y - set.height() / 2.0);
    }

    /// Light around it: a halo, and a glow that fades into the night.
    fn glow(&self, setter: &mut Setter<'_>) {
        let accent = setter.page.palette.accent;
        let Self { center, radius: r, .. } = *self;
        let reach = (4.6 * r).min(r + 74.0 * setter.frame.k);
        let at = |offset: f32, a: f32| Stop { offset, color: accent.alpha(a) };
        let near = r / reach;
        let fade = |part: f32| near + (1.0 - near) * part;
        let stops: Arc<[Stop]> =
            [at(near, 0.36), at(fade(0.22), 0.2), at(fade(0.5), 0.075), at(fade(0.78), 0.018), at(1.0, 0.0)].into();
        let disc = |radius: f32, paint: Paint| {
            let coverage = Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: None };
            Item::new(coverage, paint, Role::Mark)
        };
        setter.mark(disc(reach, Paint::Radial { center, radius: reach, stops }));
        setter.mark(disc(r + (0.62 * r).min(14.0 * setter.frame.k), Paint::Solid(accent.alpha(0.2))));
    }
}

/// The ink of what isn't marked: the style's rule where it can be seen, else between it and supporting text.
pub(super) fn idle(setter: &Setter<'_>) -> Color {
    let p = &setter.page.palette;
    if p.line.contrast(p.bg) >= 2.4 {
        return p.line;
    }
    mix(p.line, p.ink2, 0.5)
}

/// Width of the ring of a node.
fn ring_width(setter: &Setter<'_>) -> f32 {
    (0.7 * setter.theme.stroke).max(setter.theme.rule) * setter.frame.k
}

/// Colour and width of rails.
pub(super) fn track(setter: &Setter<'_>) -> (Color, f32) {
    let (p, k) = (&setter.page.palette, setter.frame.k);
    let (rule, stroke) = (setter.theme.rule * k, setter.theme.stroke * k);
    match setter.theme.nodes {
        Nodes::Outlined => (p.ink, stroke),
        Nodes::Solid => (p.line, 0.8 * stroke),
        Nodes::Ring | Nodes::Lit => (p.line, rule),
    }
}

/// Draws a rail along `path`.
pub(super) fn rail(setter: &mut Setter<'_>, path: &BezPath) {
    let (color, width) = track(setter);
    setter.mark(line(path, color, width));
}

/// Draws a straight rail.
pub(super) fn straight(setter: &mut Setter<'_>, from: Point, to: Point) {
    let mut path = BezPath::new();
    path.move_to((f64::from(from.x), f64::from(from.y)));
    path.line_to((f64::from(to.x), f64::from(to.y)));
    rail(setter, &path);
}

/// Draws the head of an arrow whose tip is at `tip`, flown in the direction (dx, dy) of length 1.
pub(super) fn arrowhead(setter: &mut Setter<'_>, tip: Point, (dx, dy): (f32, f32)) {
    let reach = (2.6 * track(setter).1).max(17.0 * setter.frame.k);
    let at = |along: f32, across: f32| {
        (f64::from(tip.x - along * dx - across * dy), f64::from(tip.y - along * dy + across * dx))
    };
    let mut path = BezPath::new();
    path.move_to(at(0.0, 0.0));
    path.line_to(at(reach, 0.56 * reach));
    path.line_to(at(reach, -0.56 * reach));
    path.close_path();
    let ink = match setter.theme.nodes {
        Nodes::Outlined | Nodes::Solid => setter.page.palette.ink,
        Nodes::Ring | Nodes::Lit => idle(setter),
    };
    setter.mark(Item::path(path, ink, Role::Mark));
}

/// A line along a path.
pub(super) fn line(path: &BezPath, color: Color, width: f32) -> Item {
    let pen = Pen::new(f64::from(width)).with_caps(Cap::Butt).with_join(Join::Miter);
    Item::path(stroke(path, &pen, &StrokeOpts::default(), 0.05), color, Role::Mark)
}

/// Draws the rail between two nodes. Rings stand clear of it, what is filled lies on it.
pub(super) fn join(setter: &mut Setter<'_>, from: &Node, to: &Node) {
    let (dx, dy) = (to.center.x - from.center.x, to.center.y - from.center.y);
    let length = libm::sqrtf(dx * dx + dy * dy).max(1.0);
    let clear: f32 = match setter.theme.nodes {
        Nodes::Ring | Nodes::Lit => 0.45,
        Nodes::Solid | Nodes::Outlined => -0.5,
    };
    let end = |node: &Node, sign: f32| {
        // A node that is marked is filled: the rail reaches it.
        let off = node.radius * (1.0 + if node.marked { clear.min(0.0) } else { clear }) * sign / length;
        Point::new(node.center.x + off * dx, node.center.y + off * dy)
    };
    straight(setter, end(from, 1.0), end(to, -1.0));
}

/// Draws the head of an arrow on the rail between two nodes, where it comes to the second.
pub(super) fn arrow_into(setter: &mut Setter<'_>, from: &Node, to: &Node) {
    let (dx, dy) = (to.center.x - from.center.x, to.center.y - from.center.y);
    let length = libm::sqrtf(dx * dx + dy * dy).max(1.0);
    let unit = (dx / length, dy / length);
    let off = match setter.theme.nodes {
        Nodes::Ring | Nodes::Lit if !to.marked => 1.45,
        _ => 1.12,
    } * to.radius;
    arrowhead(setter, Point::new(to.center.x - off * unit.0, to.center.y - off * unit.1), unit);
}
