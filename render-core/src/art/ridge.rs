//! Ridges of light, one behind the other; the nearest high one is lit.

use kurbo::BezPath;

use super::shapes::{at, line, linear, shape, smoothstep, spline};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Color, Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let (k, r, edges) = (pen(easel), zone.rect, zone.edges(canvas));
    let (inks, palette) = (inks(easel), easel.palette);
    let count = if zone.scale == Scale::Lead { 15 + chance.below(5) } else { 11 };
    let gap = r.h() / (count as f32 + 5.0);
    let peak = chance.range(0.44, 0.66);
    let width = chance.range(0.16, 0.24);
    let hot = count / 2 + 1 + chance.below(count / 3);
    let x0 = r.x0 - if edges.left { 20.0 } else { 0.0 };
    let x1 = r.x1 + if edges.right { 20.0 } else { 0.0 };
    let points = 64;
    // Lines fade out towards an edge that doesn't bleed.
    let tone = |color: Color| {
        let end = |bleeds: bool| color.alpha(if bleeds { color.a } else { 0.0 });
        let stops = [(0.0, end(edges.left)), (0.22, color), (0.84, color), (1.0, end(edges.right))];
        linear(Point::new(x0, 0.0), Point::new(x1, 0.0), &stops)
    };
    within(easel, zone, |easel| {
        for n in 0..count {
            let base = r.y0 + (n as f32 + 5.2) * gap;
            let phases: [f32; 4] = std::array::from_fn(|_| chance.unit());
            // Ridges in front of the lit one are low, so that it is completely visible.
            let high = gap * if n <= hot { chance.range(3.4, 5.0) } else { chance.range(0.5, 0.8) };
            let points: Vec<Point> = (0..=points)
                .map(|i| {
                    let u = i as f32 / points as f32;
                    let d = (u - peak) / width;
                    let hill = libm::expf(-d * d);
                    let wave = |f: f32, i: usize| 0.5 + 0.5 * libm::sinf(std::f32::consts::TAU * (f * u + phases[i]));
                    let rough = 0.5 * wave(3.1, 0) + 0.3 * wave(6.7, 1) + 0.2 * wave(12.3, 2);
                    let calm = 0.06 * wave(9.0, 3) * smoothstep(0.0, 0.1, u) * smoothstep(0.0, 0.1, 1.0 - u);
                    Point::new(x0 + (x1 - x0) * u, base - high * (hill * (0.3 + rough) + calm))
                })
                .collect();
            let mut crest = BezPath::new();
            spline(&mut crest, &points, at);
            let mut body = crest.clone();
            body.line_to(at(Point::new(x1, base + gap)));
            body.line_to(at(Point::new(x0, base + gap)));
            body.close_path();
            easel.art(shape(body, palette.bg));
            if n == hot {
                // The glow ends at the level of the flat parts beside the hill, so that its ends are invisible.
                let (from, to) = (Point::new(0.0, base - 3.6 * gap), Point::new(0.0, base - 0.1 * gap));
                let glow = [(0.0, palette.accent.alpha(0.34)), (1.0, palette.accent.alpha(0.0))];
                easel.art(shape(lit(&points, base + gap), linear(from, to, &glow)));
            }
            let depth = n as f32 / count as f32;
            let (color, pen) = if n == hot { (palette.accent, 5.0) } else { (inks[2].alpha(0.4 + 0.6 * depth), 2.6) };
            easel.art(line(crest, Stroke::new(pen * k), tone(color)));
        }
    });
}

/// Returns the hill under a crest, without the flat parts on its sides.
fn lit(crest: &[Point], foot: f32) -> BezPath {
    let (from, to) = (crest.len() / 5, crest.len() * 4 / 5);
    let mut path = BezPath::new();
    spline(&mut path, &crest[from..to], at);
    path.line_to(at(Point::new(crest[to - 1].x, foot)));
    path.line_to(at(Point::new(crest[from].x, foot)));
    path.close_path();
    path
}
