//! `card`: a container with its own background, in the style's manner.

use super::Made;
use super::column::FLOW;
use super::shared::{ALIGN, JUSTIFY, container};
use crate::sheet::{Border, Boxed, Flow, With, mix};
use crate::tree::{Attribute, Colour, Element, Group, Holds, Kind, Node, Role};

const ELEMENT: Element = Element {
    name: "card",
    group: Group::Containers,
    about: "a column or row on a ground of its own; words inside take colours that read on it",
    holds: Holds::Elements,
    attributes: &[
        Attribute::or("fill", Kind::Colour, "surface"),
        Attribute::or("flow", FLOW, "column"),
        Attribute::or("gap", Kind::Space, "2"),
        Attribute::or("pad", Kind::Space, "4"),
        Attribute::new("align", ALIGN),
        Attribute::or("justify", JUSTIFY, "start"),
        Attribute::new("radius", Kind::Space),
        Attribute::or("border", Kind::Choice(&["auto", "none", "line", "dashed"]), "auto"),
        Attribute::or("shadow", Kind::Flag, "true"),
        Attribute::or("clip", Kind::Flag, "false"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Surface)));
    let flow = if node.get("flow") == Some("row") { Flow::Row } else { Flow::Column };
    let mut lay = with.container(node, flow, 2, 4);
    if flow == Flow::Row && !node.has("align") {
        lay.align = crate::sheet::Place::Center;
    }
    let radius = node.space("radius").map_or_else(|| with.radius(1.0), |s| with.frame.space(s));
    let line = Border { width: with.rule(), color: with.inks.line(), dashed: false };
    let border = match node.get("border") {
        Some("none") => None,
        Some("line") => Some(with.outline().unwrap_or(line)),
        Some("dashed") => {
            // A dashed outline is fainter than words: it marks a missing or cut-out part.
            let color = mix(with.inks.ink2(), with.inks.ground, 0.45);
            let drawn = with.outline().unwrap_or(Border { color, ..line });
            Some(Border { dashed: true, ..drawn })
        }
        _ => with.outline(),
    };
    let by = with.theme().card.map_or(0.0, |card| card.shadow) * with.frame.k;
    let shadow = (by > 0.0 && node.flag("shadow")).then(|| (by, with.inks.ink()));
    container(node, &with.on(fill), lay).looking(|look| {
        look.fill = Some(fill);
        look.radii = [radius; 4];
        look.border = border;
        look.shadow = shadow;
        look.clip = node.flag("clip");
    })
}
