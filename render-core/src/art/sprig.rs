//! A sprig that grows from the bottom of its zone: a curved stem, with leaves that become smaller along it, some
//! filled, some outlined. The share of filled leaves shows the value if there is one.

use kurbo::BezPath;

use super::shapes::{add_disc, at, line, mix, shape};
use super::{Easel, Scale, Zone, framed, inks, pen};
use crate::random::Chance;
use crate::scene::{LineCap, Point, Stroke};

/// Kinds of leaves: length relative to the zone, width relative to length, number of pairs, and angle to the stem in
/// radians.
const KINDS: [(f32, f32, usize, f32); 3] = [(0.3, 0.26, 7, 0.66), (0.2, 0.62, 6, 1.0), (0.24, 0.14, 12, 0.85)];

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let r = framed(easel, zone).rect;
    let (k, inks, bg) = (pen(easel), inks(easel), easel.palette.bg);
    let (length, slim, pairs, angle) = KINDS[chance.below(KINDS.len())];
    let pairs = if zone.scale == Scale::Lead { pairs } else { pairs.min(7) };
    // The sprig is upright if there is enough height, otherwise it lies along the bottom. Its leaves stay within the
    // zone.
    let lies = r.w() > 1.2 * r.h();
    let (side, lean) = if lies {
        ((1.5 * r.h()).min(0.62 * r.w()), 1.0)
    } else {
        (r.h().min(1.9 * r.w()).min(r.w()), if chance.below(2) == 0 { 1.0 } else { -1.0 })
    };
    let (arch, end) = (chance.range(0.14, 0.22), chance.range(0.08, 0.16));
    let [from, bend, to] = if lies {
        let long = (2.4 * r.h()).min(r.w());
        let at = |t: f32, up: f32| Point::new(r.x1 - t * long, r.y1 - up * r.h());
        [at(0.02, 0.1), at(0.45, 0.16 + arch), at(0.84, 0.52 + end)]
    } else {
        let high = r.h().min(1.9 * r.w());
        let at = |t: f32, up: f32| Point::new(r.center().x + lean * t * side, r.y1 - up * high);
        [at(0.12, 0.0), at(arch, 0.55), at(-end, 0.9)]
    };
    let on = |t: f32| {
        let u = 1.0 - t;
        let mix = |a: f32, b: f32, c: f32| u * u * a + 2.0 * u * t * b + t * t * c;
        Point::new(mix(from.x, bend.x, to.x), mix(from.y, bend.y, to.y))
    };
    let heading = |t: f32| {
        let slope = |a: f32, b: f32, c: f32| (1.0 - t) * (b - a) + t * (c - b);
        libm::atan2f(slope(from.y, bend.y, to.y), slope(from.x, bend.x, to.x))
    };
    let mut stem = BezPath::new();
    stem.move_to(at(from));
    stem.quad_to(at(bend), at(to));
    let fine = (easel.rule.min(2.0) * k).max(1.5);
    let (dark, metal) = (inks[0], inks[1]);
    let full = value.map_or(0.6, |v| v.clamp(0.0, 1.0));
    let count = 2 * pairs + 1;
    for i in 0..count {
        let last = i + 1 == count;
        let t = if last { 1.0 } else { 0.14 + 0.82 * i as f32 / (count - 1) as f32 };
        let small = 1.0 - 0.52 * t;
        let length = length * side * small * chance.range(0.9, 1.06);
        let turn = match (last, i % 2) {
            (true, _) => 0.0,
            (_, 0) => angle,
            _ => -angle,
        };
        let toward = heading(t) + turn * (1.0 - 0.3 * t);
        let foot = on(t);
        let mut path = BezPath::new();
        leaf(&mut path, foot, toward, length, slim * length);
        // Leaves are filled from the foot on.
        if (i as f32 + 0.5) / count as f32 <= full {
            let tone = if i % 2 == 0 { metal } else { mix(metal, dark, 0.34) };
            easel.art(shape(path, tone));
        } else {
            easel.art(shape(path.clone(), bg));
            easel.art(line(path, Stroke::new(fine), metal));
        }
        let mut vein = BezPath::new();
        vein.move_to(at(foot));
        vein.line_to(at(along(foot, toward, 0.82 * length)));
        easel.art(line(vein, Stroke::new(0.6 * fine), mix(metal, bg, 0.55)));
    }
    let pen = Stroke { cap: LineCap::Round, ..Stroke::new(1.6 * fine) };
    easel.art(line(stem, pen, metal));
    if chance.below(2) == 0 {
        // A few berries beside the stem.
        let mut berries = BezPath::new();
        for n in 0..4 {
            let t = 0.3 + 0.16 * n as f32;
            let out = heading(t) + if n % 2 == 0 { -1.35 } else { 1.35 };
            add_disc(&mut berries, along(on(t), out, 0.055 * side), 0.016 * side);
        }
        easel.art(shape(berries, inks[2]));
    }
}

fn along(from: Point, toward: f32, by: f32) -> Point {
    let (sin, cos) = libm::sincosf(toward);
    Point::new(from.x + by * cos, from.y + by * sin)
}

/// Adds a leaf: two curves from its base to its tip.
fn leaf(path: &mut BezPath, foot: Point, toward: f32, length: f32, width: f32) {
    let tip = along(foot, toward, length);
    let out = |side: f32, by: f32| along(along(foot, toward, by * length), toward + std::f32::consts::FRAC_PI_2, side);
    path.move_to(at(foot));
    path.curve_to(at(out(0.66 * width, 0.22)), at(out(0.62 * width, 0.66)), at(tip));
    path.curve_to(at(out(-0.62 * width, 0.66)), at(out(-0.66 * width, 0.22)), at(foot));
    path.close_path();
}
