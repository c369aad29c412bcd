//! Pictures at about the size they are seen in.

/// Texels: encoded sRGB multiplied by alpha, and alpha, four bytes each, rows top down.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Picture {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Box<[u8]>,
}
