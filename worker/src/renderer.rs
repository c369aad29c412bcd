//! Which rasteriser draws, and on which buffers.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use render_core::raster::{Pixmap, RasterError, Rasteriser, cpu};
use render_core::scene::{Canvas, Scene};
use render_core::text::Fonts;

/// Draws scenes on buffers that are used again.
pub struct Renderer {
    rasteriser: Box<dyn Rasteriser>,
    fonts: Fonts,
    idle: Arc<Idle>,
}

/// Buffers that nobody draws on.
struct Idle {
    pixmaps: Mutex<Vec<Pixmap>>,
    keep: usize,
}

/// A drawn picture. Dropped, its buffer is used again.
pub struct Drawn {
    /// Emptied when dropped.
    pixmap: Option<Pixmap>,
    idle: Arc<Idle>,
}

impl Renderer {
    /// A renderer on the CPU that keeps at most `keep` idle buffers.
    pub fn cpu(fonts: Fonts, keep: usize) -> Self {
        Self::new(Box::new(cpu::CpuRasteriser::new()), fonts, keep)
    }

    /// A renderer on any rasteriser.
    pub fn new(rasteriser: Box<dyn Rasteriser>, fonts: Fonts, keep: usize) -> Self {
        Self { rasteriser, fonts, idle: Arc::new(Idle { pixmaps: Mutex::default(), keep }) }
    }

    /// The faces it draws with.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Draws a scene on a canvas.
    ///
    /// # Errors
    /// [`RasterError`] where the canvas or the scene is over a limit.
    pub fn draw(&self, scene: &Scene, canvas: Canvas) -> Result<Drawn, RasterError> {
        let pixmap = self.idle.take().unwrap_or(Pixmap { width: 0, height: 0, data: Vec::new() });
        let mut drawn = Drawn { pixmap: Some(pixmap), idle: Arc::clone(&self.idle) };
        let out = drawn.pixmap.as_mut().expect("set above");
        self.rasteriser.draw(scene, canvas, &self.fonts, out)?;
        Ok(drawn)
    }
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("rasteriser", &self.rasteriser.name()).finish_non_exhaustive()
    }
}

impl Idle {
    fn take(&self) -> Option<Pixmap> {
        self.pixmaps.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn put(&self, pixmap: Pixmap) {
        let mut pixmaps = self.pixmaps.lock().unwrap_or_else(PoisonError::into_inner);
        if pixmaps.len() < self.keep {
            pixmaps.push(pixmap);
        }
    }
}

impl Deref for Drawn {
    type Target = Pixmap;

    fn deref(&self) -> &Pixmap {
        self.pixmap.as_ref().expect("only a drop empties it")
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        if let Some(pixmap) = self.pixmap.take() {
            self.idle.put(pixmap);
        }
    }
}
