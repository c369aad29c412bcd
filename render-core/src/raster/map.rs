//! Affine maps from pixels to the space of a shape or a paint.

use crate::scene::Affine;

/// An affine map from pixels: `(m0·x + m1·y + t0, m2·x + m3·y + t1)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Map {
    pub m: [f32; 4],
    pub t: [f32; 2],
}

impl Map {
    /// Converts a transform to a map.
    pub fn of(transform: &Affine) -> Self {
        let [a, b, c, d, e, f] = transform.0;
        Self { m: [a, c, b, d], t: [e, f] }
    }

    /// Returns the image of a point.
    pub fn apply(&self, x: f32, y: f32) -> [f32; 2] {
        [self.m[0] * x + self.m[1] * y + self.t[0], self.m[2] * x + self.m[3] * y + self.t[1]]
    }

    /// Returns the largest change of coordinate `axis` per pixel.
    pub fn pace(&self, axis: usize) -> f32 {
        let [a, b] = [self.m[axis * 2], self.m[axis * 2 + 1]];
        (a * a + b * b).sqrt()
    }

    /// Returns the largest factor by which the map lengthens a vector.
    pub fn stretch(&self) -> f32 {
        let [a, b, c, d] = self.m;
        let (sum, det) = (a * a + b * b + c * c + d * d, a * d - b * c);
        ((sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt()) / 2.0).sqrt()
    }
}
