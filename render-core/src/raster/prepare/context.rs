//! The inputs of page preparation besides the scene: canvas, fonts, caches and buffers.

use std::cell::RefCell;

use super::budget::Ledger;
use super::scratch::Scratch;
use super::tables::Tables;
use crate::raster::glyphs::{GlyphCache, OutlineCache};
use crate::raster::pixels::{PixelBox, whole};
use crate::scene::{Affine, Canvas, Layer};
use crate::text::Fonts;

/// Pixel coordinates of shapes are clamped to this, where the sum of two is still exact to a hundredth.
pub(super) const REACH: f32 = 1e5;

/// Caches that persist between pages and are shared by all threads.
#[derive(Default)]
pub(in crate::raster) struct Caches {
    pub(super) glyphs: GlyphCache,
    pub(super) outlines: OutlineCache,
    pub(super) tables: Tables,
}

/// Buffers for preparing a page. Reused for every page.
#[derive(Default)]
pub(in crate::raster) struct Workspace {
    pub(super) ledger: Ledger,
    pub(super) scratch: RefCell<Scratch>,
}

impl Workspace {
    /// Clears what the previous page left, which may have been abandoned.
    pub(super) fn clear(&self) {
        self.ledger.clear();
        self.scratch.borrow_mut().shapes.clear();
    }
}

/// The inputs of page preparation besides the scene.
pub(in crate::raster) struct Context<'a> {
    /// The canvas to draw on; its scale is that of the scene.
    pub(super) canvas: Canvas,
    /// Position of the scene's origin on the canvas, in pixels right and down: the margin that blurs need.
    pub(super) margin: i32,
    /// The longer edge of the canvas without the margin, in pixels.
    pub(super) edge: i32,
    /// The pixels of the canvas that are visible in the finished page.
    pub(super) seen: PixelBox,
    pub(super) workspace: &'a Workspace,
    pub(super) fonts: &'a Fonts,
    pub(super) caches: &'a Caches,
}

impl<'a> Context<'a> {
    /// Returns the context for a page on `canvas`.
    pub fn new(canvas: Canvas, fonts: &'a Fonts, caches: &'a Caches, workspace: &'a Workspace) -> Self {
        let edge = canvas.width.max(canvas.height) as i32;
        Self { canvas, margin: 0, edge, seen: whole([canvas.width, canvas.height]), workspace, fonts, caches }
    }

    /// Returns the context for the layers `within` another layer, of which only `seen` is visible.
    pub(super) fn with(&self, canvas: Canvas, margin: i32, within: &[Layer], seen: PixelBox) -> Self {
        // A backdrop blur also reads pixels beside the visible ones.
        let alone = !within.iter().any(|layer| layer.backdrop_blur > 0.0);
        let seen = if alone { seen } else { whole([canvas.width, canvas.height]) };
        Self { canvas, margin, seen, ..*self }
    }

    /// Returns the transform from an item's space to pixels.
    pub(super) fn to_px(&self, transform: &Affine) -> Affine {
        let margin = self.margin as f32;
        Affine::translate(margin, margin).after(&Affine::scale(self.canvas.scale)).after(transform)
    }

    /// Returns the whole pixels of the canvas around a box in pixels; `None` if there are none.
    pub(super) fn pixels(&self, x0: f32, y0: f32, x1: f32, y1: f32) -> Option<PixelBox> {
        let (w, h) = (self.canvas.width as f32, self.canvas.height as f32);
        let px = [x0.floor().clamp(0.0, w), y0.floor().clamp(0.0, h), x1.ceil().clamp(0.0, w), y1.ceil().clamp(0.0, h)];
        (px[0] < px[2] && px[1] < px[3]).then(|| px.map(|v| v as i32))
    }
}
