//! Big dots or bars that grow until they fill the edge.

use kurbo::BezPath;

use super::shapes::{add_disc, at, shape, smoothstep};
use super::{Easel, Scale, Zone, apart, inks, within};
use crate::random::Chance;
use crate::scene::Point;

/// The target of the growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    /// The corner.
    Corner,
    /// The left or right edge.
    Side,
    /// The upper or lower edge.
    Level,
}

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let inks = inks(easel);
    let corner = zone.corner(canvas, chance.below(2) == 0);
    let (w, h) = (corner.size.w, corner.size.h);
    let growth = match corner.bleeds {
        (true, true) => [Growth::Corner, Growth::Side, Growth::Level][chance.below(3)],
        (true, false) => Growth::Side,
        _ => Growth::Level,
    };
    let bars = chance.below(3) == 0;
    let cored = !bars && zone.scale == Scale::Lead && chance.below(2) == 0;
    let bend = chance.range(0.8, 1.3);
    // Rises from 0 at the inner end to 1 at the edge.
    let tone = |x: f32, y: f32| {
        let t = match growth {
            Growth::Corner => 1.0 - libm::hypotf(x / w, y / h) / 1.02,
            Growth::Side => 1.0 - x / (0.98 * w),
            Growth::Level => 1.0 - y / (0.98 * h),
        };
        let near = |bleeds: bool, d: f32, side: f32| if bleeds { 1.0 } else { smoothstep(0.0, 0.4 * side, d) };
        // Edges that don't bleed stay free too.
        let held = match growth {
            Growth::Corner => 1.0,
            Growth::Side => near(corner.bleeds.1, y, h) * near(corner.far.1, h - y, h),
            Growth::Level => near(corner.bleeds.0, x, w) * near(corner.far.0, w - x, w),
        };
        libm::powf(t.clamp(0.0, 1.0), bend) * held
    };
    let pitch = w.min(h) / if bars { chance.range(8.0, 10.0) } else { chance.range(7.0, 9.0) };
    let (mut dots, mut cores) = (BezPath::new(), BezPath::new());
    if bars {
        strips(&mut dots, growth, pitch, w, h, &|p| corner.frame.apply(p));
    } else {
        let half = 0.5 * pitch;
        for j in 0..=(h / half) as usize + 1 {
            for i in 0..=(w / pitch) as usize + 1 {
                let x = i as f32 * pitch + if j % 2 == 1 { half } else { 0.0 };
                let y = j as f32 * half;
                let radius = 0.54 * pitch * tone(x, y);
                if radius > 0.035 * pitch {
                    add_disc(&mut dots, corner.frame.apply(Point::new(x, y)), radius);
                    if cored && radius > 0.2 * pitch {
                        add_disc(&mut cores, corner.frame.apply(Point::new(x, y)), 0.42 * radius);
                    }
                }
            }
        }
    }
    let (first, second) = {
        let bg = easel.palette.bg;
        let first = apart(if chance.below(3) == 0 { &inks[1..] } else { &inks }, &[bg], 0.2);
        (first, apart(&inks, &[first], 0.2))
    };
    within(easel, zone, |easel| {
        easel.art(shape(dots, first));
        if cored {
            easel.art(shape(cores, second));
        }
    });
}

/// Adds bars perpendicular to the growth, each thicker than the previous one.
fn strips(path: &mut BezPath, growth: Growth, pitch: f32, w: f32, h: f32, to: &dyn Fn(Point) -> Point) {
    let reach = match growth {
        Growth::Side => w,
        Growth::Level => h,
        Growth::Corner => w.min(h),
    };
    let count = (reach / pitch) as usize;
    for i in 0..count {
        let t = 1.0 - (i as f32 + 0.5) / count as f32;
        let (mid, half) = ((i as f32 + 0.5) * pitch, 0.5 * pitch * (0.06 + 0.86 * t));
        let (a, b) = (mid - half, mid + half);
        let a = if i == 0 { -30.0 } else { a };
        let corners = match growth {
            Growth::Side => [(a, -30.0), (b, -30.0), (b, h + 30.0), (a, h + 30.0)],
            Growth::Level => [(-30.0, a), (w + 30.0, a), (w + 30.0, b), (-30.0, b)],
            Growth::Corner => [(a, -30.0), (b, -30.0), (-30.0, b), (-30.0, a)],
        };
        path.move_to(at(to(Point::new(corners[0].0, corners[0].1))));
        corners[1..].iter().for_each(|c| path.line_to(at(to(Point::new(c.0, c.1)))));
        path.close_path();
    }
}
