//! `toggle`: a switch that is on or off.

use super::Made;
use super::signs::{hugging, switch};
use crate::sheet::{Boxed, With};
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role, Step};

/// Height relative to the size of its type.
const HIGH: f32 = 1.5;

const ELEMENT: Element = Element {
    name: "toggle",
    group: Group::Marks,
    about: "a switch",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::or("on", Kind::Flag, "true"),
        Attribute::or("fill", Kind::Colour, "accent"),
        Attribute::or("size", Kind::Fit, "md..lg"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Md, max: Step::Lg });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Accent)));
    hugging(switch(with, node.flag("on"), with.square(fit.min, fit.max, HIGH), fill), with)
}
