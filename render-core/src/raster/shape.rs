//! Coverages in pixel space, the input of both rasterisers.

use std::ops::Range;
use std::sync::Arc;

use super::glyphs::GlyphMask;
use super::map::Map;
use super::shadow::Shadow;
use crate::scene::FillRule;

/// A coverage in pixels.
pub(super) enum Shape {
    /// `outer` minus `inner`.
    Round { outer: RoundRect, inner: Option<RoundRect> },
    /// `outer` minus `inner`.
    Ellipse { outer: Ellipse, inner: Option<Ellipse> },
    /// A shadow and the map from pixels to its frame.
    Shadow { shadow: Arc<Shadow>, map: Map },
    /// The area that these lines of the frame enclose.
    Path { lines: Range<usize>, rule: FillRule },
    /// A mask with its top left corner.
    Glyph { mask: Arc<GlyphMask>, x: i32, y: i32 },
}

/// An upright box with a radius for each corner, clockwise from the top left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RoundRect {
    pub x0: f32,
    pub y0: f32,
    pub x1: f32,
    pub y1: f32,
    pub radii: [f32; 4],
}

impl RoundRect {
    /// Returns each corner's centre, radius and side (−1 for left or top).
    pub fn corners(&self) -> [([f32; 2], f32, [f32; 2]); 4] {
        let [a, b, c, d] = self.radii;
        [
            ([self.x0 + a, self.y0 + a], a, [-1.0, -1.0]),
            ([self.x1 - b, self.y0 + b], b, [1.0, -1.0]),
            ([self.x1 - c, self.y1 - c], c, [1.0, 1.0]),
            ([self.x0 + d, self.y1 - d], d, [-1.0, 1.0]),
        ]
    }
}

/// An ellipse, as the map that takes it to the unit circle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ellipse(pub Map);
