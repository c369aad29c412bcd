//! A horizon: a half-risen sun over a long line, a disc half under water, or the path of the sun over a hatched sea.
//! Its height shows the value if there is one.

use kurbo::BezPath;

use super::shapes::{add_line, bar, disc, fill, lighter, line, mix, radial, swing};
use super::{Easel, Zone, clipped, inks, pen};
use crate::random::Chance;
use crate::scene::{Affine, Coverage, Item, Point, Rect, Role, Stroke};

/// The accent covers at most this share of the canvas.
const ACCENT: f32 = 0.028;

/// Radius of the disc with waves, relative to the shorter edge of its zone: if the zone is a corner of the canvas, and
/// otherwise.
const DISC: (f32, f32) = (0.52, 0.49);
/// Distance of its centre from an edge over which it bleeds, in radii.
const INSET: f32 = 0.72;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    match chance.below(3) {
        0 => sun(easel, zone, chance, value),
        1 => water(easel, zone, chance, value),
        _ => day(easel, zone, chance, value),
    }
}

/// Draws the line on which everything stands: through the zone, and off the canvas where the zone bleeds.
fn horizon(easel: &mut Easel, zone: Zone, y: f32, width: f32) {
    let reach = zone.reach(easel.size, 20.0);
    let ink = inks(easel)[0];
    easel.art(fill(bar(Rect::new(reach.x0, y - width / 2.0, reach.x1, y + width / 2.0)), ink));
}

/// Draws a half disc over the line, and its light on the water.
fn sun(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let (size, k, r) = (easel.size, pen(easel), zone.rect);
    let inks = inks(easel);
    let most = libm::sqrtf(2.0 * ACCENT * size.w * size.h / std::f32::consts::PI);
    let radius = (chance.range(0.24, 0.3) * r.w().min(r.h())).min(most);
    let y = r.y0 + r.h() * chance.range(0.52, 0.62);
    let x = r.x0 + r.w() * chance.range(0.4, 0.62);
    // Half risen, or as far as the share says.
    let rise = value.unwrap_or(0.5).clamp(0.08, 1.0);
    let sky = Rect::new(x - 2.0 * radius, y - 3.0 * radius, x + 2.0 * radius, y);
    clipped(easel, Affine::IDENTITY, bar(sky), |easel| {
        easel.art(fill(disc(Point::new(x, y + radius * (1.0 - 2.0 * rise)), radius), inks[1]));
    });
    horizon(easel, zone, y, 2.5 * k);
    let mut light = BezPath::new();
    let mut down = 0.2 * radius;
    for i in 0..6 {
        let half = radius * (0.9 - 0.15 * i as f32) * chance.range(0.86, 1.08);
        let shift = radius * chance.range(-0.05, 0.05);
        if y + down > r.y1 - 8.0 {
            break;
        }
        add_line(&mut light, Point::new(x + shift - half, y + down), Point::new(x + shift + half, y + down));
        down += radius * (0.2 + 0.055 * i as f32);
    }
    easel.art(line(light, Stroke::new(2.5 * k), inks[0]));
}

/// Draws a large pale disc with waves in its lower part, their surface in the accent.
fn water(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let k = pen(easel);
    let corner = zone.corner(easel.size, true);
    let (inks, bg) = (inks(easel), easel.palette.bg);
    let (w, h) = (corner.size.w, corner.size.h);
    let radius = if corner.bleeds == (true, true) { DISC.0 } else { DISC.1 } * w.min(h);
    let inset = |bleeds: bool, side: f32| {
        if bleeds { INSET * radius } else { radius.max(0.5 * side).min(side - radius) }
    };
    let center = corner.frame.apply(Point::new(inset(corner.bleeds.0, w), inset(corner.bleeds.1, h)));
    let level = 1.0 - value.unwrap_or_else(|| chance.range(0.42, 0.56)).clamp(0.06, 0.94);
    let body = disc(center, radius);
    let sun = easel.strong;
    if sun {
        let light = Point::new(center.x + 0.12 * radius, center.y - 0.25 * radius);
        let [from, to] = [(0.05, 1.04), (-0.05, 1.06)].map(|(l, c)| lighter(inks[1], l, c));
        easel.art(Item::new(
            body.clone(),
            radial(light, 1.3 * radius, &[(0.0, from), (0.5, inks[1]), (1.0, to)]),
            Role::Art,
        ));
    } else {
        easel.art(fill(body.clone(), mix(bg, inks[2], 0.62)));
    }
    let (length, phase) = (radius * chance.range(0.9, 1.25), chance.unit());
    let mut y = center.y - radius + 2.0 * radius * level;
    let mut gap = 0.14 * radius;
    clipped(easel, Affine::IDENTITY, body, |easel| {
        let mut first = true;
        while y < center.y + radius {
            let mut wave = BezPath::new();
            swing(&mut wave, center.x - radius - 20.0, center.x + radius + 20.0, y, length, 0.035 * radius, phase);
            let (ink, pen) = if first && !sun { (inks[1], 7.0 * k) } else { (bg, 5.0 * k) };
            easel.art(line(wave, Stroke::new(pen), ink));
            y += gap;
            gap *= 1.1;
            first = false;
        }
    });
}

/// Draws the path of the sun over a sea of lines; its current position is in the accent.
fn day(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let (k, r) = (pen(easel), zone.rect);
    let inks = inks(easel);
    let radius = 0.4 * r.w().min(0.98 * r.h());
    let center = Point::new(r.x0 + r.w() * chance.range(0.46, 0.56), r.y0 + r.h() * chance.range(0.5, 0.54));
    let way = Coverage::Arc {
        center,
        radius,
        start: std::f32::consts::PI,
        sweep: std::f32::consts::PI,
        stroke: Some(Stroke::new(2.5 * k)),
    };
    easel.art(fill(way, mix(inks[2], inks[0], 0.3)));
    let mut sea = BezPath::new();
    let lines = 9 + chance.below(4);
    for i in 1..lines {
        let t = i as f32 / lines as f32;
        let down = radius * libm::powf(t, 1.45);
        let half = libm::sqrtf((radius * radius - down * down).max(0.0));
        add_line(&mut sea, Point::new(center.x - half, center.y + down), Point::new(center.x + half, center.y + down));
    }
    easel.art(line(sea, Stroke::new(2.5 * k), inks[0]));
    horizon(easel, zone, center.y, 2.5 * k);
    let angle = std::f32::consts::PI * (1.0 + value.unwrap_or_else(|| chance.range(0.18, 0.42)).clamp(0.0, 1.0));
    let (sin, cos) = libm::sincosf(angle);
    let at = Point::new(center.x + radius * cos, center.y + radius * sin);
    easel.art(fill(disc(at, 0.1 * radius), inks[1]));
}
