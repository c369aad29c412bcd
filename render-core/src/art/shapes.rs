//! Helpers for recipes: items, paths, gradients and mixed colours.

use std::sync::Arc;

use kurbo::BezPath;

use crate::scene::color::Oklch;
use crate::scene::{Affine, Color, Coverage, FillRule, Item, Paint, Point, Rect, Role, Size, Stop, Stroke};

/// Handle length, relative to the radius, of the cubic for a quarter circle.
const KAPPA: f64 = 0.552_284_75;

/// Creates a filled shape.
pub(super) fn fill(coverage: Coverage, paint: impl Into<Paint>) -> Item {
    Item::new(coverage, paint.into(), Role::Art)
}

/// Creates a filled path.
pub(super) fn shape(path: BezPath, paint: impl Into<Paint>) -> Item {
    fill(inside(path), paint)
}

/// Returns the inside of a path.
pub(super) fn inside(path: BezPath) -> Coverage {
    Coverage::Path { path: Arc::new(path), rule: FillRule::NonZero }
}

/// Creates a line along a path.
pub(super) fn line(path: BezPath, stroke: Stroke, paint: impl Into<Paint>) -> Item {
    fill(Coverage::Stroke { path: Arc::new(path), stroke }, paint)
}

/// Returns a disc.
pub(super) fn disc(center: Point, radius: f32) -> Coverage {
    Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: None }
}

/// Returns a rectangle.
pub(super) fn bar(rect: Rect) -> Coverage {
    Coverage::Rect { rect, radii: [0.0; 4], stroke: None }
}

/// Returns a sector of a disc, with its corner in the centre; angles are in degrees, clockwise from three o'clock.
pub(super) fn sector(center: Point, radius: f32, start: f32, sweep: f32) -> Coverage {
    Coverage::Arc { center, radius, start: start.to_radians(), sweep: sweep.to_radians(), stroke: None }
}

/// Returns a polygon.
pub(super) fn polygon(points: &[Point]) -> Coverage {
    Coverage::Polyline { points: points.into(), closed: true, stroke: None }
}

/// Returns a colour gradient between two points.
pub(super) fn linear(from: Point, to: Point, stops: &[(f32, Color)]) -> Paint {
    Paint::Linear { from, to, stops: stops_of(stops) }
}

/// Returns a colour gradient from a centre outwards.
pub(super) fn radial(center: Point, radius: f32, stops: &[(f32, Color)]) -> Paint {
    Paint::Radial { center, radius, stops: stops_of(stops) }
}

/// Converts offsets and colours to stops.
pub(super) fn stops_of(stops: &[(f32, Color)]) -> Arc<[Stop]> {
    stops.iter().map(|(offset, color)| Stop { offset: *offset, color: *color }).collect()
}

impl From<Color> for Paint {
    fn from(color: Color) -> Self {
        Self::Solid(color)
    }
}

/// Interpolates between `a` and `b` in OKLab.
pub(super) fn mix(a: Color, b: Color, t: f32) -> Color {
    let (p, q) = (a.to_oklab(), b.to_oklab());
    Color::from_oklab(std::array::from_fn(|i| p[i] + (q[i] - p[i]) * t))
}

/// Makes `color` lighter by `by` (darker if negative), and multiplies its chroma by `chroma`.
pub(super) fn lighter(color: Color, by: f32, chroma: f32) -> Color {
    let c = color.to_oklch();
    Oklch::new((c.l + by).clamp(0.0, 1.0), c.c * chroma, c.h).to_color()
}

/// Rises smoothly from 0 at `a` to 1 at `b`.
pub(super) fn smoothstep(a: f32, b: f32, v: f32) -> f32 {
    let t = ((v - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Converts a point for kurbo.
pub(super) fn at(p: Point) -> (f64, f64) {
    (f64::from(p.x), f64::from(p.y))
}

/// Adds a disc to a path.
pub(super) fn add_disc(path: &mut BezPath, center: Point, radius: f32) {
    let ((x, y), r) = (at(center), f64::from(radius));
    let h = KAPPA * r;
    path.move_to((x + r, y));
    path.curve_to((x + r, y + h), (x + h, y + r), (x, y + r));
    path.curve_to((x - h, y + r), (x - r, y + h), (x - r, y));
    path.curve_to((x - r, y - h), (x - h, y - r), (x, y - r));
    path.curve_to((x + h, y - r), (x + r, y - h), (x + r, y));
    path.close_path();
}

/// Adds a Catmull–Rom spline through `points`, closed if the last point equals the first.
pub(super) fn spline(path: &mut BezPath, points: &[Point], to: impl Fn(Point) -> (f64, f64)) {
    let closed = points.first() == points.last();
    let n = points.len();
    let get = |i: isize| -> (f64, f64) {
        let i = if closed { i.rem_euclid(n as isize - 1) } else { i.clamp(0, n as isize - 1) };
        to(points[i as usize])
    };
    path.move_to(get(0));
    for i in 0..n as isize - 1 {
        let (a, b, c, d) = (get(i - 1), get(i), get(i + 1), get(i + 2));
        path.curve_to(
            (b.0 + (c.0 - a.0) / 6.0, b.1 + (c.1 - a.1) / 6.0),
            (c.0 - (d.0 - b.0) / 6.0, c.1 - (d.1 - b.1) / 6.0),
            c,
        );
    }
    if closed {
        path.close_path();
    }
}

/// Items in a coordinate system of their own.
pub(super) trait Placed {
    /// Transforms from the coordinates of `frame`.
    fn placed(self, frame: Affine) -> Self;
}

impl Placed for Item {
    fn placed(self, frame: Affine) -> Self {
        Self { transform: frame.after(&self.transform), ..self }
    }
}

/// Adds a wave with `amplitude` around `y`, from `x0` to `x1`; `phase` is in turns.
pub(super) fn swing(path: &mut BezPath, x0: f32, x1: f32, y: f32, length: f32, amplitude: f32, phase: f32) {
    let step = length / 8.0;
    let count = ((x1 - x0) / step) as usize + 1;
    let points: Vec<Point> = (0..=count)
        .map(|i| {
            let x = x0 + (x1 - x0) * i as f32 / count as f32;
            Point::new(x, y + amplitude * libm::sinf(std::f32::consts::TAU * ((x - x0) / length + phase)))
        })
        .collect();
    spline(path, &points, at);
}

/// Adds a straight line to a path.
pub(super) fn add_line(path: &mut BezPath, from: Point, to: Point) {
    path.move_to(at(from));
    path.line_to(at(to));
}
