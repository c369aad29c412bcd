//! Mesh gradients as tables: interpolated once in OKLab; pixels look the result up.

use super::gradient::premultiplied;
use super::rows::unit;
use crate::limits::MESH_ENTRIES;
use crate::scene::Color;

/// Segments of a table along its longer side, about. A mesh of many columns or rows has more, because each patch gets
/// [`FINEST`] at least, unless the table would exceed [`MESH_ENTRIES`].
const SEGMENTS: usize = 128;
/// Smallest number of segments per patch along each side, within [`MESH_ENTRIES`].
const FINEST: usize = 32;

/// Colours on a grid, interpolated bilinearly.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeshTable {
    /// Entries horizontally.
    pub width: u32,
    /// Entries vertically.
    pub height: u32,
    /// Premultiplied encoded sRGB and alpha; rows from top to bottom.
    pub colors: Box<[[f32; 4]]>,
    /// Whether every colour is opaque.
    pub opaque: bool,
    /// 8-bit levels between adjacent entries, of the channel that changes fastest, averaged over the table.
    pub slope: f32,
}

impl MeshTable {
    /// Builds the table of `columns` × rows colours; `None` if they don't form a grid of at least two by two.
    ///
    /// Between the points, OKLab times alpha, and alpha, follow Catmull-Rom splines in both directions. The splines are
    /// extrapolated linearly beyond the outer points, so a mesh of two by two is bilinear.
    pub fn new(columns: u32, colors: &[Color]) -> Option<Self> {
        let columns = columns as usize;
        if columns < 2 || colors.len() < 2 * columns || !colors.len().is_multiple_of(columns) {
            return None;
        }
        let rows = colors.len() / columns;
        let points: Vec<[f32; 4]> = colors
            .iter()
            .map(|c| {
                let a = unit(c.a);
                let held = Color { r: unit(c.r), g: unit(c.g), b: unit(c.b), a };
                let [l, m, n] = held.to_oklab();
                [l * a, m * a, n * a, a]
            })
            .collect();
        let size = |steps: usize| ((columns - 1) * steps + 1, (rows - 1) * steps + 1);
        let mut steps = (SEGMENTS / (columns.max(rows) - 1)).max(FINEST);
        while steps > 1 && size(steps).0 * size(steps).1 > MESH_ENTRIES {
            steps -= 1;
        }
        let (width, height) = size(steps);
        // Interpolates horizontally first: every row of points at every column of the table.
        let mut wide = Vec::with_capacity(width * rows);
        for row in points.chunks_exact(columns) {
            wide.extend((0..width).map(|x| spline(|i| row[i], columns, x, steps)));
        }
        let mut out = Vec::with_capacity(width * height);
        for y in 0..height {
            out.extend((0..width).map(|x| {
                let [l, m, n, a] = spline(|i| wide[i * width + x], rows, y, steps);
                premultiplied([l, m, n, a.min(1.0)])
            }));
        }
        Some(Self::of(width, height, out.into()))
    }

    fn of(width: usize, height: usize, colors: Box<[[f32; 4]]>) -> Self {
        let fastest = |p: &[f32; 4], q: &[f32; 4]| (0..4).map(|c| (p[c] - q[c]).abs()).fold(0.0, f32::max);
        let across = colors.chunks_exact(width).flat_map(|row| row.windows(2).map(|w| fastest(&w[0], &w[1])));
        let down = colors.iter().zip(&colors[width..]).map(|(p, q)| fastest(p, q));
        let (sum, count) = across.chain(down).fold((0.0_f64, 0_u32), |(sum, n), v| (sum + f64::from(v), n + 1));
        let slope = (sum * 255.0 / f64::from(count.max(1))) as f32;
        let opaque = colors.iter().all(|c| c[3] == 1.0);
        Self { width: width as u32, height: height as u32, colors, opaque, slope }
    }

    /// Returns the colour at a point, which is clamped to the table.
    #[inline]
    pub fn at(&self, u: f32, v: f32) -> [f32; 4] {
        let (i, f) = place(u, self.width);
        let (j, g) = place(v, self.height);
        let width = self.width as usize;
        let at = j * width + i;
        let (top, below) = (&self.colors[at..at + 2], &self.colors[at + width..at + width + 2]);
        std::array::from_fn(|c| {
            let p = top[0][c] + (top[1][c] - top[0][c]) * f;
            let q = below[0][c] + (below[1][c] - below[0][c]) * f;
            p + (q - p) * g
        })
    }
}

/// Returns the entry before `v`, and the fraction of the way to the next.
#[inline]
fn place(v: f32, count: u32) -> (usize, f32) {
    let last = (count - 1) as f32;
    let v = v.max(0.0).min(last);
    let i = (v as usize).min(count as usize - 2);
    (i, v - i as f32)
}

/// Evaluates the Catmull-Rom spline through `count` points `at(0)`, …, at `step`, with `steps` steps per piece.
fn spline(at: impl Fn(usize) -> [f32; 4], count: usize, step: usize, steps: usize) -> [f32; 4] {
    let i = (step / steps).min(count - 2);
    let t = (step - i * steps) as f32 / steps as f32;
    let (p, q) = (at(i), at(i + 1));
    let beyond = |p: [f32; 4], q: [f32; 4]| std::array::from_fn(|c| 2.0 * p[c] - q[c]);
    let before = if i > 0 { at(i - 1) } else { beyond(p, q) };
    let after = if i + 2 < count { at(i + 2) } else { beyond(q, p) };
    std::array::from_fn(|c| {
        let (m, n) = ((q[c] - before[c]) / 2.0, (after[c] - p[c]) / 2.0);
        let d = q[c] - p[c];
        p[c] + t * (m + t * (3.0 * d - 2.0 * m - n + t * (m + n - 2.0 * d)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(columns: u32, colors: &[Color], steps: usize) -> MeshTable {
        // The same splines on a grid so fine that interpolation makes no difference.
        let columns = columns as usize;
        let rows = colors.len() / columns;
        let points: Vec<[f32; 4]> = colors.iter().map(|c| c.to_oklab()).map(|[l, m, n]| [l, m, n, 1.0]).collect();
        let (width, height) = ((columns - 1) * steps + 1, (rows - 1) * steps + 1);
        let colors = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| {
                let down = |i: usize| spline(|j| points[i * columns + j], columns, x, steps);
                premultiplied(spline(down, rows, y, steps))
            })
            .collect();
        MeshTable::of(width, height, colors)
    }

    #[test]
    fn the_table_is_as_good_as_the_splines() {
        // The splines of muted colours stay inside the gamut, so clamping adds no corners.
        let muted = [0x4A6A66, 0x7FB8A0, 0xE4DED0, 0x65676C, 0xC98C74, 0x6675AA, 0x8870A0, 0x5A6A8A, 0xD0C8B0];
        let loud = [0x0E3B36, 0x3BE0A0, 0xF4F1EA, 0x15171C, 0xFF4D14, 0x3355FF, 0x8844AA, 0x0A2A6A, 0xFFD166];
        for (colors, most) in [(muted, 0.5), (loud, 6.0)] {
            let colors = colors.map(Color::hex);
            let table = MeshTable::new(3, &colors).unwrap();
            let fine = exact(3, &colors, 192);
            let ratio = (fine.width - 1) as f32 / (table.width - 1) as f32;
            let mut worst = 0.0_f32;
            for y in 0..fine.height {
                for x in 0..fine.width {
                    let got = table.at(x as f32 / ratio, y as f32 / ratio);
                    let want = fine.colors[(y * fine.width + x) as usize];
                    worst = (0..4).map(|c| (got[c] - want[c]).abs()).fold(worst, f32::max);
                }
            }
            assert!(worst * 255.0 < most, "{} levels", worst * 255.0);
        }
    }

    #[test]
    fn points_are_their_colours() {
        let colors = [0x0E3B36, 0x3BE0A0, 0xFF4D14, 0xF4F1EA].map(Color::hex);
        let table = MeshTable::new(2, &colors).unwrap();
        let last = (table.width - 1) as f32;
        for (at, want) in [(0.0, 0.0), (last, 0.0), (0.0, last), (last, last)].into_iter().zip(colors) {
            let [r, g, b, a] = table.at(at.0, at.1);
            assert_eq!(Color { r, g, b, a }.to_rgba8(), want.to_rgba8());
        }
        assert_eq!(table.at(f32::NAN, 1e30), table.at(0.0, last), "padded, and nothing outside is read");
        assert!(table.opaque && table.slope > 0.0);
    }

    #[test]
    fn a_table_stays_within_its_limit() {
        for columns in [32, 2, 512, 9] {
            let colors = vec![Color::WHITE; 1024 / columns as usize * columns as usize];
            let table = MeshTable::new(columns, &colors).unwrap();
            assert!(table.colors.len() <= MESH_ENTRIES && table.colors.len() > MESH_ENTRIES / 3 * 2);
        }
    }

    #[test]
    fn what_is_no_grid_draws_nothing() {
        let c = [Color::WHITE; 6];
        assert!(MeshTable::new(3, &c).is_some() && MeshTable::new(2, &c).is_some());
        for columns in [0, 1, 4, 5, 6, u32::MAX] {
            assert!(MeshTable::new(columns, &c).is_none());
        }
        let wild = [f32::NAN, f32::INFINITY, -1e30, 0.5].map(|v| Color { r: v, g: v, b: v, a: v });
        assert!(MeshTable::new(2, &wild).unwrap().colors.iter().flatten().all(|v| v.is_finite()));
    }
}
