//! Dots on a common scale: one value per item, or the range between two.

use super::entry::name;
use super::{Chart, Manner, Tones, dot, legend, value};
use crate::design::Voice;
use crate::scene::{Coverage, Item, Paint, Point, Role, Size, TextLevel};
use crate::sheet::{Boxed, Justify, Plan, Ranged, With, Words};
use crate::text::Align;
use crate::tree::Step;

/// Share of the width that the scale leaves free on either side, for values beside the outer dots.
const INSET: f32 = 0.15;

/// Draws dots, one row per item.
pub fn dots(chart: &Chart<'_>, with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let count = chart.count();
    let hero = chart.hero.unwrap_or(count.saturating_sub(1));
    let colors = tones.series(with, count, Some(hero));
    let (low, high) = chart.ends(chart.numbers());
    let at = |n: f64| INSET + (1.0 - 2.0 * INSET) * ((n - low) / (high - low)) as f32;
    let mut rows = Vec::new();
    let fit = if chart.entries.len() > 6 { (Step::Xs, Step::Sm) } else { (Step::Sm, Step::Md) };
    for entry in &chart.entries {
        let label = name(entry.node).map(|(id, runs)| {
            let plan = Plan { id: &id, level: TextLevel::Body, ..Plan::at(Voice::Label, fit.0, 2) };
            Boxed::words(Words::new(&runs, plan.fit(fit.0, fit.1), with))
        });
        let mut order: Vec<(usize, f32)> = entry.numbers.iter().map(|n| at(*n)).enumerate().collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        let outer = [order.first().map(|o| o.0), order.last().map(|o| o.0)];
        let values = entry.written.iter().enumerate().filter(|(i, _)| outer.contains(&Some(*i))).map(|(i, text)| {
            let right = outer[1] == Some(i);
            let ink = if i == hero { with.inks.ink() } else { with.inks.ink2() };
            let manner = Manner { fit, ink, loud: i == hero, align: if right { Align::Start } else { Align::End } };
            let id = format!("{}.value-{}", entry.node.id, i + 1);
            let space = 0.62 * with.size(fit.1) + with.step(1);
            // The line of the scale is interrupted by words.
            let own = Boxed::column(0.0, vec![value(text, &id, with, manner)])
                .padded(0.0, with.step(1))
                .filled(with.inks.ground, 0.0)
                .rigid();
            let gap = || Boxed::empty().with(|lay| lay.least_width = space).rigid();
            let boxes = if right { vec![gap(), own] } else { vec![own, gap()] };
            let x = at(entry.numbers[i]);
            Boxed::row(0.0, crate::sheet::Place::Center, boxes).pinned((x, 0.5), (if right { 0.0 } else { 1.0 }, 0.5))
        });
        let track = track(order, &colors, entry.mark || !chart.marked(), fit, with);
        let row = Boxed::layer([track].into_iter().chain(values).collect());
        let gap = with.step(1);
        rows.push(Boxed::column(gap, label.into_iter().chain([row]).collect()));
    }
    let many = rows.len() > 2;
    let rows = Boxed::column(with.step(3), rows)
        .growing(1.0)
        .with(|lay| lay.justify = if many { Justify::Between } else { Justify::Evenly });
    match legend(chart, with, &colors, hero) {
        Some(legend) => Boxed::column(with.step(4), vec![legend, rows]),
        None => rows,
    }
}

/// Draws a line across the scale, the range between the outer dots, and the dots.
fn track(
    order: Vec<(usize, f32)>,
    colors: &[crate::scene::Color],
    loud: bool,
    fit: (Step, Step),
    with: &With<'_>,
) -> Boxed {
    let tones = Tones::of(with);
    let dots: Vec<_> = order
        .iter()
        .map(|(i, x)| {
            let color = colors.get(*i).copied().filter(|_| loud).unwrap_or(tones.quiet);
            (*x, dot(with, color))
        })
        .collect();
    let (rule, line, rtl, between) = (with.rule(), with.inks.line(), with.frame.rtl, tones.quiet);
    let stroke = with.stroke();
    let high = |step| Size::new(0.0, 1.1 * with.size(step));
    let size = Ranged { min: high(fit.0), max: high(fit.1) };
    Boxed::drawn(size, move |rect| {
        let radius = rect.h() / 2.0;
        let x = |share: f32| rect.x0 + rect.w() * if rtl { 1.0 - share } else { share };
        let y = rect.center().y;
        let capsule = |from: f32, to: f32, width: f32, color| {
            let (from, to) = (Point::new(x(from), y), Point::new(x(to), y));
            let coverage = Coverage::Capsule { from, to, radius: width / 2.0, stroke: None };
            Item::new(coverage, Paint::Solid(color), Role::Mark)
        };
        let mut items = vec![capsule(0.0, 1.0, rule, line)];
        if let (Some((from, _)), Some((to, _)), true) = (dots.first(), dots.last(), dots.len() > 1) {
            items.push(capsule(*from, *to, stroke, between));
        }
        items.extend(dots.iter().flat_map(|(share, dot)| dot(Point::new(x(*share), y), radius)));
        items
    })
}
