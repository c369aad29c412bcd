//! `button`: the call to action.

use super::Made;
use super::signs::{hugging, inline_sign, one_line, upon};
use crate::design::Voice;
use crate::sheet::{Boxed, Place, Plan, With, Words};
use crate::text::Align;
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role, Step};

/// Padding above and below the words, and beside them, in em.
const PAD: (f32, f32) = (0.78, 1.25);
/// Distance of the words from an icon, in em.
const GAP: f32 = 0.5;

const ELEMENT: Element = Element {
    name: "button",
    group: Group::Marks,
    about: "what the reader is asked to do, with an icon behind the words (icon=\"arrow-right\")",
    holds: Holds::Words,
    attributes: &[
        Attribute::new("icon", Kind::Icon),
        Attribute::new("emoji", Kind::Emoji),
        Attribute::or("fill", Kind::Colour, "accent"),
        Attribute::or("size", Kind::Fit, "md..lg"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Md, max: Step::Lg });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Accent)));
    let ink = upon(with, fill);
    let em = with.size(fit.max);
    let (lines, short) = one_line(node);
    let plan = Plan { id: &node.id, fit, ink: Some(ink), ..Plan::at(Voice::Head, fit.max, lines) };
    let words = Boxed::words(Words::new(&node.words, plan, &with.on(fill).aligned(Align::Start)));
    let icon = inline_sign(node, with, fit, ink);
    let boxes = std::iter::once(words).chain(icon).collect();
    let round = if with.theme().radius > 0.0 { 9.0 * em } else { 0.0 };
    let by = with.theme().card.map_or(0.0, |card| card.shadow) * with.frame.k;
    let made = Boxed::row(GAP * em, Place::Center, boxes).padded(PAD.0 * em, PAD.1 * em).looking(|look| {
        look.fill = Some(fill);
        look.radii = [round; 4];
        look.border = with.outline();
        look.shadow = (by > 0.0).then(|| (0.6 * by, with.inks.ink()));
    });
    hugging(made, with).with(|lay| {
        lay.shrink = !short;
        lay.justify = crate::sheet::Justify::Center;
    })
}
