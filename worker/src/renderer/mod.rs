//! Which rasteriser renders, and into which buffers.

mod choice;
mod devices;

use std::ops::Deref;
use std::sync::Arc;

use parking_lot::Mutex;
use render_core::inspect::{proof_canvas, without_text};
use render_core::raster::{Pixmap, RasterError, Rasteriser, cpu};
use render_core::scene::{Canvas, Scene};
use render_core::text::Fonts;
use tokio_util::sync::CancellationToken;

pub use self::choice::{Choice, ChoiceError};
use self::devices::Devices;
pub use self::devices::Open;

/// Long edge of a thumbnail, in pixels.
pub const THUMBNAIL_PX: u32 = 480;
/// Short edge of the preview of an edit, in pixels.
pub const PREVIEW_PX: u32 = 540;

/// Renders scenes into reused buffers. Clones share devices and buffers.
#[derive(Clone)]
pub struct Renderer {
    devices: Arc<Devices>,
    fonts: Fonts,
    idle: Arc<Idle>,
}

/// Buffers that are not in use.
struct Idle {
    pixmaps: Mutex<Vec<Pixmap>>,
    keep: usize,
}

/// A rendered picture. Its buffer is reused after it is dropped.
pub struct Drawn {
    /// Emptied when dropped.
    pixmap: Option<Pixmap>,
    idle: Arc<Idle>,
}

impl Renderer {
    /// Returns a renderer on the CPU that keeps at most `keep` idle buffers.
    pub fn cpu(fonts: Fonts, keep: usize) -> Self {
        Self::new(Box::new(cpu::CpuRasteriser::new()), Vec::new(), fonts, keep)
    }

    /// Returns a renderer on the chosen devices, with the CPU as the fallback, that keeps at most `keep` idle buffers.
    ///
    /// # Errors
    /// [`ChoiceError`] if a requested device does not exist or can't be opened.
    pub fn open(choice: &Choice, fonts: Fonts, keep: usize) -> Result<Self, ChoiceError> {
        let renderer = Self::new(Box::new(cpu::CpuRasteriser::new()), choice.open()?, fonts, keep);
        tracing::info!(devices = ?renderer.devices(), "rendering on these devices, the least busy first");
        Ok(renderer)
    }

    /// Returns a renderer on devices, each given by name with its rasteriser and how to reopen it, and on `cpu` where
    /// they can't render.
    pub fn new(
        cpu: Box<dyn Rasteriser>,
        devices: Vec<(String, Box<dyn Rasteriser>, Open)>,
        fonts: Fonts,
        keep: usize,
    ) -> Self {
        let idle = Arc::new(Idle { pixmaps: Mutex::default(), keep });
        Self { devices: Arc::new(Devices::new(cpu, devices)), fonts, idle }
    }

    /// Returns the same renderer with other faces. A scene must be rendered with the faces that it was composed with.
    #[must_use]
    pub fn with_fonts(&self, fonts: Fonts) -> Self {
        Self { fonts, ..self.clone() }
    }

    /// Returns the names of what renders: the devices, and the CPU as their fallback.
    pub fn devices(&self) -> Vec<String> {
        self.devices.names().into_iter().map(str::to_owned).collect()
    }

    /// Returns whether anything but the CPU renders.
    pub fn has_devices(&self) -> bool {
        self.devices.names().len() > 1
    }

    /// Cancelled once every device is given up, and the CPU alone renders.
    pub fn bare(&self) -> &CancellationToken {
        self.devices.bare()
    }

    /// Returns the faces that it renders with.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Renders a scene on a canvas.
    ///
    /// # Errors
    /// [`RasterError`] if the canvas or the scene exceeds a limit.
    pub fn draw(&self, scene: &Scene, canvas: Canvas) -> Result<Drawn, RasterError> {
        let pixmap = self.idle.take().unwrap_or(Pixmap { width: 0, height: 0, data: Vec::new() });
        let mut drawn = Drawn { pixmap: Some(pixmap), idle: Arc::clone(&self.idle) };
        let out = drawn.pixmap.as_mut().expect("set above");
        self.devices.draw(scene, canvas, &self.fonts, out)?;
        Ok(drawn)
    }

    /// Renders the scene without its text, as small as the legibility checks allow.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn backdrop(&self, scene: &Scene) -> Result<Pixmap, RasterError> {
        self.small(&without_text(scene), proof_canvas(scene))
    }

    /// Renders the picture of `canvas` with a long edge of [`THUMBNAIL_PX`] pixels; at its own size if it is smaller.
    ///
    /// Rendering again takes a twentieth of the time of shrinking the large picture, and looks the same.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn thumbnail(&self, scene: &Scene, canvas: Canvas) -> Result<Pixmap, RasterError> {
        let long = canvas.width.max(canvas.height);
        if long <= THUMBNAIL_PX {
            return self.small(scene, canvas);
        }
        self.small(scene, scaled(canvas, f64::from(THUMBNAIL_PX) / f64::from(long)))
    }

    /// Renders the picture of `canvas` with a short edge of `short` pixels; at its own size if it is smaller.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn preview(&self, scene: &Scene, canvas: Canvas, short: u32) -> Result<Pixmap, RasterError> {
        let edge = canvas.width.min(canvas.height);
        self.small(scene, scaled(canvas, (f64::from(short) / f64::from(edge.max(1))).min(1.0)))
    }

    /// Uses a buffer of its own, to leave the large ones to the next full-size pictures. Uses the CPU, which finishes
    /// before a device would have been asked.
    fn small(&self, scene: &Scene, canvas: Canvas) -> Result<Pixmap, RasterError> {
        let mut pixmap = Pixmap { width: 0, height: 0, data: Vec::new() };
        self.devices.on_cpu(scene, canvas, &self.fonts, &mut pixmap)?;
        Ok(pixmap)
    }
}

/// Returns a canvas of the same shape.
fn scaled(canvas: Canvas, by: f64) -> Canvas {
    let px = |edge: u32| (f64::from(edge) * by).round().max(1.0) as u32;
    Canvas::new(px(canvas.width), px(canvas.height))
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("devices", &self.devices()).finish_non_exhaustive()
    }
}

impl Idle {
    fn take(&self) -> Option<Pixmap> {
        self.pixmaps.lock().pop()
    }

    fn put(&self, pixmap: Pixmap) {
        let mut pixmaps = self.pixmaps.lock();
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
