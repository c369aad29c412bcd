//! What a page may take: lines, tables and blurs are counted while it is prepared, before anything is drawn.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use crate::limits::{BLUR_TEXELS, FRAME_LINES, FRAME_TABLE_BYTES};
use crate::raster::RasterError;
use crate::raster::blur::BlurPlan;
use crate::raster::frame::{Blurred, Draw, Frame, Ink, Mask, Step};
use crate::raster::pixels::{PixelBox, whole};
use crate::raster::shape::Shape;

/// What a page holds so far, its blurred layers' frames included.
#[derive(Default)]
pub(super) struct Ledger {
    /// Where the tables lie that are counted. The frame holds them, so no other takes the place of one.
    tables: RefCell<HashSet<usize>>,
    bytes: Cell<usize>,
    lines: Cell<usize>,
}

impl Ledger {
    /// Begins anew.
    pub fn clear(&self) {
        self.tables.borrow_mut().clear();
        self.bytes.set(0);
        self.lines.set(0);
    }

    /// How many more lines there may be.
    pub fn lines_left(&self) -> usize {
        FRAME_LINES - self.lines.get()
    }

    /// Counts lines, no more than are left.
    pub fn add_lines(&self, count: usize) {
        self.lines.set((self.lines.get() + count).min(FRAME_LINES));
    }

    /// Counts what a draw that the frame holds is made from.
    pub fn add_draw(&self, Draw { shape, paint, .. }: &Draw) {
        self.add_shape(shape);
        match paint {
            Ink::Solid { .. } => {}
            Ink::Gradient(gradient) => {
                self.add_table(&gradient.table, gradient.table.bytes());
                if let Some(bands) = &gradient.bands {
                    self.add_table(bands, size_of_val(&**bands));
                }
            }
            Ink::Mesh(mesh) => self.add_table(&mesh.table, size_of_val(&*mesh.table.colors)),
            Ink::Picture(ink) => self.add_table(&ink.picture, ink.picture.rgba.len()),
        }
    }

    /// Counts what a coverage that the frame holds is made from.
    pub fn add_mask(&self, Mask { shape, .. }: &Mask) {
        self.add_shape(shape);
    }

    fn add_shape(&self, shape: &Shape) {
        match shape {
            Shape::Shadow { shadow, .. } => self.add_table(shadow, size_of_val(&*shadow.table)),
            Shape::Glyph { mask, .. } => self.add_table(mask, mask.data.len()),
            Shape::Round { .. } | Shape::Ellipse { .. } | Shape::Path { .. } => {}
        }
    }

    fn add_table<T>(&self, table: &Arc<T>, bytes: usize) {
        if self.tables.borrow_mut().insert(Arc::as_ptr(table) as usize) {
            self.bytes.set(self.bytes.get() + bytes);
        }
    }

    /// Whether everything counted is within the limits.
    ///
    /// # Errors
    /// [`RasterError::TooManyLines`] or [`RasterError::TablesTooLarge`].
    pub fn check(&self) -> Result<(), RasterError> {
        if self.lines.get() >= FRAME_LINES {
            return Err(RasterError::TooManyLines);
        }
        let bytes = self.bytes.get();
        if bytes > FRAME_TABLE_BYTES { Err(RasterError::TablesTooLarge(bytes)) } else { Ok(()) }
    }
}

/// Whether a frame's blurs, on a canvas of this width and height, are within the limits.
///
/// # Errors
/// [`RasterError::BlursTooLarge`].
pub(super) fn check_blurs(frame: &Frame, size: [u32; 2]) -> Result<(), RasterError> {
    let most = Texels::of(frame, size).most;
    if most > BLUR_TEXELS { Err(RasterError::BlursTooLarge(most)) } else { Ok(()) }
}

/// Texels that a frame's blurs hold.
#[derive(Default)]
struct Texels {
    /// While the frame is drawn.
    kept: u64,
    /// At most, while they are made.
    most: u64,
}

impl Texels {
    fn of(frame: &Frame, size: [u32; 2]) -> Self {
        let mut texels = Self::default();
        for step in &frame.steps {
            match step {
                Step::Blurred(blurred) => {
                    let Blurred { frame, size, origin, sigma, source, px } = &**blurred;
                    texels.add(*sigma, *source, *px, origin.map(|v| -v), Self::of(frame, *size));
                }
                Step::Begin(group) if group.backdrop_blur > 0.0 => {
                    let source = BlurPlan::new(group.backdrop_blur).source(group.px, whole(size));
                    texels.add(group.backdrop_blur, source, group.px, [0; 2], Self::default());
                }
                Step::Begin(_) | Step::Draw(_) | Step::End => {}
            }
        }
        texels
    }

    /// One more blur, of the pixels `source`, on which `inner` ones are drawn, to `px`, which lie `shift` from there.
    fn add(&mut self, sigma: f32, source: PixelBox, px: PixelBox, shift: [i32; 2], inner: Self) {
        let plan = BlurPlan::new(sigma);
        let f = plan.factor as i32;
        let extent = |from: i32, to: i32| u64::from((to - from).unsigned_abs());
        let [left, top, right, bottom] = source.map(|v| v / f);
        let rows = extent(top, bottom) + 1;
        let drawn = (extent(left, right) + 1) * rows;
        let wanted = plan.wanted(px, shift);
        let width = extent(wanted[0], wanted[2]);
        let (across, both) = (width * rows, width * extent(wanted[1], wanted[3]));
        // One after the other: those drawn, those blurred across too, those blurred both ways.
        let making = inner.most.max(inner.kept + drawn).max(drawn + across).max(across + both);
        self.most = self.most.max(self.kept + making);
        self.kept += both;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_count_once_and_end_at_the_limit() {
        let ledger = Ledger::default();
        let (a, b) = (Arc::new(1), Arc::new(2));
        for _ in 0..3 {
            ledger.add_table(&a, FRAME_TABLE_BYTES);
            assert_eq!(ledger.check(), Ok(()));
        }
        ledger.add_table(&b, 1);
        assert_eq!(ledger.check(), Err(RasterError::TablesTooLarge(FRAME_TABLE_BYTES + 1)));
    }

    #[test]
    fn lines_end_at_the_limit() {
        let ledger = Ledger::default();
        ledger.add_lines(FRAME_LINES - 1);
        assert_eq!((ledger.lines_left(), ledger.check()), (1, Ok(())));
        ledger.add_lines(1);
        assert_eq!((ledger.lines_left(), ledger.check()), (0, Err(RasterError::TooManyLines)));
    }
}
