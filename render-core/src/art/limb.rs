//! The lit limb of a planet, and stars: a single glow on a single object.

use super::{Easel, Scale, Zone};
use crate::random::Chance;
use crate::scene::color::Oklch;
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stop};

/// Radius of the body relative to its glow.
const BODY: f32 = 0.8;
/// Height of an equilateral triangle with side 1.
const HALF_SQRT_3: f32 = 0.866_025_4;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let r = &zone.rect;
    let right = r.x1 >= canvas.w - 0.5;
    let bottom = r.y1 >= canvas.h - 0.5 && r.y0 > 0.5;
    // The glow fades out at the edge of the zone, so that none of it is under text. Most of the body is off the canvas.
    // Beside text, it rises to a different height on each slide.
    let reach = if zone.scale == Scale::Lead { 1.0 } else { chance.range(0.9, 1.0) };
    let (dx, dy) = (r.w() * reach, r.h() * reach);
    let down = if bottom { 1.0 } else { -1.0 };
    let corner_y = if bottom { r.y1 } else { r.y0 };
    let (glow, center) = if right {
        let glow = (dx * dx + dy * dy).sqrt();
        let part = Rect::new(r.x1 - dx, corner_y.min(corner_y - down * dy), r.x1, corner_y.max(corner_y - down * dy));
        let high = center(&part, glow);
        (glow, if bottom { Point::new(high.x, 2.0 * part.center().y - high.y) } else { high })
    } else {
        let glow = (0.62 * r.w()).max(dy);
        (glow, Point::new(r.center().x, corner_y - down * dy + down * glow))
    };
    stars(easel, zone, center, glow, chance);
    let p = easel.palette;
    let hue = p.accent.to_oklch();
    let rim = Oklch::new(0.93, hue.c * 0.5, hue.h).to_color();
    let deep = Oklch::new(0.55, hue.c, hue.h - 14.0).to_color();
    let stops = [
        (BODY - 0.003, p.accent.alpha(0.0)),
        (BODY + 0.002, rim.alpha(1.0)),
        (BODY + 0.012, p.accent.alpha(0.68)),
        (BODY + 0.038, p.accent.alpha(0.28)),
        (BODY + 0.09, deep.alpha(0.09)),
        (0.985, deep.alpha(0.0)),
    ];
    easel.art(disc(center, glow, Paint::Radial { center, radius: glow, stops: stops.map(stop).into() }));
    easel.art(disc(center, BODY * glow, Paint::Solid(p.bg)));
    let shade = Oklch::new(0.2, 0.012, hue.h).to_color();
    let lit = [(0.5, p.bg.alpha(0.0)), (1.0, shade.alpha(0.75))];
    // Light wraps around the edge that faces the page.
    let inner = Point::new(center.x + 0.1 * glow, center.y + down * 0.13 * glow);
    easel.art(disc(
        center,
        BODY * glow - 0.4,
        Paint::Radial { center: inner, radius: 0.92 * glow, stops: lit.map(stop).into() },
    ));
}

/// Returns the centre of a circle with radius `glow` through the two points where a zone in the upper right corner
/// meets the canvas's edges. The distance of the points is also `glow`.
pub(crate) fn center(zone: &Rect, glow: f32) -> Point {
    let (nx, ny) = (zone.h() / glow, -zone.w() / glow);
    let mid = zone.center();
    Point::new(mid.x + nx * glow * HALF_SQRT_3, mid.y + ny * glow * HALF_SQRT_3)
}

fn stop((offset, color): (f32, Color)) -> Stop {
    Stop { offset, color }
}

fn disc(center: Point, radius: f32, paint: Paint) -> Item {
    Item::new(Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: None }, paint, Role::Art)
}

/// Draws faint stars around the body, none behind it. They are sparse, because they give depth, not a pattern.
pub(super) fn stars(easel: &mut Easel, zone: Zone, body: Point, glow: f32, chance: &mut Chance) {
    let canvas = easel.size;
    let field = Rect::new(0.0, 0.0, canvas.w, canvas.h).intersect(&zone.rect);
    let count = (field.area() / 9_500.0) as usize;
    let ink = easel.palette.ink;
    let k = easel.k;
    let words = easel.lines_grown(32.0 * k);
    for _ in 0..count.min(120) {
        let at = Point::new(chance.range(field.x0, field.x1), chance.range(field.y0, field.y1));
        let u = chance.unit();
        let (alpha, radius) = (0.12 + 0.7 * u * u * u, chance.range(0.6, 2.1) * k);
        let (dx, dy) = (at.x - body.x, at.y - body.y);
        // A star next to a word would look like a full stop.
        let clear = words.iter().all(|w| !w.contains(&Rect::at(at.x, at.y, 0.0, 0.0), 0.0));
        if clear && (dx * dx + dy * dy).sqrt() > 0.8 * glow {
            let star = disc(at, radius, Paint::Solid(ink.alpha(alpha)));
            easel.art(star);
        }
    }
}
