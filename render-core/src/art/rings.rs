//! Nested rings around a corner, each drawn as far as its value. One is in the accent, drawn as far as the share if
//! there is one.

use super::arc::ring_part;
use super::shapes::{mix, shape};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::Point;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, edges, inks) = (pen(easel), zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let (right, low) = (edges.right, edges.bottom);
    let corner = right && (low || edges.top);
    let inset = 10.0 * k;
    let radius = match (right, corner) {
        (_, true) => 0.94 * r.w().min(r.h()),
        (true, _) => (0.94 * r.w()).min(0.5 * r.h() - inset),
        _ => 0.5 * r.w().min(r.h()) - inset,
    };
    let x = if right { r.x1 } else { r.center().x };
    let y = match (corner, low) {
        (true, true) => r.y1,
        (true, false) => r.y0,
        _ => r.center().y,
    };
    let center = Point::new(x, y);
    // The visible arc of a ring: clockwise from where the ring enters the canvas.
    let (start, seen) = match (right, corner, low) {
        (_, true, true) => (180.0, 90.0),
        (_, true, false) => (90.0, 90.0),
        (true, ..) => (90.0, 180.0),
        _ => (-90.0, 360.0),
    };
    let count = if zone.scale == Scale::Lead { 3 + chance.below(5) } else { 4 };
    let pitch = radius * chance.range(0.6, 0.9) / count as f32;
    let width = pitch * chance.range(0.3, 0.82);
    let lit = 1 + chance.below(count - 2);
    let shares: Vec<f32> = (0..count).map(|_| chance.range(0.34, 0.9)).collect();
    within(easel, zone, |easel| {
        for (i, share) in shares.into_iter().enumerate() {
            let at = radius - (i as f32 + 0.5) * pitch;
            let part = |share: f32| ring_part(center, at, width, start, (seen * share).min(359.9));
            easel.art(shape(part(1.0), mix(bg, inks[3], 0.3)));
            let (share, ink) = if i == lit {
                (value.unwrap_or(share.max(0.72)).clamp(0.03, 1.0), inks[1])
            } else {
                (share, mix(inks[2], inks[3], i as f32 / count as f32))
            };
            easel.art(shape(part(share), ink));
        }
    });
}
