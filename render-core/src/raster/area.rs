//! Exact coverage of a path: each line adds the signed area to its right, and a running sum along the row turns areas
//! into winding × coverage (the method of LibArt and font-rs).
//!
//! Where parts of a path overlap, the sum exceeds one. Clamping it gives the non-zero rule, folding it back gives the
//! even-odd rule. Both are exact unless windings cancel within one pixel.

use super::flatten::{Line, PathLines};
use super::rows::{CELL, Row, Touch, integrate, winding_coverage};
use crate::scene::FillRule;

/// The areas of one path in one band of rows. Reused for every path.
#[derive(Default)]
pub(super) struct AreaBand {
    /// `rows × stride`, zero between uses.
    area: Vec<f32>,
    rule: FillRule,
    stride: usize,
    first_cell: usize,
    /// Which cells hold a non-zero area.
    touched: Vec<bool>,
    /// The running sum of each row.
    carry: Vec<f32>,
}

impl AreaBand {
    /// Accumulates `lines`, filled by `rule`, over the rows `y0..y1` (canvas pixels) and the cells `c0..c1`.
    pub fn fill(&mut self, lines: PathLines<'_>, rule: FillRule, y0: usize, y1: usize, c0: usize, c1: usize) {
        let rows = y1 - y0;
        self.rule = rule;
        // A line in the last pixel adds area to its right, which needs one more column.
        self.stride = (c1 - c0) * CELL + 2;
        self.first_cell = c0;
        self.area.clear();
        self.area.resize(rows * self.stride, 0.0);
        self.touched.clear();
        self.touched.resize(c1 - c0 + 1, false);
        self.carry.clear();
        self.carry.resize(rows, 0.0);
        let origin = (c0 * CELL) as f32;
        lines.within(y0 as f32, y1 as f32, |line| self.line(line, y0, y1, origin));
    }

    fn line(&mut self, line: &Line, y0: usize, y1: usize, origin: f32) {
        let slope = (line.x1 - line.x0) / (line.y1 - line.y0);
        let (low, high) = (line.x0.min(line.x1), line.x0.max(line.x1));
        // Measures every row from the line's own ends, so that the division into bands has no effect on the result.
        let x_at = |y: f32| (line.x0 + (y - line.y0) * slope).clamp(low, high) - origin;
        let last_column = self.stride - 2;
        let first = (line.y0 as usize).max(y0);
        let last = (line.y1.ceil() as usize).min(y1);
        for y in first..last {
            let (from, to) = (line.y0.max(y as f32), line.y1.min((y + 1) as f32));
            let height = to - from;
            if height <= 0.0 {
                continue;
            }
            let (p, q) = (x_at(from), x_at(to));
            let (xl, xr) = (p.min(q).max(0.0), p.max(q).max(0.0));
            let (jl, jr) = ((xl as usize).min(last_column), (xr as usize).min(last_column));
            let row = &mut self.area[(y - y0) * self.stride..][..self.stride];
            let signed = height * line.winding;
            if jl == jr {
                let right = (jl + 1) as f32 - (xl + xr) / 2.0;
                row[jl] += signed * right;
                row[jl + 1] += signed * (1.0 - right);
            } else {
                // ∫ max(t − x, 0) over the segment's x, evaluated at pixel edges. The differences are the areas right
                // of the line within each pixel.
                let over_twice_width = 0.5 / (xr - xl);
                let upto = |t: f32| if t >= xr { t - (xl + xr) / 2.0 } else { (t - xl) * (t - xl) * over_twice_width };
                let (mut reached, mut before) = (0.0, 0.0);
                for (j, out) in row.iter_mut().enumerate().take(jr + 1).skip(jl) {
                    let next = upto((j + 1) as f32);
                    let right = next - reached;
                    *out += signed * (right - before);
                    (reached, before) = (next, right);
                }
                row[jr + 1] += signed * (1.0 - before);
            }
            for touched in &mut self.touched[jl / CELL..=(jr + 1) / CELL] {
                *touched = true;
            }
        }
    }

    /// Skips the next cell. Cells are visited from left to right.
    pub fn pass(&mut self, cell: usize) {
        let cell = cell - self.first_cell;
        if self.touched[cell] {
            for (y, sum) in self.carry.iter_mut().enumerate() {
                let start = y * self.stride + cell * CELL;
                // Adds one area after the other, in the same order as `integrate`, so that the sums are equal.
                *sum = self.area[start..start + CELL].iter().fold(*sum, |sum, a| sum + a);
            }
        }
    }

    /// Computes the coverage of the next cell, from left to right; writes rows `0..` of `cov` only for [`Touch::Some`].
    pub fn coverage(&mut self, cell: usize, cov: &mut [Row]) -> Touch {
        let cell = cell - self.first_cell;
        if self.touched[cell] {
            for (y, (sum, cov)) in self.carry.iter_mut().zip(cov).enumerate() {
                let start = y * self.stride + cell * CELL;
                integrate(sum, &self.area[start..start + CELL], self.rule, cov);
            }
            return Touch::Some;
        }
        let flat = |y: f32| self.carry.iter().all(|&sum| winding_coverage(sum, self.rule) == y);
        if flat(0.0) {
            return Touch::None;
        }
        if flat(1.0) {
            return Touch::Whole;
        }
        for (sum, cov) in self.carry.iter().zip(cov) {
            cov.fill(winding_coverage(*sum, self.rule));
        }
        Touch::Some
    }
}
