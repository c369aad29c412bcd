//! Shadows: a rounded box blurred by a Gaussian.
//!
//! Along x, a row of the box blurs to a difference of two Gaussian integrals, exactly. Rows are then added up along y
//! (the method of Evan Wallace, "Fast Rounded Rectangle Shadows"); here, each strip of a rounded end is weighted by its
//! own exact integral. Sharp corners have no strips and become the separable product. The result is smooth, so one
//! quadrant is tabulated at a sixth of the deviation and looked up bilinearly (error below 0.001).

use super::map::Map;
use super::rows::{CELL, Row, mix_rows, unit};

/// The Gaussian is cut off at this many deviations; 0.00023 of it lies beyond.
const REACH: f32 = 3.5;
/// Scales coverage around ½, so that it is exactly zero beyond the reach.
const STRETCH: f32 = 1.002;
/// Steps across a table if they would be finer than a pixel.
const FINE: f32 = 160.0;
/// A corner with a radius of more than this many deviations counts as straight.
const STRAIGHT: f32 = 40.0;

/// A shadow in its own frame: the origin is the centre of the box, the unit one pixel.
pub(super) struct Shadow {
    pub half: [f32; 2],
    pub radius: f32,
    pub sigma: f32,
    /// Columns × rows, row-major: from the outer edge of the shadow inwards.
    pub table: Vec<f32>,
    pub columns: usize,
    pub rows: usize,
    /// Table cells per pixel.
    pub per_px: [f32; 2],
}

impl Shadow {
    /// Builds the shadow of a box with these half edges. `sigma` must be above zero; everything is finite and in
    /// pixels.
    pub fn new(half: [f32; 2], radius: f32, sigma: f32) -> Self {
        let radius = radius.clamp(0.0, half[0].min(half[1]));
        let mut shadow = Self { half, radius, sigma, table: Vec::new(), columns: 0, rows: 0, per_px: [0.0; 2] };
        if radius <= STRAIGHT * sigma {
            shadow.fill();
        }
        shadow
    }

    /// Returns how far the shadow extends beyond the box.
    pub fn reach(sigma: f32) -> f32 {
        REACH * sigma
    }

    fn fill(&mut self) {
        let (sigma, radius, reach) = (self.sigma, self.radius, Self::reach(self.sigma));
        let extent = self.half.map(|h| reach + h.min(radius + reach));
        // A small blur is steep, so its table is finer than a pixel as far as the size limit allows.
        let step = (sigma / 6.0).max((extent[0].max(extent[1]) / FINE).min(1.0));
        let count = extent.map(|e| (e / step).ceil().max(1.0) as usize + 1);
        (self.columns, self.rows) = (count[0], count[1]);
        self.per_px = [(count[0] - 1) as f32 / extent[0], (count[1] - 1) as f32 / extent[1]];

        let strips = if radius > 0.0 { ((2.0 * radius / sigma).ceil() as usize).clamp(8, 96) } else { 0 };
        let angle = |i: f32| std::f32::consts::FRAC_PI_2 * i / strips as f32;
        // Half the width of the box at each strip, and the end of each strip, both measured from the middle.
        let mut width = vec![self.half[0]];
        let mut edge = vec![0.0, self.half[1] - radius];
        for i in 0..strips {
            width.push(self.half[0] - radius + radius * libm::cosf(angle(i as f32 + 0.5)));
            edge.push(self.half[1] - radius + radius * libm::sinf(angle(i as f32 + 1.0)));
        }
        // The value at v of a blurred segment from −w to w.
        let blurred = |w: f32, v: f32| phi((w - v) / sigma) - phi((-w - v) / sigma);
        let strips = width.len();
        let across: Vec<f32> = (0..self.columns)
            .flat_map(|j| {
                let x = self.half[0] + reach - j as f32 / self.per_px[0];
                width.iter().map(move |&w| blurred(w, x)).collect::<Vec<_>>()
            })
            .collect();
        let mut down = vec![0.0; strips];
        self.table = Vec::with_capacity(self.columns * self.rows);
        for i in 0..self.rows {
            let y = self.half[1] + reach - i as f32 / self.per_px[1];
            let mut inner = 0.0;
            for (k, weight) in down.iter_mut().enumerate() {
                // Strips lie in pairs above and below the middle: the segment up to the outer edge minus the previous
                // segment.
                let outer = blurred(edge[k + 1], y);
                *weight = outer - inner;
                inner = outer;
            }
            for column in across.chunks_exact(strips) {
                self.table.push(column.iter().zip(&down).map(|(a, w)| a * w).sum::<f32>().clamp(0.0, 1.0));
            }
        }
    }

    /// Returns the coverage at a point of the frame.
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x.abs(), y.abs());
        if self.table.is_empty() {
            let q = [x - self.half[0] + self.radius, y - self.half[1] + self.radius];
            let (ox, oy) = (q[0].max(0.0), q[1].max(0.0));
            let d = (ox * ox + oy * oy).sqrt() + q[0].max(q[1]).min(0.0) - self.radius;
            return trim(phi(-d / self.sigma));
        }
        let ((i, fx), (j, fy)) = (self.place(0, x), self.place(1, y));
        let row = &self.table[j * self.columns + i..];
        let left = row[0] + (row[self.columns] - row[0]) * fy;
        let right = row[1] + (row[self.columns + 1] - row[1]) * fy;
        trim(left + (right - left) * fx)
    }

    /// Computes the coverage of a cell's rows. `map` takes pixels to the frame, `(x, y)` is the centre of the first
    /// pixel.
    pub fn rows(&self, map: &Map, x: f32, y: f32, out: &mut [Row]) {
        let upright = map.m[1] == 0.0 && map.m[2] == 0.0;
        if self.table.is_empty() || !upright {
            for (j, row) in out.iter_mut().enumerate() {
                for (i, c) in row.iter_mut().enumerate() {
                    let [x, y] = map.apply(x + i as f32, y + j as f32);
                    *c = self.at(x, y);
                }
            }
            return;
        }
        let last = (x + (CELL - 1) as f32, self.columns - 2);
        if [x, last.0].iter().all(|x| self.place(0, map.apply(*x, y)[0]) == (last.1, 1.0)) {
            // Between the corners of both ends, all columns equal the last column of the table.
            let across = |j: usize| {
                let row = &self.table[j * self.columns + last.1..];
                row[0] + (row[1] - row[0])
            };
            for (j, row) in out.iter_mut().enumerate() {
                let (top, f) = self.place(1, map.apply(x, y + j as f32)[1]);
                let (above, below) = (across(top), across(top + 1));
                row.fill(trim(above + (below - above) * f));
            }
            return;
        }
        // Columns and rows are looked up separately: first the table's rows at the columns, then a mix of the rows.
        let columns: [(usize, f32); CELL] = std::array::from_fn(|i| self.place(0, map.apply(x + i as f32, y)[0]));
        let across = |j: usize, out: &mut Row| {
            let row = &self.table[j * self.columns..(j + 1) * self.columns];
            for (out, (i, f)) in out.iter_mut().zip(columns) {
                *out = row[i] + (row[i + 1] - row[i]) * f;
            }
        };
        let (mut above, mut below) = ([0.0; CELL], [0.0; CELL]);
        let mut known = usize::MAX;
        for (j, row) in out.iter_mut().enumerate() {
            let (top, f) = self.place(1, map.apply(x, y + j as f32)[1]);
            if top != known {
                if known != usize::MAX && top == known + 1 {
                    above = below;
                } else {
                    across(top, &mut above);
                }
                across(top + 1, &mut below);
                known = top;
            }
            mix_rows(&above, &below, f, STRETCH, row);
        }
    }

    /// Looks a coordinate of the frame up in the table: the row or column before it, and the fraction of the way to the
    /// next.
    fn place(&self, axis: usize, v: f32) -> (usize, f32) {
        let count = if axis == 0 { self.columns } else { self.rows };
        let f = ((self.half[axis] + Self::reach(self.sigma) - v.abs()) * self.per_px[axis])
            .max(0.0)
            .min((count - 1) as f32);
        let i = (f as usize).min(count - 2);
        (i, f - i as f32)
    }

    /// Returns whether everything within `radius` of the point is fully covered.
    pub fn is_whole(&self, x: f32, y: f32, radius: f32) -> bool {
        let clear = |half: f32, v: f32| half - v.abs() - radius >= Self::reach(self.sigma) + self.radius;
        clear(self.half[0], x) && clear(self.half[1], y)
    }

    /// Returns whether nothing within `radius` of the point is covered.
    pub fn is_clear(&self, x: f32, y: f32, radius: f32) -> bool {
        let beyond = |half: f32, v: f32| v.abs() - radius >= half + Self::reach(self.sigma);
        beyond(self.half[0], x) || beyond(self.half[1], y)
    }
}

/// Stretches coverage so that it is exactly 0 beyond the reach and exactly 1 on the inside.
fn trim(v: f32) -> f32 {
    unit((v - 0.5) * STRETCH + 0.5)
}

/// Returns the normal distribution's integral up to `x`, by Abramowitz and Stegun 7.1.28 (error below 3·10⁻⁷).
pub(super) fn phi(x: f32) -> f32 {
    let t = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let p = 1.0
        + t * (0.070_523_08
            + t * (0.042_282_01
                + t * (0.009_270_527 + t * (0.000_152_014_3 + t * (0.000_276_567_2 + t * 0.000_043_063_8)))));
    let square = p * p;
    let fourth = square * square;
    let eighth = fourth * fourth;
    let tail = 0.5 / (eighth * eighth);
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phi_is_the_normal_integral() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (2.0, 0.977_250), (-3.0, 0.001_350), (9.0, 1.0)]
        {
            assert!((phi(x) - p).abs() < 2e-6, "{x}: {}", phi(x));
        }
    }

    /// The blur by its definition: Gaussian weights over a fine grid.
    fn brute(half: [f32; 2], radius: f32, sigma: f32, x: f32, y: f32) -> f32 {
        let n = 480;
        let nodes: Vec<(f32, f64)> = (0..n)
            .map(|i| ((i as f32 + 0.5) / n as f32 * 10.0 - 5.0) * sigma)
            .map(|d| (d, f64::from(libm::expf(-d * d / (2.0 * sigma * sigma)))))
            .collect();
        let (mut sum, mut all) = (0.0_f64, 0.0_f64);
        for (dx, wx) in &nodes {
            for (dy, wy) in &nodes {
                let (px, py) = ((x + dx).abs(), (y + dy).abs());
                let (qx, qy) = (px - half[0] + radius, py - half[1] + radius);
                let inside = if qx > 0.0 && qy > 0.0 {
                    qx * qx + qy * qy <= radius * radius
                } else {
                    px <= half[0] && py <= half[1]
                };
                all += wx * wy;
                sum += if inside { wx * wy } else { 0.0 };
            }
        }
        (sum / all) as f32
    }

    #[test]
    fn matches_the_definition() {
        for (half, radius, sigma) in [
            ([60.0, 40.0], 0.0, 10.0),
            ([60.0, 40.0], 20.0, 10.0),
            ([30.0, 30.0], 30.0, 25.0),
            ([80.0, 20.0], 12.0, 4.0),
        ] {
            let shadow = Shadow::new(half, radius, sigma);
            for (fx, fy) in [(0.0, 0.0), (0.5, 0.7), (1.0, 0.0), (1.0, 1.0), (0.9, 1.1), (1.3, 0.9), (1.5, 1.6)] {
                let (x, y) = (half[0] * fx, half[1] * fy);
                let (got, want) = (shadow.at(x, y), brute(half, radius, sigma, x, y));
                assert!((got - want).abs() < 0.006, "{half:?} {radius} {sigma} at {x} {y}: {got} {want}");
            }
        }
    }

    #[test]
    fn sharp_corners_are_separable() {
        let shadow = Shadow::new([50.0, 30.0], 0.0, 12.0);
        let edge = |h: f32, v: f32| phi((h - v) / 12.0) - phi((-h - v) / 12.0);
        for (x, y) in [(0.0, 0.0), (44.0, 10.0), (50.0, 30.0), (61.0, 33.0)] {
            assert!((shadow.at(x, y) - edge(50.0, x) * edge(30.0, y)).abs() < 0.001);
        }
    }
}
