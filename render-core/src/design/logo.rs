//! Logos, and the keys of stored files.

use crate::scene::{Color, Image};

/// The key of a stored file: the SHA-256 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileKey(pub [u8; 32]);

/// A logo: a stored PNG with alpha, without transparent borders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The key of the PNG.
    pub key: FileKey,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The decoded picture, once loaded. Only drawing needs it. It is not part of the stored form.
    pub pixels: Option<Image>,
}

/// Approximate number of pixels that are sampled for a logo's tone.
const SAMPLES: usize = 4_096;

impl Logo {
    /// Returns the mean colour of its visible pixels; `None` if pixels are not loaded, or if none is visible.
    pub fn tone(&self) -> Option<Color> {
        let rgba = self.pixels.as_ref()?.rgba();
        let (mut sum, mut weight) = ([0.0_f64; 3], 0.0_f64);
        // Pages are laid out many times, so a large logo is sampled. The step is odd, so that it doesn't stay in one
        // column.
        let step = (rgba.len() / 4 / SAMPLES).max(1) | 1;
        for p in rgba.chunks_exact(4).step_by(step) {
            let alpha = f64::from(p[3]) / 255.0;
            for (s, v) in sum.iter_mut().zip(p) {
                *s += alpha * f64::from(*v);
            }
            weight += alpha;
        }
        let mean = |v: f64| (v / weight).round() as u8;
        (weight > 0.0).then(|| Color::rgb8(mean(sum[0]), mean(sum[1]), mean(sum[2])))
    }
}

impl FileKey {
    /// Returns the key as 64 lower-case hexadecimal digits.
    pub(super) fn to_hex(self) -> String {
        self.0.iter().flat_map(|b| [b >> 4, b & 15]).filter_map(|d| char::from_digit(u32::from(d), 16)).collect()
    }

    /// Parses a key of 64 hexadecimal digits.
    pub(super) fn from_hex(hex: &str) -> Option<Self> {
        let digits = hex.as_bytes();
        let digit = |d: u8| char::from(d).to_digit(16).and_then(|d| u8::try_from(d).ok());
        let mut key = [0; 32];
        if digits.len() != 64 {
            return None;
        }
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Self(key))
    }
}
