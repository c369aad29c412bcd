//! tree: what falls under what: groups at the left, what belongs to them at the right, rails between them.

use kurbo::BezPath;

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::rail::{self, Node, join};
use super::super::setter::{Set, Setter, Spec};
use crate::design::{Nodes, SlotId, Voice};
use crate::scene::{Item, Point, Rect, Role, TextLevel};

/// Groups that have their sizes.
struct Tree<'a> {
    groups: Vec<Group<'a>>,
    /// Size of the groups' names.
    size: f32,
    /// Of the groups' points.
    radius: f32,
    /// From a group's left end to its name, and to its leaves.
    name: f32,
    leaves: f32,
    /// Between leaves, and between the leaves of two groups.
    gap: f32,
    apart: f32,
    fits: bool,
}

struct Group<'a> {
    name: Set<'a>,
    leaves: Vec<Set<'a>>,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let heading =
        Heading { beside: if strip { 0.25 } else { 0.34 }, most: if strip { 2.2 } else { 3.0 }, ..Heading::default() };
    let (tree, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, strip, t), |tree| tree.fits && tree.height(strip) <= room.h())
    });
    setter.misfit |= !tree.fits || tree.height(strip) > room.h() + 0.5;
    if strip { tree.across(setter, &room) } else { tree.down(setter, &room) }
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, strip: bool, t: f32) -> Tree<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = (0..=u8::MAX).take_while(|n| setter.text(SlotId::Group(*n)).is_some()).count();
    let items = setter.page.item_count();
    let size = between(frame.body_floor, (1.3 * items::largest_head(&frame, count, f32::INFINITY)).min(title / 1.9), t);
    // Leaves are as large as the heads of a long list.
    let largest = items::largest_head(&frame, items.max(4), f32::INFINITY);
    let leaf = between(frame.body_floor, largest.min(0.9 * size), t);
    let radius = 0.36 * size;
    let name_at = if strip { 0.0 } else { 2.0 * radius + 0.7 * size };
    let column = if strip { room.w() / count.max(1) as f32 - 40.0 * frame.k } else { 0.44 * room.w() - name_at };
    let mut fits = count > 0;
    let names: Vec<Set<'a>> = (0..count)
        .map(|n| {
            let slot = SlotId::Group(n as u8);
            let text = setter.text(slot).unwrap_or_default();
            let spec = Spec::new(slot, text, Voice::Head, TextLevel::Head, p.ink, (size, size)).lines(2);
            setter.set(spec, column)
        })
        .collect();
    let widest = names.iter().map(Set::reach).fold(0.0, f32::max);
    let leaves_at = if strip { 0.0 } else { (name_at + widest + 2.8 * size).max(0.5 * room.w()) };
    let width = if strip { column } else { room.w() - leaves_at };
    let groups: Vec<Group<'a>> = names
        .into_iter()
        .enumerate()
        .map(|(n, name)| {
            let of = |i: &usize| setter.page.items.get(*i).map_or(0, |d| usize::from(d.group)) == n;
            let leaves = (0..items).filter(of).map(|i| {
                let spec = items::head(setter, i, p.ink2, leaf);
                setter.set(Spec { voice: Voice::Body, level: TextLevel::Body, ..spec }, width)
            });
            Group { name, leaves: leaves.collect() }
        })
        .collect();
    fits &= groups.iter().all(|g| g.name.fits && g.leaves.iter().all(|l| l.fits));
    let gap = between(0.72, 1.0, t) * leaf;
    Tree { groups, size, radius, name: name_at, leaves: leaves_at, gap, apart: between(1.5, 2.2, t) * leaf, fits }
}

impl Group<'_> {
    /// Of its leaves, `gap` apart.
    fn leaves(&self, gap: f32) -> f32 {
        let gaps = gap * self.leaves.len().saturating_sub(1) as f32;
        self.leaves.iter().map(Set::height).sum::<f32>() + gaps
    }

    fn height(&self, gap: f32) -> f32 {
        self.leaves(gap).max(self.name.height())
    }
}

impl<'a> Tree<'a> {
    fn height(&self, strip: bool) -> f32 {
        if strip {
            let name = self.groups.iter().map(|g| g.name.height()).fold(0.0, f32::max);
            let leaves = self.groups.iter().map(|g| g.leaves(self.gap)).fold(0.0, f32::max);
            return 2.0 * self.radius + 0.9 * self.size + name + 1.2 * self.gap + leaves + 0.3 * self.size;
        }
        let apart = self.apart * self.groups.len().saturating_sub(1) as f32;
        self.groups.iter().map(|g| g.height(self.gap)).sum::<f32>() + apart + 0.3 * self.size
    }

    /// Groups one below the other, their leaves to the right of them.
    fn down(&self, setter: &mut Setter<'a>, room: &Rect) {
        // What is left over opens the leaves and, twice as far, the groups.
        let leaves: usize = self.groups.iter().map(|g| g.leaves.len().saturating_sub(1)).sum();
        let steps = leaves as f32 + 2.0 * self.groups.len().saturating_sub(1) as f32;
        let spare = (room.h() - self.height(false)).max(0.0);
        let grown = (spare / steps.max(1.0)).min(1.1 * self.size);
        let (gap, apart) = (self.gap + grown, self.apart + 2.0 * grown);
        let mut y = room.y0 + 0.4 * (spare - grown * steps);
        let axis = room.x0 + self.radius;
        let mut nodes: Vec<Node> = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let height = group.height(gap);
            let middle = y + 0.5 * height;
            let center = Point::new(axis, middle);
            nodes.push(Node { center, radius: self.radius, index, marked: false });
            setter.place(&group.name, room.x0 + self.name, middle - 0.5 * group.name.height());
            let mut top = y + 0.5 * (height - group.leaves(gap));
            let from = Point::new(room.x0 + self.name + group.name.reach() + 0.6 * self.size, middle);
            let x = room.x0 + self.leaves;
            for leaf in &group.leaves {
                let end = Point::new(x - 0.62 * self.size, top + 0.5 * cap(leaf));
                branch(setter, from, end);
                dot(setter, end, 0.34 * self.radius);
                setter.place(leaf, x, top);
                top += leaf.height() + gap;
            }
            y += height + apart;
        }
        nodes.windows(2).for_each(|pair| join(setter, &pair[0], &pair[1]));
        nodes.iter().for_each(|node| node.draw(setter));
    }

    /// Groups side by side on a rail, their leaves below them.
    fn across(&self, setter: &mut Setter<'a>, room: &Rect) {
        let pitch = (room.w() + 40.0 * setter.frame.k) / self.groups.len().max(1) as f32;
        let top = room.y0 + 0.5 * (room.h() - self.height(true)).max(0.0);
        let axis = top + self.radius;
        let left = |i: usize| room.x0 + i as f32 * pitch;
        let nodes: Vec<Node> = (0..self.groups.len())
            .map(|index| {
                let center = Point::new(left(index) + self.radius, axis);
                Node { center, radius: self.radius, index, marked: false }
            })
            .collect();
        nodes.windows(2).for_each(|pair| join(setter, &pair[0], &pair[1]));
        nodes.iter().for_each(|node| node.draw(setter));
        for (i, group) in self.groups.iter().enumerate() {
            let mut y = axis + self.radius + 0.9 * self.size;
            setter.place(&group.name, left(i), y);
            y += self.groups.iter().map(|g| g.name.height()).fold(0.0, f32::max) + 1.2 * self.gap;
            for leaf in &group.leaves {
                setter.place(leaf, left(i), y);
                y += leaf.height() + self.gap;
            }
        }
    }
}

/// The end of a branch.
fn dot(setter: &mut Setter<'_>, center: Point, radius: f32) {
    let ink = match setter.theme.nodes {
        Nodes::Solid | Nodes::Outlined => setter.page.palette.ink,
        Nodes::Ring | Nodes::Lit => rail::idle(setter),
    };
    setter.mark(Item::circle(center, radius.max(1.4 * rail::track(setter).1), ink, Role::Mark));
}

/// A rail from a group to one of its leaves: along, up or down, and along again, round where the style is.
fn branch(setter: &mut Setter<'_>, from: Point, to: Point) {
    let at = |x: f32, y: f32| (f64::from(x), f64::from(y));
    let half = 0.5 * (from.x + to.x);
    let rise = to.y - from.y;
    let bend = if setter.theme.radius > 0.0 {
        (0.5 * rise.abs()).min(0.5 * (to.x - from.x)).min(0.5 * setter.theme.radius * setter.frame.k)
    } else {
        0.0
    };
    let mut path = BezPath::new();
    path.move_to(at(from.x, from.y));
    if rise.abs() < 1.0 {
        path.line_to(at(to.x, to.y));
    } else {
        let turn = bend * rise.signum();
        path.line_to(at(half - bend, from.y));
        path.quad_to(at(half, from.y), at(half, from.y + turn));
        path.line_to(at(half, to.y - turn));
        path.quad_to(at(half, to.y), at(half + bend, to.y));
        path.line_to(at(to.x, to.y));
    }
    rail::rail(setter, &path);
}
