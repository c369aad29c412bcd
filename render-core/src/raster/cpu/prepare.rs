//! Items → draws: coordinates in pixels, gradients as tables, paths as lines, glyphs as masks.

use std::sync::{Arc, Mutex, PoisonError};

use super::shadow::Shadow;
use super::shape::{Ellipse, Map, RoundRect, Shape};
use crate::raster::flatten::{Line, PixelBox, flatten};
use crate::raster::glyphs::{GlyphCache, OUTLINE_FROM_DU};
use crate::raster::gradient::{Bands, GradientTable};
use crate::raster::outline;
use crate::scene::{Affine, BezPath, Canvas, Coverage, GlyphRun, Item, Paint, Point, Rect, Size, Stop};
use crate::text::Fonts;

/// Pixel coordinates of shapes are held within this; sums of two stay exact to a hundredth.
const REACH: f32 = 1e5;
/// A radius below this many pixels is a sharp corner.
const SHARP: f32 = 0.35;
/// A round shape thinner than this many pixels is filled exactly, as a path: distances mislead there.
const THIN: f32 = 3.0;
/// And so is a box with a corner of a smaller radius than this.
const TIGHT: f32 = 2.0;
/// Gradient tables that are kept between scenes.
const TABLES: usize = 64;

/// One coverage in pixels with its paint.
pub(super) struct Draw {
    /// The pixels it can touch: left, top, right, bottom.
    pub px: PixelBox,
    pub shape: Shape,
    pub paint: Ink,
}

/// A paint in pixels.
#[derive(Clone)]
pub(super) enum Ink {
    Solid { rgb: [f32; 3], alpha: f32 },
    Gradient(Gradient),
}

/// A gradient in pixels.
#[derive(Clone)]
pub(super) struct Gradient {
    pub table: Arc<GradientTable>,
    /// For a line, its first coordinate is the offset; for a circle, the length of both is.
    pub map: Map,
    pub radial: bool,
    /// Where bands would show, if anywhere.
    pub bands: Option<Arc<Bands>>,
    pub opaque: bool,
}

/// Everything to draw, in order. Reused from scene to scene.
#[derive(Default)]
pub(super) struct Frame {
    pub draws: Vec<Draw>,
    pub lines: Vec<Line>,
}

/// Tables of the gradients drawn last.
#[derive(Default)]
pub(super) struct Tables(Mutex<Vec<Known>>);

/// Stops and what was made of them.
type Known = (Arc<[Stop]>, Arc<GradientTable>);

impl Tables {
    fn get(&self, stops: &Arc<[Stop]>) -> Option<Arc<GradientTable>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = lock().iter().find(|(known, _)| known == stops) {
            return Some(Arc::clone(table));
        }
        let table = Arc::new(GradientTable::new(stops)?);
        let mut tables = lock();
        if tables.len() >= TABLES {
            tables.remove(0);
        }
        tables.push((Arc::clone(stops), Arc::clone(&table)));
        Some(table)
    }
}

/// What preparing needs besides the item.
pub(super) struct Context<'a> {
    pub canvas: Canvas,
    pub fonts: &'a Fonts,
    pub glyphs: &'a GlyphCache,
    pub tables: &'a Tables,
}

impl Context<'_> {
    /// Appends what `item` draws to `frame`; nothing where it lies off the canvas or isn't drawable (no area, no
    /// finite coordinates).
    pub fn add(&self, item: &Item, frame: &mut Frame) {
        let s = self.canvas.scale;
        let to_px = Affine::scale(s).after(&item.transform);
        if to_px.0.iter().any(|v| !v.is_finite() || v.abs() > REACH * 10.0) {
            return;
        }
        let Some(ink) = self.ink(&item.paint, &to_px) else { return };
        match &item.coverage {
            Coverage::Rect { rect, radii, stroke } => self.rect(frame, &to_px, *rect, *radii, *stroke, ink),
            Coverage::Ellipse { center, radii, stroke } => self.ellipse(frame, &to_px, *center, *radii, *stroke, ink),
            Coverage::Shadow { rect, radius, sigma } => self.shadow(frame, &to_px, *rect, *radius, *sigma, ink),
            Coverage::Path(path) => self.path(frame, path, kurbo_affine(&to_px), ink),
            Coverage::Glyphs(run) => self.glyphs(frame, &item.transform, &to_px, run, &ink),
        }
    }

    fn ink(&self, paint: &Paint, to_px: &Affine) -> Option<Ink> {
        let (stops, map, radial) = match paint {
            Paint::Solid(c) => {
                let alpha = c.a.clamp(0.0, 1.0);
                let rgb = [c.r, c.g, c.b].map(|v| v.clamp(0.0, 1.0));
                return (alpha > 0.0 && !rgb.iter().any(|v| v.is_nan())).then_some(Ink::Solid { rgb, alpha });
            }
            Paint::Linear { from, to, stops } => {
                let (dx, dy) = (to.x - from.x, to.y - from.y);
                let square = dx * dx + dy * dy;
                let line = [dx / square, dy / square];
                let shift = -(from.x * line[0] + from.y * line[1]);
                (stops, Affine([line[0], 0.0, line[1], 0.0, shift, 0.0]), false)
            }
            Paint::Radial { center, radius, stops } => {
                let s = 1.0 / radius;
                (stops, Affine([s, 0.0, 0.0, s, -center.x * s, -center.y * s]), true)
            }
        };
        let map = to_px.inverse().map(|inverse| map_of(&map.after(&inverse)));
        let usable = |m: &Map| m.m.iter().chain(&m.t).all(|v| v.is_finite());
        let Some(map) = map.filter(usable) else {
            // A gradient without extent is its last colour everywhere, as in CSS.
            let last = stops.last()?.color;
            return self.ink(&Paint::Solid(last), to_px);
        };
        let per_px = if radial { map.stretch() } else { (map.m[0] * map.m[0] + map.m[1] * map.m[1]).sqrt() };
        let table = self.tables.get(stops)?;
        // Pixels from offset 0 to 1.
        let length = 1.0 / per_px.max(1e-9);
        let (bands, opaque) = (table.bands(length), table.is_opaque());
        Some(Ink::Gradient(Gradient { table, map, radial, bands, opaque }))
    }

    /// The whole pixels around a box in pixels, on the canvas; `None` where there are none.
    fn pixels(&self, x0: f32, y0: f32, x1: f32, y1: f32) -> Option<PixelBox> {
        let (w, h) = (self.canvas.width as f32, self.canvas.height as f32);
        let px = [x0.floor().clamp(0.0, w), y0.floor().clamp(0.0, h), x1.ceil().clamp(0.0, w), y1.ceil().clamp(0.0, h)];
        (px[0] < px[2] && px[1] < px[3]).then(|| px.map(|v| v as i32))
    }

    fn rect(&self, frame: &mut Frame, to_px: &Affine, rect: Rect, radii: [f32; 4], stroke: Option<f32>, ink: Ink) {
        let half = stroke.unwrap_or(0.0) / 2.0;
        if no_width(stroke) || !finite(&[rect.x0, rect.y0, rect.x1, rect.y1]) {
            return;
        }
        let radii = fit_radii(radii, rect);
        // A stroke keeps sharp corners sharp on both sides, and round ones parallel.
        let grown = |d: f32| (rect.grow(d), radii.map(|r| if r > 0.0 { (r + d).max(0.0) } else { 0.0 }));
        let outer = grown(half);
        let inner = stroke.map(|_| grown(-half)).filter(|(r, _)| !r.is_empty());
        if outer.0.is_empty() {
            return;
        }
        let [a, b, c, d, ..] = to_px.0;
        let sharp = radii.iter().all(|&r| r <= 0.0);
        let upright = b == 0.0 && c == 0.0 && a > 0.0 && d > 0.0 && (a == d || sharp);
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
                frame.draws.push(Draw { px, shape: Shape::Round { outer, inner }, paint: ink });
                return;
            }
        }
        let mut path = BezPath::new();
        outline::round_rect(&mut path, outer.0, outer.1, false);
        if let Some((r, radii)) = inner {
            outline::round_rect(&mut path, r, radii, true);
        }
        self.path(frame, &path, kurbo_affine(to_px), ink);
    }

    fn ellipse(&self, frame: &mut Frame, to_px: &Affine, at: Point, radii: Size, stroke: Option<f32>, ink: Ink) {
        let half = stroke.unwrap_or(0.0) / 2.0;
        if no_width(stroke) || !finite(&[at.x, at.y, radii.w, radii.h]) || radii.short() < 0.0 {
            return;
        }
        let round = radii.w == radii.h;
        let disc = |d: f32| {
            let (w, h) = (radii.w + d, radii.h + d);
            // The item's space to the unit circle's, after pixels to the item's.
            let unit = Affine([1.0 / w, 0.0, 0.0, 1.0 / h, -at.x / w, -at.y / h]);
            let map = map_of(&unit.after(&to_px.inverse()?));
            // The curve's tightest radius in pixels: b²/a.
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
            // The box of the unit circle's image.
            let [a, b, c, d, e, f] = to_px.0;
            let (w, h) = (radii.w + half, radii.h + half);
            let (rx, ry) =
                (((a * w) * (a * w) + (c * h) * (c * h)).sqrt(), ((b * w) * (b * w) + (d * h) * (d * h)).sqrt());
            let (cx, cy) = (a * at.x + c * at.y + e, b * at.x + d * at.y + f);
            let Some(px) = self.pixels(cx - rx - 1.0, cy - ry - 1.0, cx + rx + 1.0, cy + ry + 1.0) else { return };
            let inner = inner.map(|(inner, _)| inner);
            frame.draws.push(Draw { px, shape: Shape::Ellipse { outer, inner }, paint: ink });
            return;
        }
        let mut path = BezPath::new();
        outline::parallel_ellipse(&mut path, at, radii, half, false);
        if stroke.is_some() && inner_fits {
            outline::parallel_ellipse(&mut path, at, radii, -half, true);
        }
        self.path(frame, &path, kurbo_affine(to_px), ink);
    }

    fn shadow(&self, frame: &mut Frame, to_px: &Affine, rect: Rect, radius: f32, sigma: f32, ink: Ink) {
        let [a, b, c, d, ..] = to_px.0;
        let scale = (a * d - b * c).abs().sqrt();
        let sigma_px = sigma * scale;
        if !finite(&[rect.x0, rect.y0, rect.x1, rect.y1, sigma_px]) || rect.is_empty() {
            return;
        }
        if sigma_px < 0.25 {
            return self.rect(frame, to_px, rect, [radius; 4], None, ink);
        }
        let half = [rect.w() * scale / 2.0, rect.h() * scale / 2.0];
        let Some(inverse) = to_px.inverse() else { return };
        if half[0].max(half[1]).max(sigma_px) > REACH {
            return;
        }
        let middle = rect.center();
        let map = map_of(&Affine::scale(scale).after(&Affine::translate(-middle.x, -middle.y)).after(&inverse));
        let reach = to_px.apply_rect(&rect.grow(Shadow::reach(sigma) + 1.0 / scale));
        let Some(px) = self.pixels(reach.x0, reach.y0, reach.x1, reach.y1) else { return };
        let radius = if radius > 0.0 { radius * scale } else { 0.0 };
        let shadow = Box::new(Shadow::new(half, radius, sigma_px));
        frame.draws.push(Draw { px, shape: Shape::Shadow { shadow, map }, paint: ink });
    }

    fn path(&self, frame: &mut Frame, path: &BezPath, map: kurbo::Affine, ink: Ink) {
        let from = frame.lines.len();
        let Some(px) = flatten(path, map, self.canvas.width, self.canvas.height, &mut frame.lines) else { return };
        if px[0] < px[2] && px[1] < px[3] {
            frame.draws.push(Draw { px, shape: Shape::Path(from..frame.lines.len()), paint: ink });
        } else {
            frame.lines.truncate(from);
        }
    }

    fn glyphs(&self, frame: &mut Frame, to_du: &Affine, to_px: &Affine, run: &GlyphRun, ink: &Ink) {
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
                // A glyph reaches a few em at most.
                if self.pixels(at.x - 4.0 * px, at.y - 4.0 * px, at.x + 4.0 * px, at.y + 4.0 * px).is_none() {
                    continue;
                }
                let Some(placed) = self.glyphs.get(self.fonts, run.face, glyph.id, px, at) else { continue };
                let mask = placed.mask;
                let (x, y) = (placed.x + mask.left, placed.y + mask.top);
                let (w, h) = (mask.width as i32, (mask.data.len() / mask.width) as i32);
                let Some(px) = self.pixels(x as f32, y as f32, (x + w) as f32, (y + h) as f32) else { continue };
                frame.draws.push(Draw { px, shape: Shape::Glyph { mask, x, y }, paint: ink.clone() });
            } else if let Some(path) = self.fonts.outline(run.face, glyph.id) {
                let place = kurbo::Affine::translate((f64::from(glyph.at.x), f64::from(glyph.at.y)))
                    * kurbo::Affine::scale(f64::from(run.size));
                self.path(frame, &path, kurbo_affine(to_px) * place, ink.clone());
            }
        }
    }
}

/// A stroke that draws nothing: not above zero, or no number.
fn no_width(stroke: Option<f32>) -> bool {
    stroke.is_some_and(|w| w.is_nan() || w <= 0.0 || w.is_infinite())
}

fn finite(values: &[f32]) -> bool {
    values.iter().all(|v| v.is_finite())
}

fn kurbo_affine(a: &Affine) -> kurbo::Affine {
    kurbo::Affine::new(a.0.map(f64::from))
}

fn map_of(a: &Affine) -> Map {
    let [a, b, c, d, e, f] = a.0;
    Map { m: [a, c, b, d], t: [e, f] }
}

/// Radii that fit: none below zero, all scaled down together where two share an edge that is too short (CSS
/// Backgrounds 3, 5.5).
fn fit_radii(radii: [f32; 4], rect: Rect) -> [f32; 4] {
    let radii = radii.map(|r| if r > 0.0 { r.min(REACH) } else { 0.0 });
    let [a, b, c, d] = radii;
    let shrink = [(rect.w(), a + b), (rect.h(), b + c), (rect.w(), c + d), (rect.h(), d + a)]
        .into_iter()
        .filter(|(_, sum)| *sum > 0.0)
        .fold(1.0_f32, |f, (edge, sum)| f.min(edge.max(0.0) / sum));
    radii.map(|r| r * shrink)
}
