//! Cells of pixels: what a band draws on.

use super::kernels::quantise;
use crate::raster::rows::{CELL, Row};

/// Planes of a cell: red, green, blue, how far each pixel is to be dithered, alpha.
const PLANES: usize = 5;

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// One colour (encoded sRGB times alpha, and alpha); its planes aren't written.
    Flat([f32; 4]),
    /// Pixels, some of which may be due for dithering, in which case the plane for that is written.
    Pixels { dithered: bool },
}

/// A row of cells, as many rows of pixels high as its band. Reused from band to band.
#[derive(Default)]
pub(super) struct Surface {
    pub cells: Vec<Cell>,
    planes: Vec<Row>,
    rows: usize,
    /// Whether it begins as nothing; else all of it is opaque, and its plane of alpha isn't kept.
    pub translucent: bool,
}

/// Planes of some rows of a cell.
pub(super) struct Planes<'a> {
    pub r: &'a mut [Row],
    pub g: &'a mut [Row],
    pub b: &'a mut [Row],
    pub dither: &'a mut [Row],
    /// None where all is opaque.
    pub a: Option<&'a mut [Row]>,
}

/// The same to be read.
pub(super) struct PlanesRef<'a> {
    pub r: &'a [Row],
    pub g: &'a [Row],
    pub b: &'a [Row],
    pub dither: &'a [Row],
    pub a: &'a [Row],
}

impl Surface {
    /// Makes it `cells` cells of `rows` rows in one colour; opaque for good where that is.
    pub fn start(&mut self, cells: usize, rows: usize, ground: [f32; 4]) {
        self.rows = rows;
        self.translucent = ground[3] < 1.0;
        self.cells.clear();
        self.cells.resize(cells, Cell::Flat(ground));
        let planes = cells * rows * PLANES;
        if self.planes.len() < planes {
            self.planes.resize(planes, [0.0; CELL]);
        }
    }

    fn cell_mut(&mut self, c: usize) -> [&mut [Row]; PLANES] {
        let rows = self.rows;
        let (r, rest) = self.planes[c * rows * PLANES..(c + 1) * rows * PLANES].split_at_mut(rows);
        let (g, rest) = rest.split_at_mut(rows);
        let (b, rest) = rest.split_at_mut(rows);
        let (dither, a) = rest.split_at_mut(rows);
        [r, g, b, dither, a]
    }

    /// Writes out a flat cell as pixels.
    pub fn spread(&mut self, c: usize) {
        let Cell::Flat(color) = self.cells[c] else { return };
        let translucent = self.translucent;
        let [r, g, b, _, a] = self.cell_mut(c);
        r.fill([color[0]; CELL]);
        g.fill([color[1]; CELL]);
        b.fill([color[2]; CELL]);
        if translucent {
            a.fill([color[3]; CELL]);
        }
        self.cells[c] = Cell::Pixels { dithered: false };
    }

    /// The rows `part` of a cell to be drawn on, and whether it keeps what is to be dithered; which it does from now on
    /// where that is `wanted`.
    pub fn planes(&mut self, c: usize, part: std::ops::Range<usize>, wanted: bool) -> (Planes<'_>, bool) {
        self.spread(c);
        let mut dithered = self.cells[c] == Cell::Pixels { dithered: true };
        if wanted && !dithered {
            self.cell_mut(c)[3].fill([0.0; CELL]);
            self.cells[c] = Cell::Pixels { dithered: true };
            dithered = true;
        }
        let translucent = self.translucent;
        let [r, g, b, dither, a] = self.cell_mut(c).map(|plane| &mut plane[part.clone()]);
        (Planes { r, g, b, dither, a: translucent.then_some(a) }, dithered)
    }

    /// The rows `part` of a cell of pixels. Those of alpha mean nothing where the surface isn't translucent, those of
    /// dithering where the cell isn't dithered.
    pub fn read(&self, c: usize, part: std::ops::Range<usize>) -> PlanesRef<'_> {
        let rows = self.rows;
        let planes = &self.planes[c * rows * PLANES..(c + 1) * rows * PLANES];
        let plane = |i: usize| &planes[i * rows..(i + 1) * rows][part.clone()];
        PlanesRef { r: plane(0), g: plane(1), b: plane(2), dither: plane(3), a: plane(4) }
    }
}

/// A flat colour's bytes.
pub(super) fn flat_bytes(color: &[f32; 4]) -> [u8; 3] {
    std::array::from_fn(|i| {
        let mut out = [0; CELL];
        quantise(&[color[i]; CELL], None, &[0.0; CELL], &mut out);
        out[0]
    })
}
