//! `column`: children from top to bottom.

use super::Made;
use super::shared::{ALIGN, JUSTIFY, container};
use crate::sheet::{Boxed, Flow, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

/// Flows that can be set per page shape.
pub(super) const FLOW: Kind = Kind::Choice(&["row", "column"]);

const ELEMENT: Element = Element {
    name: "column",
    group: Group::Containers,
    about: "children one below the other; tall, … make it a row on that shape",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("gap", Kind::Space, "3"),
        Attribute::or("pad", Kind::Space, "0"),
        Attribute::or("align", ALIGN, "stretch"),
        Attribute::or("justify", JUSTIFY, "start"),
        Attribute::new("tall", FLOW),
        Attribute::new("upright", FLOW),
        Attribute::new("square", FLOW),
        Attribute::new("wide", FLOW),
        Attribute::new("strip", FLOW),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    container(node, with, with.container(node, Flow::Column, 3, 0))
}
