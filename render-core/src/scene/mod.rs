//! The draw list: everything drawn is *coverage × paint*.
//!
//! A scene is resolved: absolute coordinates, shaped text, no inheritance left. Its unit is the design unit
//! (`du` = short edge / 1080), origin at the top left, y down, so one scene serves every resolution; a rasteriser
//! multiplies by [`Canvas::scale`].

pub mod color;
pub mod dump;
pub mod geom;

use std::sync::Arc;

pub use color::Color;
pub use geom::{Affine, Point, Rect, Size};
pub use kurbo::BezPath;

use crate::text::FaceId;

/// A picture, ready for a rasteriser.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The canvas in du. The short edge is 1080.
    pub size: Size,
    /// What lies under everything; opaque.
    pub background: Color,
    /// Drawn in this order, later over earlier.
    pub items: Vec<Item>,
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

/// The part of the canvas an item covers. All lengths in the item's space.
#[derive(Debug, Clone, PartialEq)]
pub enum Coverage {
    /// A rectangle with a radius for each corner: top left, top right, bottom right, bottom left (clockwise).
    /// Radii above half an edge are scaled down together, as CSS does.
    Rect {
        /// The box.
        rect: Rect,
        /// Corner radii.
        radii: [f32; 4],
        /// Filled where `None`, else a band of this width centred on the outline.
        stroke: Option<f32>,
    },
    /// An ellipse, filled or stroked. A stroked circle is a ring.
    Ellipse {
        /// The centre.
        center: Point,
        /// Half axes.
        radii: Size,
        /// As for `Rect`.
        stroke: Option<f32>,
    },
    /// The shadow of a rounded rectangle: its box blurred by a Gaussian of this deviation.
    Shadow {
        /// The box that casts it (already offset and spread).
        rect: Rect,
        /// One radius for all corners.
        radius: f32,
        /// Standard deviation of the blur; 0 is a hard edge.
        sigma: f32,
    },
    /// Any path, filled by the non-zero rule. Strokes are expanded by the composer (`kurbo::stroke`).
    Path(Arc<BezPath>),
    /// Shaped glyphs of one face at one size.
    Glyphs(GlyphRun),
}

/// Glyphs of one face and size, positioned in the item's space.
#[derive(Debug, Clone, PartialEq)]
pub struct GlyphRun {
    /// The face.
    pub face: FaceId,
    /// Em size.
    pub size: f32,
    /// The glyphs.
    pub glyphs: Arc<[Glyph]>,
}

/// One positioned glyph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyph {
    /// Index in the face.
    pub id: u16,
    /// The glyph's origin: on the baseline, at its left side bearing's start.
    pub at: Point,
}

/// What a coverage is filled with.
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
}

/// A gradient stop; colours between stops are interpolated in OKLab with premultiplied alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// 0 to 1.
    pub offset: f32,
    /// The colour there.
    pub color: Color,
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
    /// The lines, top down.
    pub lines: Vec<LineBox>,
    /// Set centred.
    pub centered: bool,
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
    /// Baseline in du from the top.
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
}

impl Canvas {
    /// The canvas of `width` × `height` pixels; the short edge is 1080 du.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, scale: width.min(height) as f32 / 1080.0 }
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

    /// A filled path.
    pub fn path(path: BezPath, color: Color, role: Role) -> Self {
        Self::new(Coverage::Path(Arc::new(path)), Paint::Solid(color), role)
    }
}
