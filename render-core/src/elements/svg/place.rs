//! `place`: a rectangle of a drawing that holds elements: its labels, figures and marks. Their colours are readable on
//! the shape under the rectangle's centre.

use kurbo::{BezPath, PathEl, Shape as _};

use super::super::Made;
use super::super::shared::{ALIGN, JUSTIFY};
use crate::scene::{Color, Coverage, Paint, Point, Rect};
use crate::sheet::{Boxed, Flow, Plot, Sketch, View, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

/// Least opacity of a shape that counts as the ground of words on it.
const OPAQUE: f32 = 0.5;

const ELEMENT: Element = Element {
    name: "place",
    group: Group::Parts,
    about: "holds elements on an svg, in box (x y width height of its viewBox); their colours read on the shape under them",
    holds: Holds::Elements,
    attributes: &[
        Attribute::new("box", Kind::Numbers),
        Attribute::or("align", ALIGN, "center"),
        Attribute::or("justify", JUSTIFY, "center"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: None };

/// Returns the box of a `place` on a drawing in the given `view`; `None` for a shape.
pub fn build_box(node: &Node, with: &With<'_>, sketch: &Sketch, view: View) -> Option<Boxed> {
    if node.name() != ELEMENT.name {
        return None;
    }
    let [x, y, w, h] = node.numbers("box")[..] else { return None };
    let rect = Rect::at(x as f32, y as f32, w as f32, h as f32);
    let middle = Point::new(0.5 * (rect.x0 + rect.x1), 0.5 * (rect.y0 + rect.y1));
    let with = ground(sketch, middle).map_or(*with, |ground| with.on(ground));
    let mut lay = with.container(node, Flow::Column, 3, 0);
    // Words keep a distance from the edges of the shape under them.
    lay.pad = [with.step(1); 4];
    let boxes = with.inside(node, &lay).children(node);
    let mut boxed = Boxed::around(Flow::Column, boxes).with(|own| *own = lay);
    boxed.lay.plot = Some(Plot { rect, view });
    boxed.id.clone_from(&node.id);
    Some(boxed)
}

/// Returns a path with all parts closed, as in filling: an open one has no inside.
fn closed(path: &BezPath) -> BezPath {
    let mut out = BezPath::new();
    for (i, element) in path.elements().iter().enumerate() {
        if i > 0 && matches!(element, PathEl::MoveTo(_)) {
            out.close_path();
        }
        out.push(*element);
    }
    out.close_path();
    out
}

/// Returns the colour of the topmost filled shape at a point of the drawing; `None` if the page is visible there.
pub fn ground(sketch: &Sketch, at: Point) -> Option<Color> {
    sketch.items.iter().rev().find_map(|item| {
        let Paint::Solid(color) = item.paint else { return None };
        let p = item.transform.inverse()?.apply(at);
        let covers = match &item.coverage {
            Coverage::Rect { rect, stroke: None, .. } => rect.contains(&Rect::at(p.x, p.y, 0.0, 0.0), 0.0),
            Coverage::Ellipse { center, radii, stroke: None } => {
                let (x, y) =
                    ((p.x - center.x) / radii.w.max(f32::EPSILON), (p.y - center.y) / radii.h.max(f32::EPSILON));
                x * x + y * y <= 1.0
            }
            Coverage::Path { path, .. } => closed(path).contains(kurbo::Point::new(p.x.into(), p.y.into())),
            _ => false,
        };
        (covers && color.a >= OPAQUE).then_some(color)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scene::{FillRule, Item, Role};

    #[test]
    fn the_ground_of_words_is_the_shape_under_them_and_no_line_beside_them() {
        let path = |d: &str, color| {
            let path = Arc::new(BezPath::from_svg(d).expect("a path"));
            Item::new(Coverage::Path { path, rule: FillRule::NonZero }, Paint::Solid(color), Role::Mark)
        };
        let items = vec![path("M0 0H10V10H0", Color::WHITE), path("M2 0V10", Color::BLACK)];
        let sketch = Sketch { items, layers: Vec::new() };
        let at = |x, y| ground(&sketch, Point::new(x, y));
        assert_eq!((at(5.0, 5.0), at(15.0, 5.0)), (Some(Color::WHITE), None));
    }
}
