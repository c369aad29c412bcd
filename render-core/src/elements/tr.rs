//! `tr`: a row of a table.

use super::Made;
use crate::tree::{Element, Group, Holds};

const ELEMENT: Element = Element {
    name: "tr",
    group: Group::Parts,
    about: "a row of a table",
    holds: Holds::Only(&["th", "td"]),
    attributes: &[],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };
