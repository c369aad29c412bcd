//! `timeline`: events in order, on a rail.

use std::sync::Arc;

use super::Made;
use super::shared::text_box;
use super::telling::{Telling, fits_across, item_box};
use crate::design::{Nodes, Voice};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stop, TextLevel};
use crate::sheet::{Boxed, Content, Extent, Flow, Place, Plan, Ranged, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Shape, Step};

const ELEMENT: Element = Element {
    name: "timeline",
    group: Group::Data,
    about: "items with label (the date), head and words on a rail, downwards, or across on wide pages",
    holds: Holds::Only(&["item"]),
    attributes: &[Attribute::or("direction", Kind::Choice(&["auto", "down", "across"]), "auto")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Labels go before the rail if all of them are narrower than this share of the page; otherwise above the heads.
const BEFORE: f32 = 0.24;
/// Most items side by side.
const ACROSS: usize = 6;
/// Largest height of an item, in sizes of its head.
const ITEM: f32 = 6.4;
/// Radius of a point's glow, in radii of the point.
const GLOW: f32 = 2.6;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let wide = matches!(with.frame.shape, Shape::Wide | Shape::Strip)
        && items.len() <= ACROSS
        && fits_across(items, 0.9 * with.frame.room.w() / items.len().max(1) as f32, with);
    match node.get("direction") {
        Some("down") => down(node, with),
        Some("across") => across(node, with),
        _ if wide && with.flow != Flow::Row => across(node, with),
        _ => down(node, with),
    }
}

/// Returns the sizes of heads and words for `count` items.
fn telling<'n>(of: &'n str, count: usize, item: &Node, with: &With<'_>) -> Telling<'n> {
    let (head, body) = match count {
        0..=5 => ((Step::Md, Step::Lg), (Step::Xs, Step::Md)),
        6 => ((Step::Sm, Step::Lg), (Step::Xs, Step::Sm)),
        _ => ((Step::Sm, Step::Md), (Step::Xs, Step::Sm)),
    };
    let ink = if item.flag("mark") { with.inks.accent_ink() } else { with.inks.ink() };
    Telling { of, head, body, align: Some(Align::Start), ink, lines: 4 }
}

fn label(item: &Node, fit: (Step, Step), with: &With<'_>) -> Option<Boxed> {
    let ink = if item.flag("mark") { with.inks.accent_ink() } else { with.inks.ink2() };
    let plan =
        Plan { ink: Some(ink), align: Some(Align::Start), level: TextLevel::Small, ..Plan::at(Voice::Data, fit.0, 1) };
    Some(text_box(item.get("label")?, &format!("{}.label", item.id), with, plan.fit(fit.0, fit.1)))
}

fn down(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let Some(first) = items.first() else { return Boxed::empty() };
    let fits = telling(&node.id, items.len(), first, with);
    let mut labels: Vec<Option<Boxed>> = items.iter().map(|i| label(i, fits.head, with)).collect();
    let em = |b: &Option<Boxed>| match b.as_ref().map(|b| &b.content) {
        Some(Content::Words(words)) => words.shaped.widest(),
        _ => 0.0,
    };
    let room = labels.iter().map(em).fold(0.0, f32::max);
    let before = room > 0.0 && room * with.size(fits.head.1) < BEFORE * with.frame.room.w();
    if before {
        for label in &mut labels {
            if let Content::Words(words) = &mut label.get_or_insert_with(Boxed::empty).content {
                words.room = room;
            }
        }
    } else {
        labels = items.iter().map(|i| label(i, (Step::Xs, Step::Sm), with)).collect();
    }
    let count = items.len();
    let size = with.square(fits.head.0, fits.head.1, 0.78);
    let rows = items.iter().zip(labels).enumerate().map(|(i, (item, label))| {
        let last = i + 1 == count;
        let rail = rail(size, item.flag("mark"), (i > 0, !last), false, with);
        let words = item_box(item, telling(&node.id, count, item, with), true, with);
        let (label, mut words) =
            if before { (label, vec![words]) } else { (None, label.into_iter().chain([words]).collect()) };
        if !last {
            // The space between items is part of each item, so that the rail is continuous.
            words.push(Boxed::empty().with(|lay| lay.least_height = with.step(4)));
        }
        let top = 0.04 * with.size(fits.head.1);
        let words =
            Boxed::column(0.35 * with.size(Step::Sm) + with.step(1), words).growing(1.0).with(|lay| lay.pad[0] = top);
        let label = label.map(|l| Boxed::column(0.0, vec![l]).with(|lay| lay.pad[0] = top).rigid());
        let boxes = label.into_iter().chain([rail, words]).collect();
        Boxed::row(with.step(3), Place::Stretch, boxes)
    });
    Boxed::rail(ITEM * with.size(fits.head.1), rows.collect())
}

fn across(node: &Node, with: &With<'_>) -> Boxed {
    let items = &node.children;
    let count = items.len();
    let cells = items.iter().enumerate().map(|(i, item)| {
        let fits = telling(&node.id, count.max(4), item, with);
        let size = with.square(fits.head.0, fits.head.1, 0.78);
        let rail = rail(size, item.flag("mark"), (false, true), true, with);
        let label = label(item, (fits.body.0, fits.head.1), with);
        let pad = if i + 1 == count { 0.0 } else { with.step(4) };
        let words = item_box(item, fits, true, with);
        let words = Boxed::column(0.0, vec![words]).with(|lay| lay.pad[if with.frame.rtl { 3 } else { 1 }] = pad);
        let boxes = label.into_iter().chain([rail, words]).collect();
        Boxed::column(with.step(3), boxes).with(|lay| lay.width = Some(Extent::Share(1.0 / count.max(1) as f32)))
    });
    Boxed::row(0.0, Place::Stretch, cells.collect())
}

/// Draws a point and the rail before and after it; its shorter side is as long as the point.
fn rail(size: Ranged<Size>, marked: bool, (before, behind): (bool, bool), across: bool, with: &With<'_>) -> Boxed {
    let rule = with.rule().max(2.0 * with.frame.k).min(4.0 * with.frame.k);
    let (line, rtl) = (with.inks.line(), with.frame.rtl);
    let point = point(marked, with);
    Boxed::drawn(size, move |rect| {
        let radius = rect.size().short() / 2.0;
        let x = if across && rtl { rect.x1 - radius } else { rect.x0 + radius };
        let center = Point::new(x, rect.y0 + radius);
        let mut items = Vec::new();
        let gap = 1.25 * radius;
        if across && behind {
            let (x0, x1) = if rtl { (rect.x0, center.x - gap) } else { (center.x + gap, rect.x1) };
            items.push(Item::rect(Rect::new(x0, center.y - rule / 2.0, x1, center.y + rule / 2.0), line, Role::Mark));
        } else if !across {
            let (x0, x1) = (center.x - rule / 2.0, center.x + rule / 2.0);
            let parts = [(before, rect.y0, center.y - gap), (behind, center.y + gap, rect.y1)];
            for (_, y0, y1) in parts.into_iter().filter(|(is, y0, y1)| *is && y1 > y0) {
                items.push(Item::rect(Rect::new(x0, y0, x1, y1), line, Role::Mark));
            }
        }
        items.extend(point(center, radius));
        items
    })
    .rigid()
}

/// Draws a point of a rail in the style's manner.
fn point(marked: bool, with: &With<'_>) -> impl Fn(Point, f32) -> Vec<Item> + 'static {
    let nodes = with.theme().nodes;
    let square = nodes == Nodes::Solid && with.theme().radius <= 0.0;
    let (accent, ink, idle) = (with.inks.accent(), with.inks.ink(), with.inks.ink2());
    let edge = with.outline();
    let pale = with.inks.surface();
    let stroke = with.rule().max(2.5 * with.frame.k);
    move |center, radius| {
        let radius = 0.8 * radius;
        match nodes {
            Nodes::Solid if square => {
                let side = Rect::new(center.x, center.y, center.x, center.y).grow(0.82 * radius);
                vec![Item::rect(side, if marked { accent } else { ink }, Role::Mark)]
            }
            Nodes::Solid => vec![Item::circle(center, 0.86 * radius, if marked { accent } else { ink }, Role::Mark)],
            Nodes::Outlined => {
                let width = edge.map_or(stroke, |e| e.width);
                let fill = if marked { accent } else { pale };
                vec![
                    Item::circle(center, radius - width / 2.0, fill, Role::Mark),
                    Item::ring(center, radius - width / 2.0, width, ink, Role::Mark),
                ]
            }
            Nodes::Ring | Nodes::Lit if !marked => {
                vec![Item::ring(center, 0.78 * radius - stroke / 2.0, stroke, idle, Role::Mark)]
            }
            Nodes::Ring => vec![Item::circle(center, 0.82 * radius, accent, Role::Mark)],
            Nodes::Lit => {
                vec![glow(center, GLOW * radius, accent), Item::circle(center, 0.82 * radius, accent, Role::Mark)]
            }
        }
    }
}

fn glow(center: Point, reach: f32, color: Color) -> Item {
    let stops = [(0.0, 0.45), (0.4, 0.16), (1.0, 0.0)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
    let coverage = Coverage::Ellipse { center, radii: Size::new(reach, reach), stroke: None };
    Item::new(coverage, Paint::Radial { center, radius: reach, stops: Arc::from(stops) }, Role::Mark)
}
