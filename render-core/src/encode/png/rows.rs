//! A picture as the rows that are compressed.

use crate::encode::deflate::WINDOW;

/// Rows of pixels as they lie in memory: three bytes a pixel, without padding.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All bytes.
    pub data: &'a [u8],
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl<'a> Rows<'a> {
    /// Bytes of a row.
    pub fn row_bytes(self) -> usize {
        self.width * 3
    }

    /// Bytes of a row in the stream: its filter comes first.
    pub fn stride(self) -> usize {
        self.row_bytes() + 1
    }

    /// Row `y`.
    pub fn row(self, y: usize) -> &'a [u8] {
        &self.data[y * self.row_bytes()..][..self.row_bytes()]
    }

    /// Whether row `y` is the one above again.
    pub fn repeats(self, y: usize) -> bool {
        y > 0 && self.row(y) == self.row(y - 1)
    }

    /// Rows above one that a copy can reach, in part at least.
    pub fn window(self) -> usize {
        WINDOW / self.stride() + 1
    }
}
