//! The headline of pages whose content stands beside or under it: lists, charts, tables, timelines. It takes its part of
//! the area and says what it leaves, so that every such page of a set has its title in the same place.

use super::frame::{Frame, Shape};
use super::setter::{Set, Setter, Spec};
use crate::design::{SlotId, Voice};
use crate::scene::{Item, Rect, Role, TextLevel};

/// How a headline may stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heading {
    /// Its largest size, as a multiple of the frame's lead.
    pub most: f32,
    /// The share of the height that it may take where it stands over its content.
    pub share: f32,
    /// The share of the width that it takes where it stands beside it.
    pub beside: f32,
}

impl Default for Heading {
    fn default() -> Self {
        Self { most: 2.9, share: 0.3, beside: 0.36 }
    }
}

/// The words of a page's title as a spec, in lines and at sizes up to `most` times the lead.
pub(super) fn title<'a>(setter: &Setter<'a>, most: f32) -> Spec<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let range = (1.35 * frame.lead, most * frame.lead);
    let ink = if setter.banded { palette.on_field } else { palette.ink };
    Spec::new(SlotId::Title, text, Voice::Display, TextLevel::Hero, ink, range).capped(setter.page.sizes.title)
}

/// Sets the title, and a sentence under it where the page has one, and returns the area that is left for the content: under
/// it on upright pages, beside it on wide ones. A page without a title leaves all of it.
pub(super) fn set(setter: &mut Setter<'_>, area: Rect, heading: Heading) -> Rect {
    if setter.text(SlotId::Title).is_none() {
        return area;
    }
    let frame = setter.frame;
    let k = frame.k;
    let upright = matches!(Frame::shape_of(&area), Shape::Tall | Shape::Upright);
    let (width, height) =
        if upright { (area.w(), heading.share * area.h()) } else { (heading.beside * area.w(), 0.94 * area.h()) };
    let lines = if upright { 3 } else { 6 };
    let set = setter.set_at_most(title(setter, heading.most).lines(lines), width, height);
    let dek = dek(setter, width);
    let under = dek.as_ref().map_or(0.0, |d| 0.9 * frame.body + 0.4 * set.laid.size.min(60.0) + d.depth());
    if upright {
        let gap = if setter.banded { 118.0 * k } else { 66.0 * k };
        if setter.banded {
            let bottom = area.y0 + set.depth() + under + 58.0 * k;
            band(setter, Rect::new(0.0, 0.0, frame.size.w, bottom));
        }
        place(setter, &set, dek.as_ref(), area.x0, area.y0, under);
        return Rect::new(area.x0, area.y0 + set.depth() + under + gap, area.x1, area.y1);
    }
    let gutter = if setter.banded { 108.0 * k } else { 72.0 * k };
    if setter.banded {
        band(setter, Rect::new(0.0, 0.0, area.x0 + width + 0.5 * gutter, frame.size.h));
    }
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let y = area.y0 + if strip { 0.5 * (area.h() - set.height() - under).max(0.0) } else { 0.0 };
    place(setter, &set, dek.as_ref(), area.x0, y, under);
    Rect::new(area.x0 + width + gutter, area.y0, area.x1, area.y1)
}

fn dek<'a>(setter: &Setter<'a>, width: f32) -> Option<Set<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Body).filter(|_| !setter.page.archetype.is_captioned())?;
    let ink = if setter.banded { palette.on_field } else { palette.ink2 };
    let range = (frame.body_floor, frame.body_floor.max(0.95 * frame.body));
    Some(setter.set(Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, ink, range).lines(4), width))
}

fn place<'a>(setter: &mut Setter<'a>, title: &Set<'a>, dek: Option<&Set<'a>>, x: f32, y: f32, under: f32) {
    setter.place(title, x, y);
    if let Some(dek) = dek {
        setter.place(dek, x, y + title.height() + under - dek.depth());
    }
}

/// The field that a banded headline stands on.
fn band(setter: &mut Setter<'_>, rect: Rect) {
    let field = setter.page.palette.field;
    setter.mark(Item::rect(rect, field, Role::Field));
}
