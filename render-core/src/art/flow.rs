//! Ribbons that cross from edge to edge and change their order, each as wide as the quantity that it carries. One is in
//! the accent, as wide as the share if there is one.

use kurbo::BezPath;

use super::shapes::{at, linear, mix, shape};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Color, Point};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (r, edges, inks) = (zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let count = if zone.scale == Scale::Lead { 4 + chance.below(3) } else { 4 };
    let lit = chance.below(count);
    let mut widths: Vec<f32> = (0..count).map(|_| chance.range(0.5, 1.6)).collect();
    let others: f32 = widths.iter().enumerate().filter(|(i, _)| *i != lit).map(|(_, w)| w).sum();
    let share = value.map_or_else(|| chance.range(0.2, 0.3), |v| v.clamp(0.06, 0.8));
    widths[lit] = share / (1.0 - share) * others;
    let total: f32 = widths.iter().sum();
    // The ribbons are close together where they start, and apart where they end.
    let (near, far) = (chance.range(0.01, 0.03), chance.range(0.07, 0.11));
    let scale = (0.98 - far * (count - 1) as f32) / total;
    let mut order: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        order.swap(i, chance.below(i + 1));
    }
    // If the accented ribbon kept its position, it would cross nothing.
    if order[lit] == lit {
        order.rotate_left(1);
    }
    let tops = |order: &[usize], gap: f32| {
        let taken = total * scale + gap * (count - 1) as f32;
        let mut y = 0.5 * (1.0 - taken);
        let mut tops = vec![0.0; count];
        for i in order {
            tops[*i] = y;
            y += widths[*i] * scale + gap;
        }
        tops
    };
    let straight: Vec<usize> = (0..count).collect();
    let (from, to) = (tops(&straight, near), tops(&order, far));
    let x0 = r.x0 - if edges.left { 20.0 } else { 0.0 };
    let x1 = r.x1 + if edges.right { 20.0 } else { 0.0 };
    let bend = chance.range(0.42, 0.56);
    let ribbon = |i: usize| {
        let high = |v: f32| r.y0 + v * r.h();
        let width = widths[i] * scale;
        let (a, b) = (high(from[i]), high(to[i]));
        let (c, d) = (high(from[i] + width), high(to[i] + width));
        let (p, q) = (x0 + bend * (x1 - x0), x1 - bend * (x1 - x0));
        let mut path = BezPath::new();
        path.move_to(at(Point::new(x0, a)));
        path.curve_to(at(Point::new(p, a)), at(Point::new(q, b)), at(Point::new(x1, b)));
        path.line_to(at(Point::new(x1, d)));
        path.curve_to(at(Point::new(q, d)), at(Point::new(p, c)), at(Point::new(x0, c)));
        path.close_path();
        path
    };
    // Ribbons that start inside the page fade in.
    let tone = |color: Color| {
        let start = color.alpha(if edges.left { color.a } else { 0.0 });
        linear(Point::new(r.x0, 0.0), Point::new(r.x1, 0.0), &[(0.0, start), (0.34, color), (1.0, color)])
    };
    within(easel, zone, |easel| {
        for i in (0..count).filter(|i| *i != lit) {
            let t = i as f32 / (count - 1) as f32;
            easel.art(shape(ribbon(i), tone(mix(mix(bg, inks[3], 0.42), inks[2], 0.72 * t).alpha(0.82))));
        }
        easel.art(shape(ribbon(lit), tone(inks[1])));
    });
}
