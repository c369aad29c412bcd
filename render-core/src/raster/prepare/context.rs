//! What preparing a page needs besides its scene: the canvas, the fonts, caches and buffers.

use std::cell::RefCell;

use super::budget::Ledger;
use super::scratch::Scratch;
use super::tables::Tables;
use crate::raster::glyphs::{GlyphCache, OutlineCache};
use crate::raster::pixels::{PixelBox, whole};
use crate::scene::{Affine, Canvas, Layer};
use crate::text::Fonts;

/// Pixel coordinates of shapes are held within this; sums of two stay exact to a hundredth.
pub(super) const REACH: f32 = 1e5;

/// What is kept from page to page, shared by all threads.
#[derive(Default)]
pub(in crate::raster) struct Caches {
    pub(super) glyphs: GlyphCache,
    pub(super) outlines: OutlineCache,
    pub(super) tables: Tables,
}

/// Buffers for preparing a page. Reused from page to page.
#[derive(Default)]
pub(in crate::raster) struct Workspace {
    pub(super) ledger: Ledger,
    pub(super) scratch: RefCell<Scratch>,
}

impl Workspace {
    /// Forgets the page before, which may have been abandoned.
    pub(super) fn clear(&self) {
        self.ledger.clear();
        self.scratch.borrow_mut().shapes.clear();
    }
}

/// What preparing a page needs besides its scene.
pub(in crate::raster) struct Context<'a> {
    /// The pixels drawn on. Its scale is the scene's.
    pub(super) canvas: Canvas,
    /// Where the scene's origin lies on the canvas, in pixels: right and down as far as the margin goes that blurs need.
    pub(super) margin: i32,
    /// The longer edge of the canvas without margin, in pixels.
    pub(super) edge: i32,
    /// The pixels of the canvas that can be seen in the end.
    pub(super) seen: PixelBox,
    pub(super) workspace: &'a Workspace,
    pub(super) fonts: &'a Fonts,
    pub(super) caches: &'a Caches,
}

impl<'a> Context<'a> {
    /// The context for a page that is drawn on `canvas`.
    pub fn new(canvas: Canvas, fonts: &'a Fonts, caches: &'a Caches, workspace: &'a Workspace) -> Self {
        let edge = canvas.width.max(canvas.height) as i32;
        Self { canvas, margin: 0, edge, seen: whole([canvas.width, canvas.height]), workspace, fonts, caches }
    }

    /// The context for the layers `within` another, of which only `seen` can be seen.
    pub(super) fn with(&self, canvas: Canvas, margin: i32, within: &[Layer], seen: PixelBox) -> Self {
        // A backdrop takes in what lies beside what is seen.
        let alone = !within.iter().any(|layer| layer.backdrop_blur > 0.0);
        let seen = if alone { seen } else { whole([canvas.width, canvas.height]) };
        Self { canvas, margin, seen, ..*self }
    }

    /// From an item's space to pixels.
    pub(super) fn to_px(&self, transform: &Affine) -> Affine {
        let margin = self.margin as f32;
        Affine::translate(margin, margin).after(&Affine::scale(self.canvas.scale)).after(transform)
    }

    /// The whole pixels around a box in pixels, on the canvas; `None` where there are none.
    pub(super) fn pixels(&self, x0: f32, y0: f32, x1: f32, y1: f32) -> Option<PixelBox> {
        let (w, h) = (self.canvas.width as f32, self.canvas.height as f32);
        let px = [x0.floor().clamp(0.0, w), y0.floor().clamp(0.0, h), x1.ceil().clamp(0.0, w), y1.ceil().clamp(0.0, h)];
        (px[0] < px[2] && px[1] < px[3]).then(|| px.map(|v| v as i32))
    }
}
