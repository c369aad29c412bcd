//! `paper`: a sheet that holds elements, attached with a tape, a clip or a pin.

use kurbo::{RoundedRect, Shape as _};

use super::Made;
use super::material::{Standing, paper};
use super::shared::{ALIGN, container};
use crate::random::Chance;
use crate::scene::{BezPath, Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stroke};
use crate::sheet::{Border, Boxed, Flow, Ranged, With, mix};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

/// Height of the teeth of a torn edge, relative to their width.
const TOOTH: f32 = 0.42;
/// Widths of a tape and of a clip, relative to the sheet's.
const TAPE: f32 = 0.26;
const CLIP: f32 = 0.36;

const ELEMENT: Element = Element {
    name: "paper",
    group: Group::Devices,
    about: "a sheet that holds elements: notes, lists, letters",
    holds: Holds::Elements,
    attributes: &[
        Attribute::new("fill", Kind::Colour),
        Attribute::or("held", Kind::Choice(&["none", "tape", "clip", "pin"]), "tape"),
        Attribute::or("edge", Kind::Choice(&["straight", "zigzag", "torn"]), "straight"),
        Attribute::or("gap", Kind::Space, "3"),
        Attribute::or("pad", Kind::Space, "5"),
        Attribute::new("align", ALIGN),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// What attaches the sheet.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Not,
    Tape,
    Clip,
    Pin,
}

/// The look of the lower edge.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Straight,
    Zigzag,
    Torn,
}

/// The sheet without its content.
struct Sheet {
    fill: Color,
    standing: Standing,
    held: Held,
    edge: Edge,
    /// The height of the tape, clip or pin.
    holder: f32,
    /// The colour of the tape, clip or pin, and the outline of objects.
    color: Color,
    outline: Option<Border>,
    tooth: f32,
    seed: u64,
}

/// Returns the colour of the tape, clip or pin: the accent, if the ground behind the sheet has another colour.
fn holding(with: &With<'_>, fill: Color, accent: Color) -> Color {
    const APART: f32 = 0.12;
    let behind = with.inks.ground;
    if behind.distance(accent) >= APART { accent } else { mix(fill, with.on(fill).inks.ink(), 0.3) }
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fill = node.colour("fill").map_or_else(|| paper(with), |c| with.inks.fill(c));
    let inner = with.on(fill);
    let mut lay = with.container(node, Flow::Column, 3, 5);
    let held = match node.get("held") {
        Some("clip") => Held::Clip,
        Some("pin") => Held::Pin,
        Some("none") => Held::Not,
        _ => Held::Tape,
    };
    let edge = match node.get("edge") {
        Some("zigzag") => Edge::Zigzag,
        Some("torn") => Edge::Torn,
        _ => Edge::Straight,
    };
    let holder = match held {
        Held::Not => 0.0,
        Held::Tape | Held::Clip => 1.5 * with.step(4),
        Held::Pin => 1.1 * with.step(4),
    };
    let tooth = if edge == Edge::Straight { 0.0 } else { 1.3 * with.step(4) };
    let sheet = Sheet {
        fill,
        standing: Standing::of(with, true),
        held,
        edge,
        holder,
        color: holding(with, fill, inner.inks.accent()),
        outline: with.outline(),
        tooth,
        seed: with.setting.seed,
    };
    lay.pad[0] += holder;
    lay.pad[2] += TOOTH * tooth;
    let content = container(node, &inner, lay);
    let ground = Boxed::drawn(Ranged::fixed(Size::new(1.0, 1.0)), move |rect| sheet.draw(rect));
    let tilt = with.theme().card.map_or(0.0, |card| card.tilt);
    Boxed::layer(vec![ground, content]).with(|lay| lay.turn = if with.frame.rtl { tilt } else { -tilt })
}

impl Sheet {
    fn draw(&self, rect: Rect) -> Vec<Item> {
        // The tape, clip or pin overlaps the edge by half its height. It shrinks with the sheet, as spaces do on a full
        // page.
        let holder = self.holder.min(0.16 * rect.h());
        let sheet = Rect { y0: rect.y0 + 0.5 * holder, ..rect };
        let path = self.outline(&sheet);
        let shade = Rect { y1: sheet.y1 - TOOTH * self.tooth, ..sheet };
        let mut items = self.standing.draw(&shade, &path, self.fill);
        let middle = Point::new(sheet.center().x, sheet.y0);
        match self.held {
            Held::Not => {}
            Held::Tape => items.push(self.tape(middle, TAPE * sheet.w(), holder)),
            Held::Clip => items.extend(self.clip(middle, CLIP * sheet.w(), holder)),
            Held::Pin => items.extend(self.pin(middle, holder)),
        }
        items
    }

    fn outline(&self, r: &Rect) -> BezPath {
        let at = |x: f32, y: f32| (f64::from(x), f64::from(y));
        let mut path = BezPath::new();
        path.move_to(at(r.x0, r.y0));
        path.line_to(at(r.x1, r.y0));
        let foot = r.y1 - TOOTH * self.tooth;
        if self.edge == Edge::Straight {
            path.line_to(at(r.x1, r.y1));
            path.line_to(at(r.x0, r.y1));
        } else {
            path.line_to(at(r.x1, foot));
            let torn = self.edge == Edge::Torn;
            let count = (r.w() / self.tooth / if torn { 0.55 } else { 1.0 }).round().max(3.0) as u32;
            let mut chance = Chance::new(self.seed);
            let half = 0.5 * r.w() / count as f32;
            for i in 0..count {
                let x = r.x1 - 2.0 * half * i as f32;
                // The height of torn paper is random.
                let (high, low) = if torn { (chance.unit(), 0.5 * chance.unit()) } else { (1.0, 0.0) };
                path.line_to(at(x - half, foot + high * TOOTH * self.tooth));
                path.line_to(at(x - 2.0 * half, foot + low * TOOTH * self.tooth));
            }
            path.line_to(at(r.x0, foot));
        }
        path.close_path();
        path
    }

    /// Draws a slightly rotated strip of translucent tape.
    fn tape(&self, middle: Point, w: f32, h: f32) -> Item {
        let (x, y) = (f64::from(middle.x), f64::from(middle.y));
        let (w, h) = (0.5 * f64::from(w), 0.36 * f64::from(h));
        let strip = kurbo::Rect::new(-w, -h, w, h).to_path(0.1);
        let turn = kurbo::Affine::translate((x, y)) * kurbo::Affine::rotate(-0.035);
        Item::path(turn * strip, self.color.alpha(0.82), Role::Mark)
    }

    fn clip(&self, middle: Point, w: f32, h: f32) -> Vec<Item> {
        let (x, y) = (f64::from(middle.x), f64::from(middle.y));
        let (w, h) = (0.5 * f64::from(w), 0.5 * f64::from(h));
        let jaw = RoundedRect::new(x - w, y - h, x + w, y + h, 0.5 * h).to_path(0.05);
        let mut items = vec![Item::path(jaw.clone(), self.color, Role::Mark)];
        let glint = RoundedRect::new(x - 0.34 * w, y - 0.16 * h, x + 0.34 * w, y + 0.16 * h, 0.16 * h).to_path(0.05);
        items.push(Item::path(glint, mix(self.color, self.fill, 0.55), Role::Mark));
        items.extend(self.outline.map(|b| drawn(jaw, &b)));
        items
    }

    fn pin(&self, middle: Point, side: f32) -> Vec<Item> {
        let r = 0.46 * side;
        let shade =
            Item::circle(Point::new(middle.x + 0.16 * r, middle.y + 0.3 * r), r, Color::BLACK.alpha(0.18), Role::Mark);
        let light = Point::new(middle.x - 0.3 * r, middle.y - 0.32 * r);
        let mut items = vec![shade, Item::circle(middle, r, self.color, Role::Mark)];
        items.push(Item::circle(light, 0.26 * r, mix(self.color, Color::WHITE, 0.65), Role::Mark));
        items.extend(self.outline.map(|b| Item::ring(middle, r, b.width, b.color, Role::Mark)));
        items
    }
}

fn drawn(path: BezPath, border: &Border) -> Item {
    let coverage = Coverage::Stroke { path: path.into(), stroke: Stroke::round(border.width) };
    Item::new(coverage, Paint::Solid(border.color), Role::Mark)
}
