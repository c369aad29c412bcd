//! Scallops in pastels, in rows from the edge inwards, with fewer in each row.

use super::shapes::{Placed, disc, fill};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Color, Point};

/// Distance of rows, in radii.
const ROW: f32 = 0.58;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let tiles = inks(easel);
    let bg = easel.palette.bg;
    let rows = if zone.scale == Scale::Lead { 3 + chance.below(2) } else { 2 };
    let r = (h / (ROW * (rows as f32 - 1.0) + 1.0)).min(0.24 * w.max(h));
    let rows = ((h - r) / (ROW * r) + 1.01) as usize;
    let columns = (w / (2.0 * r)) as usize + 1;
    let rings = chance.below(3);
    let slope = chance.range(0.6, 1.0);
    let start = chance.range(0.2, 0.7) * r;
    let turn = chance.below(5);
    within(easel, zone, |easel| {
        // Rows further inwards are under those before them.
        for j in (0..rows).rev() {
            let shift = if j % 2 == 1 { r } else { 0.0 };
            let fewer = (slope * (j * columns) as f32 / rows as f32 + 0.4) as usize;
            for i in 0..columns.saturating_sub(fewer).max(1) {
                let center = Point::new(start + shift + 2.0 * r * i as f32, ROW * r * j as f32);
                if center.x + r > w && !corner.far.0 {
                    continue;
                }
                // Neighbours never share a colour.
                let tile = (turn + 2 * i + 3 * j) % 5;
                let inner: [Color; 2] = [bg, tiles[(tile + 1) % 5]];
                easel.art(fill(disc(center, r), tiles[tile]).placed(corner.frame));
                for (n, ink) in inner.iter().enumerate().take(rings) {
                    easel.art(fill(disc(center, r * (0.64 - 0.3 * n as f32)), *ink).placed(corner.frame));
                }
            }
        }
    });
}
