//! `svg`: a drawing of shapes, coloured by the palette's roles, with places for elements on it.

mod draw;
mod place;
mod scene;
mod shapes;

use super::Made;
use super::graphic::{ALT, BLEED, GROW, POSITION, graphic, moved};
use crate::scene::{Affine, Clip, Coverage, Layer, Rect, Size};
use crate::sheet::{Boxed, Sketch, View, With};
use crate::tree::{Attribute, Element, Group, Kind, Node};

pub use place::MADE as PLACE;
pub use shapes::{CIRCLE, CLIP, DEFS, ELLIPSE, G, LINE, LINEAR, PATH, POLYGON, POLYLINE, RADIAL, RECT, STOP, USE};
use shapes::{DRAWN, PRESENTATION};

const P: [Attribute; 13] = PRESENTATION;

const ELEMENT: Element = Element {
    name: "svg",
    group: Group::Pictures,
    about: "a drawing of shapes as in SVG, and places with words; bleed=\"left right\" (and bottom, at the page's foot) makes a scene, seen beyond its viewBox",
    holds: DRAWN,
    attributes: &[
        Attribute::or("viewBox", Kind::Numbers, "0 0 100 100"),
        Attribute::or("fit", Kind::Choice(&["contain", "cover"]), "contain"),
        POSITION,
        BLEED,
        ALT,
        GROW,
        P[0],
        P[3],
        P[4],
        P[6],
        P[7],
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    if node.is_scene() {
        return scene::build_box(node, with);
    }
    let plane = view_box(node);
    let sketch = draw::lowered(node, with, Affine::IDENTITY);
    let Size { w, h } = plane.size();
    let cover = node.get("fit") == Some("cover");
    let position = node.anchor("position").unwrap_or_default();
    let view = View { rect: plane, cover, position, beyond: [0.0; 2] };
    let clipped = cover || !plane.contains(&extent(&sketch), 0.01 * w.max(h));
    let places = places(node, with, &sketch, view);
    let drawing = graphic(node, with, w / h, move |rect| {
        let place = view.within(&rect);
        let moved = moved(&sketch, &place);
        if !clipped {
            return moved;
        }
        let seen = place.apply_rect(&plane).intersect(&rect);
        within(moved, seen)
    });
    with_places(drawing, places)
}

/// Returns the boxes of the places on a drawing.
fn places(node: &Node, with: &With<'_>, sketch: &Sketch, view: View) -> Vec<Boxed> {
    node.children.iter().filter_map(|child| place::build_box(child, with, sketch, view)).collect()
}

/// Combines a drawing with the elements on it.
fn with_places(drawing: Boxed, places: Vec<Boxed>) -> Boxed {
    if places.is_empty() {
        return drawing;
    }
    let grow = drawing.lay.grow;
    let drawing = drawing.growing(0.0).at(None, None);
    Boxed::layer(std::iter::once(drawing).chain(places).collect()).growing(grow)
}

/// Returns a sketch clipped to a rectangle.
fn within(sketch: Sketch, seen: Rect) -> Sketch {
    let coverage = Coverage::Rect { rect: seen, radii: [0.0; 4], stroke: None };
    let clip = Some(Clip { transform: Affine::IDENTITY, coverage });
    let around = Layer { clip, ..Layer::new(0..sketch.items.len()) };
    Sketch { layers: std::iter::once(around).chain(sketch.layers).collect(), items: sketch.items }
}

/// Returns the visible part of the drawing's plane.
fn view_box(node: &Node) -> Rect {
    match node.numbers("viewBox")[..] {
        [x, y, w, h] if w > 0.0 && h > 0.0 => Rect::at(x as f32, y as f32, w as f32, h as f32),
        _ => Rect::at(0.0, 0.0, 100.0, 100.0),
    }
}

/// Returns the extent of a sketch.
fn extent(sketch: &Sketch) -> Rect {
    sketch.items.iter().fold(Rect::EMPTY, |all, item| all.union(&item.transform.apply_rect(&item.coverage.bounds())))
}
