//! `band`: a stripe of colour across the page.

use super::Made;
use super::shared::{ALIGN, JUSTIFY, container};
use crate::sheet::{Boxed, Flow, With};
use crate::tree::{Attribute, Colour, Element, Group, Holds, Kind, Node, Role, Sides};

const ELEMENT: Element = Element {
    name: "band",
    group: Group::Containers,
    about: "a column on a stripe that reaches the edges of the page in bleed",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("fill", Kind::Colour, "field"),
        Attribute::or("bleed", Kind::Sides, "left right"),
        Attribute::or("gap", Kind::Space, "3"),
        Attribute::or("pad", Kind::Space, "4"),
        Attribute::or("align", ALIGN, "stretch"),
        Attribute::or("justify", JUSTIFY, "start"),
        Attribute::or("edge", Kind::Choice(&["straight", "wave"]), "straight"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Field)));
    let mut lay = with.container(node, Flow::Column, 3, 4);
    // Its content keeps the page's margins.
    (lay.pad[1], lay.pad[3]) = (0.0, 0.0);
    let sides = node.sides("bleed");
    // On a wide page, a stripe on one side is next to the rest, as high as the page.
    let beside = sides.left != sides.right && with.flow == Flow::Row;
    let bleed = if beside { sides } else { Sides { left: true, right: true, ..sides } };
    if beside {
        let pad = with.space(node, "pad", 4);
        (lay.pad[1], lay.pad[3]) = (if bleed.right { 0.0 } else { pad }, if bleed.left { 0.0 } else { pad });
    }
    let wave = node.get("edge") == Some("wave");
    container(node, &with.on(fill), lay).looking(|look| {
        look.fill = Some(fill);
        look.bleed = bleed;
        look.wave = wave.then_some(with.setting.seed);
    })
}
