//! Layers: the targets that a page and its groups are drawn on.

use super::device::Device;
use super::pipelines::BYTE;
use super::resources::Resources;
use super::target::Surface;
use super::types::View;

/// A target that a page or a group is drawn on.
pub(super) struct Layer {
    /// None for a clip.
    pub color: Option<Surface>,
    /// How far each pixel is to be dithered; a clip's coverage.
    pub byte: Surface,
    /// The index of its view in the segment.
    pub view: usize,
    /// The colour that it begins with.
    pub ground: wgpu::Color,
    /// Whether a pass on it was begun.
    pub begun: bool,
}

impl Layer {
    /// A layer of the size of a view.
    pub fn new(device: &Device, resources: &mut Resources, index: usize, ground: wgpu::Color, clip: bool) -> Self {
        let View { size, .. } = resources.segment.views[index];
        let color = (!clip).then(|| resources.surfaces.take(device, size, device.color_format));
        let byte = resources.surfaces.take(device, size, BYTE);
        Self { color, byte, view: index, ground, begun: false }
    }

    /// Gives the textures of the layer back.
    pub fn free(self, resources: &mut Resources) {
        self.color.into_iter().chain([self.byte]).for_each(|surface| resources.surfaces.put(surface));
    }
}
