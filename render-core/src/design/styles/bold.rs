//! bold: two or three flat colours in full chroma and black, type that fills the page.

use super::super::palette::{Branding, FIELD_DARK, FIELD_LIGHT, SMALL_LC, SMALL_TEXT, ink_on, legible, text_field};
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

/// Each scheme holds the background and the flat colour that contrasts with it.
pub(super) const THEME: Theme = Theme {
    rank: 2,
    about: "two or three flat colours in full chroma and black; heavy, wide grotesque type that fills the page; pictures are flat and large. Few words, set as large as they go; hardly any ornament",
    faces: &[
        Faces { display: Family::ArchivoSemiExpanded, body: Family::Archivo, data: Family::Archivo },
        Faces { display: Family::ArchivoCondensed, body: Family::Archivo, data: Family::Archivo },
        Faces { display: Family::ArchivoExpanded, body: Family::Archivo, data: Family::Archivo },
    ],
    stand_ins: &[Faces { display: Family::Unbounded, body: Family::Onest, data: Family::Onest }],
    japanese: None,
    margin: 64.0,
    radius: 0.0,
    rule: 6.0,
    stroke: 12.0,
    lead_art: &[Recipe::Rays, Recipe::Halftone, Recipe::Blocks],
    numerals: Numerals::Plain,
    icons: IconSet::PhosphorBold,
    flourish: Flourish::Block,
    frame: None,
    signs_low: false,
    band: false,
    card: None,
    cut: Cut::Straight,
    fields: Fields::Lower,
    tiles: Tiles::Flats,
    nodes: Nodes::Solid,
    manner: Manner::Flat,
    brand,
    background,
    kind_art: |_| None,
    columns: false,
    duotone: true,
    hues: 2.0,
    emptiness: 0.3,
    rhythm: Rhythm::Fresh,
    called: &["bold", "loud"],
    schemes: &[
        &[0xFFD400, 0x0A2BFF],
        &[0xC8FF2E, 0x0B0F02],
        &[0xFFB8D2, 0xC4161C],
        &[0xF3F1EA, 0xCA1E0C],
        &[0x35E4C4, 0x06343A],
        &[0xFFA62B, 0x111111],
        &[0xBFE3FF, 0x0B3BD9],
    ],
    palette,
    voices,
};

/// Returns the backgrounds of some kinds of page.
fn background(kind: PageKind, _recipe: Recipe, seed: u64, _wide: bool) -> Option<Background> {
    match kind {
        PageKind::Cover => Some(match drawn(seed, 5) % 6 {
            0 => Background::Close,
            1 => Background::Accent,
            _ => Background::Base,
        }),
        _ => None,
    }
}

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    let primary = own.primary;
    // A bright colour becomes the background, a deep one the flat colour that contrasts with it.
    let (ground, flat) = if primary.to_oklch().l >= FIELD_LIGHT {
        (primary, own.accent.filter(|c| c.to_oklch().l <= FIELD_DARK).unwrap_or(Color::hex(0x0A0A0A)))
    } else {
        let ground = [own.accent, own.secondary].into_iter().flatten().find(|c| c.to_oklch().l >= FIELD_LIGHT);
        (ground.unwrap_or(Color::hex(0xF3F1EA)), text_field(primary.to_oklch()))
    };
    own.put(0, ground);
    own.put(1, flat);
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    let narrow = faces.display == Family::ArchivoCondensed;
    match voice {
        Voice::Display if faces.display == Family::Unbounded => Setting::of(faces.display, 800, -0.03, 1.04),
        Voice::Display => {
            Setting::of(faces.display, 900, if narrow { -0.012 } else { -0.03 }, if narrow { 0.92 } else { 0.98 })
        }
        Voice::Figure => Setting { tracking: -0.03, ..voices(Voice::Display, faces) },
        Voice::Head => Setting::of(faces.body, 700, -0.02, 1.12),
        Voice::Body => Setting::of(faces.body, 600, -0.01, 1.24),
        Voice::Label => Setting::of(faces.body, 700, 0.0, 1.2),
        Voice::Data => Setting::of(faces.data, 700, 0.0, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let black = Color::hex(0x0A0A0A);
    let (ground, flat) = (scheme[0], scheme.get(1).copied().unwrap_or(black));
    let dark = |c: Color| c.to_oklch().l < FIELD_LIGHT;
    let (bg, other) = match background {
        Background::Base => (ground, flat),
        Background::Accent => (flat, ground),
        Background::Close => (black, ground),
    };
    let ink = if dark(bg) { Color::WHITE } else { black };
    let lch = bg.to_oklch();
    let shade = |d: f32| Oklch::new((lch.l + d).clamp(0.0, 1.0), lch.c, lch.h).to_color();
    let step = if dark(bg) { 0.12 } else { -0.1 };
    // The other flat colour is used as ink if it is readable: it is the scheme's strongest contrast.
    let accent_text = if other.contrast(bg) >= SMALL_TEXT && other.apca(bg) >= SMALL_LC {
        other
    } else {
        legible(other.to_oklch(), bg, SMALL_TEXT)
    };
    Palette {
        bg,
        surface: shade(step * 0.7),
        ink,
        ink2: ink,
        line: if dark(bg) { shade(step * 1.6) } else { black },
        accent: other,
        accent_text,
        accent2: if dark(bg) { Color::WHITE } else { black },
        tint: shade(step),
        on_accent: ink_on(other, other.to_oklch().h),
        field: other,
        on_field: if dark(other) { Color::WHITE } else { black },
        art: [other, ink, shade(step), if dark(bg) { ground } else { Color::WHITE }, bg],
    }
}
