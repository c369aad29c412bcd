//! A scene in pixels: the drawing steps that both rasterisers execute.

use std::ops::Range;
use std::sync::Arc;

use super::flatten::Lines;
use super::gradient::{Bands, GradientTable};
use super::map::Map;
use super::mesh::MeshTable;
use super::pattern::PatternField;
use super::picture::Picture;
use super::pixels::PixelBox;
use super::shape::Shape;
use crate::scene::BlendMode;

/// Everything to draw, in order. Reused for every scene.
#[derive(Default)]
pub(super) struct Frame {
    pub steps: Vec<Step>,
    /// The segments of all paths.
    pub lines: Lines,
    /// The masks of all clips.
    pub masks: Vec<Mask>,
    /// Blurred layers whose buffers can be reused.
    #[allow(clippy::vec_box, reason = "the boxes themselves go back into steps")]
    pub spare: Vec<Box<Blurred>>,
}

impl Frame {
    /// Empties the frame and keeps its buffers.
    pub fn clear(&mut self) {
        for step in self.steps.drain(..) {
            if let Step::Blurred(mut blurred) = step {
                blurred.frame.clear();
                self.spare.push(blurred);
            }
        }
        self.lines.clear();
        self.masks.clear();
    }
}

/// One drawing step.
pub(super) enum Step {
    /// Draws a paint over the current content.
    Draw(Draw),
    /// Begins a group: the following steps draw on a transparent layer until the group's end.
    Begin(Group),
    /// Ends the innermost group and composites it over its surroundings.
    End,
    /// Draws a blurred picture over the current content.
    Blurred(Box<Blurred>),
}

/// One coverage with its paint.
pub(super) struct Draw {
    /// The pixels it can touch: left, top, right, bottom.
    pub px: PixelBox,
    pub shape: Shape,
    pub paint: Ink,
}

/// A layer.
pub(super) struct Group {
    /// The pixels around the group that it can change. Its own draws may extend beyond.
    pub px: PixelBox,
    /// The masks of the frame whose union clips the group; an empty range hides the group, `None` clips nothing. The
    /// union of coverages a and b is a + b − a·b.
    pub clip: Option<Range<usize>>,
    pub opacity: f32,
    pub blend: BlendMode,
    /// Deviation in pixels of the blur of the content so far, which becomes the group's background within `px`; 0 for
    /// no blur. Edge pixels of the canvas are repeated beyond it, so that no dark rim appears. For a group within
    /// another group, the content so far is what the outer group has drawn.
    pub backdrop_blur: f32,
}

/// A coverage without paint.
pub(super) struct Mask {
    /// The pixels it can touch.
    pub px: PixelBox,
    pub shape: Shape,
}

/// The content of a blurred layer, on a canvas of its own. This canvas extends beyond the target canvas as far as the
/// blur reaches, and starts transparent.
#[derive(Default)]
pub(super) struct Blurred {
    pub frame: Frame,
    /// Width and height of the layer's canvas.
    pub size: [u32; 2],
    /// Position of the layer's top left corner on the target canvas, never right of or below its origin.
    pub origin: [i32; 2],
    /// Deviation in pixels; see [`BlurPlan`](super::blur::BlurPlan) for the blur.
    pub sigma: f32,
    /// The pixels of the layer's canvas to draw. All other pixels are transparent or invisible.
    pub source: PixelBox,
    /// The pixels of the target canvas that the layer can change.
    pub px: PixelBox,
}

/// A paint in pixels.
#[derive(Clone)]
pub(super) enum Ink {
    /// Encoded sRGB, not premultiplied, with an alpha above 0.
    Solid {
        rgb: [f32; 3],
        alpha: f32,
    },
    Gradient(Gradient),
    Mesh(MeshInk),
    Picture(PictureInk),
}

/// A map from pixels to offsets in a table of colours.
#[derive(Clone)]
pub(super) struct Gradient {
    pub table: Arc<GradientTable>,
    pub field: Field,
    /// From pixels to the gradient's space.
    pub map: Map,
    /// Where bands would be visible; `None` if nowhere.
    pub bands: Option<Arc<Bands>>,
    pub opaque: bool,
}

/// How a point (u, v) of a gradient's space becomes an offset, clamped to 0–1.
#[derive(Clone)]
pub(super) enum Field {
    /// u.
    Linear,
    /// √(u² + v²).
    Radial,
    /// The angle of (u, v), clockwise from the u axis, in turns: [`turn`](super::gradient::turn).
    /// [`seam`](super::gradient::seam) antialiases the line where the end meets the start.
    Conic,
    /// A pattern's value.
    Pattern(PatternField),
}

/// A two-dimensional table of colours.
#[derive(Clone)]
pub(super) struct MeshInk {
    pub table: Arc<MeshTable>,
    /// From pixels to the table's space: entry (i, j) lies at (i, j).
    pub map: Map,
    /// 1 if bands would be visible, else 0.
    pub banded: f32,
    pub opaque: bool,
}

/// A picture, resampled so that a pixel covers about one texel.
#[derive(Clone)]
pub(super) struct PictureInk {
    pub picture: Arc<Picture>,
    /// From pixels to texels: the centre of texel (i, j) lies at (i + ½, j + ½).
    pub map: Map,
    /// The visible part of the picture, in texels: left, top, right, bottom. Everything beyond it is transparent. Its
    /// edges are antialiased over one pixel: the coverage at (u, v) is `max(0, min(½, (u − left)/s) + min(½, (right −
    /// u)/s))`, where s is the length of the map's row for u, times the same for v. Texels are read at least half a
    /// texel inside the window, or in its middle if it is narrower than one texel.
    pub window: [f32; 4],
    /// Whether every texel is opaque.
    pub opaque: bool,
}
