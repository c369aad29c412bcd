//! A fan of fine lines between half circles, with a half disc in its middle. The share of filled blades shows the value
//! if there is one.

use kurbo::BezPath;

use super::shapes::{add_line, fill, line, mix, radial, sector};
use super::{Easel, Scale, Zone, framed, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Coverage, Point, Stroke};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let zone = framed(easel, zone);
    let (k, r, inks, palette) = (pen(easel), zone.rect, inks(easel), easel.palette);
    let fine = (easel.rule.min(2.0) * k).max(1.5);
    let radius = (r.h() - fine).min(0.5 * r.w() - fine);
    let center = Point::new(r.x1 - radius - fine, r.y1);
    let blades = if zone.scale == Scale::Lead { 11 + 2 * chance.below(4) } else { 9 };
    let inner = chance.range(0.2, 0.34) * radius;
    let ledge = chance.range(0.78, 0.88) * radius;
    let tiers = chance.below(2) + 1;
    let metal = inks[1];
    let step = 180.0 / blades as f32;
    // Every other blade is filled, or with a value, those up to its share from the left.
    let full = |i: usize| value.map_or(i.is_multiple_of(2), |v| (i as f32 + 0.5) / blades as f32 <= v);
    let half = |radius: f32, width: f32| {
        let (start, sweep) = (std::f32::consts::PI, std::f32::consts::PI);
        Coverage::Arc { center, radius, start, sweep, stroke: Some(Stroke::new(width)) }
    };
    within(easel, zone, |easel| {
        for i in (0..blades).filter(|i| full(*i)) {
            let tone = mix(palette.bg, metal, if i % 4 == 0 { 0.5 } else { 0.32 });
            easel.art(fill(sector(center, ledge, 180.0 + i as f32 * step, step), tone));
        }
        // The ledge has its own blades, half as wide.
        let mut spokes = BezPath::new();
        let toward = |degrees: f32, by: f32| {
            let (sin, cos) = libm::sincosf(degrees.to_radians());
            Point::new(center.x - by * cos, center.y - by * sin)
        };
        for i in 0..=blades {
            add_line(&mut spokes, toward(i as f32 * step, inner), toward(i as f32 * step, ledge));
        }
        for i in 0..=tiers * 2 * blades {
            let degrees = i as f32 * step / (2 * tiers) as f32;
            add_line(&mut spokes, toward(degrees, ledge), toward(degrees, radius - 1.5 * fine));
        }
        easel.art(line(spokes, Stroke::new(fine), metal));
        for (at, width) in
            [(radius - 0.5 * fine, fine), (radius - 6.0 * fine, fine), (ledge, fine), (ledge - 5.0 * fine, fine)]
        {
            easel.art(fill(half(at, width), metal));
        }
        let stops = [(0.0, mix(inks[2], palette.bg, 0.25)), (1.0, inks[2])];
        easel.art(fill(sector(center, inner, 180.0, 180.0), radial(center, inner, &stops)));
        easel.art(fill(half(inner + 5.0 * fine, fine), metal));
    });
}
