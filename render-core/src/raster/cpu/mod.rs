//! The reference rasteriser.
//!
//! The canvas is cut into bands of rows, drawn independently on the threads of the current rayon pool. A band is a row
//! of cells, 64 pixels wide; each item of the scene goes over the cells it touches in turn. A cell stays a single
//! colour, and costs nothing, until something covers it in part; then it holds planes of `f32`, which become bytes when
//! the band is done. A group is drawn on cells of its own, which are laid over those below at its end. What is blurred
//! is made before, whole. Memory in flight is one band a thread, and the blurred pictures, at a reduced size where they
//! are blurred by much.
//!
//! What a later item hides on the whole of a cell isn't drawn there. The picture doesn't depend on the number of threads
//! or the width of vectors; on the height of bands, which is fixed, by a level where a gradient is nearly straight.

mod band;
mod blend;
mod blurred;
mod group;
mod kernels;
mod pool;
mod shape;
mod smooth;
mod source;
mod surface;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use self::band::{BAND, BAND_ROWS, Job};
use self::pool::Pool;
use self::smooth::Ground;
use super::frame::Frame;
use super::prepare::{self, Caches, Context, Workspace};
use super::rows::unit;
use super::{Pixmap, RasterError, Rasteriser};
use crate::cancel;
use crate::scene::{Canvas, Scene};
use crate::text::Fonts;

/// Draws on the CPU; share one between all threads, for it keeps the glyphs.
pub struct CpuRasteriser {
    caches: Caches,
    /// Prepared scenes whose buffers are free again.
    idle: Mutex<Vec<(Frame, Workspace)>>,
    pool: Pool,
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
        Self { caches: Caches::default(), idle: Mutex::default(), pool: Pool::default(), band_rows }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<(Frame, Workspace)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rasteriser for CpuRasteriser {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        prepare::check(scene, canvas)?;
        let Canvas { width, height, .. } = canvas;
        let (mut frame, workspace) = self.idle().pop().unwrap_or_default();
        let context = Context::new(canvas, fonts, &self.caches, &workspace);
        context.prepare(scene, &mut frame)?;
        let b = scene.background;
        let [red, green, blue] = [b.r, b.g, b.b].map(unit);
        let ground = Ground { color: [red, green, blue, 1.0], size: [width, height], dither: canvas.dither };
        let smooth = smooth::resolve(&frame, ground, &self.pool);
        let job = Job { frame: &frame, smooth: &smooth, pool: &self.pool };

        let row_bytes = width as usize * 3;
        out.width = width;
        out.height = height;
        out.data.resize(row_bytes * height as usize, 0);
        let scope = cancel::Scope::current();
        out.data.par_chunks_mut(row_bytes * self.band_rows).enumerate().for_each(|(i, bytes)| {
            scope.enter(cancel::check);
            BAND.with_borrow_mut(|band| {
                let y0 = i * self.band_rows;
                band.start([0, width as usize], [y0, y0 + bytes.len() / row_bytes], ground.color);
                band.run(job, 0..frame.steps.len());
                band.store(width as usize, bytes);
            });
        });

        self.pool.give_smooths(smooth);
        // What lies idle holds no tables, pictures or masks.
        frame.clear();
        self.idle().push((frame, workspace));
        Ok(())
    }
}
