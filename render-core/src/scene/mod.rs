//! The draw list: everything drawn is *coverage × paint*.
//!
//! A scene is resolved: absolute coordinates, shaped text, no inheritance left. Its unit is the design unit
//! (`du` = short edge / 1080), origin at the top left, y down, so one scene serves every resolution; a rasteriser
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
    /// What lies under everything; opaque.
    pub background: Color,
    /// Drawn in this order, later over earlier.
    pub items: Vec<Item>,
    /// Groups of items that are drawn as one. They nest: of any two, one holds the other or they share no item. An
    /// outer layer stands before those within it; of layers over the same items, the first is the outermost.
    pub layers: Vec<Layer>,
    /// What stands where, for the measures: every text block, in reading order.
    pub blocks: Vec<TextBlock>,
}

/// One coverage filled with one paint.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// From the item's own space to du.
    pub transform: Affine,
    /// Which part of the canvas it touches, and how much.
    pub coverage: Coverage,
    /// What it is filled with. Gradients are given in the item's own space.
    pub paint: Paint,
    /// What the item is for the measures.
    pub role: Role,
}

/// What an item is for, as far as the measures care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Part of text block `blocks[n]`.
    Text(u32),
    /// A field that text may stand on: a card, a bar, a button, an inverted half.
    Field,
    /// A rule, a progress mark, an icon: belongs to the layout, carries no words.
    Mark,
    /// Art. May bleed off the canvas; text keeps away from it.
    Art,
}

/// A block of text as it was laid out, for the measures, alt text and editing.
#[derive(Debug, Clone, PartialEq)]
pub struct TextBlock {
    /// Which slot it came from, for example `title`, `body`, `item.2.head`, `footer`.
    pub slot: String,
    /// What it is in the hierarchy.
    pub level: TextLevel,
    /// The words drawn.
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
    /// The box it was given, in du; ink outside it is overflow.
    pub slot_box: Rect,
    /// The lines, top down; columns from right to left where it is set vertically.
    pub lines: Vec<LineBox>,
    /// Set centred.
    pub centered: bool,
    /// Parts of it that are set otherwise than the rest.
    pub spots: Vec<Spot>,
    /// Set in columns.
    pub vertical: bool,
}

/// A part of a text that is set in another colour than the rest, or on a colour of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Its ink in du; of one on a band, all that the band gives the block.
    pub ink: Rect,
    /// The colour of the ink.
    pub color: Color,
    /// The band behind it; `None` where it stands on what the block stands on.
    pub on: Option<Color>,
}

/// How loud a block of text is meant to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextLevel {
    /// The one dominant element of the page.
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
    /// Baseline in du from the top; of a column its axis, from the left.
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
    /// The canvas of `width` × `height` pixels; the short edge is 1080 du. Wide gradients are dithered.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, scale: width.min(height) as f32 / 1080.0, dither: true }
    }

    /// The same without dithering: gradients band, and compress better.
    pub fn undithered(self) -> Self {
        Self { dither: false, ..self }
    }

    /// Its size in du.
    pub fn size_du(&self) -> Size {
        Size::new(self.width as f32 / self.scale, self.height as f32 / self.scale)
    }
}

impl Item {
    /// An item in du, untransformed.
    pub fn new(coverage: Coverage, paint: Paint, role: Role) -> Self {
        Self { transform: Affine::IDENTITY, coverage, paint, role }
    }

    /// A filled rectangle.
    pub fn rect(rect: Rect, color: Color, role: Role) -> Self {
        Self::rounded(rect, [0.0; 4], color, role)
    }

    /// A filled rectangle with a radius for each corner.
    pub fn rounded(rect: Rect, radii: [f32; 4], color: Color, role: Role) -> Self {
        Self::new(Coverage::Rect { rect, radii, stroke: None }, Paint::Solid(color), role)
    }

    /// A filled circle.
    pub fn circle(center: Point, radius: f32, color: Color, role: Role) -> Self {
        Self::new(
            Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: None },
            Paint::Solid(color),
            role,
        )
    }

    /// A ring: a circle's outline of width `stroke`, centred on `radius`.
    pub fn ring(center: Point, radius: f32, stroke: f32, color: Color, role: Role) -> Self {
        Self::new(
            Coverage::Ellipse { center, radii: Size::new(radius, radius), stroke: Some(stroke) },
            Paint::Solid(color),
            role,
        )
    }

    /// A path, filled by the non-zero rule.
    pub fn path(path: BezPath, color: Color, role: Role) -> Self {
        Self::new(Coverage::Path { path: Arc::new(path), rule: FillRule::NonZero }, Paint::Solid(color), role)
    }
}
