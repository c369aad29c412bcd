//! Procedural patterns: the value of every point, by the same formula for every rasteriser.

use crate::scene::Pattern;

/// A pattern and what its formula needs besides the point, which is in the item's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PatternField {
    pub pattern: Pattern,
    pub seed: u32,
    /// Pixels per unit of the item's space, for edges.
    pub scale: f32,
}
