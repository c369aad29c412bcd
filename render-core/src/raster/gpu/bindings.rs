//! The bind groups of one submission, and the draws that use them.

use std::ops::Range;

use super::arena::Arena;
use super::atlas::Atlas;
use super::device::Device;
use super::resources::Shared;
use super::segment::{Batch, Segment};
use super::sources::{Coverage, Paint};
use crate::raster::RasterError;

/// The bind groups of one submission.
pub(super) struct Bindings<'a> {
    shared: &'a Shared<'a>,
    pub frame: wgpu::BindGroup,
    coverages: [Option<wgpu::BindGroup>; Coverage::ALL.len()],
    /// `None` for pictures.
    paints: [Option<wgpu::BindGroup>; Paint::ALL.len()],
    pictures: Vec<wgpu::BindGroup>,
}

impl<'a> Bindings<'a> {
    /// Creates the bind groups for all of the segment's draws. `blurred` holds the latest blurred picture.
    ///
    /// # Errors
    /// If a picture is too large for the device.
    pub fn new(
        shared: &'a Shared<'a>,
        arena: &Arena,
        segment: &Segment,
        atlas: &Atlas,
        blurred: Option<&wgpu::Buffer>,
    ) -> Result<Self, RasterError> {
        let Shared { device, pipelines, .. } = *shared;
        let frame = bind_group(device, &pipelines.frame, &arena.frame());
        let coverages = Coverage::ALL.map(|coverage| {
            let layout = pipelines.coverage(coverage);
            if !segment.uses(|batch| batch.coverage == coverage) {
                return None;
            }
            let mut entries = arena.coverage(coverage);
            if coverage == Coverage::Glyph {
                entries.push(view(0, atlas.view()));
            }
            Some(bind_group(device, layout, &entries))
        });
        let paints = Paint::ALL.map(|paint| {
            if !segment.uses(|batch| batch.paint == Some(paint)) {
                return None;
            }
            let mut entries = arena.paint(paint);
            match paint {
                Paint::Picture => return None,
                Paint::Blurred => {
                    entries.push(wgpu::BindGroupEntry { binding: 1, resource: blurred?.as_entire_binding() });
                }
                Paint::Solid | Paint::Gradient | Paint::Pattern | Paint::Mesh => {}
            }
            Some(bind_group(device, pipelines.paint(paint), &entries))
        });
        let pictures = segment.pictures.iter().map(|picture| {
            let texture = shared.pictures.get(device, picture)?;
            let mut entries = arena.paint(Paint::Picture);
            entries.push(view(1, &texture));
            Ok(bind_group(device, pipelines.paint(Paint::Picture), &entries))
        });
        let pictures = pictures.collect::<Result<_, RasterError>>()?;
        Ok(Self { shared, frame, coverages, paints, pictures })
    }

    /// Draws some instances of a batch.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'static>, batch: &Batch, instances: Range<u32>) {
        let Shared { device, pipelines, .. } = *self.shared;
        match batch.paint {
            Some(paint) => {
                let group = match paint {
                    Paint::Picture => self.pictures.get(batch.picture),
                    paint => self.paints[paint as usize].as_ref(),
                };
                pass.set_pipeline(pipelines.draw(device, batch.coverage, paint));
                pass.set_bind_group(2, group, &[]);
            }
            None => pass.set_pipeline(pipelines.mask(device, batch.coverage)),
        }
        if let Some(group) = &self.coverages[batch.coverage as usize] {
            pass.set_bind_group(1, group, &[]);
        }
        pass.draw(0..4, instances);
    }
}

/// Binds a texture.
pub(super) fn view(binding: u32, view: &wgpu::TextureView) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) }
}

/// Creates a bind group.
pub(super) fn bind_group(
    device: &Device,
    layout: &wgpu::BindGroupLayout,
    entries: &[wgpu::BindGroupEntry<'_>],
) -> wgpu::BindGroup {
    device.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries })
}
