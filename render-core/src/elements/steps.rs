//! `steps`: a sequence of numbered steps.

use std::sync::Arc;

use super::Made;
use super::telling::{Telling, disc, fits_across, item_box};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stroke};
use crate::sheet::{Boxed, Extent, Flow, Justify, Place, Ranged, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Shape, Step};

const ELEMENT: Element = Element {
    name: "steps",
    group: Group::Data,
    about: "numbered items (an icon takes the number's place): discs on a rail, or cards with arrows between them",
    holds: Holds::Only(&["item"]),
    attributes: &[
        Attribute::or("direction", Kind::Choice(&["auto", "down", "across"]), "auto"),
        Attribute::or("look", Kind::Choice(&["discs", "cards"]), "discs"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Most steps side by side on a wide page, and on others.
const ACROSS: usize = 5;
/// Largest height of a step of a rail, in sizes of its head.
const ITEM: f32 = 7.0;
/// Largest height of a card, in sizes of its head: in a column, and side by side.
const CARD: (f32, f32) = (6.5, 12.0);

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let wide = matches!(with.frame.shape, Shape::Wide | Shape::Strip)
        && items.len() <= ACROSS
        && fits_across(items, 0.9 * with.frame.room.w() / items.len().max(1) as f32, with)
        && with.flow != Flow::Row;
    let across = match node.get("direction") {
        Some("down") => false,
        Some("across") => true,
        _ => wide,
    };
    match (node.get("look"), across) {
        (Some("cards"), _) => cards(node, across, with),
        (_, true) => across_discs(node, with),
        _ => down_discs(node, with),
    }
}

fn telling<'n>(of: &'n str, count: usize, with: &With<'_>, align: Align) -> Telling<'n> {
    let (head, body) = match count {
        0..=3 => ((Step::Md, Step::Xl), (Step::Xs, Step::Lg)),
        4 | 5 => ((Step::Sm, Step::Lg), (Step::Xs, Step::Lg)),
        _ => ((Step::Sm, Step::Md), (Step::Xs, Step::Sm)),
    };
    Telling { of, head, body, align: Some(align), ink: with.inks.ink(), lines: 5 }
}

/// Returns the fill of a step's disc: the accent if the step is highlighted, or if none is.
fn fill(item: &Node, items: &[Node], with: &With<'_>) -> Color {
    let marked = items.iter().any(|i| i.flag("mark"));
    if item.flag("mark") || !marked { with.inks.accent() } else { with.inks.surface() }
}

fn down_discs(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let count = items.len();
    let fits = telling(&node.id, count, with, Align::Start);
    let size = with.square(fits.head.0, fits.head.1, if count <= 4 { 2.1 } else { 1.8 });
    let rows = items.iter().enumerate().map(|(i, item)| {
        let last = i + 1 == count;
        let disc = disc(item, i + 1, size, fill(item, items, with), with);
        let rail = [disc].into_iter().chain((!last).then(|| line(false, with).growing(1.0)));
        let rail = Boxed::column(0.0, rail.collect()).rigid();
        // The first line of the words is centred on the disc if the step has only a head or only words; else it starts
        // near the disc's top.
        let top = (size.max.h - 0.72 * with.size(fits.head.1)) / 2.0
            * if item.has("head") && !item.words.is_empty() { 0.62 } else { 1.0 };
        let mut words = vec![item_box(item, fits, true, with)];
        if !last {
            words.push(Boxed::empty().with(|lay| lay.least_height = with.step(4)));
        }
        let words = Boxed::column(0.0, words).growing(1.0).with(|lay| lay.pad[0] = top);
        Boxed::row(with.step(4), Place::Stretch, vec![rail, words])
    });
    Boxed::rail(ITEM * with.size(fits.head.1), rows.collect())
}

fn across_discs(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let count = items.len();
    let fits = telling(&node.id, count.max(4), with, Align::Start);
    let size = with.square(fits.head.0, fits.head.1, 2.0);
    let cells = items.iter().enumerate().map(|(i, item)| {
        let last = i + 1 == count;
        let disc = disc(item, i + 1, size, fill(item, items, with), with);
        let line = (!last).then(|| line(true, with).growing(1.0));
        let rail = Boxed::row(0.0, Place::Center, [disc].into_iter().chain(line).collect());
        let pad = if last { 0.0 } else { with.step(4) };
        let words = Boxed::column(0.0, vec![item_box(item, fits, true, with)])
            .with(|lay| lay.pad[if with.frame.rtl { 3 } else { 1 }] = pad);
        Boxed::column(with.step(3), vec![rail, words])
            .with(|lay| lay.width = Some(Extent::Share(1.0 / count.max(1) as f32)))
    });
    Boxed::row(0.0, Place::Stretch, cells.collect())
}

/// Draws the line between two discs.
fn line(across: bool, with: &With<'_>) -> Boxed {
    let (color, gap) = (with.inks.line(), with.step(1));
    let rule = with.rule().max(3.0 * with.frame.k).min(5.0 * with.frame.k);
    let least = Size::new(2.0 * gap + rule, 2.0 * gap + rule);
    Boxed::drawn(Ranged::fixed(least), move |rect| {
        let c = rect.center();
        let (from, to) = if across {
            (Point::new(rect.x0 + gap, c.y), Point::new(rect.x1 - gap, c.y))
        } else {
            (Point::new(c.x, rect.y0 + gap), Point::new(c.x, rect.y1 - gap))
        };
        if to.x < from.x || to.y < from.y {
            return Vec::new();
        }
        let coverage = Coverage::Capsule { from, to, radius: rule / 2.0, stroke: None };
        vec![Item::new(coverage, Paint::Solid(color), Role::Mark)]
    })
}

fn cards(node: &Node, across: bool, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let count = items.len();
    let fits = telling(&node.id, if across { count.max(4) } else { count }, with, Align::Start);
    let size = with.square(fits.head.0, fits.head.1, 1.8);
    let shadow = with.theme().card.map_or(0.0, |c| c.shadow) * with.frame.k;
    let mut boxes = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let ground = if item.flag("mark") { with.inks.accent() } else { with.inks.surface() };
        let on = with.on(ground);
        let disc = disc(item, i + 1, size, if item.flag("mark") { on.inks.ink() } else { with.inks.accent() }, &on);
        let words = item_box(item, Telling { ink: on.inks.ink(), ..fits }, true, &on);
        let pad = with.step(4);
        let card = if across {
            Boxed::column(with.step(3), vec![Boxed::row(0.0, Place::Center, vec![disc]), words])
        } else {
            Boxed::row(with.step(4), Place::Center, vec![disc, words.growing(1.0)])
        };
        let card = card.padded(pad, pad).filled(ground, with.radius(1.0)).growing(1.0).looking(|look| {
            look.border = with.outline();
            look.shadow = (shadow > 0.0).then(|| (shadow, with.inks.ink()));
        });
        let most = if across { 0.0 } else { CARD.0 * with.size(fits.head.1) };
        boxes.push(card.with(|lay| lay.most_height = most));
        if i + 1 < count {
            boxes.push(arrow(across, with));
        }
    }
    if across {
        let row = Boxed::row(with.step(2), Place::Stretch, boxes);
        return Boxed::spread(CARD.1 * with.size(fits.head.1), 0.0, vec![row]);
    }
    Boxed::column(with.step(1), boxes).growing(1.0).with(|lay| lay.justify = Justify::Center)
}

/// Draws an arrow between two cards.
fn arrow(across: bool, with: &With<'_>) -> Boxed {
    let (color, rtl) = (with.inks.accent(), with.frame.rtl);
    let width = (0.75 * with.stroke()).clamp(3.0 * with.frame.k, 7.0 * with.frame.k);
    let side = with.square(Step::Sm, Step::Md, 0.85);
    Boxed::drawn(side, move |rect: Rect| {
        let (c, half) = (rect.center(), 0.44 * rect.size().short());
        let sign = if across && rtl { -1.0 } else { 1.0 };
        let at = |along: f32, over: f32| {
            if across { Point::new(c.x + sign * along, c.y + over) } else { Point::new(c.x + over, c.y + along) }
        };
        let head = [at(-0.45 * half, -0.9 * half), at(0.45 * half, 0.0), at(-0.45 * half, 0.9 * half)];
        let coverage =
            Coverage::Polyline { points: Arc::from(head), closed: false, stroke: Some(Stroke::round(width)) };
        vec![Item::new(coverage, Paint::Solid(color), Role::Mark)]
    })
    .rigid()
}
