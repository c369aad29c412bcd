//! Grids of units.

use crate::scene::{Rect, Size};

/// A grid of units, some of them counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Units {
    /// The total number.
    pub of: u32,
    /// The number of counted ones, which come first.
    pub counted: u32,
    /// The number in a row.
    pub columns: u32,
    /// Distance of the centres of neighbours, in du.
    pub pitch: f32,
}

/// Gap between two units, relative to their distance.
const GAP: f32 = 0.2;

impl Units {
    /// Returns the grid of `of` units that fills a box best, preferably in full rows.
    pub fn filling(counted: u32, of: u32, size: Size) -> Self {
        let pitch = |columns: u32| (size.w / (columns as f32 - GAP)).min(size.h / (of.div_ceil(columns) as f32 - GAP));
        let worth = |columns: u32| pitch(columns) * if of.is_multiple_of(columns) { 1.0 } else { 0.72 };
        let columns = (1..=of.max(1)).max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(1);
        Self { of, counted: counted.min(of), columns, pitch: pitch(columns) }
    }

    /// Returns the side of a unit.
    pub fn side(&self) -> f32 {
        (1.0 - GAP) * self.pitch
    }

    /// Returns the rectangles of its units, row by row, in a grid with its top left corner at (x, y).
    pub fn rects(&self, x: f32, y: f32) -> impl Iterator<Item = Rect> + '_ {
        (0..self.of).map(move |i| {
            let (column, row) = (i % self.columns.max(1), i / self.columns.max(1));
            Rect::at(x + column as f32 * self.pitch, y + row as f32 * self.pitch, self.side(), self.side())
        })
    }

    /// Returns its width and height.
    pub fn size(&self) -> Size {
        let rows = self.of.div_ceil(self.columns.max(1));
        Size::new((self.columns as f32 - GAP) * self.pitch, (rows as f32 - GAP) * self.pitch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_full_rows_where_they_can() {
        let columns = |of, w, h| Units::filling(1, of, Size::new(w, h)).columns;
        assert_eq!(columns(4, 900.0, 900.0), 2);
        assert_eq!(columns(4, 900.0, 200.0), 4);
        assert_eq!(columns(10, 900.0, 400.0), 5);
        assert_eq!(columns(1, 900.0, 500.0), 1);
        for of in 1..=100 {
            let grid = Units::filling(3, of, Size::new(936.0, 500.0));
            assert!(grid.size().w <= 936.1 && grid.size().h <= 500.1 && grid.counted <= of, "{of}: {grid:?}");
        }
    }

    #[test]
    fn units_fill_the_room_in_full_rows() {
        let columns = |of, w, h| Units::filling(1, of, Size::new(w, h)).columns;
        assert_eq!(columns(100, 900.0, 900.0), 10);
        assert_eq!(columns(100, 900.0, 250.0), 20);
        assert_eq!(columns(100, 500.0, 1400.0), 5);
    }
}
