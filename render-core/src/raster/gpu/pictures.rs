//! Pictures on the device, uploaded once.

use std::sync::Arc;

use parking_lot::Mutex;

use super::device::{Device, declined};
use crate::limits::GPU_PICTURE_BYTES;
use crate::raster::RasterError;
use crate::raster::picture::Picture;

/// The most recently used pictures, the latest at the end. Limited to [`GPU_PICTURE_BYTES`], but the latest always
/// stays.
#[derive(Default)]
pub(super) struct Pictures(Mutex<Vec<(Arc<Picture>, wgpu::TextureView)>>);

impl Pictures {
    /// Returns the texture of a picture.
    ///
    /// # Errors
    /// If an edge is longer than the device's textures can be.
    pub fn get(&self, device: &Device, picture: &Arc<Picture>) -> Result<wgpu::TextureView, RasterError> {
        let lock = || self.0.lock();
        {
            let mut known = lock();
            if let Some(i) = known.iter().position(|(p, _)| Arc::ptr_eq(p, picture)) {
                let found = known.remove(i);
                let view = found.1.clone();
                known.push(found);
                return Ok(view);
            }
        }
        // Uploads outside the lock; two pages may upload the same picture.
        let view = upload(device, picture)?;
        let mut known = lock();
        known.push((Arc::clone(picture), view.clone()));
        let mut bytes: usize = known.iter().map(|(p, _)| p.rgba.len()).sum();
        while bytes > GPU_PICTURE_BYTES && known.len() > 1 {
            // Pages that draw an evicted picture hold it until they are done.
            bytes -= known.remove(0).0.rgba.len();
        }
        Ok(view)
    }
}

fn upload(device: &Device, picture: &Picture) -> Result<wgpu::TextureView, RasterError> {
    let Picture { width, height, .. } = *picture;
    let edge = device.device.limits().max_texture_dimension_2d;
    if width.max(height) > edge {
        return Err(declined(format!("a picture of {width}×{height} texels exceeds its texture limit of {edge}")));
    }
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = device.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    device.queue.write_texture(
        texture.as_image_copy(),
        &picture.rgba,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None },
        size,
    );
    Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}
