//! Palettes: a scheme's few colours, and everything else derived from them in OKLCH.
//!
//! Two rules hold for every palette. Text colours are moved in lightness until they pass their contrast, never in hue.
//! And a field under text keeps out of the band .55 < L < .78, in which neither black nor white ink reads well.
//!
//! Curated seeds leave hues 265–310 out on purpose: violet is what generated pictures look like.

use super::Palette;
use crate::scene::Color;
use crate::scene::color::Oklch;

/// Contrast that small text keeps, a little over WCAG's 4.5 so that anti-aliasing leaves it above.
pub(super) const SMALL_TEXT: f32 = 4.9;
/// The lightness contrast (APCA) that goes with it.
pub(super) const SMALL_LC: f32 = 61.0;
/// The lightness that a dark field under light text may have at most.
pub(super) const FIELD_DARK: f32 = 0.55;
/// The lightness that a light field under dark text must have at least.
pub(super) const FIELD_LIGHT: f32 = 0.78;

impl Palette {
    /// The same palette on another ground.
    pub(crate) fn on_ground(self, ground: Color) -> Self {
        let lch = ground.to_oklch();
        // Out of the band in which no ink reads.
        let l = if (FIELD_DARK..FIELD_LIGHT).contains(&lch.l) {
            if lch.l < 0.68 { FIELD_DARK } else { FIELD_LIGHT }
        } else {
            lch.l
        };
        let bg = Oklch { l, ..lch }.to_color();
        let shade = |d: f32| Oklch { l: (l + d).clamp(0.0, 1.0), ..lch }.to_color();
        let step = if l < 0.6 { 1.0 } else { -1.0 };
        let ink = |c: Color| if c.contrast(bg) >= SMALL_TEXT { c } else { ink_on(bg, lch.h) };
        let art = self.art.map(|c| if c == self.bg { bg } else { c });
        Self {
            bg,
            surface: shade(0.045 * step),
            ink: ink(self.ink),
            ink2: ink(self.ink2),
            line: shade(0.12 * step),
            tint: shade(0.03 * step),
            accent_text: legible(self.accent_text.to_oklch(), bg, SMALL_TEXT),
            art,
            ..self
        }
    }
}

/// A brand's colours on their way into a style's scheme.
pub struct Branding<'s> {
    /// The brand's main colour.
    pub primary: Color,
    /// Its accent, or its second colour.
    pub accent: Option<Color>,
    /// Its second colour.
    pub secondary: Option<Color>,
    /// The colours of the scheme.
    pub(super) scheme: &'s mut [Color],
}

impl Branding<'_> {
    /// Puts a colour in place `n` of the scheme.
    pub fn put(&mut self, n: usize, color: Color) {
        if let Some(slot) = self.scheme.get_mut(n) {
            *slot = color;
        }
    }
}

/// A colour as a light field.
pub(super) fn light(c: Color) -> Color {
    let lch = c.to_oklch();
    Oklch { l: lch.l.max(FIELD_LIGHT + 0.04), c: lch.c.min(0.13), ..lch }.to_color()
}

/// A colour as a pastel, its hue turned.
pub(super) fn pastel(c: Color, turn: f32) -> Color {
    Oklch::new(0.86, c.to_oklch().c.clamp(0.05, 0.1), c.to_oklch().h + turn).to_color()
}

/// The accent as text on a light ground; a bright seed that would turn brown or olive on the way leaves it to the ink.
pub(super) fn accent_ink(seed: Oklch, bg: Color, ink: Color) -> Color {
    let moved = legible(seed, bg, SMALL_TEXT);
    if seed.l - moved.to_oklch().l > 0.2 { ink } else { moved }
}

/// The seed moved in lightness until it reads on `bg` at `ratio`.
pub(super) fn legible(seed: Oklch, bg: Color, ratio: f32) -> Color {
    let darker = bg.luminance() > 0.18;
    let mut l = seed.l;
    for _ in 0..200 {
        let c = Oklch { l, ..seed }.to_color();
        if c.contrast(bg) >= ratio && (ratio < SMALL_TEXT || c.apca(bg) >= SMALL_LC) {
            return c;
        }
        l += if darker { -0.005 } else { 0.005 };
    }
    if darker { Color::BLACK } else { Color::WHITE }
}

/// A colour that text on `ground` is asked to have: as it is where it can be read, else in the lightness nearest to its own
/// in which it can.
pub fn readable(ink: Color, ground: Color) -> Color {
    if ink.contrast(ground) >= SMALL_TEXT && ink.apca(ground) >= SMALL_LC {
        ink
    } else {
        legible(ink.to_oklch(), ground, SMALL_TEXT)
    }
}

/// A colour as a field under text, out of the lightnesses in which no ink reads.
pub(crate) fn field_for_text(color: Color) -> Color {
    text_field(color.to_oklch())
}

/// Near-white or near-black, whichever reads better on a field.
pub(crate) fn ink_for(field: Color) -> Color {
    ink_on(field, field.to_oklch().h)
}

/// The seed as a field under text: out of the dead band, to whichever side is nearer to its own lightness.
pub(super) fn text_field(seed: Oklch) -> Color {
    let to = if seed.l >= 0.72 { seed.l.max(FIELD_LIGHT + 0.02) } else { seed.l.min(FIELD_DARK) };
    let mut field = Oklch { l: to, ..seed };
    // Light ink on a dark field needs its contrast too; yellow-greens are bright for their lightness.
    while field.l < FIELD_LIGHT && Color::WHITE.contrast(field.to_color()) < SMALL_TEXT + 0.25 && field.l > 0.2 {
        field.l -= 0.005;
    }
    field.to_color()
}

/// Near-white or near-black of the hue `h`, whichever reads better on `field`.
pub(super) fn ink_on(field: Color, h: f32) -> Color {
    let light = Oklch::new(0.978, 0.012, h).to_color();
    let dark = Oklch::new(0.16, 0.025, h).to_color();
    if light.contrast(field) >= dark.contrast(field) { light } else { dark }
}
