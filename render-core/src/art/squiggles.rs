//! A thick ribbon that winds in over the edge, in waves that become smaller.

use kurbo::BezPath;

use super::shapes::{Placed, at, line};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let tiles = inks(easel);
    let palette = easel.palette;
    let lying = w > h;
    let (long, across) = if lying { (w, h) } else { (h, w) };
    let to = |along: f32, off: f32| at(if lying { Point::new(along, off) } else { Point::new(off, along) });
    let lead = zone.scale == Scale::Lead;
    let pen = across * chance.range(0.13, 0.18);
    let reach = (long - 0.5 * pen).min(2.1 * across);
    // As many turns as leave some space between the windings.
    let most = ((reach / (2.1 * pen)) as usize).clamp(3, 7);
    let turns = if lead { most - chance.below(2) } else { 3 };
    let step = reach / turns as f32;
    let mid = across * chance.range(0.47, 0.53);
    let high = 0.5 * across - 0.6 * pen - (mid - 0.5 * across).abs();
    let calm = chance.range(0.25, 0.6);
    let mut up = if chance.below(2) == 0 { 1.0 } else { -1.0 };
    let mut ribbon = BezPath::new();
    let mut here = (-0.75 * step, mid + 0.6 * high * up);
    ribbon.move_to(to(here.0, here.1));
    for i in 0..turns {
        up = -up;
        let t = i as f32 / turns as f32;
        let last = i + 1 == turns;
        let next = (
            here.0 + step * if last { 0.75 } else { 1.0 },
            mid + high * (1.0 - calm * t) * up * if last { 0.4 } else { 1.0 },
        );
        let handle = 0.56 * (next.0 - here.0);
        ribbon.curve_to(to(here.0 + handle, here.1), to(next.0 - handle, next.1), to(next.0, next.1));
        here = next;
    }
    let color = [palette.accent, palette.accent2, tiles[chance.below(5)]][chance.below(3)];
    let under = tiles[chance.below(5)];
    within(easel, zone, |easel| {
        if lead && under != color {
            // A paler, offset copy, as if printed twice.
            let aside = 0.34 * pen;
            let shift =
                crate::scene::Affine::translate(if lying { -aside } else { 0.0 }, if lying { 0.0 } else { -aside });
            easel.art(line(ribbon.clone(), Stroke::round(pen), under).placed(shift).placed(corner.frame));
        }
        easel.art(line(ribbon, Stroke::round(pen), color).placed(corner.frame));
    });
}
