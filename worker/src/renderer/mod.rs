//! Which rasteriser draws, and on which buffers.

mod choice;
mod devices;

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Draws scenes on buffers that are used again. Clones share devices and buffers.
#[derive(Clone)]
pub struct Renderer {
    devices: Arc<Devices>,
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
        Self::new(Box::new(cpu::CpuRasteriser::new()), Vec::new(), fonts, keep)
    }

    /// A renderer on the devices of a choice, with the CPU behind them, that keeps at most `keep` idle buffers.
    ///
    /// # Errors
    /// [`ChoiceError`] where a device that was named can't be had.
    pub fn open(choice: &Choice, fonts: Fonts, keep: usize) -> Result<Self, ChoiceError> {
        let renderer = Self::new(Box::new(cpu::CpuRasteriser::new()), choice.open()?, fonts, keep);
        tracing::info!(devices = ?renderer.devices(), "pictures are drawn on the first that is free and can");
        Ok(renderer)
    }

    /// A renderer on devices, by name, each with what draws on it and how that is made anew, and on `cpu` where they
    /// can't.
    pub fn new(
        cpu: Box<dyn Rasteriser>,
        devices: Vec<(String, Box<dyn Rasteriser>, Open)>,
        fonts: Fonts,
        keep: usize,
    ) -> Self {
        let idle = Arc::new(Idle { pixmaps: Mutex::default(), keep });
        Self { devices: Arc::new(Devices::new(cpu, devices)), fonts, idle }
    }

    /// The same, with other faces: those that scenes are composed in are those that draw them.
    #[must_use]
    pub fn with_fonts(&self, fonts: Fonts) -> Self {
        Self { fonts, ..self.clone() }
    }

    /// What draws, by name: the devices, and the CPU behind them.
    pub fn devices(&self) -> Vec<String> {
        self.devices.names().into_iter().map(str::to_owned).collect()
    }

    /// Whether anything but the CPU draws.
    pub fn has_devices(&self) -> bool {
        self.devices.names().len() > 1
    }

    /// Cancelled once every device that there was is given up, and the CPU alone draws.
    pub fn bare(&self) -> &CancellationToken {
        self.devices.bare()
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
        self.devices.draw(scene, canvas, &self.fonts, out)?;
        Ok(drawn)
    }

    /// The scene without its text, as small as the measures of legibility allow.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn backdrop(&self, scene: &Scene) -> Result<Pixmap, RasterError> {
        self.small(&without_text(scene), proof_canvas(scene))
    }

    /// The picture that `canvas` would show, its long edge [`THUMBNAIL_PX`] pixels; as it is where it is smaller.
    ///
    /// It is drawn anew: that takes a twentieth of the time of shrinking the large one, and looks the same.
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

    /// The picture that `canvas` would show, its short edge `short` pixels; as it is where it is smaller.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn preview(&self, scene: &Scene, canvas: Canvas, short: u32) -> Result<Pixmap, RasterError> {
        let edge = canvas.width.min(canvas.height);
        self.small(scene, scaled(canvas, (f64::from(short) / f64::from(edge.max(1))).min(1.0)))
    }

    /// On a buffer of its own: one of the large ones would be kept from the next picture. On the CPU: it's done before
    /// a device would have been asked.
    fn small(&self, scene: &Scene, canvas: Canvas) -> Result<Pixmap, RasterError> {
        let mut pixmap = Pixmap { width: 0, height: 0, data: Vec::new() };
        self.devices.on_cpu(scene, canvas, &self.fonts, &mut pixmap)?;
        Ok(pixmap)
    }
}

/// A canvas of the same shape.
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
