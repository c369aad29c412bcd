//! The per-pixel loops. Each is compiled for the baseline and for AVX2, and selected at run time. Rust never fuses or
//! reorders float operations, so both give the same bits.
#![allow(clippy::needless_range_loop, reason = "several rows are walked in step; this form vectorises")]
#![allow(clippy::manual_clamp, reason = "max and min make a number of what is none, clamp doesn't")]
#![allow(unsafe_code, reason = "the attribute expands to a call that is guarded by detecting the CPU's features")]

use multiversion::multiversion;

use crate::raster::gradient::{self, GradientTable};
use crate::raster::rows::{CELL, Row, unit};

/// Computes coordinates of a row's pixels in a paint's space: `m·x + row`, the first pixel's centre being at `x`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn line_row(x: f32, m: f32, row: f32, out: &mut Row) {
    // The column is a whole number from the cell's first column, so the sums don't depend on the division into cells.
    for i in 0..CELL {
        out[i] = m * (x + i as f32) + row;
    }
}

/// Interpolates evenly from `from` at the first pixel to `to` at the last.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn ramp_row(from: f32, to: f32, out: &mut Row) {
    let step = (to - from) * (1.0 / (CELL - 1) as f32);
    for i in 0..CELL {
        out[i] = from + step * i as f32;
    }
}

/// Computes the lengths of (u, v).
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn length_row(u: &Row, v: &Row, out: &mut Row) {
    for i in 0..CELL {
        out[i] = (u[i] * u[i] + v[i] * v[i]).sqrt();
    }
}

/// Computes the angles of (u, v) in turns.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn turn_row(u: &Row, v: &Row, out: &mut Row) {
    for i in 0..CELL {
        out[i] = gradient::turn(u[i], v[i]);
    }
}

/// The table segments of a row's offsets.
pub(super) struct Places {
    index: [i32; CELL],
    fraction: Row,
    /// 1 between the gradient's ends, 0 outside.
    within: Row,
}

/// Finds the table segments of a row's offsets.
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

/// Looks up where the bands of a row are visible.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn banded_row(bands: &gradient::Bands, places: &Places, out: &mut Row) {
    for i in 0..CELL {
        out[i] = bands[gradient::segment(places.index[i])] * places.within[i];
    }
}

/// Bayer's 8 × 8 matrix: the order in which the pixels of a block switch to the next level.
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

/// The dither that is added to the pixels of rows `y` mod 8, in levels: above −½ and below ½, so an exact level is
/// unchanged.
pub(super) static DITHER: [Row; 8] = {
    let mut out = [[0.0; CELL]; 8];
    let mut i = 0;
    while i < 8 * CELL {
        let (y, x) = (i / CELL, i % CELL);
        out[y][x] = (BAYER[y][x % 8] as f32 - 31.5) / 64.0;
        i += 1;
    }
    out
};

/// Quantises one row to bytes: `round(255·v + w·dither)`, ties to even.
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

/// Interleaves three planes of bytes to pixels.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn interleave(r: &[u8; CELL], g: &[u8; CELL], b: &[u8; CELL], out: &mut [u8; CELL * 3]) {
    for i in 0..CELL {
        out[3 * i] = r[i];
        out[3 * i + 1] = g[i];
        out[3 * i + 2] = b[i];
    }
}

/// Computes how much of each pixel the box covers, in a row that starts at `x`.
pub(super) fn box_row(x: f32, x0: f32, x1: f32, out: &mut Row) {
    for (i, c) in out.iter_mut().enumerate() {
        let left = x + i as f32;
        *c = ((left + 1.0).min(x1) - left.max(x0)).max(0.0);
    }
}

/// Writes `row · height`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn scale_row(row: &Row, height: f32, out: &mut Row) {
    for i in 0..CELL {
        out[i] = row[i] * height;
    }
}

/// Cuts a rounded corner: pixels of the row with centres beyond `cx` on the corner's side are limited to `½ − (dist −
/// radius)`. `side` is −1 for a corner on the left, 1 for one on the right; `dy` is the row's distance from the
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

/// Computes the coverage of an ellipse in a row. `u0 + i·du` is the pixel's centre in the space where the ellipse is
/// the unit circle; `m` is the map's linear part (pixels to that space, row-major).
///
/// The distance is the first-order approximation `(|u| − 1)·|u| / |Mᵀu|` (the implicit function divided by the length
/// of its gradient). It is exact for circles, and accurate to second order near the edge of an ellipse.
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
        // Near the centre, the gradient vanishes, but there the shape is at least one pixel thick.
        out[i] = if square < 0.25 { 1.0 } else { edge };
    }
}

/// Writes `out − inner`, clamped at zero.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn subtract_row(inner: &Row, out: &mut Row) {
    for i in 0..CELL {
        out[i] = (out[i] - inner[i]).max(0.0);
    }
}

/// Multiplies by the part of each pixel that lies between two edges of a picture's window. `step` is the length of a
/// pixel along the coordinate `at`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn window_row(at: &Row, from: f32, to: f32, step: f32, out: &mut Row) {
    let per = 1.0 / step.max(1e-30);
    for i in 0..CELL {
        let (left, right) = (((at[i] - from) * per).min(0.5), ((to - at[i]) * per).min(0.5));
        out[i] *= (left + right).max(0.0);
    }
}
