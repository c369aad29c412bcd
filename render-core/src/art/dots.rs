//! A field of dots that swell and shrink: a crest, a wave or ripples, faded out before the zone ends. The crest is in
//! the accent.

use kurbo::BezPath;

use super::shapes::{add_disc, mix, shape, smoothstep};
use super::{Easel, Scale, Zone, inks};
use crate::random::Chance;
use crate::scene::Point;

/// How the sizes of dots vary.
#[derive(Debug, Clone, Copy)]
enum Swell {
    /// Largest at one point.
    Crest,
    /// In parallel waves.
    Wave,
    /// In rings around the focus, near the corner.
    Ripple,
}

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let edges = zone.edges(canvas);
    let r = zone.rect;
    let short = r.w().min(r.h());
    let across = if zone.scale == Scale::Lead { 11 + chance.below(4) } else { 9 };
    let pitch = short / across as f32;
    let swell = [Swell::Crest, Swell::Wave, Swell::Ripple][chance.below(3)];
    let corner = zone.corner(canvas, chance.below(2) == 0);
    let focus = corner
        .frame
        .apply(Point::new(corner.size.w * chance.range(0.16, 0.34), corner.size.h * chance.range(0.2, 0.42)));
    let turn = chance.range(0.3, 1.2) * if chance.below(2) == 0 { 1.0 } else { -1.0 };
    let (sin, cos) = libm::sincosf(turn);
    let phase = chance.unit();
    let length = short * chance.range(0.42, 0.6);
    let strength = |p: Point| {
        let from =
            |bleeds: bool, d: f32, side: f32| if bleeds { 1.0 } else { smoothstep(0.0, 0.5 * side, d - 0.5 * pitch) };
        let fade = from(edges.left, p.x - r.x0, r.w())
            * from(edges.right, r.x1 - p.x, r.w())
            * from(edges.top, p.y - r.y0, r.h())
            * from(edges.bottom, r.y1 - p.y, r.h());
        let (dx, dy) = (p.x - focus.x, p.y - focus.y);
        let away = (dx * dx + dy * dy).sqrt();
        let crest = match swell {
            Swell::Crest => 1.0 - smoothstep(0.0, 0.95 * short, away),
            Swell::Wave => 0.5 + 0.5 * libm::cosf(std::f32::consts::TAU * ((dx * cos + dy * sin) / length + phase)),
            Swell::Ripple => 0.5 + 0.5 * libm::cosf(std::f32::consts::TAU * away / length),
        };
        (crest, fade.sqrt() * (0.1 + 0.36 * crest))
    };
    let (mut quiet, mut loud) = (BezPath::new(), BezPath::new());
    let (cols, rows) = ((r.w() / pitch) as usize + 1, (r.h() / pitch) as usize + 1);
    for i in 0..=cols {
        for j in 0..=rows {
            let p = corner.frame.apply(Point::new((i as f32) * pitch, (j as f32) * pitch));
            let (crest, size) = strength(p);
            if size < 0.035 {
                continue;
            }
            let lit = match value {
                // With a share, as many columns from the outer side as it says.
                Some(share) => (r.x1 - p.x) / r.w() > 1.0 - share,
                None => crest > 0.8,
            };
            add_disc(if lit { &mut loud } else { &mut quiet }, p, size * pitch);
        }
    }
    let inks = inks(easel);
    easel.art(shape(quiet, mix(easel.palette.bg, inks[0], 0.55)));
    easel.art(shape(loud, inks[1]));
}
