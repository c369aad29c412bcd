//! `matrix`: a grid of two by two fields with named axes.

use std::sync::Arc;

use super::Made;
use super::shared::text_box;
use super::signs::sign;
use super::telling::{Telling, item_box};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Point, Role, Size, Stroke, TextLevel};
use crate::sheet::{Boxed, Flow, Place, Plan, Ranged, Track, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Step};

const ELEMENT: Element = Element {
    name: "matrix",
    group: Group::Data,
    about: "a 2×2 with axes x and y (low and high end, separated by |): items without values are the quadrants, with values 0 to 100 points",
    holds: Holds::Only(&["item"]),
    attributes: &[Attribute::new("x", Kind::Words), Attribute::new("y", Kind::Words)],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Share of the field's sides that points leave free.
const INSET: f32 = 0.07;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let points: Vec<&Node> = node.children.iter().filter(|i| i.numbers("values").len() > 1).collect();
    let mut quadrants = node.children.iter().filter(|i| i.numbers("values").len() < 2);
    let marked = node.children.iter().any(|i| i.flag("mark"));
    let cells = (0..4).map(|i| quadrant(&node.id, quadrants.next(), i, (marked, points.is_empty()), with));
    let gap = with.step(1).max(1.5 * with.rule());
    let field = Boxed::grid(2, gap, cells.collect());
    let dots = points.iter().flat_map(|item| point(item, with));
    let field = Boxed::layer([field].into_iter().chain(dots).collect());
    let y = node.get("y").map(|text| axis(text, &node.id, false, with));
    let x = node.get("x").map(|text| axis(text, &node.id, true, with));
    let mut boxes = Vec::new();
    let columns = y.iter().map(|_| Track::Content).chain([Track::Share(1.0)]).collect();
    let has_y = y.is_some();
    boxes.extend(y);
    boxes.push(field);
    if x.is_some() && has_y {
        boxes.push(Boxed::empty());
    }
    boxes.extend(x);
    Boxed::tracks(columns, vec![Track::Share(1.0), Track::Content], boxes).growing(1.0).with(|lay| {
        (lay.gap, lay.row_gap) = (with.step(2), Some(with.step(3)));
    })
}

/// Returns one of the four fields with its words.
fn quadrant(id: &str, item: Option<&Node>, i: usize, (marked, roomy): (bool, bool), with: &With<'_>) -> Boxed {
    let corner = with.radius(0.8);
    let loud = item.is_some_and(|item| item.flag("mark"));
    let fill = match item.and_then(|item| item.colour("fill")) {
        Some(own) => with.inks.fill(own),
        None if loud => with.inks.accent(),
        // If none is highlighted, the field of both high ends gets a tint.
        None if !marked && i == 1 => with.inks.tint(),
        None => with.inks.surface(),
    };
    let on = with.on(fill);
    let fits = Telling {
        of: id,
        head: if roomy { (Step::Sm, Step::Lg) } else { (Step::Xs, Step::Md) },
        body: (Step::Xs, if roomy { Step::Md } else { Step::Sm }),
        align: Some(Align::Start),
        ink: on.inks.ink(),
        lines: 6,
    };
    let sign = item.and_then(|item| sign(item, &on, with.square(Step::Md, Step::Lg, 1.5), on.inks.accent_ink()));
    let sign = sign.map(|s| Boxed::around(Flow::Row, vec![s]));
    let words = item.map(|item| item_box(item, fits, true, &on));
    let boxes = sign.into_iter().chain(words).collect();
    let least = if roomy { 3.2 } else { 5.0 };
    let border = with.outline();
    Boxed::column(with.step(3), boxes)
        .padded(with.step(4), with.step(4))
        .filled(fill, corner)
        .looking(|look| look.border = border)
        .with(|lay| lay.least_height = least * with.size(Step::Lg))
}

/// Returns a point with its name after it, or before it if it is far out.
fn point(item: &Node, with: &With<'_>) -> Vec<Boxed> {
    let values = item.numbers("values");
    let share = |v: f64| INSET + (1.0 - 2.0 * INSET) * (v / 100.0).clamp(0.0, 1.0) as f32;
    let (x, y) = (share(values[0]), 1.0 - share(values[1]));
    let loud = item.flag("mark");
    let color = if loud { with.inks.accent() } else { with.inks.ink() };
    let edge = with.outline();
    let size = with.square(Step::Sm, Step::Md, if loud { 0.72 } else { 0.56 });
    let dot = Boxed::drawn(size, move |rect| {
        let radius = rect.size().short() / 2.0;
        let line = edge.map(|e| Item::ring(rect.center(), radius - e.width / 2.0, e.width, e.color, Role::Mark));
        [Item::circle(rect.center(), radius, color, Role::Mark)].into_iter().chain(line).collect()
    })
    .rigid();
    let runs = super::charting::name(item);
    // The name follows its point unless it would leave the field.
    let wide = runs.as_ref().map_or(0, |(_, runs)| runs.iter().map(|r| r.text.chars().count()).sum());
    let turned = x + (wide as f32 * 0.55 + 2.0) * with.size(Step::Md) / with.frame.room.w() > 0.94;
    let name = runs.map(|(id, runs)| {
        let align = if turned { Align::End } else { Align::Start };
        let plan = Plan {
            id: &id,
            ink: Some(with.on(with.inks.surface()).inks.ink()),
            align: Some(align),
            level: TextLevel::Small,
            ..Plan::at(Voice::Label, Step::Xs, 2)
        };
        Boxed::words(crate::sheet::Words::new(&runs, plan.fit(Step::Xs, Step::Md), with))
    });
    let gap = Boxed::empty().with(|lay| lay.least_width = 0.5 * size.max.w + with.step(1)).rigid();
    let name = name.map(|name| {
        let boxes = if turned { vec![name, gap] } else { vec![gap, name] };
        Boxed::row(0.0, Place::Center, boxes).pinned((x, y), (if turned { 1.0 } else { 0.0 }, 0.5))
    });
    [dot.pinned((x, y), (0.5, 0.5))].into_iter().chain(name).collect()
}

/// Returns an axis: its words at both ends, and an arrow from the low to the high end between them.
fn axis(text: &str, id: &str, across: bool, with: &With<'_>) -> Boxed {
    let (low, high) = text.split_once('|').map_or((None, text), |(low, high)| (Some(low.trim()), high.trim()));
    let letter = if across { 'x' } else { 'y' };
    let words = |text: &str, end: &str, align: Align| {
        let plan = Plan {
            ink: Some(with.inks.ink2()),
            align: Some(align),
            level: TextLevel::Small,
            ..Plan::at(Voice::Label, Step::Xs, 2)
        };
        text_box(text, &format!("{id}.{letter}-{end}"), with, plan.fit(Step::Xs, Step::Sm))
    };
    if across {
        let low = low.map(|low| words(low, "low", Align::Start).rigid());
        let high = words(high, "high", Align::End).rigid();
        let boxes = low.into_iter().chain([arrow(true, with.inks.line(), with).growing(1.0), high]).collect();
        return Boxed::row(with.step(2), Place::Center, boxes);
    }
    let low = low.map(|low| words(low, "low", Align::Center));
    let boxes = [words(high, "high", Align::Center), arrow(false, with.inks.line(), with).growing(1.0)]
        .into_iter()
        .chain(low)
        .collect();
    Boxed::column(with.step(2), boxes)
}

fn arrow(across: bool, color: Color, with: &With<'_>) -> Boxed {
    let (width, rtl) = (with.rule().max(2.5 * with.frame.k).min(4.0 * with.frame.k), with.frame.rtl);
    let head = 0.22 * with.size(Step::Md);
    let least = Size::new(2.4 * head, 2.4 * head);
    Boxed::drawn(Ranged::fixed(least), move |rect| {
        let c = rect.center();
        let sign = if rtl { -1.0 } else { 1.0 };
        let (from, to) = if across {
            let (x0, x1) = (c.x - sign * (rect.w() / 2.0 - width), c.x + sign * (rect.w() / 2.0 - width));
            (Point::new(x0, c.y), Point::new(x1, c.y))
        } else {
            (Point::new(c.x, rect.y1 - width), Point::new(c.x, rect.y0 + width))
        };
        let barb = |over: f32| {
            if across { Point::new(to.x - sign * head, c.y + over) } else { Point::new(c.x + over, to.y + head) }
        };
        let stroke = || Some(Stroke::round(width));
        let line = |points: Vec<Point>| {
            let coverage = Coverage::Polyline { points: Arc::from(points), closed: false, stroke: stroke() };
            Item::new(coverage, Paint::Solid(color), Role::Mark)
        };
        vec![line(vec![from, to]), line(vec![barb(-head), to, barb(head)])]
    })
}
