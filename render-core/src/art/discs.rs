//! A few discs and rings that touch, overlap or are nested, one of them in the accent.

use super::shapes::{disc, fill, mix};
use super::{Easel, Scale, Zone, inks, pen, within};
use crate::random::Chance;
use crate::scene::{Coverage, Point, Size};

/// The accent covers at most this share of the canvas.
const ACCENT: f32 = 0.028;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let (k, r, edges, inks) = (pen(easel), zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let pale = mix(bg, inks[2], 0.22);
    let kind = if zone.scale == Scale::Lead { chance.below(3) } else { 1 };
    let share = chance.range(0.3, 0.62);
    let side = r.w().min(r.h());
    let most = libm::sqrtf(ACCENT * canvas.w * canvas.h / std::f32::consts::PI);
    // A large disc extends over the edge that bleeds.
    let out = if edges.right { 0.16 * side } else { 0.0 };
    let ring = |center: Point, radius: f32| {
        let stroke = Some(2.5 * k);
        fill(Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke }, inks[0])
    };
    within(easel, zone, |easel| match kind {
        0 => {
            // A row of three touching discs, each smaller than the previous one by the same factor.
            let shrink = chance.range(0.5, 0.7);
            let big = 0.5 * (r.w() + out).min(2.0 * r.h()) / (1.0 + shrink + shrink * shrink);
            let big = big.min(0.49 * r.h());
            let (mut x, mut radius) = (r.x1 + out, big);
            // Only a disc that is small enough gets the accent.
            let marked = if big > most { 1 + chance.below(2) } else { chance.below(3) };
            for i in 0..3 {
                let center = Point::new(x - radius, r.y1 - big);
                let ink = if i == marked { inks[1] } else { mix(bg, inks[2], 0.2 + 0.14 * i as f32) };
                easel.art(fill(disc(center, radius), ink));
                (x, radius) = (x - 2.0 * radius, radius * shrink);
            }
        }
        1 => {
            // Overlapping discs, one in front of the other.
            let big = 0.44 * side;
            let center = Point::new(r.x1 + out - big, r.center().y);
            let small = (big * (0.24 + 0.5 * share)).min(most);
            let (sin, cos) = libm::sincosf(chance.range(2.2, 4.0));
            let near = Point::new(
                center.x + 0.8 * big * cos,
                center.y + (0.8 * big * sin).clamp(small - 0.5 * r.h(), 0.5 * r.h() - small),
            );
            easel.art(fill(disc(center, big), pale));
            easel.art(fill(disc(near, small), inks[1]));
            easel.art(ring(center, big));
        }
        _ => {
            // Nested rings that touch at the bottom.
            let count = 4 + chance.below(4);
            let big = 0.48 * side;
            let x = r.x1 + out - big;
            for i in 0..count {
                let radius = big * (1.0 - i as f32 / (count as f32 + 0.6));
                let center = Point::new(x, r.y1 - radius - 2.0 * k);
                if i + 1 == count {
                    easel.art(fill(disc(center, (big * share * 0.8).min(radius).min(most)), inks[1]));
                } else {
                    easel.art(ring(center, radius));
                }
            }
        }
    });
}
