//! Glyph masks on the device: one texture for all pages. The least recently used masks are evicted; masks of the
//! current submission stay.

use std::collections::HashMap;
use std::sync::Arc;

use etagere::{AllocId, BucketedAtlasAllocator, size2};

use super::device::Device;
use crate::limits::GPU_ATLAS_EDGE_PX;
use crate::raster::glyphs::GlyphMask;

/// Initial edge of an atlas in pixels.
const FIRST_EDGE: u32 = 1024;

/// The place of a mask in the atlas.
struct Entry {
    /// Holds the mask alive, so that its address stays unique.
    mask: Arc<GlyphMask>,
    id: AllocId,
    at: [i32; 2],
    /// The last submission that used the mask.
    used: u64,
}

/// The texture, and the places of its masks.
pub(super) struct Atlas {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    allocator: BucketedAtlasAllocator,
    /// Entries by the address of their mask.
    entries: HashMap<usize, Entry>,
    /// Counts submissions.
    now: u64,
    /// The largest edge that the texture may have.
    most: u32,
}

impl Atlas {
    pub fn new(device: &Device) -> Self {
        Self::with_edges(device, FIRST_EDGE, GPU_ATLAS_EDGE_PX)
    }

    /// Creates an atlas with edges of `first` pixels that may grow to `most`.
    pub fn with_edges(device: &Device, first: u32, most: u32) -> Self {
        let most = most.min(device.device.limits().max_texture_dimension_2d);
        let (texture, view) = texture(device, first.min(most));
        let edge = texture.width() as i32;
        let allocator = BucketedAtlasAllocator::new(size2(edge, edge));
        Self { texture, view, allocator, entries: HashMap::new(), now: 0, most }
    }

    /// Returns the current texture. Growing replaces it.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Starts the next submission: masks placed from now on belong to it, and earlier masks may be evicted.
    pub fn next_submission(&mut self) {
        self.now += 1;
    }

    /// Returns the position of a mask, uploading it if necessary; `None` if there is no room besides the masks that
    /// this submission uses.
    pub fn place(&mut self, device: &Device, mask: &Arc<GlyphMask>) -> Option<[i32; 2]> {
        let key = Arc::as_ptr(mask) as usize;
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.used = self.now;
            return Some(entry.at);
        }
        let size = [mask.width as i32, (mask.data.len() / mask.width) as i32];
        let allocation = loop {
            if let Some(allocation) = self.allocator.allocate(size2(size[0], size[1])) {
                break allocation;
            }
            if !self.evict() && !self.grow(device) {
                return None;
            }
        };
        let at = [allocation.rectangle.min.x, allocation.rectangle.min.y];
        self.entries.insert(key, Entry { mask: Arc::clone(mask), id: allocation.id, at, used: self.now });
        self.upload(device, mask, at);
        Some(at)
    }

    fn upload(&self, device: &Device, mask: &GlyphMask, at: [i32; 2]) {
        let (width, height) = (mask.width as u32, (mask.data.len() / mask.width) as u32);
        device.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x: at[0] as u32, y: at[1] as u32, z: 0 },
                aspect: wgpu::TextureAspect::All,
            },
            &mask.data,
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width), rows_per_image: None },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }

    /// Evicts the older half of the masks that only earlier submissions used; returns false if there are none, or so
    /// few that growing is better. Overwriting an evicted mask is safe: writes wait for the submissions before them.
    fn evict(&mut self) -> bool {
        let mut old: Vec<(u64, usize)> =
            self.entries.iter().filter(|(_, e)| e.used < self.now).map(|(key, e)| (e.used, *key)).collect();
        if old.is_empty() || (self.texture.width() < self.most && old.len() * 4 < self.entries.len()) {
            return false;
        }
        old.sort_unstable();
        for (_, key) in &old[..old.len().div_ceil(2)] {
            if let Some(entry) = self.entries.remove(key) {
                self.allocator.deallocate(entry.id);
            }
        }
        true
    }

    /// Doubles the edge, and returns false if it is at its limit. Masks keep their positions.
    fn grow(&mut self, device: &Device) -> bool {
        let edge = (self.texture.width() * 2).min(self.most);
        if edge == self.texture.width() {
            return false;
        }
        (self.texture, self.view) = texture(device, edge);
        self.allocator.grow(size2(edge as i32, edge as i32));
        for entry in self.entries.values() {
            self.upload(device, &entry.mask, entry.at);
        }
        true
    }
}

fn texture(device: &Device, edge: u32) -> (wgpu::Texture, wgpu::TextureView) {
    let texture = device.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    (texture, view)
}
