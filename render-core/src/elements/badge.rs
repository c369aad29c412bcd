//! `badge`: a number, a letter, an icon or an emoji in a shape.

use super::Made;
use super::signs::{Ground, below, ground, grounded, hugging, sign, times, upon};
use crate::design::{Nodes, Voice};
use crate::scene::TextLevel;
use crate::sheet::{Border, Boxed, Plan, With, Words};
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role, Step};

/// Sides of a badge and of an icon in it, relative to the size of its type.
const SIDE: f32 = 1.76;
const ICON: f32 = 0.52;
/// How much larger a burst is than a circle.
const LARGER: f32 = 1.16;
/// Rotation of a burst, in multiples of the tilt of the style's cards.
const TURN: f32 = -5.0;

const ELEMENT: Element = Element {
    name: "badge",
    group: Group::Marks,
    about: "a number, a letter, an icon or an emoji in a shape; stands before a headline or a label",
    holds: Holds::Words,
    attributes: &[
        Attribute::new("icon", Kind::Icon),
        Attribute::new("emoji", Kind::Emoji),
        Attribute::or("shape", Kind::Choice(&["auto", "circle", "square", "burst"]), "auto"),
        Attribute::new("fill", Kind::Colour),
        Attribute::new("ink", Kind::Colour),
        Attribute::or("size", Kind::Fit, "lg..xl"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn shape(node: &Node, with: &With<'_>) -> Ground {
    match node.get("shape") {
        Some("circle") => Ground::Circle,
        Some("square") => Ground::Square,
        Some("burst") => Ground::Burst,
        _ if with.theme().nodes == Nodes::Outlined => Ground::Burst,
        _ if with.theme().radius > 0.0 || with.theme().nodes == Nodes::Ring => Ground::Circle,
        _ => Ground::Square,
    }
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Lg, max: Step::Xl });
    let shape = shape(node, with);
    let larger = if shape == Ground::Burst { LARGER } else { 1.0 };
    let size = with.square(fit.min, fit.max, SIDE * larger);
    let fill = node.colour("fill").map(|c| with.inks.fill(c));
    let ring = fill.is_none() && with.theme().nodes == Nodes::Ring && shape != Ground::Burst;
    let accent = with.inks.fill(Colour::Role(Role::Accent));
    let (fill, ink, line) = if ring {
        let line = Border { width: with.rule(), color: with.inks.accent(), dashed: false };
        (None, with.inks.accent_ink(), Some(line))
    } else {
        let fill = fill.unwrap_or(accent);
        (Some(fill), upon(with, fill), with.outline())
    };
    let inks = fill.map_or(with.inks, |fill| with.inks.on(fill));
    let ink = node.colour("ink").map_or(ink, |c| inks.text(c));
    let text = node.text();
    let long = text.trim().chars().count() > 2;
    let words = || {
        let fit = if long { below(below(fit)) } else { fit };
        // Digits of equal width would look off centre.
        let voice = match text.trim().chars().count() {
            1 => Voice::Display,
            2 => Voice::Figure,
            _ => Voice::Head,
        };
        let plan = Plan { id: &node.id, fit, ink: Some(ink), ..Plan::at(voice, fit.max, 1) };
        let inside = fill.map_or(*with, |fill| with.on(fill)).aligned(crate::text::Align::Center);
        let words = Boxed::words(Words::new(&node.words, Plan { level: TextLevel::Small, ..plan }, &inside));
        let pad = if long { 0.8 * with.size(fit.max) } else { 0.0 };
        Boxed::column(0.0, vec![words]).padded(0.0, pad)
    };
    let content = sign(node, with, times(size, ICON / larger), ink).or_else(|| (!text.trim().is_empty()).then(words));
    let made = grounded(ground(shape, size, fill, line, with.radius(1.0)), content);
    let turn = with.theme().card.map_or(0.0, |card| card.tilt) * TURN;
    hugging(made, with).with(|lay| lay.turn = if shape == Ground::Burst { turn } else { 0.0 })
}
