//! A ball of dots, like a coarse halftone print; alone or over a flat disc.

use kurbo::BezPath;

use super::shapes::{Placed, add_disc, disc, fill, sector, shape};
use super::{Easel, Scale, Zone, apart, inks, within};
use crate::random::Chance;
use crate::scene::Point;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let inks = inks(easel);
    let lead = zone.scale == Scale::Lead;
    let r = 0.46 * w.min(h);
    let place = |bleeds: bool, side: f32, by: f32| {
        if bleeds { (by * r).max(side * 0.3).min(side - r) } else { (0.5 * side).max(r).min(side - r) }
    };
    // Where it overlaps two backgrounds, the ball is whole, because dots clump at a cut edge.
    let inset = if lead { 0.74 } else { 1.16 };
    let center = Point::new(place(corner.bleeds.0, w, inset), place(corner.bleeds.1, h, 0.9));
    let rows = if lead { chance.range(9.0, 12.0) } else { 11.0 };
    let pitch = r / rows;
    // Dots grow with the distance from the light.
    let (sin, cos) = libm::sincosf(chance.range(0.5, 1.2) + if chance.below(2) == 0 { 0.0 } else { -1.6 });
    let mut dots = BezPath::new();
    let count = rows as i32 + 1;
    let down = pitch * 0.9;
    for j in -count - 2..=count + 2 {
        for i in -count..=count {
            let x = (i as f32 + if j.rem_euclid(2) == 1 { 0.5 } else { 0.0 }) * pitch;
            let y = j as f32 * down;
            if libm::hypotf(x, y) > r {
                continue;
            }
            let t = -(x * cos + y * sin) / r;
            let radius = pitch * (0.255 + 0.215 * t);
            if radius > 0.05 * pitch {
                add_disc(&mut dots, Point::new(center.x + x, center.y + y), radius);
            }
        }
    }
    let kind = if lead { chance.below(3) } else { 0 };
    let bg = easel.palette.bg;
    // Without a disc, the ball must contrast with its background, and with both backgrounds if it overlaps two.
    let dotted = if kind == 0 {
        let [above, below] = easel.grounds;
        apart(&[inks[1], inks[0], inks[2], inks[3], inks[4]], &[bg, above, below], if lead { 0.36 } else { 0.21 })
    } else {
        inks[1]
    };
    let order = if chance.below(2) == 0 { [inks[0], inks[2]] } else { [inks[2], inks[0]] };
    let flat = apart(&order, &[bg, dotted], 0.2);
    let frame = corner.frame;
    within(easel, zone, |easel| {
        match kind {
            1 => {
                // A flat disc behind the ball, on the side of the light.
                let off = Point::new(center.x + 0.42 * r * cos, center.y + 0.42 * r * sin);
                easel.art(fill(disc(off, 0.72 * r), flat).placed(frame));
            }
            2 => {
                let big = 0.98 * w.min(h);
                easel.art(fill(sector(Point::default(), big, 0.0, 90.0), flat).placed(frame));
                let core = apart(&inks, &[flat, dotted], 0.2);
                easel.art(fill(sector(Point::default(), 0.34 * big, 0.0, 90.0), core).placed(frame));
            }
            _ => {}
        }
        easel.art(shape(dots, dotted).placed(frame));
    });
}
