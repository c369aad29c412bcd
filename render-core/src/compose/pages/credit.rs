//! Who said it: the name, and under it what comes after the first comma, told from the quotation as the style does.

use super::super::setter::{Set, Setter, Spec};
use crate::design::{Field, Flourish, SlotId, Voice};
use crate::scene::{Item, Rect, Role, TextLevel};
use crate::text::TextSpan;

/// Width of the short rule over a name, and the room under it, in units.
const RULE: (f32, f32) = (96.0, 40.0);
/// Room around a name on its block, in em.
const BLOCK: (f32, f32) = (0.42, 0.42);

/// A name that has its size, but no place yet.
pub(super) struct Credit<'a> {
    name: Set<'a>,
    role: Option<Set<'a>>,
    gap: f32,
    /// Over the name: a rule and its room, or the edge of its block.
    over: f32,
    block: bool,
    /// From its top to its last baseline.
    pub height: f32,
}

/// The page's attribution in `width`; `None` where nobody is named.
pub(super) fn of<'a>(setter: &Setter<'a>, width: f32) -> Option<Credit<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let b = frame.body;
    let text = setter.text(SlotId::Attribution)?;
    let (name, role) = text.split_once(", ").map_or((text, None), |(name, role)| (name, Some(role)));
    let range = (frame.small.max(0.8 * b), 0.96 * b);
    let spec = |text, voice, ink| Spec::new(SlotId::Attribution, text, voice, TextLevel::Small, ink, range).lines(2);
    let block = setter.theme.flourish == Flourish::Block;
    let ink = if block { palette.bg } else { palette.ink };
    let name = match setter.theme.flourish {
        // In the italic of headlines; it runs smaller than the upright faces.
        Flourish::Italic(family, weight, _) if setter.fonts.covers_text(family, name) => {
            let face = Some(setter.fonts.face(family, weight));
            let span = TextSpan { face, ..TextSpan::tagged(0..name.len(), 0) };
            spec(name, Voice::Head, ink).range(range.0, 1.36 * range.1).spans(vec![span])
        }
        _ => spec(name, Voice::Head, ink),
    };
    let name = if block { name.lines(1).on(palette.ink) } else { name };
    let name = setter.set(name, width - if block { 2.0 * BLOCK.0 * b } else { 0.0 });
    let role = role.map(|text| setter.set(spec(text, Voice::Body, palette.ink2), width));
    let size = name.laid.size;
    let over = match () {
        () if block => BLOCK.1 * size,
        () if ruled(setter) => RULE.1 * frame.k,
        () => 0.0,
    };
    let gap = 0.7 * b + if block { BLOCK.1 * size } else { 0.0 };
    let height = over + name.height() + role.as_ref().map_or(over * f32::from(u8::from(block)), |r| gap + r.height());
    Some(Credit { name, role, gap, over, block, height })
}

/// Whether a short rule stands over the name: where the style frames its pages or sets headlines on a band.
fn ruled(setter: &Setter<'_>) -> bool {
    setter.theme.frame.is_some() || setter.theme.band
}

impl<'a> Credit<'a> {
    /// Places it with its last baseline at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let (palette, k) = (setter.page.palette, setter.frame.k);
        let top = y - self.height;
        let cap = top + self.over;
        let em = self.name.laid.size;
        let mut left = x;
        if self.block {
            left += BLOCK.0 * em;
            let width = self.name.reach() + 2.0 * BLOCK.0 * em;
            let rect = Rect::at(x, top, width, self.name.height() + 2.0 * self.over);
            setter.mark(Item::rect(rect, palette.ink, Role::Field));
        } else if self.over > 0.0 {
            let color =
                if setter.page.field == Field::Base && setter.theme.band { palette.accent } else { palette.line };
            let t = if setter.theme.band { 0.9 * setter.theme.stroke } else { setter.theme.rule } * k;
            setter.mark(Item::rect(Rect::at(x, top, RULE.0 * k, t), color, Role::Mark));
        }
        setter.place(&self.name, left, cap);
        if let Some(role) = &self.role {
            setter.place(role, x, cap + self.name.height() + self.gap);
        }
    }
}
