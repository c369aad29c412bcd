//! `emoji`: one emoji as a picture.

use super::Made;
use super::shared::emoji;
use super::signs::hugging;
use crate::sheet::{Boxed, With};
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Step};

/// Side of an emoji relative to the size of its type.
const SIDE: f32 = 1.2;

const ELEMENT: Element = Element {
    name: "emoji",
    group: Group::Marks,
    about: "one emoji as a picture: <emoji>🎉</emoji>",
    holds: Holds::Words,
    attributes: &[Attribute::or("size", Kind::Fit, "xl..3xl")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Xl, max: Step::Xxxl });
    hugging(Boxed::drawn(with.square(fit.min, fit.max, SIDE), emoji(&node.text())), with)
}
