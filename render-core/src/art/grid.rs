//! A fine square grid with a few cells filled, in steps that rise towards the edge. The filled share shows the value if
//! there is one.

use kurbo::BezPath;

use super::shapes::{add_line, bar, fill, line, linear, mix};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Point, Rect, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, inks) = (pen(easel), zone.rect, inks(easel));
    let palette = easel.palette;
    let corner = zone.corner(canvas, chance.below(2) == 0);
    let across = if zone.scale == Scale::Lead { 6 + chance.below(3) } else { 5 };
    let cell = r.w().min(r.h()) / across as f32;
    let (cols, rows) = ((r.w() / cell + 0.02) as usize, (r.h() / cell + 0.02) as usize);
    // A skyline that falls with the distance from the corner. The share decides how much of the grid is under it.
    let share = value.unwrap_or_else(|| chance.range(0.26, 0.38)).clamp(0.04, 0.96);
    let wanted = ((share * (cols * rows) as f32) as usize).max(1);
    let mut heights: Vec<usize> = (0..cols)
        .map(|i| {
            let t = 1.0 - i as f32 / cols as f32;
            (rows as f32 * (t * t * 1.1 + chance.range(-0.12, 0.12))).clamp(0.0, rows as f32) as usize
        })
        .collect();
    fit(&mut heights, rows, wanted, chance);
    let top = heights.iter().enumerate().max_by_key(|(i, h)| (**h, usize::MAX - i)).map_or(0, |(i, _)| i);
    let at = |i: f32, j: f32| corner.frame.apply(Point::new(i * cell, j * cell));
    within(easel, zone, |easel| {
        for (i, height) in heights.iter().enumerate() {
            for j in 0..*height {
                let edge = j + 1 == *height;
                let ink = if edge && i == top {
                    inks[1]
                } else if edge && chance.below(3) == 0 {
                    inks[0]
                } else {
                    mix(palette.bg, inks[3], [0.5, 0.75, 1.0][chance.below(3)])
                };
                let (a, b) = (at(i as f32, j as f32), at(i as f32 + 1.0, j as f32 + 1.0));
                easel.art(fill(bar(Rect::new(a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y))), ink));
            }
        }
        let mut lines = BezPath::new();
        for i in 0..=cols {
            add_line(&mut lines, at(i as f32, -1.0), at(i as f32, rows as f32));
        }
        for j in 0..=rows {
            add_line(&mut lines, at(-1.0, j as f32), at(cols as f32, j as f32));
        }
        // The grid fades out before it reaches the words.
        let (from, to) = (at(0.0, 0.0), at(cols as f32, 0.0));
        let paint = linear(from, to, &[(0.0, inks[3]), (0.45, inks[3]), (1.0, inks[3].alpha(0.0))]);
        easel.art(line(lines, Stroke::new(2.0 * k), paint));
    });
}

/// Adds and removes cells until the wanted number is under the skyline.
fn fit(heights: &mut [usize], rows: usize, wanted: usize, chance: &mut Chance) {
    for _ in 0..4096 {
        let now: usize = heights.iter().sum();
        if now == wanted {
            return;
        }
        let i = chance.below(heights.len());
        if now < wanted && heights[i] < rows {
            heights[i] += 1;
        } else if now > wanted && heights[i] > 0 {
            heights[i] -= 1;
        }
    }
}
