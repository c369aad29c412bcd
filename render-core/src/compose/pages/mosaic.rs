//! cover-mosaic: a cluster of art in the upper right, off the edge, and the title under it.

use super::super::frame::{Frame, Shape};
use super::super::setter::Setter;
use super::{art, art_on_clear_sides, art_top, cover, has_clear_side};
use crate::art::Scale;
use crate::scene::Rect;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    if matches!(shape, Shape::Wide | Shape::Strip) {
        return cover::wide(setter, area);
    }
    let (size, k) = (setter.frame.size, setter.frame.k);
    let share = if setter.page.art.is_some() && !has_clear_side(setter) { 0.64 } else { 1.0 };
    let stack = cover::column(setter, shape, 5).solve(setter, area.w(), share * area.h());
    let top = area.y1 - stack.depth;
    stack.place(setter, area.x0, top);
    if !art_on_clear_sides(setter, Scale::Lead) {
        art(setter, Rect::new(0.25 * size.w, art_top(setter, &area), size.w, top - 84.0 * k), Scale::Lead);
    }
}
