//! Resource limits of a page: lines, tables and blurs are counted during preparation, before anything is drawn.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use crate::limits::{BLUR_TEXELS, FRAME_LINES, FRAME_TABLE_BYTES};
use crate::raster::RasterError;
use crate::raster::blur::BlurPlan;
use crate::raster::frame::{Blurred, Draw, Frame, Ink, Mask, Step};
use crate::raster::pixels::{PixelBox, whole};
use crate::raster::shape::Shape;

/// The resources that a page holds so far, including the frames of its blurred layers.
#[derive(Default)]
pub(super) struct Ledger {
    /// Addresses of the counted tables. The frame holds the tables, so no address is reused.
    tables: RefCell<HashSet<usize>>,
    bytes: Cell<usize>,
    lines: Cell<usize>,
}

impl Ledger {
    /// Resets all counts.
    pub fn clear(&self) {
        self.tables.borrow_mut().clear();
        self.bytes.set(0);
        self.lines.set(0);
    }

    /// Returns how many more lines are allowed.
    pub fn lines_left(&self) -> usize {
        FRAME_LINES - self.lines.get()
    }

    /// Adds to the number of lines, up to the limit.
    pub fn add_lines(&self, count: usize) {
        self.lines.set((self.lines.get() + count).min(FRAME_LINES));
    }

    /// Counts the tables of a draw that the frame holds.
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

    /// Counts the tables of a mask that the frame holds.
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

    /// Checks all counts against the limits.
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

/// Checks a frame's blurs, on a canvas of this width and height, against the limit.
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
    /// Texels held while the frame is drawn.
    kept: u64,
    /// Peak number of texels while the blurs are made.
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

    /// Adds a blur of the pixels `source`, in which the blurs `inner` are drawn, to the pixels `px`, which are offset
    /// by `shift`.
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
        // The stages of a blur: the drawn texels, then also those blurred horizontally, then those blurred in both
        // directions.
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
