//! `page`: the outermost element.

use super::Made;
use super::shared::{ALIGN, JUSTIFY, container};
use crate::sheet::{Boxed, Flow, Justify, Rim, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "page",
    group: Group::Containers,
    about: "one image or slide: a column inside the margins",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("field", Kind::Choice(&["base", "accent", "close"]), "base"),
        Attribute::new("bg", Kind::Colour),
        Attribute::or("gap", Kind::Space, "5"),
        Attribute::or("align", ALIGN, "stretch"),
        Attribute::or("justify", JUSTIFY, "between"),
        Attribute::new("alt", Kind::Name),
        Attribute::or("frame", Kind::Choice(&["none", "auto"]), "none"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let mut lay = with.container(node, Flow::Column, 5, 0);
    let grows = |n: &Node| n.number("grow").is_some_and(|g| g > 0.0);
    if node.children.iter().any(grows) {
        lay.justify = Justify::Start;
    }
    let boxed = container(node, with, lay);
    // A frame would cross a scene that extends to the edges of the page.
    let rim = rim(with).filter(|_| node.get("frame") == Some("auto") && boxed.look.below.is_none());
    boxed.looking(|look| look.rim = rim)
}

/// Returns the fine frame that a style draws around its pages; `None` on strips and small canvases.
fn rim(with: &With<'_>) -> Option<Rim> {
    let (size, inset) = (with.frame.size, with.theme().frame?);
    if size.short() < 900.0 || size.aspect() > 2.6 {
        return None;
    }
    Some(Rim { inset: inset.min(0.4 * with.frame.room.x0), width: with.theme().rule, color: with.inks.line() })
}
