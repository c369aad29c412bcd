//! Palettes: the few colours of a scheme, and all others derived from them in OKLCH.
//!
//! Two rules hold for every palette. Text colours change only in lightness, never in hue, until their contrast is
//! sufficient. A background under text avoids the band .55 < L < .78, in which neither black nor white ink is readable.
//!
//! Curated seeds leave out the hues 265–310 on purpose: violet is typical of generated pictures.

use super::Palette;
use crate::scene::Color;
use crate::scene::color::Oklch;

/// Least contrast of small text, a little over WCAG's 4.5, so that it stays above after anti-aliasing.
pub(super) const SMALL_TEXT: f32 = 4.9;
/// Least lightness contrast (APCA) of small text.
pub(super) const SMALL_LC: f32 = 61.0;
/// Highest lightness of a dark background under light text.
pub(super) const FIELD_DARK: f32 = 0.55;
/// Lowest lightness of a light background under dark text.
pub(super) const FIELD_LIGHT: f32 = 0.78;

impl Palette {
    /// Returns the same palette on another background.
    pub(crate) fn on_ground(self, ground: Color) -> Self {
        let lch = ground.to_oklch();
        // Avoids the band in which no ink is readable.
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

/// A brand's colours, to be put into a style's scheme.
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
    /// Sets colour `n` of the scheme.
    pub fn put(&mut self, n: usize, color: Color) {
        if let Some(slot) = self.scheme.get_mut(n) {
            *slot = color;
        }
    }
}

/// Returns a colour as a light background.
pub(super) fn light(c: Color) -> Color {
    let lch = c.to_oklch();
    Oklch { l: lch.l.max(FIELD_LIGHT + 0.04), c: lch.c.min(0.13), ..lch }.to_color()
}

/// Returns a colour as a pastel with its hue rotated.
pub(super) fn pastel(c: Color, turn: f32) -> Color {
    Oklch::new(0.86, c.to_oklch().c.clamp(0.05, 0.1), c.to_oklch().h + turn).to_color()
}

/// Returns the accent as text on a light background. A bright seed that would turn brown or olive is replaced by the
/// ink.
pub(super) fn accent_ink(seed: Oklch, bg: Color, ink: Color) -> Color {
    let moved = legible(seed, bg, SMALL_TEXT);
    if seed.l - moved.to_oklch().l > 0.2 { ink } else { moved }
}

/// Changes the seed's lightness until its contrast on `bg` reaches `ratio`.
pub(super) fn legible(seed: Oklch, bg: Color, ratio: f32) -> Color {
    let darker = bg.luminance() > 0.18;
    let lc = if ratio < SMALL_TEXT { 0.0 } else { SMALL_LC };
    readable_shade(seed, bg, darker, (ratio, lc)).unwrap_or(if darker { Color::BLACK } else { Color::WHITE })
}

/// Returns the nearest darker or lighter shade of `seed` whose contrasts (WCAG, APCA) on `bg` reach `least`; `None` if
/// no shade does.
pub(super) fn readable_shade(seed: Oklch, bg: Color, darker: bool, least: (f32, f32)) -> Option<Color> {
    let step = if darker { -0.005 } else { 0.005 };
    let mut shades = (0..200).map(|n| Oklch { l: (seed.l + step * n as f32).clamp(0.0, 1.0), ..seed }.to_color());
    shades.find(|c| c.contrast(bg) >= least.0 && c.apca(bg) >= least.1)
}

/// Returns the requested colour of text on `ground`: unchanged if it is readable, else with the nearest lightness at
/// which it is.
pub fn readable(ink: Color, ground: Color) -> Color {
    if ink.contrast(ground) >= SMALL_TEXT && ink.apca(ground) >= SMALL_LC {
        ink
    } else {
        legible(ink.to_oklch(), ground, SMALL_TEXT)
    }
}

/// Returns a colour as a background under text, outside the band in which no ink is readable.
pub(crate) fn field_for_text(color: Color) -> Color {
    text_field(color.to_oklch())
}

/// Returns near white or near black, whichever has more contrast on a background.
pub(crate) fn ink_for(field: Color) -> Color {
    ink_on(field, field.to_oklch().h)
}

/// Returns the seed as a background under text, moved out of the unreadable band to the nearer side.
pub(super) fn text_field(seed: Oklch) -> Color {
    let to = if seed.l >= 0.72 { seed.l.max(FIELD_LIGHT + 0.02) } else { seed.l.min(FIELD_DARK) };
    let mut field = Oklch { l: to, ..seed };
    // Light ink on a dark background needs its contrast too; yellow-greens have a high luminance for their lightness.
    while field.l < FIELD_LIGHT && Color::WHITE.contrast(field.to_color()) < SMALL_TEXT + 0.25 && field.l > 0.2 {
        field.l -= 0.005;
    }
    field.to_color()
}

/// Returns near white or near black with the hue `h`, whichever has more contrast on `field`.
pub(super) fn ink_on(field: Color, h: f32) -> Color {
    let (light, dark) = inks(h);
    if light.contrast(field) >= dark.contrast(field) { light } else { dark }
}

/// Returns near white and near black with the hue `h`.
pub(super) fn inks(h: f32) -> (Color, Color) {
    (Oklch::new(0.978, 0.012, h).to_color(), Oklch::new(0.16, 0.025, h).to_color())
}
