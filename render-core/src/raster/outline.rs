//! Outlines of the basic shapes, where they are drawn as paths.

use kurbo::PathEl;

use crate::scene::{BezPath, LineCap, LineJoin, Point, Rect, Size, Stroke};

/// Handle length of the cubic for an eighth of the unit circle, 4/3·tan(π/16); the error is at most 4·10⁻⁶.
const EIGHTH: f64 = 0.265_216_489_839_544_6;
/// Lines that are thicker than this many pixels, or extend further from their origin, aren't drawn.
const FARTHEST: f64 = 1e6;
/// Dashes with a shorter period than this many pixels are drawn as a solid line.
const FINEST_DASH: f64 = 0.5;
/// So is a line with more dashes than this.
const MOST_DASHES: f64 = 20_000.0;
const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Makes corner radii fit: negative ones become zero, and all are scaled down together if two share an edge that is too
/// short for them (CSS Backgrounds 3, 5.5).
pub(crate) fn fit_radii(radii: [f32; 4], rect: Rect) -> [f32; 4] {
    /// Small enough that two of them can be added.
    const MOST: f32 = 1e30;
    let radii = radii.map(|r| if r > 0.0 { r.min(MOST) } else { 0.0 });
    let [a, b, c, d] = radii;
    let shrink = [(rect.w(), a + b), (rect.h(), b + c), (rect.w(), c + d), (rect.h(), d + a)]
        .into_iter()
        .filter(|(_, sum)| *sum > 0.0)
        .fold(1.0_f32, |f, (edge, sum)| f.min(edge.max(0.0) / sum));
    radii.map(|r| r * shrink)
}

/// Appends a rectangle with these corner radii, which must fit (clockwise from the top left), in the opposite direction
/// if `reversed`.
pub(crate) fn round_rect(path: &mut BezPath, rect: Rect, radii: [f32; 4], reversed: bool) {
    let [x0, y0, x1, y1] = [rect.x0, rect.y0, rect.x1, rect.y1].map(f64::from);
    let [a, b, c, d] = radii.map(f64::from);
    // Each corner's centre, its radius, and the directions to its start and its end, clockwise.
    let corners = [
        ((x0 + a, y0 + a), a, (-1.0, 0.0), (0.0, -1.0)),
        ((x1 - b, y0 + b), b, (0.0, -1.0), (1.0, 0.0)),
        ((x1 - c, y1 - c), c, (1.0, 0.0), (0.0, 1.0)),
        ((x0 + d, y1 - d), d, (0.0, 1.0), (-1.0, 0.0)),
    ];
    for i in 0..4 {
        let (middle, radius, mut u, mut v) = corners[if reversed { 3 - i } else { i }];
        if reversed {
            std::mem::swap(&mut u, &mut v);
        }
        let start = (middle.0 + radius * u.0, middle.1 + radius * u.1);
        if i == 0 {
            path.move_to(start)
        } else {
            path.line_to(start)
        }
        corner(path, middle, radius, u, v);
    }
    path.close_path();
}

/// Appends a quarter of a circle around `c`, from direction `u` to direction `v`.
fn corner(path: &mut BezPath, c: (f64, f64), radius: f64, u: (f64, f64), v: (f64, f64)) {
    if radius <= 0.0 {
        return;
    }
    let at = |along_u: f64, along_v: f64| {
        (c.0 + radius * (u.0 * along_u + v.0 * along_v), c.1 + radius * (u.1 * along_u + v.1 * along_v))
    };
    let k = EIGHTH * DIAGONAL;
    path.curve_to(at(1.0, EIGHTH), at(DIAGONAL + k, DIAGONAL - k), at(DIAGONAL, DIAGONAL));
    path.curve_to(at(DIAGONAL - k, DIAGONAL + k), at(EIGHTH, 1.0), at(0.0, 1.0));
}

/// Appends the curve at distance `offset` outside an ellipse (inside if negative). If that curve is not an ellipse,
/// appends a polygon within a fiftieth of a pixel of it, where `scale` pixels are one unit.
pub(crate) fn parallel_ellipse(
    path: &mut BezPath,
    center: Point,
    radii: Size,
    offset: f32,
    scale: f32,
    reversed: bool,
) {
    let [cx, cy, rx, ry, o] = [center.x, center.y, radii.w, radii.h, offset].map(f64::from);
    let turn = if reversed { -1.0 } else { 1.0 };
    if offset == 0.0 || radii.w == radii.h {
        let (rx, ry) = (rx + o, ry + o);
        let at = |x: f64, y: f64| (cx + rx * x, cy + ry * y);
        let k = EIGHTH * DIAGONAL;
        path.move_to(at(1.0, 0.0));
        let mut u = (1.0, 0.0);
        for v in [(0.0, turn), (-1.0, 0.0), (0.0, -turn), (1.0, 0.0)] {
            let to = |s: f64, t: f64| at(u.0 * s + v.0 * t, u.1 * s + v.1 * t);
            path.curve_to(to(1.0, EIGHTH), to(DIAGONAL + k, DIAGONAL - k), to(DIAGONAL, DIAGONAL));
            path.curve_to(to(DIAGONAL - k, DIAGONAL + k), to(EIGHTH, 1.0), to(0.0, 1.0));
            u = v;
        }
    } else {
        let steps = polygon_steps((rx.max(ry) + o.abs()) * f64::from(scale));
        for i in 0..steps {
            let (sin, cos) = libm::sincos(turn * std::f64::consts::TAU * f64::from(i) / f64::from(steps));
            // The normal of (rx·cos, ry·sin) is (ry·cos, rx·sin).
            let (nx, ny) = (ry * cos, rx * sin);
            let len = (nx * nx + ny * ny).sqrt().max(f64::MIN_POSITIVE);
            let p = (cx + rx * cos + o * nx / len, cy + ry * sin + o * ny / len);
            if i == 0 { path.move_to(p) } else { path.line_to(p) }
        }
    }
    path.close_path();
}

/// Returns the number of corners of a polygon that stays within a fiftieth of a pixel of a curve with this radius in
/// pixels. Its sides miss the curve by r·(1 − cos π/n).
fn polygon_steps(radius: f64) -> u32 {
    const LEAST: f64 = 512.0;
    const MOST: f64 = 16_384.0;
    (std::f64::consts::PI * (radius * 25.0).sqrt()).ceil().clamp(LEAST, MOST) as u32
}

/// Appends an arc; a `sector` has a corner in the centre.
pub(crate) fn arc(path: &mut BezPath, center: Point, radius: f32, start: f32, sweep: f32, sector: bool) {
    let whole = sweep.abs() >= std::f32::consts::TAU;
    let sweep = if whole { std::f64::consts::TAU.copysign(f64::from(sweep)) } else { f64::from(sweep) };
    if ![center.x, center.y, radius, start].iter().all(|v| v.is_finite()) || radius <= 0.0 || !sweep.is_finite() {
        return;
    }
    let [cx, cy, r, start] = [center.x, center.y, radius, start].map(f64::from);
    // Pieces of at most an eighth of a turn, as for the other shapes.
    let pieces = (sweep.abs() / std::f64::consts::FRAC_PI_4).ceil().max(1.0);
    let step = sweep / pieces;
    let handle = 4.0 / 3.0 * libm::tan(step / 4.0) * r;
    let at = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        ((cx + r * cos, cy + r * sin), (-sin * handle, cos * handle))
    };
    let (mut p, mut u) = at(start);
    path.move_to(p);
    for i in 1..=pieces as u32 {
        let (q, v) = at(start + step * f64::from(i));
        path.curve_to((p.0 + u.0, p.1 + u.1), (q.0 - v.0, q.1 - v.1), q);
        (p, u) = (q, v);
    }
    if sector && !whole {
        path.line_to((cx, cy));
    }
    if sector || whole {
        path.close_path();
    }
}

/// Appends straight lines through points.
pub(crate) fn polyline(path: &mut BezPath, points: &[Point], closed: bool) {
    for (i, p) in points.iter().enumerate() {
        let p = (f64::from(p.x), f64::from(p.y));
        if i == 0 { path.move_to(p) } else { path.line_to(p) }
    }
    if closed && !points.is_empty() {
        path.close_path();
    }
}

/// Returns an upper bound for the length of a path: the length along its control points.
fn longest(path: &BezPath) -> f64 {
    let (mut start, mut last, mut sum) = (kurbo::Point::ZERO, kurbo::Point::ZERO, 0.0);
    let mut to = |last: &mut kurbo::Point, points: &[kurbo::Point]| {
        for p in points {
            sum += (*p - *last).hypot();
            *last = *p;
        }
    };
    for el in path.elements() {
        match *el {
            PathEl::MoveTo(p) => (start, last) = (p, p),
            PathEl::LineTo(p) => to(&mut last, &[p]),
            PathEl::QuadTo(a, p) => to(&mut last, &[a, p]),
            PathEl::CurveTo(a, b, p) => to(&mut last, &[a, b, p]),
            PathEl::ClosePath => to(&mut last, &[start]),
        }
    }
    sum
}

/// Buffers of [`widened`].
#[derive(Default)]
pub(super) struct Widening {
    pen: kurbo::StrokeCtx,
    lines: BezPath,
}

/// Returns the outline of a stroke along `path`; `None` if it draws nothing. The outline is accurate to a fiftieth of a
/// pixel, where `scale` pixels are one unit of the path's space.
pub(super) fn widened<'a>(path: &BezPath, pen: &Stroke, scale: f64, buffers: &'a mut Widening) -> Option<&'a BezPath> {
    let finite = path.elements().iter().all(PathEl::is_finite);
    if !(pen.width > 0.0 && pen.width.is_finite() && scale > 0.0 && scale.is_finite() && finite) {
        return None;
    }
    // Far beyond every canvas, kurbo subdivides an outline endlessly.
    let far = |v: f64| v.abs() * scale > FARTHEST;
    let box_of = path.control_box();
    if far(f64::from(pen.width)) || [box_of.x0, box_of.y0, box_of.x1, box_of.y1].into_iter().any(far) {
        return None;
    }
    let (join, limit) = match pen.join {
        LineJoin::Miter(limit) => (kurbo::Join::Miter, f64::from(limit.max(1.0))),
        LineJoin::Round => (kurbo::Join::Round, 4.0),
        LineJoin::Bevel => (kurbo::Join::Bevel, 4.0),
    };
    let cap = match pen.cap {
        LineCap::Butt => kurbo::Cap::Butt,
        LineCap::Round => kurbo::Cap::Round,
        LineCap::Square => kurbo::Cap::Square,
    };
    let mut style = kurbo::Stroke::new(f64::from(pen.width)).with_join(join).with_miter_limit(limit).with_caps(cap);
    let period: f32 = pen.dashes.iter().sum();
    let drawable = pen.dashes.iter().all(|d| *d >= 0.0) && period.is_finite() && pen.dash_offset.is_finite();
    let length = longest(path);
    let fits = f64::from(period) * scale >= FINEST_DASH && length / f64::from(period) < MOST_DASHES;
    let tolerance = 0.02 / scale;
    let Widening { pen: outline, lines } = buffers;
    let mut along = path;
    if drawable && fits {
        // Lengths along straight lines are easy to compute. On a curve of zero size, kurbo's search for lengths doesn't
        // converge.
        lines.truncate(0);
        kurbo::flatten(path.elements().iter().copied(), tolerance, |el| lines.push(el));
        along = lines;
        // An odd list of dashes is repeated, as in SVG, so that every dash has its gap.
        let twice = if pen.dashes.len() % 2 == 1 { 2 } else { 1 };
        let period = period * twice as f32;
        // A dash of zero length is a dot if the line has caps. kurbo would drop it, so it gets a minimal length.
        let least = if pen.cap == LineCap::Butt { 0.0 } else { tolerance };
        let dashes = pen.dashes.iter().cycle().take(pen.dashes.len() * twice);
        let lengths = dashes.enumerate().map(|(i, d)| f64::from(*d).max(if i % 2 == 0 { least } else { 0.0 }));
        style = style.with_dashes(f64::from(pen.dash_offset.rem_euclid(period)), lengths);
    }
    let along = along.elements().iter().copied();
    kurbo::stroke_with(along, &style, &kurbo::StrokeOpts::default(), tolerance, outline);
    Some(outline.output())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_follow_large_curves() {
        for radius in [10.0, 1_000.0, 8_000.0, 60_000.0] {
            let miss = radius * (1.0 - libm::cos(std::f64::consts::PI / f64::from(polygon_steps(radius))));
            assert!(miss <= 0.0201, "{radius}: {miss}");
        }
        assert_eq!(polygon_steps(f64::INFINITY), polygon_steps(1e9));
    }
}
