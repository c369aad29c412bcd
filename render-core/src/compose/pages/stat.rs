//! big-stat: one figure over the full width, what it means above it, where it comes from below.

use super::super::figure::Figure;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides, at_foot, share, source};
use crate::art::Scale;
use crate::design::{SlotId, Voice};
use crate::scene::{Item, Rect, Role, TextLevel};

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (b, k) = (frame.body, frame.k);
    let shape = Frame::shape_of(&area);
    let label = Spec::new(
        SlotId::Title,
        setter.text(SlotId::Title).unwrap_or_default(),
        Voice::Head,
        TextLevel::Head,
        palette.ink,
        (frame.body_floor, 1.4 * frame.lead),
    )
    .capped(setter.page.sizes.title);
    match shape {
        Shape::Tall | Shape::Upright => {
            let source = source(setter, 0.8 * area.w());
            let foot = source.as_ref().map_or(0.0, |s| s.depth() + 48.0 * k);
            let label = setter.set(label.lines(4), 0.84 * area.w());
            let gap = 84.0 * k;
            let room = area.h() - foot - label.depth() - gap;
            let figure = Figure::hero(setter, area.w(), (0.62 * room).min(0.62 * area.w()));
            let share = share(setter);
            let bar = if share.is_some() { 48.0 * k } else { 0.0 };
            let bar_gap = if share.is_some() { 72.0 * k } else { 0.0 };
            let used = label.height() + gap + figure.height + bar_gap + bar;
            let spare = (area.h() - foot - used).max(0.0);
            let top = area.y0 + (0.3 * spare).min(0.16 * area.h());
            // A label that goes on from the figure ("62 % less water …") stands under it, one of its own above.
            let goes_on = label.spec.text.chars().next().is_some_and(char::is_lowercase);
            let mut end = if goes_on {
                figure.place(setter, area.x0, top);
                setter.place(&label, area.x0, top + figure.height + gap);
                top + figure.height + gap + label.height()
            } else {
                setter.place(&label, area.x0, top);
                figure.place(setter, area.x0, top + label.height() + gap);
                top + label.height() + gap + figure.height
            };
            if let Some(share) = share {
                end += bar_gap + bar;
                share_bar(setter, Rect::new(area.x0, end - bar, area.x1, end), share);
            }
            if let Some(source) = &source {
                let y = at_foot(setter, source, &area);
                setter.place(source, area.x0, y);
            }
            let below = Rect::new(0.46 * frame.size.w, end + 96.0 * k, frame.size.w, area.y1 - foot - 24.0 * k);
            // A bar is the figure's art; a second picture beside it would say nothing.
            if !art_on_clear_sides(setter, Scale::Accent) && share.is_none() && below.h() > 0.16 * frame.size.h {
                art(setter, below, Scale::Accent);
            }
        }
        Shape::Wide | Shape::Strip => {
            let figure = Figure::hero(setter, 0.56 * area.w(), 0.62 * area.h());
            let x = area.x0 + figure.width + 72.0 * k;
            let width = area.x1 - x;
            let label = setter.set(label.lines(6).range(frame.body_floor, 1.5 * b), width);
            let source = source(setter, width);
            let bar = 44.0 * k;
            let has_bar = share(setter).is_some() && area.h() - figure.height > 4.4 * bar;
            let y = area.y0 + 0.5 * (area.h() - figure.height - if has_bar { 2.2 * bar } else { 0.0 });
            figure.place(setter, area.x0, y);
            // The label stands on the figure's cap line, the source on its baseline.
            let low = source.as_ref().map_or(0.0, |s| s.height() + 40.0 * k);
            let fits_beside = label.height() + low <= figure.height;
            let top = if fits_beside { y } else { area.y0 + 0.5 * (area.h() - label.height() - low) };
            setter.place(&label, x, top);
            if let Some(source) = &source {
                let at =
                    if fits_beside { y + figure.height - source.height() } else { top + label.height() + 40.0 * k };
                setter.place(source, x, at);
            }
            if let Some(share) = share(setter).filter(|_| has_bar) {
                share_bar(setter, Rect::new(area.x0, area.y1 - bar, area.x1, area.y1), share);
            }
            art_on_clear_sides(setter, Scale::Accent);
        }
    }
}

/// A bar true to scale: the whole, and the share of it.
fn share_bar(setter: &mut Setter<'_>, whole: Rect, share: f32) {
    let palette = setter.page.palette;
    let r = setter.theme.radius.min(16.0 * setter.frame.k).min(whole.h() / 2.0);
    setter.mark(Item::rounded(whole, [r; 4], palette.surface, Role::Field));
    let part = Rect { x1: whole.x0 + share * whole.w(), ..whole };
    let r = r.min(part.w() / 2.0);
    setter.mark(Item::rounded(part, [r; 4], palette.accent, Role::Field));
}
