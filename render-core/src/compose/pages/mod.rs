//! One file an archetype: how its slots are set in an area of any shape.

mod cover;
mod list;
mod point;
mod quote;
mod recap;
mod rows;
mod stat;
mod step;

use super::art::{self, Scale, Zone};
use super::setter::Setter;
use crate::design::{Archetype, SlotId};
use crate::scene::Rect;

/// Numerals of items and rows; a page has at most twelve.
pub(super) const NUMERALS: [&str; crate::limits::PAGE_ITEMS] =
    ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// Sets the page's archetype in `area`.
pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match setter.page.archetype {
        Archetype::CoverType => cover::set(setter, area),
        Archetype::PointSlide => point::set(setter, area),
        Archetype::StepSlide => step::set(setter, area),
        Archetype::ListGrid => list::set(setter, area),
        Archetype::BigStat => stat::set(setter, area),
        Archetype::Quote => quote::set(setter, area),
        Archetype::RecapCta => recap::set(setter, area),
    }
}

/// Draws the page's art, if it has any.
fn art(setter: &mut Setter<'_>, rect: Rect, scale: Scale) {
    if let Some(page_art) = setter.page.art {
        art::draw(setter, &page_art, Zone { rect, scale });
    }
}

/// The canvas beside or under the text area that no text may use (the format keeps it clear for controls laid over the
/// picture, or crops it): the place for art where it is large.
fn clear_side(setter: &Setter<'_>) -> Option<Rect> {
    let (size, text, k) = (setter.frame.size, setter.frame.text, setter.frame.k);
    let gap = 44.0 * k;
    let right = Rect::new(text.x1 + gap, 0.0, size.w, size.h);
    let below = Rect::new(0.0, text.y1 + gap, size.w, size.h);
    if right.w() > 0.16 * size.w && right.w() > 260.0 {
        Some(right)
    } else if below.h() > 0.22 * size.h && below.h() > 260.0 {
        Some(below)
    } else {
        None
    }
}

/// Top of the area that art may use: the canvas's edge, or under the head line where the page has one.
fn art_top(setter: &Setter<'_>, area: &Rect) -> f32 {
    let has_head = setter.text(SlotId::Kicker).is_some() && setter.frame.has_chrome();
    if has_head { area.y0 - 14.0 * setter.frame.k } else { 0.0 }
}
