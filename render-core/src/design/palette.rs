//! Palettes: a curated seed colour, and everything else derived from it in OKLCH.
//!
//! Two rules hold for every palette. Text colours are moved in lightness until they pass their contrast, never in hue.
//! And a field under text keeps out of the band .55 < L < .78, in which neither black nor white ink reads well.

use super::{Field, Palette, Style};
use crate::scene::Color;
use crate::scene::color::Oklch;

/// Contrast that small text keeps, a little over WCAG's 4.5 so that anti-aliasing leaves it above.
const SMALL_TEXT: f32 = 4.9;
/// The lightness that a dark field under light text may have at most.
const FIELD_DARK: f32 = 0.55;
/// The lightness that a light field under dark text must have at least.
const FIELD_LIGHT: f32 = 0.78;

/// Curated seeds. Hues 265–310 are left out on purpose: violet is what generated pictures look like.
const MODERN: [u32; 6] = [0xFF4D14, 0x0B7A5B, 0x0F6BDC, 0xD41B56, 0xF5B301, 0x0E8C9A];
const MINIMAL: [u32; 5] = [0xD62F14, 0x0B5FD0, 0x0F7B4F, 0xB4530A, 0xC2185B];
const DARK: [u32; 6] = [0xFFB547, 0x3BE0A0, 0x5CC8FF, 0xFF8A73, 0xC9E265, 0xFF9EC4];

impl Palette {
    /// The palette of `style` on `field` that `seed` picks.
    pub fn pick(style: Style, field: Field, seed: u64) -> Self {
        let seeds: &[u32] = match style {
            Style::Modern => &MODERN,
            Style::Minimal => &MINIMAL,
            Style::Dark => &DARK,
        };
        Self::from_seed(style, field, Color::hex(seeds[(seed % seeds.len() as u64) as usize]))
    }

    /// The palette of `style` on `field` around an accent.
    pub fn from_seed(style: Style, field: Field, accent: Color) -> Self {
        match style {
            Style::Modern => modern(field, accent),
            Style::Minimal => minimal(field, accent),
            Style::Dark => dark(field, accent),
        }
    }
}

fn modern(field: Field, accent: Color) -> Palette {
    let seed = accent.to_oklch();
    let paper = Oklch::new(0.958, 0.01, 88.0).to_color();
    let night = Oklch::new(0.205, 0.012, 268.0).to_color();
    let pale = Oklch::new(0.83, seed.c.min(0.11), seed.h + 4.0).to_color();
    match field {
        Field::Base => {
            let tint = Oklch::new(0.928, seed.c.min(0.036), seed.h).to_color();
            Palette {
                bg: paper,
                surface: Oklch::new(0.917, 0.014, 88.0).to_color(),
                ink: night,
                ink2: Oklch::new(0.48, 0.012, 268.0).to_color(),
                line: Oklch::new(0.868, 0.016, 88.0).to_color(),
                accent,
                accent_text: accent_ink(seed, paper, night),
                accent2: pale,
                tint,
                on_accent: ink_on(accent, seed.h),
            }
        }
        Field::Accent => {
            let bg = text_field(seed);
            let ink = ink_on(bg, seed.h);
            let light = bg.to_oklch().l >= FIELD_LIGHT;
            let bg_lch = bg.to_oklch();
            let shade = |d: f32| Oklch::new((bg_lch.l + d).clamp(0.0, 1.0), bg_lch.c, bg_lch.h).to_color();
            Palette {
                bg,
                surface: shade(-0.075),
                ink,
                ink2: ink,
                line: shade(-0.09),
                accent: if light { night } else { pale },
                accent_text: ink,
                accent2: if light { shade(-0.16) } else { Oklch::new(0.16, 0.03, seed.h).to_color() },
                tint: shade(-0.05),
                on_accent: if light { paper } else { Oklch::new(0.16, 0.03, seed.h).to_color() },
            }
        }
        Field::Close => {
            let lifted = Oklch::new(seed.l.max(0.785), seed.c.min(0.14), seed.h).to_color();
            Palette {
                bg: night,
                surface: Oklch::new(0.265, 0.014, 268.0).to_color(),
                ink: paper,
                ink2: Oklch::new(0.8, 0.01, 268.0).to_color(),
                line: Oklch::new(0.335, 0.014, 268.0).to_color(),
                accent: lifted,
                accent_text: lifted,
                accent2: accent,
                tint: Oklch::new(0.3, seed.c.min(0.05), seed.h).to_color(),
                on_accent: ink_on(lifted, seed.h),
            }
        }
    }
}

fn minimal(field: Field, accent: Color) -> Palette {
    let seed = accent.to_oklch();
    let ink = Oklch::new(0.213, 0.004, 100.0).to_color();
    match field {
        Field::Base | Field::Accent => {
            let l = if field == Field::Base { 0.982 } else { 0.928 };
            let bg = if field == Field::Base { Oklch::new(l, 0.006, 95.0) } else { Oklch::new(l, 0.026, seed.h) };
            let bg = bg.to_color();
            // Everything that lies on the tinted field is of its hue.
            let (c, h) = if field == Field::Base { (0.006, 95.0) } else { (0.026, seed.h) };
            Palette {
                bg,
                surface: Oklch::new(l - 0.05, c, h).to_color(),
                ink,
                ink2: Oklch::new(if field == Field::Base { 0.5 } else { 0.45 }, 0.008, 95.0).to_color(),
                line: Oklch::new(l - 0.16, c, h).to_color(),
                accent,
                accent_text: accent_ink(seed, bg, ink),
                accent2: Oklch::new(l - 0.16, c, h).to_color(),
                tint: Oklch::new(l - 0.03, c, h).to_color(),
                on_accent: ink_on(accent, seed.h),
            }
        }
        Field::Close => {
            let lifted = Oklch::new(seed.l.max(0.785), seed.c.min(0.14), seed.h).to_color();
            Palette {
                bg: ink,
                surface: Oklch::new(0.28, 0.004, 100.0).to_color(),
                ink: Oklch::new(0.975, 0.006, 95.0).to_color(),
                ink2: Oklch::new(0.77, 0.006, 95.0).to_color(),
                line: Oklch::new(0.4, 0.004, 95.0).to_color(),
                accent: lifted,
                accent_text: lifted,
                accent2: Oklch::new(0.4, 0.004, 95.0).to_color(),
                tint: Oklch::new(0.28, 0.004, 100.0).to_color(),
                on_accent: ink_on(lifted, seed.h),
            }
        }
    }
}

fn dark(field: Field, accent: Color) -> Palette {
    let seed = accent.to_oklch();
    // The accent's own hue tints the night, so weakly that it reads as black beside it.
    let night = |l: f32, c: f32| Oklch::new(l, c, seed.h).to_color();
    let glow = Oklch::new(seed.l.max(0.8), seed.c, seed.h);
    // The field that contrasts is a deeper night of the accent's hue: the accent itself stays for one object.
    if field == Field::Accent {
        return Palette {
            bg: night(0.275, 0.048),
            surface: night(0.36, 0.055),
            ink: night(0.975, 0.012),
            ink2: night(0.86, 0.04),
            line: night(0.42, 0.055),
            accent: glow.to_color(),
            accent_text: glow.to_color(),
            accent2: Oklch { l: 0.62, ..glow }.to_color(),
            tint: night(0.34, 0.05),
            on_accent: night(0.2, 0.04),
        };
    }
    Palette {
        bg: night(0.145, 0.008),
        surface: night(0.212, 0.012),
        ink: night(0.962, 0.008),
        ink2: night(0.8, 0.014),
        line: night(0.33, 0.015),
        accent: glow.to_color(),
        accent_text: glow.to_color(),
        accent2: Oklch { l: 0.56, ..glow }.to_color(),
        tint: night(0.26, 0.03),
        on_accent: night(0.2, 0.04),
    }
}

/// The accent as text on a light ground; a bright seed that would turn brown or olive on the way leaves it to the ink.
fn accent_ink(seed: Oklch, bg: Color, ink: Color) -> Color {
    let moved = legible(seed, bg, SMALL_TEXT);
    if seed.l - moved.to_oklch().l > 0.2 { ink } else { moved }
}

/// The seed moved in lightness until it reads on `bg` at `ratio`.
fn legible(seed: Oklch, bg: Color, ratio: f32) -> Color {
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
fn text_field(seed: Oklch) -> Color {
    let to = if seed.l >= 0.72 { seed.l.max(FIELD_LIGHT + 0.02) } else { seed.l.min(FIELD_DARK) };
    let mut field = Oklch { l: to, ..seed };
    // Light ink on a dark field needs its contrast too; yellow-greens are bright for their lightness.
    while field.l < FIELD_LIGHT && Color::WHITE.contrast(field.to_color()) < SMALL_TEXT + 0.25 && field.l > 0.2 {
        field.l -= 0.005;
    }
    field.to_color()
}

/// Near-white or near-black of the hue `h`, whichever reads better on `field`.
fn ink_on(field: Color, h: f32) -> Color {
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
