//! A sun with stubby rays, partly visible in the corner.

use super::shapes::{Placed, disc, fill, mix};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Coverage, Point};

/// The shape of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ray {
    Stub,
    Long,
    Ball,
}

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let inks = inks(easel);
    let sun = easel.palette.accent;
    let short = corner.size.w.min(corner.size.h);
    let lead = zone.scale == Scale::Lead;
    let kind = [Ray::Stub, Ray::Stub, Ray::Long, Ray::Ball][chance.below(4)];
    let count = if kind == Ray::Long { 14 } else { 8 + 2 * chance.below(3) };
    let (body, from, to, thick) = match kind {
        Ray::Stub => (0.58, 0.72, 0.9, 0.12),
        Ray::Long => (0.46, 0.56, 0.96, 0.045),
        Ray::Ball => (0.56, 0.82, 0.82, 0.1),
    };
    // In the corner if there is one, else half risen from the edge that bleeds.
    let inset = 0.12;
    let room = if corner.bleeds == (true, true) { short } else { 0.5 * short };
    let reach = room / (inset + to + thick) * if lead { chance.range(0.9, 1.0) } else { 0.92 };
    let place = |bleeds: bool, side: f32| if bleeds { inset * reach } else { 0.5 * side };
    let center = Point::new(place(corner.bleeds.0, corner.size.w), place(corner.bleeds.1, corner.size.h));
    let turn = chance.unit();
    let halo = inks[chance.below(5)];
    within(easel, zone, |easel| {
        let frame = corner.frame;
        if lead && kind != Ray::Long && chance.below(2) == 0 {
            easel.art(fill(disc(center, 0.8 * reach), mix(easel.palette.bg, halo, 0.62)).placed(frame));
        }
        for i in 0..count {
            let (sin, cos) = libm::sincosf((i as f32 + turn) / count as f32 * std::f32::consts::TAU);
            let along = |d: f32| Point::new(center.x + d * reach * cos, center.y + d * reach * sin);
            let long = if kind == Ray::Long && i % 2 == 1 { 0.78 } else { to };
            let ray = Coverage::Capsule { from: along(from), to: along(long), radius: thick * reach, stroke: None };
            easel.art(fill(ray, sun).placed(frame));
        }
        easel.art(fill(disc(center, body * reach), sun).placed(frame));
    });
}
