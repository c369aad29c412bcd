//! `layer`: children on top of each other, each positioned by its `at`.

use super::Made;
use crate::sheet::{Boxed, Flow, Look, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "layer",
    group: Group::Containers,
    about: "children over each other, the first at the bottom, each where its at says",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("pad", Kind::Space, "0"),
        Attribute::new("bleed", Kind::Sides),
        Attribute::or("clip", Kind::Flag, "false"),
        Attribute::new("radius", Kind::Space),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let pad = with.space(node, "pad", 0);
    let radius = node.space("radius").map_or(0.0, |s| with.frame.space(s));
    let look = Look { bleed: node.sides("bleed"), clip: node.flag("clip"), radii: [radius; 4], ..Look::default() };
    Boxed::layer(with.within(Flow::Layer).children(node)).padded(pad, pad).looking(|own| *own = look)
}
