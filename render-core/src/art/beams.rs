//! Soft rays of light that fall in from the corner and fade out before the zone ends.

use super::shapes::{Placed, bar, fill, linear, mix, polygon, radial};
use super::{Easel, Zone, inks, within};
use crate::random::Chance;
use crate::scene::color::Oklch;
use crate::scene::{Affine, Color, Layer, Point, Rect};

/// Deviation of the blur, as a share of the zone's shorter side.
const BLUR: f32 = 0.02;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, false);
    let (w, h) = (corner.size.w, corner.size.h);
    let inks = inks(easel);
    let bg = easel.palette.bg;
    let night = bg.luminance() < 0.2;
    let warm = inks.into_iter().max_by(|a, b| a.to_oklch().l.total_cmp(&b.to_oklch().l)).unwrap_or(inks[0]);
    let out = |bleeds: bool| if bleeds { -0.06 } else { 0.0 };
    let area = Rect::new(out(corner.bleeds.0), out(corner.bleeds.1), 1.0, 1.0);
    // In a space where the zone is a unit square, the reach of the light is a circle.
    let frame = corner.frame.after(&Affine([w, 0.0, 0.0, h, 0.0, 0.0]));
    let source = Point::new(chance.range(0.08, 0.24), -0.04);
    let (near, far) = if night {
        // Faint light over a dark background looks grey, unless it is more colourful than the background.
        let glow = |l: f32, c: f32| Oklch::new(l, inks[2].to_oklch().c.max(c), inks[2].to_oklch().h).to_color();
        // Turns towards red at its end, like a sunset, because a dark orange looks brown.
        let ember = Oklch::new(0.5, inks[2].to_oklch().c.max(0.15), inks[2].to_oklch().h - 20.0).to_color();
        (glow(0.7, 0.14).alpha(0.88), ember.alpha(0.55))
    } else {
        (warm, mix(warm, bg, 0.25).alpha(0.72))
    };
    let glow = [(0.0, near), (0.36, far), (0.72, far.alpha(0.1)), (1.0, far.alpha(0.0))];
    easel.art(fill(bar(area), radial(source, 1.0 - source.x.max(0.0) * 0.2, &glow)).placed(frame));
    let ray = if night { mix(warm, Color::WHITE, 0.45) } else { Color::WHITE };
    let count = 5 + chance.below(2);
    let sigma = BLUR * w.min(h);
    within(easel, zone, |easel| {
        easel.art_group(Layer { blur: sigma, ..Layer::new(0..0) }, |easel| {
            for i in 0..count {
                let t = (i as f32 + chance.range(0.3, 0.7)) / count as f32;
                let angle = 0.12 + t * 1.36;
                let half = chance.range(0.022, 0.05);
                let length = chance.range(0.7, 0.9);
                let end = |a: f32| {
                    let (sin, cos) = libm::sincosf(a);
                    Point::new(source.x + length * cos * (1.0 - source.x), source.y + length * sin)
                };
                let (a, b) = (end(angle - half), end(angle + half));
                let strength = if night { chance.range(0.42, 0.66) } else { chance.range(0.6, 0.9) };
                let tip = end(angle);
                let paint =
                    linear(source, tip, &[(0.0, ray.alpha(strength)), (0.86, ray.alpha(0.0)), (1.0, ray.alpha(0.0))]);
                easel.art(fill(polygon(&[source, a, b]), paint).placed(frame));
            }
        });
    });
}
