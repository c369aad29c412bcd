//! The name of one side of a page: a plain label, or a small filled one where the style cuts its fields in waves.

use super::inks::Inks;
use super::setter::{Set, Setter, Spec};
use crate::design::{Cut, SlotId, Voice};
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role, TextLevel};

/// Room beside and over the words of a filled label, in em.
const ROOM: (f32, f32) = (0.7, 0.54);

/// A label that has its size, but no place yet.
pub(super) struct Tag<'a> {
    set: Set<'a>,
    fill: Option<Color>,
    /// From its upper to its lower edge.
    pub height: f32,
}

impl<'a> Tag<'a> {
    /// The words of `slot` on the field of `on`; filled with `fill` and in `ink` where the style fills its labels.
    pub fn of(setter: &Setter<'a>, slot: SlotId, on: Inks, (fill, ink): (Color, Color), width: f32) -> Option<Self> {
        let frame = setter.frame;
        let text = setter.text(slot)?;
        let filled = setter.theme.cut == Cut::Wave;
        let (color, ground) = if filled { (ink, fill) } else { (on.accent, on.ground) };
        let size = frame.body.max(0.9 * frame.lead);
        let range = (frame.small, size);
        let spec = Spec::new(slot, text, Voice::Head, TextLevel::Small, color, range).lines(1).on(ground);
        let set = setter.set(spec, if filled { width - 2.0 * ROOM.0 * size } else { width });
        let height = set.height() + if filled { 2.0 * ROOM.1 * set.laid.size } else { 0.0 };
        Some(Self { set, fill: filled.then_some(fill), height })
    }

    /// Places it with its upper edge at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let em = self.set.laid.size;
        let Some(fill) = self.fill else { return setter.place(&self.set, x, y) };
        let rect = Rect::at(x, y, self.set.reach() + 2.0 * ROOM.0 * em, self.height);
        let radii = [self.height / 2.0; 4];
        setter.mark(Item::rounded(rect, radii, fill, Role::Field));
        let stroke = setter.theme.card.map_or(0.0, |c| c.stroke) * setter.frame.k;
        if stroke > 0.0 {
            let coverage = Coverage::Rect { rect: rect.grow(-stroke / 2.0), radii, stroke: Some(stroke) };
            setter.mark(Item::new(coverage, Paint::Solid(setter.page.palette.ink), Role::Field));
        }
        setter.place(&self.set, x + ROOM.0 * em, y + ROOM.1 * em);
    }
}
