//! The loops over pixels. Each is compiled for the baseline and for AVX2 and picked at run time; Rust never fuses or
//! reorders float operations, so both give the same bits.
#![allow(clippy::needless_range_loop, reason = "several rows are walked in step; this form vectorises")]
#![allow(clippy::manual_clamp, reason = "max and min make a number of what is none, clamp doesn't")]
#![allow(unsafe_code, reason = "the attribute expands to a call that is guarded by detecting the CPU's features")]

use multiversion::multiversion;

use crate::raster::gradient::{self, GradientTable};
use crate::raster::rows::{CELL, Row, unit};

/// The three channels of some rows of a cell, and how far each pixel is to be dithered.
pub(super) struct Planes<'a> {
    pub r: &'a mut [Row],
    pub g: &'a mut [Row],
    pub b: &'a mut [Row],
    pub dither: &'a mut [Row],
}

/// Encoded sRGB times alpha, alpha, and whether bands would show (1) or not (0).
#[derive(Default)]
pub(super) struct Source {
    pub r: Vec<Row>,
    pub g: Vec<Row>,
    pub b: Vec<Row>,
    pub a: Vec<Row>,
    pub banded: Vec<Row>,
}

/// Lays one colour over rows: `d + (s − d)·(cov·alpha)`.
pub(super) fn blend_solid(p: &mut Planes<'_>, cov: &[Row], [r, g, b]: [f32; 3], alpha: f32, dithered: bool) {
    lerp(p.r, cov, r, alpha);
    lerp(p.g, cov, g, alpha);
    lerp(p.b, cov, b, alpha);
    if dithered {
        lerp(p.dither, cov, 0.0, alpha);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn lerp(plane: &mut [Row], cov: &[Row], s: f32, alpha: f32) {
    for (d, c) in plane.iter_mut().zip(cov) {
        for i in 0..CELL {
            d[i] += (s - d[i]) * (c[i] * alpha);
        }
    }
}

/// The offsets along a gradient of the pixels of a row, the first pixel's centre at `x`: `m·x + row` in two
/// coordinates, whose length it is for a circle; the first of which it is for a line.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn offsets_row(x: f32, m: [f32; 2], row: [f32; 2], radial: bool, out: &mut Row) {
    // The column is a whole number away from the cell's, so every cut into cells sees the same sums.
    if radial {
        for i in 0..CELL {
            let x = x + i as f32;
            let (u, v) = (m[0] * x + row[0], m[1] * x + row[1]);
            out[i] = (u * u + v * v).sqrt();
        }
    } else {
        for i in 0..CELL {
            out[i] = m[0] * (x + i as f32) + row[0];
        }
    }
}

/// The segments that a row's offsets fall into.
pub(super) struct Places {
    index: [i32; CELL],
    fraction: Row,
    /// 1 between the gradient's ends, 0 beyond.
    within: Row,
}

/// Finds the segments of a row's offsets.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn places_row(offsets: &Row) -> Places {
    let mut out = Places { index: [0; CELL], fraction: [0.0; CELL], within: [0.0; CELL] };
    for i in 0..CELL {
        let (segment, fraction, within) = gradient::place(offsets[i]);
        out.index[i] = segment;
        out.fraction[i] = fraction;
        out.within[i] = within;
    }
    out
}

/// Looks up the colours of a row.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn lookup_row(table: &GradientTable, places: &Places, [r, g, b, a]: [&mut Row; 4]) {
    let mut colors = [[0.0_f32; 4]; CELL];
    for i in 0..CELL {
        colors[i] = table.at(places.index[i], places.fraction[i]);
    }
    for i in 0..CELL {
        r[i] = colors[i][0];
        g[i] = colors[i][1];
        b[i] = colors[i][2];
        a[i] = colors[i][3];
    }
}

/// Looks up where bands of a row show.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn banded_row(bands: &gradient::Bands, places: &Places, out: &mut Row) {
    for i in 0..CELL {
        out[i] = bands[gradient::segment(places.index[i])] * places.within[i];
    }
}

/// What a gradient does to the dithering of the pixels under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bands {
    /// Nothing in the cell is dithered, nor is the gradient.
    Untracked,
    /// The gradient isn't, and hides what is.
    None,
    /// Where [`Source::banded`] says so.
    Some,
}

/// Lays a gradient's pixels over rows: `d·(1 − A·cov) + S·cov`.
pub(super) fn blend_source(p: &mut Planes<'_>, cov: &[Row], s: &Source, bands: Bands) {
    over(p.r, cov, &s.r, &s.a);
    over(p.g, cov, &s.g, &s.a);
    over(p.b, cov, &s.b, &s.a);
    match bands {
        Bands::Untracked => {}
        Bands::None => fade(p.dither, cov, &s.a),
        Bands::Some => over_max(p.dither, cov, &s.banded, &s.a),
    }
}

/// The same where coverage and alpha are 1.
pub(super) fn copy_source(p: &mut Planes<'_>, s: &Source, bands: Bands) {
    let rows = p.r.len();
    p.r.copy_from_slice(&s.r[..rows]);
    p.g.copy_from_slice(&s.g[..rows]);
    p.b.copy_from_slice(&s.b[..rows]);
    match bands {
        Bands::Untracked => {}
        Bands::None => p.dither.fill([0.0; CELL]),
        Bands::Some => p.dither.copy_from_slice(&s.banded[..rows]),
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn fade(plane: &mut [Row], cov: &[Row], a: &[Row]) {
    for ((d, c), a) in plane.iter_mut().zip(cov).zip(a) {
        for i in 0..CELL {
            d[i] *= 1.0 - a[i] * c[i];
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn over(plane: &mut [Row], cov: &[Row], s: &[Row], a: &[Row]) {
    for (((d, c), s), a) in plane.iter_mut().zip(cov).zip(s).zip(a) {
        for i in 0..CELL {
            d[i] = d[i] * (1.0 - a[i] * c[i]) + s[i] * c[i];
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn over_max(plane: &mut [Row], cov: &[Row], s: &[Row], a: &[Row]) {
    for (((d, c), s), a) in plane.iter_mut().zip(cov).zip(s).zip(a) {
        for i in 0..CELL {
            d[i] = (d[i] * (1.0 - a[i] * c[i])).max(s[i] * c[i]);
        }
    }
}

/// Bayer's 8 × 8 matrix: the order in which the pixels of a block turn to the next level.
const BAYER: [[u8; 8]; 8] = [
    [0, 32, 8, 40, 2, 34, 10, 42],
    [48, 16, 56, 24, 50, 18, 58, 26],
    [12, 44, 4, 36, 14, 46, 6, 38],
    [60, 28, 52, 20, 62, 30, 54, 22],
    [3, 35, 11, 43, 1, 33, 9, 41],
    [51, 19, 59, 27, 49, 17, 57, 25],
    [15, 47, 7, 39, 13, 45, 5, 37],
    [63, 31, 55, 23, 61, 29, 53, 21],
];

/// What dithering adds to the pixels of row `y`, in levels: above −½ and below ½, so an exact level stays itself.
pub(super) fn dither_row(y: usize) -> Row {
    let row = BAYER[y % 8].map(|b| (f32::from(b) - 31.5) / 64.0);
    std::array::from_fn(|x| row[x % 8])
}

/// One row to bytes: `round(255·v + w·dither)`, ties to even.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn quantise(plane: &Row, weight: Option<&Row>, dither: &Row, out: &mut [u8; CELL]) {
    // Adding 2^23 leaves the rounded integer in the low bits of the float.
    const MAGIC: f32 = 8_388_608.0;
    match weight {
        None => {
            for i in 0..CELL {
                out[i] = ((unit(plane[i]) * 255.0) + MAGIC).to_bits() as u8;
            }
        }
        Some(w) => {
            for i in 0..CELL {
                let v = unit(plane[i]) * 255.0 + w[i] * dither[i];
                out[i] = (v.max(0.0).min(255.0) + MAGIC).to_bits() as u8;
            }
        }
    }
}

/// Three planes of bytes to pixels.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn interleave(r: &[u8; CELL], g: &[u8; CELL], b: &[u8; CELL], out: &mut [u8; CELL * 3]) {
    for i in 0..CELL {
        out[3 * i] = r[i];
        out[3 * i + 1] = g[i];
        out[3 * i + 2] = b[i];
    }
}

/// The box's part of each pixel in a row that starts at `x`.
pub(super) fn box_row(x: f32, x0: f32, x1: f32, out: &mut Row) {
    for (i, c) in out.iter_mut().enumerate() {
        let left = x + i as f32;
        *c = ((left + 1.0).min(x1) - left.max(x0)).max(0.0);
    }
}

/// `row · height`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn scale_row(row: &Row, height: f32, out: &mut Row) {
    for i in 0..CELL {
        out[i] = row[i] * height;
    }
}

/// Cuts a rounded corner: pixels of the row whose centres lie beyond `cx` on the corner's side keep at most
/// `½ − (dist − radius)`. `side` is −1 for a corner on the left, 1 on the right; `dy` the row's distance from the
/// corner's centre.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn corner_row(x: f32, cx: f32, dy: f32, radius: f32, side: f32, out: &mut Row) {
    for i in 0..CELL {
        let dx = (x + i as f32 + 0.5 - cx) * side;
        let dist = (dx * dx + dy * dy).sqrt();
        let cut = unit(radius - dist + 0.5);
        out[i] = if dx > 0.0 { out[i].min(cut) } else { out[i] };
    }
}

/// The coverage of an ellipse in a row: `u0 + i·du` is the pixel's centre in the space where the ellipse is the unit
/// circle, `m` the map's linear part (pixels to that space, row-major).
///
/// The distance is the first-order one, `(|u| − 1)·|u| / |Mᵀu|` (the implicit function over its gradient's length):
/// exact for circles, and good to the second order near the edge of an ellipse.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn ellipse_row(u0: [f32; 2], m: [f32; 4], out: &mut Row) {
    for i in 0..CELL {
        let x = i as f32;
        let (u, v) = (u0[0] + x * m[0], u0[1] + x * m[2]);
        let square = u * u + v * v;
        let len = square.sqrt();
        let (gx, gy) = (m[0] * u + m[2] * v, m[1] * u + m[3] * v);
        let d = (square - len) / (gx * gx + gy * gy).sqrt();
        let edge = unit(0.5 - d);
        // Near the centre the gradient vanishes, but there the shape is at least a pixel thick.
        out[i] = if square < 0.25 { 1.0 } else { edge };
    }
}

/// `out − inner`, not below zero.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn subtract_row(inner: &Row, out: &mut Row) {
    for i in 0..CELL {
        out[i] = (out[i] - inner[i]).max(0.0);
    }
}
