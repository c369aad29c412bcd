//! Phases of a moon, in a row. The large one shows the share if there is one.

use kurbo::BezPath;

use super::shapes::{add_line, at, disc, fill, line, mix, radial, shape};
use super::{Easel, Scale, Zone, framed, inks, pen, within};
use crate::random::Chance;
use crate::scene::color::Oklch;
use crate::scene::{Color, Point, Stroke};

/// The hue in degrees up to which a metal counts as rose gold. Rose gold keeps its lightness and chroma.
const ROSE: f32 = 40.0;
/// The gap between two moons of a waning row, and the range of the gap before the first, in radii of the largest.
const APART: f32 = 0.22;
const START: (f32, f32) = (0.02, 0.1);

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let zone = framed(easel, zone);
    let kind = if zone.scale == Scale::Lead { chance.below(2) } else { 1 };
    within(
        easel,
        zone,
        |easel| {
            if kind == 0 { waning(easel, zone, chance, value) } else { row(easel, zone, chance, value) }
        },
    );
}

/// The tones of a moon: its lit part, from the light to the rim, and its dark part.
struct Moon {
    lit: [Color; 3],
    dark: Color,
}

fn moon(easel: &Easel) -> Moon {
    let (inks, bg) = (inks(easel), easel.palette.bg);
    let warm = inks.into_iter().max_by(|a, b| a.to_oklch().l.total_cmp(&b.to_oklch().l)).unwrap_or(inks[0]);
    let night = bg.luminance() < 0.2;
    // On a dark background, gold is made brighter; on a light one, the moon is as pale as the page.
    let warm = match (night, warm.to_oklch()) {
        (true, gold) if gold.is_warm() && gold.h >= ROSE => {
            Oklch::new(gold.l.max(0.83), gold.c.max(0.13), gold.h).to_color()
        }
        _ => warm,
    };
    let dark = if night { mix(bg, inks[3], 0.75) } else { inks[0] };
    Moon { lit: [mix(warm, Color::WHITE, 0.55), warm, super::shapes::lighter(warm, -0.09, 1.1)], dark }
}

/// Draws one moon, lit by `share` from the right.
fn one(easel: &mut Easel, tones: &Moon, center: Point, radius: f32, share: f32) {
    if share < 0.985 {
        easel.art(fill(disc(center, radius), tones.dark));
    }
    if share < 0.015 {
        return;
    }
    let light = Point::new(center.x + 0.24 * radius, center.y - 0.32 * radius);
    let paint = radial(light, 1.5 * radius, &[(0.0, tones.lit[0]), (0.5, tones.lit[1]), (1.0, tones.lit[2])]);
    easel.art(shape(lit(center, radius, share), paint));
}

/// Returns the lit part: from the right rim to the terminator, which is half an ellipse.
fn lit(center: Point, radius: f32, share: f32) -> BezPath {
    let (x, y, r) = (center.x, center.y, radius);
    let bulge = r * (1.0 - 2.0 * share);
    let h = 0.552_284_8;
    let p = |x: f32, y: f32| at(Point::new(x, y));
    let mut path = BezPath::new();
    path.move_to(p(x, y - r));
    path.curve_to(p(x + h * r, y - r), p(x + r, y - h * r), p(x + r, y));
    path.curve_to(p(x + r, y + h * r), p(x + h * r, y + r), p(x, y + r));
    path.curve_to(p(x + h * bulge, y + r), p(x + bulge, y + h * r), p(x + bulge, y));
    path.curve_to(p(x + bulge, y - h * r), p(x + h * bulge, y - r), p(x, y - r));
    path.close_path();
    path
}

/// Draws a large moon and increasingly smaller, waning ones.
fn waning(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let (r, edges) = (zone.rect, zone.edges(easel.size));
    let tones = moon(easel);
    let lying = r.w() > 0.8 * r.h();
    let (long, short) = if lying { (r.w(), r.h()) } else { (r.h(), r.w()) };
    let ratios = [1.0, 0.42, 0.31, 0.21, 0.13];
    // The extent of all moons and gaps, including the darkest moon.
    let spread = 2.0 * ratios.iter().sum::<f32>() + APART * (ratios.len() - 1) as f32 + START.1;
    let big = (0.42 * short).min(long / spread);
    let mid = if lying { r.center().y } else { r.center().x };
    // Starts at the edge that bleeds and goes inwards.
    let back = if lying { edges.right || !edges.left } else { edges.bottom };
    let count = ratios.len();
    let mut from = 0.0;
    let start = chance.range(START.0, START.1) * big;
    for (i, ratio) in ratios.iter().enumerate() {
        let radius = big * ratio;
        let along = from + radius + if i == 0 { start } else { 0.0 };
        from = along + radius + big * APART;
        let center = match (lying, back) {
            (true, true) => Point::new(r.x1 - along, mid),
            (true, false) => Point::new(r.x0 + along, mid),
            (false, true) => Point::new(mid, r.y1 - along),
            (false, false) => Point::new(mid, r.y0 + along),
        };
        let share = match i {
            0 => value.unwrap_or(1.0),
            _ => 1.0 - (i as f32) / (count as f32 - 1.0),
        };
        one(easel, &tones, center, radius, share);
    }
}

/// Draws a month in one row; the moon of the day is the largest.
fn row(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let (k, r) = (pen(easel), zone.rect);
    let tones = moon(easel);
    let lying = r.w() > 0.8 * r.h();
    let (long, short) = if lying { (r.w(), r.h()) } else { (r.h(), r.w()) };
    let count = if zone.scale == Scale::Lead { 7 } else { 5 };
    let step = long / (count as f32 + 0.4);
    let today = value.map_or(1 + chance.below(count - 2), |v| ((v * count as f32) as usize).min(count - 1));
    let radius = (0.36 * step).min(0.3 * short);
    let mid = if lying { r.center().y } else { r.center().x };
    let at = |along: f32| if lying { Point::new(r.x0 + along, mid) } else { Point::new(mid, r.y0 + along) };
    let mut thread = BezPath::new();
    add_line(&mut thread, at(0.2 * step), at(long + 20.0));
    let metal = easel.palette.line;
    easel.art(line(thread, Stroke::new(2.0 * k), metal));
    for i in 0..count {
        let share = (i as f32 + 0.5) / count as f32;
        let size = if i == today { (2.0 * radius).min(0.46 * short).min(0.62 * step) } else { 0.72 * radius };
        one(easel, &tones, at((i as f32 + 0.7) * step), size, share);
    }
}
