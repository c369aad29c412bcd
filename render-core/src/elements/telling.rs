//! The words of an item in a diagram: its head, its own words, its note.

use super::shared::{text_box, worded};
use super::signs::{Ground, ground, grounded, sign, thin, times, upon};
use crate::design::Voice;
use crate::scene::{Color, Size, TextLevel};
use crate::sheet::{Boxed, Plan, Ranged, With};
use crate::text::{Align, numerals};
use crate::tree::{Node, Step};

/// Space under a line of words, relative to its size, so that what follows stays clear of descenders.
const DESCENT: f32 = 0.66;
/// The width of a letter of a head, in em.
const LETTER: f32 = 0.58;
/// Side of a sign relative to its disc.
const SIGN: f32 = 0.54;

/// The layout of an item's words.
#[derive(Clone, Copy)]
pub struct Telling<'n> {
    /// The id of the element. All its heads have one size, and so have all its words.
    pub of: &'n str,
    /// The sizes of its head.
    pub head: (Step, Step),
    /// The sizes of its words.
    pub body: (Step, Step),
    /// The alignment of lines.
    pub align: Option<Align>,
    /// The colour of its head.
    pub ink: Color,
    /// The maximum number of lines of its words.
    pub lines: usize,
}

/// Returns an item's head, words and note from top to bottom. If `bare` is set, words without a head are set like a
/// head.
pub fn item_box(item: &Node, telling: Telling<'_>, bare: bool, with: &With<'_>) -> Boxed {
    let Telling { of, head, body, align, ink, lines } = telling;
    let (group, of) = (format!("{of}.heads"), format!("{of}.words"));
    let mut boxes = Vec::new();
    let heads = Plan {
        ink: Some(ink),
        align,
        level: TextLevel::Head,
        group: Some(&group),
        ..Plan::at(Voice::Head, head.0, 4).fit(head.0, head.1)
    };
    if let Some(text) = item.get("head") {
        boxes.push(text_box(text, &format!("{}.head", item.id), with, heads));
    }
    if !item.words.is_empty() {
        let id = if boxes.is_empty() { item.id.clone() } else { format!("{}.body", item.id) };
        let plan = if boxes.is_empty() && bare {
            Plan { id: &item.id, ..heads }
        } else {
            let ink = if boxes.is_empty() { with.inks.ink() } else { with.inks.ink2() };
            Plan {
                id: &id,
                ink: Some(ink),
                align,
                group: Some(&of),
                ..Plan::at(Voice::Body, body.0, lines).fit(body.0, body.1)
            }
        };
        boxes.push(worded(item, with, plan));
    }
    if let Some(text) = item.get("note") {
        let plan =
            Plan { ink: Some(with.inks.ink2()), align, level: TextLevel::Small, ..Plan::at(Voice::Label, Step::Xs, 3) };
        boxes.push(text_box(text, &format!("{}.note", item.id), with, plan.fit(Step::Xs, body.1.min(Step::Sm))));
    }
    Boxed::column(DESCENT * with.size(body.1), boxes)
}

/// Returns whether every word of items' heads fits into a column of `width` du.
pub fn fits_across(items: &[Node], width: f32, with: &With<'_>) -> bool {
    let heads = items.iter().map(|i| i.get("head").map_or_else(|| i.text(), str::to_owned));
    let longest = heads.flat_map(|h| h.split_whitespace().map(|w| w.chars().count()).max()).max().unwrap_or_default();
    LETTER * longest as f32 * with.size(Step::Sm) < width
}

/// Returns a disc (a square if the style has no round corners) with an item's sign, or else its number.
pub fn disc(item: &Node, number: usize, size: Ranged<Size>, fill: Color, with: &With<'_>) -> Boxed {
    let shape = if with.theme().radius > 0.0 || with.theme().stroke < 4.0 { Ground::Circle } else { Ground::Square };
    let ink = upon(with, fill);
    let content = sign(item, &with.on(fill), times(size, SIGN), ink).unwrap_or_else(|| {
        let text = numerals(number as u32, with.setting.language);
        let step = if size.max.h > 1.9 * with.size(Step::Lg) { (Step::Sm, Step::Lg) } else { (Step::Xs, Step::Md) };
        let plan = Plan {
            ink: Some(ink),
            align: Some(Align::Center),
            level: TextLevel::Small,
            ..Plan::at(Voice::Figure, step.0, 1).fit(step.0, step.1)
        };
        text_box(&text, &format!("{}.number", item.id), with, plan)
    });
    grounded(ground(shape, size, Some(fill), thin(with), 0.0), Some(content))
}
