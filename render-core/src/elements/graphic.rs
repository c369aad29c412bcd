//! What drawings and photographs have in common: how large they are, and that they may reach to the canvas's edge.

use crate::scene::{Affine, Rect, Size};
use crate::sheet::{Boxed, Flow, Ranged, Sketch, With};
use crate::tree::{Attribute, Kind, Node};

/// Shares of the page's room that a drawing takes in height where the page is full, and where there is room.
const HEIGHT: (f32, f32) = (0.17, 0.5);
/// The most in height in a row, and shares of the room's width there.
const ROW: (f32, f32, f32) = (0.94, 0.2, 0.46);

/// A drawing takes what a column leaves.
pub const GROW: Attribute = Attribute::or("grow", Kind::Number(0.0, 10.0), "1");
/// Sides on which it reaches to the canvas's edge.
pub const BLEED: Attribute = Attribute::new("bleed", Kind::Sides);
/// Where it stands in a box of another shape.
pub const POSITION: Attribute = Attribute::or("position", Kind::Anchor, "center");
/// What it shows, for those who don't see it.
pub const ALT: Attribute = Attribute::new("alt", Kind::Name);

/// The box of a drawing of this width over height. In a column it takes the room that is left; in a row, a part of it.
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

/// A sketch moved by `place`.
pub fn moved(sketch: &Sketch, place: &Affine) -> Sketch {
    let mut moved = sketch.clone();
    moved.items.iter_mut().for_each(|item| item.transform = place.after(&item.transform));
    for clip in moved.layers.iter_mut().filter_map(|layer| layer.clip.as_mut()) {
        clip.transform = place.after(&clip.transform);
    }
    moved
}
