//! `rating`: stars.

use std::sync::Arc;

use super::Made;
use super::signs::{hugging, idle, star, thin};
use crate::scene::{Color, Coverage, FillRule, Item, Paint, Point, Role, Size, Stop, Stroke};
use crate::sheet::{Border, Boxed, Ranged, With};
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role as Named, Step};

/// Width of a star, and gap between stars, in em.
const SIDE: f32 = 1.1;
const GAP: f32 = 0.16;

const ELEMENT: Element = Element {
    name: "rating",
    group: Group::Marks,
    about: "value of max as stars",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::or("value", Kind::Number(0.0, 10.0), "5"),
        Attribute::or("max", Kind::Whole(1, 10), "5"),
        Attribute::or("fill", Kind::Colour, "accent"),
        Attribute::or("size", Kind::Fit, "lg..xl"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Lg, max: Step::Xl });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Named::Accent)));
    let idle = idle(with);
    let count = node.number("max").unwrap_or(5.0) as u16;
    let value = node.number("value").unwrap_or(5.0) as f32;
    let n = f32::from(count);
    let size = |step| {
        let em = with.size(step);
        Size::new((n * SIDE + (n - 1.0) * GAP) * em, SIDE * em)
    };
    let (rtl, line) = (with.frame.rtl, thin(with));
    let made = Boxed::drawn(Ranged { min: size(fit.min), max: size(fit.max) }, move |rect| {
        let wide = rect.w() / (n * SIDE + (n - 1.0) * GAP);
        let (side, step) = ((SIDE * wide).min(rect.h()), (SIDE + GAP) * wide);
        let nth = |i: u16| {
            let along = f32::from(i) * step + side / 2.0;
            let x = if rtl { rect.x1 - along } else { rect.x0 + along };
            let share = (value - f32::from(i)).clamp(0.0, 1.0);
            // A star's centre lies below that of its box, since its points below spread wider than the top one is high.
            one(Point::new(x, rect.center().y + 0.04 * side), side, share, [fill, idle], rtl, line)
        };
        (0..count).flat_map(nth).collect()
    });
    hugging(made, with)
}

/// Draws one star, filled by `share`.
fn one(c: Point, side: f32, share: f32, [fill, idle]: [Color; 2], rtl: bool, line: Option<Border>) -> Vec<Item> {
    let soft = 0.07 * side;
    let path = Arc::new(star(c, side / 2.0 - soft / 2.0));
    let paint = match share {
        0.0 => Paint::Solid(idle),
        1.0 => Paint::Solid(fill),
        share => {
            let (from, to) = (Point::new(c.x - side / 2.0, c.y), Point::new(c.x + side / 2.0, c.y));
            let (from, to) = if rtl { (to, from) } else { (from, to) };
            let stop = |offset, color| Stop { offset, color };
            let stops = Arc::from([stop(0.0, fill), stop(share, fill), stop(share, idle), stop(1.0, idle)]);
            Paint::Linear { from, to, stops }
        }
    };
    let outline = |width: f32| Coverage::Stroke { path: path.clone(), stroke: Stroke::round(width) };
    let inside = Coverage::Path { path: path.clone(), rule: FillRule::NonZero };
    let mut items = Vec::new();
    if let Some(line) = line {
        items.push(Item::new(outline(soft + 1.4 * line.width), Paint::Solid(line.color), Role::Mark));
    }
    items.push(Item::new(outline(soft), paint.clone(), Role::Mark));
    items.push(Item::new(inside, paint, Role::Mark));
    items
}
