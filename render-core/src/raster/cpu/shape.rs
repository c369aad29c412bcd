//! Analytic shapes in pixel space, and their coverage of a cell.

use super::kernels::{box_row, corner_row, ellipse_row, scale_row, subtract_row};
use crate::raster::glyphs::GlyphMask;
use crate::raster::rows::{CELL, Row, Touch};
use crate::raster::shape::{Ellipse, RoundRect, Shape};

/// The pixels `x..x + CELL` of the rows `y0..y1`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellBox {
    pub x: usize,
    pub y0: usize,
    pub y1: usize,
}

impl CellBox {
    /// Returns the left, top, right and bottom edges.
    fn edges(self) -> [f32; 4] {
        [self.x as f32, self.y0 as f32, (self.x + CELL) as f32, self.y1 as f32]
    }

    /// Returns the centre, and the largest distance of a pixel's centre from it.
    fn disc(self) -> ([f32; 2], f32) {
        let [x0, y0, x1, y1] = self.edges();
        let (w, h) = (x1 - x0 - 1.0, y1 - y0 - 1.0);
        ([(x0 + x1) / 2.0, (y0 + y1) / 2.0], (w * w + h * h).sqrt() / 2.0)
    }
}

impl RoundRect {
    fn touch(&self, cell: CellBox) -> Touch {
        let [x0, y0, x1, y1] = cell.edges();
        if x1 <= self.x0 || x0 >= self.x1 || y1 <= self.y0 || y0 >= self.y1 {
            return Touch::None;
        }
        let mut whole = x0 >= self.x0 && x1 <= self.x1 && y0 >= self.y0 && y1 <= self.y1;
        for ([cx, cy], radius, [sx, sy]) in self.corners() {
            // How far the cell's pixel centres lie beyond the corner's centre, on the corner's side.
            let (near, far) = if sx < 0.0 { (cx - x1 + 0.5, cx - x0 - 0.5) } else { (x0 + 0.5 - cx, x1 - 0.5 - cx) };
            let (near_y, far_y) =
                if sy < 0.0 { (cy - y1 + 0.5, cy - y0 - 0.5) } else { (y0 + 0.5 - cy, y1 - 0.5 - cy) };
            if far <= 0.0 || far_y <= 0.0 || radius <= 0.0 {
                continue;
            }
            if (far * far + far_y * far_y).sqrt() > radius - 0.51 {
                whole = false;
            }
            if near > 0.0 && near_y > 0.0 && (near * near + near_y * near_y).sqrt() > radius + 0.51 {
                return Touch::None;
            }
        }
        if whole { Touch::Whole } else { Touch::Some }
    }

    fn coverage(&self, cell: CellBox, cov: &mut [Row]) {
        let mut across = [0.0; CELL];
        box_row(cell.x as f32, self.x0, self.x1, &mut across);
        for (y, row) in (cell.y0..cell.y1).zip(cov) {
            let top = y as f32;
            let height = ((top + 1.0).min(self.y1) - top.max(self.y0)).max(0.0);
            scale_row(&across, height, row);
            for ([cx, cy], radius, [sx, sy]) in self.corners() {
                let dy = (top + 0.5 - cy) * sy;
                let past = if sx < 0.0 { cell.x as f32 - cx } else { cx - (cell.x + CELL) as f32 };
                if radius > 0.0 && dy > 0.0 && past < 0.0 {
                    corner_row(cell.x as f32, cx, dy, radius, sx, row);
                }
            }
        }
    }
}

impl Ellipse {
    fn touch(&self, cell: CellBox) -> Touch {
        let ([x, y], reach) = cell.disc();
        let stretch = self.0.stretch();
        let [u, v] = self.0.apply(x, y);
        if (u * u + v * v).sqrt() > 1.0 + stretch * (reach + 0.51) {
            return Touch::None;
        }
        let [x0, y0, x1, y1] = cell.edges();
        // Half a pixel inside is at most half the stretch in the unit space. A disc contains a box if it contains the
        // box's corners.
        let inside = (1.0 - 0.51 * stretch).max(0.0);
        let whole = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].into_iter().all(|(x, y)| {
            let [u, v] = self.0.apply(x, y);
            u * u + v * v < inside * inside
        });
        if whole { Touch::Whole } else { Touch::Some }
    }

    fn coverage(&self, cell: CellBox, cov: &mut [Row]) {
        for (y, row) in (cell.y0..cell.y1).zip(cov) {
            ellipse_row(self.0.apply(cell.x as f32 + 0.5, y as f32 + 0.5), self.0.m, row);
        }
    }
}

/// Returns what `outer` minus `inner` touches.
fn difference(outer: Touch, inner: Touch) -> Touch {
    match (outer, inner) {
        (Touch::None, _) | (_, Touch::Whole) => Touch::None,
        (outer, Touch::None) => outer,
        _ => Touch::Some,
    }
}

impl Shape {
    /// Returns how much of the cell the shape covers. Not called for paths, whose areas provide this.
    pub(in crate::raster::cpu) fn touch(&self, cell: CellBox) -> Touch {
        match self {
            Self::Round { outer, inner } => {
                difference(outer.touch(cell), inner.as_ref().map_or(Touch::None, |i| i.touch(cell)))
            }
            Self::Ellipse { outer, inner } => {
                difference(outer.touch(cell), inner.as_ref().map_or(Touch::None, |i| i.touch(cell)))
            }
            Self::Shadow { shadow, map } => {
                let ([x, y], reach) = cell.disc();
                let ([x, y], reach) = (map.apply(x, y), reach * map.stretch() + 0.01);
                match () {
                    () if shadow.is_clear(x, y, reach) => Touch::None,
                    () if shadow.is_whole(x, y, reach) => Touch::Whole,
                    () => Touch::Some,
                }
            }
            Self::Path { .. } | Self::Glyph { .. } => Touch::Some,
        }
    }

    /// Writes the coverage of a cell's rows. Overwrites `spare`, which has as many rows.
    pub(in crate::raster::cpu) fn coverage(&self, cell: CellBox, cov: &mut [Row], spare: &mut [Row]) {
        match self {
            Self::Round { outer, inner } => {
                outer.coverage(cell, cov);
                if let Some(inner) = inner {
                    inner.coverage(cell, spare);
                    cov.iter_mut().zip(spare).for_each(|(out, inner)| subtract_row(inner, out));
                }
            }
            Self::Ellipse { outer, inner } => {
                outer.coverage(cell, cov);
                if let Some(inner) = inner {
                    inner.coverage(cell, spare);
                    cov.iter_mut().zip(spare).for_each(|(out, inner)| subtract_row(inner, out));
                }
            }
            Self::Shadow { shadow, map } => shadow.rows(map, cell.x as f32 + 0.5, cell.y0 as f32 + 0.5, cov),
            Self::Glyph { mask, x, y } => mask_rows(mask, *x, *y, cell, cov),
            Self::Path { .. } => cov.fill([0.0; CELL]),
        }
    }
}

fn mask_rows(mask: &GlyphMask, x: i32, y: i32, cell: CellBox, cov: &mut [Row]) {
    let offset = x - cell.x as i32;
    // The columns of the mask inside the cell.
    let from = (-offset).clamp(0, mask.width as i32) as usize;
    let to = (CELL as i32 - offset).clamp(0, mask.width as i32) as usize;
    for (row, out) in (cell.y0 as i32..).zip(cov) {
        *out = [0.0; CELL];
        let line = usize::try_from(row - y).ok().and_then(|row| mask.data.chunks_exact(mask.width).nth(row));
        let (Some(line), true) = (line, from < to) else { continue };
        let start = (offset + from as i32) as usize;
        for (out, m) in out[start..].iter_mut().zip(&line[from..to]) {
            *out = f32::from(*m) / 255.0;
        }
    }
}
