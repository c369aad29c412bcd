//! A few hairlines in a progression. One is in the accent: its position shows the progress through the set, or the
//! share that a figure stands for.

use kurbo::BezPath;

use super::shapes::{add_line, fill, line};
use super::{Easel, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Coverage, Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let kind = chance.below(3);
    let count = 9 + chance.below(5);
    let at = value.unwrap_or(0.64);
    let marked = ((at * count as f32) as usize).min(count - 1);
    within(easel, zone, |easel| match kind {
        0 => stems(easel, zone, chance, count, marked),
        1 => shells(easel, zone, chance, count, marked),
        _ => fan(easel, zone, chance, count, marked),
    });
}

/// Draws upright lines that rise towards the edge.
fn stems(easel: &mut Easel, zone: Zone, chance: &mut Chance, count: usize, marked: usize) {
    let (k, r, inks) = (pen(easel), zone.rect, inks(easel));
    let growth = chance.range(1.0, 2.2);
    let least = chance.range(0.06, 0.16);
    let (mut idle, mut hot) = (BezPath::new(), BezPath::new());
    let foot = r.y1 + 20.0;
    for i in 0..count {
        let t = i as f32 / (count - 1) as f32;
        let x = r.x0 + r.w() * (i as f32 + 0.4) / count as f32;
        let top = r.y1 - r.h() * (least + (0.98 - least) * libm::powf(t, growth));
        add_line(if i == marked { &mut hot } else { &mut idle }, Point::new(x, top), Point::new(x, foot));
    }
    easel.art(line(idle, Stroke::new(2.5 * k), inks[0]));
    easel.art(line(hot, Stroke::new(9.0 * k), inks[1]));
}

/// Draws quarter circles around the corner with increasing distances.
fn shells(easel: &mut Easel, zone: Zone, chance: &mut Chance, count: usize, marked: usize) {
    let (k, inks) = (pen(easel), inks(easel));
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let most = 0.97 * corner.size.w.min(corner.size.h);
    let growth = chance.range(1.25, 1.8);
    let center = corner.frame.apply(Point::default());
    let down = corner.frame.0[3] > 0.0;
    let right = corner.frame.0[0] > 0.0;
    let start = match (right, down) {
        (true, true) => 0.0_f32,
        (false, true) => 90.0,
        (false, false) => 180.0,
        (true, false) => 270.0,
    };
    for i in 0..count {
        let radius = most * (0.1 + 0.9 * libm::powf(i as f32 / (count - 1) as f32, growth));
        let (pen, ink) = if i == marked { (9.0 * k, inks[1]) } else { (2.5 * k, inks[0]) };
        let arc = Coverage::Arc {
            center,
            radius,
            start: (start - 3.0).to_radians(),
            sweep: 96.0_f32.to_radians(),
            stroke: Some(Stroke::new(pen)),
        };
        easel.art(fill(arc, ink));
    }
}

/// Draws lines from the corner, each turned further.
fn fan(easel: &mut Easel, zone: Zone, chance: &mut Chance, count: usize, marked: usize) {
    let (k, inks) = (pen(easel), inks(easel));
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let growth = chance.range(1.0, 1.6);
    let (mut idle, mut hot) = (BezPath::new(), BezPath::new());
    let most = 0.98 * corner.size.w.min(corner.size.h);
    let from = 0.12 * most;
    for i in 0..count {
        let t = libm::powf((i as f32 + 0.5) / count as f32, growth);
        let (sin, cos) = libm::sincosf(t * std::f32::consts::FRAC_PI_2);
        let end = |d: f32| corner.frame.apply(Point::new(d * cos, d * sin));
        add_line(if i == marked { &mut hot } else { &mut idle }, end(from), end(most));
    }
    easel.art(line(idle, Stroke::new(2.5 * k), inks[0]));
    easel.art(line(hot, Stroke::new(9.0 * k), inks[1]));
}
