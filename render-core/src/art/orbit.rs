//! Thin orbits around a point off the canvas, and one lit body on its way. Its position shows the value if there is
//! one.

use super::limb::stars;
use super::shapes::{disc, fill, mix, radial, stops_of};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Coverage, Paint, Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let k = pen(easel);
    let corner = zone.corner(canvas, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let (inks, palette) = (inks(easel), easel.palette);
    let place = |bleeds: bool, side: f32| if bleeds { 0.02 * side } else { 0.5 * side };
    let center = corner.frame.apply(Point::new(place(corner.bleeds.0, w), place(corner.bleeds.1, h)));
    let most = 0.94 * w.min(h) * if corner.bleeds == (true, true) { 1.0 } else { 0.52 };
    let count = if zone.scale == Scale::Lead { 5 + chance.below(3) } else { 4 };
    let growth = chance.range(1.1, 1.5);
    let radius = |i: usize| most * (0.2 + 0.8 * libm::powf((i + 1) as f32 / count as f32, growth));
    let lit = count - 1 - chance.below(2);
    // Bodies lie within an arc from the corner into the zone, and almost all around if the centre is in the zone.
    let inward = libm::atan2f(corner.frame.0[3], corner.frame.0[0]);
    let spread = if corner.bleeds == (true, true) { 0.52 } else { 1.2 };
    let way = |t: f32| inward + spread * (2.0 * t - 1.0);
    let at = |i: usize, angle: f32| {
        let (sin, cos) = libm::sincosf(angle);
        Point::new(center.x + radius(i) * cos, center.y + radius(i) * sin)
    };
    within(easel, zone, |easel| {
        stars(easel, zone, center, radius(0), chance);
        for i in 0..count {
            easel.art(fill(
                Coverage::Ellipse {
                    center,
                    radii: crate::scene::Size::new(radius(i), radius(i)),
                    stroke: Some(2.0 * k),
                },
                mix(palette.line, inks[2], 0.4),
            ));
        }
        let here = way(value.unwrap_or_else(|| chance.range(0.25, 0.75)).clamp(0.04, 0.96));
        // The trail behind the body glows and fades.
        let trail = 1.1;
        let stops = [(0.0, palette.accent.alpha(0.0)), (trail / std::f32::consts::TAU, palette.accent)];
        let arc = Coverage::Arc {
            center,
            radius: radius(lit),
            start: here - trail,
            sweep: trail,
            stroke: Some(Stroke::new(4.0 * k)),
        };
        easel.art(fill(arc, Paint::Conic { center, start: here - trail, stops: stops_of(&stops) }));
        for i in (0..count).filter(|i| *i != lit) {
            if chance.below(3) > 0 {
                let body = at(i, way(chance.range(0.0, 1.0)));
                easel.art(fill(disc(body, chance.range(0.012, 0.026) * most), inks[2]));
            }
        }
        let body = at(lit, here);
        let size = 0.05 * most;
        let glow = [(0.0, 0.5), (0.2, 0.28), (0.45, 0.1), (0.7, 0.03), (1.0, 0.0)]
            .map(|(at, a)| (at, palette.accent.alpha(a)));
        easel.art(fill(disc(body, 5.0 * size), radial(body, 5.0 * size, &glow)));
        easel.art(fill(disc(body, size), palette.accent));
    });
}
