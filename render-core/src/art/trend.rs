//! Curves over horizontal lines: quiet ones, and one in the accent that ends in a dot at its last value. The dot is as
//! high as the share if there is one.

use kurbo::BezPath;

use super::shapes::{add_line, at, disc, fill, line, linear, mix, shape, spline};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Color, LineCap, LineJoin, Point, Stroke};

/// Number of values in a curve.
const POINTS: usize = 8;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, edges, inks) = (pen(easel), zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let lead = zone.scale == Scale::Lead;
    let quiet = if lead { 2 + chance.below(3) } else { 2 };
    let thick = if lead { 11.0 } else { 8.0 } * k;
    let x0 = r.x0 - if edges.left { 20.0 } else { 0.0 };
    // The last value must be on the canvas.
    let x1 = r.x1 - if edges.right { 0.12 * r.w() } else { 2.4 * thick };
    let end = r.x1 + if edges.right { 20.0 } else { 0.0 };
    let foot = r.y1 + if edges.bottom { 20.0 } else { 0.0 };
    let high = |v: f32| r.y1 - 0.06 * r.h() - 0.84 * r.h() * v;
    let last = value.map_or_else(|| chance.range(0.84, 0.96), |v| v.clamp(0.06, 0.96));
    let curve = |chance: &mut Chance, from: f32, to: f32, rough: f32| -> Vec<Point> {
        let bend = chance.range(0.7, 1.9);
        (0..POINTS)
            .map(|i| {
                let t = i as f32 / (POINTS - 1) as f32;
                let inner = i > 0 && i + 1 < POINTS;
                let off = if inner { chance.range(-rough, rough) } else { 0.0 };
                let v = from + (to - from) * libm::powf(t, bend) + off;
                Point::new(x0 + (x1 - x0) * t, high(v.clamp(0.02, 0.98)))
            })
            .collect()
    };
    // Lines enter over an edge, or fade in.
    let tone = |color: Color| {
        let start = color.alpha(if edges.left { color.a } else { 0.0 });
        linear(Point::new(r.x0, 0.0), Point::new(r.x1, 0.0), &[(0.0, start), (0.3, color), (1.0, color)])
    };
    within(easel, zone, |easel| {
        let mut levels = BezPath::new();
        let rows = 5;
        for i in 0..=rows {
            let y = high(i as f32 / rows as f32);
            add_line(&mut levels, Point::new(x0, y), Point::new(end, y));
        }
        easel.art(line(levels, Stroke::new(2.0 * k), tone(mix(bg, inks[3], 0.55))));
        for i in 0..quiet {
            let to = last * (0.3 + 0.42 * i as f32 / quiet as f32) + chance.range(0.0, 0.06);
            let from = 0.12 + 0.34 * i as f32 / quiet as f32;
            let points = curve(chance, from, to, 0.05);
            let mut path = BezPath::new();
            spline(&mut path, &points, at);
            let ink = mix(inks[2], inks[3], 0.25 + 0.5 * i as f32 / quiet as f32);
            let pen = Stroke { cap: LineCap::Round, ..Stroke::new(0.55 * thick) };
            easel.art(line(path, pen, tone(ink)));
            easel.art(fill(disc(points[POINTS - 1], 0.8 * thick), ink));
        }
        let from = chance.range(0.06, 0.2).min(last);
        let points = curve(chance, from, last, 0.06);
        let tip = points[POINTS - 1];
        let mut path = BezPath::new();
        spline(&mut path, &points, at);
        let mut under = path.clone();
        under.line_to(at(Point::new(tip.x, foot)));
        under.line_to(at(Point::new(x0, foot)));
        under.close_path();
        let accent = inks[1];
        let fade = [(0.0, accent.alpha(0.34)), (1.0, accent.alpha(0.0))];
        easel.art(shape(under, linear(Point::new(0.0, tip.y), Point::new(0.0, r.y1), &fade)));
        let mut drop = BezPath::new();
        add_line(&mut drop, tip, Point::new(tip.x, foot));
        easel.art(line(
            drop,
            Stroke::new(2.5 * k),
            linear(tip, Point::new(tip.x, r.y1), &[(0.0, accent), (1.0, accent.alpha(0.2))]),
        ));
        let pen = Stroke { cap: LineCap::Round, join: LineJoin::Round, ..Stroke::new(thick) };
        easel.art(line(path, pen, tone(accent)));
        easel.art(fill(disc(tip, 2.1 * thick), accent));
        easel.art(fill(disc(tip, 1.05 * thick), bg));
    });
}
