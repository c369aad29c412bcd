//! Chunky confetti that falls in from the edge, dense there and sparse further in.

use super::shapes::{Placed, fill, ring, sector};
use super::{Chance, Scale, Zone, inks, within};
use crate::compose::setter::Setter;
use crate::scene::{Color, Coverage, Point};

pub(super) fn draw(setter: &mut Setter<'_>, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(setter.frame.size, false);
    let (w, h) = (corner.size.w, corner.size.h);
    let tiles = inks(setter);
    let palette = setter.page.palette;
    let mut colors: Vec<Color> = vec![palette.accent, palette.accent2, tiles[chance.below(5)]];
    colors.push(tiles[chance.below(5)]);
    let short = w.min(h);
    let unit = short * if zone.scale == Scale::Lead { 0.15 } else { 0.17 };
    // Pieces keep apart: candidates too near to one that lies are left out.
    let mut lying: Vec<(Point, f32)> = Vec::new();
    let across = if corner.bleeds.1 { h } else { w };
    for _ in 0..220 {
        let p = Point::new(chance.range(-0.03, 0.98) * w, chance.range(-0.03, 0.98) * h);
        let down = if corner.bleeds.1 { p.y } else { p.x } / across;
        let size = unit * (1.0 - 0.72 * down) * chance.range(0.75, 1.15);
        let short_of_far = p.x + size < w && p.y + size < h;
        let inside = short_of_far && (corner.bleeds.0 || p.x > size) && (corner.bleeds.1 || p.y > size);
        let free = |q: &(Point, f32)| libm::hypotf(p.x - q.0.x, p.y - q.0.y) > size + q.1 + (0.16 + 0.5 * down) * unit;
        if inside && lying.iter().all(free) {
            lying.push((p, size));
        }
    }
    within(setter, zone, |setter| {
        for (i, (p, size)) in lying.into_iter().enumerate() {
            let color = colors[(i + chance.below(2)) % colors.len()];
            let (sin, cos) = libm::sincosf(chance.range(0.0, std::f32::consts::PI));
            let end = |s: f32| Point::new(p.x + s * size * cos, p.y + s * size * sin);
            let piece = match chance.below(5) {
                0 | 1 => Coverage::Capsule { from: end(-0.62), to: end(0.62), radius: 0.36 * size, stroke: None },
                2 => sector(p, 0.94 * size, chance.range(0.0, 360.0), 180.0),
                3 => ring(p, 0.66 * size, 0.4 * size),
                _ => Coverage::Ellipse {
                    center: p,
                    radii: crate::scene::Size::new(0.72 * size, 0.72 * size),
                    stroke: None,
                },
            };
            setter.art(fill(piece, color).placed(corner.frame));
        }
    });
}
