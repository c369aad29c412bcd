//! The draw list: each item is *coverage × paint*.
//!
//! A scene is fully resolved: absolute coordinates, shaped text, no inheritance. Its unit is the design unit (`du` =
//! short edge / 1080), with the origin at the top left and y down, so one scene serves every resolution; a rasteriser
//! multiplies by [`Canvas::scale`].

pub mod color;
mod coverage;
pub mod dump;
mod face;
pub mod geom;
mod image;
mod layer;
mod paint;

use std::sync::Arc;

pub use color::Color;
pub use coverage::{Coverage, FillRule, Glyph, GlyphRun, GlyphSource, LineCap, LineJoin, Stroke};
pub use face::FaceId;
pub use geom::{Affine, Point, Rect, Size};
pub(crate) use image::ImageMark;
pub use image::{Image, ImageError};
pub use kurbo::BezPath;
pub use layer::{BlendMode, Clip, Layer};
pub use paint::{Backdrop, ImageFit, Paint, Pattern, Stop};

/// A picture, ready for a rasteriser.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The canvas in du. The short edge is 1080.
    pub size: Size,
    /// The background under everything; opaque.
    pub background: Color,
    /// The items in drawing order, later over earlier.
    pub items: Vec<Item>,
    /// Groups of items that are drawn as one. They nest: of any two, one contains the other or they share no item. An
    /// outer layer precedes those within it; of layers over the same items, the first is the outermost.
    pub layers: Vec<Layer>,
    /// Every text block with its position, in reading order, for the quality checks.
    pub blocks: Vec<TextBlock>,
}

/// One coverage filled with one paint.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// From the item's own space to du.
    pub transform: Affine,
    /// The part of the canvas that it covers.
    pub coverage: Coverage,
    /// The fill. Gradients are given in the item's own space.
    pub paint: Paint,
    /// The item's role in the quality checks.
    pub role: Role,
}

/// The role of an item in the quality checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Part of text block `blocks[n]`.
    Text(u32),
    /// A background that text may be on: a card, a bar, a button, an inverted half.
    Field,
    /// A rule, a progress mark, an icon: belongs to the layout and contains no words.
    Mark,
    /// Art. May bleed off the canvas and must not touch text.
    Art,
}

/// A block of text after layout, for the quality checks, alt text and editing.
#[derive(Debug, Clone, PartialEq)]
pub struct TextBlock {
    /// The slot that it came from, for example `title`, `body`, `item.2.head`, `footer`.
    pub slot: String,
    /// Its level in the hierarchy.
    pub level: TextLevel,
    /// The text as drawn.
    pub text: String,
    /// Em size in du.
    pub size: f32,
    /// Weight of the face, 100–900.
    pub weight: u16,
    /// Family of the face, for counting families.
    pub family: &'static str,
    /// Colour of the ink.
    pub color: Color,
    /// The union of the ink of all glyphs, in du.
    pub ink: Rect,
    /// The box that was available, in du; ink outside it is overflow.
    pub slot_box: Rect,
    /// The lines, from top to bottom; for vertical text, the columns from right to left.
    pub lines: Vec<LineBox>,
    /// Whether the text is centred.
    pub centered: bool,
    /// Parts with a style of their own.
    pub spots: Vec<Spot>,
    /// Whether the text is vertical, in columns.
    pub vertical: bool,
}

/// A part of a text in another colour than the rest, or on a background of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The ink in du; for a part on a band, the area of the block that the band covers.
    pub ink: Rect,
    /// The colour of the ink.
    pub color: Color,
    /// The colour of the band behind it; `None` if it has the block's background.
    pub on: Option<Color>,
}

/// The importance of a text block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextLevel {
    /// The dominant element of the page.
    Hero,
    /// A heading within the page.
    Head,
    /// Running text.
    Body,
    /// Labels, page numbers, footers, attributions.
    Small,
}

/// One line of a text block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineBox {
    /// Ink of the line in du.
    pub ink: Rect,
    /// Baseline in du from the top; for a column its axis, from the left.
    pub baseline: f32,
    /// Characters in the line.
    pub chars: u32,
}

/// The pixel grid that a scene is drawn on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Canvas {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pixels per du.
    pub scale: f32,
    /// Whether gradients whose bands would be wider than 8 pixels are dithered.
    pub dither: bool,
}

impl Canvas {
    /// Creates a canvas of `width` × `height` pixels; the short edge is 1080 du. Wide gradients are dithered.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, scale: width.min(height) as f32 / 1080.0, dither: true }
    }

    /// Returns the same canvas without dithering: gradients show bands, but compress better.
    pub fn undithered(self) -> Self {
        Self { dither: false, ..self }
    }

    /// Returns the size in du.
    pub fn size_du(&self) -> Size {
        Size::new(self.width as f32 / self.scale, self.height as f32 / self.scale)
    }
}

impl Item {
    /// Creates an item in du, untransformed.
    pub fn new(coverage: Coverage, paint: Paint, role: Role) -> Self {
        Self { transform: Affine::IDENTITY, coverage, paint, role }
    }

    /// Creates a filled rectangle.
    pub fn rect(rect: Rect, color: Color, role: Role) -> Self {
        Self::rounded(rect, [0.0; 4], color, role)
    }

    /// Creates a filled rectangle with a radius for each corner.
    pub fn rounded(rect: Rect, radii: [f32; 4], color: Color, role: Role) -> Self {
        Self::new(Coverage::Rect { rect, radii, stroke: None }, Paint::Solid(color), role)
    }

    /// Creates a filled circle.
    pub fn circle(center: Point, radius: f32, color: Color, role: Role) -> Self {
        Self::new(
            Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: None },
            Paint::Solid(color),
            role,
        )
    }

    /// Creates a ring: a circle's outline of width `stroke`, centred on `radius`.
    pub fn ring(center: Point, radius: f32, stroke: f32, color: Color, role: Role) -> Self {
        Self::new(
            Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: Some(stroke) },
            Paint::Solid(color),
            role,
        )
    }

    /// Creates a path, filled with the non-zero rule.
    pub fn path(path: BezPath, color: Color, role: Role) -> Self {
        Self::new(Coverage::Path { path: Arc::new(path), rule: FillRule::NonZero }, Paint::Solid(color), role)
    }
}
