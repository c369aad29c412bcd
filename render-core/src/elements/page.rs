//! `page`: the outermost element.

use super::Made;
use super::shared::{ALIGN, JUSTIFY, container};
use crate::sheet::{Boxed, Flow, Justify, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "page",
    group: Group::Containers,
    about: "one image or slide: a column inside the margins, spread over the page",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("field", Kind::Choice(&["base", "accent", "close"]), "base"),
        Attribute::new("bg", Kind::Colour),
        Attribute::or("gap", Kind::Space, "5"),
        Attribute::or("align", ALIGN, "stretch"),
        Attribute::or("justify", JUSTIFY, "between"),
        Attribute::new("alt", Kind::Name),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, dress: Some(dress) };

fn dress(node: &Node, with: &With<'_>) -> Boxed {
    let mut lay = with.container(node, Flow::Column, 5, 0);
    let grows = |n: &Node| n.number("grow").is_some_and(|g| g > 0.0);
    if node.children.iter().any(grows) {
        lay.justify = Justify::Start;
    }
    container(node, with, lay)
}
