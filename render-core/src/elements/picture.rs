//! `picture`: an illustration of the picture vocabulary. It is replaced by an `svg` before a page is laid out, so
//! nothing of it remains to be turned into boxes: see [`crate::pictures`].

use super::Made;
use super::graphic::{ALT, BLEED, GROW, POSITION};
use crate::tree::{Attribute, Element, Group, Holds, Kind};

const ANY: Kind = Kind::Number(-1000.0, 1000.0);

const ELEMENT: Element = Element {
    name: "picture",
    group: Group::Pictures,
    about: "an illustration by name: n (how many), mark (which one), level, share (hundredths), side, variant; or an \
            emoji, recoloured",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::new("name", Kind::Name),
        Attribute::new("emoji", Kind::Emoji),
        Attribute::new("n", ANY),
        Attribute::new("mark", ANY),
        Attribute::new("level", ANY),
        Attribute::new("share", ANY),
        Attribute::new("side", Kind::Choice(&["left", "right"])),
        Attribute::new("variant", Kind::Id),
        Attribute::new("seed", Kind::Whole(0, 1_000_000)),
        Attribute::or("fit", Kind::Choice(&["contain", "cover"]), "contain"),
        POSITION,
        BLEED,
        ALT,
        GROW,
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };
