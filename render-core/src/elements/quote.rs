//! `quote`: a quotation with its speaker.

use super::Made;
use super::shared::{plan, text_attributes, text_box, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Step};

const TEXT: [Attribute; 7] = text_attributes("lg..2xl", "9");

const ELEMENT: Element = Element {
    name: "quote",
    group: Group::Text,
    about: "somebody's words in the display face, and who said them (by)",
    holds: Holds::Words,
    attributes: &[Attribute::new("by", Kind::Words), TEXT[0], TEXT[1], TEXT[2], TEXT[3], TEXT[4], TEXT[5], TEXT[6]],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let words = worded(node, with, plan(node, with, Voice::Display, TextLevel::Hero));
    let Some(by) = node.get("by") else { return words };
    let small = Plan { ink: Some(with.inks.ink2()), ..Plan::at(Voice::Label, Step::Sm, 3) };
    let id = format!("{}.by", node.id);
    let by = text_box(by, &id, with, Plan { level: TextLevel::Small, ..small });
    Boxed::column(with.step(4), vec![words, by])
}
