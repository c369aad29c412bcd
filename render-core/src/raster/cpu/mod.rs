//! The reference rasteriser.
//!
//! The canvas is divided into bands of rows, which the threads of the current rayon pool draw independently. A band is
//! a row of cells, each 64 pixels wide. Each item of the scene is drawn on the cells that it touches, in order. A cell
//! stays a single colour, at no cost, until something covers it in part. Then it holds planes of `f32`, which become
//! bytes when the band is finished. A group is drawn on cells of its own, which are composited over the cells below at
//! its end. Blurred pictures are made first, as a whole. Memory in flight is one band per thread, plus the blurred
//! pictures, which have a reduced size if the blur is wide.
//!
//! Where a later item hides a whole cell, earlier items aren't drawn on it. The picture doesn't depend on the number of
//! threads or on the vector width. It depends on the height of bands, which is fixed: where a gradient is nearly
//! straight, a different height may change a pixel by one level.

mod band;
mod blend;
mod blur;
mod blurred;
mod group;
mod kernels;
mod pool;
mod shape;
mod source;
mod surface;
#[cfg(test)]
mod tests;

use parking_lot::Mutex;
use rayon::prelude::*;

use self::band::{BAND, BAND_ROWS, Job};
use self::blur::Ground;
use self::pool::Pool;
use super::frame::Frame;
use super::prepare::{self, Caches, Context, Workspace};
use super::rows::unit;
use super::{Pixmap, RasterError, Rasteriser};
use crate::cancel;
use crate::scene::{Canvas, Scene};
use crate::text::Fonts;

/// Draws on the CPU. Share one instance between all threads, because it caches glyphs.
pub struct CpuRasteriser {
    caches: Caches,
    /// Prepared scenes whose buffers can be reused.
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
    /// Creates a rasteriser with empty caches.
    pub fn new() -> Self {
        Self::with_band_rows(BAND_ROWS)
    }

    fn with_band_rows(band_rows: usize) -> Self {
        Self { caches: Caches::default(), idle: Mutex::default(), pool: Pool::default(), band_rows }
    }
}

impl Rasteriser for CpuRasteriser {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        prepare::check(scene, canvas)?;
        let Canvas { width, height, .. } = canvas;
        let (mut frame, workspace) = self.idle.lock().pop().unwrap_or_default();
        let context = Context::new(canvas, fonts, &self.caches, &workspace);
        context.prepare(scene, &mut frame)?;
        let b = scene.background;
        let [red, green, blue] = [b.r, b.g, b.b].map(unit);
        let ground = Ground { color: [red, green, blue, 1.0], size: [width, height], dither: canvas.dither };
        let blurs = blur::resolve(&frame, ground, &self.pool);
        let job = Job { frame: &frame, blurs: &blurs, pool: &self.pool };

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

        self.pool.give_blurs(blurs);
        // Idle frames must hold no tables, pictures or masks.
        frame.clear();
        self.idle.lock().push((frame, workspace));
        Ok(())
    }
}
