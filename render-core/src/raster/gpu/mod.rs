//! The GPU rasteriser, on wgpu: Vulkan, Metal or DX12, without a window.
//!
//! A frame becomes instances in draw order. Batches of instances share one coverage and one paint, and each combination
//! has a small pipeline of its own. The device blends with 16 bits per channel. A last stage quantises pixels to bytes,
//! which are copied to a buffer that the CPU can read. The CPU computes the coverage of paths, exactly like the
//! reference rasteriser.
//!
//! Several threads may draw at once. Each page has its own resources and waits only for its own submission, so one page
//! is drawn while another is copied and a third is encoded.
//!
//! Device failures never panic. What the device can't draw is reported as an error, and once the device is lost, every
//! call returns that error.

mod arena;
mod atlas;
mod bindings;
mod device;
mod layer;
mod page;
mod passes;
mod pictures;
mod pipelines;
mod record;
mod resources;
mod scratch;
mod segment;
mod slots;
mod sources;
mod strips;
mod target;
#[cfg(test)]
mod tests;
mod types;

use parking_lot::Mutex;

use self::atlas::Atlas;
use self::device::declined;
pub use self::device::{Adapter, AdapterKind, Device, OpenError, Selector, adapters, open_device};
use self::page::Page;
pub use self::page::Passed;
use self::pictures::Pictures;
use self::pipelines::Pipelines;
use self::resources::{Resources, Shared};
use self::slots::Slots;
use super::frame::Frame;
use super::prepare::{self, Caches, Context, Workspace};
use super::rows::unit;
use super::{Pixmap, RasterError, Rasteriser};
use crate::limits::GPU_PAGES;
use crate::scene::{Canvas, Scene};
use crate::text::Fonts;

/// Draws on a device. Share one instance between all threads.
pub struct GpuRasteriser {
    pipelines: Pipelines,
    caches: Caches,
    slots: Slots<PageSlot>,
    atlas: Mutex<Atlas>,
    pictures: Pictures,
    /// Declared last, so that it is dropped last.
    device: Device,
}

#[derive(Default)]
struct PageSlot {
    frame: Frame,
    workspace: Workspace,
    resources: Resources,
}

impl std::fmt::Debug for GpuRasteriser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GpuRasteriser").field("device", &self.device).finish_non_exhaustive()
    }
}

/// Opens a device and returns a rasteriser on it.
///
/// # Errors
/// [`OpenError`] if there is no such device, or it can't draw.
pub fn open(selector: Selector) -> Result<GpuRasteriser, OpenError> {
    GpuRasteriser::new(open_device(&selector)?)
}

impl GpuRasteriser {
    /// Creates a rasteriser with empty caches.
    ///
    /// # Errors
    /// [`OpenError::Refused`] if the device fails immediately.
    pub fn new(device: Device) -> Result<Self, OpenError> {
        let made = device.scoped(|| Ok((Pipelines::new(&device), Atlas::new(&device))));
        let (pipelines, atlas) =
            made.map_err(|e| OpenError::Refused { adapter: device.adapter().name.clone(), reason: e.to_string() })?;
        Ok(Self {
            pipelines,
            caches: Caches::default(),
            slots: Slots::new(GPU_PAGES),
            atlas: Mutex::new(atlas),
            pictures: Pictures::default(),
            device,
        })
    }

    /// Returns the adapter that the rasteriser draws on.
    pub fn adapter(&self) -> &Adapter {
        self.device.adapter()
    }

    /// Draws a prepared frame.
    fn draw_frame(
        &self,
        slot: &mut PageSlot,
        canvas: Canvas,
        background: [f32; 3],
        out: &mut [u8],
        passed: &mut dyn FnMut(Passed),
    ) -> Result<(), RasterError> {
        let Self { device, pipelines, atlas, pictures, .. } = self;
        let shared = Shared { device, pipelines, atlas, pictures };
        let size = [canvas.width, canvas.height];
        let PageSlot { frame, resources, .. } = slot;
        let mut page = Page::begin(shared, resources, size, background);
        record::record(&mut page, frame, size, canvas.dither)?;
        page.finish(out, passed)
    }
}

impl Rasteriser for GpuRasteriser {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        self.draw_watched(scene, canvas, fonts, out, &mut |_| {})
    }
}

impl GpuRasteriser {
    /// Draws like [`Rasteriser::draw`], and calls `passed` after each stage, in order. For measurements.
    ///
    /// # Errors
    /// As for [`Rasteriser::draw`].
    pub fn draw_watched(
        &self,
        scene: &Scene,
        canvas: Canvas,
        fonts: &Fonts,
        out: &mut Pixmap,
        passed: &mut dyn FnMut(Passed),
    ) -> Result<(), RasterError> {
        prepare::check(scene, canvas)?;
        self.device.state.check()?;
        let Canvas { width, height, .. } = canvas;
        let edge = self.device.device.limits().max_texture_dimension_2d;
        if width.max(height) > edge {
            return Err(declined(format!("a canvas of {width}×{height} pixels exceeds its texture limit of {edge}")));
        }
        let mut slot = self.slots.take();
        let PageSlot { frame, workspace, .. } = &mut *slot;
        let context = Context::new(canvas, fonts, &self.caches, workspace);
        context.prepare(scene, frame).inspect_err(|_| frame.clear())?;
        passed(Passed::Prepared);

        out.width = width;
        out.height = height;
        out.data.resize(width as usize * height as usize * 3, 0);
        let b = scene.background;
        let background = [b.r, b.g, b.b].map(unit);
        let drawn = self.device.scoped(|| self.draw_frame(&mut slot, canvas, background, &mut out.data, passed));
        // Idle slots must hold no tables, pictures or masks.
        slot.frame.clear();
        slot.resources.segment.clear();
        if drawn.is_err() {
            slot.reset();
        }
        drawn
    }
}
