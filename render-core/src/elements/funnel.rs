//! `funnel`: stages with decreasing numbers.

use std::sync::Arc;

use super::Made;
use super::charting::{Tones, valued};
use super::shared::text_box;
use super::telling::{Telling, item_box};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Point, Role, Size, TextLevel};
use crate::sheet::{Boxed, Extent, Place, Plan, Ranged, With, mix};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Shape, Step};

const ELEMENT: Element = Element {
    name: "funnel",
    group: Group::Data,
    about: "stages with value, each as wide as its value; without values each is narrower than the one before",
    holds: Holds::Only(&["item"]),
    attributes: &[Attribute::new("unit", Kind::Words)],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Share of the width for the funnel next to its words.
const WIDE: f32 = 0.54;
/// How much lighter the last stage is than the first.
const FADE: f32 = 0.55;
/// Largest height of a stage, in sizes of its head.
const STAGE: f32 = 5.2;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let count = node.children.len();
    if count == 0 {
        return Boxed::empty();
    }
    let widths = widths(&node.children);
    let unit = node.get("unit").unwrap_or_default();
    let marked = node.children.iter().any(|i| i.flag("mark"));
    let fits = Telling {
        of: &node.id,
        head: if count <= 4 { (Step::Sm, Step::Lg) } else { (Step::Sm, Step::Md) },
        body: (Step::Xs, Step::Sm),
        align: Some(Align::Start),
        ink: with.inks.ink(),
        lines: 3,
    };
    let quiet = Tones::of(with).quiet;
    let fit = if count <= 4 { (Step::Md, Step::Xl) } else { (Step::Md, Step::Lg) };
    let values = valued(&node.children, unit, fit, with);
    let rows = node.children.iter().zip(values).enumerate().map(|(i, (item, value))| {
        let next = widths.get(i + 1).copied().unwrap_or(0.82 * widths[i]);
        let fade = FADE * i as f32 / count.max(2) as f32;
        let color = match (item.flag("mark"), marked) {
            (true, _) => with.inks.accent(),
            (false, true) => quiet,
            _ => mix(with.inks.accent(), with.inks.ground, fade),
        };
        let stage = stage(widths[i], next, color, with).with(|lay| {
            (lay.width, lay.shrink) = (Some(Extent::Share(WIDE)), false);
        });
        let label = item.get("label").map(|text| {
            let plan =
                Plan { ink: Some(with.inks.ink2()), level: TextLevel::Small, ..Plan::at(Voice::Label, Step::Xs, 2) };
            text_box(text, &format!("{}.label", item.id), with, plan.fit(Step::Xs, Step::Md))
        });
        let words = item_box(item, fits, true, with);
        let gap = with.step(1) + 0.1 * with.size(Step::Md);
        // If height is limited, values go before the words.
        let words = if matches!(with.frame.shape, Shape::Wide | Shape::Strip) {
            let words = Boxed::column(gap, label.into_iter().chain([words]).collect()).growing(1.0);
            Boxed::row(with.step(4), Place::Center, value.into_iter().chain([words]).collect())
        } else {
            Boxed::column(gap, value.into_iter().chain(label).chain([words]).collect())
        };
        let words = words.growing(1.0).with(|lay| lay.place = Some(Place::Center));
        Boxed::row(with.step(4), Place::Stretch, vec![stage, words])
    });
    Boxed::spread(STAGE * with.size(fits.head.1), with.step(1), rows.collect())
}

/// Returns the width at which each stage begins, as a share of the widest: in proportion to its value, else narrowing
/// evenly.
fn widths(items: &[Node]) -> Vec<f32> {
    let count = items.len();
    let values: Option<Vec<f64>> = items.iter().map(|i| i.number("value").filter(|v| *v >= 0.0)).collect();
    let most = values.iter().flatten().copied().fold(0.0, f64::max);
    match values.filter(|_| most > 0.0) {
        Some(values) => values.into_iter().map(|v| (v / most) as f32).collect(),
        None => (0..count).map(|i| 1.0 - 0.72 * i as f32 / count as f32).collect(),
    }
}

/// Draws a stage: `top` wide at its top, narrowing towards the next.
fn stage(top: f32, bottom: f32, color: Color, with: &With<'_>) -> Boxed {
    let edge = with.outline();
    let size = |step, high: f32| Size::new(0.0, high * with.size(step));
    let least = 2.0 * with.frame.k;
    Boxed::drawn(Ranged { min: size(Step::Sm, 2.2), max: size(Step::Md, 3.0) }, move |rect| {
        let (middle, half) = (rect.center().x, rect.w() / 2.0);
        let trapezium = |inset: f32, color: Color| {
            let (a, b) = ((top * half - inset).max(least), (bottom.min(top) * half - inset).max(least));
            let points = [
                Point::new(middle - a, rect.y0 + inset),
                Point::new(middle + a, rect.y0 + inset),
                Point::new(middle + b, rect.y1 - inset),
                Point::new(middle - b, rect.y1 - inset),
            ];
            let coverage = Coverage::Polyline { points: Arc::from(points), closed: true, stroke: None };
            Item::new(coverage, Paint::Solid(color), Role::Mark)
        };
        match edge {
            Some(edge) => vec![trapezium(0.0, edge.color), trapezium(edge.width, color)],
            None => vec![trapezium(0.0, color)],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::VOCABULARY;

    #[test]
    fn stages_are_as_wide_as_their_values() {
        let item = |value: Option<&str>| {
            let mut node = Node::new(VOCABULARY.find("item").unwrap(), "i");
            value.into_iter().for_each(|v| node.set("value", v));
            node
        };
        assert_eq!(widths(&[item(Some("200")), item(Some("50")), item(Some("0"))]), [1.0, 0.25, 0.0]);
        let even = widths(&[item(None), item(None), item(None)]);
        assert!(even.windows(2).all(|w| w[0] > w[1]) && even[0] == 1.0, "{even:?}");
    }
}
