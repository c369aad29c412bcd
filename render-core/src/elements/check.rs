//! `check`: a tick: right, included, done.

use super::Made;
use super::signs::{fine_or, has_grounds, hugging, upon, verdict};
use crate::sheet::{Boxed, With};
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role, Step};

/// Side relative to the size of its type.
const SIDE: f32 = 1.3;

const ELEMENT: Element = Element {
    name: "check",
    group: Group::Marks,
    about: "a tick: right, included, done; on a disc of fill, or bare",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::new("fill", Kind::Colour),
        Attribute::or("bare", Kind::Flag, "false"),
        Attribute::or("size", Kind::Fit, "md..lg"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Md, max: Step::Lg });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Accent)));
    let size = with.square(fit.min, fit.max, SIDE);
    let made = if node.flag("bare") || !(has_grounds(with) || node.has("fill")) {
        verdict(with, true, size, None, fine_or(node, "fill", with))
    } else {
        verdict(with, true, size, Some(fill), upon(with, fill))
    };
    hugging(made, with)
}
