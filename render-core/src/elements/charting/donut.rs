//! A ring of shares with the main figure in its middle and its parts beside it.

use super::entry::name;
use super::{Chart, Entry, Manner, Tones, plot, value, widest};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Role, Size, Stroke, TextLevel};
use crate::sheet::{Boxed, Extent, Flow, Justify, Place, Plan, Ranged, With, Words};
use crate::text::Align;
use crate::tree::{Shape, Step};

/// A full turn.
const TURN: f32 = std::f32::consts::TAU;
/// Width of the ring relative to its radius.
const WIDTH: f32 = 0.3;
/// Largest share of the ring's inner width for the figure.
const FIGURE: f32 = 0.66;
/// The whole for a ring around a single value, if none is given.
const WHOLE: f64 = 100.0;

/// Draws a ring, with its parts beside it or, on tall pages, below it.
pub fn donut(chart: &Chart<'_>, with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let sum: f64 = chart.entries.iter().map(|e| e.number().max(0.0)).sum();
    let single = chart.entries.len() == 1;
    let whole = chart.max.unwrap_or(if single { WHOLE } else { sum }).max(sum).max(1e-12);
    let largest = |a: &&Entry<'_>, b: &&Entry<'_>| a.number().total_cmp(&b.number());
    let Some(hero) = chart.entries.iter().find(|e| e.mark).or_else(|| chart.entries.iter().max_by(largest)) else {
        return Boxed::empty();
    };
    let mut next = 1;
    let colors: Vec<Color> = chart
        .entries
        .iter()
        .map(|e| {
            if std::ptr::eq(e, hero) {
                return tones.hero;
            }
            next += 1;
            if chart.entries.len() == 2 { tones.quiet } else { with.inks.data(next - 1) }
        })
        .collect();
    let shares = chart.entries.iter().map(|e| (e.number().max(0.0) / whole) as f32);
    let parts: Vec<(f32, Color)> = shares.zip(colors.iter().copied()).collect();
    let ring = ring(parts, tones.track, with);
    let inner = (1.0 - WIDTH) * plot(with).max.h;
    let round = Boxed::layer(vec![ring, middle(hero, inner, with)]);
    if single {
        return round;
    }
    let rows =
        chart.entries.iter().zip(&colors).filter(|(e, _)| !std::ptr::eq(*e, hero)).map(|(e, c)| row(e, *c, with));
    let rows = Boxed::column(with.step(4), rows.collect());
    match with.frame.shape {
        Shape::Tall | Shape::Upright | Shape::Square => Boxed::column(with.step(5), vec![round.growing(1.0), rows]),
        _ => Boxed::around(
            Flow::Row,
            vec![round.growing(1.0).with(|lay| lay.place = Some(Place::Stretch)), rows.growing(1.0)],
        )
        .with(|lay| {
            (lay.gap, lay.align) = (with.step(6), Place::Center);
        }),
    }
}

fn row(entry: &Entry<'_>, color: Color, with: &With<'_>) -> Boxed {
    let side = with.square(Step::Xs, Step::Sm, 0.82);
    let edge = with.outline();
    let swatch = Boxed::drawn(side, |_| Vec::new())
        .filled(color, super::corner(with, side.max.w))
        .looking(|look| look.border = edge)
        .rigid();
    let label = name(entry.node).map(|(id, runs)| {
        let plan = Plan { id: &id, level: TextLevel::Body, ..Plan::at(Voice::Label, Step::Sm, 2) };
        Boxed::words(Words::new(&runs, plan.fit(Step::Sm, Step::Md), with)).growing(1.0)
    });
    let manner = Manner { fit: (Step::Sm, Step::Md), ink: with.inks.ink(), loud: true, align: Align::End };
    let value =
        value(entry.written.first().map_or("", String::as_str), &format!("{}.value", entry.node.id), with, manner);
    Boxed::row(with.step(2), Place::Center, [swatch].into_iter().chain(label).chain([value]).collect())
}

/// Returns the figure in the middle and what it counts, within a circle of `inner` du if there is room.
fn middle(hero: &Entry<'_>, inner: f32, with: &With<'_>) -> Boxed {
    let text = hero.written.first().map_or("", String::as_str);
    let id = format!("{}.value", hero.node.id);
    let figure = |step: Step| {
        let manner = Manner { fit: (Step::Md, step), ink: with.inks.ink(), loud: true, align: Align::Center };
        value(text, &id, with, manner)
    };
    let steps = [Step::Xxxl, Step::Xxl, Step::Xl, Step::Lg];
    let fits = |f: &Boxed| widest(f) < FIGURE * inner;
    let figure = steps.into_iter().map(figure).find(fits).unwrap_or_else(|| figure(Step::Md));
    let label = name(hero.node).map(|(id, runs)| {
        let plan = Plan {
            id: &id,
            ink: Some(with.inks.ink2()),
            align: Some(Align::Center),
            level: TextLevel::Small,
            ..Plan::at(Voice::Label, Step::Xs, 2)
        };
        let words = Boxed::words(Words::new(&runs, plan.fit(Step::Xs, Step::Md), with));
        words.with(|lay| lay.width = Some(Extent::Share(0.42)))
    });
    let boxes = [figure].into_iter().chain(label).collect();
    Boxed::column(with.step(3), boxes).with(|lay| (lay.align, lay.justify) = (Place::Center, Justify::Center))
}

/// Draws a ring of parts, clockwise from the top.
fn ring(parts: Vec<(f32, Color)>, track: Color, with: &With<'_>) -> Boxed {
    let (edge, rtl) = (with.outline(), with.frame.rtl);
    let (min, max) = (plot(with).min.h, plot(with).max.h);
    let size = Ranged { min: Size::new(min, min), max: Size::new(max, max) };
    let seam = if parts.len() > 1 { 1.5 * with.rule().max(2.0 * with.frame.k) } else { 0.0 };
    Boxed::drawn(size, move |rect| {
        let radius = rect.size().short() / 2.0;
        let (center, width) = (rect.center(), WIDTH * radius);
        let middle = radius - width / 2.0;
        let line = edge.map_or(0.0, |e| e.width);
        let arc = |from: f32, share: f32, width: f32, color: Color| {
            let (from, share) = if rtl { (-from, -share) } else { (from, share) };
            let (start, sweep) = (from * TURN - TURN / 4.0, share * TURN);
            let coverage = Coverage::Arc { center, radius: middle, start, sweep, stroke: Some(Stroke::new(width)) };
            Item::new(coverage, Paint::Solid(color), Role::Mark)
        };
        let mut items = Vec::new();
        if let Some(edge) = edge {
            items.push(Item::ring(center, middle, width, edge.color, Role::Mark));
        }
        let inner = width - 2.0 * line;
        let gap = (seam.max(line)) / (middle * TURN);
        let all: f32 = parts.iter().map(|(share, _)| share).sum();
        if parts.len() == 1 && all < 1.0 {
            let rest = if line > 0.0 {
                arc(all + gap / 2.0, 1.0 - all - gap, inner, track)
            } else {
                arc(all, 1.0 - all, inner, track)
            };
            items.push(rest);
        }
        let mut from = 0.0;
        for (share, color) in &parts {
            let whole = *share >= 1.0;
            let own = if whole { 1.0 } else { (share - gap).max(0.2 * share) };
            items.push(arc(from + (share - own) / 2.0, own, inner, *color));
            from += share;
        }
        items
    })
}
