//! `numeral`: a large numeral that counts or names a step.

use super::Made;
use super::shared::{plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Element, Group, Holds, Node};

const ELEMENT: Element = Element {
    name: "numeral",
    group: Group::Text,
    about: "a large numeral: of a step, a rank, a year",
    holds: Holds::Words,
    attributes: &text_attributes("xl..3xl", "1"),
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let plan = plan(node, with, Voice::Figure, TextLevel::Head);
    worded(node, with, Plan { ink: plan.ink.or(Some(with.inks.accent_ink())), ..plan })
}
