//! Checks of every recipe: it stays in its zone, depends only on its seed, and draws a bounded number of items.

use super::waves::wave_edge;
use super::{Easel, Scale, Zone, draw};
use crate::content::Direction;
use crate::design::{Art, Background, Palette, Recipe, Style, Theme};
use crate::format::Format;
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{Pixmap, Rasteriser};
use crate::scene::{Canvas, Color, Rect, Scene};
use crate::sheet::Frame;
use crate::text::Fonts;

/// Zones as in templates, as shares of the canvas: corners, blocks, bands, and one that doesn't bleed.
const ZONES: [[f32; 4]; 8] = [
    [0.25, 0.0, 1.0, 0.48],
    [0.0, 0.1, 1.0, 0.5],
    [0.0, 0.0, 1.0, 0.5],
    [0.4, 0.52, 1.0, 1.0],
    [0.5, 0.0, 1.0, 1.0],
    [0.0, 0.62, 1.0, 1.0],
    [0.0, 0.4, 0.6, 1.0],
    [0.3, 0.3, 0.84, 0.8],
];

/// How far ink may extend over its zone's edge, in du.
const EDGE: f32 = 6.0;

fn easel(format: &str, style: Style) -> Easel {
    let theme = Theme::of(style);
    let frame = Frame::of(Format::by_id(format).expect("in the catalogue"), theme, Direction::Ltr, 100);
    Easel::new(frame.size, frame.k, frame.room, Palette::pick(style, Background::Base, 0), theme)
}

fn scene(easel: Easel) -> Scene {
    let Easel { size, palette, items, layers, .. } = easel;
    Scene { size, background: palette.bg, items, layers, blocks: Vec::new() }
}

/// Returns the scene of one piece of art, and its zone.
fn drawn(mut easel: Easel, zone: [f32; 4], scale: Scale, art: Art) -> (Scene, Rect) {
    let size = easel.size;
    let rect = Rect::new(zone[0] * size.w, zone[1] * size.h, zone[2] * size.w, zone[3] * size.h);
    draw(&mut easel, &art, Zone { rect, scale });
    (scene(easel), rect)
}

fn pixels(scene: &Scene, fonts: &Fonts) -> Pixmap {
    let px = |du: f32| (du * 0.25).round() as u32;
    let canvas = Canvas { width: px(scene.size.w), height: px(scene.size.h), scale: 0.25, dither: false };
    let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(scene, canvas, fonts, &mut out).expect("within every limit");
    out
}

/// Counts the pixels inside and outside of `zone` that differ from the background.
fn touched(pixels: &Pixmap, background: Color, zone: &Rect) -> (usize, usize) {
    let ground = background.to_rgba8();
    let (mut inside, mut outside) = (0, 0);
    for (i, p) in pixels.data.chunks_exact(3).enumerate() {
        if p.iter().zip(&ground).all(|(a, b)| a.abs_diff(*b) <= 5) {
            continue;
        }
        // A pixel at the zone's edge counts as neither, because strokes may touch it.
        let (x, y) = ((i as u32 % pixels.width) as f32 * 4.0, (i as u32 / pixels.width) as f32 * 4.0);
        if zone.contains(&Rect::at(x, y, 4.0, 4.0), 0.0) {
            inside += 1;
        } else if zone.grow(EDGE).intersect(&Rect::at(x, y, 4.0, 4.0)).is_empty() {
            outside += 1;
        }
    }
    (inside, outside)
}

#[test]
fn art_is_seen_in_its_zone_and_nowhere_else() {
    let fonts = Fonts::new();
    let mut broken: Vec<String> = Vec::new();
    for format in ["instagram_post", "presentation_slide"] {
        for recipe in Recipe::ALL {
            let style = Style::all().find(|s| Theme::of(*s).lead_art.contains(&recipe));
            // A planet is only used in a corner of the canvas.
            let hangs = |z: &[f32; 4]| z[2] == 1.0 && (z[1] == 0.0 || z[3] == 1.0);
            for zone in ZONES.into_iter().filter(|z| recipe != Recipe::Limb || hangs(z)) {
                for seed in 0..4 {
                    let scale = if seed % 2 == 0 { Scale::Lead } else { Scale::Accent };
                    let value = (seed == 3).then_some(0.7);
                    let (scene, rect) =
                        drawn(easel(format, style.unwrap_or(Style::ELEGANT)), zone, scale, Art { recipe, seed, value });
                    let (inside, outside) = touched(&pixels(&scene, &fonts), scene.background, &rect);
                    let what = format!("{} {format} {zone:?} {scale:?} seed {seed}", recipe.name());
                    if inside <= 60 || outside > 0 || scene.items.len() > 400 {
                        broken.push(format!("{what}: {inside} inside, {outside} outside, {} items", scene.items.len()));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_seed_is_a_picture_and_another_seed_another() {
    for recipe in Recipe::ALL.into_iter().filter(|r| *r != Recipe::Arc) {
        let at = || easel("instagram_post", Style::MODERN);
        let of = |seed| drawn(at(), ZONES[0], Scale::Lead, Art { recipe, seed, value: None }).0;
        let scenes: Vec<Scene> = (0..6).map(of).collect();
        assert_eq!(scenes[0], of(0), "{}", recipe.name());
        for (i, a) in scenes.iter().enumerate() {
            assert!(scenes[..i].iter().all(|b| b != a), "{}: seed {i}", recipe.name());
        }
    }
}

#[test]
fn what_says_a_share_says_it() {
    use Recipe::{
        Arc, Arch, Columns, Dots, Fan, Flow, Grid, Horizon, Orbit, Pebbles, Phases, Prisms, Pulse, Rings, Sprig, Steps,
        Strokes, Trend,
    };
    let all = [
        Arc, Arch, Columns, Dots, Fan, Flow, Grid, Horizon, Orbit, Pebbles, Phases, Prisms, Pulse, Rings, Sprig, Steps,
        Strokes, Trend,
    ];
    for recipe in all {
        for seed in 0..6 {
            let at = || easel("instagram_post", Style::CORPORATE);
            let of = |v: f32| drawn(at(), ZONES[3], Scale::Lead, Art { recipe, seed, value: Some(v) }).0;
            assert_ne!(of(0.25), of(0.8), "{} seed {seed}", recipe.name());
        }
    }
}

#[test]
fn a_wavy_edge_swings_around_its_rectangle() {
    let fonts = Fonts::new();
    for (rect, hangs) in [(Rect::new(0.0, 0.0, 1080.0, 560.0), true), (Rect::new(0.0, 560.0, 1080.0, 1350.0), false)] {
        let mut easel = easel("instagram_post", Style::CREATIVE);
        wave_edge(&mut easel, rect, Color::BLACK, 5, 40.0);
        let scene = scene(easel);
        let at = |y: f32| if hangs { Rect::new(0.0, 0.0, 1080.0, y) } else { Rect::new(0.0, y, 1080.0, 1350.0) };
        let out = if hangs { 44.0 } else { -44.0 };
        let drawn = pixels(&scene, &fonts);
        assert_eq!(touched(&drawn, scene.background, &at(560.0 + out)).1, 0);
        // Everything within the lowest crest is filled.
        let full = at(560.0 - out);
        let (inside, _) = touched(&drawn, scene.background, &full);
        assert!(inside as f32 >= 0.98 * full.area() / 16.0, "{inside}");
    }
}
