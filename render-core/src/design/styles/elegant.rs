//! elegant: ivory or a deep background, a light serif and its italic, metallic colour in rules only.

use super::super::palette::{Branding, SMALL_TEXT, ink_on, legible};
use super::super::theme::Setting;
use super::super::{
    Background, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles, Voice,
};
use crate::design::drawn;
use crate::icon::IconSet;
use crate::outline::PageKind;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

/// Each scheme holds the deep colour, the metallic colour, and the light colour of the art.
pub(super) const THEME: Theme = Theme {
    rank: 3,
    about: "ivory or a deep field; a light serif with its italic; fine rules, much air; pictures are line drawings, few and quiet; no heavy cards, no exclamation",
    faces: &[Faces { display: Family::Newsreader, body: Family::InstrumentSans, data: Family::Newsreader }],
    stand_ins: &[Faces { display: Family::Cormorant, body: Family::Onest, data: Family::Cormorant }],
    japanese: Some(Faces {
        display: Family::ShipporiMincho,
        body: Family::ShipporiMincho,
        data: Family::ShipporiMincho,
    }),
    margin: 96.0,
    radius: 0.0,
    rule: 2.0,
    stroke: 3.0,
    lead_art: &[Recipe::Arch, Recipe::Phases, Recipe::Arc, Recipe::Fan],
    numerals: Numerals::Roman,
    icons: IconSet::PhosphorLight,
    flourish: Flourish::Italic(Family::NewsreaderItalic, 300, 1.0),
    frame: Some(36.0),
    signs_low: true,
    band: false,
    card: None,
    cut: Cut::Rule,
    fields: Fields::One,
    tiles: Tiles::One,
    nodes: Nodes::Ring,
    manner: Manner::Line,
    brand,
    background,
    kind_art,
    columns: false,
    duotone: false,
    hues: 2.0,
    emptiness: 0.45,
    rhythm: Rhythm::Steady,
    called: &[],
    schemes: &[
        &[0x2E4437, 0xB08A52, 0xE0B47C],
        &[0x4A1524, 0xB9855E, 0xE0936B],
        &[0x16304F, 0xB59A5B, 0xE9C591],
        &[0x3A2A1C, 0xA67C52, 0xE3AE72],
        &[0x17383A, 0x9E8A57, 0xC9CFA4],
        &[0x43293B, 0xB48A78, 0xE8B3A2],
    ],
    palette,
    voices,
};

/// Returns the backgrounds of some kinds of page.
fn background(kind: PageKind, recipe: Recipe, seed: u64, _wide: bool) -> Option<Background> {
    match (kind, recipe) {
        (PageKind::Definition, _) | (PageKind::Cover, Recipe::Phases) => Some(Background::Accent),
        (PageKind::Cover, Recipe::Sprig | Recipe::Fan) if drawn(seed, 5).is_multiple_of(2) => Some(Background::Accent),
        _ => None,
    }
}

/// Returns the art of some kinds of page.
fn kind_art(kind: PageKind) -> Option<Recipe> {
    // A definition gets beams of light.
    (kind == PageKind::Definition).then_some(Recipe::Beams)
}

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    own.put(0, own.primary);
    if let Some(accent) = own.accent {
        own.put(1, accent);
    }
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    let mincho = faces.display == Family::ShipporiMincho;
    let d = if mincho { 500 } else { 300 };
    match voice {
        Voice::Display if mincho => Setting::of(faces.display, 500, 0.03, 1.3),
        Voice::Body if mincho => Setting::of(faces.body, 500, 0.04, 1.7),
        Voice::Display => Setting::of(faces.display, d, -0.035, 0.98),
        Voice::Figure => Setting { tracking: -0.03, ..voices(Voice::Display, faces) },
        Voice::Head => Setting::of(faces.display, if mincho { 700 } else { 400 }, -0.015, 1.14),
        Voice::Body => Setting::of(faces.body, 400, -0.004, 1.38),
        Voice::Label => Setting::of(faces.body, 400, 0.0, 1.3),
        Voice::Data => Setting::of(faces.data, if mincho { 500 } else { 400 }, 0.0, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let deep = scheme[0].to_oklch();
    let metal = scheme.get(1).copied().unwrap_or(Color::hex(0xB08A52));
    let light = scheme.get(2).copied().unwrap_or(Color::hex(0xE0B47C));
    let ivory = Oklch::new(0.945, 0.019, 84.0).to_color();
    let night = Oklch::new(0.215, deep.c.min(0.055), deep.h).to_color();
    let shade = |l: f32, c: f32| Oklch::new(l, c, deep.h).to_color();
    if background == Background::Base {
        return Palette {
            bg: ivory,
            surface: Oklch::new(0.912, 0.024, 84.0).to_color(),
            ink: shade(0.265, deep.c.min(0.035)),
            ink2: shade(0.41, deep.c.min(0.03)),
            line: metal,
            accent: scheme[0],
            accent_text: legible(metal.to_oklch(), ivory, SMALL_TEXT + 0.2),
            accent2: light,
            tint: Oklch::new(0.88, 0.035, 84.0).to_color(),
            on_accent: ink_on(scheme[0], deep.h),
            field: night,
            on_field: Oklch::new(0.945, 0.02, 70.0).to_color(),
            art: [scheme[0], metal, light, shade(0.48, deep.c.min(0.05)), shade(0.3, deep.c.min(0.04))],
        };
    }
    let bg =
        if background == Background::Accent { night } else { Oklch::new(0.18, deep.c.min(0.03), deep.h).to_color() };
    let cream = Oklch::new(0.945, 0.02, 70.0).to_color();
    Palette {
        bg,
        surface: shade(0.28, deep.c.min(0.055)),
        ink: cream,
        ink2: Oklch::new(0.82, 0.03, 60.0).to_color(),
        line: legible(metal.to_oklch(), bg, 2.6),
        accent: light,
        accent_text: legible(light.to_oklch(), bg, SMALL_TEXT + 0.4),
        accent2: metal,
        tint: shade(0.33, deep.c.min(0.06)),
        on_accent: ink_on(light, deep.h),
        field: ivory,
        on_field: shade(0.265, deep.c.min(0.035)),
        art: [
            light,
            metal,
            Oklch::new(0.52, 0.12, light.to_oklch().h).to_color(),
            shade(0.36, deep.c.min(0.07)),
            night,
        ],
    }
}
