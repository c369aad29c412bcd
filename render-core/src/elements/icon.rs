//! `icon`: a drawing for a concept, from the style's icon set.

use super::Made;
use super::shared::icon;
use super::signs::{fine_or, hugging};
use crate::icon::Icon;
use crate::sheet::{Boxed, With};
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Step};

/// Side of an icon relative to the size of its type.
const SIDE: f32 = 1.25;

const ELEMENT: Element = Element {
    name: "icon",
    group: Group::Marks,
    about: "a line drawing by name (lock, chart-up, users …) as large as type of its size",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::new("name", Kind::Icon),
        Attribute::or("size", Kind::Fit, "lg..xl"),
        Attribute::new("ink", Kind::Colour),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Lg, max: Step::Xl });
    let ink = fine_or(node, "ink", with);
    let Some(found) = node.get("name").and_then(|name| Icon::by_name(name.trim())) else { return Boxed::empty() };
    hugging(Boxed::drawn(with.square(fit.min, fit.max, SIDE), icon(found, with, ink)), with)
}
