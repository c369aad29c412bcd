//! Drawings from edge to edge of their page: a street, a shelf, a sea. Shapes outside of the viewBox are visible up to
//! the edges. A drawing that also bleeds at its foot is at the foot of the page: its ground continues to the lower
//! edge, under the content that follows. Otherwise it is a strip between the words above and below it.

use super::super::graphic::{graphic, moved};
use super::{draw, place, places, view_box, with_places, within};
use crate::scene::{Affine, Item, Point, Rect, Role, Size};
use crate::sheet::{Boxed, Sketch, View, With};
use crate::tree::{Anchor, Node, Sides};

/// Distance above its foot at which a drawing's ground colour is sampled, as a share of its height.
const FOOT: f32 = 0.01;
/// Least share of a scene's width for a shape to count as a ground or a sky.
const WIDE: f32 = 0.98;
/// How far shapes may rise above the viewBox, and the least visible part of it, as shares of its height.
const HIGHER: f32 = 0.5;
const LEAST: f32 = 0.2;
/// Overlap of the ground under a drawing with the drawing, in du, so that no seam shows.
const OVERLAP: f32 = 4.0;

pub fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let plane = view_box(node);
    let sketch = draw::lowered(node, with, Affine::IDENTITY);
    let seen = Rect { y0: top(node, &sketch, plane), ..plane };
    let Size { w, h } = seen.size();
    let (canvas, room, safe) = (with.frame.size, with.frame.room, with.setting.format.safe_rect_du());
    let position = node.anchor("position").filter(|_| node.has("position"));
    let at_foot = node.sides("bleed").bottom;
    let position = position.unwrap_or(Anchor { x: Some(0.5), y: Some(if at_foot { 1.0 } else { 0.5 }) });
    // The drawing itself stays in the part of the canvas that apps leave free.
    let beyond = [room.x0 - safe.x0, safe.x1 - room.x1];
    let view = View { rect: seen, cover: false, position, beyond };
    let foot = Point::new(0.5 * (plane.x0 + plane.x1), plane.y1 - FOOT * h);
    let ground = if at_foot { place::ground(&sketch, foot) } else { None };
    let places = places(node, with, &sketch, view);
    let drawing = graphic(node, with, w / h, move |rect| {
        let place = view.within(&rect);
        let mut moved = moved(&sketch, &place);
        if let Some(color) = ground {
            let foot = place.apply_rect(&plane).y1;
            let strip = Rect { x0: 0.0, x1: canvas.w, y0: foot - OVERLAP, y1: canvas.h };
            moved.items.insert(0, Item::rect(strip, color, Role::Mark));
            moved = Sketch { layers: moved.layers.into_iter().map(later).collect(), items: moved.items };
        }
        let y1 = if at_foot { canvas.h } else { place.apply_rect(&plane).y1.min(rect.y1) };
        within(moved, Rect { x0: 0.0, x1: canvas.w, y0: rect.y0, y1 })
    });
    let drawing = drawing.looking(|look| look.bleed = Sides::default());
    let below = at_foot.then(|| ground.unwrap_or(with.inks.ground));
    with_places(drawing, places).looking(|look| look.below = below)
}

/// Returns where the tallest object of a scene begins, in the drawing's units. The space above it belongs to the page,
/// and an object that rises above the viewBox is fully visible. Grounds and skies, which are as wide as the scene, may
/// be cut off above.
fn top(node: &Node, sketch: &Sketch, plane: Rect) -> f32 {
    let extents = sketch.items.iter().map(|item| item.transform.apply_rect(&item.coverage.bounds()));
    let things = extents.filter(|extent| extent.w() < WIDE * plane.w() && extent.x1 > plane.x0 && extent.x0 < plane.x1);
    let boxes = node.children.iter().filter(|child| child.name() == "place").map(|place| place.numbers("box"));
    let places = boxes.filter_map(|numbers| numbers.get(1).map(|y| *y as f32));
    let top = things.map(|extent| extent.y0).chain(places).fold(f32::INFINITY, f32::min);
    let (least, most) = (plane.y0 - HIGHER * plane.h(), plane.y1 - LEAST * plane.h());
    if top.is_finite() { top.clamp(least, most) } else { plane.y0 }
}

/// Returns a layer shifted by one item.
fn later(layer: crate::scene::Layer) -> crate::scene::Layer {
    crate::scene::Layer { items: layer.items.start + 1..layer.items.end + 1, ..layer }
}
