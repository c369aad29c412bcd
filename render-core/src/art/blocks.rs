//! Flat areas that divide the zone, and one large shape that contrasts with them.

use super::shapes::{Placed, bar, disc, fill, polygon, sector};
use super::{Corner, Easel, Scale, Zone, apart, clipped, inks, within};
use crate::random::Chance;
use crate::scene::{Color, Point, Rect};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let mut inks = inks(easel);
    let bg = easel.palette.bg;
    inks[0] = apart(&inks, &[bg], 0.2);
    inks[1] = apart(&inks[1..], &[bg, inks[0]], 0.2);
    if chance.below(3) == 0 {
        inks.swap(0, 1);
    }
    let kinds = [quarter, stripes, chevrons, half];
    // Beside text, a completely filled zone would look like a second page.
    let kind = if zone.scale == Scale::Lead { chance.below(4) } else { 1 + chance.below(2) };
    within(easel, zone, |easel| kinds[kind](easel, &corner, inks, chance));
}

/// Draws a rectangle that extends 30 du beyond the zone where it starts at 0 or ends at the zone's end.
fn flat(easel: &mut Easel, corner: &Corner, x0: f32, y0: f32, x1: f32, y1: f32, color: Color) {
    let (w, h) = (corner.size.w, corner.size.h);
    let low = |v: f32| if v <= 0.5 { v - 30.0 } else { v };
    let high = |v: f32, end: f32| if v >= end - 0.5 { v + 30.0 } else { v };
    let rect = Rect::new(low(x0), low(y0), high(x1, w), high(y1, h));
    easel.art(fill(bar(rect), color).placed(corner.frame));
}

/// Draws a flat area, a quarter disc in its corner, and a bar beside it.
fn quarter(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let bg = easel.palette.bg;
    let r = (0.94 * w.min(h)).max(0.62 * h.min(w));
    let edge = (r * chance.range(1.0, 1.16)).min(0.9 * w);
    flat(easel, corner, 0.0, 0.0, edge, h, inks[0]);
    let (ink, dot) = if chance.below(2) == 0 { (inks[1], bg) } else { (bg, inks[1]) };
    easel.art(fill(sector(Point::default(), r, 0.0, 90.0), ink).placed(corner.frame));
    let small = r * chance.range(0.3, 0.42);
    easel.art(fill(sector(Point::default(), small, 0.0, 90.0), dot).placed(corner.frame));
    if w - edge > 0.2 * w {
        let thick = (w - edge) * chance.range(0.22, 0.34);
        flat(easel, corner, edge + thick, 0.0, edge + 2.0 * thick, h, inks[1]);
    }
}

/// Draws bars that become thinner from the edge inwards.
fn stripes(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let lying = corner.bleeds.1 && (h > w || chance.below(2) == 0);
    let side = if lying { h } else { w };
    let ratio = chance.range(0.6, 0.72);
    let count = 5 + chance.below(2);
    let total: f32 = (0..count).map(|i| 2.0 * libm::powf(ratio, i as f32)).sum();
    let mut from = 0.0;
    for i in 0..count {
        let thick = side / total * libm::powf(ratio, i as f32);
        let gap = side / total * libm::powf(ratio, (count - 1 - i) as f32);
        let color = if i == 1 { inks[1] } else { inks[0] };
        let (a, b) = (from, from + thick);
        if lying {
            flat(easel, corner, 0.0, a, w, b, color)
        } else {
            flat(easel, corner, a, 0.0, b, h, color)
        }
        from += thick + gap;
    }
}

/// Draws a row of arrows that leave over the side, or in a high zone, over its upper or lower edge.
fn chevrons(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let high = h > 1.15 * w;
    let (long, across) = if high { (h, w) } else { (w, h) };
    let to = |along: f32, off: f32| if high { Point::new(off, along) } else { Point::new(along, off) };
    let thick = across * chance.range(0.26, 0.34);
    let depth = 0.5 * across * chance.range(0.7, 0.95);
    let pitch = thick * chance.range(1.3, 1.5);
    let mut tip = -0.5 * depth;
    for i in 0.. {
        if tip + thick + depth > long {
            break;
        }
        let (top, mid, low) = (-20.0, 0.5 * across, across + 20.0);
        let arrow = [
            to(tip + depth, top),
            to(tip + depth + thick, top),
            to(tip + thick, mid),
            to(tip + depth + thick, low),
            to(tip + depth, low),
            to(tip, mid),
        ];
        let color = if i % 3 == 1 { inks[1] } else { inks[0] };
        easel.art(fill(polygon(&arrow), color).placed(corner.frame));
        tip += pitch;
    }
}

/// Draws two flat areas, and a disc on their seam in the colours of both.
fn half(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let bg = easel.palette.bg;
    let seam = w * chance.range(0.42, 0.58);
    let r = (0.46 * h).min(0.9 * seam).min(0.9 * (w - seam));
    let center = Point::new(seam, h * chance.range(0.48, 0.52));
    flat(easel, corner, 0.0, 0.0, seam, h, inks[0]);
    easel.art(fill(disc(center, r), inks[0]).placed(corner.frame));
    let left = bar(Rect::new(-30.0, -30.0, seam, h + 30.0));
    let over = if chance.below(2) == 0 { bg } else { inks[1] };
    clipped(easel, corner.frame, left, |easel| easel.art(fill(disc(center, r), over).placed(corner.frame)));
}
