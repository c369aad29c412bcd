//! `cross`: a cross: wrong, not included.

use super::Made;
use super::signs::{has_grounds, hugging, upon, verdict};
use crate::sheet::{Boxed, With};
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role, Step};

/// Side relative to the size of its type.
const SIDE: f32 = 1.3;

const ELEMENT: Element = Element {
    name: "cross",
    group: Group::Marks,
    about: "a cross: wrong, not included; on a disc of fill, or bare",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::or("fill", Kind::Colour, "ink2"),
        Attribute::or("bare", Kind::Flag, "false"),
        Attribute::or("size", Kind::Fit, "md..lg"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Md, max: Step::Lg });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Ink2)));
    let size = with.square(fit.min, fit.max, SIDE);
    let made = if node.flag("bare") || !(has_grounds(with) || node.has("fill")) {
        verdict(with, false, size, None, fill)
    } else {
        verdict(with, false, size, Some(fill), upon(with, fill))
    };
    hugging(made, with)
}
