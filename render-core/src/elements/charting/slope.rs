//! Two columns of ranks or values, joined by lines.

use std::sync::Arc;

use kurbo::BezPath;

use super::entry::name;
use super::{Chart, Entry, Manner, Scale, Tones, dot, plot, spread, value};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Point, Role, Stroke, TextLevel};
use crate::sheet::{Boxed, Extent, Place, Plan, With, Words, mix};
use crate::text::{Align, decimal};
use crate::tree::{Run, Step};

/// Positions of the two columns with words on both sides, and with words only on the right.
const BOTH: (f32, f32) = (0.25, 0.75);
const ONE: (f32, f32) = (0.1, 0.56);
/// The maximum number of ranks.
const RANKS: usize = 12;

/// A line from one column to the other, at shares of the plot.
struct Way {
    from: f32,
    to: f32,
    color: Color,
    loud: bool,
}

/// Draws two columns. `ranks` means that 1 is at the top and every rank has its row.
pub fn slope(chart: &Chart<'_>, ranks: bool, with: &With<'_>) -> Boxed {
    let entries: Vec<&Entry<'_>> = chart.entries.iter().filter(|e| e.numbers.len() > 1).collect();
    if ranks { ranked(chart, &entries, with) } else { valued(chart, &entries, with) }
}

/// Returns whether an item's line is in the accent: if it is highlighted, or if it is the only item.
fn loud(chart: &Chart<'_>, entry: &Entry<'_>) -> bool {
    entry.mark || !chart.marked() && chart.entries.len() == 1
}

fn ranked(chart: &Chart<'_>, entries: &[&Entry<'_>], with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let rank = |n: f64| n.round().clamp(1.0, RANKS as f64) as usize;
    let most = entries.iter().flat_map(|e| e.numbers.iter().take(2)).map(|n| rank(*n)).max().unwrap_or(1);
    let count = most.max(chart.max.map_or(0, rank)).max(entries.len()).min(RANKS);
    let y = |rank: usize| (rank as f32 - 0.5) / count as f32;
    let named = entries.len() > 1 && entries.iter().any(|e| name(e.node).is_some());
    let columns = if named { ONE } else { BOTH };
    let ways = entries.iter().map(|e| {
        let loud = loud(chart, e);
        let color = if loud { tones.hero } else { tones.quiet };
        Way { from: y(rank(e.numbers[0])), to: y(rank(e.numbers[1])), color, loud }
    });
    let rows: Vec<f32> = if named { Vec::new() } else { (1..=count).map(y).collect() };
    let mut boxes = vec![drawing(ways.collect(), columns, rows, with)];
    let fit = if count > 6 { (Step::Xs, Step::Sm) } else { (Step::Sm, Step::Md) };
    for (side, x) in [columns.0, columns.1].into_iter().enumerate() {
        for place in 1..=count {
            let own = entries.iter().find(|e| rank(e.numbers[side]) == place);
            let loud = own.is_some_and(|e| loud(chart, e));
            let text = decimal(place as i64, 0, with.setting.language);
            let id = format!("{}.rank-{}-{place}", chart.id, side + 1);
            let disc = disc(&text, &id, loud, fit, tones.track, with);
            boxes.push(disc.pinned((x, y(place)), (0.5, 0.5)));
        }
    }
    for entry in entries {
        let (from, to) = (y(rank(entry.numbers[0])), y(rank(entry.numbers[1])));
        let ink = if loud(chart, entry) || !chart.marked() { with.inks.ink() } else { with.inks.ink2() };
        if named {
            boxes.extend(label(entry, columns.1, to, ink, with));
        } else {
            let words = [(chart.series.first(), 0.0, from), (chart.series.get(1), columns.1, to)];
            for (i, (text, x, y)) in words.into_iter().enumerate() {
                let ink = if i == 0 { with.inks.ink2() } else { with.inks.ink() };
                boxes.extend(text.map(|text| series(text, chart.id, i, (x, y), (columns.0, ink), with)));
            }
        }
        boxes.extend(pill(entry, ((columns.0 + columns.1) / 2.0, (from + to) / 2.0), with));
    }
    let plot = Boxed::layer(boxes).growing(1.0);
    if named { headed(chart, plot, columns, with) } else { plot }
}

/// Returns the name of a column beside the disc at the start or end of a line.
fn series(text: &str, id: &str, i: usize, (x, y): (f32, f32), (room, ink): (f32, Color), with: &With<'_>) -> Boxed {
    let align = if i == 0 { Align::End } else { Align::Start };
    let id = format!("{id}.series-{}", i + 1);
    let plan = Plan {
        id: &id,
        ink: Some(ink),
        align: Some(align),
        level: TextLevel::Small,
        ..Plan::at(Voice::Label, Step::Sm, 2).fit(Step::Xs, Step::Md)
    };
    let words = Boxed::words(Words::new(&[Run::plain(text)], plan, with)).growing(1.0);
    let gap = Boxed::empty().with(|lay| lay.least_width = 1.65 * with.size(Step::Md)).rigid();
    let boxes = if i == 0 { vec![words, gap] } else { vec![gap, words] };
    Boxed::row(0.0, Place::Center, boxes).with(|lay| lay.width = Some(Extent::Share(room))).pinned((x, y), (0.0, 0.5))
}

/// Draws a disc with a rank in it.
fn disc(text: &str, id: &str, loud: bool, fit: (Step, Step), track: Color, with: &With<'_>) -> Boxed {
    let fill = if loud { with.inks.accent() } else { track };
    let edge = with.outline();
    let times = if loud { 2.3 } else { 1.75 };
    let size = with.square(fit.0, fit.1, times);
    let round = Boxed::drawn(size, |_| Vec::new()).filled(fill, size.max.w).looking(|look| look.border = edge);
    let on = with.on(fill);
    let ink = if loud { on.inks.ink() } else { on.inks.ink2() };
    let fit = if loud { (fit.0, if fit.1 == Step::Md { Step::Lg } else { Step::Md }) } else { fit };
    let words = value(text, id, &on, Manner { fit, ink, loud: true, align: Align::Center });
    Boxed::layer(vec![round, words.at(Some(0.5), Some(0.5))])
}

/// Returns an item's name beside its end.
fn label(entry: &Entry<'_>, x: f32, y: f32, ink: Color, with: &With<'_>) -> Option<Boxed> {
    let (id, runs) = name(entry.node)?;
    let plan = Plan {
        id: &id,
        ink: Some(ink),
        level: TextLevel::Body,
        ..Plan::at(Voice::Label, Step::Xs, 2).fit(Step::Xs, Step::Md)
    };
    let words = Boxed::words(Words::new(&runs, plan, with)).growing(1.0);
    let gap = Boxed::empty().with(|lay| lay.least_width = 1.5 * with.size(Step::Md)).rigid();
    let row = Boxed::row(0.0, Place::Center, vec![gap, words]).with(|lay| lay.width = Some(Extent::Share(1.0 - x)));
    Some(row.pinned((x, y), (0.0, 0.5)))
}

/// Returns the note of an item on a pill in the middle of its line.
fn pill(entry: &Entry<'_>, at: (f32, f32), with: &With<'_>) -> Option<Boxed> {
    let text = entry.node.get("note")?;
    let ground = with.inks.ink();
    let on = with.on(ground);
    let id = format!("{}.note", entry.node.id);
    let plan = Plan {
        id: &id,
        align: Some(Align::Center),
        level: TextLevel::Body,
        ..Plan::at(Voice::Label, Step::Xs, 1).fit(Step::Xs, Step::Md)
    };
    let words = Boxed::words(Words::new(&[Run::plain(text)], plan, &on));
    let pad = with.step(2) + 0.1 * with.size(Step::Md);
    let pill = Boxed::column(0.0, vec![words]).padded(pad, 1.5 * pad).filled(ground, 2.0 * with.size(Step::Md));
    Some(pill.pinned(at, (0.5, 0.5)))
}

/// Adds the names of the columns above them.
fn headed(chart: &Chart<'_>, plot: Boxed, columns: (f32, f32), with: &With<'_>) -> Boxed {
    let head = |i: usize, x: f32| {
        let text = chart.series.get(i)?;
        let id = format!("{}.series-{}", chart.id, i + 1);
        let plan = Plan {
            id: &id,
            ink: Some(with.inks.ink2()),
            align: Some(Align::Center),
            level: TextLevel::Small,
            ..Plan::at(Voice::Label, Step::Xs, 1)
        };
        let words = Boxed::words(Words::new(&[Run::plain(*text)], plan.fit(Step::Xs, Step::Sm), with));
        Some(if x < 0.12 { words.pinned((0.0, 0.0), (0.0, 0.0)) } else { words.pinned((x, 0.0), (0.5, 0.0)) })
    };
    let heads: Vec<Boxed> = [head(0, columns.0), head(1, columns.1)].into_iter().flatten().collect();
    if heads.is_empty() {
        return plot;
    }
    Boxed::column(with.step(4), vec![Boxed::layer(heads), plot])
}

fn valued(chart: &Chart<'_>, entries: &[&Entry<'_>], with: &With<'_>) -> Boxed {
    let tones = Tones::of(with);
    let columns = (0.2, 0.6);
    let scale = Scale::over(entries.iter().flat_map(|e| e.numbers.iter().take(2).copied()), 3, false);
    let y = |n: f64| 0.06 + 0.88 * (1.0 - scale.at(n).unwrap_or_default());
    let ways = entries.iter().map(|e| {
        let loud = loud(chart, e);
        Way { from: y(e.numbers[0]), to: y(e.numbers[1]), color: if loud { tones.hero } else { tones.quiet }, loud }
    });
    let mut boxes = vec![drawing(ways.collect(), columns, Vec::new(), with)];
    let plot = plot(with).max.h;
    let apart = |side: usize, high: f32| {
        let wanted: Vec<f32> = entries.iter().map(|e| y(e.numbers[side]) * plot).collect();
        spread(&wanted, &vec![high; wanted.len()], 0.0, plot)
            .into_iter()
            .map(|at| (at / plot).min(1.0))
            .collect::<Vec<_>>()
    };
    let (left, right) = (apart(0, 1.3 * with.size(Step::Sm)), apart(1, 1.5 * with.size(Step::Sm)));
    for (i, entry) in entries.iter().enumerate() {
        let strong = loud(chart, entry) || !chart.marked();
        let ink = if strong { with.inks.ink() } else { with.inks.ink2() };
        let space =
            || Boxed::empty().with(|lay| lay.least_width = 0.6 * with.size(Step::Md) + 1.5 * with.stroke()).rigid();
        let said = |side: usize, align: Align| {
            let id = format!("{}.value-{}", entry.node.id, side + 1);
            value(
                &entry.written[side],
                &id,
                with,
                Manner { fit: (Step::Xs, Step::Md), ink, loud: loud(chart, entry), align },
            )
        };
        let from = Boxed::row(0.0, Place::Center, vec![said(0, Align::End), space()]);
        boxes.push(from.pinned((columns.0, left[i]), (1.0, 0.5)));
        let named = name(entry.node).map(|(id, runs)| {
            let plan = Plan { id: &id, ink: Some(ink), level: TextLevel::Body, ..Plan::at(Voice::Label, Step::Xs, 2) };
            Boxed::words(Words::new(&runs, plan.fit(Step::Xs, Step::Md), with)).growing(1.0)
        });
        let to = [space(), said(1, Align::Start), space()].into_iter().chain(named).collect();
        let to = Boxed::row(0.0, Place::Center, to).with(|lay| lay.width = Some(Extent::Share(1.0 - columns.1)));
        boxes.push(to.pinned((columns.1, right[i]), (0.0, 0.5)));
        boxes.extend(pill(
            entry,
            ((columns.0 + columns.1) / 2.0, (y(entry.numbers[0]) + y(entry.numbers[1])) / 2.0),
            with,
        ));
    }
    headed(chart, Boxed::layer(boxes).growing(1.0), columns, with)
}

/// Draws dotted rows and lines from column to column, highlighted ones on top.
fn drawing(ways: Vec<Way>, columns: (f32, f32), rows: Vec<f32>, with: &With<'_>) -> Boxed {
    let (rule, rtl) = (with.rule().max(2.0 * with.frame.k), with.frame.rtl);
    let line = mix(with.inks.ink(), with.inks.ground, 0.62);
    let stroke = with.stroke().max(4.0 * with.frame.k);
    let edge = with.outline();
    let ends: Vec<_> = ways.iter().map(|way| dot(with, way.color)).collect();
    let radius = 1.1 * stroke;
    Boxed::drawn(plot(with), move |rect| {
        let x = |share: f32| rect.x0 + rect.w() * if rtl { 1.0 - share } else { share };
        let y = |share: f32| rect.y0 + rect.h() * share;
        let (x0, x1) = (x(columns.0), x(columns.1));
        let mut items = Vec::new();
        for row in &rows {
            let points = [Point::new(x0, y(*row)), Point::new(x1, y(*row))];
            let stroke = Stroke { dashes: Arc::from([0.1, 3.6 * rule]), ..Stroke::round(1.3 * rule) };
            let coverage = Coverage::Polyline { points: Arc::from(points), closed: false, stroke: Some(stroke) };
            items.push(Item::new(coverage, Paint::Solid(line), Role::Mark));
        }
        let order =
            ways.iter().zip(&ends).filter(|(w, _)| !w.loud).chain(ways.iter().zip(&ends).filter(|(w, _)| w.loud));
        for (way, dot) in order {
            let (from, to) = (Point::new(x0, y(way.from)), Point::new(x1, y(way.to)));
            let width = if way.loud { 1.7 * stroke } else { 0.6 * stroke };
            if let Some(edge) = edge.filter(|_| way.loud) {
                items.push(curve(from, to, width + 2.0 * edge.width, edge.color));
            }
            items.push(curve(from, to, width, way.color));
            for at in [from, to] {
                items.extend(dot(at, if way.loud { 1.4 * radius } else { radius }));
            }
        }
        items
    })
}

/// Draws a curve that is horizontal at both ends.
fn curve(from: Point, to: Point, width: f32, color: Color) -> Item {
    let middle = f64::from((from.x + to.x) / 2.0);
    let (a, b) = ((f64::from(from.x), f64::from(from.y)), (f64::from(to.x), f64::from(to.y)));
    let mut path = BezPath::new();
    path.move_to(a);
    path.curve_to((middle, a.1), (middle, b.1), b);
    let coverage = Coverage::Stroke { path: Arc::new(path), stroke: Stroke::round(width) };
    Item::new(coverage, Paint::Solid(color), Role::Mark)
}
