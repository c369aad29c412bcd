//! fill-stat: the page itself is the chart. It is filled from below up to the share, and the figure stands across the
//! line, in two inks.

use super::super::figure::{Figure, Manner};
use super::super::frame::{Frame, Shape};
use super::super::setter::{Set, Setter, Spec};
use super::{at_foot, source};
use crate::design::{Archetype, Page, SlotId, Voice};
use crate::scene::{Color, Rect, TextLevel};

/// Where the line crosses the figure, from its top, where nothing else is asked for; and how near to its ends it may come.
const ACROSS: f32 = 0.4;
const LEAST: f32 = 0.12;
/// Texts keep away from the line by this much, in units.
const CLEAR: f32 = 30.0;
/// The chroma from which on a ground is a colour rather than paper.
const COLOURED: f32 = 0.06;

/// Where a page's field begins.
pub(in crate::compose) fn waterline(page: &Page, frame: &Frame) -> Option<f32> {
    let share = page.art.and_then(|a| a.value).filter(|v| (0.0..=1.0).contains(v))?;
    (page.archetype == Archetype::FillStat).then_some((1.0 - share) * frame.size.h)
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (k, lead) = (frame.k, frame.lead);
    let Some(line) = waterline(setter.page, &frame) else {
        setter.misfit = true;
        return;
    };
    // Head and foot stand where they always do; a line through them can't be.
    let clear = CLEAR * k;
    setter.misfit |= setter.blocks.iter().any(|b| b.ink.y0 - clear < line && line < b.ink.y1 + clear);
    let field = Rect::new(0.0, line, frame.size.w, frame.size.h);
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let cap = setter.page.sizes.title;
    let label = |most: f32, ink: Color| {
        let range = (1.0 * lead, most * lead);
        Spec::new(SlotId::Title, text, Voice::Display, TextLevel::Head, ink, range).capped(cap)
    };
    let manner = Manner { scale: 1.0, ink: palette.ink, unit: palette.ink, ..Manner::hero(setter) };
    let source = source(setter, 0.7 * area.w());
    let foot = source.as_ref().map_or(0.0, |s| s.depth() + 44.0 * k);
    let bottom = area.y1 - foot;
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => {
            let figure = Figure::fit(setter, setter.value, manner, area.w(), 0.4 * area.h());
            let (gap, between) = (100.0 * k, 52.0 * k);
            let body = body(setter, 0.88 * area.w());
            let under = body.as_ref().map_or(0.0, |b| between + b.depth());
            // In the field under the figure, else on the ground above it.
            let low = |y: f32| bottom - y - figure.height - gap - under;
            let top = (line - ACROSS * figure.height).max(area.y0);
            let top = top.min((line - LEAST * figure.height).max(area.y0));
            let fits_below = setter.set_at_most(label(2.5, palette.on_field).lines(4), area.w(), low(top).max(1.0));
            if fits_below.fits && low(top) > 0.0 {
                across(setter, &figure, (area.x0, top), field);
                let y = top + figure.height + gap;
                setter.place(&fits_below, area.x0, y);
                if let Some(body) = &body {
                    setter.place(body, area.x0, y + fits_below.depth() + between);
                }
            } else {
                // The figure as low as the foot lets it, its words above.
                let highest = line - (1.0 - LEAST) * figure.height;
                let top = (bottom - figure.height).min(line - LEAST * figure.height).max(highest);
                let room = top - gap - area.y0;
                let above = setter.set_at_most(label(2.5, palette.ink).lines(5), area.w(), room.max(1.0));
                setter.misfit |= body.is_some() || top + figure.height > bottom + 1.0;
                setter.place(&above, area.x0, area.y0);
                across(setter, &figure, (area.x0, top), field);
            }
        }
        Shape::Wide | Shape::Strip => {
            let figure = Figure::fit(setter, setter.value, manner, 0.5 * area.w(), 0.56 * area.h());
            let top = (line - ACROSS * figure.height).clamp(area.y0, (area.y1 - figure.height).max(area.y0));
            across(setter, &figure, (area.x0, top), field);
            let x = area.x0 + figure.width + 84.0 * k;
            let width = area.x1 - x;
            let y = line + 64.0 * k;
            let body = body(setter, width);
            let under = body.as_ref().map_or(0.0, |b| 44.0 * k + b.depth());
            let label = setter.set_at_most(label(2.0, palette.on_field).lines(4), width, bottom - y - under);
            setter.place(&label, x, y);
            if let Some(body) = &body {
                setter.place(body, x, y + label.depth() + 44.0 * k);
            }
        }
    }
    if let Some(source) = &source {
        let y = at_foot(setter, source, &area);
        setter.misfit |= y - clear < line;
        setter.place(source, area.x0, y);
    }
}

/// What supports the figure, on the field.
fn body<'a>(setter: &Setter<'a>, width: f32) -> Option<Set<'a>> {
    let frame = setter.frame;
    let text = setter.text(SlotId::Body)?;
    let range = (frame.body_floor, 1.1 * frame.body.max(0.9 * frame.lead));
    let spec = Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, second_ink(setter), range);
    Some(setter.set(spec.lines(5), width))
}

/// The figure across the line.
fn across<'a>(setter: &mut Setter<'a>, figure: &Figure<'a>, (x, y): (f32, f32), field: Rect) {
    let crossed = (field.y0 - y) / figure.height;
    setter.misfit |= !(0.9 * LEAST..=1.0 - 0.9 * LEAST).contains(&crossed);
    let (color, on) = (setter.page.palette.field, setter.page.palette.on_field);
    setter.place_across(&figure.set, (x, y), field, color, on);
}

/// The ink of running text on the field: the ground's colour, where it is one and reads there.
fn second_ink(setter: &Setter<'_>) -> Color {
    let p = &setter.page.palette;
    let coloured = p.bg.to_oklch().c >= COLOURED && p.bg.contrast(p.field) >= 5.0;
    if coloured { p.bg } else { p.on_field }
}
