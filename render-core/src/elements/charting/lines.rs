//! Lines and areas: values over time, with few numbers along the axes and the main point highlighted.

use std::sync::Arc;

use super::columns::axis;
use super::entry::name;
use super::{Chart, Manner, Notation, Scale, Tones, dot, plot, spread, through, value};
use crate::design::Voice;
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stop, Stroke, TextLevel};
use crate::sheet::{Boxed, Place, Plan, Ranged, Track, With, Words};
use crate::text::Align;
use crate::tree::{Run, Step};

/// A scale starts at 0 if the lowest value is below this share of the highest, since then little of it stays empty.
const NEAR_ZERO: f64 = 0.4;
/// Additional space above the scale, as a share of the plot, because words shrink less than spaces.
const HEAD: f32 = 0.05;
/// Opacity of an area at its top.
const WASH: f32 = 0.34;

/// A line of a chart: shares of the plot, one per item; `None` for an item without a number.
struct Course {
    points: Vec<Option<(f32, f32)>>,
    color: Color,
    hero: bool,
}

/// Draws lines, with the areas below them filled if `wash` is set.
pub fn lines(chart: &Chart<'_>, wash: bool, with: &With<'_>) -> Boxed {
    let (n, count) = (chart.entries.len(), chart.count());
    let hero = chart.hero.unwrap_or_default();
    let colors = Tones::of(with).series(with, count, Some(hero));
    let scale = scale(chart, wash);
    let down = |at: f32| HEAD + (1.0 - HEAD) * (1.0 - at);
    let x = |i: usize| if n > 1 { i as f32 / (n - 1) as f32 } else { 0.5 };
    let courses: Vec<Course> = (0..count)
        .map(|j| {
            let point = |(i, e): (usize, &super::Entry<'_>)| Some((x(i), down(scale.at(*e.numbers.get(j)?)?)));
            let points = chart.entries.iter().enumerate().map(point).collect();
            Course { points, color: colors[j], hero: j == hero }
        })
        .collect();
    let ends = (count > 1).then(|| ends(chart, &courses, hero, with));
    let spots = spots(chart, &courses, hero, with);
    let grid: Vec<f32> = scale.numbers().map(|(_, at)| down(at)).collect();
    let heights = heights(chart, &scale, down, with);
    let rules = || rules(grid.clone(), with);
    // Space above the scale for the number on its highest rule, or for the value at a maximum.
    let value = chart.count() == 1;
    let head = with.step(1) + if value { space(with) + 0.8 * with.size(Step::Lg) } else { 0.9 * with.size(Step::Xs) };
    let heights = Boxed::layer([rules()].into_iter().chain(heights).collect()).with(|lay| lay.pad[0] = head);
    let drawing = drawing(courses, spots.iter().map(|s| (s.at, s.color)).collect(), wash, with);
    let marks = spots.into_iter().map(|s| s.said);
    let plot = Boxed::layer([rules(), drawing].into_iter().chain(marks).collect()).with(|lay| lay.pad[0] = head);
    let labels = chart.entries.iter().map(|entry| {
        let (id, runs) = name(entry.node)?;
        let ink = if entry.mark { with.inks.ink() } else { with.inks.ink2() };
        let plan = Plan {
            id: &id,
            ink: Some(ink),
            align: Some(Align::Center),
            level: TextLevel::Small,
            ..Plan::at(Voice::Label, Step::Xs, 1)
        };
        Some(Boxed::words(Words::new(&runs, plan, with)))
    });
    let below = axis(labels.collect(), x, with);
    let several = ends.is_some();
    let mut cells = vec![heights, plot];
    cells.extend(ends.map(|ends| ends.with(|lay| lay.pad[0] = head)));
    cells.extend([Boxed::empty(), below]);
    cells.extend(several.then(Boxed::empty));
    let columns = [Track::Content, Track::Share(1.0)].into_iter().chain(several.then_some(Track::Content)).collect();
    Boxed::tracks(columns, vec![Track::Share(1.0), Track::Content], cells).with(|lay| lay.row_gap = Some(with.step(3)))
}

/// Returns the numbers of the axis, each on its rule.
fn heights(chart: &Chart<'_>, scale: &Scale, down: impl Fn(f32) -> f32, with: &With<'_>) -> Vec<Boxed> {
    let written =
        |e: &'_ super::Entry<'_>| e.written.iter().cloned().zip(e.numbers.iter().copied()).collect::<Vec<_>>();
    let figures: Vec<(String, f64)> = chart.entries.iter().flat_map(written).collect();
    let notation = Notation::of(figures.iter().map(|(text, n)| (text.as_str(), *n)));
    let number = |(i, (number, at)): (usize, ((i64, i16), f32))| {
        let text = notation.written(number, at >= 1.0, with.setting.language);
        let manner = Manner { fit: (Step::Xs, Step::Xs), ink: with.inks.ink2(), loud: false, align: Align::Start };
        let own = value(&text, &format!("{}.axis-{}", chart.id, i + 1), with, manner);
        let gap = Boxed::empty().with(|lay| lay.least_width = with.step(3)).rigid();
        let row = Boxed::row(0.0, Place::Start, vec![own, gap]).with(|lay| lay.pad[2] = with.step(1));
        row.pinned((0.0, down(at)), (0.0, 1.0))
    };
    scale.numbers().enumerate().map(number).collect()
}

/// Draws rules across the plot.
fn rules(grid: Vec<f32>, with: &With<'_>) -> Boxed {
    let (rule, line) = (with.rule().min(2.0 * with.frame.k), with.inks.line());
    Boxed::drawn(Ranged::fixed(Size::new(0.0, 0.0)), move |rect| {
        let at = |y: &f32| {
            let y = (rect.y0 + y * rect.h()).min(rect.y1 - rule / 2.0);
            Item::rect(Rect::new(rect.x0, y - rule / 2.0, rect.x1, y + rule / 2.0), line, Role::Mark)
        };
        grid.iter().map(at).collect()
    })
}

fn scale(chart: &Chart<'_>, from_zero: bool) -> Scale {
    let finite = || chart.numbers().chain(chart.max);
    let (low, high) = finite().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    Scale::over(finite(), 3, from_zero || low >= 0.0 && low < NEAR_ZERO * high)
}

/// A highlighted point and its value.
struct Spot {
    at: (f32, f32),
    color: Color,
    said: Boxed,
}

/// Returns the highlighted points, or the last one: with their values if there is only one line.
fn spots(chart: &Chart<'_>, courses: &[Course], hero: usize, with: &With<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (j, course) in courses.iter().enumerate() {
        for (i, entry) in chart.entries.iter().enumerate() {
            let last = i + 1 == chart.entries.len();
            let marked = entry.mark && j == hero;
            let (Some(Some(at)), Some(text)) = (course.points.get(i), entry.written.get(j)) else { continue };
            if !(marked || last && (courses.len() > 1 || !chart.marked())) {
                continue;
            }
            let said = if courses.len() == 1 || marked && !last {
                let id = format!("{}.value", entry.node.id);
                let manner =
                    Manner { fit: (Step::Md, Step::Lg), ink: with.inks.ink(), loud: true, align: Align::Center };
                beside(value(text, &id, with, manner), &course.points, i, with)
            } else {
                Boxed::empty()
            };
            spots.push(Spot { at: *at, color: course.color, said });
        }
    }
    spots
}

/// Places a value above its point, or below it if the line comes from above.
fn beside(said: Boxed, points: &[Option<(f32, f32)>], i: usize, with: &With<'_>) -> Boxed {
    let Some((x, y)) = points[i] else { return said };
    let before = i.checked_sub(1).and_then(|b| points[b]).map_or(y, |p| p.1);
    let after = points.get(i + 1).copied().flatten().map_or(y, |p| p.1);
    // y grows downwards: the line is above the point if both neighbours have a smaller y.
    let below = before.min(after) < y - 0.02 && before.max(after) <= y + 0.02 && y < 0.86;
    let side = match (i, x) {
        (_, x) if x > 0.93 => 1.0,
        (_, x) if x < 0.07 => 0.0,
        _ => 0.5,
    };
    let space = space(with);
    let pad = if below { [space, 0.0, 0.0, 0.0] } else { [0.0, 0.0, space, 0.0] };
    Boxed::column(0.0, vec![said]).with(|lay| lay.pad = pad).pinned((x, y), (side, if below { 0.0 } else { 1.0 }))
}

/// Returns the distance of a point from its value.
fn space(with: &With<'_>) -> f32 {
    1.8 * radius(with) + with.step(1)
}

fn radius(with: &With<'_>) -> f32 {
    (1.35 * with.stroke()).clamp(0.16 * with.size(Step::Md), 0.3 * with.size(Step::Md))
}

/// Returns the last value and the name of each line, beside its end.
fn ends(chart: &Chart<'_>, courses: &[Course], hero: usize, with: &With<'_>) -> Boxed {
    // The smallest plot height is used, so that names stay apart on a low chart.
    let plot = plot(with).min.h;
    let height = 2.4 * with.size(Step::Md);
    let wanted: Vec<f32> =
        courses.iter().map(|c| c.points.iter().flatten().next_back().map_or(0.0, |p| p.1 * plot)).collect();
    let at = spread(&wanted, &vec![height; wanted.len()], 0.0, plot.max(height * wanted.len() as f32));
    let boxes = courses.iter().enumerate().zip(at).filter_map(|((j, course), at)| {
        let last = chart.entries.iter().rev().find(|e| e.numbers.len() > j)?;
        let ink = with.inks.text(crate::tree::Colour::Exact(course.color));
        let id = format!("{}.value-{}", last.node.id, j + 1);
        let manner = Manner { fit: (Step::Sm, Step::Md), ink, loud: j == hero, align: Align::Start };
        let number = value(&last.written[j], &id, with, manner);
        let name = chart.series.get(j).map(|name| {
            let id = format!("{}.series-{}", chart.id, j + 1);
            let plan = Plan { id: &id, ink: Some(ink), level: TextLevel::Small, ..Plan::at(Voice::Label, Step::Xs, 2) };
            Boxed::words(Words::new(&[Run::plain(*name)], plan, with))
        });
        let words = Boxed::column(with.step(1) + 0.1 * with.size(Step::Xs), [number].into_iter().chain(name).collect());
        let share = (at / plot).clamp(0.0, 1.0);
        let words = words.with(|lay| lay.align = Place::Start);
        let gap = Boxed::empty().with(|lay| lay.least_width = radius(with) + with.step(2)).rigid();
        Some(Boxed::row(0.0, Place::Start, vec![gap, words]).pinned((0.0, share), (0.0, share.clamp(0.2, 0.8))))
    });
    Boxed::layer(boxes.collect())
}

fn drawing(courses: Vec<Course>, spots: Vec<((f32, f32), Color)>, wash: bool, with: &With<'_>) -> Boxed {
    let stroke = with.stroke().max(3.0 * with.frame.k);
    let (edge, rtl, radius) = (with.outline(), with.frame.rtl, radius(with));
    let dots: Vec<_> = spots.into_iter().map(|(at, color)| (at, dot(with, color))).collect();
    Boxed::drawn(plot(with), move |rect| {
        let point = |(x, y): (f32, f32)| {
            let x = if rtl { 1.0 - x } else { x };
            Point::new(rect.x0 + x * rect.w(), rect.y0 + y * rect.h())
        };
        let mut items: Vec<Item> = Vec::new();
        let order = courses.iter().filter(|c| !c.hero).chain(courses.iter().filter(|c| c.hero));
        for course in order {
            let mut points: Vec<Point> = course.points.iter().flatten().map(|p| point(*p)).collect();
            if rtl {
                points.reverse();
            }
            let points = through(&points);
            if points.len() < 2 {
                continue;
            }
            if wash && course.hero {
                items.extend(area(&points, rect.y1, course.color));
            }
            let width = if course.hero { stroke } else { 0.7 * stroke };
            if let Some(edge) = edge {
                items.push(stroked(&points, width + 2.0 * edge.width, edge.color));
            }
            items.push(stroked(&points, width, course.color));
        }
        for (at, dot) in &dots {
            items.extend(dot(point(*at), radius));
        }
        items
    })
}

fn stroked(points: &[Point], width: f32, color: Color) -> Item {
    let coverage = Coverage::Polyline { points: Arc::from(points), closed: false, stroke: Some(Stroke::round(width)) };
    Item::new(coverage, Paint::Solid(color), Role::Mark)
}

/// Draws the area between a line and the floor, fading towards the floor.
fn area(points: &[Point], floor: f32, color: Color) -> Option<Item> {
    let (first, last) = (*points.first()?, *points.last()?);
    let top = points.iter().map(|p| p.y).fold(floor, f32::min);
    let mut area = points.to_vec();
    area.extend([Point::new(last.x, floor), Point::new(first.x, floor)]);
    let stops = [(0.0, WASH), (1.0, 0.02)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
    let paint = Paint::Linear { from: Point::new(0.0, top), to: Point::new(0.0, floor), stops: Arc::from(stops) };
    Some(Item::new(Coverage::Polyline { points: Arc::from(area), closed: true, stroke: None }, paint, Role::Mark))
}
