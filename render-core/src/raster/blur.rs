//! Gaussian blurs: the parameters that both rasterisers use.
//!
//! A wide blur first reduces the picture, each texel being the mean of `2^k × 2^k` pixels, and enlarges it bilinearly
//! afterwards. The mean and the enlargement blur too. The Gaussian between them is narrower by their variances, so that
//! all variances add up to the requested one.

use super::gradient::BAND_PX;
use super::pixels::{PixelBox, grow, meet};

/// The deviation in the reduced picture stays below this. Half of it still leaves so wide a Gaussian that the reduction
/// is invisible.
const WIDEST: f32 = 8.0;
/// A level that is wider than this many pixels is not visible as a band.
const FLAT_PX: f32 = 1024.0;

/// Below this deviation in texels, samples of a Gaussian are too far apart to reproduce its variance.
const NARROW: f32 = 1.0;

/// Fills `out` with the integrals of a Gaussian over a texel and over its neighbours. The deviation is chosen so that
/// the variance of these weights is the square of `sigma`, because integrating over whole texels adds variance.
fn integrated(sigma: f32, out: &mut [f32]) {
    let share = |deviation: f64, i: usize| {
        let below = |x: f64| 0.5 * libm::erfc(-x / (deviation * std::f64::consts::SQRT_2));
        below(i as f64 + 0.5) - below(i as f64 - 0.5)
    };
    let reach = out.len() - 1;
    let variance = |deviation: f64| {
        let (sum, square) = (1..=reach).fold((0.0, 0.0), |(sum, square), i| {
            let w = share(deviation, i);
            (sum + 2.0 * w, square + 2.0 * w * (i * i) as f64)
        });
        square / (share(deviation, 0) + sum)
    };
    let want = f64::from(sigma) * f64::from(sigma);
    let (mut low, mut high) = (0.01, 1.5);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if variance(middle) < want { low = middle } else { high = middle }
    }
    out.iter_mut().enumerate().for_each(|(i, w)| *w = share(low, i) as f32);
}

/// Upper limit for the weights of a blur: the middle texel and those to one side, which is three deviations below
/// [`WIDEST`].
const WEIGHTS: usize = 25;

/// The parameters of a blur.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BlurPlan {
    /// Edge in pixels of the square that becomes one texel; a power of two.
    pub factor: u32,
    weights: [f32; WEIGHTS],
    count: usize,
}

impl BlurPlan {
    /// Plans a blur with a deviation in pixels, which must be finite and above 0.
    pub fn new(sigma: f32) -> Self {
        let mut factor = 1_u32;
        while sigma / factor as f32 >= WIDEST {
            factor *= 2;
        }
        let f = factor as f32;
        // Variance of the mean of f pixels, plus that of the tent functions with which bilinear enlargement weights
        // texels f pixels apart.
        let spent = if factor == 1 { 0.0 } else { (f * f - 1.0) / 12.0 + f * f / 6.0 };
        let reduced = (sigma * sigma - spent).max(1e-12).sqrt() / f;
        let reach = (3.0 * reduced).ceil() as usize;
        let mut all = [0.0; WEIGHTS];
        let count = reach + 1;
        let weights = &mut all[..count];
        if reduced < NARROW {
            integrated(reduced, weights);
        } else {
            let normal = |i: usize| libm::expf(-((i * i) as f32) / (2.0 * reduced * reduced));
            weights.iter_mut().enumerate().for_each(|(i, w)| *w = normal(i));
        }
        let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
        weights.iter_mut().for_each(|w| *w /= sum);
        Self { factor, weights: all, count }
    }

    /// Returns the weights of a texel and of those 1, 2, … beside it, the same across and down. Over both sides, they
    /// sum up to 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights[..self.count]
    }

    /// Returns how many texels on either side contribute to a texel.
    pub fn reach(&self) -> i32 {
        self.count as i32 - 1
    }

    /// Returns the pixels of `canvas` that contribute to the blurred pixels `px`.
    pub fn source(&self, px: PixelBox, canvas: PixelBox) -> PixelBox {
        meet(grow(px, self.reach_px()), canvas).unwrap_or(px)
    }

    /// Returns the texels from which the pixels `px` are enlarged: left, top, right, bottom on the grid of squares of
    /// [`BlurPlan::factor`] pixels. `px` is offset by `shift` from the texels' canvas.
    pub fn wanted(&self, px: PixelBox, shift: [i32; 2]) -> PixelBox {
        let f = self.factor as f32;
        let before = |v: i32, shift: i32| (((v + shift) as f32 + 0.5) / f - 0.5).floor() as i32;
        [
            before(px[0], shift[0]),
            before(px[1], shift[1]),
            before(px[2] - 1, shift[0]) + 2,
            before(px[3] - 1, shift[1]) + 2,
        ]
    }

    /// Returns the range of differences between adjacent texels, both ends excluded, in which bands would be visible.
    pub fn banded(&self) -> [f32; 2] {
        [FLAT_PX, BAND_PX].map(|px| self.factor as f32 / (255.0 * px))
    }

    /// Returns how many pixels on either side contribute to a pixel, including the enlargement.
    pub fn reach_px(&self) -> i32 {
        (self.reach() + 1) * self.factor as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variances_add_up() {
        for sigma in [0.2_f32, 0.3, 0.5, 0.8, 0.999, 1.0, 3.7, 7.99, 8.0, 12.0, 15.9, 40.0, 111.0, 900.0] {
            let plan = BlurPlan::new(sigma);
            let (factor, weights) = (plan.factor, plan.weights());
            let f = factor as f32;
            let kernel: f32 = weights.iter().enumerate().map(|(i, w)| w * (i * i) as f32).sum::<f32>() * 2.0 * f * f;
            let spent = if factor == 1 { 0.0 } else { (f * f - 1.0) / 12.0 + f * f / 6.0 };
            let total = (kernel + spent).sqrt();
            // Cutting the Gaussian off at three deviations loses a little variance.
            assert!((total / sigma - 1.0).abs() < 0.02, "{sigma}: {total}");
            assert!(weights.len() <= 25 && sigma / f < WIDEST);
            let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
            assert!((sum - 1.0).abs() < 1e-5);
        }
    }
}
