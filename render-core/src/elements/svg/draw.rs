//! Lowering shapes into scene items: inheritance, transforms, paints, groups.

use std::str::FromStr as _;
use std::sync::Arc;

use kurbo::{Ellipse, PathEl, Point as Spot, RoundedRect, RoundedRectRadii, Shape as _};
use svgtypes::{PointsParser, Transform};

use crate::scene::{
    Affine, BezPath, Clip, Color, Coverage, FillRule, Item, Layer, LineCap, LineJoin, Paint, Point, Rect, Role, Size,
    Stop, Stroke,
};
use crate::sheet::{Inks, Sketch, With, mix};
use crate::tree::{Colour, Filling, Node, Role as ColourRole};

/// Tolerance for curves of ellipses and corners.
const TOLERANCE: f64 = 0.01;

/// The inherited properties of shapes.
#[derive(Clone)]
struct Pen {
    fill: Filling,
    fill_opacity: f32,
    rule: FillRule,
    stroke: Filling,
    stroke_opacity: f32,
    line: Stroke,
}

/// The drawing so far, and what its paints refer to.
struct Board<'a> {
    root: &'a Node,
    inks: Inks,
    sketch: Sketch,
}

/// Returns the shapes of an `svg` as items, transformed by `place`.
pub fn lowered(svg: &Node, with: &With<'_>, place: Affine) -> Sketch {
    let pen = Pen {
        fill: Filling::Colour(Colour::Role(ColourRole::Ink)),
        fill_opacity: 1.0,
        rule: FillRule::NonZero,
        stroke: Filling::None,
        stroke_opacity: 1.0,
        line: Stroke::new(1.0),
    };
    let mut board = Board { root: svg, inks: with.inks, sketch: Sketch::default() };
    let pen = pen.of(svg);
    svg.children.iter().for_each(|child| board.node(child, &pen, place));
    board.sketch
}

impl Pen {
    /// Returns the pen of `node` in a group with this pen.
    fn of(&self, node: &Node) -> Self {
        let number = |name: &str| node.number(name).map(|n| n as f32);
        let mut pen = self.clone();
        pen.fill = node.filling("fill").unwrap_or(pen.fill);
        pen.fill_opacity = number("fill-opacity").unwrap_or(pen.fill_opacity);
        pen.rule = match node.get("fill-rule") {
            Some("evenodd") => FillRule::EvenOdd,
            Some(_) => FillRule::NonZero,
            None => pen.rule,
        };
        pen.stroke = node.filling("stroke").unwrap_or(pen.stroke);
        pen.stroke_opacity = number("stroke-opacity").unwrap_or(pen.stroke_opacity);
        let line = &mut pen.line;
        line.width = number("stroke-width").unwrap_or(line.width);
        line.cap = match node.get("stroke-linecap") {
            Some("round") => LineCap::Round,
            Some("square") => LineCap::Square,
            Some(_) => LineCap::Butt,
            None => line.cap,
        };
        line.join = match node.get("stroke-linejoin") {
            Some("round") => LineJoin::Round,
            Some("bevel") => LineJoin::Bevel,
            Some(_) => LineJoin::Miter(4.0),
            None => line.join,
        };
        if node.has("stroke-dasharray") {
            let dashes: Vec<f32> = node.numbers("stroke-dasharray").into_iter().map(|n| (n as f32).max(0.0)).collect();
            // An odd number of lengths is repeated. Dashes without length would never end.
            let twice = if dashes.len() % 2 == 1 { 2 } else { 1 };
            let sum: f32 = dashes.iter().sum();
            line.dashes = if sum > 0.0 { dashes.repeat(twice).into() } else { Arc::default() };
        }
        line.dash_offset = number("stroke-dashoffset").unwrap_or(line.dash_offset);
        pen
    }
}

/// A shape's coverage where it is filled, its outline, and its bounds.
struct Outline {
    inside: Option<Coverage>,
    path: BezPath,
}

impl Board<'_> {
    fn node(&mut self, node: &Node, pen: &Pen, place: Affine) {
        if matches!(node.name(), "linearGradient" | "radialGradient" | "clipPath" | "defs" | "place") {
            return;
        }
        let place = place.after(&transform(node));
        let pen = pen.of(node);
        let opacity = node.number("opacity").map_or(1.0, |n| n as f32);
        let clip = node.get("clip-path").and_then(|v| self.clip(v, place));
        let both = pen.stroke != Filling::None && pen.fill != Filling::None;
        if clip.is_some() || (opacity < 1.0 && (matches!(node.name(), "g" | "use") || both)) {
            let at = self.sketch.layers.len();
            let from = self.sketch.items.len();
            self.sketch.layers.push(Layer { opacity, clip, ..Layer::new(from..from) });
            self.content(node, &pen, place, 1.0);
            self.sketch.layers[at].items.end = self.sketch.items.len();
        } else {
            self.content(node, &pen, place, opacity);
        }
    }

    fn content(&mut self, node: &Node, pen: &Pen, place: Affine, opacity: f32) {
        match node.name() {
            "g" => return node.children.iter().for_each(|child| self.node(child, pen, place)),
            "use" => return self.copied(node, pen, place),
            _ => {}
        }
        let Some(outline) = outline(node, pen.rule) else { return };
        let bounds = outline.path.bounding_box();
        let bounds = Rect::new(bounds.x0 as f32, bounds.y0 as f32, bounds.x1 as f32, bounds.y1 as f32);
        let mut put = |coverage: Coverage, paint: Option<Paint>| {
            let item = paint.map(|paint| Item { transform: place, ..Item::new(coverage, paint, Role::Art) });
            self.sketch.items.extend(item);
        };
        if let Some(inside) = outline.inside {
            put(inside, painted(self.root, &self.inks, &pen.fill, opacity * pen.fill_opacity, &bounds));
        }
        if pen.line.width > 0.0 {
            let coverage = Coverage::Stroke { path: Arc::new(outline.path), stroke: pen.line.clone() };
            put(coverage, painted(self.root, &self.inks, &pen.stroke, opacity * pen.stroke_opacity, &bounds));
        }
    }

    /// Draws what a `use` refers to.
    fn copied(&mut self, node: &Node, pen: &Pen, place: Affine) {
        let n = |name: &str| node.number(name).unwrap_or(0.0) as f32;
        // The copies of a copy could be without end. Checked trees have none.
        if let Some(original) = self.root.original(node).filter(|o| !o.walk().any(|n| n.name() == "use")) {
            self.node(original, pen, place.after(&Affine::translate(n("x"), n("y"))));
        }
    }

    /// Returns the clip that `value` refers to: the union of its shapes.
    fn clip(&self, value: &str, place: Affine) -> Option<Clip> {
        let id = value.trim().strip_prefix("url(#")?.strip_suffix(')')?;
        let found = self.root.walk().find(|n| n.name() == "clipPath" && n.id == id)?;
        let mut all = BezPath::new();
        for (shape, outline) in found.children.iter().filter_map(|n| Some((n, outline(n, FillRule::NonZero)?))) {
            let Affine(m) = transform(shape);
            all.extend((kurbo::Affine::new(m.map(f64::from)) * outline.path).iter());
        }
        let coverage = Coverage::Path { path: Arc::new(all), rule: FillRule::NonZero };
        Some(Clip { transform: place.after(&transform(found)), coverage })
    }
}

fn transform(node: &Node) -> Affine {
    let read = node.get("transform").and_then(|t| Transform::from_str(t).ok());
    read.map_or(Affine::IDENTITY, |t| Affine([t.a, t.b, t.c, t.d, t.e, t.f].map(|n| n as f32)))
}

/// Returns the outline of a shape; `None` if it has no extent.
fn outline(node: &Node, rule: FillRule) -> Option<Outline> {
    let n = |name: &str| node.number(name).unwrap_or(0.0);
    let filled = |path: BezPath| {
        let inside = Coverage::Path { path: Arc::new(path.clone()), rule };
        Some(Outline { inside: Some(inside), path })
    };
    match node.name() {
        "rect" => rect(node),
        "circle" => ellipse(n("cx"), n("cy"), n("r"), n("r")),
        "ellipse" => {
            let side = |name: &str, other: &str| node.number(name).or_else(|| node.number(other)).unwrap_or(0.0);
            ellipse(n("cx"), n("cy"), side("rx", "ry"), side("ry", "rx"))
        }
        "line" => {
            let ends = [PathEl::MoveTo(Spot::new(n("x1"), n("y1"))), PathEl::LineTo(Spot::new(n("x2"), n("y2")))];
            Some(Outline { inside: None, path: BezPath::from_vec(ends.to_vec()) })
        }
        name @ ("polyline" | "polygon") => {
            let points: Vec<Spot> = PointsParser::from(node.get("points")?).map(Spot::from).collect();
            let (first, rest) = points.split_first()?;
            let mut path = BezPath::new();
            path.move_to(*first);
            rest.iter().for_each(|p| path.line_to(*p));
            if name == "polygon" {
                path.close_path();
            }
            filled(path)
        }
        "path" => filled(BezPath::from_svg(node.get("d")?).ok()?).filter(|o| !o.path.elements().is_empty()),
        _ => None,
    }
}

fn rect(node: &Node) -> Option<Outline> {
    let n = |name: &str| node.number(name).unwrap_or(0.0);
    let (x, y, w, h) = (n("x"), n("y"), n("width"), n("height"));
    if w <= 0.0 || h <= 0.0 {
        return None;
    }
    let r = node.number("rx").or_else(|| node.number("ry")).unwrap_or(0.0).min(0.5 * w).min(0.5 * h);
    let rounded = RoundedRect::new(x, y, x + w, y + h, RoundedRectRadii::from_single_radius(r));
    let path = if r > 0.0 { rounded.to_path(TOLERANCE) } else { rounded.rect().to_path(TOLERANCE) };
    let rect = Rect::at(x as f32, y as f32, w as f32, h as f32);
    Some(Outline { inside: Some(Coverage::Rect { rect, radii: [r as f32; 4], stroke: None }), path })
}

fn ellipse(cx: f64, cy: f64, rx: f64, ry: f64) -> Option<Outline> {
    if rx <= 0.0 || ry <= 0.0 {
        return None;
    }
    let (center, radii) = (Point::new(cx as f32, cy as f32), Size::new(rx as f32, ry as f32));
    let path = Ellipse::new((cx, cy), (rx, ry), 0.0).to_path(TOLERANCE);
    Some(Outline { inside: Some(Coverage::Ellipse { center, radii, stroke: None }), path })
}

/// Returns a filling as the scene's paint on a shape with these bounds; `None` if nothing is drawn.
fn painted(root: &Node, inks: &Inks, filling: &Filling, opacity: f32, bounds: &Rect) -> Option<Paint> {
    if opacity <= 0.0 {
        return None;
    }
    match filling {
        Filling::None => None,
        Filling::Gradient(id) => gradient(root, inks, id, opacity, bounds),
        solid => Some(Paint::Solid(color(inks, solid).alpha(opacity))),
    }
}

fn color(inks: &Inks, filling: &Filling) -> Color {
    match filling {
        Filling::Colour(colour) => inks.fill(*colour),
        Filling::Dark | Filling::Light => {
            let (ink, ground) = (inks.ink(), inks.fill(Colour::Role(ColourRole::Bg)));
            if (ink.luminance() < ground.luminance()) == (*filling == Filling::Dark) { ink } else { ground }
        }
        Filling::Mixed(a, b, share) => mix(color(inks, a), color(inks, b), *share),
        Filling::None | Filling::Gradient(_) => inks.ink(),
    }
}

fn gradient(root: &Node, inks: &Inks, id: &str, opacity: f32, bounds: &Rect) -> Option<Paint> {
    let node = root.walk().find(|n| n.id == id && matches!(n.name(), "linearGradient" | "radialGradient"))?;
    let mut least = 0.0_f32;
    let stops = node.children.iter().filter(|n| n.name() == "stop").map(|stop| {
        let filling = stop.filling("stop-color").unwrap_or(Filling::None);
        let alpha = stop.number("stop-opacity").map_or(1.0, |n| n as f32);
        // Offsets never decrease.
        least = share(stop, "offset", 0.0).clamp(least, 1.0);
        let alpha = if filling == Filling::None { 0.0 } else { alpha * opacity };
        Stop { offset: least, color: color(inks, &filling).alpha(alpha) }
    });
    let stops: Arc<[Stop]> = stops.collect();
    if stops.is_empty() {
        return None;
    }
    let at = |x: f32, y: f32| Point::new(bounds.x0 + x * bounds.w(), bounds.y0 + y * bounds.h());
    Some(if node.name() == "linearGradient" {
        let from = at(share(node, "x1", 0.0), share(node, "y1", 0.0));
        Paint::Linear { from, to: at(share(node, "x2", 1.0), share(node, "y2", 0.0)), stops }
    } else {
        let radius = share(node, "r", 0.5) * bounds.w().max(bounds.h());
        Paint::Radial { center: at(share(node, "cx", 0.5), share(node, "cy", 0.5)), radius, stops }
    })
}

/// Reads a share in SVG notation: `0.4` or `40%`.
fn share(node: &Node, name: &str, default: f32) -> f32 {
    let Some(text) = node.get(name).map(str::trim) else { return default };
    let (number, times) = text.strip_suffix('%').map_or((text, 1.0), |n| (n, 0.01));
    number.parse::<f32>().ok().filter(|n| n.is_finite()).map_or(default, |n| n * times)
}
