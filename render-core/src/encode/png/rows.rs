//! The rows of a picture, as the compressor reads them.

use crate::encode::deflate::WINDOW;

/// Rows of pixels in memory: three bytes per pixel, without padding.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All rows, one after the other.
    pub data: &'a [u8],
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl<'a> Rows<'a> {
    /// Returns the bytes of a row in memory.
    pub fn row_bytes(self) -> usize {
        self.width * 3
    }

    /// Returns the bytes of a row in the stream, where a filter byte precedes the pixels.
    pub fn stride(self) -> usize {
        self.row_bytes() + 1
    }

    /// Returns row `y`.
    pub fn row(self, y: usize) -> &'a [u8] {
        &self.data[y * self.row_bytes()..][..self.row_bytes()]
    }

    /// Returns whether row `y` equals the one above.
    pub fn repeats(self, y: usize) -> bool {
        y > 0 && self.row(y) == self.row(y - 1)
    }

    /// Returns how many rows back a copy can reach, at least in part.
    pub fn window(self) -> usize {
        WINDOW / self.stride() + 1
    }
}
