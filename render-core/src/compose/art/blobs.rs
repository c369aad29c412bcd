//! Large organic shapes in pastels that look in over the edges and overlap.

use kurbo::BezPath;

use super::shapes::{Placed, add_disc, at, fill, inside, mix, shape, spline};
use super::{Chance, Scale, Zone, clipped, inks, within};
use crate::compose::setter::Setter;
use crate::scene::{Affine, Color, Point};

pub(super) fn draw(setter: &mut Setter<'_>, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(setter.frame.size, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let tiles = inks(setter);
    let first = chance.below(5);
    let ink = |i: usize| tiles[(first + i) % 5];
    let short = w.min(h);
    let place = |bleeds: bool, side: f32, part: f32| if bleeds { part * side } else { 0.5 * side };
    let big = Blob::new(
        Point::new(place(corner.bleeds.0, w, 0.2), place(corner.bleeds.1, h, 0.26)),
        (0.56 * short).min(0.5 * w.max(h)),
        chance,
    );
    let beside = if w > h {
        Point::new(chance.range(0.58, 0.66) * w, chance.range(0.3, 0.62) * h)
    } else {
        Point::new(chance.range(0.3, 0.6) * w, chance.range(0.6, 0.68) * h)
    };
    let small = Blob::new(beside, 0.3 * short, chance);
    let dots = chance.below(2) == 0;
    within(setter, zone, |setter| {
        let frame = corner.frame;
        setter.art(shape(big.path(), ink(0)).placed(frame));
        if zone.scale == Scale::Accent {
            return;
        }
        setter.art(shape(small.path(), ink(1)).placed(frame));
        let both = mix(ink(0), ink(1), 0.5);
        clipped(setter, frame, inside(big.path()), |setter| {
            setter.art(shape(small.path(), super::shapes::lighter(both, -0.1, 1.5)).placed(frame));
        });
        if dots {
            texture(setter, &big, short, frame, super::shapes::lighter(ink(0), -0.09, 1.4));
        }
        // A pebble for scale.
        let pebble = Blob::new(
            Point::new(small.center.x + 0.42 * short, small.center.y + chance.range(-0.2, 0.1) * short),
            0.085 * short,
            chance,
        );
        let accent = setter.page.palette.accent;
        setter.art(shape(pebble.path(), accent).placed(frame));
    });
}

/// Dots in the part of a blob that is away from the corner.
fn texture(setter: &mut Setter<'_>, blob: &Blob, short: f32, frame: Affine, color: Color) {
    let pitch = short / 17.0;
    let mut path = BezPath::new();
    for i in 0..12 {
        for j in 0..12 {
            let x = blob.center.x + (i as f32 - 6.0) * pitch + if j % 2 == 0 { 0.5 * pitch } else { 0.0 };
            let y = blob.center.y + (j as f32 - 6.0) * pitch;
            add_disc(&mut path, Point::new(x, y), 0.16 * pitch);
        }
    }
    clipped(setter, frame, inside(blob.path()), |setter| setter.art(fill(inside(path), color).placed(frame)));
}

/// A smooth closed shape around a point.
struct Blob {
    center: Point,
    points: Vec<Point>,
}

impl Blob {
    fn new(center: Point, radius: f32, chance: &mut Chance) -> Self {
        let count = 6 + chance.below(2);
        let turn = chance.unit();
        let mut points: Vec<Point> = (0..count)
            .map(|i| {
                let angle = (i as f32 + turn + chance.range(-0.12, 0.12)) / count as f32 * std::f32::consts::TAU;
                let (sin, cos) = libm::sincosf(angle);
                // Bulges and bays take turns.
                let out = radius * if i % 2 == 0 { chance.range(0.96, 1.08) } else { chance.range(0.72, 0.9) };
                Point::new(center.x + out * cos, center.y + out * sin)
            })
            .collect();
        points.push(points[0]);
        Self { center, points }
    }

    fn path(&self) -> BezPath {
        let mut path = BezPath::new();
        spline(&mut path, &self.points, at);
        path
    }
}
