//! `item`: an entry of a list, a chart or a diagram. Every element with items reads only the attributes that it
//! supports.

use super::Made;
use crate::tree::{Attribute, Element, Group, Holds, Kind};

const ELEMENT: Element = Element {
    name: "item",
    group: Group::Parts,
    about: "an entry: its words, head (bold, before them), label (a date, a name), note (small, after them), value (said: as written, for several with |); \
            mark makes it stand out",
    holds: Holds::WordsAnd(&["item"]),
    attributes: &[
        Attribute::new("head", Kind::Words),
        Attribute::new("label", Kind::Words),
        Attribute::new("note", Kind::Words),
        Attribute::new("value", Kind::Number(-1e12, 1e12)),
        Attribute::new("values", Kind::Numbers),
        Attribute::new("said", Kind::Words),
        Attribute::new("icon", Kind::Icon),
        Attribute::new("emoji", Kind::Emoji),
        Attribute::or("mark", Kind::Flag, "false"),
        Attribute::or("done", Kind::Flag, "false"),
        Attribute::new("fill", Kind::Colour),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };
