//! `said`: a message of a `chat`.

use super::Made;
use crate::tree::{Attribute, Element, Group, Holds, Kind};

const ELEMENT: Element = Element {
    name: "said",
    group: Group::Parts,
    about: "a message, and whose it is",
    holds: Holds::Words,
    attributes: &[Attribute::new("by", Kind::Words), Attribute::or("side", Kind::Choice(&["left", "right"]), "left")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };
