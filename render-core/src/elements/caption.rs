//! `caption`: small print beside or under something.

use super::Made;
use super::shared::{plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Element, Group, Holds, Node};

const ELEMENT: Element = Element {
    name: "caption",
    group: Group::Text,
    about: "small print beside or under something",
    holds: Holds::Words,
    attributes: &text_attributes("xs..sm", "4"),
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let plan = plan(node, with, Voice::Label, TextLevel::Small);
    worded(node, with, Plan { ink: plan.ink.or(Some(with.inks.ink2())), ..plan })
}
