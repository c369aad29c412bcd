//! Surfaces: the cells of pixels that a band draws on.

use super::kernels::quantise;
use crate::raster::rows::{CELL, Row};

/// Planes of a cell: red, green, blue, the dither weight of each pixel, and alpha.
const PLANES: usize = 5;

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// One colour (premultiplied encoded sRGB and alpha); the planes aren't written.
    Flat([f32; 4]),
    /// Pixels. If any of them may be dithered, the dither plane is written.
    Pixels { dithered: bool },
}

/// A row of cells, each as high as the band. Reused for every band.
#[derive(Default)]
pub(super) struct Surface {
    pub cells: Vec<Cell>,
    planes: Vec<Row>,
    rows: usize,
    /// Whether the surface starts transparent. Otherwise it is opaque, and has no alpha plane.
    pub translucent: bool,
}

/// Planes of some rows of a cell.
pub(super) struct Planes<'a> {
    pub r: &'a mut [Row],
    pub g: &'a mut [Row],
    pub b: &'a mut [Row],
    pub dither: &'a mut [Row],
    /// `None` if the surface is opaque.
    pub a: Option<&'a mut [Row]>,
}

/// Read-only planes of some rows of a cell.
pub(super) struct PlanesRef<'a> {
    pub r: &'a [Row],
    pub g: &'a [Row],
    pub b: &'a [Row],
    pub dither: &'a [Row],
    pub a: &'a [Row],
}

impl Surface {
    /// Starts `cells` cells of `rows` rows in one colour. If the colour is opaque, the surface stays opaque.
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

    /// Converts a flat cell to pixels.
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

    /// Returns the rows `part` of a cell for drawing, and whether the cell has a dither plane. If a dither plane is
    /// `wanted`, the cell has one from now on.
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

    /// Returns the rows `part` of a cell of pixels. Alpha is undefined if the surface isn't translucent, the dither
    /// plane if the cell isn't dithered.
    pub fn read(&self, c: usize, part: std::ops::Range<usize>) -> PlanesRef<'_> {
        let rows = self.rows;
        let planes = &self.planes[c * rows * PLANES..(c + 1) * rows * PLANES];
        let plane = |i: usize| &planes[i * rows..(i + 1) * rows][part.clone()];
        PlanesRef { r: plane(0), g: plane(1), b: plane(2), dither: plane(3), a: plane(4) }
    }
}

/// Returns the bytes of a flat colour.
pub(super) fn flat_bytes(color: &[f32; 4]) -> [u8; 3] {
    std::array::from_fn(|i| {
        let mut out = [0; CELL];
        quantise(&[color[i]; CELL], None, &[0.0; CELL], &mut out);
        out[0]
    })
}
