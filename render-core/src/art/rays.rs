//! Flat wedges around a point, in full chroma, with a disc where they meet.

use super::shapes::{bar, disc, fill, polygon};
use super::{Easel, Scale, Zone, apart, clipped, inks, within};
use crate::random::Chance;
use crate::scene::{Affine, Point};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let (r, edges) = (zone.rect, zone.edges(canvas));
    let (inks, bg) = (inks(easel), easel.palette.bg);
    let first = apart(&inks, &[bg], 0.2);
    let second = apart(&inks, &[bg, first], 0.2);
    let corner = zone.corner(canvas, chance.below(2) == 0);
    let short = r.w().min(r.h());
    // A filled block if it reaches from edge to edge, else a burst around the corner.
    let block = zone.scale == Scale::Lead && ((edges.left && edges.right) || (edges.top && edges.bottom));
    let place = chance.below(3);
    let center = match (block, place) {
        (true, 0) => Point::new(r.x0 + r.w() * chance.range(0.56, 0.74), r.y1),
        (true, 1) => Point::new(r.x0 + r.w() * chance.range(0.54, 0.7), r.y0 + r.h() * chance.range(0.42, 0.58)),
        _ => corner.frame.apply(Point::new(0.04 * short, 0.06 * short)),
    };
    let count = if block && place == 1 { 11 + 2 * chance.below(4) } else { 18 + 2 * chance.below(6) };
    let share = chance.range(0.42, 0.56);
    let start = chance.unit();
    // On a block, the gaps have their own colour two times out of three.
    let (ground, wedge) = match chance.below(3) {
        0 => (Some(first), second),
        1 => (Some(second), first),
        _ => (None, first),
    };
    let middle = if wedge == first { second } else { first };
    let length = 2.0 * (r.w() + r.h());
    let wedges = move |easel: &mut Easel| {
        for i in 0..count {
            let angle = |t: f32| (i as f32 + start + t) / count as f32 * std::f32::consts::TAU;
            let end = |t: f32| {
                let (sin, cos) = libm::sincosf(angle(t));
                Point::new(center.x + length * cos, center.y + length * sin)
            };
            easel.art(fill(polygon(&[center, end(0.0), end(share)]), wedge));
        }
    };
    let hub = short * if block { chance.range(0.2, 0.3) } else { chance.range(0.3, 0.36) };
    within(easel, zone, |easel| {
        if block {
            if let Some(ground) = ground {
                easel.art(fill(bar(zone.reach(canvas, 8.0)), ground));
            }
            wedges(easel);
            // The ring between the hub and its rays has the colour of the gaps.
            let ring = ground.unwrap_or(bg);
            easel.art(fill(disc(center, 1.28 * hub), ring));
        } else {
            clipped(easel, Affine::IDENTITY, disc(center, 0.94 * short), wedges);
            easel.art(fill(disc(center, 1.28 * hub), bg));
        }
        easel.art(fill(disc(center, hub), middle));
    });
}
