//! bar-rank: what is most and what is least. Bars from one foot, sorted unless what they stand for has an order of its
//! own, one of them in the accent, each with its figure at its end.

use super::super::charts::{Bar, Row, Tones, bar, mentioned, rows};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::setter::{Set, Setter, Spec};
use super::line_chart::caption;
use super::{even, sourced};
use crate::design::{SlotId, Voice};
use crate::outline::in_order;
use crate::scene::{Color, Item, Rect, Role, TextLevel};

/// The widest labels beside bars, as a share of the chart.
const LABEL: f32 = 0.36;
/// The lowest row in sizes of small text, and how many parts stand side by side at most.
const LOWEST: f32 = 1.7;
const PARTS: usize = 3;
/// A bar's share of its row, and of its column.
const THICK: f32 = 0.58;
/// The widest column in units.
const WIDEST: f32 = 190.0;

/// A bar and its words.
struct Entry<'a> {
    label: Set<'a>,
    figure: Set<'a>,
    value: f64,
    is_hero: bool,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let k = setter.frame.k;
    let rest = heading::set(setter, area, Heading { most: 2.5, beside: 0.34, ..Heading::default() });
    let mut rest = sourced(setter, rest);
    if let Some(caption) = caption(setter, rest.w()) {
        setter.place(&caption, rest.x0, rest.y0);
        rest.y0 += caption.depth() + 54.0 * k;
    }
    let mut rows: Vec<Row<'_>> = rows(setter.page).into_iter().filter(|r| r.number().is_some()).collect();
    let head = |row: &Row<'_>| setter.text(SlotId::ItemHead(row.item)).unwrap_or_default();
    let ordered = in_order(rows.iter().map(head));
    if !ordered {
        rows.sort_by(|a, b| b.numbers[0].total_cmp(&a.numbers[0]));
    }
    if rows.is_empty() {
        setter.misfit = true;
        return;
    }
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let largest = (0..rows.len()).rev().max_by(|a, b| rows[*a].numbers[0].total_cmp(&rows[*b].numbers[0]));
    let asked = setter.page.adjust.highlight.map(usize::from).filter(|n| *n < rows.len());
    let named = mentioned(title, rows.iter().map(head).enumerate());
    let hero = asked.or(named).or(largest).unwrap_or(0);
    let shape = Frame::shape_of(&area);
    let wide = matches!(shape, Shape::Wide | Shape::Strip);
    if (wide || ordered && shape == Shape::Upright)
        && let Some(entries) = upright(setter, &rows, hero, rest)
    {
        return columns(setter, &entries, rest);
    }
    let fine = setter.theme.stroke <= 3.0;
    // More rows than can be told apart go on at the side.
    let most = (rest.h() / (LOWEST * setter.frame.small)).max(1.0) as usize;
    let parts = rows.len().div_ceil(most).min(PARTS);
    let gutter = 64.0 * k;
    let width = (rest.w() - gutter * (parts - 1) as f32) / parts as f32;
    let each = rows.len().div_ceil(parts);
    let first = Rect { x1: rest.x0 + width, ..rest };
    let pitch = rest.h() / each as f32;
    let (entries, flat) = match beside(setter, &rows, hero, first, pitch).filter(|_| !fine) {
        Some(entries) => (entries, true),
        None => (over(setter, &rows, hero, first, pitch), false),
    };
    let plan = Plan {
        range: range(&entries),
        labels: widest_of(&entries, |e| &e.label),
        figures: widest_of(&entries, |e| &e.figure),
        pitch,
    };
    for (i, part) in entries.chunks(each).enumerate() {
        let area = first.shift(i as f32 * (width + gutter), 0.0);
        if flat { bars(setter, part, area, &plan) } else { stacked(setter, part, area, &plan) }
    }
}

/// What all parts of a chart of bars agree on, so that its bars can be held against each other.
struct Plan {
    /// The lowest and the highest value, 0 among them.
    range: (f64, f64),
    /// The widest label and the widest figure.
    labels: f32,
    figures: f32,
    /// From one row to the next.
    pitch: f32,
}

impl Plan {
    /// Where a value stands from `x0` to `x1`.
    fn at(&self, v: f64, x0: f32, x1: f32) -> f32 {
        let (low, high) = self.range;
        x0 + if high > low { ((v - low) / (high - low)) as f32 } else { 0.0 } * (x1 - x0)
    }
}

/// Labels and figures as they are set at sizes up to the given ones.
fn entries<'a>(
    setter: &Setter<'a>,
    rows: &[Row<'_>],
    hero: usize,
    (label, figure): (f32, f32),
    (label_width, figure_width): (f32, f32),
) -> Vec<Entry<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let inks = Tones::of(setter);
    let word = |(i, row): (usize, &Row<'_>)| {
        let slot = SlotId::ItemHead(row.item);
        let text = setter.text(slot).unwrap_or_default();
        let ink = if i == hero { palette.ink } else { palette.ink2 };
        Spec::new(slot, text, Voice::Label, TextLevel::Small, ink, (frame.small, label.max(frame.small))).lines(1)
    };
    let number = |(i, row): (usize, &Row<'_>)| {
        let slot = SlotId::Cell(row.item, 0);
        let text = setter.text(slot).unwrap_or_default();
        let ink = if i == hero { inks.hero_text } else { palette.ink };
        Spec::new(slot, text, Voice::Head, TextLevel::Small, ink, (frame.small, figure.max(frame.small))).lines(1)
    };
    let labels = even(setter, rows.iter().enumerate().map(word).collect(), label_width);
    let figures = even(setter, rows.iter().enumerate().map(number).collect(), figure_width);
    let both = labels.into_iter().zip(figures).zip(rows).enumerate();
    both.map(|(i, ((label, figure), row))| Entry { label, figure, value: row.numbers[0], is_hero: i == hero }).collect()
}

/// The entries for columns, where every label and figure has room in its own.
fn upright<'a>(setter: &Setter<'a>, rows: &[Row<'_>], hero: usize, area: Rect) -> Option<Vec<Entry<'a>>> {
    let b = setter.frame.body;
    let pitch = area.w() / rows.len() as f32;
    let width = 0.9 * pitch;
    let entries = entries(setter, rows, hero, (0.9 * b, 1.1 * b), (width, width));
    let fits = |e: &Entry<'_>| e.label.fits && e.figure.fits;
    entries.iter().all(fits).then_some(entries)
}

/// The entries for bars beside their labels, where every label has room in a column of its own.
fn beside<'a>(setter: &Setter<'a>, rows: &[Row<'_>], hero: usize, area: Rect, pitch: f32) -> Option<Vec<Entry<'a>>> {
    let most = (0.36 * pitch).min(setter.frame.body);
    let entries = entries(setter, rows, hero, (most, 1.1 * most), (LABEL * area.w(), 0.3 * area.w()));
    entries.iter().all(|e| e.label.fits).then_some(entries)
}

/// The entries for bars under their labels.
fn over<'a>(setter: &Setter<'a>, rows: &[Row<'_>], hero: usize, area: Rect, pitch: f32) -> Vec<Entry<'a>> {
    let most = (0.32 * pitch).min(1.08 * setter.frame.body);
    entries(setter, rows, hero, (most, most), (0.7 * area.w(), 0.27 * area.w()))
}

/// From the lowest to the highest value, 0 among them.
fn range(entries: &[Entry<'_>]) -> (f64, f64) {
    let values = || entries.iter().map(|e| e.value);
    (values().fold(0.0, f64::min), values().fold(0.0, f64::max))
}

fn color(inks: &Tones, is_hero: bool) -> Color {
    if is_hero { inks.hero } else { inks.quiet }
}

/// Bars to the right of their labels, negative ones to the left of their foot.
fn bars<'a>(setter: &mut Setter<'a>, entries: &[Entry<'a>], area: Rect, plan: &Plan) {
    let k = setter.frame.k;
    let inks = Tones::of(setter);
    let (low, high) = plan.range;
    let figures = plan.figures + 22.0 * k;
    let x0 = area.x0 + plan.labels + 34.0 * k + if low < 0.0 { figures } else { 0.0 };
    let x1 = area.x1 - if high > 0.0 || low == 0.0 { figures } else { 0.0 };
    let pitch = plan.pitch.min(172.0 * k);
    let thick = (THICK * pitch).min(92.0 * k);
    setter.misfit |= pitch < 1.5 * setter.frame.small || x1 - x0 < 6.0 * setter.frame.small;
    let at = |v: f64| plan.at(v, x0, x1);
    let top = area.y0 + (pitch - thick) / 2.0;
    for (i, entry) in entries.iter().enumerate() {
        let y = top + i as f32 * pitch;
        let middle = y + thick / 2.0;
        let (from, to) = (at(0.0), at(entry.value));
        let rect = Rect::new(from.min(to), y, from.max(to), y + thick);
        bar(setter, Bar { rect, thick, color: color(&inks, entry.is_hero) });
        setter.place(&entry.label, area.x0, middle - entry.label.height() / 2.0);
        let cap = middle - entry.figure.height() / 2.0;
        let x = if entry.value < 0.0 { rect.x0 - 22.0 * k - entry.figure.reach() } else { rect.x1 + 22.0 * k };
        setter.place(&entry.figure, x, cap);
    }
    if low < 0.0 {
        foot(setter, Rect::new(at(0.0), top - 12.0 * k, at(0.0), top + pitch * entries.len() as f32));
    }
    setter.misfit |= entries.iter().any(|e| !e.label.fits || !e.figure.fits);
}

/// Bars under their labels, the figures at the right; fine ones on a rule over the whole width.
fn stacked<'a>(setter: &mut Setter<'a>, entries: &[Entry<'a>], area: Rect, plan: &Plan) {
    let fine = setter.theme.stroke <= 3.0;
    let (k, small) = (setter.frame.k, setter.frame.small);
    let inks = Tones::of(setter);
    let pitch = plan.pitch.min(190.0 * k);
    let word = entries.iter().map(|e| e.label.height().max(e.figure.height())).fold(0.0, f32::max);
    let gap = (if fine { 0.2 } else { 0.16 } * pitch).clamp(10.0 * k, 30.0 * k);
    let thick = if fine { 9.0 * k } else { (pitch - word - 2.2 * gap).clamp(12.0 * k, 70.0 * k) };
    let right = area.x1 - if fine { 0.0 } else { plan.figures + 22.0 * k };
    setter.misfit |= pitch < word + gap + thick + 8.0 * k || entries.iter().any(|e| !e.label.fits || !e.figure.fits);
    setter.misfit |= area.w() < 8.0 * small;
    let at = |v: f64| plan.at(v, area.x0, right);
    for (i, entry) in entries.iter().enumerate() {
        let cap = area.y0 + i as f32 * pitch;
        let y = cap + word + gap;
        let (from, to) = (at(0.0), at(entry.value));
        let rect = Rect::new(from.min(to), y, from.max(to), y + thick);
        if fine {
            let line = setter.page.palette.line;
            setter.rule(area.x0, area.x1, y + thick / 2.0, line);
        }
        bar(setter, Bar { rect, thick, color: color(&inks, entry.is_hero) });
        setter.place(&entry.label, area.x0, cap + word - entry.label.height());
        if fine {
            setter.place(&entry.figure, area.x1 - entry.figure.reach(), cap + word - entry.figure.height());
        } else {
            let x = (rect.x1 + 22.0 * k).min(area.x1 - entry.figure.reach());
            setter.place(&entry.figure, x, y + (thick - entry.figure.height()) / 2.0);
        }
    }
}

/// Columns over their labels, the figures over them; negative ones hang from their foot.
fn columns<'a>(setter: &mut Setter<'a>, entries: &[Entry<'a>], area: Rect) {
    let k = setter.frame.k;
    let inks = Tones::of(setter);
    let (low, high) = range(entries);
    let label = entries.iter().map(|e| e.label.depth()).fold(0.0, f32::max) + 28.0 * k;
    let figure = entries.iter().map(|e| e.figure.height()).fold(0.0, f32::max) + 20.0 * k;
    let top = area.y0 + if high > 0.0 || low == 0.0 { figure } else { 0.0 };
    let bottom = area.y1 - label - if low < 0.0 { figure } else { 0.0 };
    setter.misfit |= bottom - top < 3.0 * setter.frame.small;
    let pitch = (area.w() / entries.len() as f32).min(2.0 * WIDEST * k);
    let thick = (1.12 * THICK * pitch).min(WIDEST * k);
    let at = |v: f64| bottom - if high > low { ((v - low) / (high - low)) as f32 } else { 0.0 } * (bottom - top);
    let zero = at(0.0);
    // The first column stands on the text's own edge.
    let step =
        if entries.len() > 1 { (pitch * entries.len() as f32 - thick) / (entries.len() - 1) as f32 } else { 0.0 };
    for (i, entry) in entries.iter().enumerate() {
        let x = area.x0 + i as f32 * step;
        let to = at(entry.value);
        let rect = Rect::new(x, zero.min(to), x + thick, zero.max(to));
        bar(setter, Bar { rect, thick, color: color(&inks, entry.is_hero) });
        let cap = if entry.value < 0.0 { rect.y1 + 20.0 * k } else { rect.y0 - 20.0 * k - entry.figure.height() };
        let inset = |set: &Set<'_>| x + ((thick - set.reach()) / 2.0).max(-0.5 * (step - thick).max(0.0));
        let left = inset(&entry.figure).clamp(area.x0, area.x1 - entry.figure.reach());
        setter.place(&entry.figure, left, cap);
        let left = inset(&entry.label).clamp(area.x0, area.x1 - entry.label.reach());
        setter.place(&entry.label, left, area.y1 - label + 28.0 * k);
    }
    let right = area.x0 + step * (entries.len() - 1) as f32 + thick;
    let half = 1.5 * k.min(1.6);
    let ink = setter.page.palette.ink;
    setter.mark(Item::rect(Rect::new(area.x0, zero - half, right, zero + half), ink, Role::Mark));
}

/// The line that negative and positive bars start from.
fn foot(setter: &mut Setter<'_>, line: Rect) {
    let half = 1.5 * setter.frame.k.min(1.6);
    let ink = setter.page.palette.ink;
    setter.mark(Item::rect(Rect::new(line.x0 - half, line.y0, line.x1 + half, line.y1), ink, Role::Mark));
}

fn widest_of<'e, 'a: 'e>(entries: &'e [Entry<'a>], set: impl Fn(&'e Entry<'a>) -> &'e Set<'a>) -> f32 {
    entries.iter().map(|e| set(e).reach()).fold(0.0, f32::max)
}
