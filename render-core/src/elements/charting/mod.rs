//! The common parts of charts and diagrams: the items' numbers formatted for the page's language, scales over round
//! numbers, colours, and the kinds of chart.

mod axis;
pub(super) mod bars;
pub(super) mod columns;
mod curve;
pub(super) mod donut;
pub(super) mod dots;
mod entry;
pub(super) mod lines;
mod notation;
mod scale;
pub(super) mod slope;
mod tones;
mod units;

pub(crate) use axis::{spread, thinned};
pub(crate) use curve::through;
pub(super) use entry::{Chart, Entry, name};
pub(crate) use notation::Notation;
pub(crate) use scale::Scale;
pub(super) use tones::Tones;
pub(crate) use units::Units;

use super::shared::text_box;
use crate::design::Voice;
use crate::scene::{Color, Item, Point, Role, Size, TextLevel};
use crate::sheet::{Boxed, Content, Flow, Place, Plan, Ranged, With};
use crate::text::Align;
use crate::tree::{Node, Step};

/// Rounding of bar ends, relative to the corners of cards and to their own thickness.
const CORNER: (f32, f32) = (0.57, 0.2);

/// Returns the corner radius of bars of this thickness in du.
fn corner(with: &With<'_>, thick: f32) -> f32 {
    let round = if with.outline().is_some() { 1.7 * CORNER.1 } else { CORNER.1 };
    (CORNER.0 * with.radius(1.0)).min(round * thick)
}

/// Draws a bar `thick` du across; its surroundings determine width and height.
fn bar(with: &With<'_>, thick: f32, color: Color) -> Boxed {
    let edge = with.outline();
    let least = 2.0 * edge.map_or(with.rule(), |b| b.width);
    Boxed::empty().filled(color, corner(with, thick)).looking(|look| look.border = edge).with(|lay| {
        (lay.least_width, lay.least_height) = (least, least);
    })
}

/// Smallest and largest height of a plot, as shares of the page's.
const PLOT: (f32, f32) = (0.24, 0.46);

/// Returns the size range of a plot.
pub(super) fn plot(with: &With<'_>) -> Ranged<Size> {
    let size = |share: f32| Size::new(6.0 * with.size(Step::Md), share * with.frame.room.h());
    Ranged { min: size(PLOT.0), max: size(PLOT.1) }
}

/// Returns an empty box that reserves a row's height for a bar whose thickness shrinks with the type.
fn strut(thick: Ranged<f32>) -> Boxed {
    let size = |h: f32| Size::new(0.0, h);
    Boxed::drawn(Ranged { min: size(thick.min), max: size(thick.max) }, |_| Vec::new())
}

/// The look of a value beside a mark.
#[derive(Clone, Copy)]
struct Manner {
    /// The smallest and the largest size.
    fit: (Step, Step),
    /// Its colour.
    ink: Color,
    /// Whether it is highlighted.
    loud: bool,
    /// Its alignment in its box.
    align: Align,
}

/// Returns a value beside a mark.
fn value(text: &str, id: &str, with: &With<'_>, manner: Manner) -> Boxed {
    let (least, most) = manner.fit;
    // Display fonts are too fine for small figures.
    let voice = if manner.loud && most >= Step::Lg { Voice::Figure } else { Voice::Data };
    let plan = Plan {
        ink: Some(manner.ink),
        level: if manner.loud || least > Step::Xs { TextLevel::Body } else { TextLevel::Small },
        align: Some(manner.align),
        ..Plan::at(voice, least, 1).fit(least, most)
    };
    text_box(text, id, with, plan).rigid()
}

/// Returns the values of items outside charts, if they have any, equally wide.
pub(super) fn valued(items: &[Node], unit: &str, fit: (Step, Step), with: &With<'_>) -> Vec<Option<Boxed>> {
    let manner = Manner { fit, ink: with.inks.ink(), loud: true, align: Align::Start };
    let own = |item: &Node| {
        let entry = Entry::of(item, unit, with.setting.language)?;
        Some(value(entry.written.first()?, &format!("{}.value", item.id), with, manner))
    };
    let mut values: Vec<Option<Boxed>> = items.iter().map(own).collect();
    even(values.iter_mut().flatten());
    values
}

/// Returns the width of a box's words at their largest size, in du.
fn widest(boxed: &Boxed) -> f32 {
    match &boxed.content {
        Content::Words(words) => words.shaped.widest() * words.size.max,
        Content::Boxes(boxes) => boxes.iter().map(widest).fold(0.0, f32::max),
        _ => 0.0,
    }
}

/// Returns the width of a box's longest word at the smallest requested size, in du.
fn narrowest(boxed: &Boxed) -> f32 {
    match &boxed.content {
        Content::Words(words) => words.shaped.narrowest() * words.size.min,
        Content::Boxes(boxes) => boxes.iter().map(narrowest).fold(0.0, f32::max),
        _ => 0.0,
    }
}

/// Returns whether a box holds words.
fn is_words(boxed: &Boxed) -> bool {
    matches!(boxed.content, Content::Words(_))
}

/// Makes boxes of words equally wide, whatever their size.
fn even<'b>(boxes: impl Iterator<Item = &'b mut Boxed>) {
    let boxes: Vec<&mut Boxed> = boxes.collect();
    let room = boxes.iter().map(|b| widest(b)).fold(0.0, f32::max);
    for boxed in boxes {
        if let Content::Words(words) = &mut boxed.content {
            words.room = room / words.size.max.max(1.0);
        }
    }
}

/// Returns the names of series with their colours.
fn legend(chart: &Chart<'_>, with: &With<'_>, colors: &[Color], hero: usize) -> Option<Boxed> {
    if chart.series.is_empty() {
        return None;
    }
    let side = with.square(Step::Xs, Step::Sm, 0.82);
    let radius = corner(with, side.max.w);
    let edge = with.outline();
    let entries = chart.series.iter().zip(colors).enumerate().map(|(i, (name, color))| {
        let color = *color;
        let swatch =
            Boxed::drawn(side, |_| Vec::new()).filled(color, radius).looking(|look| look.border = edge).rigid();
        let ink = if hero == i { with.inks.ink() } else { with.inks.ink2() };
        let plan = Plan { ink: Some(ink), level: TextLevel::Small, ..Plan::at(Voice::Label, Step::Xs, 1) };
        let name = text_box(name, &format!("{}.series-{}", chart.id, i + 1), with, plan.fit(Step::Xs, Step::Sm));
        Boxed::row(0.4 * with.size(Step::Sm), Place::Center, vec![swatch, name])
    });
    let entries = entries.collect();
    Some(Boxed::around(Flow::Wrap, entries).with(|lay| {
        (lay.gap, lay.row_gap) = (with.step(4), Some(with.step(2)));
        lay.align = Place::Center;
    }))
}

/// Draws a dot in the style's manner.
fn dot(with: &With<'_>, color: Color) -> impl Fn(Point, f32) -> Vec<Item> + 'static {
    let edge = with.outline();
    move |at, radius| {
        let mut items = Vec::new();
        if let Some(edge) = edge {
            items.push(Item::circle(at, radius + 0.5 * edge.width, edge.color, Role::Mark));
            items.push(Item::circle(at, radius - 0.5 * edge.width, color, Role::Mark));
        } else {
            items.push(Item::circle(at, radius, color, Role::Mark));
        }
        items
    }
}
