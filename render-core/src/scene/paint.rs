//! What a coverage is filled with.

use std::sync::Arc;

use super::{Color, Image, Point, Rect};

/// What a coverage is filled with, in the item's space. Angles in radians, clockwise from three o'clock.
#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    /// One colour.
    Solid(Color),
    /// Along a line from `from` (offset 0) to `to` (offset 1), padded beyond.
    Linear {
        /// Offset 0.
        from: Point,
        /// Offset 1.
        to: Point,
        /// At least one, offsets rising.
        stops: Arc<[Stop]>,
    },
    /// From `center` (offset 0) outwards to `radius` (offset 1), padded beyond.
    Radial {
        /// Offset 0.
        center: Point,
        /// Where offset 1 lies.
        radius: f32,
        /// As for `Linear`.
        stops: Arc<[Stop]>,
    },
    /// Once around `center`, clockwise from the angle `start` (offset 0).
    Conic {
        /// The middle.
        center: Point,
        /// Where offset 0 lies.
        start: f32,
        /// As for `Linear`.
        stops: Arc<[Stop]>,
    },
    /// Colours at the points of a grid, smoothly interpolated in OKLab; padded beyond it.
    Mesh {
        /// Where the grid lies, its outer points on the edges.
        rect: Rect,
        /// Points across, two at least.
        columns: u32,
        /// `columns` × rows of colours, rows top down, two rows at least.
        colors: Arc<[Color]>,
    },
    /// A drawn pattern.
    Backdrop(Backdrop),
    /// A picture.
    Image {
        /// The picture.
        image: Image,
        /// Where it goes. Transparent beyond.
        rect: Rect,
        /// How it fills `rect`.
        fit: ImageFit,
        /// The point of the picture that stays in sight, and comes closest to the same point of `rect`: from (0, 0) at
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
    /// Fills it whole; what is too long is cut.
    Cover,
    /// Is seen whole; the rest of the rectangle is transparent.
    Contain,
    /// Is stretched to it.
    Fill,
}

/// A procedural pattern: every point has a value between 0 and 1, which the stops turn into a colour. The same numbers
/// make the same picture at every resolution.
#[derive(Debug, Clone, PartialEq)]
pub struct Backdrop {
    /// What is drawn.
    pub pattern: Pattern,
    /// Picks one of the pattern's many looks, where it has chance in it.
    pub seed: u32,
    /// Colours of the values; for a pattern with figures on a ground, 0 is the ground and 1 the figures.
    pub stops: Arc<[Stop]>,
}

/// A pattern; lengths in the item's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Clouds: fractal noise.
    Noise {
        /// Size of the largest clouds.
        size: f32,
        /// How many sizes, each half the one before and half as strong; 1 to 8.
        octaves: u32,
    },
    /// Film grain: noise without structure, its middle value the most frequent.
    Grain {
        /// Size of a grain.
        size: f32,
    },
    /// Wedges around a point, as wide as the gaps between them.
    Rays {
        /// Where they meet.
        center: Point,
        /// How many.
        count: u32,
        /// Turns the first ray.
        start: f32,
    },
    /// Lines of equal height on a map of noise.
    Contours {
        /// Size of a hill.
        size: f32,
        /// Lines between the lowest and the highest point.
        levels: u32,
        /// Thickness of a line.
        width: f32,
    },
    /// Discs on a grid turned by 45°, growing along a line, as in print.
    Halftone {
        /// Distance between neighbours.
        pitch: f32,
        /// Where discs have no size.
        from: Point,
        /// Where they cover everything.
        to: Point,
    },
    /// Equal discs on a square grid.
    Dots {
        /// Distance between neighbours.
        pitch: f32,
        /// Radius of a disc.
        radius: f32,
    },
    /// Discs of chance size and brightness, strewn.
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
        /// Height of a crest over the line's middle.
        amplitude: f32,
        /// Thickness of a line.
        width: f32,
    },
    /// Large soft spots that run into one another.
    Blobs {
        /// Mean distance between their middles.
        pitch: f32,
        /// How far one reaches.
        radius: f32,
    },
}
