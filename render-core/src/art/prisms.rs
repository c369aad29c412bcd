//! Blocks on a square plan, seen from above a corner, that rise towards one of them. That one is in the accent, and as
//! high as the share if there is one.

use super::shapes::{fill, lighter, mix, polygon};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Color, Point};

/// Ratio of depth to width of a square in this view.
const SLANT: f32 = 0.52;
/// The share of its cell that a block takes.
const FULL: f32 = 0.84;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (r, edges, inks) = (zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let side = if zone.scale == Scale::Lead { 3 + chance.below(3) } else { 3 };
    // The plan extends a little over the edge that bleeds, and leaves enough height for the blocks.
    let over = if edges.right { 1.24 } else { 1.0 };
    let across = (over * r.w()).min(0.6 * r.h() / SLANT) / (2.0 * side as f32);
    let down = SLANT * across;
    let tall = r.h() - 2.0 * down * side as f32 - 8.0;
    let tall = chance.range(0.86, 1.0) * tall.min(1.4 * across * side as f32);
    let hidden = if edges.right { 0.36 * across * side as f32 } else { 0.0 };
    let left = r.x1 + hidden - 2.0 * across * side as f32;
    let foot = r.y1 - 4.0;
    // The plan's nearest corner is at the bottom; cells are counted from the farthest.
    let at = |x: f32, y: f32, z: f32| {
        Point::new(left + across * (side as f32 + x - y), foot - down * (2.0 * side as f32 - x - y) - z)
    };
    let peak = (chance.below(side - 1), chance.below(side - 1));
    let fall = chance.range(0.3, 0.55);
    let reach = (side * side) as f32;
    within(easel, zone, |easel| {
        for n in 0..side * side {
            // Draws from back to front, so that blocks hide those behind them.
            let (i, j) = (n / side, n % side);
            let lit = (i, j) == peak;
            let (dx, dy) = (i as f32 - peak.0 as f32, j as f32 - peak.1 as f32);
            let near = libm::expf(-fall * libm::sqrtf(dx * dx + dy * dy));
            let wobble = chance.range(-0.04, 0.16);
            let high = if lit { value.unwrap_or(1.0).clamp(0.1, 1.0) } else { (0.7 * near + wobble).clamp(0.06, 0.8) };
            let z = tall * high;
            let base =
                if lit { inks[1] } else { mix(mix(bg, inks[3], 0.8), inks[2], 0.6 * high + 0.3 * n as f32 / reach) };
            block(easel, &at, (i as f32, j as f32), z, base);
        }
    });
}

fn block(easel: &mut Easel, at: &impl Fn(f32, f32, f32) -> Point, place: (f32, f32), z: f32, color: Color) {
    let inset = 0.5 * (1.0 - FULL);
    let (x0, y0, x1, y1) = (place.0 + inset, place.1 + inset, place.0 + 1.0 - inset, place.1 + 1.0 - inset);
    let top = [at(x0, y0, z), at(x1, y0, z), at(x1, y1, z), at(x0, y1, z)];
    let right = [at(x1, y0, z), at(x1, y1, z), at(x1, y1, 0.0), at(x1, y0, 0.0)];
    let left = [at(x0, y1, z), at(x1, y1, z), at(x1, y1, 0.0), at(x0, y1, 0.0)];
    easel.art(fill(polygon(&top), lighter(color, 0.05, 1.0)));
    easel.art(fill(polygon(&right), lighter(color, -0.16, 0.95)));
    easel.art(fill(polygon(&left), lighter(color, -0.08, 1.0)));
}
