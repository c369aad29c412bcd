//! [`Ranged`]: a measure between a minimum and a maximum.

use crate::scene::Size;

/// A measure that shrinks with the type if a page is full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranged<T> {
    /// On a full page.
    pub min: T,
    /// On a page with enough room.
    pub max: T,
}

impl<T> Ranged<T> {
    /// Creates a measure without a range.
    pub fn fixed(value: T) -> Self
    where
        T: Copy,
    {
        Self { min: value, max: value }
    }
}

impl Ranged<f32> {
    /// Returns the measure at `share` of the way from the smallest to the largest.
    pub fn at(self, share: f32) -> f32 {
        self.min + (self.max - self.min) * share
    }
}

impl Ranged<Size> {
    /// Returns the measure at `share` of the way from the smallest to the largest.
    pub fn at(self, share: f32) -> Size {
        let way = |min: f32, max: f32| min + (max - min) * share;
        Size::new(way(self.min.w, self.max.w), way(self.min.h, self.max.h))
    }
}
