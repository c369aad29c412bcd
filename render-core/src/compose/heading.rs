//! The headline of pages whose content stands beside or under it: lists, charts, tables, timelines. It takes its part of
//! the area and says what it leaves, so that every such page of a set has its title in the same place.

use super::frame::{Frame, Shape};
use super::setter::{Set, Setter, Spec};
use super::sign;
use crate::design::{Archetype, SlotId, Voice};
use crate::scene::{Item, Point, Rect, Role, TextLevel};

/// What a headline gives where its content has no room under its full size.
const QUIETER: [f32; 4] = [1.0, 0.9, 0.8, 0.7];
/// Content whose sizes are at least this far from their smallest is at ease; what a quieter title gains it at the least.
const EASE: f32 = 0.5;
const GAIN: f32 = 0.1;

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
    let headed = plan(setter, area, heading);
    headed.place(setter);
    headed.rest
}

/// As [`set`], with the title as large as leaves its content its ease: `content` is laid out in the area that is left,
/// under a title of the size that it is told (in du), and says by which factor between its smallest (0) and its largest
/// sizes (1) it fits there, if it does. Returns the content and its area.
pub(super) fn fitted<'a, T>(
    setter: &mut Setter<'a>,
    area: Rect,
    heading: Heading,
    content: impl Fn(&Setter<'a>, Rect, f32) -> (T, Option<f32>),
) -> (T, Rect) {
    let (mut best, mut ease) = (None, None);
    for by in QUIETER {
        let beside = heading.beside * (0.4 + 0.6 * by);
        let headed = plan(setter, area, Heading { most: heading.most * by, beside, ..heading });
        let size = headed.title.as_ref().map_or(f32::INFINITY, |t| t.laid.size);
        let (laid, fits) = content(setter, headed.rest, size);
        // The louder title stays where a quieter one gains its content next to nothing.
        if best.is_none() || fits.unwrap_or(-1.0) > ease.unwrap_or(-1.0) + GAIN {
            (best, ease) = (Some((laid, headed)), fits);
        }
        if ease.is_some_and(|e| e >= EASE) {
            break;
        }
    }
    let (laid, headed) = best.unwrap_or_else(|| {
        let headed = plan(setter, area, heading);
        (content(setter, headed.rest, f32::INFINITY).0, headed)
    });
    headed.place(setter);
    (laid, headed.rest)
}

/// Whether the headline of an archetype stands beside its content on pages of a shape.
pub(super) fn stands_beside(archetype: Archetype, shape: Shape) -> bool {
    match shape {
        Shape::Tall | Shape::Upright => false,
        // What runs along the lines needs all of them, where the page has the height.
        Shape::Wide => !matches!(archetype, Archetype::TimelineH | Archetype::ProcessFlow | Archetype::ListNumbered),
        Shape::Strip => true,
    }
}

/// Whether the title has the kicker at the end of its line: on a page of tiles whose head line has nothing else to say, and
/// which is high enough for such a line.
pub(super) fn takes_kicker(setter: &Setter<'_>) -> bool {
    let has = |slot| setter.text(slot).is_some();
    let upright = matches!(Frame::shape_of(&setter.frame.text), Shape::Tall | Shape::Upright);
    // The slides of a set have it in one place.
    setter.page.archetype == Archetype::KpiBento
        && upright
        && setter.page.slide.is_none()
        && !setter.banded
        && has(SlotId::Title)
        && !has(SlotId::Body)
        && (sign::stands_low(setter) || !has(SlotId::Brand))
}

/// A headline that has its size, and what it leaves.
struct Headed<'a> {
    title: Option<Set<'a>>,
    dek: Option<Set<'a>>,
    at: Point,
    /// From the title's last baseline to the end of the sentence under it.
    under: f32,
    band: Option<Rect>,
    rest: Rect,
}

fn plan<'a>(setter: &Setter<'a>, area: Rect, heading: Heading) -> Headed<'a> {
    let at = Point::new(area.x0, area.y0);
    if setter.text(SlotId::Title).is_none() {
        return Headed { title: None, dek: None, at, under: 0.0, band: None, rest: area };
    }
    let frame = setter.frame;
    let k = frame.k;
    let shape = Frame::shape_of(&area);
    let over = !stands_beside(setter.page.archetype, shape);
    let (width, height) =
        if over { (area.w(), heading.share * area.h()) } else { (heading.beside * area.w(), 0.94 * area.h()) };
    let lines = if over { 3 } else { 6 };
    let set = setter.set_at_most(title(setter, heading.most).lines(lines), width, height);
    let dek = dek(setter, width);
    let under = dek.as_ref().map_or(0.0, |d| 0.9 * frame.body + 0.4 * set.laid.size.min(60.0) + d.depth());
    let depth = set.depth() + under;
    if over {
        // A large title keeps a large distance.
        let gap = if setter.banded { 118.0 * k } else { 58.0 * k + 0.24 * set.laid.size };
        let band = Rect::new(0.0, 0.0, frame.size.w, area.y0 + depth + 58.0 * k);
        let rest = Rect::new(area.x0, area.y0 + depth + gap, area.x1, area.y1);
        return Headed { title: Some(set), dek, at, under, band: setter.banded.then_some(band), rest };
    }
    let gutter = if setter.banded { 108.0 * k } else { 72.0 * k };
    let band = Rect::new(0.0, 0.0, area.x0 + width + 0.5 * gutter, frame.size.h);
    let middle = 0.5 * (area.h() - set.height() - under).max(0.0);
    let at = if shape == Shape::Strip { Point::new(at.x, at.y + middle) } else { at };
    let rest = Rect::new(area.x0 + width + gutter, area.y0, area.x1, area.y1);
    Headed { title: Some(set), dek, at, under, band: setter.banded.then_some(band), rest }
}

impl<'a> Headed<'a> {
    fn place(&self, setter: &mut Setter<'a>) {
        if let Some(rect) = self.band {
            let field = setter.page.palette.field;
            setter.ground(Item::rect(rect, field, Role::Field));
        }
        let Some(title) = &self.title else { return };
        setter.place(title, self.at.x, self.at.y);
        if let Some(dek) = &self.dek {
            setter.place(dek, self.at.x, self.at.y + title.height() + self.under - dek.depth());
        }
    }
}

fn dek<'a>(setter: &Setter<'a>, width: f32) -> Option<Set<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Body).filter(|_| !setter.page.archetype.is_captioned())?;
    let ink = if setter.banded { palette.on_field } else { palette.ink2 };
    let range = (frame.body_floor, frame.body_floor.max(0.95 * frame.body));
    Some(setter.set(Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, ink, range).lines(4), width))
}
