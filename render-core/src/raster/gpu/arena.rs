//! One buffer with everything that a segment's shaders read.

use std::num::NonZero;

use bytemuck::cast_slice;

use super::device::{Device, declined};
use super::segment::Segment;
use super::sources::{Coverage, Paint};
use super::types::{Blur, Canvas, View};
use crate::raster::RasterError;

/// The alignment of all offsets: the largest that a device may require.
const ALIGN: usize = 256;
/// The minimum size of a part, so that every binding has room for one element.
const LEAST: usize = 256;

/// A part of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Views,
    Canvas,
    Instances,
    Rounds,
    Ellipses,
    Shadows,
    Heights,
    Tiles,
    Solids,
    Gradients,
    Colors,
    Banded,
    Patterns,
    Meshes,
    Pictures,
    BlurredImages,
    Groups,
    Blurs,
    Weights,
}

const PARTS: usize = Part::Weights as usize + 1;

/// The buffer. It grows on demand, and is rewritten for every segment.
#[derive(Default)]
pub(super) struct Arena {
    buffer: Option<wgpu::Buffer>,
    /// Offset and length of every part.
    parts: [(u64, u64); PARTS],
}

impl Arena {
    /// Uploads a segment to the device.
    ///
    /// # Errors
    /// If the segment exceeds the limits of the device.
    pub fn write(&mut self, device: &Device, segment: &Segment, canvas: Canvas) -> Result<(), RasterError> {
        // Views and blurs are bound one at a time, each at its own offset.
        let views: Vec<u8> = segment.views.iter().flat_map(spread).collect();
        let blurs: Vec<u8> = segment.blurs.iter().flat_map(spread).collect();
        let bytes: [&[u8]; PARTS] = [
            &views,
            bytemuck::bytes_of(&canvas),
            cast_slice(&segment.instances),
            cast_slice(&segment.rounds),
            cast_slice(&segment.ellipses),
            cast_slice(&segment.shadows),
            cast_slice(&segment.heights),
            &segment.tiles,
            cast_slice(&segment.solids),
            cast_slice(&segment.gradients),
            cast_slice(&segment.colors),
            cast_slice(&segment.banded),
            cast_slice(&segment.patterns),
            cast_slice(&segment.meshes),
            cast_slice(&segment.picture_records),
            cast_slice(&segment.blurred_images),
            cast_slice(&segment.groups),
            &blurs,
            cast_slice(&segment.weights),
        ];
        let mut end = 0;
        for (part, bytes) in self.parts.iter_mut().zip(bytes) {
            let length = bytes.len().max(LEAST).next_multiple_of(ALIGN) as u64;
            *part = (end, length);
            end += length;
        }
        let limits = device.device.limits();
        let longest = self.parts.iter().map(|p| p.1).max().unwrap_or(0);
        if end > limits.max_buffer_size || longest > limits.max_storage_buffer_binding_size {
            return Err(declined(format!("{end} bytes of records exceed its buffer limit")));
        }
        if self.buffer.as_ref().is_none_or(|b| b.size() < end) {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            self.buffer = Some(buffer(device, end.next_power_of_two().min(limits.max_buffer_size), usage));
        }
        let Some(buffer) = &self.buffer else { return Ok(()) };
        let size = NonZero::new(end).ok_or_else(|| declined("nothing to write"))?;
        let Some(mut view) = device.queue.write_buffer_with(buffer, 0, size) else {
            return Err(declined("its memory for uploads is full"));
        };
        for ((start, _), bytes) in self.parts.iter().zip(bytes) {
            let start = *start as usize;
            view.slice(start..start + bytes.len()).copy_from_slice(bytes);
        }
        Ok(())
    }

    fn binding(&self, binding: u32, part: Part) -> Option<wgpu::BindGroupEntry<'_>> {
        let (offset, length) = self.parts[part as usize];
        self.bind(binding, offset, length)
    }

    fn bind(&self, binding: u32, offset: u64, length: u64) -> Option<wgpu::BindGroupEntry<'_>> {
        let buffer = self.buffer.as_ref()?;
        let resource =
            wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size: NonZero::new(length) });
        Some(wgpu::BindGroupEntry { binding, resource })
    }

    /// Returns group 0 of all draws. The view is bound at [`offset`].
    pub fn frame(&self) -> Vec<wgpu::BindGroupEntry<'_>> {
        let view = self.bind(0, self.parts[Part::Views as usize].0, size_of::<View>() as u64);
        view.into_iter().chain(self.binding(1, Part::Instances)).collect()
    }

    /// Returns the bindings of group 1: the parts that a coverage reads.
    pub fn coverage(&self, coverage: Coverage) -> Vec<wgpu::BindGroupEntry<'_>> {
        let parts: &[Part] = match coverage {
            Coverage::Whole | Coverage::Glyph => &[],
            Coverage::Round => &[Part::Rounds],
            Coverage::Ellipse => &[Part::Ellipses],
            Coverage::Shadow => &[Part::Shadows, Part::Heights],
            Coverage::Strip => &[Part::Tiles],
        };
        (0..).zip(parts).filter_map(|(i, part)| self.binding(i, *part)).collect()
    }

    /// Returns the bindings of group 2: the parts that a paint reads.
    pub fn paint(&self, paint: Paint) -> Vec<wgpu::BindGroupEntry<'_>> {
        let parts: &[Part] = match paint {
            Paint::Solid => &[Part::Solids],
            Paint::Gradient => &[Part::Gradients, Part::Colors, Part::Banded],
            Paint::Pattern => &[Part::Patterns, Part::Colors, Part::Banded],
            Paint::Mesh => &[Part::Meshes, Part::Colors],
            Paint::Picture => &[Part::Pictures],
            Paint::Blurred => &[Part::BlurredImages],
        };
        (0..).zip(parts).filter_map(|(i, part)| self.binding(i, *part)).collect()
    }

    /// Returns the binding of the groups' records.
    pub fn groups(&self, binding: u32) -> Option<wgpu::BindGroupEntry<'_>> {
        self.binding(binding, Part::Groups)
    }

    /// Returns the bindings of one blur, bound at [`offset`], and of the weights of all blurs.
    pub fn blur(&self) -> Vec<wgpu::BindGroupEntry<'_>> {
        let blur = self.bind(0, self.parts[Part::Blurs as usize].0, size_of::<Blur>() as u64);
        blur.into_iter().chain(self.binding(1, Part::Weights)).collect()
    }

    /// Returns the binding of the canvas, for the quantise stage.
    pub fn canvas(&self, binding: u32) -> Option<wgpu::BindGroupEntry<'_>> {
        self.bind(binding, self.parts[Part::Canvas as usize].0, size_of::<Canvas>() as u64)
    }
}

/// Returns the offset of view or blur `index` from the first.
pub(super) fn offset(index: usize) -> u32 {
    (index * ALIGN) as u32
}

fn spread<T: bytemuck::Pod>(record: &T) -> [u8; ALIGN] {
    let mut out = [0; ALIGN];
    out[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(record));
    out
}

/// Creates a buffer.
pub(super) fn buffer(device: &Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}
