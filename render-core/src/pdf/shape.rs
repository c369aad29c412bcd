//! Converts coverages to paths, in du.

use krilla::geom::{Path, PathBuilder};
use krilla::paint::FillRule as PdfRule;
use kurbo::{BezPath, PathEl};

use crate::raster::outline;
use crate::scene::{Affine, Coverage, FillRule, Point, Rect, Size, Stroke};

/// A coverage as a PDF path.
pub(super) struct Shape {
    /// In the item's space.
    pub path: BezPath,
    /// The fill rule, if it is filled.
    pub rule: PdfRule,
    /// The pen that strokes the path; `None` fills it.
    pub pen: Option<Stroke>,
}

impl Shape {
    /// Converts a coverage, whose unit is `scale` pixels; `None` if PDF has no such shape: blurs. Text is written
    /// separately.
    pub fn of(coverage: &Coverage, scale: f32) -> Option<Self> {
        let mut path = BezPath::new();
        let (mut rule, mut pen) = (PdfRule::NonZero, None);
        match coverage {
            Coverage::Rect { rect, radii, stroke } => rect_band(&mut path, *rect, *radii, *stroke),
            Coverage::Ellipse { center, radii, stroke } => ellipse_band(&mut path, *center, *radii, *stroke, scale),
            Coverage::Arc { center, radius, start, sweep, stroke } => {
                outline::arc(&mut path, *center, *radius, *start, *sweep, stroke.is_none());
                pen.clone_from(stroke);
            }
            Coverage::Capsule { from, to, radius, stroke } => capsule(&mut path, *from, *to, *radius, *stroke),
            Coverage::Polyline { points, closed, stroke } => {
                outline::polyline(&mut path, points, *closed || stroke.is_none());
                pen.clone_from(stroke);
            }
            Coverage::Path { path: of, rule: by } => {
                path.clone_from(of);
                rule = match by {
                    FillRule::NonZero => PdfRule::NonZero,
                    FillRule::EvenOdd => PdfRule::EvenOdd,
                };
            }
            Coverage::Stroke { path: along, stroke } => {
                path.clone_from(along);
                pen = Some(stroke.clone());
            }
            Coverage::Shadow { .. } | Coverage::Glyphs(_) => return None,
        }
        Some(Self { path, rule, pen })
    }
}

/// Converts a path to the writer's form, mapped by `map`; `None` if it draws nothing.
pub(super) fn path(path: &BezPath, map: &Affine) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let to = |p: kurbo::Point| map.apply(Point::new(p.x as f32, p.y as f32));
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => {
                let p = to(p);
                builder.move_to(p.x, p.y);
            }
            PathEl::LineTo(p) => {
                let p = to(p);
                builder.line_to(p.x, p.y);
            }
            PathEl::QuadTo(a, p) => {
                let (a, p) = (to(a), to(p));
                builder.quad_to(a.x, a.y, p.x, p.y);
            }
            PathEl::CurveTo(a, b, p) => {
                let (a, b, p) = (to(a), to(b), to(p));
                builder.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}

/// Returns the path of a rectangle.
pub(super) fn rect(rect: &Rect) -> BezPath {
    let mut path = BezPath::new();
    outline::round_rect(&mut path, *rect, [0.0; 4], false);
    path
}

/// Appends a rectangle, or a band of this width along its outline. Sharp corners stay sharp.
fn rect_band(path: &mut BezPath, rect: Rect, radii: [f32; 4], stroke: Option<f32>) {
    let half = stroke.unwrap_or(0.0) / 2.0;
    if !has_width(stroke) || rect.is_empty() && stroke.is_none() {
        return;
    }
    let radii = outline::fit_radii(radii, rect);
    let grown = |d: f32| radii.map(|r| if r > 0.0 { (r + d).max(0.0) } else { 0.0 });
    outline::round_rect(path, rect.grow(half), grown(half), false);
    let inner = rect.grow(-half);
    if stroke.is_some() && !inner.is_empty() {
        outline::round_rect(path, inner, outline::fit_radii(grown(-half), inner), true);
    }
}

fn ellipse_band(path: &mut BezPath, center: Point, radii: Size, stroke: Option<f32>, scale: f32) {
    let half = stroke.unwrap_or(0.0) / 2.0;
    if !has_width(stroke) || radii.short().is_nan() || radii.short() < 0.0 {
        return;
    }
    outline::parallel_ellipse(path, center, radii, half, scale, false);
    if stroke.is_some() && half < radii.short() {
        outline::parallel_ellipse(path, center, radii, -half, scale, true);
    }
}

fn capsule(path: &mut BezPath, from: Point, to: Point, radius: f32, stroke: Option<f32>) {
    let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    let length = (dx * dx + dy * dy).sqrt();
    if radius.is_nan() || radius <= 0.0 || !length.is_finite() {
        return;
    }
    let (x, y) = if length > 0.0 { (dx / length, dy / length) } else { (1.0, 0.0) };
    rect_band(path, Rect::new(-radius, -radius, length as f32 + radius, radius), [radius; 4], stroke);
    path.apply_affine(kurbo::Affine::new([x, y, -y, x, f64::from(from.x), f64::from(from.y)]));
}

fn has_width(stroke: Option<f32>) -> bool {
    stroke.is_none_or(|w| w > 0.0 && w.is_finite())
}
