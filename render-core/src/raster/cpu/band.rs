//! A band of rows while it is drawn.

use super::kernels::{
    Bands, Planes, Source, banded_row, blend_solid, blend_source, copy_source, dither_row, interleave, lookup_row,
    offsets_row, places_row, quantise,
};
use super::shape::CellBox;
use crate::raster::area::AreaBand;
use crate::raster::flatten::Line;
use crate::raster::frame::{Draw, Field, Gradient, Ink};
use crate::raster::rows::{CELL, Row};
use crate::raster::shape::{Map, Shape, Touch};

/// What a cell holds.
#[derive(Debug, Clone, Copy)]
enum Cell {
    /// One colour; its planes aren't written.
    Flat([f32; 3]),
    /// Pixels, some of which may be due for dithering.
    Pixels { dithered: bool },
}

/// Cells, their planes and all scratch that drawing needs. Reused from band to band.
#[derive(Default)]
pub(super) struct Band {
    width: usize,
    y0: usize,
    y1: usize,
    cells: Vec<Cell>,
    /// Four planes a cell, each as many rows as the band has.
    planes: Vec<Row>,
    cov: Vec<Row>,
    spare: Vec<Row>,
    source: Source,
    area: AreaBand,
}

impl Band {
    /// Makes it the rows `y0..y1` of a canvas, filled with `background`.
    pub fn start(&mut self, width: usize, y0: usize, y1: usize, background: [f32; 3]) {
        let (rows, cells) = (y1 - y0, width.div_ceil(CELL));
        (self.width, self.y0, self.y1) = (width, y0, y1);
        self.cells.clear();
        self.cells.resize(cells, Cell::Flat(background));
        self.planes.resize(cells * rows * 4, [0.0; CELL]);
        self.cov.resize(rows, [0.0; CELL]);
        self.spare.resize(rows, [0.0; CELL]);
        for plane in
            [&mut self.source.r, &mut self.source.g, &mut self.source.b, &mut self.source.a, &mut self.source.banded]
        {
            plane.resize(rows, [0.0; CELL]);
        }
    }

    /// Lays one item over what is there.
    pub fn draw(&mut self, draw: &Draw, lines: &[Line]) {
        let [left, top, right, bottom] = draw.px.map(|v| v as usize);
        let (y0, y1) = (top.max(self.y0), bottom.min(self.y1));
        if y0 >= y1 || left >= right {
            return;
        }
        let (c0, c1) = (left / CELL, right.div_ceil(CELL).min(self.cells.len()));
        if let Shape::Path { lines: range, rule } = &draw.shape {
            self.area.fill(&lines[range.clone()], *rule, y0, y1, c0, c1);
        }
        let rows = y1 - y0;
        for c in c0..c1 {
            let cell = CellBox { x: c * CELL, y0, y1 };
            let touch = match &draw.shape {
                Shape::Path { .. } => self.area.coverage(c, &mut self.cov[..rows]),
                shape => shape.touch(cell),
            };
            match touch {
                Touch::None => continue,
                Touch::Whole => {
                    if self.flood(c, rows, &draw.paint) {
                        continue;
                    }
                    if !matches!(&draw.paint, Ink::Gradient(g) if g.opaque) {
                        self.cov[..rows].fill([1.0; CELL]);
                    }
                }
                Touch::Some if matches!(draw.shape, Shape::Path { .. }) => {}
                Touch::Some => draw.shape.coverage(cell, &mut self.cov[..rows], &mut self.spare[..rows]),
            }
            self.blend(c, cell, &draw.paint, touch == Touch::Whole);
        }
    }

    /// Takes the short way with a wholly covered cell, where there is one.
    fn flood(&mut self, c: usize, rows: usize, paint: &Ink) -> bool {
        let Ink::Solid { rgb, alpha } = paint else { return false };
        if rows != self.y1 - self.y0 {
            return false;
        }
        match &mut self.cells[c] {
            Cell::Flat(under) => {
                // The very sum that `blend_solid` makes.
                *under = std::array::from_fn(|i| under[i] + (rgb[i] - under[i]) * *alpha);
                true
            }
            cell if *alpha == 1.0 => {
                *cell = Cell::Flat(*rgb);
                true
            }
            Cell::Pixels { .. } => false,
        }
    }

    /// Lays `paint` over a cell by `self.cov`, which isn't looked at for an opaque gradient over a `whole` cell.
    fn blend(&mut self, c: usize, cell: CellBox, paint: &Ink, whole: bool) {
        let rows = self.y1 - self.y0;
        let planes = &mut self.planes[c * rows * 4..(c + 1) * rows * 4];
        let (r, rest) = planes.split_at_mut(rows);
        let (g, rest) = rest.split_at_mut(rows);
        let (b, dither) = rest.split_at_mut(rows);
        if let Cell::Flat(rgb) = self.cells[c] {
            r.fill([rgb[0]; CELL]);
            g.fill([rgb[1]; CELL]);
            b.fill([rgb[2]; CELL]);
            self.cells[c] = Cell::Pixels { dithered: false };
        }
        let Cell::Pixels { dithered } = &mut self.cells[c] else { return };
        let part = cell.y0 - self.y0..cell.y1 - self.y0;
        let cov = &self.cov[..part.len()];
        match paint {
            Ink::Solid { rgb, alpha } => {
                let mut planes = Planes {
                    r: &mut r[part.clone()],
                    g: &mut g[part.clone()],
                    b: &mut b[part.clone()],
                    dither: &mut dither[part],
                };
                blend_solid(&mut planes, cov, *rgb, *alpha, *dithered);
            }
            Ink::Mesh(_) | Ink::Picture(_) => unimplemented!(),
            Ink::Gradient(gradient) => {
                if !*dithered && gradient.bands.is_some() {
                    dither.fill([0.0; CELL]);
                    *dithered = true;
                }
                let mut planes = Planes {
                    r: &mut r[part.clone()],
                    g: &mut g[part.clone()],
                    b: &mut b[part.clone()],
                    dither: &mut dither[part],
                };
                for (i, y) in (cell.y0..cell.y1).enumerate() {
                    gradient_row(gradient, cell.x, y, i, &mut self.source);
                }
                let bands = if gradient.bands.is_some() { Bands::Some } else { Bands::None };
                let bands = if *dithered { bands } else { Bands::Untracked };
                if whole && gradient.opaque {
                    copy_source(&mut planes, &self.source, bands);
                } else {
                    blend_source(&mut planes, cov, &self.source, bands);
                }
            }
        }
    }

    /// Writes the band as pixels of three bytes.
    pub fn store(&self, bytes: &mut [u8]) {
        let rows = self.y1 - self.y0;
        let row_bytes = self.width * 3;
        let mut channels = [[0_u8; CELL]; 3];
        let mut pixels = [0_u8; CELL * 3];
        for (c, cell) in self.cells.iter().enumerate() {
            let from = c * CELL * 3;
            let to = (from + CELL * 3).min(row_bytes);
            let planes = &self.planes[c * rows * 4..(c + 1) * rows * 4];
            let (rgb, dither) = planes.split_at(rows * 3);
            if let Cell::Flat(color) = cell {
                for (channel, v) in channels.iter_mut().zip(color) {
                    quantise(&[*v; CELL], None, &[0.0; CELL], channel);
                }
                interleave(&channels[0], &channels[1], &channels[2], &mut pixels);
            }
            for (y, out) in bytes.chunks_exact_mut(row_bytes).enumerate() {
                if let Cell::Pixels { dithered } = cell {
                    let pattern = dither_row(self.y0 + y);
                    for (i, channel) in channels.iter_mut().enumerate() {
                        quantise(&rgb[i * rows + y], dithered.then_some(&dither[y]), &pattern, channel);
                    }
                    interleave(&channels[0], &channels[1], &channels[2], &mut pixels);
                }
                out[from..to].copy_from_slice(&pixels[..to - from]);
            }
        }
    }
}

/// Writes row `row` of `out`: the pixels of canvas row `y` from `x` on.
fn gradient_row(gradient: &Gradient, x: usize, y: usize, row: usize, out: &mut Source) {
    let mut offsets = [0.0; CELL];
    let Map { m, t } = gradient.map;
    let y = y as f32 + 0.5;
    offsets_row(
        x as f32 + 0.5,
        [m[0], m[2]],
        [m[1] * y + t[0], m[3] * y + t[1]],
        matches!(gradient.field, Field::Radial),
        &mut offsets,
    );
    let places = places_row(&offsets);
    lookup_row(&gradient.table, &places, [&mut out.r[row], &mut out.g[row], &mut out.b[row], &mut out.a[row]]);
    if let Some(bands) = &gradient.bands {
        banded_row(bands, &places, &mut out.banded[row]);
    }
}
