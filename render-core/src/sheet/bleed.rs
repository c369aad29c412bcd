//! How far a box bleeds: to the edge of the canvas, unless other content of the page is in the way.

use super::arrange::Placed;
use super::boxed::{Boxed, Content, Flow, Look};
use crate::scene::{Rect, Size};
use crate::text::Align;

/// Boxes that overlap by less than this, in du, only touch.
const TOUCH: f32 = 1.0;

/// A box's position among the boxes around it, from its own container outwards.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The surroundings of the container.
    pub outer: Option<&'a Around<'a>>,
    /// The container. It holds boxes.
    pub boxed: &'a Boxed,
    /// The positions of the container and its content.
    pub placed: &'a Placed,
    /// The box's index in the container.
    pub own: usize,
}

impl Around<'_> {
    /// Returns the container's rectangle.
    pub fn parent(&self) -> Rect {
        self.placed.rect
    }

    /// Returns whether anything other than the box itself is visible in `area`. Boxes in a layer overlap on purpose and
    /// don't count, and a container that clips its content covers nothing beyond its edges.
    fn occupies(&self, area: &Rect, rtl: bool) -> bool {
        let Content::Boxes(boxes) = &self.boxed.content else { return false };
        let mut beside = boxes.iter().zip(&self.placed.boxes).enumerate().filter(|(i, _)| *i != self.own);
        let own = self.boxed.lay.flow != Flow::Layer && beside.any(|(_, (boxed, at))| is_seen(boxed, at, area, rtl));
        own || !self.boxed.look.clip && self.outer.is_some_and(|outer| outer.occupies(area, rtl))
    }
}

/// Returns whether a part of a box is visible in `area`: a fill, an outline, a drawing, or the words themselves without
/// the space around them.
fn is_seen(boxed: &Boxed, placed: &Placed, area: &Rect, rtl: bool) -> bool {
    let common = placed.rect.intersect(area);
    if common.w() <= TOUCH || common.h() <= TOUCH {
        return false;
    }
    if boxed.look.fill.is_some() || boxed.look.border.is_some() {
        return true;
    }
    match &boxed.content {
        Content::Nothing => false,
        Content::Boxes(boxes) => boxes.iter().zip(&placed.boxes).any(|(child, at)| is_seen(child, at, area, rtl)),
        Content::Drawn(_) | Content::Columns(_) => true,
        Content::Words(words) => {
            let rect = placed.rect;
            let width = words.shaped.extent(placed.size, rect.w()).width;
            let left = match words.align {
                Align::Center => rect.x0 + (rect.w() - width) / 2.0,
                Align::Start if rtl => rect.x1 - width,
                Align::End if !rtl => rect.x1 - width,
                Align::Start | Align::End => rect.x0,
            };
            Rect { x0: left, x1: left + width, ..rect }.intersect(area).w() > TOUCH
        }
    }
}

/// Returns `rect` with its bleeding sides extended to the edge of the canvas. A side stays where it is if the box would
/// cover other content, whose colours don't suit this fill.
pub fn bled(look: &Look, rect: Rect, canvas: Size, rtl: bool, around: Option<&Around<'_>>) -> Rect {
    let bleed = look.bleed;
    let free = |strip: Rect| !around.is_some_and(|around| around.occupies(&strip, rtl));
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
