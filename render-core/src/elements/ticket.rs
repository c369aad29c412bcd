//! `ticket`: a voucher with a stub separated by a perforation.

use super::Made;
use super::material::Standing;
use super::shared::{ALIGN, container, text_box};
use crate::design::Voice;
use crate::scene::{BezPath, Color, Coverage, Item, Paint, Point, Rect, Role, Size, TextLevel};
use crate::sheet::{Boxed, Flow, Justify, Place, Plan, Ranged, With, mix};
use crate::text::Align;
use crate::tree::{Attribute, Colour, Element, Group, Holds, Kind, Node, Role as ColourRole, Shape, Step};

/// Length of the Bézier handles of a quarter circle, in radii.
const KAPPA: f64 = 0.552_284_75;

const ELEMENT: Element = Element {
    name: "ticket",
    group: Group::Devices,
    about: "a voucher that holds elements, and a stub with words behind a perforation",
    holds: Holds::Elements,
    attributes: &[
        Attribute::new("stub", Kind::Words),
        Attribute::new("stub-label", Kind::Words),
        Attribute::or("fill", Kind::Colour, "surface"),
        Attribute::or("stub-fill", Kind::Colour, "accent"),
        Attribute::new("flow", Kind::Choice(&["row", "column"])),
        Attribute::or("gap", Kind::Space, "3"),
        Attribute::or("pad", Kind::Space, "5"),
        Attribute::new("align", ALIGN),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// The side of a part that faces the other part.
#[derive(Clone, Copy, PartialEq)]
enum Torn {
    Nowhere,
    Top,
    Bottom,
    Left,
    Right,
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(ColourRole::Surface)));
    let inner = with.on(fill);
    let mut lay = with.container(node, Flow::Column, 3, 5);
    lay.justify = Justify::Center;
    let content = container(node, &inner, lay);
    let wide = matches!(with.frame.shape, Shape::Wide | Shape::Strip);
    let row = node.get("flow").map_or(wide, |flow| flow == "row");
    let holes = with.inks.ground;
    let Some(stub) = stub(node, with) else { return part(content, fill, Torn::Nowhere, holes, with) };
    let stub_fill = stub_fill(node, with);
    let rtl = with.frame.rtl;
    let (body_torn, stub_torn) = match (row, rtl) {
        (true, false) => (Torn::Right, Torn::Left),
        (true, true) => (Torn::Left, Torn::Right),
        _ => (Torn::Bottom, Torn::Top),
    };
    let body = part(content, fill, body_torn, holes, with);
    let stub = part(stub, stub_fill, stub_torn, holes, with);
    if row {
        Boxed::row(0.0, Place::Stretch, vec![body.growing(1.0), stub])
    } else {
        Boxed::column(0.0, vec![body.growing(1.0), stub])
    }
}

fn stub_fill(node: &Node, with: &With<'_>) -> Color {
    with.inks.fill(node.colour("stub-fill").unwrap_or(Colour::Role(ColourRole::Accent)))
}

/// Returns the words of the stub.
fn stub(node: &Node, with: &With<'_>) -> Option<Boxed> {
    let words = node.get("stub")?;
    let inner = with.on(stub_fill(node, with)).aligned(Align::Center);
    let mut boxes = Vec::new();
    if let Some(label) = node.get("stub-label") {
        let plan = Plan { level: TextLevel::Small, ..Plan::at(Voice::Label, Step::Xs, 2) };
        let plan = Plan { ink: Some(inner.inks.ink2()), ..plan.fit(Step::Xs, Step::Sm) };
        boxes.push(text_box(label, &format!("{}.stub-label", node.id), &inner, plan));
    }
    let plan = Plan { level: TextLevel::Head, ..Plan::at(Voice::Display, Step::Lg, 2) };
    boxes.push(text_box(words, &format!("{}.stub", node.id), &inner, plan.fit(Step::Lg, Step::Xxl)));
    let pad = with.space(node, "pad", 5);
    Some(Boxed::column(with.step(2), boxes).padded(0.8 * pad, pad).with(|lay| lay.justify = Justify::Center))
}

/// Returns one of the two parts with its background.
fn part(content: Boxed, fill: Color, torn: Torn, holes: Color, with: &With<'_>) -> Boxed {
    let standing = Standing::of(with, false);
    let (radius, notch) = (with.radius(1.0).min(with.step(5)), 0.75 * with.step(4));
    let dots = (torn != Torn::Nowhere).then(|| 0.16 * with.step(3));
    let mark = if holes.contrast(fill) >= 1.25 { holes } else { mix(with.on(fill).inks.ink(), fill, 0.6) };
    let draw = move |rect: Rect| {
        // Parts overlap slightly, so that no seam shows between them.
        let edge = outline(&rect, torn, f64::from(radius), f64::from(notch.min(0.3 * rect.size().short())));
        let mut path = edge.clone();
        path.close_path();
        let mut items = standing.shadow(&rect, &path, torn != Torn::Right);
        // The notches show the ground, not the shadow.
        items.extend(cut_out(&rect, torn, notch.min(0.3 * rect.size().short()), holes));
        items.extend(standing.body(&path, fill, Some(if torn == Torn::Nowhere { &path } else { &edge })));
        // The perforation belongs to the part that is drawn last.
        if let (Some(r), Torn::Top | Torn::Left | Torn::Right) = (dots, torn) {
            items.extend(perforation(&rect, torn, notch, r, mark));
        }
        items
    };
    let ground = Boxed::drawn(Ranged::fixed(Size::new(1.0, 1.0)), draw);
    Boxed::layer(vec![ground, content])
}

/// Returns the outline of a part, open on its torn side: round corners, and a quarter circle cut out at both
/// ends of that side.
fn outline(r: &Rect, torn: Torn, radius: f64, notch: f64) -> BezPath {
    let (w, h) = (f64::from(r.w()), f64::from(r.h()));
    // Drawn with the torn side at the top, then rotated.
    let turned = matches!(torn, Torn::Left | Torn::Right);
    let (w, h) = if turned { (h, w) } else { (w, h) };
    let radius = radius.min(0.5 * w.min(h));
    let k = radius * (1.0 - KAPPA);
    let n = notch * KAPPA;
    let mut path = BezPath::new();
    if torn == Torn::Nowhere {
        path.move_to((radius, 0.0));
        path.line_to((w - radius, 0.0));
        path.curve_to((w - k, 0.0), (w, k), (w, radius));
    } else {
        path.move_to((w - notch, 0.0));
        path.curve_to((w - notch, n), (w - n, notch), (w, notch));
    }
    path.line_to((w, h - radius));
    path.curve_to((w, h - k), (w - k, h), (w - radius, h));
    path.line_to((radius, h));
    path.curve_to((k, h), (0.0, h - k), (0.0, h - radius));
    if torn == Torn::Nowhere {
        path.line_to((0.0, radius));
        path.curve_to((0.0, k), (k, 0.0), (radius, 0.0));
    } else {
        path.line_to((0.0, notch));
        path.curve_to((n, notch), (notch, n), (notch, 0.0));
    }
    let (x0, y0, x1, y1) = (f64::from(r.x0), f64::from(r.y0), f64::from(r.x1), f64::from(r.y1));
    let place = match torn {
        Torn::Nowhere | Torn::Top => kurbo::Affine::translate((x0, y0)),
        Torn::Bottom => kurbo::Affine::new([1.0, 0.0, 0.0, -1.0, x0, y1]),
        Torn::Left => kurbo::Affine::new([0.0, 1.0, 1.0, 0.0, x0, y0]),
        Torn::Right => kurbo::Affine::new([0.0, 1.0, -1.0, 0.0, x1, y0]),
    };
    place * path
}

/// Returns the quarter circles that are cut out at the ends of the torn side.
fn cut_out(r: &Rect, torn: Torn, radius: f32, ground: Color) -> Vec<Item> {
    use std::f32::consts::FRAC_PI_2;
    let (left, right) = ((r.x0, 0.0), (r.x1, 1.0));
    let corners = match torn {
        Torn::Nowhere => return Vec::new(),
        Torn::Top => [(left, r.y0), (right, r.y0)],
        Torn::Bottom => [(left, r.y1), (right, r.y1)],
        Torn::Left => [(left, r.y0), (left, r.y1)],
        Torn::Right => [(right, r.y0), (right, r.y1)],
    };
    let quarter = |((x, side), y): ((f32, f32), f32)| {
        // The quarter inside the part, counted clockwise from the right; the first is at the lower right.
        let turns = match (side > 0.5, y > r.center().y) {
            (false, false) => 0.0,
            (true, false) => 1.0,
            (true, true) => 2.0,
            (false, true) => 3.0,
        };
        let center = Point::new(x, y);
        let coverage = Coverage::Arc { center, radius, start: turns * FRAC_PI_2, sweep: FRAC_PI_2, stroke: None };
        Item::new(coverage, Paint::Solid(ground), Role::Field)
    };
    corners.map(quarter).to_vec()
}

/// Returns the holes along the torn side.
fn perforation(r: &Rect, torn: Torn, notch: f32, radius: f32, color: Color) -> Vec<Item> {
    let down = torn != Torn::Top;
    let long = if down { r.h() } else { r.w() } - 2.0 * notch;
    let count = (long / (4.2 * radius)).floor().max(1.0) as u32;
    (0..count)
        .map(|i| {
            let along = notch + long * (i as f32 + 0.5) / count as f32;
            let at = match torn {
                Torn::Left => Point::new(r.x0, r.y0 + along),
                Torn::Right => Point::new(r.x1, r.y0 + along),
                _ => Point::new(r.x0 + along, r.y0),
            };
            Item::circle(at, radius, color, Role::Mark)
        })
        .collect()
}
