//! The fills of coverages.

use std::sync::Arc;

use super::{Color, Image, Point, Rect};

/// The fill of a coverage, in the item's space. Angles are in radians, clockwise from three o'clock.
#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    /// One colour.
    Solid(Color),
    /// From `from` (offset 0) along a line to `to` (offset 1), padded beyond.
    Linear {
        /// Offset 0.
        from: Point,
        /// Offset 1.
        to: Point,
        /// At least one stop, in order of offset.
        stops: Arc<[Stop]>,
    },
    /// From `center` (offset 0) outwards to `radius` (offset 1), padded beyond.
    Radial {
        /// Offset 0.
        center: Point,
        /// The radius at offset 1.
        radius: f32,
        /// As for `Linear`.
        stops: Arc<[Stop]>,
    },
    /// Once around `center`, clockwise from the angle `start` (offset 0).
    Conic {
        /// The centre.
        center: Point,
        /// The angle of offset 0.
        start: f32,
        /// As for `Linear`.
        stops: Arc<[Stop]>,
    },
    /// Colours at the points of a grid, smoothly interpolated in OKLab; padded beyond it.
    Mesh {
        /// The area of the grid; its outer points lie on the edges.
        rect: Rect,
        /// Points per row, at least two.
        columns: u32,
        /// `columns` × rows of colours, rows from top to bottom, at least two rows.
        colors: Arc<[Color]>,
    },
    /// A drawn pattern.
    Backdrop(Backdrop),
    /// A picture.
    Image {
        /// The picture.
        image: Image,
        /// The area of the picture. Transparent beyond.
        rect: Rect,
        /// How it fills `rect`.
        fit: ImageFit,
        /// The point of the picture that stays visible, and comes closest to the same point of `rect`: from (0, 0) at
        /// the top left to (1, 1) at the bottom right.
        focus: Point,
    },
}

/// A gradient stop; colours between stops are interpolated in OKLab with premultiplied alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// 0 to 1.
    pub offset: f32,
    /// The colour there.
    pub color: Color,
}

/// How a picture fills its rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFit {
    /// Covers the whole rectangle; excess length is cropped.
    Cover,
    /// Fits completely inside; the rest of the rectangle is transparent.
    Contain,
    /// Stretches to the rectangle.
    Fill,
}

/// A procedural pattern: every point has a value between 0 and 1, which the stops turn into a colour. The same
/// parameters give the same picture at every resolution.
#[derive(Debug, Clone, PartialEq)]
pub struct Backdrop {
    /// The pattern.
    pub pattern: Pattern,
    /// Selects one of the pattern's variants, if it is random.
    pub seed: u32,
    /// The colours of the values. For a pattern with figures on a background, 0 is the background and 1 the figures.
    pub stops: Arc<[Stop]>,
}

/// A pattern; lengths in the item's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Clouds: fractal noise.
    Noise {
        /// Size of the largest clouds.
        size: f32,
        /// Number of sizes, each half the previous one and half as strong; 1 to 8.
        octaves: u32,
    },
    /// Film grain: noise without structure; middle values are the most frequent.
    Grain {
        /// Size of a grain.
        size: f32,
    },
    /// Wedges around a point, as wide as the gaps between them.
    Rays {
        /// The point where they meet.
        center: Point,
        /// Number of rays.
        count: u32,
        /// The angle of the first ray.
        start: f32,
    },
    /// Lines of equal height on a map of noise.
    Contours {
        /// Size of a hill.
        size: f32,
        /// Number of lines between the lowest and the highest point.
        levels: u32,
        /// Thickness of a line.
        width: f32,
    },
    /// Discs on a grid rotated by 45°, growing along a line, as in print.
    Halftone {
        /// Distance between neighbours.
        pitch: f32,
        /// The point where discs have zero size.
        from: Point,
        /// The point where discs cover everything.
        to: Point,
    },
    /// Equal discs on a square grid.
    Dots {
        /// Distance between neighbours.
        pitch: f32,
        /// Radius of a disc.
        radius: f32,
    },
    /// Scattered discs of random size and brightness.
    Stars {
        /// Mean distance between neighbours.
        pitch: f32,
        /// Radius of the largest.
        radius: f32,
    },
    /// Parallel sine lines.
    Waves {
        /// Distance between lines.
        pitch: f32,
        /// Length of a wave.
        length: f32,
        /// Height of a crest above the line's middle.
        amplitude: f32,
        /// Thickness of a line.
        width: f32,
    },
    /// Large soft spots that merge.
    Blobs {
        /// Mean distance between their centres.
        pitch: f32,
        /// The radius of a spot.
        radius: f32,
    },
}
