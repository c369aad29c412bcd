//! Scratch buffers for blurs.

use super::arena::buffer;
use super::device::{Device, declined};
use super::segment::Op;
use crate::raster::RasterError;

/// Bytes of a texel.
const TEXEL: u64 = 16;

/// Two buffers of texels. A blur ends in the first one, and the next blur begins after that has been drawn.
#[derive(Default)]
pub(super) struct Scratch {
    pub texels: [Option<wgpu::Buffer>; 2],
}

impl Scratch {
    /// Makes the buffers large enough for the blurs among some operations.
    ///
    /// # Errors
    /// If a blur is larger than the device's buffers can be.
    pub fn make_room(&mut self, device: &Device, ops: &[Op]) -> Result<(), RasterError> {
        let mut most = [0; 2];
        for op in ops {
            let Op::Blur(blurring) = op else { continue };
            let [reduced, across, down] =
                blurring.sizes.map(|[width, height]| u64::from(width) * u64::from(height) * TEXEL);
            most = [reduced.max(down).max(most[0]), across.max(most[1])];
        }
        let limits = device.device.limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        for (texels, bytes) in self.texels.iter_mut().zip(most) {
            if bytes > limit {
                return Err(declined(format!("a blur of {bytes} bytes exceeds its buffer limit")));
            }
            if bytes > 0 && texels.as_ref().is_none_or(|b| b.size() < bytes) {
                *texels = Some(buffer(device, bytes, wgpu::BufferUsages::STORAGE));
            }
        }
        Ok(())
    }
}
