//! Checks of restraint: hue families, colours, and the share of the canvas for text.

use super::{Against, Report};
use crate::design::Theme;
use crate::scene::{Color, Paint, Scene};

/// Colours closer than this in every channel look the same at a glance: paper and its rules, two greys of text.
const ALIKE: f32 = 0.1;
/// Chroma below which a colour has no visible hue.
const GREY: f32 = 0.045;
/// Hues closer than this, in degrees, are one family.
const FAMILY: f32 = 40.0;

pub(super) fn measure(report: &mut Report, scene: &Scene, against: Against) {
    let mut families: Vec<&str> = scene.blocks.iter().map(|b| b.family).collect();
    families.sort_unstable();
    families.dedup();
    report.at_most("families", families.len() as f32, 2.0, false);

    let canvas = scene.size.w * scene.size.h;
    let ink: f32 = scene.blocks.iter().flat_map(|b| &b.lines).map(|l| l.ink.area()).sum();
    let share = ink / canvas;
    // The amount of text on a page depends on its format; the free area doesn't.
    let least = if against.words { 0.08 } else { 0.0 };
    report.push("text_area", share, 0.45, (least..=0.45).contains(&share), false);

    let mut colors: Vec<Color> = vec![scene.background];
    for item in &scene.items {
        if let Paint::Solid(c) = item.paint
            && c.a > 0.99
            && !colors.iter().any(|o| near(*o, c))
        {
            colors.push(c);
        }
    }
    report.at_most("colours", colors.len() as f32, 6.0, false);
    let mut hues: Vec<f32> = Vec::new();
    for hue in colors.iter().map(|c| c.to_oklch()).filter(|c| c.c > GREY).map(|c| c.h) {
        if !hues.iter().any(|h| apart(*h, hue) < FAMILY) {
            hues.push(hue);
        }
    }
    let most = Theme::of(against.style).hues;
    report.at_most("hue_families", hues.len() as f32, most, false);
}

fn near(a: Color, b: Color) -> bool {
    let d = |x: f32, y: f32| (x - y).abs() < ALIKE;
    d(a.r, b.r) && d(a.g, b.g) && d(a.b, b.b)
}

fn apart(a: f32, b: f32) -> f32 {
    let d = (a - b).abs() % 360.0;
    d.min(360.0 - d)
}
