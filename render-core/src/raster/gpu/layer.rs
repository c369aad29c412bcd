//! Layers: the targets on which a page and its groups are drawn.

use super::device::Device;
use super::pipelines::BYTE;
use super::resources::Resources;
use super::target::Surface;
use super::types::View;

/// A target on which a page or a group is drawn.
pub(super) struct Layer {
    /// `None` for a clip.
    pub color: Option<Surface>,
    /// The dither weight of each pixel, or the coverage of a clip.
    pub byte: Surface,
    /// The index of the layer's view in the segment.
    pub view: usize,
    /// The initial colour.
    pub ground: wgpu::Color,
    /// Whether a pass has already drawn on the layer.
    pub begun: bool,
}

impl Layer {
    /// Creates a layer with the size of a view.
    pub fn new(device: &Device, resources: &mut Resources, index: usize, ground: wgpu::Color, clip: bool) -> Self {
        let View { size, .. } = resources.segment.views[index];
        let color = (!clip).then(|| resources.surfaces.take(device, size, device.color_format));
        let byte = resources.surfaces.take(device, size, BYTE);
        Self { color, byte, view: index, ground, begun: false }
    }

    /// Returns the layer's textures to the pool.
    pub fn free(self, resources: &mut Resources) {
        self.color.into_iter().chain([self.byte]).for_each(|surface| resources.surfaces.put(surface));
    }
}
