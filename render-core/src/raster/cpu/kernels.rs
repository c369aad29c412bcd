//! The loops over pixels. Each is compiled for the baseline and for AVX2 and picked at run time; Rust never fuses or
//! reorders float operations, so both give the same bits.
#![allow(clippy::needless_range_loop, reason = "several rows are walked in step; this form vectorises")]
#![allow(clippy::manual_clamp, reason = "max and min make a number of what is none, clamp doesn't")]
#![allow(unsafe_code, reason = "the attribute expands to a call that is guarded by detecting the CPU's features")]

use multiversion::multiversion;

use crate::raster::gradient::{self, GradientTable};
use crate::raster::rows::{CELL, Row, unit};

/// Coordinates of the pixels of a row in a paint's space, the first pixel's centre at `x`: `m·x + row`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn line_row(x: f32, m: f32, row: f32, out: &mut Row) {
    // The column is a whole number away from the cell's, so every cut into cells sees the same sums.
    for i in 0..CELL {
        out[i] = m * (x + i as f32) + row;
    }
}

/// Even steps from `from` at the first pixel to `to` at the last.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn ramp_row(from: f32, to: f32, out: &mut Row) {
    let step = (to - from) * (1.0 / (CELL - 1) as f32);
    for i in 0..CELL {
        out[i] = from + step * i as f32;
    }
}

/// Lengths of (u, v).
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn length_row(u: &Row, v: &Row, out: &mut Row) {
    for i in 0..CELL {
        out[i] = (u[i] * u[i] + v[i] * v[i]).sqrt();
    }
}

/// Angles of (u, v) in turns.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn turn_row(u: &Row, v: &Row, out: &mut Row) {
    for i in 0..CELL {
        out[i] = gradient::turn(u[i], v[i]);
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

/// What dithering adds to the pixels of rows `y` mod 8, in levels: above −½ and below ½, so an exact level stays itself.
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

/// Multiplies by what of each pixel lies between two edges of a picture's window: `step` is a pixel's length along the
/// coordinate `at`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn window_row(at: &Row, from: f32, to: f32, step: f32, out: &mut Row) {
    let per = 1.0 / step.max(1e-30);
    for i in 0..CELL {
        let (left, right) = (((at[i] - from) * per).min(0.5), ((to - at[i]) * per).min(0.5));
        out[i] *= (left + right).max(0.0);
    }
}
