//! `code`: lines of code in a monospaced face.

use super::Made;
use super::shared::{plan, text_attributes, worded};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Plan, With};
use crate::tree::{Element, Group, Holds, Node};

const ELEMENT: Element = Element {
    name: "code",
    group: Group::Text,
    about: "lines of code, broken with <br/>",
    holds: Holds::Words,
    attributes: &text_attributes("xs..md", "20"),
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    worded(node, with, Plan { code: true, ..plan(node, with, Voice::Data, TextLevel::Body) })
}
