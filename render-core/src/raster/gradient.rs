//! Gradients as tables: stops are interpolated once in OKLab with premultiplied alpha, pixels look the result up.

use crate::scene::{Color, Stop};

/// Segments of a table. Colours within a segment are interpolated in encoded sRGB.
pub(super) const SEGMENTS: usize = 1024;
/// A step of one 8-bit level is visible as a band where it is wider than this many pixels.
pub(super) const BAND_PX: f32 = 8.0;

/// A gradient from offset 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GradientTable {
    /// Encoded sRGB multiplied by alpha, and alpha, at offset `i / SEGMENTS`.
    pub colors: Box<[[f32; 4]; SEGMENTS + 1]>,
    /// 8-bit levels per unit of offset in each segment: the fastest channel's.
    pub slope: Box<[f32; SEGMENTS]>,
}

impl GradientTable {
    /// The table of `stops`, or `None` where there are none. Offsets outside 0–1 are clamped, falling ones raised to
    /// the one before.
    pub fn new(stops: &[Stop]) -> Option<Self> {
        let mut reached = 0.0_f32;
        let stops: Vec<(f32, [f32; 4])> = stops
            .iter()
            .map(|s| {
                reached = s.offset.clamp(0.0, 1.0).max(reached);
                let a = s.color.a.clamp(0.0, 1.0);
                let lab = s.color.to_oklab();
                (reached, [lab[0] * a, lab[1] * a, lab[2] * a, a])
            })
            .collect();
        let (first, last) = (*stops.first()?, *stops.last()?);
        let mut colors = Box::new([[0.0; 4]; SEGMENTS + 1]);
        let mut next = 0;
        for (i, out) in colors.iter_mut().enumerate() {
            let t = i as f32 / SEGMENTS as f32;
            while next < stops.len() && stops[next].0 <= t {
                next += 1;
            }
            *out = premultiplied(if next == 0 {
                first.1
            } else if next == stops.len() {
                last.1
            } else {
                let ((t0, p), (t1, q)) = (stops[next - 1], stops[next]);
                let f = (t - t0) / (t1 - t0);
                std::array::from_fn(|c| p[c] + (q[c] - p[c]) * f)
            });
        }
        let slope = std::array::from_fn(|i| {
            let step = (0..4).map(|c| (colors[i + 1][c] - colors[i][c]).abs()).fold(0.0, f32::max);
            step * 255.0 * SEGMENTS as f32
        });
        Some(Self { colors, slope: Box::new(slope) })
    }

    /// The colour at `t` and whether its bands would show on a gradient `length` pixels long.
    #[inline]
    pub fn at(&self, t: f32, length: f32) -> ([f32; 4], bool) {
        let f = (t.clamp(0.0, 1.0) * SEGMENTS as f32).min(SEGMENTS as f32 - 1.0 / 1024.0);
        // The mask says what `min` ensured, and spares the bounds checks.
        let i = f as usize & (SEGMENTS - 1);
        let (p, q, f) = (self.colors[i], self.colors[i + 1], f - i as f32);
        let slope = self.slope[i];
        let banded = slope > 0.0 && slope * BAND_PX < length && t > 0.0 && t < 1.0;
        (std::array::from_fn(|c| p[c] + (q[c] - p[c]) * f), banded)
    }
}

/// Encoded sRGB times alpha from OKLab times alpha.
fn premultiplied([l, a, b, alpha]: [f32; 4]) -> [f32; 4] {
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

    #[test]
    fn ends_are_the_stops() {
        let (a, b) = (Color::hex(0xFF4D14), Color::hex(0x0E3B36));
        let table = GradientTable::new(&[stop(0.0, a), stop(1.0, b)]).unwrap();
        for (t, c) in [(-1.0, a), (0.0, a), (1.0, b), (7.0, b)] {
            let ([r, g, bl, al], banded) = table.at(t, 5000.0);
            assert_eq!(Color { r, g, b: bl, a: al }.to_rgba8(), c.to_rgba8());
            assert!(!banded, "flat colour beyond the ends is never dithered");
        }
    }

    #[test]
    fn fading_out_keeps_the_colour() {
        let red = Color::hex(0xFF0000);
        let table = GradientTable::new(&[stop(0.0, red), stop(1.0, Color::WHITE.alpha(0.0))]).unwrap();
        let ([r, g, _, a], _) = table.at(0.5, 100.0);
        assert!((a - 0.5).abs() < 1e-3 && (r / a - 1.0).abs() < 1e-2 && g / a < 0.02, "{r} {g} {a}");
    }

    #[test]
    fn only_wide_bands_are_dithered() {
        let table = GradientTable::new(&[stop(0.0, Color::BLACK), stop(1.0, Color::WHITE)]).unwrap();
        assert!(!table.at(0.5, 1000.0).1, "four pixels a level don't band");
        assert!(table.at(0.5, 4000.0).1);
        let flat = GradientTable::new(&[stop(0.0, Color::BLACK), stop(1.0, Color::BLACK)]).unwrap();
        assert!(!flat.at(0.5, 1e6).1);
    }

    #[test]
    fn wild_stops_dont_panic() {
        for o in [f32::NAN, f32::INFINITY, -3.0] {
            let c = Color { r: f32::NAN, g: 1e30, b: -4.0, a: 0.5 };
            let table = GradientTable::new(&[stop(o, c), stop(0.5, Color::WHITE), stop(o, c)]).unwrap();
            let _ = table.at(f32::NAN, f32::NAN);
        }
        assert!(GradientTable::new(&[]).is_none());
    }
}
