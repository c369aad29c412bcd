//! Finished blurred pictures.

use super::shape::CellBox;
use super::source::Source;
use crate::raster::pixels::PixelBox;
use crate::raster::rows::CELL;

/// A texel: red, green, blue and alpha.
pub(super) type Texel = [f32; 4];

/// A blurred picture. Its texels are squares of `factor` pixels, aligned to the top left corner of its source canvas.
pub(super) struct BlurredImage {
    /// The pixels that the picture covers.
    pub px: PixelBox,
    /// Whether its bands are dithered.
    pub dither: bool,
    /// Edge of a texel in pixels.
    pub factor: f32,
    /// The range of differences between adjacent texels in which bands are visible; both ends are excluded.
    pub banded: [f32; 2],
    /// Offset from the picture's pixels to those of its source canvas.
    pub shift: [i32; 2],
    /// The grid cells for which there are texels.
    pub grid: PixelBox,
    /// The texels of the grid, row by row.
    pub texels: Vec<Texel>,
}

impl BlurredImage {
    /// Writes the rows of a cell, bilinearly interpolated between texels; columns outside the picture become
    /// transparent.
    pub fn rows(&self, cell: CellBox, out: &mut Source) {
        let [left, top, right, _] = self.grid;
        let width = (right - left) as usize;
        let per = 1.0 / self.factor;
        // The texel before a pixel's centre, and the fraction of the way to the next.
        let place = |v: i32, from: i32, count: usize| {
            let v = (((v as f32 + 0.5) * per - 0.5) - from as f32).max(0.0).min((count - 1) as f32);
            let i = (v as usize).min(count.max(2) - 2);
            (i, v - i as f32)
        };
        let height = self.texels.len() / width;
        let [flat, steep] = self.banded;
        for (row, y) in (cell.y0..cell.y1).enumerate() {
            let (j, g) = place(y as i32 + self.shift[1], top, height);
            let (above, below) = (&self.texels[j * width..], &self.texels[(j + 1).min(height - 1) * width..]);
            for i in 0..CELL {
                let x = (cell.x + i) as i32;
                if x < self.px[0] || x >= self.px[2] {
                    let planes = [&mut out.r, &mut out.g, &mut out.b, &mut out.a, &mut out.banded];
                    planes.into_iter().for_each(|plane| plane[row][i] = 0.0);
                    continue;
                }
                let (k, f) = place(x + self.shift[0], left, width);
                let next = (k + 1).min(width - 1);
                let (p, q, r, s) = (above[k], above[next], below[k], below[next]);
                let mut color = [0.0; 4];
                let mut slope = 0.0_f32;
                for c in 0..4 {
                    let (up, down) = (q[c] - p[c], s[c] - r[c]);
                    let (x, y) = (p[c] + up * f, r[c] + down * f);
                    color[c] = x + (y - x) * g;
                    slope = slope.max(up.abs().max(down.abs())).max((r[c] - p[c]).abs().max((s[c] - q[c]).abs()));
                }
                (out.r[row][i], out.g[row][i], out.b[row][i], out.a[row][i]) = (color[0], color[1], color[2], color[3]);
                out.banded[row][i] = if slope < steep && slope > flat { 1.0 } else { 0.0 };
            }
        }
    }
}
