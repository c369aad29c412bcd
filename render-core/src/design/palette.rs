//! Palettes: a scheme's few colours, and everything else derived from them in OKLCH.
//!
//! Two rules hold for every palette. Text colours are moved in lightness until they pass their contrast, never in hue.
//! And a field under text keeps out of the band .55 < L < .78, in which neither black nor white ink reads well.
//!
//! Curated seeds leave hues 265–310 out on purpose: violet is what generated pictures look like.

use super::{Field, Palette, Style, Theme};
use crate::scene::Color;
use crate::scene::color::Oklch;

/// Contrast that small text keeps, a little over WCAG's 4.5 so that anti-aliasing leaves it above.
pub(super) const SMALL_TEXT: f32 = 4.9;
/// The lightness that a dark field under light text may have at most.
pub(super) const FIELD_DARK: f32 = 0.55;
/// The lightness that a light field under dark text must have at least.
pub(super) const FIELD_LIGHT: f32 = 0.78;

impl Palette {
    /// The palette of `style` on `field` that `seed` picks.
    pub fn pick(style: Style, field: Field, seed: u64) -> Self {
        let theme = Theme::of(style);
        let scheme = theme.schemes[(seed % theme.schemes.len() as u64) as usize];
        let colors: Vec<Color> = scheme.iter().map(|hex| Color::hex(*hex)).collect();
        (theme.palette)(field, &colors)
    }
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
        if c.contrast(bg) >= ratio {
            return c;
        }
        l += if darker { -0.005 } else { 0.005 };
    }
    if darker { Color::BLACK } else { Color::WHITE }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (Style, Field, Palette)> {
        Style::ALL.into_iter().flat_map(|style| {
            [Field::Base, Field::Accent, Field::Close]
                .into_iter()
                .flat_map(move |field| (0..30).map(move |seed| (style, field, Palette::pick(style, field, seed))))
        })
    }

    #[test]
    fn every_text_colour_reads_on_its_field() {
        for (style, field, p) in all() {
            for (name, ink) in [("ink", p.ink), ("ink2", p.ink2), ("accent_text", p.accent_text)] {
                let ratio = ink.contrast(p.bg);
                assert!(ratio >= 4.5, "{style:?} {field:?} {name} {} on {}: {ratio}", ink.to_hex(), p.bg.to_hex());
                let lc = ink.apca(p.bg);
                assert!(lc >= 60.0, "{style:?} {field:?} {name} {} on {}: Lc {lc}", ink.to_hex(), p.bg.to_hex());
            }
            assert!(p.on_accent.contrast(p.accent) >= 4.5, "{style:?} {field:?} on {}", p.accent.to_hex());
        }
    }

    #[test]
    fn fields_keep_out_of_the_dead_band() {
        for (style, field, p) in all() {
            let l = p.bg.to_oklch().l;
            assert!(
                l <= FIELD_DARK + 0.005 || l >= FIELD_LIGHT - 0.005,
                "{style:?} {field:?} {}: L {l}",
                p.bg.to_hex()
            );
        }
    }
}
