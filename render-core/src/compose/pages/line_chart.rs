//! line-chart: what changed over time. The headline says it, the lines show it: one in the accent, the others quiet, each
//! named at its end; few round numbers and no more labels than have room.

use super::super::charts::{Axis, Row, Tones, dot, line, mentioned, notes, rows, spread, thinned, wash};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::setter::{Set, Setter, Spec};
use super::{even, sourced, widest};
use crate::design::{Nodes, SlotId, Voice};
use crate::scene::{Item, Point, Rect, Role, TextLevel};
use crate::text::{Align, TextSpan};

/// The tag of what stands in brackets in a caption.
const ASIDE: u8 = 21;
/// From this height in multiples of the smallest type on, an axis has more numbers.
const HIGH: f32 = 13.0;
/// A chart is at most this many times as high as wide.
const STEEPEST: f32 = 1.2;
/// The widest names and labels, as shares of the chart.
const NAME: f32 = 0.27;
const LABEL: f32 = 0.34;
/// How strong the area under a line glows in a style that lights one object.
const GLOW: f32 = 0.3;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let k = setter.frame.k;
    let upright = matches!(Frame::shape_of(&area), Shape::Tall | Shape::Upright);
    let rest = heading::set(setter, area, Heading { most: 2.5, beside: 0.34, ..Heading::default() });
    let mut rest = sourced(setter, rest);
    if let Some(caption) = caption(setter, rest.w()) {
        let room = rest.h() > 16.0 * setter.frame.small;
        setter.misfit |= !room;
        setter.place(&caption, rest.x0, rest.y0);
        rest.y0 += caption.depth() + 46.0 * k;
    }
    rest = aside(setter, rest, upright);
    plot(setter, rest);
}

/// What the chart shows, and in what unit: brackets in it are quieter.
pub(super) fn caption<'a>(setter: &Setter<'a>, width: f32) -> Option<Set<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Body)?;
    let size = frame.small.max(0.86 * frame.body);
    let spec = Spec::new(SlotId::Body, text, Voice::Head, TextLevel::Head, palette.ink, (frame.small, size)).lines(2);
    let open = text.find('(').filter(|at| *at > 0 && text.trim_end().ends_with(')'));
    let Some(open) = open else { return Some(setter.set(spec, width)) };
    let face = Some(setter.style(Voice::Body, size).face);
    let span = TextSpan { face, ..TextSpan::tagged(open..text.len(), ASIDE) };
    Some(setter.set(spec.spans(vec![span]).inks(vec![(ASIDE, palette.ink2)]), width))
}

/// What the page says beside its chart: items without numbers, under rules at its foot. Returns what is left over them.
fn aside(setter: &mut Setter<'_>, area: Rect, upright: bool) -> Rect {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let k = frame.k;
    let said: Vec<u8> = notes(setter.page).into_iter().take(3).collect();
    if said.is_empty() {
        return area;
    }
    let gutter = 36.0 * k;
    let columns = said.len().max(2) as f32;
    let width = (area.w() - gutter * (columns - 1.0)) / columns;
    let head = |item: u8| {
        let text = setter.text(SlotId::ItemHead(item)).unwrap_or_default();
        let range = (frame.body_floor, 1.3 * frame.body);
        Spec::new(SlotId::ItemHead(item), text, Voice::Head, TextLevel::Head, palette.ink, range).lines(2)
    };
    let body = |item: u8| {
        let text = setter.text(SlotId::ItemBody(item)).unwrap_or_default();
        let range = (frame.small, 0.8 * frame.body);
        Spec::new(SlotId::ItemBody(item), text, Voice::Body, TextLevel::Small, palette.ink2, range).lines(3)
    };
    let heads = even(setter, said.iter().map(|i| head(*i)).collect(), width);
    let bodies = even(setter, said.iter().map(|i| body(*i)).collect(), width);
    let (cap, gap) = (26.0 * k, 24.0 * k);
    let deep = |(head, body): (&Set<'_>, &Set<'_>)| cap + head.height() + gap + body.depth();
    let height = heads.iter().zip(&bodies).map(deep).fold(0.0, f32::max);
    // They may take a third of the chart at most.
    setter.misfit |= height > if upright { 0.36 } else { 0.42 } * area.h();
    let top = area.y1 - height;
    let thick = (2.0 * setter.theme.rule).min(6.0) * k;
    for (i, (head, body)) in heads.iter().zip(&bodies).enumerate() {
        let x = area.x0 + i as f32 * (width + gutter);
        setter.mark(Item::rect(Rect::at(x, top - thick, width, thick), palette.ink, Role::Mark));
        setter.place(head, x, top + cap);
        setter.place(body, x, top + cap + head.height() + gap);
    }
    Rect { y1: top - thick - 40.0 * k, ..area }
}

/// The end of a line: where it is, and what is said there.
struct End<'a> {
    series: usize,
    at: Point,
    figure: Option<Set<'a>>,
    name: Option<Set<'a>>,
}

impl End<'_> {
    fn width(&self) -> f32 {
        self.figure.iter().chain(&self.name).map(Set::reach).fold(0.0, f32::max)
    }

    /// From the figure's cap line to the name's.
    fn step(&self, gap: f32) -> f32 {
        self.figure.as_ref().map_or(0.0, |f| f.height() + gap)
    }

    fn height(&self, gap: f32) -> f32 {
        self.step(gap) + self.name.as_ref().map_or(-gap, Set::height)
    }
}

/// Which line the headline is about: the one that it names first, else the one that moved most.
fn hero(setter: &Setter<'_>, rows: &[Row<'_>], series: usize) -> usize {
    if let Some(asked) = setter.page.adjust.highlight.map(usize::from).filter(|j| *j < series) {
        return asked;
    }
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let names = (0..series).filter_map(|j| Some((j, setter.text(SlotId::Group(j as u8))?)));
    mentioned(title, names).unwrap_or_else(|| {
        let moved = |j: usize| {
            let mut values = rows.iter().filter_map(|r| r.numbers.get(j).copied().filter(|n| n.is_finite()));
            let first = values.next().unwrap_or(0.0);
            (values.next_back().unwrap_or(first) - first).abs()
        };
        (0..series).rev().max_by(|a, b| moved(*a).total_cmp(&moved(*b))).unwrap_or(0)
    })
}

fn plot(setter: &mut Setter<'_>, area: Rect) {
    let (k, small) = (setter.frame.k, setter.frame.small);
    let rows = rows(setter.page);
    let series = rows.iter().map(|r| r.numbers.len()).max().unwrap_or(0);
    let labels = setter.labels;
    let axis = if area.h() > HIGH * small { labels.axes.last() } else { labels.axes.first() };
    let Some(axis) = axis.filter(|_| series > 0) else {
        setter.misfit = true;
        return;
    };
    let hero = hero(setter, &rows, series);
    let inks = Tones::of(setter);
    let stroke = setter.theme.stroke * k.min(1.6);
    let (thick, fine) = (1.35 * stroke.max(3.8 * k), 0.88 * stroke.max(3.8 * k));

    // What stands around the plot comes first: it says how much of the area is left for it.
    let gap = 14.0 * k;
    let mut ends: Vec<End<'_>> =
        (0..series).filter_map(|j| end(setter, &rows, j, j == hero, &inks, area.w())).collect();
    let column = ends.iter().map(End::width).fold(0.0, f32::max);
    let numbers = numbers(setter, axis, 0.5 * area.w());
    let heads = heads(setter, &rows, LABEL * area.w());
    let below = heads.iter().map(Set::depth).fold(0.0, f32::max) + 30.0 * k;
    let above = small + 12.0 * k;
    // The highest number may have a unit, which stands over the plot; the others keep clear of the lines.
    let beside = widest(&numbers[..numbers.len().saturating_sub(1)]) + 26.0 * k;
    let (x0, x1) = (area.x0 + beside, area.x1 - column - 32.0 * k);
    let bottom = area.y1 - below;
    let top = (area.y0 + above).max(bottom - STEEPEST * (x1 - area.x0));
    if x1 - x0 < 8.0 * small || bottom - top < 4.0 * small {
        setter.misfit = true;
    }
    let x = |i: usize| x0 + (x1 - x0) * i as f32 / (rows.len().max(2) - 1) as f32;
    let y = |at: f32| bottom - at * (bottom - top);

    let floor = axis.scale.zero().unwrap_or(0.0);
    for ((_, at), number) in axis.numbers.iter().zip(&numbers) {
        let is_floor = (at - floor).abs() < 1e-4;
        grid(setter, area.x0, x1, y(*at), is_floor);
        setter.place(number, area.x0, y(*at) - 11.0 * k - number.height());
    }
    let order = (0..series).filter(|j| *j != hero).chain([hero]);
    for j in order {
        let point = |(i, row): (usize, &Row<'_>)| {
            let at = axis.scale.at(*row.numbers.get(j)?)?;
            Some(Point::new(x(i), y(at)))
        };
        let points: Vec<Option<Point>> = rows.iter().enumerate().map(point).collect();
        let (width, color) = if j == hero { (thick, inks.hero) } else { (fine, inks.quiet) };
        // An area is a quantity: only over 0.
        if j == hero && setter.theme.nodes == Nodes::Lit && axis.scale.zero() == Some(0.0) {
            wash(&points, bottom, color, GLOW).into_iter().for_each(|item| setter.mark(item));
        }
        line(setter, &points, width, color).into_iter().for_each(|item| setter.mark(item));
        let last = points.iter().rev().flatten().next();
        if let (Some(last), Some(end)) = (last, ends.iter_mut().find(|e| e.series == j)) {
            end.at = *last;
            dot(setter, *last, if j == hero { 1.45 * thick } else { 1.6 * fine }, color, j == hero);
        }
    }
    let heights: Vec<f32> = ends.iter().map(|e| e.height(gap) + 34.0 * k).collect();
    // A figure stands on the level of its line's end, its name under it.
    let wanted: Vec<f32> = ends.iter().map(|e| e.at.y + 0.3 * e.height(gap)).collect();
    let placed = spread(&wanted, &heights, top - above, area.y1);
    let columns = x1 + 32.0 * k;
    for (end, middle) in ends.iter().zip(placed) {
        let cap = middle - end.height(gap) / 2.0;
        if let Some(figure) = &end.figure {
            setter.place(figure, columns, cap);
        }
        if let Some(name) = &end.name {
            setter.place(name, columns, cap + end.step(gap));
        }
    }
    let widths: Vec<f32> = heads.iter().map(Set::reach).collect();
    let pitch = (x1 - x0) / (rows.len().max(2) - 1) as f32;
    // Labels stand as far apart as they are wide, or they would be read as a line of text.
    let usual = widths.iter().sum::<f32>() / widths.len().max(1) as f32;
    for i in thinned(&widths, pitch, usual.clamp(24.0 * k, 90.0 * k)) {
        let left = (x(i) - widths[i] / 2.0).clamp(area.x0, (area.x1 - widths[i]).max(area.x0));
        setter.place(&heads[i], left, bottom + 30.0 * k);
    }
}

/// The figure and the name at the end of a line.
fn end<'a>(
    setter: &Setter<'a>,
    rows: &[Row<'_>],
    series: usize,
    is_hero: bool,
    inks: &Tones,
    width: f32,
) -> Option<End<'a>> {
    let (small, palette) = (setter.frame.small, &setter.page.palette);
    let last = rows.iter().rev().find(|r| r.numbers.get(series).is_some_and(|n| n.is_finite()))?;
    let ink = if is_hero { inks.hero_text } else { palette.ink2 };
    let slot = SlotId::Cell(last.item, series as u8);
    let range = (small, if is_hero { 1.4 * small } else { 1.2 * small });
    let figure = setter.text(slot).map(|t| Spec::new(slot, t, Voice::Head, TextLevel::Small, ink, range).lines(2));
    let group = SlotId::Group(series as u8);
    let name =
        setter.text(group).map(|t| Spec::new(group, t, Voice::Label, TextLevel::Small, ink, (small, small)).lines(3));
    let width = NAME * width;
    let [figure, name] = [figure, name].map(|spec| spec.map(|spec| setter.set(spec, width)));
    Some(End { series, at: Point::default(), figure, name })
}

/// The numbers along the axis, from low to high.
fn numbers<'a>(setter: &Setter<'a>, axis: &'a Axis, width: f32) -> Vec<Set<'a>> {
    let (small, ink) = (setter.frame.small, setter.page.palette.ink2);
    let voice = data_voice(setter);
    let number = |(text, _): &'a (String, f32)| {
        let spec = Spec::new(SlotId::Axis, text, voice, TextLevel::Small, ink, (small, small));
        setter.set(spec.lines(1), width)
    };
    axis.numbers.iter().map(number).collect()
}

/// The labels along the lines.
fn heads<'a>(setter: &Setter<'a>, rows: &[Row<'_>], width: f32) -> Vec<Set<'a>> {
    let (small, ink) = (setter.frame.small, setter.page.palette.ink2);
    let voice = data_voice(setter);
    let head = |row: &Row<'_>| {
        let slot = SlotId::ItemHead(row.item);
        let text = setter.text(slot).unwrap_or_default();
        let spec = Spec::new(slot, text, voice, TextLevel::Small, ink, (small, small));
        setter.set(spec.lines(2).align(Align::Start), width)
    };
    rows.iter().map(head).collect()
}

/// The voice of small data: the style's own face for it, else its running text, which is quieter than its labels.
fn data_voice(setter: &Setter<'_>) -> Voice {
    if setter.page.faces.data == setter.page.faces.body { Voice::Body } else { Voice::Data }
}

/// A line of the grid; the one that values are measured from is drawn in ink.
fn grid(setter: &mut Setter<'_>, x0: f32, x1: f32, y: f32, is_floor: bool) {
    let p = setter.page.palette;
    let quiet = if p.line.contrast(p.bg) > 2.2 { p.line.alpha(0.3).over(p.bg) } else { p.line };
    let (thick, color) = if is_floor { (3.0, p.ink) } else { (2.0, quiet) };
    let half = thick * setter.frame.k.min(1.6) / 2.0;
    setter.mark(Item::rect(Rect::new(x0, y - half, x1, y + half), color, Role::Mark));
}
