//! modern: warm paper, one saturated seed colour, geometric art.

use super::super::palette::{Branding, FIELD_LIGHT, accent_ink, ink_on, text_field};
use super::super::theme::Setting;
use super::super::{
    Background, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles, Voice,
};
use crate::icon::IconSet;
use crate::outline::PageKind;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

pub(super) const THEME: Theme = Theme {
    rank: 0,
    about: "warm paper with one saturated colour; a tight grotesque; flat geometric pictures; cards and pills",
    faces: &[
        Faces { display: Family::Manrope, body: Family::Manrope, data: Family::Manrope },
        Faces { display: Family::HankenGrotesk, body: Family::HankenGrotesk, data: Family::HankenGrotesk },
    ],
    stand_ins: &[],
    japanese: None,
    margin: 72.0,
    radius: 28.0,
    rule: 2.0,
    stroke: 6.0,
    lead_art: &[Recipe::Contours, Recipe::Dots, Recipe::Stack, Recipe::Mosaic],
    numerals: Numerals::Accent,
    icons: IconSet::Lucide,
    flourish: Flourish::None,
    frame: None,
    signs_low: false,
    band: false,
    card: None,
    cut: Cut::Straight,
    fields: Fields::One,
    tiles: Tiles::One,
    nodes: Nodes::Solid,
    manner: Manner::Flat,
    // The second colour of a scheme is used on dark backgrounds; without one, the lightened seed is.
    brand,
    background,
    kind_art: |_| None,
    columns: false,
    duotone: false,
    hues: 2.0,
    emptiness: 0.3,
    rhythm: Rhythm::Steady,
    called: &[],
    schemes: &[&[0xFF4D14], &[0x0B7A5B, 0xD7F35C], &[0x0F6BDC], &[0xD41B56], &[0xF5B301], &[0x0C7A86, 0xD7F35C]],
    palette,
    voices,
};

/// Returns the backgrounds of some kinds of page.
fn background(kind: PageKind, recipe: Recipe, _seed: u64, wide: bool) -> Option<Background> {
    match (kind, recipe) {
        // On a wide card, lines in the colour of their own background look flat, so they get the dark background.
        (PageKind::Cover, Recipe::Contours) if wide => Some(Background::Close),
        (PageKind::Cover, Recipe::Contours) => Some(Background::Accent),
        _ => None,
    }
}

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    own.put(0, own.primary);
    // The colour on dark backgrounds is the brand's too.
    own.put(1, own.primary);
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    match voice {
        Voice::Display if faces.display == Family::HankenGrotesk => Setting::of(faces.display, 700, -0.042, 1.0),
        Voice::Display => Setting::of(faces.display, 800, -0.046, 1.0),
        Voice::Figure => Setting { tracking: -0.012, ..voices(Voice::Display, faces) },
        Voice::Head => Setting::of(faces.body, 700, -0.02, 1.16),
        Voice::Body => Setting::of(faces.body, 500, -0.01, 1.38),
        Voice::Label => Setting::of(faces.body, 600, -0.01, 1.3),
        Voice::Data => Setting::of(faces.data, 700, -0.01, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let accent = scheme[0];
    let seed = accent.to_oklch();
    let paper = Oklch::new(0.958, 0.01, 88.0).to_color();
    let night = Oklch::new(0.205, 0.012, 268.0).to_color();
    let pale = Oklch::new(0.83, seed.c.min(0.11), seed.h + 4.0).to_color();
    match background {
        Background::Base => {
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
                field: text_field(seed),
                on_field: ink_on(text_field(seed), seed.h),
                art: [night, accent, pale, tint, paper],
            }
        }
        Background::Accent => {
            let bg = text_field(seed);
            let ink = ink_on(bg, seed.h);
            let light = bg.to_oklch().l >= FIELD_LIGHT;
            let bg_lch = bg.to_oklch();
            let shade = |d: f32| Oklch::new((bg_lch.l + d).clamp(0.0, 1.0), bg_lch.c, bg_lch.h).to_color();
            let deep = Oklch::new(0.16, 0.03, seed.h).to_color();
            let accent = if light { night } else { pale };
            let (accent2, tint) = (if light { shade(-0.16) } else { deep }, shade(-0.05));
            let on_accent = if light { paper } else { deep };
            Palette {
                bg,
                surface: shade(-0.075),
                ink,
                ink2: ink,
                line: shade(-0.09),
                accent,
                accent_text: ink,
                accent2,
                tint,
                on_accent,
                field: deep,
                on_field: paper,
                art: [ink, accent, accent2, tint, bg],
            }
        }
        Background::Close => {
            let tint = Oklch::new(0.3, seed.c.min(0.05), seed.h).to_color();
            // A dark shade of the accent's hue: neutral black looks dull next to it. A warm hue would look brown.
            let (base, chroma, hue) = match seed.is_warm() {
                true => (0.22, 0.012, 268.0),
                // Greens and blues have room for chroma below the text's contrast; dark reds would glow.
                false => (if (100.0..300.0).contains(&seed.h) { 0.29 } else { 0.235 }, seed.c.min(0.046), seed.h),
            };
            let dark = |lift: f32| Oklch::new(base + lift, chroma, hue).to_color();
            // The colour is kept where it is readable, and otherwise lightened.
            let shines = *scheme.get(1).unwrap_or(&accent);
            let lch = shines.to_oklch();
            let lifted = Oklch::new(lch.l.max(0.785), lch.c.min(0.14), lch.h).to_color();
            let shines = if shines.contrast(dark(0.0)) >= 4.6 { shines } else { lifted };
            let read = if shines.to_oklch().l >= lifted.to_oklch().l { shines } else { lifted };
            Palette {
                bg: dark(0.0),
                surface: dark(0.045),
                ink: paper,
                ink2: Oklch::new(0.8, 0.01, 268.0).to_color(),
                line: dark(0.12),
                accent: shines,
                accent_text: read,
                accent2: accent,
                tint,
                on_accent: ink_on(shines, seed.h),
                field: shines,
                on_field: ink_on(shines, seed.h),
                art: [paper, shines, accent, tint, dark(0.0)],
            }
        }
    }
}
