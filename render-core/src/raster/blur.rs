//! Gaussian blurs: the numbers that every rasteriser blurs with.
//!
//! A wide blur is made on a picture that is reduced first, by the mean of `2^k × 2^k` pixels, and enlarged bilinearly
//! after. The mean and the enlargement blur too; what they do is taken off the Gaussian between, so that the variances
//! add up to the one asked for.

use super::gradient::BAND_PX;
use super::pixels::{PixelBox, grow, meet};

/// A reduced deviation is below this. Half of it leaves enough of a Gaussian that the reduction can't be seen.
const WIDEST: f32 = 8.0;
/// A level wider than this many pixels is no band any more.
const FLAT_PX: f32 = 1024.0;

/// Below this deviation in texels, samples of a Gaussian lie too far apart for its variance.
const NARROW: f32 = 1.0;

/// Makes `out` the shares of a Gaussian that fall on a texel and on those beside it, of such a deviation that their
/// variance is the square of `sigma`: falling on whole texels spreads it too.
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

/// Most texels to one side that a blur draws on, and the one in the middle: three deviations below [`WIDEST`].
const WEIGHTS: usize = 25;

/// How to blur.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BlurPlan {
    /// Edge in pixels of the square that becomes one texel; a power of two.
    pub factor: u32,
    weights: [f32; WEIGHTS],
    count: usize,
}

impl BlurPlan {
    /// For a deviation in pixels, above 0 and finite.
    pub fn new(sigma: f32) -> Self {
        let mut factor = 1_u32;
        while sigma / factor as f32 >= WIDEST {
            factor *= 2;
        }
        let f = factor as f32;
        // Variance of the mean of f pixels, and of the tents that bilinear enlargement puts on texels f pixels apart.
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

    /// Weights of a texel and those 1, 2, … to either side of it, across and down alike; all of them sum up to 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights[..self.count]
    }

    /// Texels that a texel draws on to either side.
    pub fn reach(&self) -> i32 {
        self.count as i32 - 1
    }

    /// The pixels of `canvas` that a blur of the pixels `px` draws on.
    pub fn source(&self, px: PixelBox, canvas: PixelBox) -> PixelBox {
        meet(grow(px, self.reach_px()), canvas).unwrap_or(px)
    }

    /// The texels that the pixels `px` are enlarged from, which lie `shift` from the texels' canvas: left, top, right,
    /// bottom on the grid of squares of [`BlurPlan::factor`] pixels.
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

    /// Between which rises from a texel to the next, neither included, a blurred picture's bands show.
    pub fn banded(&self) -> [f32; 2] {
        [FLAT_PX, BAND_PX].map(|px| self.factor as f32 / (255.0 * px))
    }

    /// Pixels that a pixel draws on to either side, enlargement included.
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
            // The cut at three deviations takes a little.
            assert!((total / sigma - 1.0).abs() < 0.02, "{sigma}: {total}");
            assert!(weights.len() <= 25 && sigma / f < WIDEST);
            let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
            assert!((sum - 1.0).abs() < 1e-5);
        }
    }
}
