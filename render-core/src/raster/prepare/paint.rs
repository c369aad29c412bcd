//! Paints → inks in pixels: gradients and patterns as tables, pictures at about the size they are seen in.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Context, map_of};
use crate::raster::frame::{Field, Gradient, Ink};
use crate::raster::gradient::GradientTable;
use crate::raster::shape::Map;
use crate::scene::{Affine, Paint, Stop};

/// Gradient tables that are kept between scenes.
const TABLES: usize = 64;

/// Tables of the gradients drawn last.
#[derive(Default)]
pub(in crate::raster) struct Tables(Mutex<Vec<Known>>);

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

impl Context<'_> {
    /// What `paint` is in pixels, or `None` where it draws nothing.
    pub(super) fn ink(&self, paint: &Paint, to_px: &Affine) -> Option<Ink> {
        let (stops, map, field) = match paint {
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
                (stops, Affine([line[0], 0.0, line[1], 0.0, shift, 0.0]), Field::Linear)
            }
            Paint::Radial { center, radius, stops } => {
                let s = 1.0 / radius;
                (stops, Affine([s, 0.0, 0.0, s, -center.x * s, -center.y * s]), Field::Radial)
            }
            Paint::Conic { .. } | Paint::Mesh { .. } | Paint::Backdrop(_) | Paint::Image { .. } => return None,
        };
        let map = to_px.inverse().map(|inverse| map_of(&map.after(&inverse)));
        let usable = |m: &Map| m.m.iter().chain(&m.t).all(|v| v.is_finite());
        let Some(map) = map.filter(usable) else {
            // A gradient without extent is its last colour everywhere, as in CSS.
            let last = stops.last()?.color;
            return self.ink(&Paint::Solid(last), to_px);
        };
        let per_px = if matches!(field, Field::Radial) {
            map.stretch()
        } else {
            (map.m[0] * map.m[0] + map.m[1] * map.m[1]).sqrt()
        };
        let table = self.tables.get(stops)?;
        // Pixels from offset 0 to 1.
        let length = 1.0 / per_px.max(1e-9);
        let (bands, opaque) = (if self.canvas.dither { table.bands(length) } else { None }, table.is_opaque());
        Some(Ink::Gradient(Gradient { table, field, map, bands, opaque }))
    }
}
