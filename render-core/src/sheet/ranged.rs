//! [`Ranged`]: a measure between its least and its most.

use crate::scene::Size;

/// A measure that shrinks with the type where a page is full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranged<T> {
    /// Where the page is full.
    pub min: T,
    /// Where there is room.
    pub max: T,
}

impl<T> Ranged<T> {
    /// The same wherever.
    pub fn fixed(value: T) -> Self
    where
        T: Copy,
    {
        Self { min: value, max: value }
    }
}

impl Ranged<f32> {
    /// At `share` of the way from the smallest to the largest.
    pub fn at(self, share: f32) -> f32 {
        self.min + (self.max - self.min) * share
    }
}

impl Ranged<Size> {
    /// At `share` of the way from the smallest to the largest.
    pub fn at(self, share: f32) -> Size {
        let way = |min: f32, max: f32| min + (max - min) * share;
        Size::new(way(self.min.w, self.max.w), way(self.min.h, self.max.h))
    }
}
