//! `row`: children side by side.

use super::Made;
use super::column::FLOW;
use super::shared::{ALIGN, JUSTIFY, container};
use crate::sheet::{Boxed, Flow, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "row",
    group: Group::Containers,
    about: "children side by side, centred on each other; with grow they share the width; tall, … as in column",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("gap", Kind::Space, "3"),
        Attribute::or("pad", Kind::Space, "0"),
        Attribute::new("align", ALIGN),
        Attribute::or("justify", JUSTIFY, "start"),
        Attribute::or("wrap", Kind::Flag, "false"),
        Attribute::new("tall", FLOW),
        Attribute::new("upright", FLOW),
        Attribute::new("square", FLOW),
        Attribute::new("wide", FLOW),
        Attribute::new("strip", FLOW),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let flow = if node.flag("wrap") { Flow::Wrap } else { Flow::Row };
    container(node, with, with.container(node, flow, 3, 0))
}
