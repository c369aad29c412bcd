//! Pictures within a scene.

use std::sync::{Arc, Weak};

use crate::limits::{IMAGE_EDGE_PX, IMAGE_PIXELS};

/// A decoded picture; clones share its pixels.
#[derive(Clone, PartialEq, Eq)]
pub struct Image(Arc<Pixels>);

#[derive(PartialEq, Eq)]
struct Pixels {
    width: u32,
    height: u32,
    id: u64,
    rgba: Box<[u8]>,
}

/// Why pixels don't make a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// No pixels, an edge above [`IMAGE_EDGE_PX`] or more than [`IMAGE_PIXELS`] in total.
    #[error("an image of {width}×{height} pixels is outside the limits")]
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The data are not `width × height × 4` bytes.
    #[error("{bytes} bytes don't make an image of {width}×{height} pixels")]
    Bytes {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Length of the data.
        bytes: usize,
    },
}

impl Image {
    /// Creates an image from rows, from top to bottom, of four bytes per pixel: encoded sRGB, not premultiplied, and
    /// alpha.
    ///
    /// # Errors
    /// [`ImageError`] if the size is outside the limits, or doesn't match the number of bytes.
    pub fn new(width: u32, height: u32, rgba: impl Into<Box<[u8]>>) -> Result<Self, ImageError> {
        let rgba = rgba.into();
        let edges = 1..=IMAGE_EDGE_PX;
        let pixels = width as usize * height as usize;
        if !edges.contains(&width) || !edges.contains(&height) || pixels > IMAGE_PIXELS {
            return Err(ImageError::Size { width, height });
        }
        if rgba.len() != pixels * 4 {
            return Err(ImageError::Bytes { width, height, bytes: rgba.len() });
        }
        let id = fingerprint(width, &rgba);
        Ok(Self(Arc::new(Pixels { width, height, id, rgba })))
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.0.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        self.0.height
    }

    /// Returns the pixels as passed to [`Image::new`].
    pub fn rgba(&self) -> &[u8] {
        &self.0.rgba
    }

    /// Returns a hash of the content: equal for equal pictures, and rarely equal for others. Not collision-resistant.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Returns a mark of the image that doesn't keep its pixels alive.
    pub(crate) fn mark(&self) -> ImageMark {
        ImageMark(Arc::downgrade(&self.0))
    }
}

/// Identifies a picture as long as the picture is alive.
pub(crate) struct ImageMark(Weak<Pixels>);

impl ImageMark {
    /// Returns whether the mark was made from this picture, or from one with the same content.
    pub fn is(&self, image: &Image) -> bool {
        // Arcs of one allocation compare equal without comparing their content.
        self.0.upgrade().is_some_and(|pixels| pixels == image.0)
    }

    /// Returns whether the picture is still alive.
    pub fn lives(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({}×{} {:016x})", self.0.width, self.0.height, self.0.id)
    }
}

/// Computes FNV-1a over words of eight bytes.
fn fingerprint(width: u32, bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(29);
    let words = bytes.chunks_exact(8);
    let rest = words.remainder().iter().fold(0_u64, |rest, b| rest << 8 | u64::from(*b));
    let start = mix(0xcbf2_9ce4_8422_2325, u64::from(width));
    let hash = words.fold(start, |hash, word| mix(hash, u64::from_le_bytes(word.try_into().unwrap_or_default())));
    mix(mix(hash, rest), bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_needs_all_its_bytes_and_a_size_within_the_limits() {
        assert_eq!(Image::new(2, 2, vec![0; 15]), Err(ImageError::Bytes { width: 2, height: 2, bytes: 15 }));
        assert_eq!(Image::new(0, 2, vec![]), Err(ImageError::Size { width: 0, height: 2 }));
        assert!(matches!(Image::new(IMAGE_EDGE_PX + 1, 1, vec![]), Err(ImageError::Size { .. })));
        assert!(matches!(Image::new(IMAGE_EDGE_PX, IMAGE_EDGE_PX, vec![]), Err(ImageError::Size { .. })));
        let image = Image::new(1, 2, vec![7; 8]).unwrap();
        assert_eq!((image.width(), image.height(), image.rgba()), (1, 2, &[7; 8][..]));
    }

    #[test]
    fn the_id_tells_pictures_apart() {
        let of = |w: u32, h: u32, bytes: Vec<u8>| Image::new(w, h, bytes).unwrap().id();
        let base: Vec<u8> = (0..24).collect();
        let mut other = base.clone();
        other[23] ^= 1;
        assert_eq!(of(2, 3, base.clone()), of(2, 3, base.clone()));
        assert_ne!(of(2, 3, base.clone()), of(2, 3, other));
        assert_ne!(of(2, 3, base.clone()), of(3, 2, base));
    }
}
