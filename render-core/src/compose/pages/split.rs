//! cover-split: a photograph in one half, the words in the other. On a story without head or foot it fills the page, and
//! the words lie low on it.

use super::super::column::Column;
use super::super::frame::{Frame, Shape};
use super::super::picture;
use super::super::setter::{Setter, Spec};
use super::call;
use crate::design::{SlotId, Voice};
use crate::scene::{Color, Rect, TextLevel};

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let palette = setter.page.palette;
    let whole = Rect::new(0.0, 0.0, size.w, size.h);
    match Frame::shape_of(&whole) {
        Shape::Tall if is_bare(setter) => {
            let (_, light) = picture::inks(&palette);
            let stack = column(setter, 4.2, light, light).solve(setter, area.w(), 0.5 * area.h());
            let top = area.y1 - stack.depth;
            picture::draw(setter, whole);
            let text = Rect::new(area.x0, top - 0.5 * setter.frame.body, area.x1, size.h);
            picture::scrim(setter, whole, text, 0.26 * size.h);
            stack.place(setter, area.x0, top);
        }
        Shape::Tall | Shape::Upright => {
            let stack = column(setter, 3.6, palette.ink, palette.ink2).solve(setter, area.w(), 0.5 * area.h());
            let gap = 72.0 * k;
            // No more than its words need, so that the photograph leads.
            let top = (area.y1 - stack.depth).max(0.48 * size.h);
            let top = top.min(area.y1 - stack.depth);
            let over = setter.text(SlotId::Kicker).is_some() && setter.frame.has_chrome();
            let from = if over { area.y0 - 34.0 * k } else { 0.0 };
            picture::draw(setter, Rect::new(0.0, from, size.w, top - gap));
            stack.place(setter, area.x0, top);
        }
        shape @ (Shape::Wide | Shape::Strip) => {
            let half = if shape == Shape::Strip { 0.58 * size.w } else { 0.5 * size.w };
            // The photograph lies at the right, beside the words' half, where the format keeps words that far left.
            let from = half.clamp(area.x0, (area.x1 - 0.2 * area.w()).max(area.x0));
            let width = from - area.x0 - 64.0 * k;
            let stack = column(setter, 2.7, palette.ink, palette.ink2).solve(setter, width, area.h());
            let free = (area.h() - stack.depth).max(0.0);
            let y = area.y0 + if shape == Shape::Strip { 0.5 * free } else { free };
            picture::draw(setter, Rect::new(from, 0.0, size.w, size.h));
            stack.place(setter, area.x0, y);
        }
    }
}

/// Whether nothing of the page's head and foot would lie on the photograph.
fn is_bare(setter: &Setter<'_>) -> bool {
    setter.page.slide.is_none() && [SlotId::Kicker, SlotId::Handle].iter().all(|id| setter.text(*id).is_none())
}

fn column<'a>(setter: &Setter<'a>, most: f32, ink: Color, ink2: Color) -> Column<'a> {
    let frame = setter.frame;
    let (b, lead) = (frame.body, frame.lead);
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let head = Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, ink, (1.6 * lead, most * lead));
    let dek = setter.text(SlotId::Body).map(|text| {
        let range = (frame.body_floor, 1.12 * b.max(0.9 * lead));
        Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, ink2, range).lines(4)
    });
    let act = call(setter).map(|spec| if ink == setter.page.palette.ink { spec } else { Spec { color: ink, ..spec } });
    Column::default()
        .text(0.0, head.lines(5).capped(setter.page.sizes.title))
        .maybe(0.9 * (b + lead), dek)
        .maybe(1.8 * b, act)
}
