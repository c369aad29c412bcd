//! Horizontal bars from zero, with their values beside them.

use super::super::shared::sign;
use super::entry::name;
use super::{Chart, Entry, Manner, Tones, bar, corner, even, is_words, legend, narrowest, strut, value, widest};
use crate::design::Voice;
use crate::scene::{Color, TextLevel};
use crate::sheet::{Boxed, Extent, Justify, Place, Plan, Ranged, With, Words, mix};
use crate::text::Align;
use crate::tree::{Shape, Step};

/// Labels go beside their bars if all of them are narrower than this share of the page.
const BESIDE: f32 = 0.3;
/// Largest share of a page's height for all bars together.
const HEIGHT: f32 = 0.4;
/// Share of the accent that the bar with the lowest value keeps if none is highlighted; the highest keeps all of it.
const FADE: f32 = 0.4;

/// Returns the thickness of `count` bars.
fn thickness(with: &With<'_>, count: usize) -> Ranged<f32> {
    let least = 0.62 * with.size(Step::Sm);
    let most = (HEIGHT * with.frame.room.h() / count.max(1) as f32)
        .clamp(least, if count < 4 { 3.0 } else { 2.0 } * with.size(Step::Lg));
    Ranged { min: (0.6 * most).max(least), max: most }
}

/// Returns the sizes of values and labels beside `count` bars.
fn sizes(count: usize) -> (Step, Step) {
    match count {
        0..=4 => (Step::Sm, Step::Lg),
        5..=7 => (Step::Sm, Step::Md),
        _ => (Step::Xs, Step::Sm),
    }
}

/// Returns a bar's label, with its sign before it.
fn label(entry: &Entry<'_>, with: &With<'_>, fit: (Step, Step), lines: usize) -> Option<Boxed> {
    let (id, runs) = name(entry.node)?;
    let plan = Plan { id: &id, level: TextLevel::Body, ..Plan::at(Voice::Label, fit.0, lines).fit(fit.0, fit.1) };
    let words = Boxed::words(Words::new(&runs, plan, with));
    let size = with.square(fit.0, fit.1, 1.1);
    match sign(entry.node, with, size, with.inks.accent_ink()) {
        Some(sign) => Some(Boxed::row(with.step(1), Place::Center, vec![sign, words])),
        None => Some(words),
    }
}

fn column(groups: Vec<Boxed>, gap: f32, legend: Option<Boxed>, with: &With<'_>) -> Boxed {
    let many = groups.len() > 2;
    let groups = Boxed::column(gap, groups)
        .growing(1.0)
        .with(|lay| lay.justify = if many { Justify::Between } else { Justify::Evenly });
    match legend {
        Some(legend) => Boxed::column(with.step(5), vec![legend, groups]),
        None => groups,
    }
}

/// Draws one bar per item on a track, with its value at the end of the line.
pub fn single(chart: &Chart<'_>, with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let count = chart.entries.len();
    let (low, high) = chart.ends(chart.entries.iter().map(Entry::number));
    let fit = sizes(count);
    let thick = thickness(with, count);
    let marked = chart.marked();
    let color = |entry: &Entry<'_>| match (entry.mark, marked) {
        (false, true) => tones.quiet,
        (true, _) => tones.hero,
        _ if with.outline().is_some() => tones.hero,
        _ => mix(tones.hero, with.inks.ground, FADE * (1.0 - (entry.number().abs() / high.max(-low)) as f32)),
    };
    let mut values: Vec<Boxed> = chart
        .entries
        .iter()
        .map(|entry| {
            let id = format!("{}.value", entry.node.id);
            let ink = if entry.mark || !marked { with.inks.ink() } else { with.inks.ink2() };
            let manner = Manner { fit, ink, loud: true, align: Align::End };
            value(entry.written.first().map_or("", String::as_str), &id, with, manner)
        })
        .collect();
    even(values.iter_mut());
    let labels = Labels::of(chart, fit, with);
    let beside = labels.beside;
    let groups = chart.entries.iter().zip(labels.boxes.into_iter().zip(values)).map(|(entry, (label, value))| {
        let area = area((low, high), entry.number(), thick, (tones.track, color(entry)), with).growing(1.0);
        labelled(label, Boxed::row(with.step(3), Place::Center, vec![area, value]), beside, fit, with)
    });
    let gap = with.step(if beside || count > 6 { 2 } else { 4 });
    column(groups.collect(), gap, None, with)
}

/// The labels of bars.
struct Labels {
    boxes: Vec<Option<Boxed>>,
    /// Whether they are beside their bars, equally wide, and not above them.
    beside: bool,
}

impl Labels {
    /// Puts labels beside the bars if height is limited and all labels are short, or if the page is wide.
    fn of(chart: &Chart<'_>, fit: (Step, Step), with: &With<'_>) -> Self {
        let mut boxes: Vec<Option<Boxed>> = chart.entries.iter().map(|e| label(e, with, fit, 3)).collect();
        let room = with.frame.room.w();
        let wide = matches!(with.frame.shape, Shape::Wide | Shape::Strip);
        let low = wide || with.frame.shape == Shape::Square || boxes.len() > 8;
        let longest = boxes.iter().flatten().map(widest).fold(0.0, f32::max);
        let plain = boxes.iter().all(|l| l.as_ref().is_some_and(is_words)) && longest < BESIDE * room;
        let word = boxes.iter().flatten().map(narrowest).fold(0.0, f32::max);
        let beside = low && plain || wide && word < 1.3 * BESIDE * room && boxes.iter().all(Option::is_some);
        if beside && plain {
            even(boxes.iter_mut().flatten());
            boxes = boxes.into_iter().map(|l| l.map(Boxed::rigid)).collect();
        } else if beside {
            let wide = (longest / room).clamp(0.16, 1.4 * BESIDE);
            let share = |l: Boxed| l.with(|lay| (lay.width, lay.shrink) = (Some(Extent::Share(wide)), false));
            boxes = boxes.into_iter().map(|l| l.map(share)).collect();
        }
        Self { boxes, beside }
    }
}

/// Combines a label and its bars, side by side or stacked.
fn labelled(label: Option<Boxed>, bars: Boxed, beside: bool, fit: (Step, Step), with: &With<'_>) -> Boxed {
    if beside {
        return Boxed::row(with.step(3), Place::Center, label.into_iter().chain([bars.growing(1.0)]).collect());
    }
    let gap = with.step(1) + 0.12 * with.size(fit.1);
    Boxed::column(gap, label.into_iter().chain([bars]).collect())
}

/// Draws a bar from zero on a track that spans the scale.
fn area((low, high): (f64, f64), n: f64, thick: Ranged<f32>, (track, color): (Color, Color), with: &With<'_>) -> Boxed {
    let share = |v: f64| (v / (high - low)) as f32;
    let before = share(n.min(0.0) - low);
    let own = share(n.abs());
    let gap = |grow: f32| Boxed::empty().growing(grow.max(0.0));
    let bar = bar(with, thick.max, color).growing(own);
    let row = Boxed::row(0.0, Place::Stretch, vec![gap(before), bar, gap(1.0 - before - own)]);
    let track = (low >= 0.0).then(|| Boxed::empty().filled(track, corner(with, thick.max)));
    Boxed::layer([strut(thick)].into_iter().chain(track).chain([row]).collect())
}

/// Draws several bars per item, one per series, with their values after them.
pub fn grouped(chart: &Chart<'_>, with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let count = chart.count();
    let hero = chart.hero.unwrap_or(count.saturating_sub(1));
    let colors = tones.series(with, count, Some(hero));
    let (_, high) = chart.ends(chart.numbers());
    let bars = chart.entries.iter().map(|e| e.numbers.len()).sum();
    let thick = thickness(with, bars);
    let fit = sizes(chart.entries.len());
    let quiet =
        Manner { fit: (Step::Xs, fit.1.min(Step::Md)), ink: with.inks.ink2(), loud: false, align: Align::Start };
    let loud = Manner { fit, ink: with.inks.ink(), loud: true, ..quiet };
    let shown = chart.entries.iter().flat_map(|e| e.written.iter().enumerate().map(move |(i, text)| (e, i, text)));
    let mut values: Vec<Boxed> = shown
        .map(|(entry, i, text)| {
            let id = format!("{}.value-{}", entry.node.id, i + 1);
            value(text, &id, with, if i == hero { loud } else { quiet })
        })
        .collect();
    even(values.iter_mut());
    let mut values = values.into_iter();
    let labels = Labels::of(chart, fit, with);
    let beside = labels.beside;
    let groups = chart.entries.iter().zip(labels.boxes).map(|(entry, label)| {
        let rows = entry.numbers.iter().zip(values.by_ref()).enumerate().map(|(i, (n, value))| {
            let share = (n.max(0.0) / high) as f32;
            let color = colors.get(i).copied().unwrap_or(tones.quiet);
            let own = Boxed::layer(vec![strut(thick), bar(with, thick.max, color)]).growing(share);
            Boxed::row(with.step(3), Place::Center, vec![own, value, Boxed::empty().growing(1.0 - share)])
        });
        let rows = Boxed::column(with.step(1).min(0.2 * thick.max), rows.collect());
        labelled(label, rows, beside, fit, with)
    });
    let groups = groups.collect();
    column(groups, with.step(4), legend(chart, with, &colors, hero), with)
}

/// Draws one bar per item, divided among the series, with values in parts that are wide enough.
pub fn stacked(chart: &Chart<'_>, with: &With<'_>) -> Boxed {
    let count = chart.count();
    let hero = chart.hero.unwrap_or_default();
    let colors = Tones::of(with).series(with, count, Some(hero));
    let sum = |e: &Entry<'_>| e.numbers.iter().map(|n| n.max(0.0)).sum::<f64>();
    let (_, high) = chart.ends(chart.entries.iter().map(sum));
    let thick = thickness(with, chart.entries.len());
    let fit = sizes(chart.entries.len());
    let seam = with.rule().max(0.35 * with.step(1));
    let labels = Labels::of(chart, fit, with);
    let beside = labels.beside;
    let groups = chart.entries.iter().zip(labels.boxes).map(|(entry, label)| {
        let parts = entry.numbers.iter().zip(&entry.written).enumerate().map(|(i, (n, text))| {
            let share = (n.max(0.0) / high) as f32;
            let color = colors.get(i).copied().unwrap_or(with.inks.ink2());
            let own = bar(with, thick.max, color).with(|lay| lay.least_width = 0.0);
            let on = with.on(color);
            let manner = Manner { fit: (Step::Xs, Step::Sm), ink: on.inks.ink(), loud: false, align: Align::Center };
            let value = value(text, &format!("{}.value-{}", entry.node.id, i + 1), &on, manner);
            let fits = widest(&value) < 0.8 * share * with.frame.room.w();
            let value = fits.then(|| value.at(Some(0.5), Some(0.5)));
            let part = Boxed::layer([strut(thick), own].into_iter().chain(value).collect());
            part.with(|lay| lay.width = Some(Extent::Share(share)))
        });
        let rest = (1.0 - sum(entry) / high) as f32;
        let rest = (rest > 0.0).then(|| Boxed::empty().growing(1.0));
        let row = Boxed::row(seam, Place::Stretch, parts.chain(rest).collect());
        labelled(label, row, beside, fit, with)
    });
    let groups = groups.collect();
    column(groups, with.step(4), legend(chart, with, &colors, hero), with)
}
