//! Northern lights: blurred curtains of rays that rise from a winding hem and fade upwards.

use super::shapes::{fill, linear, polygon, smoothstep};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::color::Oklch;
use crate::scene::{BlendMode, Color, Layer, Point};

/// Number of rays in a curtain.
const RAYS: usize = 40;
/// A ray has one of these few strengths, so that few gradients serve all rays.
const STRENGTHS: [f32; 4] = [0.28, 0.46, 0.66, 0.9];

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let r = zone.rect;
    let accent = easel.palette.accent;
    let hue = accent.to_oklch();
    // A hue near the accent's, so that the light isn't a rainbow.
    let to = if chance.below(2) == 0 { 42.0 } else { -42.0 };
    let cool = Oklch::new(0.66, hue.c.max(0.11), hue.h + to).to_color();
    let deep = inks(easel)[2];
    let curtains = if zone.scale == Scale::Lead { 3 } else { 2 };
    let width = r.w() / (RAYS - 6) as f32;
    let colors = [cool, deep, accent];
    within(easel, zone, |easel| {
        let layer = Layer { blur: (0.62 * width).max(6.0), blend: BlendMode::Screen, ..Layer::new(0..0) };
        easel.art_group(layer, |easel| {
            for (n, color) in colors.into_iter().enumerate().skip(3 - curtains) {
                curtain(easel, zone, color, n, chance);
            }
        });
    });
}

/// Draws one curtain. Later ones hang lower and are brighter.
fn curtain(easel: &mut Easel, zone: Zone, color: Color, n: usize, chance: &mut Chance) {
    let (r, edges) = (zone.rect, zone.edges(easel.size));
    let (w, h) = (r.w(), r.h());
    let phases: [f32; 4] = std::array::from_fn(|_| chance.unit());
    let wave = |u: f32, f: f32, i: usize| libm::sinf(std::f32::consts::TAU * (f * u + phases[i]));
    let foot = r.y0 + h * (0.56 + 0.1 * n as f32);
    let tall = h * chance.range(0.5, 0.66);
    let lean = 0.12 * w * chance.range(-1.0, 1.0);
    let step = w / (RAYS - 6) as f32;
    // The hem keeps far enough from the edges that the blur stays in the zone.
    let hem = |u: f32| foot + h * (0.09 * wave(u, 1.1, 0) + 0.04 * wave(u, 2.7, 1));
    for i in 0..RAYS {
        let u = (i as f32 - 3.0) / (RAYS - 6) as f32;
        let side = |bleeds: bool, d: f32| if bleeds { 1.0 } else { smoothstep(0.08, 0.42, d) };
        let seen = side(edges.left, u) * side(edges.right, 1.0 - u);
        let flicker = 0.5 + 0.32 * wave(u, 3.3, 2) + 0.26 * wave(u, 7.9, 3);
        let strength = seen * flicker.clamp(0.0, 1.0);
        if strength < 0.12 {
            continue;
        }
        let level = STRENGTHS[((strength * STRENGTHS.len() as f32) as usize).min(STRENGTHS.len() - 1)];
        let (x0, x1) = (r.x0 + u * w, r.x0 + u * w + 1.3 * step);
        let (low, low1) = (hem(u), hem(u + step / w));
        let top = low.min(low1) - tall * (0.62 + 0.38 * strength);
        let ray = [Point::new(x0, low), Point::new(x1, low1), Point::new(x1 + lean, top), Point::new(x0 + lean, top)];
        let stops = [
            (0.0, color.alpha(level)),
            (0.12, color.alpha(0.8 * level)),
            (0.5, color.alpha(0.26 * level)),
            (1.0, color.alpha(0.0)),
        ];
        easel.art(fill(polygon(&ray), linear(Point::new(x0, low.max(low1)), Point::new(x0 + lean, top), &stops)));
    }
}
