//! Procedural patterns: the value at every point, computed with the same formula by every rasteriser.
//!
//! A pattern has its own space, whose lattice points are the integers; a map takes pixels to it. Randomness comes from
//! integer hashes of lattice points, curves from polynomials and square roots. All formulas are continuous: edges are
//! antialiased over a pixel by their distance, and an object in a lattice cell doesn't end at the cell's border. So a
//! difference in the last bit is never visible. Details smaller than a pixel fade into their mean.

#![allow(clippy::manual_clamp, reason = "max and min make a number of what is none, clamp doesn't")]
#![allow(clippy::needless_range_loop, reason = "several rows are walked in step; this form vectorises")]
#![allow(unsafe_code, reason = "multiversion expands to a call that is guarded by detecting the CPU's features")]

mod noise;

use multiversion::multiversion;

use self::noise::{gradient, hash, value};
use super::gradient::turn;
use super::rows::{CELL, Row, unit};
use crate::scene::{Affine, Pattern, Point};

/// Coordinates of a pattern's space are clamped to this, where neighbouring values still differ.
const FAR: f32 = 65_536.0;
/// Upper limit for the octaves of noise. Each further octave is twice as fine and half as strong.
pub(super) const OCTAVES: usize = 8;

/// A pattern in its own space. `px` is the length of one unit of that space in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PatternField {
    /// The octaves' weights, and the factor for their sum.
    Noise { seed: u32, weights: [f32; OCTAVES], gain: f32 },
    /// `weight` is the remaining strength of the grain.
    Grain { seed: u32, weight: f32 },
    /// Rays around the origin; the first one lies on the u axis.
    Rays { count: f32, px: f32 },
    /// `half` is half a line's width in pixels, `weight` the remaining strength of the lines, `mean` their mean value.
    Contours { seed: u32, levels: f32, half: f32, px: f32, weight: f32, mean: f32 },
    /// The tone at (u, v) is `tone[0]·u + tone[1]·v + tone[2]`.
    Halftone { tone: [f32; 3], px: f32, weight: f32 },
    /// `radius` is in cells.
    Dots { radius: f32, px: f32, weight: f32 },
    /// `radius` is the largest radius in cells, at most 1.
    Stars { seed: u32, radius: f32, px: f32 },
    /// `length` and `amplitude` are in distances between lines; `half` is half a line's width in pixels.
    Waves { length: f32, amplitude: f32, half: f32, px: f32 },
    /// `reach` is the extent of a blob in cells, at most 2.
    Blobs { seed: u32, reach: f32 },
}

/// A pattern, the map from the item's space to its own, and the number of units of that space over which a value rises
/// from 0 to 1 (0 for patterns that don't rise smoothly).
pub(super) type Placed = (PatternField, Affine, f32);

impl PatternField {
    /// Returns the field of `pattern`, where one unit of the item's space is `scale` pixels; `None` if it has no extent
    /// or isn't finite.
    pub fn new(pattern: &Pattern, seed: u32, scale: f32) -> Option<Placed> {
        let cell = |size: f32| (size > 0.0 && size.is_finite()).then(|| (Affine::scale(1.0 / size), size * scale));
        let positive = |v: f32| (v > 0.0).then_some(v);
        let placed = match *pattern {
            Pattern::Noise { size, octaves } => {
                let (map, px) = cell(size)?;
                let octaves = (octaves as usize).clamp(1, OCTAVES);
                let full: [f32; OCTAVES] = std::array::from_fn(|i| if i < octaves { halved(i) } else { 0.0 });
                // Octaves finer than one or two pixels fade out.
                let weights = std::array::from_fn(|i| full[i] * unit((px * halved(i) - 1.0) / 2.0));
                let gain = 3.4 / full.iter().map(|w| w * w).sum::<f32>().sqrt();
                (Self::Noise { seed, weights, gain }, map, 1.0)
            }
            Pattern::Grain { size } => {
                let (map, px) = cell(size)?;
                (Self::Grain { seed, weight: unit(px - 0.25) }, map, 0.0)
            }
            Pattern::Rays { center, count, start } => {
                let (sin, cos) = libm::sincosf(start);
                let map = Affine([cos, -sin, sin, cos, 0.0, 0.0]).after(&Affine::translate(-center.x, -center.y));
                (Self::Rays { count: positive(count as f32)?, px: scale }, map, 0.0)
            }
            Pattern::Contours { size, levels, width } => {
                let (map, px) = cell(size)?;
                let levels = positive(levels as f32)?;
                let half = positive(width)? * scale / 2.0;
                // A hill is about as high as it is wide.
                let mean = unit(2.0 * half * levels / px);
                (Self::Contours { seed, levels, half, px, weight: unit((px - 2.0) / 4.0), mean }, map, 0.0)
            }
            Pattern::Halftone { pitch, from, to } => {
                let (even, px) = cell(pitch)?;
                let c = std::f32::consts::FRAC_1_SQRT_2;
                let map = Affine([c, -c, c, c, 0.0, 0.0]).after(&even);
                let Point { x, y } = Point::new(to.x - from.x, to.y - from.y);
                let square = positive(x * x + y * y)?;
                let (gx, gy) = (x / square * pitch * c, y / square * pitch * c);
                let tone = [gx + gy, gy - gx, -(from.x * x + from.y * y) / square];
                (Self::Halftone { tone, px, weight: dense(px) }, map, 0.0)
            }
            Pattern::Dots { pitch, radius } => {
                let (map, px) = cell(pitch)?;
                (Self::Dots { radius: positive(radius)? / pitch, px, weight: dense(px) }, map, 0.0)
            }
            Pattern::Stars { pitch, radius } => {
                let (map, px) = cell(pitch)?;
                // Only neighbouring cells are searched, so a star with its edge, half a pixel wide, must not extend
                // further.
                let most = (1.0 - 0.5 / px).max(0.0);
                (Self::Stars { seed, radius: (positive(radius)? / pitch).min(most), px }, map, 0.0)
            }
            Pattern::Waves { pitch, length, amplitude, width } => {
                let (map, px) = cell(pitch)?;
                let (length, amplitude) = (positive(length)? / pitch, amplitude / pitch);
                (Self::Waves { length, amplitude, half: positive(width)? * scale / 2.0, px }, map, 0.0)
            }
            Pattern::Blobs { pitch, radius } => {
                let (map, _) = cell(pitch)?;
                let reach = (positive(radius)? / pitch).min(2.0);
                (Self::Blobs { seed, reach }, map, reach)
            }
        };
        placed.0.is_finite().then_some(placed)
    }

    fn is_finite(&self) -> bool {
        let all = |v: &[f32]| v.iter().all(|v| v.is_finite());
        match self {
            Self::Noise { weights, gain, .. } => all(weights) && gain.is_finite(),
            Self::Grain { weight, .. } => weight.is_finite(),
            Self::Rays { count, px } => all(&[*count, *px]),
            Self::Contours { levels, half, px, .. } => all(&[*levels, *half, *px]),
            Self::Halftone { tone, px, .. } => all(tone) && px.is_finite(),
            Self::Dots { radius, px, .. } | Self::Stars { radius, px, .. } => all(&[*radius, *px]),
            Self::Waves { length, amplitude, half, px } => all(&[*length, *amplitude, *half, *px]),
            Self::Blobs { reach, .. } => reach.is_finite(),
        }
    }

    /// Computes the values of the points of a row.
    pub fn row(&self, u: &Row, v: &Row, out: &mut Row) {
        values(self, u, v, out);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn values(field: &PatternField, u: &Row, v: &Row, out: &mut Row) {
    match *field {
        PatternField::Noise { seed, weights, gain } => each(u, v, out, |u, v| noise(u, v, seed, &weights, gain)),
        PatternField::Grain { seed, weight } => each(u, v, out, |u, v| grain(u, v, seed, weight)),
        PatternField::Rays { count, px } => each(u, v, out, |u, v| rays(u, v, count, px)),
        PatternField::Contours { seed, levels, half, px, weight, mean } => {
            each(u, v, out, |u, v| contours(u, v, seed, levels, [half, px], [weight, mean]));
        }
        PatternField::Halftone { tone, px, weight } => each(u, v, out, |u, v| halftone(u, v, tone, px, weight)),
        PatternField::Dots { radius, px, weight } => each(u, v, out, |u, v| discs(u, v, radius, px, weight)),
        PatternField::Stars { seed, radius, px } => each(u, v, out, |u, v| stars(u, v, seed, radius, px)),
        PatternField::Waves { length, amplitude, half, px } => {
            each(u, v, out, |u, v| waves(u, v, [length, amplitude], half, px));
        }
        PatternField::Blobs { seed, reach } if reach <= 1.0 => {
            each(u, v, out, |u, v| blobs::<1>(u, v, seed, reach));
        }
        PatternField::Blobs { seed, reach } => each(u, v, out, |u, v| blobs::<2>(u, v, seed, reach)),
    }
}

#[inline(always)]
fn each(u: &Row, v: &Row, out: &mut Row, value: impl Fn(f32, f32) -> f32) {
    // NaN becomes a number.
    let hold = |v: f32| v.max(-FAR).min(FAR);
    for i in 0..CELL {
        out[i] = value(hold(u[i]), hold(v[i]));
    }
}

/// ½ to the power of `i`.
fn halved(i: usize) -> f32 {
    1.0 / (1_u32 << i) as f32
}

/// Returns how visible discs remain in a grid with cells of `px` pixels.
fn dense(px: f32) -> f32 {
    unit((px - 1.5) / 1.5)
}

/// Maps to the open range from −1 to 1, steepest in the middle.
#[inline(always)]
fn soft(t: f32) -> f32 {
    t / (1.0 + t * t).sqrt()
}

#[inline(always)]
fn noise(u: f32, v: f32, seed: u32, weights: &[f32; OCTAVES], gain: f32) -> f32 {
    let (mut u, mut v, mut sum) = (u, v, 0.0);
    for (i, w) in (0_u32..).zip(weights) {
        if *w > 0.0 {
            sum += w * gradient(u, v, seed.wrapping_add(i))[0];
        }
        // Every octave is rotated, so that no lattice is visible. The ratios 3:4:5 make the rotation exact.
        (u, v) = (1.6 * u - 1.2 * v + 0.37, 1.2 * u + 1.6 * v + 0.71);
    }
    0.5 + 0.5 * soft(sum * gain)
}

#[inline(always)]
fn grain(u: f32, v: f32, seed: u32, weight: f32) -> f32 {
    // Sums two lattices without a common direction.
    let more = value(0.8 * u - 0.6 * v + 0.37, 0.6 * u + 0.8 * v + 0.71, seed.wrapping_add(1));
    let sum = value(u, v, seed) + more - 1.0;
    0.5 + 0.5 * soft(sum * 2.5) * weight
}

#[inline(always)]
fn rays(u: f32, v: f32, count: f32, px: f32) -> f32 {
    let t = turn(u, v) * count + 0.5;
    // Distance from the middle of a ray, where a ray and its gap are one unit.
    let from_middle = (t - t.floor() - 0.5).abs();
    // Width of a ray and its gap in pixels: 2πr divided by the count.
    let pitch = std::f32::consts::TAU * (u * u + v * v).sqrt() * px / count;
    unit(0.5 + (0.25 - from_middle) * pitch)
}

/// Returns how much of a pixel a line covers. Its middle is `d` pixels away, and it is twice `half` pixels thick.
#[inline(always)]
fn line(d: f32, half: f32) -> f32 {
    ((d + 0.5).min(half) - (d - 0.5).max(-half)).max(0.0)
}

/// Returns the same for lines that repeat every `pitch` pixels; their mean if the pitch is small.
#[inline(always)]
fn lines(d: f32, half: f32, pitch: f32) -> f32 {
    let mean = (2.0 * half / pitch.max(1e-6)).min(1.0);
    mean + (line(d, half) - mean) * unit(pitch - 1.0)
}

#[inline(always)]
fn contours(u: f32, v: f32, seed: u32, levels: f32, [half, px]: [f32; 2], [weight, mean]: [f32; 2]) -> f32 {
    let [h, hx, hy] = gradient(u, v, seed);
    let (u, v) = (1.6 * u - 1.2 * v + 0.37, 1.2 * u + 1.6 * v + 0.71);
    let [g, gx, gy] = gradient(u, v, seed.wrapping_add(1));
    let (hx, hy) = (hx + 0.25 * (1.6 * gx + 1.2 * gy), hy + 0.25 * (1.6 * gy - 1.2 * gx));
    // Heights lie between 0 and 1. Lines lie half way between integer levels.
    let level = (0.5 + 0.6 * (h + 0.25 * g)) * levels;
    let slope = 0.6 * levels * (hx * hx + hy * hy).sqrt();
    let from_line = (level - level.floor() - 0.5).abs();
    let pitch = px / slope.max(1e-6);
    mean + (lines(from_line * pitch, half, pitch) - mean) * weight
}

/// Returns how much of a pixel a disc covers; the disc's centre is `d` pixels away.
#[inline(always)]
fn disc(d: f32, radius: f32) -> f32 {
    unit(radius - d + 0.5) * (4.0 * radius * radius).min(1.0)
}

/// Draws discs in the centres of all cells; the radius is in cells.
#[inline(always)]
fn discs(u: f32, v: f32, radius: f32, px: f32, weight: f32) -> f32 {
    let (x, y) = (u - u.floor() - 0.5, v - v.floor() - 0.5);
    let cover = disc((x * x + y * y).sqrt() * px, radius * px);
    // The mean coverage of discs: their area until they touch, then almost linear in the radius.
    let apart = std::f32::consts::PI * radius * radius;
    let touching = std::f32::consts::FRAC_PI_4 + (radius - 0.5) * 1.036_3;
    let mean = unit(if radius < 0.5 { apart } else { touching });
    mean + (cover - mean) * weight
}

#[inline(always)]
fn halftone(u: f32, v: f32, tone: [f32; 3], px: f32, weight: f32) -> f32 {
    // The corners of a cell are half a diagonal from its centre. With half a pixel more, no gap is visible between
    // discs.
    let most = std::f32::consts::FRAC_1_SQRT_2 + 0.5 / px;
    discs(u, v, unit(tone[0] * u + tone[1] * v + tone[2]) * most, px, weight)
}

/// Returns `bits` bits of `h`, from `shift` up, as a fraction from 0 to 1.
#[inline(always)]
fn share(h: u32, shift: u32, bits: u32) -> f32 {
    ((h >> shift) & ((1 << bits) - 1)) as f32 * (1.0 / (1_u32 << bits) as f32)
}

#[inline(always)]
fn stars(u: f32, v: f32, seed: u32, radius: f32, px: f32) -> f32 {
    let (i, j) = (u.floor(), v.floor());
    let mut most = 0.0_f32;
    for dy in -1..=1 {
        for dx in -1..=1 {
            let h = hash(i as i32 + dx, j as i32 + dy, seed);
            let (x, y) = (u - i - dx as f32 - share(h, 0, 10), v - j - dy as f32 - share(h, 10, 10));
            // Few stars are large, and the large ones are bright.
            let rank = share(h, 20, 12);
            let size = rank * rank * rank;
            let star = disc((x * x + y * y).sqrt() * px, radius * px * (0.2 + 0.8 * size));
            most = most.max(star * (0.25 + 0.3 * rank + 0.45 * size));
        }
    }
    most
}

/// Returns the sine of `t` turns, by a Taylor polynomial (error below 2·10⁻⁴).
#[inline(always)]
fn sine(t: f32) -> f32 {
    let t = t - (t + 0.5).floor();
    let folded = if t > 0.25 { 0.5 - t } else { t };
    let x = (if t < -0.25 { -0.5 - t } else { folded }) * std::f32::consts::TAU;
    let s = x * x;
    x * (1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 - s * (1.0 / 5040.0))))
}

#[inline(always)]
fn waves(u: f32, v: f32, [length, amplitude]: [f32; 2], half: f32, px: f32) -> f32 {
    let t = u / length;
    let y = v - amplitude * sine(t);
    let slope = std::f32::consts::TAU * amplitude / length * sine(t + 0.25);
    // The distance across the line, not the vertical one.
    let pitch = px / (1.0 + slope * slope).sqrt();
    let from_line = (y - y.floor() - 0.5).abs();
    lines(from_line * pitch, half, pitch)
}

#[inline(always)]
fn blobs<const CELLS: i32>(u: f32, v: f32, seed: u32, reach: f32) -> f32 {
    let (i, j) = (u.floor(), v.floor());
    let per = 1.0 / (reach * reach);
    let mut left = 1.0;
    for dy in -CELLS..=CELLS {
        for dx in -CELLS..=CELLS {
            let h = hash(i as i32 + dx, j as i32 + dy, seed);
            let (x, y) = (u - i - dx as f32 - share(h, 0, 10), v - j - dy as f32 - share(h, 10, 10));
            let k = (1.0 - (x * x + y * y) * per).max(0.0);
            left *= 1.0 - share(h, 20, 12) * (k * k * k);
        }
    }
    1.0 - left
}
