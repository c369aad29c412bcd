//! The blending loops, compiled like those of `kernels`.
#![allow(clippy::needless_range_loop, reason = "several rows are walked in step; this form vectorises")]
#![allow(clippy::manual_clamp, reason = "max and min make a number of what is none, clamp doesn't")]
#![allow(unsafe_code, reason = "the attribute expands to a call that is guarded by detecting the CPU's features")]

use multiversion::multiversion;

use super::surface::{Planes, PlanesRef};
use crate::raster::rows::{CELL, Row};
use crate::scene::BlendMode;

/// Lower limit for the divisor of a dodge or burn: a quarter of an 8-bit level. With it, the quotient of two tiny
/// numbers doesn't depend on their last bits.
const LEAST: f32 = 1.0 / 1024.0;

/// Blends one colour over rows: `d + (s − d)·(cov·alpha)`.
pub(super) fn blend_solid(p: &mut Planes<'_>, cov: &[Row], [r, g, b]: [f32; 3], alpha: f32, dithered: bool) {
    lerp(p.r, cov, r, alpha);
    lerp(p.g, cov, g, alpha);
    lerp(p.b, cov, b, alpha);
    if let Some(a) = &mut p.a {
        lerp(a, cov, 1.0, alpha);
    }
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

/// How a source changes the dithering of the pixels under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bands {
    /// Neither the cell nor the source is dithered.
    Untracked,
    /// The source isn't dithered, and hides pixels that are.
    None,
    /// The source's dither plane tells which pixels are dithered.
    Some,
}

impl Bands {
    /// Returns the case for a cell with or without a dither plane and a source with or without one.
    pub fn of(dithered: bool, banded: bool) -> Self {
        match (dithered, banded) {
            (true, true) => Self::Some,
            (true, false) => Self::None,
            (false, _) => Self::Untracked,
        }
    }
}

/// Blends a source's pixels over rows: `d·(1 − A·cov) + S·cov`.
pub(super) fn blend_source(p: &mut Planes<'_>, cov: &[Row], s: &PlanesRef<'_>, bands: Bands) {
    over(p.r, cov, s.r, s.a);
    over(p.g, cov, s.g, s.a);
    over(p.b, cov, s.b, s.a);
    if let Some(a) = &mut p.a {
        over(a, cov, s.a, s.a);
    }
    match bands {
        Bands::Untracked => {}
        Bands::None => fade(p.dither, cov, s.a),
        Bands::Some => over_held(p.dither, cov, s.dither, s.a),
    }
}

/// The same if coverage and alpha are 1.
pub(super) fn copy_source(p: &mut Planes<'_>, s: &PlanesRef<'_>, bands: Bands) {
    p.r.copy_from_slice(s.r);
    p.g.copy_from_slice(s.g);
    p.b.copy_from_slice(s.b);
    if let Some(a) = &mut p.a {
        a.fill([1.0; CELL]);
    }
    match bands {
        Bands::Untracked => {}
        Bands::None => p.dither.fill([0.0; CELL]),
        Bands::Some => p.dither.copy_from_slice(s.dither),
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
fn over_held(plane: &mut [Row], cov: &[Row], s: &[Row], a: &[Row]) {
    for (((d, c), s), a) in plane.iter_mut().zip(cov).zip(s).zip(a) {
        for i in 0..CELL {
            d[i] = (d[i] * (1.0 - a[i] * c[i]) + s[i] * c[i]).min(1.0);
        }
    }
}

/// Blends a source's pixels over rows with a separable mode (W3C Compositing and Blending Level 1, 5.8): with α = A·cov
/// and the backdrop's alpha β, `d·(1 − α) + S·cov·(1 − β) + αβ·B(d/β, S/A)`. The backdrop stays visible, so its pixels
/// stay marked for dithering.
pub(super) fn blend_mode(p: &mut Planes<'_>, cov: &[Row], s: &PlanesRef<'_>, mode: BlendMode, bands: Bands) {
    let ones = [[1.0; CELL]];
    for y in 0..cov.len() {
        let beta = p.a.as_ref().map_or(&ones[0], |a| &a[y]);
        mix_row(&mut p.r[y], beta, &cov[y], &s.r[y], &s.a[y], mode);
        mix_row(&mut p.g[y], beta, &cov[y], &s.g[y], &s.a[y], mode);
        mix_row(&mut p.b[y], beta, &cov[y], &s.b[y], &s.a[y], mode);
    }
    if let Some(a) = &mut p.a {
        over(a, cov, s.a, s.a);
    }
    if bands == Bands::Some {
        add_held(p.dither, cov, s.dither);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn add_held(plane: &mut [Row], cov: &[Row], s: &[Row]) {
    for ((d, c), s) in plane.iter_mut().zip(cov).zip(s) {
        for i in 0..CELL {
            d[i] = (d[i] + s[i] * c[i]).min(1.0);
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn mix_row(d: &mut Row, beta: &Row, cov: &Row, s: &Row, a: &Row, mode: BlendMode) {
    match mode {
        BlendMode::Normal => each(d, beta, cov, s, a, |_, s| s),
        BlendMode::Multiply => each(d, beta, cov, s, a, |d, s| d * s),
        BlendMode::Screen => each(d, beta, cov, s, a, screen),
        BlendMode::Overlay => each(d, beta, cov, s, a, |d, s| hard_light(s, d)),
        BlendMode::Darken => each(d, beta, cov, s, a, f32::min),
        BlendMode::Lighten => each(d, beta, cov, s, a, f32::max),
        BlendMode::ColorDodge => each(d, beta, cov, s, a, |d, s| (d / (1.0 - s).max(LEAST)).min(1.0)),
        BlendMode::ColorBurn => each(d, beta, cov, s, a, |d, s| 1.0 - ((1.0 - d) / s.max(LEAST)).min(1.0)),
        BlendMode::HardLight => each(d, beta, cov, s, a, hard_light),
        BlendMode::SoftLight => each(d, beta, cov, s, a, soft_light),
        BlendMode::Difference => each(d, beta, cov, s, a, |d, s| (d - s).abs()),
        BlendMode::Exclusion => each(d, beta, cov, s, a, |d, s| d + s - 2.0 * d * s),
    }
}

#[inline(always)]
fn each(d: &mut Row, beta: &Row, cov: &Row, s: &Row, a: &Row, mode: impl Fn(f32, f32) -> f32) {
    for i in 0..CELL {
        let alpha = a[i] * cov[i];
        let under = (d[i] / beta[i].max(1e-9)).min(1.0);
        let color = (s[i] / a[i].max(1e-9)).min(1.0);
        d[i] = d[i] * (1.0 - alpha) + s[i] * cov[i] * (1.0 - beta[i]) + alpha * beta[i] * mode(under, color);
    }
}

#[inline(always)]
fn screen(d: f32, s: f32) -> f32 {
    d + s - d * s
}

#[inline(always)]
fn hard_light(d: f32, s: f32) -> f32 {
    if s <= 0.5 { d * (2.0 * s) } else { screen(d, 2.0 * s - 1.0) }
}

#[inline(always)]
fn soft_light(d: f32, s: f32) -> f32 {
    let light = if d <= 0.25 { ((16.0 * d - 12.0) * d + 4.0) * d } else { d.max(0.0).sqrt() };
    let darker = d - (1.0 - 2.0 * s) * d * (1.0 - d);
    let lighter = d + (2.0 * s - 1.0) * (light - d);
    if s <= 0.5 { darker } else { lighter }
}

/// Writes `rows · by`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn scale(rows: &[Row], by: f32, out: &mut [Row]) {
    for (out, row) in out.iter_mut().zip(rows) {
        for i in 0..CELL {
            out[i] = row[i] * by;
        }
    }
}
