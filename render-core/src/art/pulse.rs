//! Upright bars of light around a horizontal line, like a sound wave: they swell to a peak, which is in the accent. The
//! position of the peak along the line shows the share if there is one.

use super::shapes::{fill, linear, smoothstep};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Coverage, Point, Rect};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, edges) = (pen(easel), zone.rect, zone.edges(canvas));
    let (inks, palette) = (inks(easel), easel.palette);
    let pitch = chance.range(17.0, 26.0) * k * if zone.scale == Scale::Lead { 1.0 } else { 0.8 };
    let width = pitch * chance.range(0.3, 0.46);
    let count = ((r.w() / pitch) as usize).clamp(8, 160);
    let peak = value.map_or_else(|| chance.range(0.5, 0.74), |v| v.clamp(0.04, 0.96));
    let spread = chance.range(0.12, 0.2);
    let phases: [f32; 3] = std::array::from_fn(|_| chance.unit());
    let axis = r.center().y + 0.04 * r.h();
    let most = 0.46 * r.h();
    within(easel, zone, |easel| {
        for i in 0..count {
            let u = (i as f32 + 0.5) / count as f32;
            let wave = |f: f32, n: usize| 0.5 + 0.5 * libm::sinf(std::f32::consts::TAU * (f * u + phases[n]));
            let d = (u - peak) / spread;
            let near = libm::expf(-d * d);
            let rough = 0.5 * wave(5.0, 0) + 0.3 * wave(11.0, 1) + 0.2 * wave(23.0, 2);
            let half = (most * (0.08 * wave(7.0, 1) + 0.92 * near * (0.3 + 0.7 * rough)) + 0.02 * r.h()).min(most);
            // Bars fade in from an edge that doesn't bleed.
            let left = if edges.left { 1.0 } else { smoothstep(0.0, 0.22, u) };
            let right = if edges.right { 1.0 } else { smoothstep(0.0, 0.12, 1.0 - u) };
            let shown = left * right;
            let x = r.x0 + u * r.w();
            let bar = Rect::new(x - 0.5 * width, axis - half, x + 0.5 * width, axis + half);
            let color = if near > 0.45 { palette.accent } else { inks[2] };
            let alpha = shown * if near > 0.45 { 0.45 + 0.55 * near } else { 0.42 + 0.5 * near };
            let (mid, end) = (color.alpha(alpha), color.alpha(0.28 * alpha));
            let paint = linear(Point::new(x, bar.y0), Point::new(x, bar.y1), &[(0.0, end), (0.5, mid), (1.0, end)]);
            easel.art(fill(Coverage::Rect { rect: bar, radii: [0.5 * width; 4], stroke: None }, paint));
        }
    });
}
