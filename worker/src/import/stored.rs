//! The common result of all decoders, and the limits that they share.

use render_core::limits::{PICTURE_EDGE_PX, PICTURE_PIXELS};

use super::colour::{Samples, Space};
use super::orientation::Orientation;
use super::pixels::Pixels;

/// A picture as its file holds it.
pub(super) struct Stored {
    pub width: u32,
    pub height: u32,
    pub samples: Samples,
    /// Whether red, green and blue are equal because the file has one colour channel.
    pub is_grey: bool,
    pub space: Space,
    pub orientation: Orientation,
}

impl Stored {
    /// Returns an 8-bit sRGB picture in the default orientation.
    pub fn plain(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        let samples = Samples::Eight(rgba);
        Self { width, height, samples, is_grey: false, space: Space::Srgb, orientation: Orientation::default() }
    }

    /// Returns the picture upright and in sRGB.
    pub fn seen(self) -> Result<Pixels, String> {
        let rgba = self.space.to_srgb(self.samples, self.is_grey);
        if rgba.len() != self.width as usize * self.height as usize * 4 {
            return Err("it holds fewer pixels than its size says".to_owned());
        }
        Ok(self.orientation.upright(Pixels { width: self.width, height: self.height, rgba }))
    }
}

/// Returns the message for a file that a decoder refuses.
pub(super) fn broken(what: &str, why: impl std::fmt::Display) -> String {
    // Some decoders write several lines.
    let why = why.to_string();
    format!("this {what} can't be read: {}", why.lines().next().unwrap_or_default().trim_end_matches('.'))
}

/// Returns the bytes of a picture of this size, at four per pixel.
///
/// # Errors
/// The picture exceeds the limits.
pub(super) fn size(width: u32, height: u32) -> Result<usize, String> {
    let pixels = width as usize * height as usize;
    let edges = 1..=PICTURE_EDGE_PX;
    if edges.contains(&width) && edges.contains(&height) && pixels <= PICTURE_PIXELS {
        return Ok(pixels * 4);
    }
    Err(format!(
        "it is {width} × {height} pixels; at most {PICTURE_EDGE_PX} on an edge and {} million in all are read",
        PICTURE_PIXELS / 1_000_000
    ))
}

/// Expands pixels of one (grey), two (grey, alpha), three or four channels to four. `opaque` is the alpha of pixels
/// that have none.
pub(super) fn four_channels<V: Copy>(data: Vec<V>, channels: usize, opaque: V) -> Vec<V> {
    match channels {
        1 => data.into_iter().flat_map(|g| [g, g, g, opaque]).collect(),
        2 => data.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        3 => data.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], opaque]).collect(),
        _ => data,
    }
}
