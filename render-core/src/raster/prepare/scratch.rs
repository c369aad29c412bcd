//! Buffers for preparing the coverage of an item.

use crate::raster::flatten::Lines;
use crate::raster::frame::Mask;
use crate::raster::outline::Widening;
use crate::raster::pixels::PixelBox;
use crate::raster::shape::Shape;
use crate::scene::BezPath;

/// Buffers for preparing an item. Reused for every item.
#[derive(Default)]
pub(super) struct Scratch {
    /// The shapes of the item's coverage.
    pub shapes: Vec<Mask>,
    pub path: BezPath,
    pub widening: Widening,
}

/// The destination for the shapes and lines of a coverage.
pub(super) struct Out<'a> {
    pub scratch: &'a mut Scratch,
    pub lines: &'a mut Lines,
}

impl Out<'_> {
    /// Adds a shape that lies within these pixels.
    pub fn add(&mut self, px: PixelBox, shape: Shape) {
        self.scratch.shapes.push(Mask { px, shape });
    }
}
