//! `lead`: a sentence or two that support the headline.

use super::Made;
use super::shared::{WRITING, plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Attribute, Element, Group, Holds, Node};

const TEXT: [Attribute; 7] = text_attributes("md..lg", "5");

const ELEMENT: Element = Element {
    name: "lead",
    group: Group::Text,
    about: "a sentence or two that support the headline",
    holds: Holds::Words,
    attributes: &[TEXT[0], TEXT[1], TEXT[2], TEXT[3], TEXT[4], TEXT[5], TEXT[6], WRITING],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let plan = plan(node, with, Voice::Body, TextLevel::Body);
    worded(node, with, Plan { ink: plan.ink.or(Some(with.inks.ink2())), ..plan })
}
