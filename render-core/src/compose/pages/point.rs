//! point-slide: one point. The head is the hero; art stands apart in a corner.

use super::super::art::Scale;
use super::super::column::Column;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides, art_top, call, has_clear_side};
use crate::design::{Recipe, SlotId, Style, Voice};
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
    let (size, k) = (setter.frame.size, setter.frame.k);
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
            let text_first =
                setter.page.style == Style::Minimal || (!hangs && setter.page.slide.is_some_and(|s| s.index % 2 == 0));
            if text_first {
                let y = area.y0 + (0.08 * free).min(70.0 * k);
                stack.place(setter, area.x0, y);
                let top = y + stack.height + 110.0 * k;
                // The foot's number stands at the right: the art keeps above it, or off the canvas beside it.
                let bottom = if setter.page.slide.is_some() { area.y1 } else { size.h };
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
            let bottom = if setter.page.slide.is_some() { area.y1 } else { size.h };
            let left = area.x0 + width + 56.0 * k;
            let side = (size.w - left).min(bottom - top);
            if !art_on_clear_sides(setter, Scale::Accent) {
                art(setter, Rect::new(size.w - side, top, size.w, top + side), Scale::Accent);
            }
        }
    }
}
