//! A few large overlapping shapes; the overlap has a colour of its own.

use super::shapes::{Placed, bar, disc, fill, polygon, sector};
use super::{Corner, Easel, Scale, Zone, clipped, inks, within};
use crate::random::Chance;
use crate::scene::{Affine, Color, Coverage, Point, Rect};

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let corner = zone.corner(canvas, chance.below(2) == 0);
    let mut inks = inks(easel);
    // The darkest colour is large only on covers; beside text, it would dominate the words.
    match (zone.scale, chance.below(3)) {
        (Scale::Accent, _) => inks.rotate_left(1),
        (_, 0) => inks.swap(0, 1),
        (_, 1) => inks.swap(1, 2),
        _ => {}
    }
    let draw = [halves, nest, eclipse, slope][chance.below(4)];
    within(easel, zone, |easel| draw(easel, &corner, inks, chance));
}

/// Draws one shape over another, and their overlap in a third colour.
fn overlap(easel: &mut Easel, frame: Affine, low: (Coverage, Color), high: (Coverage, Color), both: Color) {
    easel.art(fill(low.0.clone(), low.1).placed(frame));
    easel.art(fill(high.0.clone(), high.1).placed(frame));
    clipped(easel, frame, low.0, |easel| easel.art(fill(high.0, both).placed(frame)));
}

/// Draws two halves of a disc, shifted along the line that divides it.
fn halves(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let lying = w > h;
    let (long, short) = if lying { (w, h) } else { (h, w) };
    let r = (0.5 * short).min(long / 2.4);
    let bleeds = if lying { corner.bleeds.0 } else { corner.bleeds.1 };
    let first = if bleeds { r * chance.range(0.2, 0.45) } else { r };
    let step = r * chance.range(0.8, 1.25);
    let turn = |x: f32, y: f32| if lying { Point::new(x, y) } else { Point::new(y, x) };
    let side = if lying { 0.0 } else { 90.0 };
    let flip = if chance.below(2) == 0 { 180.0 } else { 0.0 };
    let mid = 0.5 * short;
    let (near, far) = (turn(first, mid), turn((first + step).min(long - r), mid));
    let frame = corner.frame;
    easel.art(fill(sector(near, r, side + flip, 180.0), inks[0]).placed(frame));
    easel.art(fill(sector(far, r, side + flip + 180.0, 180.0), inks[1]).placed(frame));
    // A small disc, if there is room for one, for scale.
    let across = if (flip == 0.0) == lying { -1.0 } else { 1.0 };
    let small = r * chance.range(0.17, 0.24);
    let beside = turn((first + step).min(long - r) + 0.62 * r, mid + across * 0.62 * r);
    easel.art(fill(disc(beside, small), inks[2]).placed(frame));
}

/// Draws nested discs that touch at one point.
fn nest(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let out = |bleeds: bool| if bleeds { 0.0 } else { 1.0 };
    let r = (0.62 * w).min(0.62 * h);
    let center = Point::new(
        (r * out(corner.bleeds.0)).max(0.32 * w).min(w - r),
        (r * out(corner.bleeds.1)).max(0.34 * h).min(h - r),
    );
    let (sin, cos) = libm::sincosf(chance.range(0.15, 1.4));
    let step = chance.range(0.68, 0.76);
    let mut inner = r;
    for ink in inks.iter().take(4) {
        let shift = r - inner;
        let at = Point::new(center.x + shift * cos, center.y + shift * sin);
        easel.art(fill(disc(at, inner), *ink).placed(corner.frame));
        inner *= step;
    }
}

/// Draws a disc behind a bar that ends where the disc does.
fn eclipse(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let r = 0.47 * w.min(h);
    let upright = w > h;
    let place = |bleeds: bool, side: f32, part: f32| (side * if bleeds { part } else { 0.5 }).min(side - r);
    let center =
        Point::new(place(corner.bleeds.0, w, 0.34), place(corner.bleeds.1, h, if upright { 0.5 } else { 0.4 }));
    let thick = r * chance.range(0.62, 0.86);
    let bar = if upright {
        let x = center.x + r * chance.range(-0.3, 0.3) - 0.2 * thick;
        bar(Rect::new(x, -20.0, x + thick, center.y + r))
    } else {
        let y = center.y + r * chance.range(-0.3, 0.3) - 0.2 * thick;
        bar(Rect::new(-20.0, y, center.x + r, y + thick))
    };
    overlap(easel, corner.frame, (disc(center, r), inks[1]), (bar, inks[0]), inks[2]);
}

/// Draws a wedge from the corner, and a disc on its slope.
fn slope(easel: &mut Easel, corner: &Corner, inks: [Color; 5], chance: &mut Chance) {
    let (w, h) = (corner.size.w, corner.size.h);
    let (across, down) = (w.min(1.3 * h), h.min(1.3 * w));
    let wedge = polygon(&[Point::new(-20.0, -20.0), Point::new(across, -20.0), Point::new(-20.0, down)]);
    let r = chance.range(0.27, 0.34) * across.min(down);
    let along = chance.range(0.4, 0.56);
    let center = Point::new(along * across, (1.0 - along) * down);
    overlap(easel, corner.frame, (wedge, inks[0]), (disc(center, r), inks[1]), inks[2]);
}
