//! How far a box bleeds: to the edge of the canvas, unless other content of the page is in the way.

use super::arrange::Placed;
use super::boxed::{Boxed, Content, Flow, Look};
use crate::scene::{Rect, Size};

/// Boxes that overlap by less than this, in du, only touch.
const TOUCH: f32 = 1.0;

/// A box's place among the boxes around it, from its own container outwards.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Those around the container.
    pub outer: Option<&'a Around<'a>>,
    /// The container, which holds boxes.
    pub boxed: &'a Boxed,
    /// Where the container and what it holds stand.
    pub placed: &'a Placed,
    /// Which of the container's boxes it is.
    pub own: usize,
}

impl Around<'_> {
    /// Where the container stands.
    pub fn parent(&self) -> Rect {
        self.placed.rect
    }

    /// Whether content other than the box itself stands in `area`. Layers lie over each other on purpose.
    fn occupies(&self, area: &Rect) -> bool {
        let Content::Boxes(boxes) = &self.boxed.content else { return false };
        let covered = |(boxed, placed): (&Boxed, &Placed)| {
            let common = placed.rect.intersect(area);
            !matches!(boxed.content, Content::Nothing) && common.w() > TOUCH && common.h() > TOUCH
        };
        let mut beside = boxes.iter().zip(&self.placed.boxes).enumerate().filter(|(i, _)| *i != self.own);
        let own = self.boxed.lay.flow != Flow::Layer && beside.any(|(_, other)| covered(other));
        own || self.outer.is_some_and(|outer| outer.occupies(area))
    }
}

/// The box `rect` with the sides that bleed at the edge of the canvas. A side stays where it is if the box would cover
/// other content, whose colours don't suit this fill.
pub fn bled(look: &Look, rect: Rect, canvas: Size, around: Option<&Around<'_>>) -> Rect {
    let bleed = look.bleed;
    let free = |strip: Rect| !around.is_some_and(|around| around.occupies(&strip));
    let mut out = rect;
    if bleed.left && free(Rect { x0: 0.0, x1: rect.x0, ..rect }) {
        out.x0 = 0.0;
    }
    if bleed.right && free(Rect { x0: rect.x1, x1: canvas.w, ..rect }) {
        out.x1 = canvas.w;
    }
    if bleed.top && free(Rect { y0: 0.0, y1: rect.y0, ..out }) {
        out.y0 = 0.0;
    }
    if bleed.bottom && free(Rect { y0: rect.y1, y1: canvas.h, ..out }) {
        out.y1 = canvas.h;
    }
    out
}
