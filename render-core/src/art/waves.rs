//! Areas with a wavy edge: one as a background for text, and a stack of them at an edge of the canvas.

use kurbo::BezPath;

use super::shapes::{Placed, at, shape};
use super::{Easel, Scale, Zone, inks, within};
use crate::random::Chance;
use crate::scene::{Affine, Color, Item, Point, Rect, Role};

/// How far areas extend over the canvas.
const OVER: f32 = 20.0;

/// Draws an area with one wavy edge: the lower one if the area begins at the top of the canvas, else the upper one. The
/// edge varies by `amplitude` du around that of `rect`. The area is under art that is drawn later, and under text.
pub(crate) fn wave_edge(easel: &mut Easel, rect: Rect, color: Color, seed: u64, amplitude: f32) {
    let hangs = rect.y0 <= 0.5;
    let frame =
        if hangs { Affine::translate(rect.x0, rect.y0) } else { Affine([1.0, 0.0, 0.0, -1.0, rect.x0, rect.y1]) };
    let over = if hangs || rect.y1 >= easel.size.h - 0.5 { OVER } else { 0.0 };
    let path = wavy_area(rect.w(), over, rect.h(), amplitude, &mut Chance::new(seed));
    easel.art(Item { role: Role::Field, ..shape(path, color).placed(frame) });
}

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let (r, edges, inks) = (zone.rect, zone.edges(easel.size), inks(easel));
    // Along the edge that bleeds; if several do, along the longer one.
    let level = edges.top || edges.bottom;
    let side = if edges.right || !edges.left { r.x1 } else { r.x0 };
    let inward = if side == r.x1 { -1.0 } else { 1.0 };
    let upright = (edges.right || edges.left) && (!level || r.h() > r.w());
    let (long, deep) = if upright { (r.h(), r.w()) } else { (r.w(), r.h()) };
    let count = if zone.scale == Scale::Lead { 3 } else { 2 };
    let first = chance.below(3);
    let shares = [chance.range(0.82, 0.88), chance.range(0.52, 0.62), chance.range(0.22, 0.34)];
    within(easel, zone, |easel| {
        for (i, share) in shares.into_iter().take(count).enumerate() {
            let depth = share * deep;
            let color = inks[(first + i) % 3];
            let amplitude = (0.1 * deep.min(0.8 * long)).min(deep - depth);
            if upright {
                let frame = Affine([0.0, 1.0, inward, 0.0, side, r.y0]);
                let path = wavy_area(long, OVER, depth, amplitude, chance);
                easel.art(shape(path, color).placed(frame));
            } else {
                let hangs = edges.top && !edges.bottom;
                let (y0, y1) = if hangs { (r.y0, r.y0 + depth) } else { (r.y1 - depth, r.y1) };
                wave_edge(easel, Rect::new(r.x0, y0, r.x1, y1), color, chance.number(), amplitude);
            }
        }
    });
}

/// Returns the area from `over` above 0 down to a wavy edge around `depth`, a little longer than `long`. Waves differ
/// in length and height, and the edge tilts a little, within its amplitude.
fn wavy_area(long: f32, over: f32, depth: f32, amplitude: f32, chance: &mut Chance) -> BezPath {
    let p = |x: f32, y: f32| at(Point::new(x, y));
    let length = (0.4 * long).clamp(240.0, 560.0) * chance.range(0.85, 1.2);
    let lean = amplitude * chance.range(-0.3, 0.3);
    let mut here = Point::new(-OVER - length * chance.range(0.0, 0.4), depth);
    let mut up = chance.below(2) == 0;
    let mut path = BezPath::new();
    path.move_to(p(here.x, -over));
    path.line_to(at(here));
    while here.x < long + OVER {
        let x = here.x + 0.5 * length * chance.range(0.8, 1.25);
        let swing = 0.68 * amplitude * chance.range(0.62, 1.0);
        let y = depth + lean * (2.0 * x / long - 1.0).clamp(-1.0, 1.0) + if up { -swing } else { swing };
        let mid = (x - here.x) * 0.46;
        path.curve_to(p(here.x + mid, here.y), p(x - mid, y), p(x, y));
        here = Point::new(x, y);
        up = !up;
    }
    path.line_to(p(here.x, -over));
    path.close_path();
    path
}
