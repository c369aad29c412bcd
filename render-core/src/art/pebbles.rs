//! Stacked stones, the lowest the widest, in pale tones and outlines. One is in the accent: its position shows the
//! progress through the set, or the share that a figure stands for.

use kurbo::BezPath;

use super::shapes::{add_line, at, fill, line, mix, shape, spline};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Coverage, Point, Rect, Size, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, edges, inks) = (pen(easel), zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let count = if zone.scale == Scale::Lead { 3 + chance.below(4) } else { 3 };
    let marked = match value {
        Some(v) => ((v * count as f32) as usize).min(count - 1),
        None => 1 + chance.below(count - 1),
    };
    let wide = (0.86 * r.w()).min(0.92 * r.h());
    let falls = chance.range(0.74, 0.86);
    let heights: Vec<f32> = (0..count).map(|i| libm::powf(falls, i as f32) * chance.range(0.86, 1.12)).collect();
    let tall = (0.94 * r.h()).min(1.16 * wide) / heights.iter().sum::<f32>();
    let middle = r.x1 - 0.5 * wide - if edges.right { 0.1 * wide } else { 0.0 };
    let ground = r.y1 - if edges.bottom { 0.08 * r.h() } else { 2.0 * k };
    let mut foot = ground;
    within(easel, zone, |easel| {
        let mut level = BezPath::new();
        let end = if edges.right { r.x1 + 20.0 } else { r.x1 };
        add_line(&mut level, Point::new(r.x0.max(middle - 0.9 * wide), ground), Point::new(end, ground));
        easel.art(line(level, Stroke::new(2.5 * k), inks[0]));
        for (i, share) in heights.into_iter().enumerate() {
            let high = tall * share;
            let half = 0.5 * wide * libm::powf(falls - 0.04, i as f32) * chance.range(0.88, 1.0);
            let x = middle + chance.range(-0.1, 0.1) * half;
            let stone = Rect::new(x - half, foot - high, x + half, foot);
            foot -= high;
            if i == marked {
                let radii = Size::new(0.5 * stone.w(), 0.5 * stone.h());
                easel.art(fill(Coverage::Ellipse { center: stone.center(), radii, stroke: None }, inks[1]));
                continue;
            }
            let path = pebble(&stone, chance);
            let tone = mix(bg, inks[2], 0.16 + 0.1 * (i % 3) as f32);
            easel.art(shape(path.clone(), tone));
            easel.art(line(path, Stroke::new(2.5 * k), inks[0]));
        }
    });
}

/// Returns a stone that fills `rect`: rounder on top than below, and each different.
fn pebble(rect: &Rect, chance: &mut Chance) -> BezPath {
    let (center, a, b) = (rect.center(), 0.5 * rect.w(), 0.5 * rect.h());
    let lean = chance.range(-0.14, 0.14);
    let mut points: Vec<Point> = (0..16)
        .map(|i| {
            let (sin, cos) = libm::sincosf(i as f32 / 16.0 * std::f32::consts::TAU);
            // Flatter than an ellipse where it rests on the stone below.
            let round = |v: f32, n: f32| v.signum() * libm::powf(v.abs(), n);
            let (x, y) = (round(cos, 0.86), round(sin, if sin > 0.0 { 0.8 } else { 0.92 }));
            Point::new(center.x + a * (x + lean * y * (1.0 - x.abs())), center.y + b * y)
        })
        .collect();
    points.push(points[0]);
    let mut path = BezPath::new();
    spline(&mut path, &points, at);
    path
}
