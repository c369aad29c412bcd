//! `place`: a rectangle of a drawing that holds elements: its labels, figures and marks.

use super::super::Made;
use super::super::shared::{ALIGN, JUSTIFY};
use crate::scene::Rect;
use crate::sheet::{Boxed, Flow, Plot, View, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "place",
    group: Group::Parts,
    about: "holds elements on an svg, in box (x y width height of its viewBox), on a shape of the colour on",
    holds: Holds::Elements,
    attributes: &[
        Attribute::new("box", Kind::Numbers),
        Attribute::new("on", Kind::Colour),
        Attribute::or("align", ALIGN, "center"),
        Attribute::or("justify", JUSTIFY, "center"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, dress: None };

/// The box of a `place` in a drawing that is seen as `view` says; `None` for a shape.
pub fn dress(node: &Node, with: &With<'_>, view: View) -> Option<Boxed> {
    if node.name() != ELEMENT.name {
        return None;
    }
    let [x, y, w, h] = node.numbers("box")[..] else { return None };
    let rect = Rect::at(x as f32, y as f32, w as f32, h as f32);
    let inks = node.has("on").then(|| node.colour("on")).flatten();
    let with = inks.map_or(*with, |on| with.on(with.inks.fill(on)));
    let lay = with.container(node, Flow::Column, 1, 0);
    let boxes = with.inside(node, &lay).children(node);
    let mut boxed = Boxed::around(Flow::Column, boxes).with(|own| *own = lay);
    boxed.lay.plot = Some(Plot { rect, view });
    boxed.id.clone_from(&node.id);
    Some(boxed)
}
