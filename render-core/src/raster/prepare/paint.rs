//! Converts paints to inks in pixels: gradients and patterns become tables, pictures are resampled to about their
//! visible size.

use std::sync::Arc;

use super::context::Context;
use crate::limits::MESH_POINTS;
use crate::raster::frame::{Field, Gradient, Ink, MeshInk, PictureInk};
use crate::raster::gradient::BAND_PX;
use crate::raster::map::Map;
use crate::raster::pattern::PatternField;
use crate::raster::rows::unit;
use crate::scene::{Affine, Backdrop, Color, Image, ImageFit, Paint, Point, Rect, Stop};

impl Context<'_> {
    /// Returns the ink of `paint`; `None` if it draws nothing.
    pub(super) fn ink(&self, paint: &Paint, to_px: &Affine) -> Option<Ink> {
        match paint {
            Paint::Solid(c) => solid(*c),
            Paint::Linear { from, to, stops } => {
                let (dx, dy) = (to.x - from.x, to.y - from.y);
                let square = dx * dx + dy * dy;
                let line = [dx / square, dy / square];
                let shift = -(from.x * line[0] + from.y * line[1]);
                let map = Affine([line[0], 0.0, line[1], 0.0, shift, 0.0]);
                self.gradient(stops, Field::Linear, &map, to_px, |m| 1.0 / m.pace(0).max(1e-9))
            }
            Paint::Radial { center, radius, stops } => {
                let s = 1.0 / radius;
                let map = Affine([s, 0.0, 0.0, s, -center.x * s, -center.y * s]);
                self.gradient(stops, Field::Radial, &map, to_px, |m| 1.0 / m.stretch().max(1e-9))
            }
            Paint::Conic { center, start, stops } => {
                // Rotates the start of the gradient onto the u axis.
                let (sin, cos) = libm::sincosf(*start);
                let turn = Affine([cos, -sin, sin, cos, 0.0, 0.0]);
                let map = turn.after(&Affine::translate(-center.x, -center.y));
                // Bands are as wide as on the circle that fits the canvas.
                let length = std::f32::consts::PI * self.canvas.width.min(self.canvas.height) as f32;
                self.gradient(stops, Field::Conic, &map, to_px, |_| length)
            }
            Paint::Mesh { rect, columns, colors } => self.mesh(rect, *columns, colors, to_px),
            Paint::Backdrop(backdrop) => self.backdrop(backdrop, to_px),
            Paint::Image { image, rect, fit, focus } => self.picture(image, rect, *fit, *focus, to_px),
        }
    }

    /// Returns a table of colours over a field. `map` takes the item's space to the field's space. `length` returns the
    /// number of pixels between offsets 0 and 1, given the map from pixels.
    fn gradient(
        &self,
        stops: &Arc<[Stop]>,
        field: Field,
        map: &Affine,
        to_px: &Affine,
        length: impl Fn(&Map) -> f32,
    ) -> Option<Ink> {
        let Some(map) = from_px(map, to_px) else {
            // A gradient without extent is its last colour everywhere, as in CSS.
            return solid(stops.last()?.color);
        };
        let tables = &self.caches.tables;
        let table = tables.gradient(stops)?;
        let bands = if self.canvas.dither { tables.bands(&table, length(&map)) } else { None };
        let opaque = table.opaque;
        Some(Ink::Gradient(Gradient { table, field, map, bands, opaque }))
    }

    fn backdrop(&self, backdrop: &Backdrop, to_px: &Affine) -> Option<Ink> {
        let Backdrop { pattern, seed, stops } = backdrop;
        let [a, b, c, d, ..] = to_px.0;
        // Mean length of one unit in pixels.
        let scale = (a * d - b * c).abs().sqrt();
        let (field, map, rise) = PatternField::new(pattern, *seed, scale)?;
        self.gradient(stops, Field::Pattern(field), &map, to_px, |m| rise / m.stretch().max(1e-9))
    }

    fn mesh(&self, rect: &Rect, columns: u32, colors: &Arc<[Color]>, to_px: &Affine) -> Option<Ink> {
        if colors.len() > MESH_POINTS || rect.is_empty() {
            return None;
        }
        let table = self.caches.tables.mesh(columns, colors)?;
        let (x, y) = ((table.width - 1) as f32 / rect.w(), (table.height - 1) as f32 / rect.h());
        let map = from_px(&Affine([x, 0.0, 0.0, y, -rect.x0 * x, -rect.y0 * y]), to_px)?;
        let slope = table.slope * map.stretch();
        let banded = self.canvas.dither && slope > 0.0 && slope * BAND_PX < 1.0;
        let opaque = table.opaque;
        Some(Ink::Mesh(MeshInk { table, map, banded: if banded { 1.0 } else { 0.0 }, opaque }))
    }

    fn picture(&self, image: &Image, rect: &Rect, fit: ImageFit, focus: Point, to_px: &Affine) -> Option<Ink> {
        if rect.is_empty() || ![rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|v| v.is_finite()) {
            return None;
        }
        let (w, h) = (image.width() as f32, image.height() as f32);
        // Units of the item's space per texel of the source.
        let (across, down) = (rect.w() / w, rect.h() / h);
        let scale = match fit {
            ImageFit::Fill => [across, down],
            ImageFit::Cover => [across.max(down); 2],
            ImageFit::Contain => [across.min(down); 2],
        };
        // The focus has the same relative position in the picture and in the rectangle, so excess length is cropped on
        // both sides in proportion.
        let focus = [unit(focus.x), unit(focus.y)];
        let corner = [rect.x0 + (rect.w() - w * scale[0]) * focus[0], rect.y0 + (rect.h() - h * scale[1]) * focus[1]];
        // Pixels per texel of the source, along each axis.
        let [a, b, c, d, ..] = to_px.0;
        let seen = [(a * a + b * b).sqrt() * scale[0], (c * c + d * d).sqrt() * scale[1]];
        let size = |edge: f32, seen: f32| (edge * seen.min(1.0)).round().max(1.0);
        let (width, height) = (size(w, seen[0]), size(h, seen[1]));
        if !(width <= w && height <= h) {
            return None;
        }
        // From the item's space to texels of the resampled picture.
        let (sx, sy) = (width / w / scale[0], height / h / scale[1]);
        let map = from_px(&Affine([sx, 0.0, 0.0, sy, -corner[0] * sx, -corner[1] * sy]), to_px)?;
        let picture = self.caches.tables.picture(image, width as u32, height as u32);
        let edge = |v: f32, corner: f32, s: f32, most: f32| ((v - corner) * s).max(0.0).min(most);
        let window = [
            edge(rect.x0, corner[0], sx, width),
            edge(rect.y0, corner[1], sy, height),
            edge(rect.x1, corner[0], sx, width),
            edge(rect.y1, corner[1], sy, height),
        ];
        let opaque = picture.opaque;
        Some(Ink::Picture(PictureInk { picture, map, window, opaque }))
    }
}

fn solid(c: Color) -> Option<Ink> {
    let alpha = c.a.clamp(0.0, 1.0);
    let rgb = [c.r, c.g, c.b].map(|v| v.clamp(0.0, 1.0));
    (alpha > 0.0 && !rgb.iter().any(|v| v.is_nan())).then_some(Ink::Solid { rgb, alpha })
}

/// Returns the map from pixels to a paint's space, given the `map` from the item's space; `None` if it isn't finite.
fn from_px(map: &Affine, to_px: &Affine) -> Option<Map> {
    let map = Map::of(&map.after(&to_px.inverse()?));
    map.m.iter().chain(&map.t).all(|v| v.is_finite()).then_some(map)
}
