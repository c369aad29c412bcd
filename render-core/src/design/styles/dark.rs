//! dark: near-black, one luminous accent.

use super::super::palette::Branding;
use super::super::theme::Setting;
use super::super::{
    Background, Card, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles,
    Traveller, Voice,
};
use crate::icon::IconSet;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

/// The hue of the dark background under a warm accent, in degrees.
const COLD: f32 = 262.0;

pub(super) const THEME: Theme = Theme {
    rank: 7,
    about: "near-black with one luminous accent; technical grotesque; isometric pictures; terminals, diagrams and glowing figures feel at home",
    faces: &[
        Faces { display: Family::SpaceGrotesk, body: Family::SpaceGrotesk, data: Family::GeistMono },
        Faces { display: Family::Geist, body: Family::Geist, data: Family::GeistMono },
    ],
    stand_ins: &[],
    japanese: None,
    margin: 76.0,
    radius: 32.0,
    rule: 3.0,
    stroke: 6.0,
    lead_art: &[Recipe::Limb, Recipe::Orbit, Recipe::Aurora, Recipe::Ridge, Recipe::Contours, Recipe::Pulse],
    numerals: Numerals::Accent,
    icons: IconSet::Lucide,
    flourish: Flourish::None,
    frame: None,
    signs_low: true,
    band: false,
    card: Some(Card { stroke: 0.0, shadow: 0.0, tilt: 0.0 }),
    cut: Cut::Straight,
    fields: Fields::One,
    tiles: Tiles::One,
    nodes: Nodes::Lit,
    manner: Manner::Isometric,
    brand,
    background: |_, _, _, _| None,
    kind_art: |_| None,
    columns: false,
    duotone: false,
    hues: 2.0,
    emptiness: 0.3,
    rhythm: Rhythm::Travelling(Traveller::Disc),
    called: &["dark", "night"],
    schemes: &[&[0xFFB547], &[0x3BE0A0], &[0x5CC8FF], &[0xFF8A73], &[0xC9E265], &[0xFF9EC4]],
    palette,
    voices,
};

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    own.put(0, own.primary);
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    let geist = faces.body == Family::Geist;
    match voice {
        Voice::Figure => Setting { tracking: -0.012, ..voices(Voice::Display, faces) },
        Voice::Display if faces.display == Family::Geist => Setting::of(faces.display, 600, -0.034, 1.0),
        Voice::Display => Setting::of(faces.display, 600, -0.046, 0.98),
        Voice::Head => Setting::of(faces.body, 600, -0.014, 1.16),
        Voice::Body => Setting::of(faces.body, if geist { 400 } else { 500 }, -0.01, 1.36),
        // Unless the body font is Geist, labels use the data font, like the print on an instrument.
        Voice::Label if !geist => Setting::of(faces.data, 400, -0.03, 1.3),
        Voice::Label => Setting::of(faces.body, 500, -0.01, 1.3),
        Voice::Data => Setting::of(faces.data, 500, -0.03, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let accent = scheme[0];
    let seed = accent.to_oklch();
    // The accent's hue tints the dark background, so weakly that it looks black next to it. A warm accent gets a cold
    // background, because a warm black looks brown.
    let hue = if background == Background::Accent || !seed.is_warm() { seed.h } else { COLD };
    let night = |l: f32, c: f32| Oklch::new(l, c, hue).to_color();
    let glow = Oklch::new(seed.l.max(0.8), seed.c, seed.h);
    // The contrasting background is a lighter, more saturated shade of the accent's hue; the accent itself is reserved
    // for one object.
    if background == Background::Accent {
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
            field: glow.to_color(),
            on_field: night(0.2, 0.04),
            art: [
                night(0.975, 0.012),
                glow.to_color(),
                Oklch { l: 0.62, ..glow }.to_color(),
                night(0.34, 0.05),
                night(0.36, 0.055),
            ],
        };
    }
    Palette {
        // A grey has no hue for the tint.
        bg: night(0.138, if glow.is_grey() { 0.003 } else { 0.01 }),
        surface: night(0.212, 0.012),
        ink: night(0.962, 0.008),
        ink2: night(0.8, 0.014),
        line: night(0.33, 0.015),
        accent: glow.to_color(),
        accent_text: glow.to_color(),
        accent2: Oklch { l: 0.56, ..glow }.to_color(),
        tint: night(0.26, 0.03),
        on_accent: night(0.2, 0.04),
        field: glow.to_color(),
        on_field: night(0.2, 0.04),
        art: [
            night(0.962, 0.008),
            glow.to_color(),
            Oklch { l: 0.56, ..glow }.to_color(),
            night(0.26, 0.03),
            night(0.212, 0.012),
        ],
    }
}
