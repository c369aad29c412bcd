//! Converts coverages to shapes in pixels. Boxes, ellipses and shadows stay analytic where distances are exact; all
//! others become segments or glyph masks.

use super::context::{Context, REACH};
use super::scratch::Out;
use crate::raster::flatten::flatten;
use crate::raster::glyphs::OUTLINE_FROM_DU;
use crate::raster::map::Map;
use crate::raster::outline::{self, fit_radii};
use crate::raster::shadow::Shadow;
use crate::raster::shape::{Ellipse, RoundRect, Shape};
use crate::scene::{Affine, BezPath, Coverage, FillRule, GlyphRun, Point, Rect, Size, Stroke};

/// A corner with a smaller radius than this many pixels is sharp.
const SHARP: f32 = 0.35;
/// A round shape thinner than this many pixels is filled exactly, as a path, because distances are inaccurate there.
const THIN: f32 = 3.0;
/// So is a box with a corner of a smaller radius than this.
const TIGHT: f32 = 2.0;

impl Context<'_> {
    /// Appends the shapes of a coverage. Appends nothing if the coverage is off the canvas or can't be drawn (no area,
    /// no finite coordinates).
    pub(super) fn coverage(&self, coverage: &Coverage, transform: &Affine, out: &mut Out<'_>) {
        let to_px = self.to_px(transform);
        if to_px.0.iter().any(|v| !v.is_finite() || v.abs() > REACH * 10.0) {
            return;
        }
        let map = kurbo_affine(&to_px);
        match coverage {
            Coverage::Rect { rect, radii, stroke } => self.rect(out, &to_px, *rect, *radii, *stroke),
            Coverage::Ellipse { center, radii, stroke } => self.ellipse(out, &to_px, *center, *radii, *stroke),
            Coverage::Shadow { rect, radius, sigma } => self.shadow(out, &to_px, *rect, *radius, *sigma),
            Coverage::Path { path, rule } => self.path(out, path, map, *rule),
            Coverage::Stroke { path, stroke } => self.stroke(out, path, map, stroke),
            Coverage::Arc { center, radius, start, sweep, stroke } => {
                let build = |path: &mut BezPath| outline::arc(path, *center, *radius, *start, *sweep, stroke.is_none());
                self.outlined(out, build, map, stroke.as_ref());
            }
            Coverage::Polyline { points, closed, stroke } => {
                let build = |path: &mut BezPath| outline::polyline(path, points, *closed || stroke.is_none());
                self.outlined(out, build, map, stroke.as_ref());
            }
            Coverage::Capsule { from, to, radius, stroke } => {
                self.capsule(out, &to_px, [*from, *to], *radius, *stroke);
            }
            Coverage::Glyphs(run) => self.glyphs(out, transform, &to_px, run),
        }
    }

    fn rect(&self, out: &mut Out<'_>, to_px: &Affine, rect: Rect, radii: [f32; 4], stroke: Option<f32>) {
        let half = stroke.unwrap_or(0.0) / 2.0;
        if no_width(stroke) || !finite(&[rect.x0, rect.y0, rect.x1, rect.y1]) {
            return;
        }
        let radii = fit_radii(radii, rect);
        // A stroke keeps sharp corners sharp on both sides, and round corners parallel.
        let grown = |d: f32| (rect.grow(d), radii.map(|r| if r > 0.0 { (r + d).max(0.0) } else { 0.0 }));
        let outer = grown(half);
        // Beside a sharp corner, the inner edge may become shorter than the radius at its other end.
        let inner =
            stroke.map(|_| grown(-half)).filter(|(r, _)| !r.is_empty()).map(|(r, radii)| (r, fit_radii(radii, r)));
        if outer.0.is_empty() {
            return;
        }
        let [a, b, c, d, ..] = to_px.0;
        let sharp = radii.iter().all(|&r| r <= 0.0);
        // Clamped edges would move round corners.
        let far = |r: Rect| [r.x0, r.y0, r.x1, r.y1].iter().any(|v| v.abs() > REACH);
        let held = !sharp && far(to_px.apply_rect(&outer.0));
        let upright = !held && b == 0.0 && c == 0.0 && a > 0.0 && d > 0.0 && (a == d || sharp);
        let device = |(r, radii): (Rect, [f32; 4])| {
            let r = to_px.apply_rect(&r);
            let hold = |v: f32| v.clamp(-REACH, REACH);
            let radii = radii.map(|v| if v * a < SHARP { 0.0 } else { v * a });
            RoundRect { x0: hold(r.x0), y0: hold(r.y0), x1: hold(r.x1), y1: hold(r.y1), radii }
        };
        let thin = |r: &RoundRect| {
            let edge = (r.x1 - r.x0).min(r.y1 - r.y0);
            r.radii.iter().any(|&radius| radius > 0.0 && (radius < TIGHT || edge < THIN))
        };
        if upright {
            let (outer, inner) = (device(outer), inner.map(device));
            if !thin(&outer) && !inner.as_ref().is_some_and(thin) {
                let Some(px) = self.pixels(outer.x0, outer.y0, outer.x1, outer.y1) else { return };
                out.add(px, Shape::Round { outer, inner });
                return;
            }
        }
        let build = |path: &mut BezPath| {
            outline::round_rect(path, outer.0, outer.1, false);
            if let Some((r, radii)) = inner {
                outline::round_rect(path, r, radii, true);
            }
        };
        self.outlined(out, build, kurbo_affine(to_px), None);
    }

    fn ellipse(&self, out: &mut Out<'_>, to_px: &Affine, at: Point, radii: Size, stroke: Option<f32>) {
        let half = stroke.unwrap_or(0.0) / 2.0;
        if no_width(stroke) || !finite(&[at.x, at.y, radii.w, radii.h]) || radii.short() < 0.0 {
            return;
        }
        let round = radii.w == radii.h;
        let disc = |d: f32| {
            let (w, h) = (radii.w + d, radii.h + d);
            // From pixels to the item's space, then to the space of the unit circle.
            let unit = Affine([1.0 / w, 0.0, 0.0, 1.0 / h, -at.x / w, -at.y / h]);
            let map = Map::of(&unit.after(&to_px.inverse()?));
            // The smallest curvature radius in pixels: b²/a.
            let [a, b, c, d] = map.m;
            let stretch = map.stretch();
            let least = (a * d - b * c).abs() / stretch;
            let tight = least / (stretch * stretch);
            (map.m.iter().chain(&map.t).all(|v| v.is_finite()) && tight.is_finite()).then_some((Ellipse(map), tight))
        };
        let inner_fits = half < radii.short();
        let outer = disc(half).filter(|(_, tight)| *tight >= THIN);
        let inner = stroke.filter(|_| inner_fits).and_then(|_| disc(-half));
        if let Some((outer, _)) = outer
            && (stroke.is_none() || (round && (!inner_fits || inner.is_some_and(|(_, tight)| tight >= THIN))))
        {
            // The bounding box of the unit circle's image.
            let [a, b, c, d, e, f] = to_px.0;
            let (w, h) = (radii.w + half, radii.h + half);
            let (rx, ry) =
                (((a * w) * (a * w) + (c * h) * (c * h)).sqrt(), ((b * w) * (b * w) + (d * h) * (d * h)).sqrt());
            let (cx, cy) = (a * at.x + c * at.y + e, b * at.x + d * at.y + f);
            let Some(px) = self.pixels(cx - rx - 1.0, cy - ry - 1.0, cx + rx + 1.0, cy + ry + 1.0) else { return };
            let inner = inner.map(|(inner, _)| inner);
            out.add(px, Shape::Ellipse { outer, inner });
            return;
        }
        let scale = Map::of(to_px).stretch();
        let build = |path: &mut BezPath| {
            outline::parallel_ellipse(path, at, radii, half, scale, false);
            if stroke.is_some() && inner_fits {
                outline::parallel_ellipse(path, at, radii, -half, scale, true);
            }
        };
        self.outlined(out, build, kurbo_affine(to_px), None);
    }

    fn shadow(&self, out: &mut Out<'_>, to_px: &Affine, rect: Rect, radius: f32, sigma: f32) {
        let [a, b, c, d, ..] = to_px.0;
        let scale = (a * d - b * c).abs().sqrt();
        let sigma_px = sigma * scale;
        if !finite(&[rect.x0, rect.y0, rect.x1, rect.y1, sigma_px]) || rect.is_empty() {
            return;
        }
        if sigma_px < 0.25 {
            return self.rect(out, to_px, rect, [radius; 4], None);
        }
        let half = [rect.w() * scale / 2.0, rect.h() * scale / 2.0];
        let Some(inverse) = to_px.inverse() else { return };
        if half[0].max(half[1]).max(sigma_px) > REACH {
            return;
        }
        let middle = rect.center();
        let map = Map::of(&Affine::scale(scale).after(&Affine::translate(-middle.x, -middle.y)).after(&inverse));
        let reach = to_px.apply_rect(&rect.grow(Shadow::reach(sigma) + 1.0 / scale));
        let Some(px) = self.pixels(reach.x0, reach.y0, reach.x1, reach.y1) else { return };
        let radius = if radius > 0.0 { radius * scale } else { 0.0 };
        let Some(shadow) = self.caches.tables.shadow(half, radius, sigma_px) else { return };
        out.add(px, Shape::Shadow { shadow, map });
    }

    fn path(&self, out: &mut Out<'_>, path: &BezPath, map: kurbo::Affine, rule: FillRule) {
        let from = out.lines.len();
        let size = [self.canvas.width, self.canvas.height];
        let Some(px) = flatten(path, map, size, self.workspace.ledger.lines_left(), out.lines) else { return };
        self.workspace.ledger.add_lines(out.lines.len() - from);
        if px[0] < px[2] && px[1] < px[3] {
            let lines = from..out.lines.len();
            out.add(px, Shape::Path { lines, rule });
        } else {
            out.lines.truncate(from);
        }
    }

    fn glyphs(&self, out: &mut Out<'_>, to_du: &Affine, to_px: &Affine, run: &GlyphRun) {
        if !(run.size > 0.0 && run.size < REACH) {
            return;
        }
        let small = to_du.is_upright() && run.size * to_du.0[0] < OUTLINE_FROM_DU;
        for glyph in run.glyphs.iter() {
            if !finite(&[glyph.at.x, glyph.at.y]) {
                continue;
            }
            if small {
                let (at, px) = (to_px.apply(glyph.at), run.size * to_px.0[0]);
                // A glyph extends a few em at most.
                if self.pixels(at.x - 4.0 * px, at.y - 4.0 * px, at.x + 4.0 * px, at.y + 4.0 * px).is_none() {
                    continue;
                }
                let Some(placed) = self.caches.glyphs.get(self.fonts, run.face, glyph.id, px, at) else { continue };
                let mask = placed.mask;
                let (x, y) = (placed.x + mask.left, placed.y + mask.top);
                let (w, h) = (mask.width as i32, (mask.data.len() / mask.width) as i32);
                let Some(px) = self.pixels(x as f32, y as f32, (x + w) as f32, (y + h) as f32) else { continue };
                out.add(px, Shape::Glyph { mask, x, y });
            } else if let Some(path) = &*self.caches.outlines.get(self.fonts, run.face, glyph.id) {
                let place = kurbo::Affine::translate((f64::from(glyph.at.x), f64::from(glyph.at.y)))
                    * kurbo::Affine::scale(f64::from(run.size));
                self.path(out, path, kurbo_affine(to_px) * place, FillRule::NonZero);
            }
        }
    }

    /// Appends a path built for this purpose: filled, or a stroke along it.
    fn outlined(
        &self,
        out: &mut Out<'_>,
        build: impl FnOnce(&mut BezPath),
        map: kurbo::Affine,
        stroke: Option<&Stroke>,
    ) {
        let mut path = std::mem::take(&mut out.scratch.path);
        path.truncate(0);
        build(&mut path);
        match stroke {
            None => self.path(out, &path, map, FillRule::NonZero),
            Some(stroke) => self.stroke(out, &path, map, stroke),
        }
        out.scratch.path = path;
    }

    /// Appends a stroke along a path. The stroke is widened in the path's own space, so that a non-uniform transform
    /// makes a non-uniform pen.
    fn stroke(&self, out: &mut Out<'_>, path: &BezPath, map: kurbo::Affine, stroke: &Stroke) {
        let [a, b, c, d, ..] = map.as_coeffs();
        let scale = (a * a + b * b).max(c * c + d * d).sqrt();
        let mut buffers = std::mem::take(&mut out.scratch.widening);
        if let Some(path) = outline::widened(path, stroke, scale, &mut buffers) {
            self.path(out, path, map, FillRule::NonZero);
        }
        out.scratch.widening = buffers;
    }

    /// Appends a box with round ends around the segment, in a space rotated to it.
    fn capsule(&self, out: &mut Out<'_>, to_px: &Affine, [p, q]: [Point; 2], radius: f32, stroke: Option<f32>) {
        let (dx, dy) = (q.x - p.x, q.y - p.y);
        // The squares of the smallest and largest lengths exceed the range of f32.
        let [wide_x, wide_y] = [dx, dy].map(f64::from);
        let exact = (wide_x * wide_x + wide_y * wide_y).sqrt();
        let length = exact as f32;
        if radius.is_nan() || radius <= 0.0 || !length.is_finite() {
            return;
        }
        let box_of = |x1: f32, y1: f32| Rect::new(-radius, -radius, x1 + radius, y1 + radius);
        let turned = |u: [f32; 2]| to_px.after(&Affine([u[0], u[1], -u[1], u[0], p.x, p.y]));
        match (dx, dy) {
            // Upright boxes keep their exact edges, in whichever direction the segment runs.
            (x, 0.0) => self.rect(
                out,
                &to_px.after(&Affine::translate(p.x.min(q.x), p.y)),
                box_of(x.abs(), 0.0),
                [radius; 4],
                stroke,
            ),
            (0.0, y) => self.rect(
                out,
                &to_px.after(&Affine::translate(p.x, p.y.min(q.y))),
                box_of(0.0, y.abs()),
                [radius; 4],
                stroke,
            ),
            _ => self.rect(
                out,
                &turned([(wide_x / exact) as f32, (wide_y / exact) as f32]),
                box_of(length, 0.0),
                [radius; 4],
                stroke,
            ),
        }
    }
}

/// Returns whether the stroke draws nothing: its width is not positive, not finite or not a number.
fn no_width(stroke: Option<f32>) -> bool {
    stroke.is_some_and(|w| w.is_nan() || w <= 0.0 || w.is_infinite())
}

fn finite(values: &[f32]) -> bool {
    values.iter().all(|v| v.is_finite())
}

fn kurbo_affine(a: &Affine) -> kurbo::Affine {
    kurbo::Affine::new(a.0.map(f64::from))
}
