//! The numeral of a step, as large as its place allows: a figure of the display face, an italic Roman one, or a figure on
//! a tile, as the style counts.

use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use super::super::tiles::{Coat, tile};
use super::{art, art_on_clear_sides, art_top};
use crate::art::Scale;
use crate::design::{Field, Numerals, SlotId, Voice};
use crate::scene::{Rect, TextLevel};
use crate::text::{FaceId, TextSpan};

/// Height of figures, and of small Roman numerals with their dots, in em.
const HIGH: (f32, f32) = (0.72, 0.7);
/// The largest sizes as multiples of the lead: of figures, and of numerals that are as quiet as their style.
const MOST: (f32, f32) = (18.0, 9.0);
/// Room around a figure on its tile, against the figure's height.
const ROOM: f32 = 0.28;

/// A numeral that has its size, but no place yet.
pub(super) struct Numeral<'a> {
    set: Set<'a>,
    tile: Option<Rect>,
    /// From its left edge to the farthest ink.
    pub width: f32,
    /// From its top to its foot.
    pub height: f32,
}

/// The page's numeral in at most `width` × `height`, on the field of `on`; `None` where it has none or too little room.
pub(super) fn of<'a>(setter: &Setter<'a>, on: Inks, (width, height): (f32, f32)) -> Option<Numeral<'a>> {
    let lead = setter.frame.lead;
    let text = setter.text(SlotId::Number)?;
    let roman = setter.theme.numerals == Numerals::Roman;
    let own = text.parse::<usize>().ok().and_then(|n| setter.numerals.get(n.checked_sub(1)?));
    let text = own.filter(|_| roman).map_or(text, String::as_str);
    let carded = setter.theme.card.is_some_and(|c| c.stroke > 0.0) && setter.page.field == Field::Base;
    let (high, most) = if roman { (HIGH.1, MOST.1) } else { (HIGH.0, MOST.0) };
    let inner = if carded { height / (1.0 + 2.0 * ROOM) } else { height };
    let size = (inner / high).min(most * lead);
    let least = 1.6 * lead;
    if size < least {
        return None;
    }
    let coat = Coat::of(setter, turn(setter), false);
    let ink = if carded { coat.ink } else { on.large_accent(&setter.page.palette) };
    let spec = Spec::new(SlotId::Number, text, Voice::Figure, TextLevel::Hero, ink, (least, size)).lines(1);
    let spec = spec.on(if carded { coat.fill } else { on.ground });
    let italic = || {
        let face = setter.fonts.italic(setter.style(Voice::Figure, size).face)?;
        let covers = |f: &FaceId| setter.fonts.covers_text(setter.fonts.family(*f), text);
        Some(TextSpan { face: Some(face).filter(covers), ..TextSpan::tagged(0..text.len(), 0) })
    };
    let spec = if roman { spec.spans(italic().into_iter().collect()) } else { spec };
    let set = setter.set(spec, if carded { width - 2.0 * ROOM * inner } else { width });
    if !carded {
        let (width, height) = (set.reach(), set.height());
        return Some(Numeral { set, tile: None, width, height });
    }
    let pad = ROOM * set.height();
    let side = (set.height() + 2.0 * pad).max(set.laid.ink.w() + 2.0 * pad);
    let tile = Rect::at(0.0, 0.0, side, set.height() + 2.0 * pad);
    Some(Numeral { set, tile: Some(tile), width: side, height: tile.h() })
}

/// Places a page's numeral at the start of `area`, and offers its art the upper corner at the end: over `below`, where the
/// words begin, and no nearer to them than `clear`.
pub(super) fn over<'a>(setter: &mut Setter<'a>, area: &Rect, numeral: Option<&Numeral<'a>>, below: f32, clear: f32) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    if let Some(numeral) = numeral {
        numeral.place(setter, area.x0, area.y0);
    }
    let reach = numeral.map_or(0.0, |n| n.width);
    let top = art_top(setter, area);
    let side = (below - clear - top).min(0.3 * size.w);
    let left = (size.w - side).max(reach + area.x0 + 60.0 * k);
    if !art_on_clear_sides(setter, Scale::Accent) {
        art(setter, Rect::new(left, top, size.w, top + side), Scale::Accent);
    }
}

/// Which tile it is: slides of a set take turns.
pub(super) fn turn(setter: &Setter<'_>) -> usize {
    setter.page.slide.map_or(0, |s| s.index as usize)
}

impl<'a> Numeral<'a> {
    /// Places it with its top at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let Some(rect) = self.tile else { return setter.place(&self.set, x, y) };
        let (n, rect) = (turn(setter), rect.shift(x, y));
        let coat = Coat::of(setter, n, false);
        // Its ink starts at its left edge and ends at its reach.
        let left = x + 0.5 * (rect.w() - self.set.reach());
        tile(setter, rect, n, coat, |setter| {
            setter.place(&self.set, left, y + 0.5 * (rect.h() - self.set.height()));
        });
    }
}
