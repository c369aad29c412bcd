//! playful: cream, pastel tiles with a thick outline and a hard shadow, round type.

use super::super::palette::{Branding, SMALL_TEXT, legible, pastel};
use super::super::theme::Setting;
use super::super::{
    Background, Card, Cut, Faces, Fields, Flourish, Manner, Nodes, Numerals, Palette, Recipe, Rhythm, Theme, Tiles,
    Voice,
};
use crate::icon::IconSet;
use crate::scene::Color;
use crate::scene::color::Oklch;
use crate::text::Family;

/// Each scheme holds the background, the ink, the sun, the squiggle, and then the pastels of the tiles in order.
pub(super) const THEME: Theme = Theme {
    rank: 4,
    about: "cream and pastel tiles with thick outlines and hard shadows, a new ground on every page; round type; outlined pictures with faces, emoji, stickers, slight turns",
    faces: &[Faces { display: Family::Fredoka, body: Family::Nunito, data: Family::Fredoka }],
    stand_ins: &[Faces { display: Family::Nunito, body: Family::Nunito, data: Family::Nunito }],
    japanese: None,
    margin: 64.0,
    radius: 40.0,
    rule: 5.0,
    stroke: 5.0,
    lead_art: &[Recipe::Blobs, Recipe::Squiggles, Recipe::Sun, Recipe::Scallops],
    numerals: Numerals::Accent,
    icons: IconSet::PhosphorFill,
    flourish: Flourish::Squiggle,
    frame: None,
    signs_low: false,
    band: false,
    card: Some(Card { stroke: 5.0, shadow: 10.0, tilt: 1.4 }),
    cut: Cut::Wave,
    fields: Fields::One,
    tiles: Tiles::Flats,
    nodes: Nodes::Outlined,
    manner: Manner::Outlined,
    brand,
    background: |_, _, _, _| None,
    kind_art: |_| None,
    columns: false,
    duotone: false,
    hues: 4.0,
    emptiness: 0.3,
    rhythm: Rhythm::Fresh,
    called: &[],
    schemes: &[
        &[0xFFF1D6, 0x2A1238, 0xFFB700, 0xE8386D, 0xFF9EBB, 0xFFD44D, 0x9BE3C2, 0xA9C9FF, 0xD9C4FF],
        &[0xE6F5FF, 0x13274B, 0xFF8FA8, 0xE2530F, 0xFFC65C, 0xA8E6B4, 0xFFB3C6, 0xBFD6FF, 0xFFE48A],
        &[0xFFECEF, 0x3A1030, 0xFF7A59, 0x0A7D64, 0xFFD166, 0xA5DDF5, 0xB6E3A8, 0xFFB39E, 0xE6C8F5],
        &[0xEDF8E4, 0x17301F, 0xFF9F1C, 0xCA3066, 0xFFD76B, 0xA6DCEF, 0xFFB8A1, 0xC6E68C, 0xF7C5E0],
        &[0xFFF6E9, 0x2B1B12, 0x3BB2F6, 0xE4572E, 0xA8D8FF, 0xFFCF70, 0xFFADAD, 0xB9E8C4, 0xE5D4FF],
    ],
    palette,
    voices,
};

/// Puts a brand's colours in the places of the scheme with the same role.
fn brand(mut own: Branding<'_>) {
    let (primary, accent) = (own.primary, own.accent);
    own.put(2, accent.unwrap_or(primary));
    own.put(3, primary);
    for (n, turn) in [0.0, 48.0, 96.0, -48.0, 150.0].into_iter().enumerate() {
        let of = if n == 1 { accent.unwrap_or(primary) } else { primary };
        own.put(4 + n, pastel(of, turn));
    }
}

fn voices(voice: Voice, faces: &Faces) -> Setting {
    let nunito = faces.display == Family::Nunito;
    match voice {
        Voice::Display if nunito => Setting::of(faces.display, 800, -0.02, 1.0),
        Voice::Display => Setting::of(faces.display, 700, -0.012, 0.98),
        Voice::Figure => Setting { tracking: -0.01, ..voices(Voice::Display, faces) },
        Voice::Head => Setting::of(faces.display, if nunito { 800 } else { 600 }, -0.008, 1.04),
        Voice::Body => Setting::of(faces.body, 700, -0.004, 1.28),
        Voice::Label => Setting::of(faces.body, 800, 0.0, 1.25),
        Voice::Data => Setting::of(faces.data, if nunito { 800 } else { 600 }, 0.0, 1.0),
    }
}

fn palette(background: Background, scheme: &[Color]) -> Palette {
    let color = |n: usize, or: u32| scheme.get(n).copied().unwrap_or(Color::hex(or));
    let (cream, plum) = (color(0, 0xFFF1D6), color(1, 0x2A1238));
    let (sun, squiggle) = (color(2, 0xFFB700), color(3, 0xE8386D));
    let tiles = [color(4, 0xFF9EBB), color(5, 0xFFD44D), color(6, 0x9BE3C2), color(7, 0xA9C9FF), color(8, 0xD9C4FF)];
    let (bg, ink) = match background {
        Background::Base => (cream, plum),
        Background::Accent => (tiles[1], plum),
        Background::Close => (plum, cream),
    };
    let lch = bg.to_oklch();
    let shade = |d: f32| Oklch::new((lch.l + d).clamp(0.0, 1.0), lch.c.max(0.02), lch.h).to_color();
    let step = if background == Background::Close { 0.1 } else { -0.07 };
    // On yellow, neither white nor the sun contrasts with cards and background.
    let (accent, tiles) = match background {
        Background::Accent => (tiles[3], [tiles[0], cream, tiles[2], tiles[3], tiles[4]]),
        _ => (sun, tiles),
    };
    Palette {
        bg,
        surface: if background == Background::Close { shade(0.08) } else { Color::WHITE },
        ink,
        ink2: ink,
        line: if background == Background::Close { shade(0.2) } else { shade(step * 1.4) },
        accent,
        accent_text: legible(squiggle.to_oklch(), bg, SMALL_TEXT),
        accent2: squiggle,
        tint: shade(step),
        on_accent: if background == Background::Close { plum } else { ink },
        field: tiles[0],
        on_field: plum,
        art: tiles,
    }
}
