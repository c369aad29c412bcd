//! Gradients as tables: stops are interpolated once in OKLab with premultiplied alpha, and pixels look the result up.

use super::rows::unit;
use crate::scene::{Color, Stop};

/// Segments of a table. Colours within a segment are interpolated in encoded sRGB. With this many segments, a hard stop
/// is about one pixel wide on the longest canvas.
pub(super) const SEGMENTS: usize = 4096;
/// Only every so many segments is a colour computed exactly, except where a stop lies between.
const COARSE: usize = 4;
/// A step of one 8-bit level is visible as a band if it is wider than this many pixels.
pub(super) const BAND_PX: f32 = 8.0;

/// For each segment, 1 if its bands would be visible, else 0.
pub(super) type Bands = [f32; SEGMENTS];

/// A gradient from offset 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GradientTable {
    /// Premultiplied encoded sRGB and alpha at offset `i / SEGMENTS`.
    pub colors: Box<[[f32; 4]; SEGMENTS + 1]>,
    /// 8-bit levels per unit of offset in each segment, of the channel that changes fastest.
    pub slope: Box<[f32; SEGMENTS]>,
    /// Second differences of the colours, summed up to each entry.
    bend: Box<[f32; SEGMENTS]>,
    /// Whether every colour is opaque.
    pub opaque: bool,
}

/// Colours this close to a straight line count as straight: a fiftieth of an 8-bit level.
const STRAIGHT: f32 = 0.02 / 255.0;

impl GradientTable {
    /// Builds the table of `stops`; `None` if there are none. Offsets are clamped to 0–1, and an offset below the
    /// previous one is raised to it.
    pub fn new(stops: &[Stop]) -> Option<Self> {
        let mut reached = 0.0_f32;
        let stops: Vec<(f32, [f32; 4])> = stops
            .iter()
            .map(|s| {
                reached = s.offset.clamp(0.0, 1.0).max(reached);
                // NaN becomes 0.
                let [r, g, b, a] = [s.color.r, s.color.g, s.color.b, s.color.a].map(unit);
                let lab = Color { r, g, b, a }.to_oklab();
                (reached, [lab[0] * a, lab[1] * a, lab[2] * a, a])
            })
            .collect();
        let (first, last) = (*stops.first()?, *stops.last()?);
        let mut colors = Box::new([[0.0; 4]; SEGMENTS + 1]);
        let mut next = 0;
        let mut color = |i: usize| {
            let t = i as f32 / SEGMENTS as f32;
            while next < stops.len() && stops[next].0 <= t {
                next += 1;
            }
            premultiplied(if next == 0 {
                first.1
            } else if next == stops.len() {
                last.1
            } else {
                let ((t0, p), (t1, q)) = (stops[next - 1], stops[next]);
                let f = (t - t0) / (t1 - t0);
                std::array::from_fn(|c| p[c] + (q[c] - p[c]) * f)
            })
        };
        colors[0] = color(0);
        let mut fine = [false; SEGMENTS / COARSE];
        for from in (0..SEGMENTS).step_by(COARSE) {
            let to = from + COARSE;
            // A stop on the last entry may be a hard stop, whose step begins right before it.
            let inside = |t: f32| t * SEGMENTS as f32 > from as f32 && t * SEGMENTS as f32 <= to as f32;
            fine[from / COARSE] = stops.iter().any(|(t, _)| inside(*t));
            if fine[from / COARSE] {
                for i in from + 1..=to {
                    colors[i] = color(i);
                }
            } else {
                let (p, q) = (colors[from], color(to));
                for i in from + 1..=to {
                    let f = (i - from) as f32 / COARSE as f32;
                    colors[i] = std::array::from_fn(|c| p[c] + (q[c] - p[c]) * f);
                }
            }
        }
        let slope = std::array::from_fn(|i| {
            let step = (0..4).map(|c| (colors[i + 1][c] - colors[i][c]).abs()).fold(0.0, f32::max);
            step * 255.0 * SEGMENTS as f32
        });
        let mut bend = Box::new([0.0; SEGMENTS]);
        for i in 1..SEGMENTS {
            // Between interpolated entries, the second difference is only rounding error, which would add up.
            let step = match (fine[(i - 1) / COARSE] || fine[i / COARSE], i % COARSE == 0) {
                (true, _) => 1,
                (false, true) => COARSE,
                (false, false) => {
                    bend[i] = bend[i - 1];
                    continue;
                }
            };
            let turn = (0..4).map(|c| (colors[i + step][c] - 2.0 * colors[i][c] + colors[i - step][c]).abs());
            bend[i] = bend[i - 1] + turn.fold(0.0, f32::max) / step as f32;
        }
        let opaque = colors.iter().all(|c| c[3] == 1.0);
        Some(Self { colors, slope: Box::new(slope), bend, opaque })
    }

    /// Returns the segments between offset `from` and a higher offset `to` if the colours between may be interpolated
    /// from those two alone. The range must not contain an end of the gradient in its interior.
    pub fn straight(&self, from: f32, to: f32) -> Option<std::ops::RangeInclusive<usize>> {
        let within = from > 0.0 && to < 1.0;
        if !(within || to <= 0.0 || from >= 1.0) {
            return None;
        }
        let (first, last) = (segment(place(from).0), segment(place(to).0));
        // A chord over n segments misses a corner by at most n/4 times the corner's second difference.
        let miss = (self.bend[last] - self.bend[first]) * (last - first + 1) as f32 * 0.25;
        (miss < STRAIGHT).then_some(first..=last)
    }

    /// Returns the memory that the table takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.colors) + size_of_val(&*self.slope) + size_of_val(&*self.bend)
    }

    /// Returns where bands would be visible on a gradient of `length` pixels: 1 for each such segment, else 0. Returns
    /// `None` if there are no such segments.
    pub fn bands(&self, length: f32) -> Option<Bands> {
        let banded = |slope: f32| slope > 0.0 && slope * BAND_PX < length;
        self.slope
            .iter()
            .any(|&s| banded(s))
            .then(|| std::array::from_fn(|i| if banded(self.slope[i]) { 1.0 } else { 0.0 }))
    }

    /// Returns the colour at offset `t`.
    pub fn color(&self, t: f32) -> [f32; 4] {
        let (index, fraction, _) = place(t);
        self.at(index, fraction)
    }

    /// Returns the colour at a fraction of a segment.
    #[inline]
    pub fn at(&self, index: i32, fraction: f32) -> [f32; 4] {
        let i = segment(index);
        let (p, q) = (self.colors[i], self.colors[i + 1]);
        std::array::from_fn(|c| p[c] + (q[c] - p[c]) * fraction)
    }
}

/// Repeats the bounds that [`place`] ensures, so that the compiler drops the bounds checks.
#[inline]
pub(super) fn segment(index: i32) -> usize {
    index as usize & (SEGMENTS - 1)
}

/// Returns the segment that contains offset `t`, the fraction within it, and 1 if `t` lies between the ends, beyond
/// which the colour is flat.
#[inline]
pub(super) fn place(t: f32) -> (i32, f32, f32) {
    // If `t` is NaN, `min` returns the end.
    let f = (t.clamp(0.0, 1.0) * SEGMENTS as f32).min(SEGMENTS as f32 - 1.0 / 1024.0);
    let i = f as i32;
    (i, f - i as f32, if (t > 0.0) & (t < 1.0) { 1.0 } else { 0.0 })
}

/// Returns the angle of (u, v) from the u axis towards the v axis, in turns from 0 to 1. The arc tangent is an odd
/// minimax polynomial of degree 11 (error below 2·10⁻⁶ turns).
#[inline]
pub(super) fn turn(u: f32, v: f32) -> f32 {
    let (x, y) = (u.abs(), v.abs());
    let a = x.min(y) / x.max(y).max(1e-30);
    let s = a * a;
    let p = 0.052_653_32 + s * -0.011_721_2;
    let p = -0.116_432_87 + s * p;
    let p = 0.193_543_46 + s * p;
    let p = -0.332_623_47 + s * p;
    let p = 0.999_977_26 + s * p;
    let eighth = a * p * (0.5 * std::f32::consts::FRAC_1_PI);
    let quarter = if y > x { 0.25 - eighth } else { eighth };
    let half = if u < 0.0 { 0.5 - quarter } else { quarter };
    if v < 0.0 { 1.0 - half } else { half }
}

/// Antialiases the seam of a conic gradient over one pixel; its end meets its start on the positive u axis. Returns how
/// much of the seam the pixel at (u, v) shows, and the offsets before and after the seam with the share of the latter.
/// `du` and `dv` are the length of one pixel along each axis.
#[inline]
pub(super) fn seam(u: f32, v: f32, du: f32, dv: f32) -> Option<(f32, [f32; 2], f32)> {
    let across = v / dv;
    let along = unit(u / du + 0.5);
    if !(across.abs() < 0.5 && along > 0.0) {
        return None;
    }
    // From −½ to ½.
    let t = turn(u, v);
    let signed = if t > 0.5 { t - 1.0 } else { t };
    Some((along, [1.0 + signed.min(0.0), signed.max(0.0)], across + 0.5))
}

/// Converts OKLab times alpha to encoded sRGB times alpha.
pub(crate) fn premultiplied([l, a, b, alpha]: [f32; 4]) -> [f32; 4] {
    if alpha <= 0.0 || alpha.is_nan() {
        return [0.0; 4];
    }
    let c = Color::from_oklab([l / alpha, a / alpha, b / alpha]);
    [c.r * alpha, c.g * alpha, c.b * alpha, alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(offset: f32, color: Color) -> Stop {
        Stop { offset, color }
    }

    fn banded(table: &GradientTable, length: f32, t: f32) -> bool {
        let (index, _, within) = place(t);
        table.bands(length).is_some_and(|b| b[segment(index)] * within == 1.0)
    }

    #[test]
    fn ends_are_the_stops() {
        let (a, b) = (Color::hex(0xFF4D14), Color::hex(0x0E3B36));
        let table = GradientTable::new(&[stop(0.0, a), stop(1.0, b)]).unwrap();
        for (t, c) in [(-1.0, a), (0.0, a), (1.0, b), (7.0, b)] {
            let [r, g, bl, al] = table.color(t);
            assert_eq!(Color { r, g, b: bl, a: al }.to_rgba8(), c.to_rgba8());
            assert!(!banded(&table, 1e5, t), "flat colour beyond the ends is never dithered");
        }
    }

    #[test]
    fn hard_stops_are_a_step_and_narrow_ones_are_seen() {
        let [a, b, c] = [0xFF4D14, 0x0E3B36, 0xFFFFFF].map(Color::hex);
        // One of the hard stops lies on an entry of the table.
        for at in [0.3, 0.5] {
            let hard = GradientTable::new(&[stop(0.0, a), stop(at, a), stop(at, b), stop(1.0, b)]).unwrap();
            for (t, c) in [(at - 3e-4, a), (at + 3e-4, b)] {
                let red = hard.color(t)[0];
                assert!((red - c.r).abs() < 1e-4, "{red} at {t}");
            }
        }
        let line = [stop(0.0, a), stop(0.5, a), stop(0.5005, c), stop(0.501, a), stop(1.0, a)];
        let line = GradientTable::new(&line).unwrap();
        assert!(line.color(0.5005)[2] > 0.9, "{:?}", line.color(0.5005));
    }

    #[test]
    fn fading_out_keeps_the_colour() {
        let red = Color::hex(0xFF0000);
        let table = GradientTable::new(&[stop(0.0, red), stop(1.0, Color::WHITE.alpha(0.0))]).unwrap();
        let [r, g, _, a] = table.color(0.5);
        assert!((a - 0.5).abs() < 1e-3 && (r / a - 1.0).abs() < 1e-2 && g / a < 0.02, "{r} {g} {a}");
    }

    #[test]
    fn only_wide_bands_are_dithered() {
        let table = GradientTable::new(&[stop(0.0, Color::BLACK), stop(1.0, Color::WHITE)]).unwrap();
        assert!(!banded(&table, 1000.0, 0.5), "four pixels a level don't band");
        assert!(banded(&table, 4000.0, 0.5));
        let flat = GradientTable::new(&[stop(0.0, Color::BLACK), stop(1.0, Color::BLACK)]).unwrap();
        assert!(flat.bands(1e6).is_none());
    }

    #[test]
    fn turns_are_angles() {
        for i in 0..4000 {
            let angle = (f64::from(i) + 0.5) / 4000.0;
            let (sin, cos) = libm::sincos(angle * std::f64::consts::TAU);
            for r in [1e-3, 1.0, 4e4] {
                let got = f64::from(turn((cos * r) as f32, (sin * r) as f32));
                assert!((got - angle).abs() < 1e-5, "{angle}: {got}");
            }
        }
        assert_eq!([turn(1.0, 0.0), turn(0.0, 1.0), turn(-1.0, 0.0), turn(0.0, -1.0)], [0.0, 0.25, 0.5, 0.75]);
    }

    #[test]
    fn wild_stops_dont_panic() {
        for o in [f32::NAN, f32::INFINITY, -3.0] {
            let c = Color { r: f32::NAN, g: 1e30, b: -4.0, a: 0.5 };
            let table = GradientTable::new(&[stop(o, c), stop(0.5, Color::WHITE), stop(o, c)]).unwrap();
            let _ = (table.color(f32::NAN), table.bands(f32::NAN), table.opaque);
            assert!(table.colors.iter().flatten().all(|v| (0.0..=1.0).contains(v)));
        }
        assert!(GradientTable::new(&[]).is_none());
    }
}
