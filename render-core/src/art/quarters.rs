//! Quarter discs in the squares of a golden spiral, each as large as the next two together.

use super::shapes::{Placed, bar, fill, sector};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Affine, Color, Point, Rect};

/// Squares of 1, 1, 2, 3, 5 and 8 make a rectangle of 13 × 8.
const SIDES: [f32; 6] = [8.0, 5.0, 3.0, 2.0, 1.0, 1.0];

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let corner = zone.corner(easel.size, chance.below(2) == 0);
    let inks = inks(easel);
    let count = if zone.scale == Scale::Lead { 4 + chance.below(3) } else { 3 };
    let squares = squares();
    let lying = corner.size.w >= corner.size.h;
    let (w, h) = if lying { (13.0, 8.0) } else { (8.0, 13.0) };
    let unit = (corner.size.w / w).min(corner.size.h / h);
    // Mirrored about the diagonal in an upright zone, and flipped as the seed chooses.
    let turn = if lying { Affine::IDENTITY } else { Affine([0.0, 1.0, 1.0, 0.0, 0.0, 0.0]) };
    let flip = match chance.below(4) {
        0 => Affine::IDENTITY,
        1 => Affine([-1.0, 0.0, 0.0, 1.0, 13.0, 0.0]),
        2 => Affine([1.0, 0.0, 0.0, -1.0, 0.0, 8.0]),
        _ => Affine([-1.0, 0.0, 0.0, -1.0, 13.0, 8.0]),
    };
    let frame = corner.frame.after(&Affine::scale(unit)).after(&turn).after(&flip);
    let first = chance.below(3);
    let grounds = chance.below(2) == 0;
    within(easel, zone, |easel| {
        for (i, (rect, center, start)) in squares.into_iter().take(count).enumerate() {
            // The darkest colour is only for small ones.
            let ink = |i: usize| -> Color { if i >= 3 && i % 4 == 3 { inks[3] } else { inks[(first + i) % 3] } };
            if grounds && i % 2 == 1 {
                easel.art(fill(bar(rect), ink(i + 1)).placed(frame));
            }
            let color = ink(i);
            easel.art(fill(sector(center, rect.w(), start, 90.0), color).placed(frame));
        }
    });
}

/// Returns the squares, the largest first, each with the centre of its quarter disc and its start angle.
fn squares() -> Vec<(Rect, Point, f32)> {
    let mut room = Rect::new(0.0, 0.0, 13.0, 8.0);
    let mut out = Vec::new();
    for (i, side) in SIDES.into_iter().enumerate() {
        let (square, center, start) = match i % 4 {
            0 => (Rect::at(room.x0, room.y0, side, side), Point::new(room.x0 + side, room.y0 + side), 180.0),
            1 => (Rect::at(room.x1 - side, room.y0, side, side), Point::new(room.x1 - side, room.y0 + side), 270.0),
            2 => {
                (Rect::at(room.x1 - side, room.y1 - side, side, side), Point::new(room.x1 - side, room.y1 - side), 0.0)
            }
            _ => (Rect::at(room.x0, room.y1 - side, side, side), Point::new(room.x0 + side, room.y1 - side), 90.0),
        };
        match i % 4 {
            0 => room.x0 += side,
            1 => room.y0 += side,
            2 => room.x1 -= side,
            _ => room.y1 -= side,
        }
        out.push((square, center, start));
    }
    out
}
