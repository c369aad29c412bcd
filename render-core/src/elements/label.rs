//! `label`: a short label or the head of an item.

use super::Made;
use super::shared::{plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Element, Group, Holds, Node};

const ELEMENT: Element = Element {
    name: "label",
    group: Group::Text,
    about: "a short label or the head of an item",
    holds: Holds::Words,
    attributes: &text_attributes("sm..md", "3"),
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let plan = plan(node, with, Voice::Head, TextLevel::Head);
    worded(node, with, Plan { ink: plan.ink.or(Some(with.inks.ink())), ..plan })
}
