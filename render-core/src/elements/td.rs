//! `td`: a cell of a table.

use super::Made;
use crate::tree::{Element, Group, Holds};

const ELEMENT: Element = Element {
    name: "td",
    group: Group::Parts,
    about: "a cell; ✓, ✗ and – alone become marks",
    holds: Holds::Words,
    attributes: &[],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };
