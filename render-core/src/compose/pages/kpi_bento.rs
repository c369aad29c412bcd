//! kpi-bento: a few figures at a glance, the first of them leading. In tiles where the style has some, else under rules.
//! A figure has a picture where its numbers make one: what it was before, or a share in per cent; none is made up.

use super::super::charts::{Bar, Row, Scale, Tones, Units, bar, dot, line, ring, rows, through, units, wash};
use super::super::figure::{Figure, Manner};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::ink_on;
use super::super::setter::{Set, Setter, Spec, Value};
use super::super::tiles::{Coat, tile};
use super::sourced;
use crate::design::{Nodes, SlotId, Voice};
use crate::scene::{Color, Point, Rect, Size, TextLevel};
use crate::text::Align;

/// Numbers that make a course.
const COURSE: usize = 4;
/// The unit's size against its figure.
const UNIT: f32 = 0.46;
/// Up to this many per cent a share is counted rather than drawn as a ring, in dots of two per cent.
const COUNTED: f64 = 6.0;
const DOTS: u32 = 50;

/// The inks of a tile.
#[derive(Debug, Clone, Copy)]
struct Look {
    /// Its field; `None` where it stands on the page under a rule.
    fill: Option<Color>,
    label: Color,
    ink: Color,
    unit: Color,
    mark: Color,
    rest: Color,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let rest = head(setter, area, shape);
    let rest = sourced(setter, rest);
    let rows = rows(setter.page);
    let count = rows.len();
    if !(2..=6).contains(&count) {
        setter.misfit = true;
        return;
    }
    let tiles = tiles(setter, rest, shape, count);
    let looks: Vec<Look> = (0..count).map(|i| look(setter, i, count)).collect();
    on_tile(setter, tiles[0], 0, looks[0], |setter| leading(setter, tiles[0], rows[0], looks[0]));
    let even = Even::of(setter, &tiles[1..], &rows[1..], &looks[1..]);
    for i in 1..count {
        on_tile(setter, tiles[i], i, looks[i], |setter| other(setter, tiles[i], rows[i], looks[i], even));
    }
}

/// Draws a tile, or the rule over it, and what stands on it.
fn on_tile<'a>(setter: &mut Setter<'a>, rect: Rect, i: usize, look: Look, content: impl FnOnce(&mut Setter<'a>)) {
    if let Some(fill) = look.fill {
        return tile(setter, rect, i, Coat { fill, ink: look.ink, ink2: look.label }, content);
    }
    let line = setter.page.palette.line;
    setter.rule(rect.x0, rect.x1, rect.y0, line);
    content(setter);
}

/// The title, quieter than the figures, and beside it what they are about.
fn head(setter: &mut Setter<'_>, area: Rect, shape: Shape) -> Rect {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let k = frame.k;
    if setter.banded || shape == Shape::Strip {
        return heading::set(setter, area, Heading { most: 2.0, share: 0.24, beside: 0.3 });
    }
    if setter.text(SlotId::Title).is_none() {
        return area;
    }
    let about = setter.text(SlotId::Body).map(|text| (SlotId::Body, text));
    let about = about
        .or_else(|| setter.text(SlotId::Kicker).filter(|_| heading::takes_kicker(setter)).map(|t| (SlotId::Kicker, t)));
    let note = about.map(|(slot, text)| {
        let spec =
            Spec::new(slot, text, Voice::Label, TextLevel::Small, palette.ink2, (frame.small, 1.08 * frame.small));
        setter.set(spec.lines(2).align(Align::End), 0.34 * area.w())
    });
    let width = if note.is_some() { 0.62 * area.w() } else { area.w() };
    let title = heading::title(setter, 1.75).lines(2);
    let title = setter.set_at_most(title, width, 0.2 * area.h());
    setter.place(&title, area.x0, area.y0);
    if let Some(note) = &note {
        setter.misfit |= note.height() > title.height();
        setter.place(note, area.x1 - note.width, area.y0 + title.height() - note.height());
    }
    Rect { y0: area.y0 + title.depth() + 46.0 * k, ..area }
}

/// Where the tiles stand, the leading one first.
fn tiles(setter: &Setter<'_>, area: Rect, shape: Shape, count: usize) -> Vec<Rect> {
    let k = setter.frame.k;
    let gap = if setter.theme.card.is_some() { 24.0 } else { 44.0 } * k;
    let others = count - 1;
    match shape {
        Shape::Strip => {
            // One row, the leading tile twice as wide.
            let unit = (area.w() - gap * others as f32) / (count + 1) as f32;
            let at = |i: usize| if i == 0 { area.x0 } else { area.x0 + (i + 1) as f32 * unit + i as f32 * gap };
            (0..count).map(|i| Rect::at(at(i), area.y0, if i == 0 { 2.0 * unit } else { unit }, area.h())).collect()
        }
        Shape::Wide => {
            let left = 0.46 * (area.w() - gap);
            let rest = Rect { x0: area.x0 + left + gap, ..area };
            let mut out = vec![Rect { x1: area.x0 + left, ..area }];
            let columns = if others >= 4 { 2 } else { 1 };
            out.extend(grid(rest, others, columns, gap));
            out
        }
        Shape::Tall | Shape::Upright => {
            let columns = match others {
                0..=3 if shape == Shape::Upright => others,
                5 if shape == Shape::Upright => 3,
                1 => 1,
                _ => 2,
            };
            let rows = others.div_ceil(columns.max(1));
            let lead = match rows {
                1 if area.h() < 0.95 * area.w() => 0.53,
                1 if setter.theme.card.is_some() => 0.54,
                1 => 0.46,
                2 => 0.4,
                _ => 0.34,
            };
            let height = lead * (area.h() - gap);
            let mut out = vec![Rect { y1: area.y0 + height, ..area }];
            out.extend(grid(Rect { y0: area.y0 + height + gap, ..area }, others, columns, gap));
            out
        }
    }
}

/// `count` tiles in rows; those of a row that isn't full are wider.
fn grid(area: Rect, count: usize, columns: usize, gap: f32) -> Vec<Rect> {
    let rows = count.div_ceil(columns.max(1));
    let height = (area.h() - gap * rows.saturating_sub(1) as f32) / rows.max(1) as f32;
    let tile = |i: usize| {
        let row = i / columns;
        let own = (count - row * columns).min(columns);
        let width = (area.w() - gap * (own - 1) as f32) / own as f32;
        let x = area.x0 + (i % columns) as f32 * (width + gap);
        Rect::at(x, area.y0 + row as f32 * (height + gap), width, height)
    };
    (0..count).map(tile).collect()
}

fn look(setter: &Setter<'_>, i: usize, count: usize) -> Look {
    let p = &setter.page.palette;
    let inks = Tones::of(setter);
    let plain = Look { fill: None, label: p.ink2, ink: p.ink, unit: p.ink2, mark: inks.hero, rest: inks.track };
    let Some(card) = setter.theme.card else {
        return if i == 0 { Look { ink: p.accent_text, unit: p.accent_text, ..plain } } else { plain };
    };
    let on = |fill: Color, ink: Color| {
        let quiet = ink.alpha(0.8).over(fill);
        let quiet = if quiet.contrast(fill) >= 5.0 { quiet } else { ink };
        Look { fill: Some(fill), label: quiet, ink, unit: quiet, mark: ink, rest: ink.alpha(0.2).over(fill) }
    };
    let dark = p.bg.to_oklch().l < 0.5;
    if card.stroke > 0.0 {
        let fill = if i == 0 { p.accent } else { p.art[i % p.art.len()] };
        return Look { rest: Color::WHITE, ..on(fill, ink_on(fill, p.on_accent, p)) };
    }
    match i {
        0 if dark => {
            let fill = p.accent.alpha(0.17).over(p.bg);
            Look { fill: Some(fill), label: p.accent.alpha(0.45).over(p.ink), mark: p.accent, ..on(fill, p.ink) }
        }
        0 => Look { mark: p.accent, ..on(p.field, p.on_field) },
        // The last tile answers the first.
        _ if dark && i + 1 == count => on(p.accent, p.on_accent),
        _ => Look { fill: Some(p.surface), rest: p.line, ..plain },
    }
}

/// What of a tile its words may use.
fn inside(setter: &Setter<'_>, tile: Rect) -> Rect {
    let k = setter.frame.k;
    match setter.theme.card {
        Some(_) => tile.grow(-36.0 * k.min(1.0 + 0.3 * (k - 1.0))),
        None => Rect { y0: tile.y0 + 30.0 * k + setter.theme.rule, ..tile },
    }
}

fn label<'a>(setter: &Setter<'a>, row: &Row<'_>, look: &Look, most: f32, width: f32) -> Set<'a> {
    let frame = setter.frame;
    let slot = SlotId::ItemHead(row.item);
    let text = setter.text(slot).unwrap_or_default();
    let spec = Spec::new(slot, text, Voice::Label, TextLevel::Small, look.label, (frame.small, most * frame.small));
    setter.set(spec.lines(2), width)
}

fn manner(setter: &Setter<'_>, row: &Row<'_>, look: &Look, level: TextLevel, most: f32) -> Manner {
    Manner {
        slot: SlotId::Cell(row.item, 0),
        level,
        ink: look.ink,
        unit: look.unit,
        scale: UNIT,
        raised: false,
        range: (1.5 * setter.frame.small, most.max(1.5 * setter.frame.small)),
    }
}

fn value<'a>(setter: &Setter<'a>, row: &Row<'_>) -> Option<&'a Value> {
    let labels = setter.labels;
    labels.figures.get(usize::from(row.item)).filter(|v| !v.text.is_empty())
}

/// What label and figure of a flat tile take of its width.
const FLAT: (f32, f32) = (0.54, 0.42);

/// The leading tile: its figure as large as goes, its course at its foot on the right.
fn leading(setter: &mut Setter<'_>, tile: Rect, row: Row<'_>, look: Look) {
    let (k, small) = (setter.frame.k, setter.frame.small);
    let area = inside(setter, tile);
    let Some(value) = value(setter, &row) else {
        setter.misfit = true;
        return;
    };
    let course = course(row).filter(|_| tile.h() > 6.0 * small);
    let label = label(setter, &row, &look, 1.2, area.w());
    let slot = SlotId::ItemBody(row.item);
    let body = setter.text(slot).map(|text| {
        let ink = if look.fill.is_some() { look.mark } else { look.label };
        let spec = Spec::new(slot, text, Voice::Head, TextLevel::Small, ink, (small, 1.25 * small));
        setter.set(spec.lines(2), if course.is_some() { 0.42 * area.w() } else { area.w() })
    });
    let under = body.as_ref().map_or(0.0, |b| b.depth() + 28.0 * k);
    let gap = 28.0 * k;
    let room = area.h() - label.depth() - gap - under;
    let wide = tile.w() > 1.4 * tile.h();
    let width = area.w() * if course.is_some() && wide { 0.66 } else { 1.0 };
    let height = if course.is_some() && !wide { 0.4 * room } else { 0.9 * room };
    let manner = manner(setter, &row, &look, TextLevel::Hero, 9.0 * setter.frame.lead);
    let figure = Figure::fit(setter, value, manner, width, height);
    setter.misfit |= figure.width > area.w() || !label.fits || room < 1.2 * small;
    // A comma hangs below the figure's foot; it stays on the tile too.
    let hangs = figure.set.depth() - figure.height;
    let spare = (room - figure.height - if body.is_some() { 0.0 } else { hangs }).max(0.0);
    let share = match (body.is_some(), look.fill.is_some(), wide) {
        (true, ..) => 0.42,
        (_, true, true) => 1.0,
        _ => 0.3,
    };
    let y = area.y0 + label.depth() + gap + share * spare;
    if let Some(values) = course {
        let beside = Rect::new(area.x0, y, area.x0 + figure.width, y + figure.set.depth()).grow(26.0 * k);
        sparkline(setter, tile, beside, values, look);
    }
    setter.place(&label, area.x0, area.y0);
    figure.place(setter, area.x0, y);
    if let Some(body) = &body {
        setter.place(body, area.x0, area.y1 - body.depth());
    }
}

/// What the other tiles agree on: the size of their figures, and the room that their labels take.
#[derive(Debug, Clone, Copy)]
struct Even {
    size: f32,
    label: f32,
}

impl Even {
    fn of(setter: &Setter<'_>, tiles: &[Rect], rows: &[Row<'_>], looks: &[Look]) -> Self {
        let small = setter.frame.small;
        let mut even = Self { size: f32::INFINITY, label: 0.0 };
        for ((tile, row), look) in tiles.iter().zip(rows).zip(looks) {
            let area = inside(setter, *tile);
            let flat = is_flat(setter, &area);
            let width = area.w() * if flat { FLAT.0 } else { 1.0 };
            even.label = even.label.max(label(setter, row, look, 1.15, width).depth());
            let Some(value) = value(setter, row) else { continue };
            let most = if look.fill.is_some() { 2.8 } else { 4.2 } * setter.frame.lead;
            let manner = manner(setter, row, look, TextLevel::Head, most);
            let (width, height) = if flat {
                (FLAT.1 * area.w(), (0.62 * area.h()).max(small))
            } else {
                (area.w(), 0.5 * (area.h() - 2.6 * small).max(small))
            };
            even.size = even.size.min(Figure::fit(setter, value, manner, width, height).set.laid.size);
        }
        even
    }
}

/// Whether a tile is so flat that its figure stands beside its label.
fn is_flat(setter: &Setter<'_>, area: &Rect) -> bool {
    area.h() < 5.6 * setter.frame.small && area.w() > 9.0 * setter.frame.small
}

/// Another tile: its label at its head, its figure at its foot, its picture between; under a rule the figure follows its
/// label, and its picture the figure.
fn other(setter: &mut Setter<'_>, tile: Rect, row: Row<'_>, look: Look, even: Even) {
    let k = setter.frame.k;
    let area = inside(setter, tile);
    let Some(value) = value(setter, &row) else {
        setter.misfit = true;
        return;
    };
    let manner = manner(setter, &row, &look, TextLevel::Head, even.size);
    let figure = Figure::sized(setter, value, manner, even.size);
    if is_flat(setter, &area) {
        let label = label(setter, &row, &look, 1.15, FLAT.0 * area.w());
        setter.misfit |= !label.fits || figure.width > FLAT.1 * area.w() + 1.0 || label.depth() > area.h() + 1.0;
        let middle = area.center().y;
        setter.place(&label, area.x0, middle - 0.5 * label.height());
        figure.place(setter, area.x1 - figure.width, middle - 0.5 * figure.height);
        return;
    }
    let label = label(setter, &row, &look, 1.15, area.w());
    setter.misfit |= !label.fits || even.label + 18.0 * k + figure.height > area.h() + 1.0;
    setter.misfit |= figure.width > area.w() + 1.0;
    setter.place(&label, area.x0, area.y0);
    let low = area.y1 - figure.height;
    let (y, room) = if look.fill.is_some() {
        (low, Rect::new(area.x0, area.y0 + even.label + 24.0 * k, area.x1, low - 28.0 * k))
    } else {
        let y = low.min(area.y0 + even.label + 46.0 * k);
        (y, Rect::new(area.x0, y + figure.height + 52.0 * k, area.x1, area.y1))
    };
    figure.place(setter, area.x0, y);
    picture(setter, room, &row, &look);
}

/// The course of a figure, where its numbers are one.
fn course<'r>(row: Row<'r>) -> Option<&'r [f64]> {
    Some(row.numbers).filter(|n| n.len() >= COURSE && n.iter().all(|v| v.is_finite()))
}

/// The picture of a small tile, where its numbers make one and it has the room.
fn picture(setter: &mut Setter<'_>, room: Rect, row: &Row<'_>, look: &Look) {
    let k = setter.frame.k;
    let number = row.numbers.last().copied().unwrap_or(0.0);
    if room.h() < 64.0 * k || room.w() < 64.0 * k {
        return;
    }
    if let Some(values) = course(*row) {
        let height = room.h().min(110.0 * k);
        return course_bars(setter, Rect { y1: room.y0 + height, ..room }, values, look);
    }
    let per_cent = setter.text(SlotId::Cell(row.item, 1)).is_some_and(|u| u == "%");
    let signed = setter.text(SlotId::Cell(row.item, 0)).is_some_and(|t| t.starts_with(['+', '-', '−']));
    if !per_cent || signed || !(number > 0.0 && number <= 100.0) {
        return;
    }
    let dots = number * f64::from(DOTS) / 100.0;
    let whole = libm::round(dots);
    if number <= COUNTED && whole >= 1.0 && (dots - whole).abs() <= 0.1 {
        let size = Size::new(room.w().min(240.0 * k), room.h().min(130.0 * k));
        let pitch = (size.w / 9.8).min(size.h / 4.8);
        let grid = Units { of: DOTS, counted: whole as u32, columns: 10, pitch };
        return units(setter, grid, (room.x0, room.y0), (look.rest, look.mark));
    }
    let most = if look.fill.is_some() { 132.0 } else { 168.0 };
    let side = room.h().min(room.w()).min(most * k);
    let width = side * if setter.theme.stroke <= 3.0 { 0.06 } else { 0.135 };
    let center = Point::new(room.x0 + side / 2.0, room.y0 + side / 2.0);
    ring(setter, (center, side / 2.0), width, (number / 100.0) as f32, (look.rest, look.mark));
}

/// A course as a line at the foot of a tile, its last value a point. It runs over as much of the tile's width as leaves it
/// clear of what stands `beside` it.
fn sparkline(setter: &mut Setter<'_>, tile: Rect, beside: Rect, values: &[f64], look: Look) {
    let k = setter.frame.k;
    let scale = Scale::over(values.iter().copied(), 3, false);
    let radius = 12.0 * k;
    let (right, low) = (tile.x1 - 44.0 * k, tile.y1 - 0.1 * tile.h());
    let points = |left: f32, high: f32| {
        let step = (right - left) / (values.len() - 1) as f32;
        let point = |(i, v): (usize, &f64)| {
            let at = scale.at(*v)?;
            Some(Point::new(left + i as f32 * step, low - at * (low - high)))
        };
        values.iter().enumerate().map(point).collect::<Vec<Option<Point>>>()
    };
    let clear = |points: &[Option<Point>]| points.iter().flatten().all(|p| p.x > beside.x1 || p.y > beside.y1);
    let tall = tile.y0 + 0.28 * tile.h();
    let mut tries = [0.42, 0.5, 0.58, 0.66].map(|share| points(tile.x0 + share * tile.w(), tall)).into_iter();
    // Under the figure, over the whole width, where there is no room at its side.
    let under = || points(tile.x0, (beside.y1 + radius).min(low - 2.0 * radius));
    let points = tries.find(|p| clear(p)).unwrap_or_else(under);
    let known: Option<Vec<Point>> = points.iter().copied().collect();
    let points = known.map_or(points, |known| through(&known).into_iter().map(Some).collect());
    let thick = setter.theme.stroke.max(4.0) * k;
    if let Some(item) = wash(&points, tile.y1, look.mark, 0.14).filter(|_| setter.theme.nodes == Nodes::Lit) {
        setter.mark(item);
    }
    line(setter, &points, thick, look.mark).into_iter().for_each(|item| setter.mark(item));
    if let Some(Some(last)) = points.last() {
        dot(setter, *last, radius, look.ink, false);
    }
}

/// A course as bars from one foot, the last of them marked.
fn course_bars(setter: &mut Setter<'_>, area: Rect, values: &[f64], look: &Look) {
    let most = values.iter().copied().fold(0.0, f64::max);
    if values.iter().any(|v| *v < 0.0) || most <= 0.0 {
        return;
    }
    let pitch = area.w() / values.len() as f32;
    for (i, value) in values.iter().enumerate() {
        let height = area.h() * (value / most) as f32;
        let rect = Rect::at(area.x0 + i as f32 * pitch, area.y1 - height, 0.72 * pitch, height);
        let color = if i + 1 == values.len() { look.mark } else { look.rest };
        bar(setter, Bar { rect, thick: rect.w(), color });
    }
}
