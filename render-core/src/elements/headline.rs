//! `headline`: the page's claim, in the display font.

use super::Made;
use super::shared::{WRITING, plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, Stress, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const TEXT: [Attribute; 7] = text_attributes("xl..hero", "5");

const ELEMENT: Element = Element {
    name: "headline",
    group: Group::Text,
    about: "the page's claim, in the display face",
    holds: Holds::Words,
    attributes: &[
        TEXT[0],
        TEXT[1],
        TEXT[2],
        TEXT[3],
        TEXT[4],
        TEXT[5],
        TEXT[6],
        WRITING,
        Attribute::or("stress", Kind::Choice(&["none", "auto", "all"]), "none"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let plan = plan(node, with, Voice::Display, TextLevel::Hero);
    let stress = match node.get("stress") {
        Some("auto") => Stress::Auto,
        Some("all") => Stress::All,
        _ => Stress::None,
    };
    worded(node, with, Plan { ink: plan.ink.or(Some(with.inks.ink())), stress, ..plan })
}
