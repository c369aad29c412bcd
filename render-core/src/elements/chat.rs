//! `chat`: messages in bubbles.

use super::Made;
use super::said::MADE as SAID;
use super::shared::{plan, text_box};
use crate::design::Voice;
use crate::scene::{Color, TextLevel};
use crate::sheet::{Boxed, Extent, Lay, Place, Plan, With, Words};
use crate::text::Align;
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Step};

/// Share of the width that stays free beside a bubble.
const FREE: f32 = 0.14;
/// Radius of the corner next to the speaker, relative to the others.
const TAIL: f32 = 0.22;

const ELEMENT: Element = Element {
    name: "chat",
    group: Group::Devices,
    about: "messages in bubbles",
    holds: Holds::Only(&[SAID.element.name]),
    attributes: &[Attribute::or("fit", Kind::Fit, "sm..lg"), Attribute::or("gap", Kind::Space, "4")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("fit").unwrap_or(Fit { min: Step::Sm, max: Step::Md });
    let mut turns: Vec<Vec<&Node>> = Vec::new();
    for message in &node.children {
        match turns.last_mut() {
            // Consecutive messages of one speaker share one name.
            Some(turn) if turn.last().is_some_and(|m| same(m, message)) => turn.push(message),
            _ => turns.push(vec![message]),
        }
    }
    let turns = turns.iter().map(|turn| {
        let mut boxes: Vec<Boxed> = Vec::new();
        let right = turn.first().is_some_and(|m| is_right(m));
        boxes.extend(turn.first().and_then(|m| speaker(m, with)));
        let last = turn.len() - 1;
        boxes.extend(turn.iter().enumerate().map(|(n, m)| beside(bubble(m, &node.id, fit, n == last, with), right)));
        Boxed::column(with.step(1), boxes)
    });
    Boxed::column(with.space(node, "gap", 4), turns.collect())
}

fn is_right(message: &Node) -> bool {
    message.get("side") == Some("right")
}

fn same(a: &Node, b: &Node) -> bool {
    is_right(a) == is_right(b) && (!b.has("by") || a.get("by") == b.get("by"))
}

fn speaker(message: &Node, with: &With<'_>) -> Option<Boxed> {
    let by = message.get("by")?;
    let align = if is_right(message) { Align::End } else { Align::Start };
    let plan = Plan { ink: Some(with.inks.ink2()), align: Some(align), ..Plan::at(Voice::Label, Step::Xs, 1) };
    let plan = Plan { level: TextLevel::Small, ..plan.fit(Step::Xs, Step::Sm) };
    let words = text_box(by, &format!("{}.by", message.id), with, plan);
    Some(Boxed::column(0.0, vec![words]).padded(0.0, with.step(2)))
}

/// Aligns a bubble to its side and leaves the other end of the row free.
fn beside(bubble: Boxed, right: bool) -> Boxed {
    let free = Boxed::empty().growing(1.0).rigid().with(|lay: &mut Lay| lay.basis = Some(Extent::Share(FREE)));
    let boxes = if right { vec![free, bubble] } else { vec![bubble, free] };
    Boxed::row(0.0, Place::Start, boxes)
}

fn bubble(message: &Node, group: &str, fit: Fit, last: bool, with: &With<'_>) -> Boxed {
    let right = is_right(message);
    let fill: Color = if right { with.inks.accent() } else { with.inks.surface() };
    let inner = with.on(fill).aligned(Align::Start);
    let own = Plan { fit, lines: 12, group: Some(group), ..plan(message, &inner, Voice::Body, TextLevel::Body) };
    let words = Boxed::words(Words::new(&message.words, own, &inner));
    let radius = with.radius(1.0).min(with.step(5));
    let tail = if last { TAIL * radius } else { radius };
    // The corner next to the speaker: right for messages on the right, in reading direction.
    let at_right = right != with.frame.rtl;
    // Large words need more space around them.
    let (above, beside) = if fit.max > Step::Xl {
        (5, 6)
    } else if fit.max > Step::Lg {
        (4, 5)
    } else {
        (3, 4)
    };
    Boxed::column(0.0, vec![words]).padded(with.step(above), with.step(beside)).looking(|look| {
        look.fill = Some(fill);
        look.radii = if at_right { [radius, radius, tail, radius] } else { [radius, radius, radius, tail] };
        look.border = with.outline();
    })
}
