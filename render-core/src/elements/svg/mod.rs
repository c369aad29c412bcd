//! `svg`: a drawing of shapes, coloured by the palette's roles.

mod draw;
mod shapes;

use super::Made;
use super::graphic::{ALT, BLEED, GROW, POSITION, graphic, moved, placed};
use crate::scene::{Affine, Clip, Coverage, Layer, Rect, Size};
use crate::sheet::{Boxed, Sketch, With};
use crate::tree::{Attribute, Element, Group, Kind, Node};

pub use shapes::{CIRCLE, CLIP, DEFS, ELLIPSE, G, LINE, LINEAR, PATH, POLYGON, POLYLINE, RADIAL, RECT, STOP};
use shapes::{HELD, PRESENTATION};

const P: [Attribute; 13] = PRESENTATION;

const ELEMENT: Element = Element {
    name: "svg",
    group: Group::Pictures,
    about: "a drawing of shapes as in SVG, without text; paints may be dark and light too",
    holds: HELD,
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

pub const MADE: Made = Made { element: &ELEMENT, dress: Some(dress) };

fn dress(node: &Node, with: &With<'_>) -> Boxed {
    let view = view_box(node);
    let sketch = draw::lowered(node, with, Affine::translate(-view.x0, -view.y0));
    let Size { w, h } = view.size();
    let cover = node.get("fit") == Some("cover");
    let position = node.anchor("position").unwrap_or_default();
    let clipped = cover || !Rect::new(0.0, 0.0, w, h).contains(&extent(&sketch), 0.01 * w.max(h));
    graphic(node, with, w / h, move |rect| {
        let place = placed(&rect, w, h, cover, position);
        let moved = moved(&sketch, &place);
        if !clipped {
            return moved;
        }
        let seen = place.apply_rect(&Rect::new(0.0, 0.0, w, h)).intersect(&rect);
        let coverage = Coverage::Rect { rect: seen, radii: [0.0; 4], stroke: None };
        let clip = Some(Clip { transform: Affine::IDENTITY, coverage });
        let around = Layer { clip, ..Layer::new(0..moved.items.len()) };
        Sketch { layers: std::iter::once(around).chain(moved.layers).collect(), items: moved.items }
    })
}

/// The part of the drawing's plane that is shown.
fn view_box(node: &Node) -> Rect {
    match node.numbers("viewBox")[..] {
        [x, y, w, h] if w > 0.0 && h > 0.0 => Rect::at(x as f32, y as f32, w as f32, h as f32),
        _ => Rect::at(0.0, 0.0, 100.0, 100.0),
    }
}

/// What a sketch covers.
fn extent(sketch: &Sketch) -> Rect {
    sketch.items.iter().fold(Rect::EMPTY, |all, item| all.union(&item.transform.apply_rect(&item.coverage.bounds())))
}
