//! One page on the device: its resources, and the passes that draw it.

use std::sync::mpsc;

use rayon::prelude::*;

use super::arena::buffer;
use super::atlas::Atlas;
use super::bindings::{bind_group, view};
use super::device::{Device, declined};
use super::layer::Layer;
use super::passes::{self, Cursor};
use super::resources::{Resources, Shared};
use super::segment::Segment;
use super::types::{Canvas, pair};
use crate::raster::RasterError;

/// Invocations per workgroup of the quantise stage, and pixels per invocation.
const GROUP: u32 = 64;
const PIXELS: u32 = 4;
/// Workgroups along x that every device supports.
const GROUPS: u32 = 32_768;
/// Bytes that one thread copies at a time.
const COPY_BYTES: usize = 1 << 20;

/// A stage that a page has completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// The scene is in pixels: paths flattened, glyphs rasterised, tables built.
    Prepared,
    /// All work is submitted to the device.
    Submitted,
    /// The page is drawn, and its bytes are readable by the CPU.
    Drawn,
    /// The bytes are copied out.
    Copied,
}

/// A page that is being drawn.
pub(super) struct Page<'a> {
    shared: Shared<'a>,
    resources: &'a mut Resources,
    canvas: [u32; 2],
    background: wgpu::Color,
    /// The canvas at the bottom, the innermost group on top. Empty until the first submission.
    stack: Vec<Layer>,
    submitted: Option<wgpu::SubmissionIndex>,
}

impl<'a> Page<'a> {
    /// Begins a page of this size. The segment's first view must be the whole canvas.
    pub fn begin(shared: Shared<'a>, resources: &'a mut Resources, canvas: [u32; 2], background: [f32; 3]) -> Self {
        let [r, g, b] = background.map(f64::from);
        let background = wgpu::Color { r, g, b, a: 1.0 };
        resources.segment.clear();
        resources.segment.views.clear();
        Self { shared, resources, canvas, background, stack: Vec::new(), submitted: None }
    }

    /// Returns the segment to append steps to.
    pub fn segment(&mut self) -> &mut Segment {
        &mut self.resources.segment
    }

    /// Draws the segment's steps and empties it.
    ///
    /// # Errors
    /// If the device can't draw them.
    pub fn flush(&mut self) -> Result<(), RasterError> {
        self.submit(false)?;
        self.resources.segment.clear();
        Ok(())
    }

    /// Draws the segment's last steps and quantises the page to bytes.
    ///
    /// # Errors
    /// If the device can't draw the page.
    pub fn finish(mut self, out: &mut [u8], passed: &mut dyn FnMut(Passed)) -> Result<(), RasterError> {
        self.submit(true)?;
        passed(Passed::Submitted);
        self.read(out, passed)?;
        for layer in self.stack {
            layer.free(self.resources);
        }
        Ok(())
    }

    /// Submits the segment. Repeats while the atlas is too small for the remaining glyphs.
    fn submit(&mut self, last: bool) -> Result<(), RasterError> {
        if self.stack.is_empty() {
            self.stack.push(Layer::new(self.shared.device, self.resources, 0, self.background, false));
        }
        let (mut glyph, mut cursor) = (0, Cursor::default());
        loop {
            let mut atlas = self.shared.atlas.lock();
            atlas.next_submission();
            let first = glyph;
            glyph = place_glyphs(&mut atlas, self.shared.device, &mut self.resources.segment, glyph);
            let blocked = self.resources.segment.glyphs.get(glyph).map(|g| g.instance);
            if blocked.is_some() && first == glyph {
                return Err(declined("a glyph doesn't fit in its atlas"));
            }
            let canvas = self.canvas_record();
            self.resources.arena.write(self.shared.device, &self.resources.segment, canvas)?;
            let mut encoder =
                self.shared.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let Self { shared, resources, stack, .. } = self;
            let end = blocked.unwrap_or(u32::MAX);
            passes::encode(shared, resources, stack, &mut encoder, &atlas, &mut cursor, end)?;
            if last && blocked.is_none() {
                self.quantise(&mut encoder)?;
            }
            self.submitted = Some(self.shared.device.queue.submit([encoder.finish()]));
            // Keeps the lock until here: after the submission, another page's glyphs may replace this page's.
            drop(atlas);
            if blocked.is_none() {
                return Ok(());
            }
        }
    }

    fn canvas_record(&self) -> Canvas {
        let [width, height] = self.canvas;
        let groups = (width * height).div_ceil(GROUP * PIXELS).min(GROUPS);
        Canvas { width, pixels: width * height, stride: groups * GROUP }
    }

    fn packed_bytes(&self) -> u64 {
        u64::from(self.canvas[0] * self.canvas[1]).div_ceil(u64::from(PIXELS)) * 3 * u64::from(PIXELS)
    }

    /// Quantises pixels to bytes and copies them to a buffer that the CPU can read.
    fn quantise(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), RasterError> {
        let bytes = self.packed_bytes();
        let device = self.shared.device;
        let limits = device.device.limits();
        if bytes > limits.max_storage_buffer_binding_size || bytes > limits.max_buffer_size {
            return Err(declined(format!("a picture of {bytes} bytes exceeds its buffer limit")));
        }
        let fits = |b: &Option<wgpu::Buffer>| b.as_ref().is_some_and(|b| b.size() >= bytes);
        let Resources { packed, readback, arena, .. } = &mut *self.resources;
        if !fits(packed) || !fits(readback) {
            *packed = Some(buffer(device, bytes, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC));
            *readback = Some(buffer(device, bytes, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST));
        }
        let layer = self.stack.first().and_then(|layer| Some((layer.color.as_ref()?, &layer.byte)));
        let (Some(packed), Some(readback), Some((color, dither))) = (packed, readback, layer) else { return Ok(()) };
        let out = wgpu::BindGroupEntry { binding: 3, resource: packed.as_entire_binding() };
        let entries: Vec<_> =
            arena.canvas(0).into_iter().chain([view(1, &color.view), view(2, &dither.view), out]).collect();
        let group = bind_group(device, &self.shared.pipelines.quantise_layout, &entries);
        let [width, height] = self.canvas;
        let groups = (width * height).div_ceil(GROUP * PIXELS);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(self.shared.pipelines.quantise(device));
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups.min(GROUPS), groups.div_ceil(GROUPS), 1);
        }
        encoder.copy_buffer_to_buffer(packed, 0, readback, 0, bytes);
        Ok(())
    }

    /// Waits for the page and copies it out.
    fn read(&mut self, out: &mut [u8], passed: &mut dyn FnMut(Passed)) -> Result<(), RasterError> {
        let (Some(readback), Some(submitted)) = (&self.resources.readback, self.submitted.take()) else {
            return Ok(());
        };
        let slice = readback.slice(0..self.packed_bytes());
        let (send, receive) = mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |done| _ = send.send(done));
        self.shared.device.wait(submitted)?;
        // Another thread that polls the device may run the callback a little later.
        match receive.recv() {
            Ok(Ok(())) => {}
            _ => {
                self.shared.device.state.check()?;
                return Err(declined("its buffer could not be mapped"));
            }
        }
        passed(Passed::Drawn);
        let mapped = slice.get_mapped_range().map_err(|e| declined(e.to_string()))?;
        out.par_chunks_mut(COPY_BYTES).zip(mapped[..].par_chunks(COPY_BYTES)).for_each(|(to, from)| {
            to.copy_from_slice(&from[..to.len()]);
        });
        drop(mapped);
        readback.unmap();
        passed(Passed::Copied);
        Ok(())
    }
}

/// Finds positions for the glyphs from `first` on. Returns the index of the first glyph without room, or the number of
/// glyphs.
fn place_glyphs(atlas: &mut Atlas, device: &Device, segment: &mut Segment, first: usize) -> usize {
    for (i, glyph) in segment.glyphs.iter().enumerate().skip(first) {
        let Some([x, y]) = atlas.place(device, &glyph.mask) else { return i };
        segment.instances[glyph.instance as usize].shape = pair(x + glyph.skip[0], y + glyph.skip[1]);
    }
    segment.glyphs.len()
}
