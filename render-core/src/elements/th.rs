//! `th`: the head of a table's column or row.

use super::Made;
use crate::tree::{Element, Group, Holds};

const ELEMENT: Element = Element {
    name: "th",
    group: Group::Parts,
    about: "the head of a column or row",
    holds: Holds::Words,
    attributes: &[],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };
