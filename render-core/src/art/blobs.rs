//! Large organic shapes in pastels that extend over the edges and overlap. One has an offset outline, as in cheap
//! print.

use kurbo::BezPath;

use super::shapes::{Placed, add_disc, at, inside, lighter, line, mix, shape, spline};
use super::{Easel, Scale, Zone, clipped, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Affine, Color, Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let k = pen(easel);
    let tiles = inks(easel);
    let first = chance.below(5);
    let ink = |i: usize| tiles[(first + i) % 5];
    let short = w.min(h);
    let place = |bleeds: bool, side: f32, part: f32| if bleeds { part * side } else { 0.5 * side };
    let big = Blob::new(
        Point::new(
            place(corner.bleeds.0, w, chance.range(0.1, 0.24)),
            place(corner.bleeds.1, h, chance.range(0.16, 0.3)),
        ),
        (0.58 * short).min(0.5 * w.max(h)),
        chance,
    );
    let beside = if w > h {
        Point::new(chance.range(0.52, 0.62) * w, chance.range(0.36, 0.6) * h)
    } else {
        Point::new(chance.range(0.4, 0.56) * w, chance.range(0.6, 0.66) * h)
    };
    let small = Blob::new(beside, 0.29 * short, chance);
    let dots = chance.below(2) == 0;
    let ring = chance.below(3) > 0;
    let outline = easel.palette.ink;
    within(easel, zone, |easel| {
        let frame = corner.frame;
        easel.art(shape(big.path(), ink(0)).placed(frame));
        if zone.scale == Scale::Accent {
            return;
        }
        if dots {
            texture(easel, &big, short, frame, lighter(ink(0), -0.1, 1.4));
        }
        easel.art(shape(small.path(), ink(1)).placed(frame));
        let both = mix(ink(0), ink(1), 0.5);
        clipped(easel, frame, inside(big.path()), |easel| {
            easel.art(shape(small.path(), lighter(both, -0.1, 1.5)).placed(frame));
        });
        if ring {
            let aside = frame.after(&Affine::translate(-0.03 * short, 0.035 * short));
            easel.art(line(small.path(), Stroke::new(5.0 * k), outline).placed(aside));
        }
    });
}

/// Covers a blob with dots.
fn texture(easel: &mut Easel, blob: &Blob, short: f32, frame: Affine, color: Color) {
    let pitch = short / 18.0;
    let mut path = BezPath::new();
    for i in -11..=11 {
        for j in -11..=11 {
            let x = blob.center.x + (i as f32 + if j % 2 == 0 { 0.5 } else { 0.0 }) * pitch;
            let y = blob.center.y + j as f32 * pitch;
            add_disc(&mut path, Point::new(x, y), 0.15 * pitch);
        }
    }
    clipped(easel, frame, inside(blob.path()), |easel| easel.art(shape(path, color).placed(frame)));
}

/// A smooth closed shape around a point.
struct Blob {
    center: Point,
    points: Vec<Point>,
}

impl Blob {
    fn new(center: Point, radius: f32, chance: &mut Chance) -> Self {
        const POINTS: usize = 24;
        let (long, three, five) = (chance.range(0.1, 0.17), chance.range(0.07, 0.12), chance.range(0.0, 0.03));
        let phases: [f32; 3] = std::array::from_fn(|_| chance.range(0.0, std::f32::consts::TAU));
        let points = (0..=POINTS).map(|i| {
            let angle = (i % POINTS) as f32 / POINTS as f32 * std::f32::consts::TAU;
            let (sin, cos) = libm::sincosf(angle);
            let swell = long * libm::cosf(2.0 * angle + phases[0])
                + three * libm::cosf(3.0 * angle + phases[1])
                + five * libm::cosf(5.0 * angle + phases[2]);
            let out = radius * (1.0 + swell) / (1.0 + 0.5 * long);
            Point::new(center.x + out * cos, center.y + out * sin)
        });
        Self { center, points: points.collect() }
    }

    fn path(&self) -> BezPath {
        let mut path = BezPath::new();
        spline(&mut path, &self.points, at);
        path
    }
}
