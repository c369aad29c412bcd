//! `arrow`: points from one thing to the next.

use std::sync::Arc;

use super::Made;
use super::signs::{fine_or, hugging, pen};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stroke, TextLevel};
use crate::sheet::{Boxed, Place, Plan, Ranged, With, Words};
use crate::text::Align;
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Step};

/// Length of an arrow, its width, and its line width, in em.
const LONG: f32 = 1.5;
const BROAD: f32 = 0.74;
const PEN: f32 = 0.12;

const ELEMENT: Element = Element {
    name: "arrow",
    group: Group::Marks,
    about: "points on, with words beside it; right is where reading goes; grow makes it longer",
    holds: Holds::Words,
    attributes: &[
        Attribute::or("direction", Kind::Choice(&["right", "left", "up", "down"]), "right"),
        Attribute::or("size", Kind::Fit, "lg..xl"),
        Attribute::new("ink", Kind::Colour),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Lg, max: Step::Xl });
    let ink = fine_or(node, "ink", with);
    let (dx, dy): (f32, f32) = match (node.get("direction"), with.frame.rtl) {
        (Some("up"), _) => (0.0, -1.0),
        (Some("down"), _) => (0.0, 1.0),
        (Some("left"), false) | (Some("right"), true) => (-1.0, 0.0),
        _ => (1.0, 0.0),
    };
    let level = dy == 0.0;
    let size = |step| {
        let em = with.size(step);
        if level { Size::new(LONG * em, BROAD * em) } else { Size::new(BROAD * em, LONG * em) }
    };
    let size = Ranged { min: size(fit.min), max: size(fit.max) };
    let em = with.size(fit.max);
    let pen = pen(with, 1.0);
    let weight = PEN.max(with.stroke() / em * 0.9).min(0.2);
    let made = Boxed::drawn(size, move |rect| drawn(rect, (dx, dy), weight, &pen, ink)).rigid();
    if node.text().trim().is_empty() {
        return hugging(made, with);
    }
    let align = if level { Align::Center } else { Align::Start };
    let plan = Plan { id: &node.id, ink: Some(with.inks.ink2()), ..Plan::at(Voice::Label, Step::Sm, 2) };
    let plan = Plan { level: TextLevel::Small, align: Some(align), ..plan };
    let words = Boxed::words(Words::new(&node.words, plan, with));
    let gap = with.step(2);
    let both =
        if level { Boxed::column(gap, vec![words, made]) } else { Boxed::row(gap, Place::Center, vec![made, words]) };
    hugging(both, with)
}

fn drawn(rect: Rect, (dx, dy): (f32, f32), weight: f32, pen: &Stroke, ink: Color) -> Vec<Item> {
    let c = rect.center();
    let (long, broad) = if dy == 0.0 { (rect.w(), rect.h()) } else { (rect.h(), rect.w()) };
    let broad = broad.min(0.7 * long);
    let width = weight * broad / BROAD;
    let (half, head) = (0.5 * long - 0.5 * width, 0.5 * broad - 0.5 * width);
    // The point at the distance `along` the arrow from its middle and `aside` from its axis.
    let at = |along: f32, aside: f32| Point::new(c.x + along * dx - aside * dy, c.y + along * dy + aside * dx);
    let mitre = if pen.cap == crate::scene::LineCap::Round { 0.0 } else { 0.2 * width };
    let tip = half - mitre;
    let line = |points: Vec<Point>| {
        let stroke = Some(Stroke { width, ..pen.clone() });
        Item::new(
            Coverage::Polyline { points: Arc::from(points), closed: false, stroke },
            Paint::Solid(ink),
            Role::Mark,
        )
    };
    vec![
        line(vec![at(-half, 0.0), at(tip, 0.0)]),
        line(vec![at(tip - head, -head), at(tip, 0.0), at(tip - head, head)]),
    ]
}
