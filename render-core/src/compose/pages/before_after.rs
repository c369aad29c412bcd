//! before-after: two figures held against each other as bars true to scale. Where the source says what changed, that is
//! the hero; else the two figures are, each large over its bar.

use super::super::charts::{Bar, Row, Tones, bar, rows};
use super::super::figure::{Figure, Manner};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::reads;
use super::super::setter::{Set, Setter, Spec};
use super::{even, source, sourced, widest};
use crate::design::{Field, SlotId, Voice};
use crate::scene::{Color, Rect, TextLevel};

/// The widest label beside a bar, as a share of the area.
const LABEL: f32 = 0.32;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let rows: Vec<Row<'_>> = rows(setter.page).into_iter().filter(|r| r.number().is_some_and(|n| n >= 0.0)).collect();
    let [first, second] = rows.as_slice() else {
        setter.misfit = true;
        return;
    };
    if setter.text(SlotId::Value).is_some() {
        changed(setter, area, [*first, *second])
    } else {
        held(setter, area, [*first, *second])
    }
}

/// The colours of both bars, and the inks of figures inside them; no figure can be read inside a bar without one.
fn inks(setter: &Setter<'_>) -> [(Color, Option<Color>); 2] {
    let p = &setter.page.palette;
    let on = |fill: Color| {
        let inks = [p.ink, p.bg, p.on_accent, p.on_field, Color::WHITE];
        let best = inks.into_iter().reduce(|best, ink| if ink.apca(fill) > best.apca(fill) + 4.0 { ink } else { best });
        (fill, best.filter(|ink| reads(*ink, fill)))
    };
    let tones = Tones::of(setter);
    if setter.page.field == Field::Base {
        return [on(tones.track), on(tones.hero)];
    }
    // On a field of its own colour the accent is pale: what was stands in it, what is in the depth of the page.
    let seen = |c: &Color| c.contrast(p.bg) >= 1.5 && c.contrast(tones.hero) >= 1.5;
    let deep = [p.accent2, p.on_accent, p.ink].into_iter().find(seen).unwrap_or(p.ink);
    [on(tones.hero), on(deep)]
}

/// What changed, large, and both figures as bars under it.
fn changed(setter: &mut Setter<'_>, area: Rect, rows: [Row<'_>; 2]) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (k, lead) = (frame.k, frame.lead);
    if setter.banded {
        let rest = heading::set(setter, area, Heading { most: 2.0, beside: 0.32, ..Heading::default() });
        let rest = sourced(setter, rest);
        return over_bars(setter, rest, rows);
    }
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let label =
        Spec::new(SlotId::Title, text, Voice::Head, TextLevel::Head, palette.ink, (frame.body_floor, 1.3 * lead));
    let label = label.capped(setter.page.sizes.title);
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => {
            let area = sourced(setter, area);
            let label = setter.set_at_most(label.lines(4), 0.8 * area.w(), 0.26 * area.h());
            setter.place(&label, area.x0, area.y0);
            let below = area.y0 + label.height() + 92.0 * k;
            over_bars(setter, Rect { y0: below, ..area }, rows);
        }
        Shape::Wide | Shape::Strip => {
            let left = 0.46 * area.w();
            let x = area.x0 + left + 72.0 * k;
            let figure = Figure::hero(setter, left, 0.5 * area.h());
            let label = setter.set_at_most(label.lines(5), left, area.h() - figure.height - 64.0 * k);
            let source = source(setter, area.x1 - x);
            let foot = source.as_ref().map_or(0.0, |s| s.depth() + 44.0 * k);
            let thick = (0.2 * area.h()).clamp(48.0 * k, 150.0 * k);
            let bars_height = 2.0 * thick + 24.0 * k;
            setter.misfit |= bars_height + foot > area.h();
            let used = label.height() + 64.0 * k + figure.height;
            let y = area.y0 + 0.5 * (area.h() - used).max(0.0);
            setter.place(&label, area.x0, y);
            figure.place(setter, area.x0, y + label.height() + 64.0 * k);
            let end = y + used;
            // Bars end on the figure's baseline.
            let bottom = (end - foot).max(area.y0 + bars_height);
            bars(setter, Rect::new(x, bottom - bars_height, area.x1, bottom), rows, thick);
            if let Some(source) = &source {
                setter.place(source, x, bottom + 44.0 * k);
            }
        }
    }
}

/// The figure over both bars, in what a label leaves of the page.
fn over_bars(setter: &mut Setter<'_>, area: Rect, rows: [Row<'_>; 2]) {
    let k = setter.frame.k;
    let thick = (0.105 * area.h()).clamp(56.0 * k, 112.0 * k);
    let (bars_height, gap) = (2.0 * thick + 20.0 * k, 92.0 * k);
    let room = area.h() - bars_height - gap;
    let figure = Figure::hero(setter, area.w(), room.min(0.4 * area.w()));
    let spare = (room - figure.height).max(0.0);
    setter.misfit |= room < 2.0 * setter.frame.small;
    let y = area.y0 + 0.12 * spare;
    figure.place(setter, area.x0, y);
    let y = (y + figure.height + gap + 0.24 * spare).min(area.y1 - bars_height);
    bars(setter, Rect::new(area.x0, y, area.x1, y + bars_height), rows, thick);
}

/// Both bars with their labels beside them and their figures inside, or behind a bar that is too short for its own.
fn bars(setter: &mut Setter<'_>, area: Rect, rows: [Row<'_>; 2], thick: f32) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let k = frame.k;
    let inks = inks(setter);
    let head = |row: &Row<'_>| {
        let slot = SlotId::ItemHead(row.item);
        let text = setter.text(slot).unwrap_or_default();
        let range = (frame.small, (0.4 * thick).clamp(frame.small, 0.92 * frame.body.max(frame.small)));
        Spec::new(slot, text, Voice::Head, TextLevel::Small, palette.ink, range).lines(2)
    };
    let heads = even(setter, rows.iter().map(head).collect(), LABEL * area.w());
    let figure = |row: &Row<'_>| {
        let text = setter.labels.figures.get(usize::from(row.item)).map_or("", |v| v.text.as_str());
        let range = (frame.small, (0.4 * thick).clamp(frame.small, 0.92 * frame.body.max(frame.small)));
        Spec::new(SlotId::Cell(row.item, 0), text, Voice::Head, TextLevel::Small, palette.ink, range).lines(1)
    };
    let figures = even(setter, rows.iter().map(figure).collect(), 0.5 * area.w());
    let x0 = area.x0 + widest(&heads) + 34.0 * k;
    let (pad, most) = (28.0 * k, rows.iter().map(|r| r.numbers[0]).fold(0.0, f64::max));
    let inside = |i: usize, share: f32, set: &Set<'_>, x1: f32| {
        inks[i].1.filter(|_| share * (x1 - x0) >= set.reach() + 2.0 * pad)
    };
    let share = |row: &Row<'_>| if most > 0.0 { (row.numbers[0] / most) as f32 } else { 0.0 };
    // A figure behind the longer bar takes its room from both.
    let outside =
        rows.iter().zip(&figures).enumerate().filter(|(i, (r, f))| inside(*i, share(r), f, area.x1).is_none());
    let over = outside.map(|(_, (r, f))| (f.reach() + pad) - (1.0 - share(r)) * (area.x1 - x0)).fold(0.0, f32::max);
    let x1 = area.x1 - over;
    setter.misfit |= x1 - x0 < 5.0 * frame.small || heads.iter().any(|h| !h.fits) || figures.iter().any(|f| !f.fits);
    for (i, ((row, head), mut figure)) in rows.iter().zip(&heads).zip(figures).enumerate() {
        let (color, _) = inks[i];
        let y = area.y0 + i as f32 * (area.h() - thick);
        let rect = Rect::new(x0, y, x0 + share(row) * (x1 - x0), y + thick);
        bar(setter, Bar { rect, thick, color });
        setter.place(head, area.x0, y + (thick - head.height()) / 2.0);
        let cap = y + (thick - figure.height()) / 2.0;
        if let Some(on) = inside(i, share(row), &figure, x1) {
            let x = rect.x1 - pad - figure.reach();
            figure.spec.color = on;
            setter.place(&figure, x, cap);
        } else {
            setter.place(&figure, rect.x1 + pad, cap);
        }
    }
}

/// Both figures large, each over its bar.
fn held(setter: &mut Setter<'_>, area: Rect, rows: [Row<'_>; 2]) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (k, small) = (frame.k, frame.small);
    let rest = heading::set(setter, area, Heading { most: 2.0, beside: 0.34, ..Heading::default() });
    let rest = sourced(setter, rest);
    let half = (rest.h() - 56.0 * k) / 2.0;
    let thick = (0.3 * half).min(150.0 * k);
    let inks = inks(setter);
    let most = rows.iter().map(|r| r.numbers[0]).fold(0.0, f64::max);
    let head = |row: &Row<'_>| {
        let slot = SlotId::ItemHead(row.item);
        let text = setter.text(slot).unwrap_or_default();
        let range = (small, frame.body.max(small));
        Spec::new(slot, text, Voice::Head, TextLevel::Small, palette.ink2, range).lines(2)
    };
    let heads = even(setter, rows.iter().map(head).collect(), 0.9 * rest.w());
    let words = heads.iter().map(Set::height).fold(0.0, f32::max);
    let gap = 30.0 * k;
    let room = half - thick - words - 2.0 * gap;
    let labels = setter.labels;
    let value = |row: &Row<'_>| labels.figures.get(usize::from(row.item));
    let (Some(first), Some(second)) = (value(&rows[0]), value(&rows[1])) else {
        setter.misfit = true;
        return;
    };
    let least = 1.6 * frame.body;
    let plain = Manner { level: TextLevel::Head, ..Manner::hero(setter) };
    let manner = |row: &Row<'_>, ink: Color, most: f32| Manner {
        slot: SlotId::Cell(row.item, 0),
        ink,
        unit: ink,
        range: (least, most.max(least)),
        ..plain
    };
    let inked = [palette.ink, if setter.page.field == Field::Base { palette.accent_text } else { palette.ink }];
    let fitted: Vec<f32> = [first, second]
        .iter()
        .zip(&rows)
        .map(|(v, row)| {
            let most = 9.0 * frame.lead;
            Figure::fit(setter, v, manner(row, palette.ink, most), 0.96 * rest.w(), room.max(1.2 * small)).set.laid.size
        })
        .collect();
    let size = fitted.into_iter().fold(f32::INFINITY, f32::min);
    setter.misfit |= room < 1.5 * small || heads.iter().any(|h| !h.fits);
    for (i, (v, row)) in [first, second].into_iter().zip(&rows).enumerate() {
        let figure = Figure::sized(setter, v, manner(row, inked[i], size), size);
        setter.misfit |= figure.width > rest.w() + 1.0;
        let top = rest.y0 + i as f32 * (half + 56.0 * k);
        setter.place(&heads[i], rest.x0, top);
        figure.place(setter, rest.x0, top + words + gap);
        let share = if most > 0.0 { (row.numbers[0] / most) as f32 } else { 0.0 };
        let y = top + words + 2.0 * gap + figure.height;
        let height = thick.min((top + half - y).max(0.5 * thick));
        let rect = Rect::new(rest.x0, y, rest.x0 + share * rest.w(), y + height);
        bar(setter, Bar { rect, thick: height, color: inks[i].0 });
    }
}
