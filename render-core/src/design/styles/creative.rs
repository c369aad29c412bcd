//! creative: three or four distant hues, a grotesque with an italic serif in one headline, cut waves and halftones.

use super::super::palette::{Branding, FIELD_DARK, FIELD_LIGHT, SMALL_TEXT, legible, light, text_field};
use super::super::theme::Setting;
use super::super::{
    Background, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles, Voice,
};
use crate::icon::IconSet;
use crate::outline::PageKind;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

/// Each scheme holds a light flat colour, a deep flat colour, and two spot colours.
pub(super) const THEME: Theme = Theme {
    rank: 6,
    about: "three or four hues far apart, a new ground on every page; a grotesque with an italic serif inside one headline; cut waves, collage; pictures are flat",
    faces: &[Faces { display: Family::BricolageDisplay, body: Family::Bricolage, data: Family::Bricolage }],
    stand_ins: &[Faces { display: Family::Onest, body: Family::Onest, data: Family::Onest }],
    japanese: None,
    margin: 72.0,
    radius: 36.0,
    rule: 3.0,
    stroke: 8.0,
    lead_art: &[Recipe::Ball, Recipe::Quarters, Recipe::Waves],
    numerals: Numerals::Accent,
    icons: IconSet::PhosphorFill,
    flourish: Flourish::Italic(Family::InstrumentSerifItalic, 400, 1.1),
    frame: None,
    signs_low: false,
    band: false,
    card: None,
    cut: Cut::Wave,
    fields: Fields::Lower,
    tiles: Tiles::Flats,
    nodes: Nodes::Solid,
    manner: Manner::Flat,
    brand,
    background: |_, _, _, _| None,
    kind_art,
    columns: false,
    duotone: true,
    hues: 4.0,
    emptiness: 0.3,
    rhythm: Rhythm::Fresh,
    called: &[],
    schemes: &[
        &[0xFF7FB4, 0x1F2BE0, 0xFFC400, 0xFF5B22],
        &[0xFFC93C, 0x0B5D4A, 0xFF8FC0, 0xF4511E],
        &[0x8CE3C4, 0x7A1238, 0xFFB000, 0xFF6F61],
        &[0xFFB199, 0x123C8C, 0xD8F24B, 0xE8336D],
        &[0xA9D6FF, 0xB3261E, 0xFFD23F, 0x0E7C66],
    ],
    palette,
    voices,
};

/// Returns the art of some kinds of page.
fn kind_art(kind: PageKind) -> Option<Recipe> {
    // A myth and its fact share one ball.
    (kind == PageKind::MythFact).then_some(Recipe::Ball)
}

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    let primary = own.primary.to_oklch();
    let deep = text_field(Oklch { l: primary.l.min(FIELD_DARK), ..primary });
    own.put(0, light(own.secondary.unwrap_or(own.primary)));
    own.put(1, deep);
    if let Some(accent) = own.accent {
        own.put(2, accent);
    }
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    match voice {
        Voice::Display => Setting::of(faces.display, 800, -0.026, 0.98),
        Voice::Figure => Setting { tracking: -0.02, ..voices(Voice::Display, faces) },
        Voice::Head => Setting::of(faces.body, 700, -0.02, 1.12),
        Voice::Body => Setting::of(faces.body, 500, -0.01, 1.34),
        Voice::Label => Setting::of(faces.body, 600, 0.0, 1.25),
        Voice::Data => Setting::of(faces.data, 700, -0.01, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let color = |n: usize, or: u32| scheme.get(n).copied().unwrap_or(Color::hex(or));
    let (light, deep) = (color(0, 0xFF7FB4), color(1, 0x1F2BE0));
    let (spot, spot2) = (color(2, 0xFFC400), color(3, 0xFF5B22));
    // A flat colour under text avoids the band in which no ink is readable.
    let lch = light.to_oklch();
    let light = if lch.l < FIELD_LIGHT { Oklch { l: FIELD_LIGHT, ..lch }.to_color() } else { light };
    let ink = Oklch::new(0.19, 0.05, lch.h).to_color();
    let paper = Color::hex(0xFFF6E9);
    let (bg, other) = match background {
        Background::Base => (light, deep),
        Background::Accent => (deep, light),
        Background::Close => (ink, light),
    };
    let dark = background != Background::Base;
    let own = bg.to_oklch();
    let shade = |d: f32| Oklch::new((own.l + d).clamp(0.0, 1.0), own.c, own.h).to_color();
    let ink_here = if dark { paper } else { ink };
    Palette {
        bg,
        surface: shade(if dark { 0.09 } else { -0.07 }),
        ink: ink_here,
        ink2: legible(if dark { Oklch::new(0.9, 0.03, own.h) } else { Oklch::new(0.3, 0.06, lch.h) }, bg, SMALL_TEXT),
        line: shade(if dark { 0.16 } else { -0.16 }),
        accent: if dark { spot } else { deep },
        accent_text: if dark {
            legible(spot.to_oklch(), bg, SMALL_TEXT)
        } else {
            legible(deep.to_oklch(), bg, SMALL_TEXT)
        },
        accent2: spot2,
        tint: shade(if dark { 0.06 } else { -0.05 }),
        on_accent: if dark { ink } else { paper },
        field: other,
        on_field: if other.to_oklch().l >= FIELD_LIGHT - 0.01 { ink } else { paper },
        art: [other, spot, spot2, ink_here, if dark { light } else { paper }],
    }
}
