//! `grid`: children in columns of equal width and rows of equal height.

use super::Made;
use super::shared::{ALIGN, container};
use crate::sheet::{Boxed, Flow, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const COLUMNS: Kind = Kind::Whole(1, 12);

const ELEMENT: Element = Element {
    name: "grid",
    group: Group::Containers,
    about: "children in equal columns and rows; tall, … are columns on pages of that shape",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("columns", COLUMNS, "2"),
        Attribute::or("gap", Kind::Space, "3"),
        Attribute::or("pad", Kind::Space, "0"),
        Attribute::or("align", ALIGN, "stretch"),
        Attribute::new("tall", COLUMNS),
        Attribute::new("upright", COLUMNS),
        Attribute::new("square", COLUMNS),
        Attribute::new("wide", COLUMNS),
        Attribute::new("strip", COLUMNS),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let columns = node.number(with.frame.shape.name()).or_else(|| node.number("columns")).unwrap_or(2.0);
    container(node, with, with.container(node, Flow::Grid(columns as u16), 3, 0))
}
