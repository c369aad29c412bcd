//! `headline`: the page's claim, in the display face.

use super::Made;
use super::shared::{plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Element, Group, Holds, Node};

const ELEMENT: Element = Element {
    name: "headline",
    group: Group::Text,
    about: "the page's claim, in the display face",
    holds: Holds::Words,
    attributes: &text_attributes("xl..hero", "5"),
};

pub const MADE: Made = Made { element: &ELEMENT, dress: Some(dress) };

fn dress(node: &Node, with: &With<'_>) -> Boxed {
    let plan = plan(node, with, Voice::Display, TextLevel::Hero);
    worded(node, with, Plan { ink: plan.ink.or(Some(with.inks.ink())), ..plan })
}
