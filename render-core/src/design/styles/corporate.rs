//! corporate: white, a deep navy or green, one signal colour for what matters.

use super::super::palette::{Branding, SMALL_TEXT, ink_on, legible};
use super::super::theme::Setting;
use super::super::{
    Background, Card, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles,
    Traveller, Voice,
};
use crate::design::drawn;
use crate::icon::IconSet;
use crate::outline::PageKind;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

/// Each scheme holds the deep colour and the signal colour.
pub(super) const THEME: Theme = Theme {
    rank: 5,
    about: "white with deep navy or green and one alert hue that marks what matters; sober grotesque; isometric pictures; charts, tables and ruled rows feel at home",
    faces: &[
        Faces { display: Family::Literata, body: Family::PublicSans, data: Family::PublicSans },
        Faces { display: Family::PublicSans, body: Family::PublicSans, data: Family::PublicSans },
    ],
    stand_ins: &[Faces { display: Family::InterTight, body: Family::InterTight, data: Family::InterTight }],
    japanese: None,
    margin: 72.0,
    radius: 16.0,
    rule: 2.0,
    stroke: 7.0,
    lead_art: &[
        Recipe::Columns,
        Recipe::Grid,
        Recipe::Steps,
        Recipe::Trend,
        Recipe::Rings,
        Recipe::Flow,
        Recipe::Prisms,
    ],
    numerals: Numerals::Accent,
    icons: IconSet::Tabler,
    flourish: Flourish::None,
    frame: None,
    signs_low: true,
    band: true,
    card: Some(Card { stroke: 0.0, shadow: 0.0, tilt: 0.0 }),
    cut: Cut::Straight,
    fields: Fields::Upper,
    tiles: Tiles::One,
    nodes: Nodes::Solid,
    manner: Manner::Isometric,
    brand,
    background,
    kind_art: |_| None,
    columns: false,
    duotone: false,
    hues: 2.0,
    emptiness: 0.3,
    rhythm: Rhythm::Travelling(Traveller::Band),
    called: &[],
    schemes: &[
        &[0x0B1F3A, 0xC4410E],
        &[0x0F5C45, 0xB4530A],
        &[0x0E3A46, 0xC2410C],
        &[0x1B2A4A, 0x0B7285],
        &[0x3B1226, 0xB4530A],
        &[0x1F2933, 0x0F6BDC],
    ],
    palette,
    voices,
};

/// Returns the backgrounds of some kinds of page.
fn background(kind: PageKind, _recipe: Recipe, seed: u64, _wide: bool) -> Option<Background> {
    match kind {
        PageKind::Cover if drawn(seed, 5).is_multiple_of(3) => Some(Background::Base),
        // A navy cover with only the rule and the title; for some seeds the white of the pages that follow.
        PageKind::Cover => Some(Background::Accent),
        _ => None,
    }
}

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    own.put(0, own.primary);
    if let Some(accent) = own.accent {
        own.put(1, accent);
    }
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    let serif = faces.display == Family::Literata;
    match voice {
        Voice::Display if serif => Setting::of(faces.display, 600, -0.022, 1.06),
        Voice::Display => Setting::of(faces.display, 700, -0.032, 1.04),
        Voice::Figure => Setting { tracking: -0.02, ..voices(Voice::Display, faces) },
        Voice::Head => Setting::of(faces.body, 600, -0.014, 1.18),
        Voice::Body => Setting::of(faces.body, 400, -0.004, 1.34),
        Voice::Label => Setting::of(faces.body, 500, 0.0, 1.3),
        Voice::Data => Setting::of(faces.data, 600, -0.01, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let deep = scheme[0].to_oklch();
    let alert = scheme.get(1).copied().unwrap_or(Color::hex(0xC4410E));
    let hue = |l: f32, c: f32| Oklch::new(l, c, deep.h).to_color();
    // The deep colour as a background: dark enough for white text of any size.
    let navy = Oklch::new(deep.l.min(0.42), deep.c, deep.h).to_color();
    let on_navy = hue(0.985, 0.006);
    let lifted = {
        let a = alert.to_oklch();
        Oklch::new(a.l.max(0.79), a.c.min(0.13), a.h).to_color()
    };
    if background == Background::Base {
        let white = Color::WHITE;
        let pale = hue(0.955, 0.008);
        return Palette {
            bg: white,
            surface: pale,
            // Type is darker than the background: a page entirely in the background's colour has no hierarchy.
            ink: hue(0.25, deep.c.min(0.05)),
            ink2: hue(0.46, 0.03),
            line: hue(0.885, 0.014),
            accent: alert,
            accent_text: legible(alert.to_oklch(), white, SMALL_TEXT),
            accent2: hue(0.63, 0.04),
            tint: hue(0.925, 0.02),
            on_accent: ink_on(alert, deep.h),
            field: navy,
            on_field: on_navy,
            art: [navy, alert, hue(0.63, 0.04), hue(0.82, 0.025), pale],
        };
    }
    let bg = if background == Background::Accent { navy } else { hue(0.2, deep.c.min(0.04)) };
    Palette {
        bg,
        surface: hue(bg.to_oklch().l + 0.07, deep.c.min(0.05)),
        ink: on_navy,
        ink2: legible(Oklch::new(0.83, 0.03, deep.h), bg, SMALL_TEXT),
        line: hue(bg.to_oklch().l + 0.14, deep.c.min(0.05)),
        accent: lifted,
        accent_text: legible(lifted.to_oklch(), bg, SMALL_TEXT),
        accent2: hue(0.66, 0.05),
        tint: hue(bg.to_oklch().l + 0.1, deep.c.min(0.05)),
        on_accent: ink_on(lifted, deep.h),
        field: Color::WHITE,
        on_field: navy,
        art: [
            on_navy,
            lifted,
            hue(0.66, 0.05),
            hue(0.42, deep.c.min(0.06)),
            hue(bg.to_oklch().l + 0.07, deep.c.min(0.05)),
        ],
    }
}
