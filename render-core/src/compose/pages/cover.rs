//! cover-type: the hook. Type leads; art takes what type leaves and bleeds off the canvas.

use super::super::art::Scale;
use super::super::column::Column;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides, art_top, call, has_clear_side, vertical_cover};
use crate::design::{SlotId, Style, Voice, Writing};
use crate::scene::{Rect, TextLevel};

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    if setter.page.writing == Writing::Vertical {
        return vertical_cover::set(setter, area);
    }
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => upright(setter, area),
        Shape::Wide | Shape::Strip => wide(setter, area),
    }
}

pub(super) fn column<'a>(setter: &Setter<'a>, shape: Shape, lines: usize) -> Column<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let (b, lead) = (frame.body, frame.lead);
    let most = match shape {
        Shape::Strip => 3.0,
        Shape::Wide => 3.5,
        _ => 3.9,
    };
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let dek = setter.text(SlotId::Body);
    Column::default()
        .text(
            0.0,
            Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, (1.7 * lead, most * lead))
                .lines(lines)
                .capped(setter.page.sizes.title),
        )
        .maybe(
            0.9 * (b + lead),
            dek.map(|t| {
                let range = (frame.body_floor, 1.12 * b.max(0.9 * lead));
                Spec::new(SlotId::Body, t, Voice::Body, TextLevel::Body, palette.ink2, range).lines(5)
            }),
        )
        .maybe(0.9 * (b + frame.body), call(setter))
}

fn upright(setter: &mut Setter<'_>, area: Rect) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let shape = Frame::shape_of(&area);
    let has_art = setter.page.art.is_some();
    let clear = has_clear_side(setter);
    let share = if has_art && !clear { 0.64 } else { 1.0 };
    let stack = column(setter, shape, 5).solve(setter, area.w(), share * area.h());
    if setter.page.style == Style::Minimal {
        // Type in the upper two thirds, the mark low on the right.
        let y = area.y0 + (0.09 * (area.h() - stack.height)).min(80.0 * k);
        stack.place(setter, area.x0, y);
        let top = y + stack.height + 90.0 * k;
        // A page number stands low on the right of a slide; the mark keeps above it.
        let bottom = if setter.page.slide.is_some() { area.y1 - 24.0 * k } else { size.h };
        let side = (bottom - top).min(0.62 * size.w);
        if !art_on_clear_sides(setter, Scale::Lead) {
            art(setter, Rect::new(size.w - side, bottom - side, size.w, bottom), Scale::Lead);
        }
        return;
    }
    let top = area.y1 - stack.depth;
    stack.place(setter, area.x0, top);
    if !art_on_clear_sides(setter, Scale::Lead) {
        let gap = 84.0 * k;
        let left = if setter.page.art.is_some_and(|a| a.recipe.spreads()) { 0.0 } else { 0.25 * size.w };
        art(setter, Rect::new(left, art_top(setter, &area), size.w, top - gap), Scale::Lead);
    }
}

pub(super) fn wide(setter: &mut Setter<'_>, area: Rect) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let shape = Frame::shape_of(&area);
    let clear = has_clear_side(setter);
    let has_art = setter.page.art.is_some();
    let share = match (has_art, clear, shape) {
        (false, ..) | (_, true, _) => 1.0,
        (_, _, Shape::Strip) => 0.66,
        _ => 0.58,
    };
    let width = share * area.w();
    let stack = column(setter, shape, 4).solve(setter, width, area.h());
    let free = area.h() - stack.depth;
    let y = area.y0 + if shape == Shape::Strip { free / 2.0 } else { free };
    stack.place(setter, area.x0, y);
    let beside = Rect::new(area.x0 + width + 56.0 * k, 0.0, size.w, size.h);
    if !art_on_clear_sides(setter, Scale::Lead) {
        art(setter, beside, Scale::Lead);
    }
}
