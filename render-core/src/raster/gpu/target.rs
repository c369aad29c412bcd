//! Render targets: textures of colours, of dither weights, and of clips.

use super::device::Device;
use super::pipelines::BYTE;

/// Upper limit for the bytes of idle textures that a page's resources keep.
const KEPT_BYTES: u64 = 512 << 20;

/// A texture to draw on.
#[derive(Clone)]
pub(super) struct Surface {
    size: [u32; 2],
    format: wgpu::TextureFormat,
    pub view: wgpu::TextureView,
}

impl Surface {
    fn new(device: &Device, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> Self {
        let texture = device.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { size: [width, height], format, view }
    }

    fn bytes(&self) -> u64 {
        let texel = if self.format == BYTE { 1 } else { 8 };
        u64::from(self.size[0]) * u64::from(self.size[1]) * texel
    }
}

/// Textures for reuse, the most recently used at the end.
#[derive(Default)]
pub(super) struct Surfaces {
    idle: Vec<Surface>,
}

impl Surfaces {
    /// Returns a texture of this size; its content is undefined.
    pub fn take(&mut self, device: &Device, size: [u32; 2], format: wgpu::TextureFormat) -> Surface {
        match self.idle.iter().rposition(|t| t.size == size && t.format == format) {
            Some(i) => self.idle.remove(i),
            None => Surface::new(device, size, format),
        }
    }

    /// Returns a texture to the pool. It can be reused at once: the device executes commands in order.
    pub fn put(&mut self, surface: Surface) {
        self.idle.push(surface);
        let mut bytes: u64 = self.idle.iter().map(Surface::bytes).sum();
        while bytes > KEPT_BYTES && self.idle.len() > 2 {
            bytes -= self.idle.remove(0).bytes();
        }
    }
}
