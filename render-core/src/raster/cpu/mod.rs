//! The reference rasteriser.
//!
//! The canvas is cut into bands of rows, drawn independently on the threads of the current rayon pool. A band is a row
//! of cells, 64 pixels wide; each item of the scene goes over the cells it touches in turn. A cell stays a single
//! colour, and costs nothing, until something covers it in part; then it holds three planes of `f32`, which become
//! bytes when the band is done. Memory in flight is one band a thread.
//!
//! The picture doesn't depend on the number of threads, the height of bands or the width of vectors.

mod area;
mod band;
mod kernels;
mod prepare;
mod shadow;
mod shape;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use self::band::Band;
use self::prepare::{Context, Frame, Tables};
use super::glyphs::GlyphCache;
use super::{Pixmap, RasterError, Rasteriser};
use crate::limits::{EDGE_PX, SCENE_ITEMS};
use crate::scene::{Canvas, Scene};
use crate::text::Fonts;

/// Rows of a band: its planes stay in the second-level cache.
const BAND_ROWS: usize = 16;

thread_local! {
    /// A band holds no lock and starts no task, so its thread never meets it borrowed.
    static BAND: RefCell<Band> = RefCell::new(Band::default());
}

/// Draws on the CPU; share one between all threads, for it keeps the glyphs.
pub struct CpuRasteriser {
    glyphs: GlyphCache,
    tables: Tables,
    /// Prepared scenes whose buffers are free again.
    frames: Mutex<Vec<Frame>>,
    band_rows: usize,
}

impl Default for CpuRasteriser {
    fn default() -> Self {
        Self::new()
    }
}

impl CpuRasteriser {
    /// With empty caches.
    pub fn new() -> Self {
        Self::with_band_rows(BAND_ROWS)
    }

    fn with_band_rows(band_rows: usize) -> Self {
        Self { glyphs: GlyphCache::default(), tables: Tables::default(), frames: Mutex::default(), band_rows }
    }

    fn frames(&self) -> std::sync::MutexGuard<'_, Vec<Frame>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rasteriser for CpuRasteriser {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        let Canvas { width, height, .. } = canvas;
        let allowed = 1..=EDGE_PX;
        if !allowed.contains(&width) || !allowed.contains(&height) {
            return Err(RasterError::CanvasSize { width, height });
        }
        if scene.items.len() > SCENE_ITEMS {
            return Err(RasterError::TooManyItems(scene.items.len()));
        }
        let mut frame = self.frames().pop().unwrap_or_default();
        let context = Context { canvas, fonts, glyphs: &self.glyphs, tables: &self.tables };
        for item in &scene.items {
            context.add(item, &mut frame);
        }

        let row_bytes = width as usize * 3;
        out.width = width;
        out.height = height;
        out.data.resize(row_bytes * height as usize, 0);
        let b = scene.background;
        let background = [b.r, b.g, b.b].map(kernels::unit);
        out.data.par_chunks_mut(row_bytes * self.band_rows).enumerate().for_each(|(i, bytes)| {
            BAND.with_borrow_mut(|band| {
                let y0 = i * self.band_rows;
                band.start(width as usize, y0, y0 + bytes.len() / row_bytes, background);
                for draw in &frame.draws {
                    band.draw(draw, &frame.lines);
                }
                band.store(bytes);
            });
        });

        frame.draws.clear();
        frame.lines.clear();
        self.frames().push(frame);
        Ok(())
    }
}
