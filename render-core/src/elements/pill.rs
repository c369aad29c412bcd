//! `pill`: a few words in a capsule.

use super::Made;
use super::signs::{hugging, inline_sign, one_line, thin};
use crate::design::Voice;
use crate::scene::TextLevel;
use crate::sheet::{Boxed, Place, Plan, With, Words};
use crate::text::Align;
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role, Step};

/// Padding above and below the words, and beside them, in em.
const PAD: (f32, f32) = (0.52, 0.9);
/// Distance of an icon from the words, in em.
const GAP: f32 = 0.4;

const ELEMENT: Element = Element {
    name: "pill",
    group: Group::Marks,
    about: "a few words in a capsule: a tag, a verdict",
    holds: Holds::Words,
    attributes: &[
        Attribute::new("icon", Kind::Icon),
        Attribute::new("emoji", Kind::Emoji),
        Attribute::or("fill", Kind::Colour, "tint"),
        Attribute::or("size", Kind::Fit, "sm..md"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Sm, max: Step::Md });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Role::Tint)));
    let inside = with.on(fill).aligned(Align::Start);
    let em = with.size(fit.max);
    let (lines, short) = one_line(node);
    let plan = Plan { id: &node.id, fit, level: TextLevel::Small, ..Plan::at(Voice::Label, fit.max, lines) };
    let words = (!node.text().trim().is_empty()).then(|| Boxed::words(Words::new(&node.words, plan, &inside)));
    let icon = inline_sign(node, &inside, fit, inside.inks.ink());
    let round = if with.theme().radius > 0.0 { em * 9.0 } else { 0.0 };
    let boxes = icon.into_iter().chain(words).collect();
    let made = Boxed::row(GAP * em, Place::Center, boxes).padded(PAD.0 * em, PAD.1 * em).looking(|look| {
        look.fill = Some(fill);
        look.radii = [round; 4];
        look.border = thin(with);
    });
    hugging(made, with).with(|lay| lay.shrink = !short)
}
