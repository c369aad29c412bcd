//! minimal: near-white, ink, a trace of accent.

use super::super::palette::{Branding, accent_ink, ink_on};
use super::super::theme::Setting;
use super::super::{
    Background, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles,
    Traveller, Voice,
};
use crate::icon::IconSet;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

pub(super) const THEME: Theme = Theme {
    rank: 1,
    about: "near-white, ink and a trace of accent; small type with much air or one very large line; fine line drawings, rules instead of cards",
    faces: &[
        Faces { display: Family::InstrumentSerif, body: Family::InstrumentSans, data: Family::InstrumentSans },
        Faces { display: Family::InterTight, body: Family::InterTight, data: Family::InterTight },
    ],
    stand_ins: &[],
    japanese: Some(Faces {
        display: Family::ShipporiMincho,
        body: Family::ShipporiMincho,
        data: Family::ShipporiMincho,
    }),
    margin: 88.0,
    radius: 0.0,
    rule: 2.0,
    stroke: 3.0,
    lead_art: &[Recipe::Strokes, Recipe::Pebbles, Recipe::Horizon, Recipe::Arc, Recipe::Discs],
    numerals: Numerals::Plain,
    icons: IconSet::PhosphorLight,
    flourish: Flourish::None,
    frame: None,
    signs_low: true,
    band: false,
    card: None,
    cut: Cut::Rule,
    fields: Fields::One,
    tiles: Tiles::One,
    nodes: Nodes::Ring,
    manner: Manner::Line,
    brand,
    background: |_, _, _, _| None,
    kind_art: |_| None,
    columns: true,
    duotone: false,
    hues: 2.0,
    emptiness: 0.45,
    rhythm: Rhythm::Travelling(Traveller::Rule),
    called: &[],
    schemes: &[&[0xD62F14], &[0x0B5FD0], &[0x0F7B4F], &[0xB4530A], &[0xC2185B]],
    palette,
    voices,
};

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    own.put(0, own.primary);
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    let mincho = |family| family == Family::ShipporiMincho;
    match voice {
        Voice::Figure => Setting { tracking: -0.012, ..voices(Voice::Display, faces) },
        Voice::Display if mincho(faces.display) => Setting::of(faces.display, 500, 0.03, 1.3),
        Voice::Head if mincho(faces.body) => Setting::of(faces.body, 700, 0.03, 1.4),
        Voice::Body if mincho(faces.body) => Setting::of(faces.body, 500, 0.04, 1.7),
        Voice::Label if mincho(faces.body) => Setting::of(faces.body, 500, 0.05, 1.3),
        Voice::Data if mincho(faces.data) => Setting::of(faces.data, 500, 0.03, 1.0),
        Voice::Display if faces.display == Family::InstrumentSerif => Setting::of(faces.display, 400, -0.02, 1.0),
        Voice::Display => Setting::of(faces.display, 600, -0.024, 1.04),
        Voice::Head => Setting::of(faces.body, 600, -0.004, 1.2),
        Voice::Body => Setting::of(faces.body, 400, -0.004, 1.38),
        Voice::Label => Setting::of(faces.body, 500, 0.0, 1.3),
        Voice::Data => Setting::of(faces.data, 400, 0.0, 1.0),
    }
}

/// Returns the accent for areas. A warm colour of the style that is dark enough for text would look brown there, so it
/// is lightened. A brand's accent stays unchanged.
fn lively(accent: Color) -> Color {
    let own = THEME.schemes.iter().any(|scheme| Color::hex(scheme[0]) == accent);
    let seed = accent.to_oklch();
    if own && seed.is_warm() {
        Oklch::new(seed.l.max(0.62), seed.c.clamp(0.17, 0.19), seed.h).to_color()
    } else {
        accent
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let accent = scheme[0];
    let seed = accent.to_oklch();
    let ink = Oklch::new(0.213, 0.004, 100.0).to_color();
    match background {
        Background::Base | Background::Accent => {
            let l = if background == Background::Base { 0.982 } else { 0.928 };
            // A warm accent gets a warm paper, on which it doesn't look like a warning. A tinted background takes the
            // hue of the accent.
            let paper = background == Background::Base && seed.is_warm();
            let (l, c, h) = match background {
                Background::Base if paper => (0.952, 0.018, 82.0),
                Background::Base => (l, 0.006, 95.0),
                _ => (l, 0.026, seed.h),
            };
            let bg = Oklch::new(l, c, h).to_color();
            Palette {
                bg,
                surface: Oklch::new(l - 0.05, c, h).to_color(),
                ink,
                ink2: Oklch::new(if background == Background::Base { 0.5 } else { 0.45 }, 0.008, 95.0).to_color(),
                line: Oklch::new(l - 0.16, c, h).to_color(),
                accent,
                accent_text: accent_ink(seed, bg, ink),
                accent2: Oklch::new(l - 0.16, c, h).to_color(),
                tint: Oklch::new(l - 0.03, c, h).to_color(),
                on_accent: ink_on(accent, seed.h),
                field: ink,
                on_field: Oklch::new(0.975, 0.006, 95.0).to_color(),
                art: [
                    ink,
                    lively(accent),
                    Oklch::new(l - 0.16, c, h).to_color(),
                    Oklch::new(l - 0.03, c, h).to_color(),
                    bg,
                ],
            }
        }
        Background::Close => {
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
                field: Oklch::new(0.975, 0.006, 95.0).to_color(),
                on_field: ink,
                art: [
                    Oklch::new(0.975, 0.006, 95.0).to_color(),
                    lifted,
                    Oklch::new(0.4, 0.004, 95.0).to_color(),
                    Oklch::new(0.28, 0.004, 100.0).to_color(),
                    ink,
                ],
            }
        }
    }
}
