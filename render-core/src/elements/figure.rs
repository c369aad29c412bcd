//! `figure`: a value and its unit, as large as the page allows.

use super::Made;
use super::shared::{plan, text_attributes};
use super::signs::below;
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Place, Plan, With, Words};
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Run, Step};

const TEXT: [Attribute; 7] = text_attributes("2xl..giant", "1");

const ELEMENT: Element = Element {
    name: "figure",
    group: Group::Text,
    about: "a value, and its unit smaller beside it; as large as the page allows; its ink changes on a band filled \
            across",
    holds: Holds::Words,
    attributes: &[
        Attribute::new("unit", Kind::Words),
        Attribute::new("across", Kind::Colour),
        TEXT[0],
        TEXT[1],
        TEXT[2],
        TEXT[3],
        TEXT[4],
        TEXT[5],
        TEXT[6],
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Returns the sizes of a unit in words beside a value of these sizes.
fn smaller(fit: Fit) -> Fit {
    let two_below = |step: Step| match step {
        Step::Colossal => Step::Hero,
        Step::Giant => Step::Xxxl,
        Step::Hero => Step::Xxl,
        Step::Xxxl => Step::Xl,
        Step::Xxl => Step::Lg,
        Step::Xl => Step::Md,
        Step::Lg | Step::Md => Step::Sm,
        Step::Sm | Step::Xs => Step::Xs,
    };
    Fit { min: two_below(fit.min), max: two_below(fit.max) }
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let own = plan(node, with, Voice::Figure, TextLevel::Hero);
    let own = Plan { ink: own.ink.or(Some(with.inks.accent_ink())), ..own };
    let across = node.colour("across").map(|colour| {
        let fill = with.inks.fill(colour);
        (fill, with.inks.on(fill).ink())
    });
    let value = Boxed::words(Words { across, ..Words::new(&node.words, own, with) });
    let Some(unit_text) = node.get("unit") else { return value };
    // A sign hangs from the top of the value; a word shares its baseline.
    let sign = unit_text.chars().count() <= 2 && !unit_text.chars().any(char::is_alphabetic);
    let fit = if sign { below(own.fit) } else { smaller(own.fit) };
    let beside = Plan { fit, voice: Voice::Head, level: TextLevel::Body, ..own };
    let group = own.group.map(|group| format!("{group}.units"));
    let beside = Plan { group: group.as_deref(), ..beside };
    let id = format!("{}.unit", node.id);
    let words = Words::new(&[Run::plain(unit_text)], Plan { id: &id, ..beside }, with);
    let unit = Boxed::words(Words { across, ..words });
    Boxed::row(
        with.step(if sign { 1 } else { 2 }),
        if sign { Place::Start } else { Place::Baseline },
        vec![value, unit],
    )
}
