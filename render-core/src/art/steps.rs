//! A flight of steps up to the edge: one line, a pale area under it, and the current step in the accent.

use kurbo::BezPath;

use super::shapes::{at, line, linear, shape};
use super::{Easel, Scale, Zone, inks, pen};
use crate::random::Chance;
use crate::scene::{LineJoin, Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, edges, inks) = (pen(easel), zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let count = if zone.scale == Scale::Lead { 4 + chance.below(4) } else { 4 };
    let growth = chance.range(1.0, 1.6);
    let pen = 10.0 * k;
    let end = r.x1 + if edges.right { 30.0 } else { -pen };
    let foot = r.y1 + if edges.bottom { 30.0 } else { 0.0 };
    let step = r.w() / count as f32;
    let level = |i: usize| {
        let t = libm::powf((i as f32 + 0.35) / (count as f32 - 0.4), growth);
        r.y1 - r.h() * (0.06 + 0.86 * t)
    };
    let reached = value.map_or(count - 1, |v| ((v * count as f32) as usize).clamp(1, count) - 1);
    let mut points = Vec::new();
    for i in 0..count {
        let x1 = if i + 1 == count { end } else { r.x0 + (i + 1) as f32 * step };
        points.push(Point::new(r.x0 + i as f32 * step, level(i)));
        points.push(Point::new(x1, level(i)));
    }
    let mut field = BezPath::new();
    field.move_to(at(Point::new(r.x0, foot)));
    points.iter().for_each(|p| field.line_to(at(*p)));
    field.line_to(at(Point::new(end, foot)));
    field.close_path();
    let pale = inks[4];
    let paint = linear(
        Point::new(0.0, r.y0),
        Point::new(0.0, r.y1),
        &[(0.0, inks[3]), (1.0, if edges.bottom { pale } else { bg })],
    );
    easel.art(shape(field, paint));
    let path = |from: usize, to: usize| {
        let mut path = BezPath::new();
        path.move_to(at(points[from]));
        points[from + 1..to].iter().for_each(|p| path.line_to(at(*p)));
        path
    };
    let pen_of = |width: f32| Stroke { join: LineJoin::Miter(4.0), ..Stroke::new(width) };
    easel.art(line(path(0, points.len()), pen_of(pen), inks[0]));
    // The last riser and its landing.
    let from = (2 * reached).saturating_sub(1);
    easel.art(line(path(from, 2 * reached + 2), pen_of(1.6 * pen), inks[1]));
}
