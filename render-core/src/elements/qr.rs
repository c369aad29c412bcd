//! `qr`: a QR code.

use qrcodegen::{QrCode, QrCodeEcc};

use super::Made;
use super::material::{paper, print};
use crate::scene::{Affine, BezPath, Color, Coverage, FillRule, Item, Paint, Rect, Role, Size};
use crate::sheet::{Boxed, Flow, Place, Ranged, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Shape};

/// Light modules around the code, as the standard requires.
const QUIET: i32 = 4;
/// Smallest and largest side, relative to the room's shorter side; the same on strips.
const SIDE: (f32, f32) = (0.24, 0.36);
const STRIP: (f32, f32) = (0.6, 0.9);

const ELEMENT: Element = Element {
    name: "qr",
    group: Group::Devices,
    about: "a QR code of value",
    holds: Holds::Nothing,
    attributes: &[Attribute::new("value", Kind::Name), Attribute::new("alt", Kind::Name)],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let text = node.get("value").unwrap_or_default().trim();
    let encoded = [QrCodeEcc::Medium, QrCodeEcc::Low].into_iter().find_map(|e| QrCode::encode_text(text, e).ok());
    let Some(code) = encoded.filter(|_| !text.is_empty()) else { return Boxed::empty() };
    let (path, modules) = (dark(&code), (code.size() + 2 * QUIET) as f32);
    let (light, ink) = (paper(with), print(with));
    // On a ground as light as paper, an edge shows where the code ends.
    let edge = with.outline().map(|b| (b.width, b.color)).or_else(|| {
        (light.contrast(with.inks.ground) < 1.07).then(|| (with.rule().min(with.step(1) * 0.4), with.inks.line()))
    });
    let most = with.radius(0.5);
    let draw = move |rect: Rect| {
        let side = rect.size().short();
        let tile = Rect::at(rect.center().x - 0.5 * side, rect.center().y - 0.5 * side, side, side);
        drawn(&path, modules, tile, most, [light, ink], edge)
    };
    let short = with.frame.room.size().short();
    let size = |share: f32| Size::new(share * short, share * short);
    let (min, max) = if with.frame.shape == Shape::Strip { STRIP } else { SIDE };
    let size = Ranged { min: size(min), max: size(max) };
    let place = match with.align {
        Align::Center => Place::Center,
        Align::End => Place::End,
        Align::Start => Place::Start,
    };
    Boxed::sketched(size, Some(1.0), move |rect| draw(rect).into())
        .rigid()
        .with(|lay| lay.place = (with.flow == Flow::Column).then_some(place))
}

/// Returns the dark modules as one path in units of modules; runs of a row are one rectangle.
fn dark(code: &QrCode) -> BezPath {
    let mut path = BezPath::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let from = x;
            while code.get_module(x, y) {
                x += 1;
            }
            if x > from {
                let (x0, y0) = (f64::from(from + QUIET), f64::from(y + QUIET));
                let (x1, y1) = (f64::from(x + QUIET), y0 + 1.0);
                path.move_to((x0, y0));
                path.line_to((x1, y0));
                path.line_to((x1, y1));
                path.line_to((x0, y1));
                path.close_path();
            }
            x += 1;
        }
    }
    path
}

fn drawn(
    path: &BezPath,
    modules: f32,
    tile: Rect,
    most: f32,
    [light, ink]: [Color; 2],
    edge: Option<(f32, Color)>,
) -> Vec<Item> {
    let unit = tile.w() / modules;
    let radius = most.min(2.5 * unit);
    let mut items = vec![Item::rounded(tile, [radius; 4], light, Role::Field)];
    if let Some((width, color)) = edge {
        let rect = tile.grow(-0.5 * width);
        let coverage = Coverage::Rect { rect, radii: [(radius - 0.5 * width).max(0.0); 4], stroke: Some(width) };
        items.push(Item::new(coverage, Paint::Solid(color), Role::Mark));
    }
    let coverage = Coverage::Path { path: path.clone().into(), rule: FillRule::NonZero };
    let transform = Affine([unit, 0.0, 0.0, unit, tile.x0, tile.y0]);
    items.push(Item { transform, ..Item::new(coverage, Paint::Solid(ink), Role::Mark) });
    items
}
