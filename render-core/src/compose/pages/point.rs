//! point-slide: one point. The head is the hero; art stands apart in a corner.

use super::super::column::Column;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::super::split::Split;
use super::super::stand::words_first;
use super::super::tiles::{Coat, tile};
use super::{art, art_bottom, art_on_clear_sides, art_top, call, has_clear_side, numeral, on_one_line, parted};
use crate::art::Scale;
use crate::design::{Field, Recipe, SlotId, Style, Voice};
use crate::scene::{Rect, TextLevel};

pub(super) fn column<'a>(setter: &Setter<'a>, most: f32) -> Column<'a> {
    let (frame, palette, sizes) = (setter.frame, &setter.page.palette, setter.page.sizes);
    let (b, lead) = (frame.body, frame.lead);
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let body = setter.text(SlotId::Body);
    Column::default()
        .text(
            0.0,
            Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, (1.55 * lead, most * lead))
                .lines(5)
                .capped(sizes.title),
        )
        .maybe(
            0.88 * (b + lead),
            body.map(|t| {
                Spec::new(
                    SlotId::Body,
                    t,
                    Voice::Body,
                    TextLevel::Body,
                    palette.ink2,
                    (frame.body_floor, 1.2 * b.max(0.9 * lead)),
                )
                .lines(9)
                .capped(sizes.body)
            }),
        )
        .maybe(0.9 * (b + frame.body), call(setter))
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match setter.split {
        Split::Stacked => return parted::stacked(setter, area),
        Split::Beside(x) => return parted::beside(setter, area, x),
        Split::Whole => {}
    }
    let (size, k) = (setter.frame.size, setter.frame.k);
    let carded = setter.theme.card.is_some_and(|c| c.stroke > 0.0) && setter.page.field == Field::Base;
    if carded && matches!(Frame::shape_of(&area), Shape::Tall | Shape::Upright) && setter.text(SlotId::Body).is_some() {
        return on_tile(setter, area);
    }
    let clear = has_clear_side(setter);
    let shape = Frame::shape_of(&area);
    match shape {
        Shape::Tall | Shape::Upright => {
            let most = if setter.text(SlotId::Body).is_some() { 2.7 } else { 3.5 };
            let stack = column(setter, most).solve(setter, area.w(), area.h());
            let free = area.h() - stack.depth;
            // Slides of a set take turns: text below its art, text above it.
            // A limb hangs from the top corner, always.
            let hangs = setter.page.art.is_some_and(|a| a.recipe == Recipe::Limb);
            let own =
                setter.page.style == Style::Minimal || (!hangs && setter.page.slide.is_some_and(|s| s.index % 2 == 0));
            let text_first = words_first(setter, own);
            if text_first {
                let y = area.y0 + (0.08 * free).min(70.0 * k);
                stack.place(setter, area.x0, y);
                let top = y + stack.height + 110.0 * k;
                // The foot's number stands at the right: the art keeps above it, or off the canvas beside it.
                let bottom = art_bottom(setter, &area);
                let side = (bottom - top).min(0.62 * size.w);
                if !art_on_clear_sides(setter, Scale::Accent) {
                    art(setter, Rect::new(size.w - side, bottom - side, size.w, bottom), Scale::Accent);
                }
            } else {
                let y = area.y1 - stack.depth;
                stack.place(setter, area.x0, y);
                let top = art_top(setter, &area);
                let side = (y - 96.0 * k - top).min(0.62 * size.w);
                if !art_on_clear_sides(setter, Scale::Accent) {
                    art(setter, Rect::new(size.w - side, top, size.w, top + side), Scale::Accent);
                }
            }
        }
        Shape::Wide | Shape::Strip => {
            let has_art = setter.page.art.is_some() && !clear;
            let width = area.w() * if has_art { 0.64 } else { 1.0 };
            let stack = column(setter, 2.5).solve(setter, width, area.h());
            let free = area.h() - stack.depth;
            let y = area.y0 + if shape == Shape::Strip { free / 2.0 } else { free };
            stack.place(setter, area.x0, y);
            let top = art_top(setter, &area);
            let bottom = art_bottom(setter, &area);
            let left = area.x0 + width + 56.0 * k;
            let side = (size.w - left).min(bottom - top);
            if !art_on_clear_sides(setter, Scale::Accent) {
                art(setter, Rect::new(size.w - side, top, size.w, top + side), Scale::Accent);
            }
        }
    }
}

/// The point over a tile that says what supports it.
fn on_tile(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette, size) = (setter.frame, setter.page.palette, setter.frame.size);
    let (b, k, lead) = (frame.body, frame.k, frame.lead);
    let n = numeral::turn(setter);
    let coat = Coat::of(setter, n, false);
    let pad = 52.0 * k;
    let body = setter.text(SlotId::Body).unwrap_or_default();
    let range = (frame.body_floor, frame.body_floor.max(1.3 * b.max(0.9 * lead)));
    let body = Spec::new(SlotId::Body, body, Voice::Body, TextLevel::Body, coat.ink, range).lines(8).on(coat.fill);
    let inner = area.w() - 2.0 * pad;
    let body = setter.set_at_most(body.capped(setter.page.sizes.body), inner, 0.4 * area.h());
    let cta = call(setter).map(|spec| on_one_line(setter, spec, area.w()));
    let foot = cta.as_ref().map_or(0.0, |c| c.depth() + 56.0 * k);
    // The hard shadow of the tile stands inside the area too.
    let shadow = setter.theme.card.map_or(0.0, |c| c.shadow) * k;
    let height = body.depth() + 2.0 * pad;
    let top = area.y1 - foot - shadow - height;
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let title =
        Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, (1.55 * lead, 3.1 * lead));
    let gap = 72.0 * k;
    let title = setter.set_at_most(title.lines(5).capped(setter.page.sizes.title), area.w(), top - gap - area.y0);
    let y = top - gap - title.depth();
    setter.place(&title, area.x0, y);
    let rect = Rect::new(area.x0, top, area.x1 - shadow, top + height);
    tile(setter, rect, n, coat, |setter| setter.place(&body, area.x0 + pad, top + pad));
    if let Some(cta) = &cta {
        setter.place(cta, area.x0, area.y1 - cta.depth());
    }
    let above = art_top(setter, &area);
    let side = (y - 96.0 * k - above).min(0.62 * size.w);
    if !art_on_clear_sides(setter, Scale::Accent) {
        art(setter, Rect::new(size.w - side, above, size.w, above + side), Scale::Accent);
    }
}
