//! A scene in pixels: what both rasterisers draw, step by step.

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

/// Everything to draw, in order. Reused from scene to scene.
#[derive(Default)]
pub(super) struct Frame {
    pub steps: Vec<Step>,
    /// The segments of all paths.
    pub lines: Lines,
    /// The coverages of all clips.
    pub masks: Vec<Mask>,
    /// Blurred layers whose buffers are free again.
    #[allow(clippy::vec_box, reason = "the boxes themselves go back into steps")]
    pub spare: Vec<Box<Blurred>>,
}

impl Frame {
    /// Empties it, and keeps its buffers.
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

/// One thing to do.
pub(super) enum Step {
    /// Lay a paint over what is there.
    Draw(Draw),
    /// Begin a group: what follows is drawn on nothing until its end.
    Begin(Group),
    /// End the innermost group: lay it over what is around it.
    End,
    /// Lay a blurred picture over what is there.
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
    /// The pixels that it can change on what is around it. Its own draws may lie beyond.
    pub px: PixelBox,
    /// What is seen of it: the union of these of the frame's masks, nothing where there are none; all where `None`.
    /// Coverages a and b unite to a + b − a·b.
    pub clip: Option<Range<usize>>,
    pub opacity: f32,
    pub blend: BlendMode,
    /// Deviation in pixels of the blur of what is there so far, which is the group's ground within `px`; 0 where it has
    /// none. Pixels at the canvas's edges go on beyond it, so that no dark rim comes in. Where the group lies within
    /// another, what is there is what that one has drawn.
    pub backdrop_blur: f32,
}

/// A coverage without paint.
pub(super) struct Mask {
    /// The pixels it can touch.
    pub px: PixelBox,
    pub shape: Shape,
}

/// What a layer that is blurred draws, on a canvas of its own, which reaches beyond the one it is laid on as far as the
/// blur does. It begins as nothing.
#[derive(Default)]
pub(super) struct Blurred {
    pub frame: Frame,
    /// Width and height of its canvas.
    pub size: [u32; 2],
    /// Where its canvas's top left corner lies on the other, never right of or below that one's.
    pub origin: [i32; 2],
    /// Deviation in pixels; [`BlurPlan`](super::blur::BlurPlan) says how to blur.
    pub sigma: f32,
    /// The pixels of its canvas that have to be drawn: beyond them is nothing, or nothing that could be seen.
    pub source: PixelBox,
    /// The pixels of the other canvas that it can change.
    pub px: PixelBox,
}

/// A paint in pixels.
#[derive(Clone)]
pub(super) enum Ink {
    /// Encoded sRGB, not multiplied, and alpha above 0.
    Solid {
        rgb: [f32; 3],
        alpha: f32,
    },
    Gradient(Gradient),
    Mesh(MeshInk),
    Picture(PictureInk),
}

/// Offsets into a table of colours.
#[derive(Clone)]
pub(super) struct Gradient {
    pub table: Arc<GradientTable>,
    pub field: Field,
    /// From pixels to the field's space.
    pub map: Map,
    /// Where bands would show, if anywhere.
    pub bands: Option<Arc<Bands>>,
    pub opaque: bool,
}

/// How a point (u, v) of a gradient's space becomes an offset, held within 0 and 1.
#[derive(Clone)]
pub(super) enum Field {
    /// u.
    Linear,
    /// √(u² + v²).
    Radial,
    /// The angle of (u, v), clockwise from the u axis, in turns: [`turn`](super::gradient::turn), and
    /// [`seam`](super::gradient::seam) where its end meets its start.
    Conic,
    /// A pattern's value.
    Pattern(PatternField),
}

/// A table of colours in two dimensions.
#[derive(Clone)]
pub(super) struct MeshInk {
    pub table: Arc<MeshTable>,
    /// From pixels to the table's space: entry (i, j) lies at (i, j).
    pub map: Map,
    /// 1 where its bands would show, else 0.
    pub banded: f32,
    pub opaque: bool,
}

/// A picture, small enough that a pixel takes about a texel.
#[derive(Clone)]
pub(super) struct PictureInk {
    pub picture: Arc<Picture>,
    /// From pixels to texels: the middle of texel (i, j) lies at (i + ½, j + ½).
    pub map: Map,
    /// The part of the picture that is shown, in texels: left, top, right, bottom. Transparent beyond it, its edges
    /// anti-aliased over one pixel: at (u, v) the share `max(0, min(½, (u − left)/s) + min(½, (right − u)/s))` is seen,
    /// where s is the length of the map's row for u, times the same for v. Texels are looked up at least half a texel
    /// inside of it, or in its middle where it is narrower than one.
    pub window: [f32; 4],
    /// Whether every texel is.
    pub opaque: bool,
}
