//! The common parts of drawings and photographs: their size, and bleeding to the canvas's edge.

use crate::scene::{Affine, Rect, Size};
use crate::sheet::{Boxed, Flow, Ranged, Sketch, With};
use crate::tree::{Attribute, Kind, Node};

/// Smallest and largest height of a drawing, as shares of the page's height.
const HEIGHT: (f32, f32) = (0.17, 0.5);
/// In a row: largest height, and smallest and largest share of the width.
const ROW: (f32, f32, f32) = (0.94, 0.2, 0.46);

/// A drawing takes the remaining space of a column.
pub const GROW: Attribute = Attribute::or("grow", Kind::Number(0.0, 10.0), "1");
/// Sides on which it extends to the canvas's edge.
pub const BLEED: Attribute = Attribute::new("bleed", Kind::Sides);
/// Its position in a box of another shape.
pub const POSITION: Attribute = Attribute::or("position", Kind::Anchor, "center");
/// Its alternative text.
pub const ALT: Attribute = Attribute::new("alt", Kind::Name);

/// Returns the box of a drawing with this width over height. In a column it takes the remaining space; in a row, a part
/// of it.
pub fn graphic(node: &Node, with: &With<'_>, aspect: f32, draw: impl Fn(Rect) -> Sketch + 'static) -> Boxed {
    let room = with.frame.room;
    let row = matches!(with.flow, Flow::Row | Flow::Wrap);
    let (high, narrow, wide) = if row { ROW } else { (HEIGHT.1, ROW.1, 1.0) };
    let sized = node.has("width") || node.has("height");
    let size = Ranged {
        min: Size::new(narrow * room.w(), HEIGHT.0 * room.h()),
        max: Size::new(wide * room.w(), high * room.h()),
    };
    Boxed::sketched(size, Some(aspect.clamp(0.02, 50.0)), draw)
        .with(|lay| lay.grow = if row || sized { 0.0 } else { node.number("grow").unwrap_or(1.0) as f32 })
        .looking(|look| look.bleed = node.sides("bleed"))
}

/// Returns a sketch transformed by `place`.
pub fn moved(sketch: &Sketch, place: &Affine) -> Sketch {
    let mut moved = sketch.clone();
    moved.items.iter_mut().for_each(|item| item.transform = place.after(&item.transform));
    for clip in moved.layers.iter_mut().filter_map(|layer| layer.clip.as_mut()) {
        clip.transform = place.after(&clip.transform);
    }
    moved
}
