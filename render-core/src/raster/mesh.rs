//! Mesh gradients as tables: interpolated once in OKLab, pixels look the result up.

/// Colours on a grid, to be interpolated bilinearly.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeshTable {
    /// Entries across.
    pub width: u32,
    /// Entries down.
    pub height: u32,
    /// Encoded sRGB multiplied by alpha, and alpha; rows top down.
    pub colors: Box<[[f32; 4]]>,
}
