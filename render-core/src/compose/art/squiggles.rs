//! A thick ribbon that wanders in over one edge and out over another, and a smaller one beside it.

use kurbo::BezPath;

use super::shapes::{Placed, at, disc, fill, line, spline};
use super::{Chance, Scale, Zone, inks, within};
use crate::compose::setter::Setter;
use crate::scene::{Point, Stroke};

pub(super) fn draw(setter: &mut Setter<'_>, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(setter.frame.size, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let lead = zone.scale == Scale::Lead;
    let tiles = inks(setter);
    let first = chance.below(5);
    let (loud, accent) = (setter.page.palette.accent2, setter.page.palette.accent);
    let short = w.min(h);
    let lying = w > h;
    let (long, across) = if lying { (w, h) } else { (h, w) };
    let to = |along: f32, off: f32| if lying { Point::new(along, off) } else { Point::new(off, along) };
    let pen = short * chance.range(0.13, 0.17);
    let waves = if lead { 2 + chance.below(2) } else { 1 };
    let (big, second) = if chance.below(2) == 0 { (accent, tiles[first]) } else { (tiles[first], loud) };
    let mid = across * chance.range(0.46, 0.54);
    let high = 0.5 * across - 0.62 * pen;
    // From beyond the edge, in waves that calm down inwards.
    let turns = 2 * waves + 1;
    let reach = (long - pen).min(1.9 * across);
    let mut points = vec![to(-1.2 * pen, mid)];
    let flip = if chance.below(2) == 0 { 1.0 } else { -1.0 };
    for i in 0..turns {
        let t = (i as f32 + 0.5) / turns as f32;
        let swing = high * (1.0 - 0.5 * t) * if i % 2 == 0 { flip } else { -flip };
        points.push(to(reach * t, mid + swing));
    }
    points.push(to(reach, mid + if turns % 2 == 0 { 0.2 } else { -0.2 } * high * flip));
    let mut ribbon = BezPath::new();
    spline(&mut ribbon, &points, at);
    let dot = to((reach + 0.2 * pen).min(long - 0.7 * pen), mid + 0.62 * high * flip);
    within(setter, zone, |setter| {
        let frame = corner.frame;
        setter.art(line(ribbon, Stroke::round(pen), big).placed(frame));
        if lead {
            setter.art(fill(disc(dot, 0.42 * pen), second).placed(frame));
        }
    });
}
