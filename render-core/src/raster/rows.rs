//! Rows and cells of pixels, on which coverage is computed. The loops are compiled for the baseline and for AVX2, and
//! selected at run time. Rust never fuses or reorders float operations, so both give the same bits.
#![allow(clippy::needless_range_loop, reason = "several rows are walked in step; this form vectorises")]
#![allow(clippy::manual_clamp, reason = "max and min make a number of what is none, clamp doesn't")]
#![allow(unsafe_code, reason = "the attribute expands to a call that is guarded by detecting the CPU's features")]

use multiversion::multiversion;

use crate::scene::FillRule;

/// Width of a cell in pixels. A power of two and a multiple of the dither's 8.
pub(super) const CELL: usize = 64;

/// One row of one cell.
pub(super) type Row = [f32; CELL];

/// How much of a cell a shape covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// No pixel of the cell is covered.
    None,
    /// All pixels are fully covered.
    Whole,
    /// Some pixels may be covered; each has to be computed.
    Some,
}

/// Clamps to 0–1; NaN becomes 0.
#[inline]
pub(super) fn unit(v: f32) -> f32 {
    v.max(0.0).min(1.0)
}

/// Interpolates between two rows, `from + (to − from)·f`, then scales the result around ½ by `stretch` and clamps it to
/// 0–1.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn mix_rows(from: &Row, to: &Row, f: f32, stretch: f32, out: &mut Row) {
    for i in 0..CELL {
        let v = from[i] + (to[i] - from[i]) * f;
        out[i] = unit((v - 0.5) * stretch + 0.5);
    }
}

/// Turns signed areas into coverage: a running sum along each row that starts at `sum` and updates it.
pub(super) fn integrate(sum: &mut f32, area: &[f32], rule: FillRule, cov: &mut Row) {
    match rule {
        FillRule::NonZero => {
            for (c, a) in cov.iter_mut().zip(area) {
                *sum += a;
                *c = winding_coverage(*sum, FillRule::NonZero);
            }
        }
        FillRule::EvenOdd => {
            for (c, a) in cov.iter_mut().zip(area) {
                *sum += a;
                *c = winding_coverage(*sum, FillRule::EvenOdd);
            }
        }
    }
}

/// Returns the coverage for a signed area: `min(|sum|, 1)`, or the distance from the nearest even number. Values within
/// half a thousandth of either end become exact.
#[inline]
pub(super) fn winding_coverage(sum: f32, rule: FillRule) -> f32 {
    let inside = match rule {
        FillRule::NonZero => sum.abs(),
        FillRule::EvenOdd => (sum - 2.0 * (sum * 0.5 + 0.5).floor()).abs(),
    };
    unit(inside * 1.001 - 0.0005)
}
