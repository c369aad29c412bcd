//! `img`: a photograph.

mod scrim;
mod tones;

use super::Made;
use super::graphic::{ALT, BLEED, GROW, graphic};
use super::material::paper;
use crate::design::{Crop, Photo};
use crate::scene::{Color, Coverage, ImageFit, Item, Paint, Point, Rect, Role, Size};
use crate::sheet::{Border, Boxed, Inks, Sketch, With};
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Sides};

/// Default width over height, if neither the page nor a photograph gives one.
const ASPECT: f32 = 1.5;
/// Borders of an instant print, as shares of its picture's side: on three sides, and below.
const PRINT: (f32, f32) = (0.06, 0.24);

const ELEMENT: Element = Element {
    name: "img",
    group: Group::Pictures,
    about: "a photograph (src: its address); scrim lays the ground's colour over it where words stand on it in a layer",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::new("src", Kind::Name),
        ALT,
        Attribute::new("aspect", Kind::Number(0.1, 10.0)),
        Attribute::new("focus", Kind::Numbers),
        Attribute::new("crop", Kind::Choice(&["cover", "whole"])),
        Attribute::new("radius", Kind::Space),
        Attribute::or("frame", Kind::Choice(&["none", "line", "circle", "polaroid"]), "none"),
        Attribute::or("duotone", Kind::Choice(&["none", "accent", "ink", "field"]), "none"),
        Attribute::or("scrim", Kind::Choice(&["none", "top", "bottom", "left", "right", "all"]), "none"),
        Attribute::or("dim", Kind::Number(0.0, 100.0), "0"),
        BLEED,
        GROW,
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// The look of the photograph.
struct Shown {
    photo: Option<Photo>,
    /// Width over height to keep.
    aspect: Option<f32>,
    radius: f32,
    frame: Frame,
    scrim: Option<scrim::Side>,
    tones: Option<[Color; 2]>,
    /// How much it is darkened, 0–1.
    dim: f32,
    inks: Inks,
}

enum Frame {
    None,
    Line(Border),
    Circle(Option<Border>),
    Print(Color, Option<Border>),
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let inks = with.inks;
    let mut photo = node.get("src").and_then(|name| with.setting.photo(name.trim())).cloned();
    if let Some(photo) = &mut photo {
        if let [x, y] = node.numbers("focus")[..] {
            photo.focus = Point::new((x as f32 / 100.0).clamp(0.0, 1.0), (y as f32 / 100.0).clamp(0.0, 1.0));
        }
        photo.crop = match node.get("crop") {
            Some("whole") => Crop::Whole,
            Some(_) => Crop::Cover,
            None => photo.crop,
        };
    }
    let line = Border { width: with.rule(), color: inks.ink(), dashed: false };
    let frame = match node.get("frame") {
        Some("line") => Frame::Line(with.outline().unwrap_or(line)),
        Some("circle") => Frame::Circle(with.outline()),
        Some("polaroid") => Frame::Print(paper(with), with.outline()),
        _ => with.outline().filter(|_| node.sides("bleed") == Sides::default()).map_or(Frame::None, Frame::Line),
    };
    let own = node.number("aspect").map(|a| a as f32);
    let seen = photo.as_ref().map_or(ASPECT, |p| p.width as f32 / p.height.max(1) as f32);
    let (natural, kept) = match frame {
        Frame::Circle(_) => (1.0, Some(1.0)),
        Frame::Print(..) => {
            let print = (1.0 + 2.0 * PRINT.0) / (1.0 / own.unwrap_or(1.0) + PRINT.0 + PRINT.1);
            (print, Some(print))
        }
        _ => (own.unwrap_or(seen), own),
    };
    let radius = node.space("radius").map_or_else(|| with.radius(1.0), |s| with.frame.space(s));
    let bleeds = node.sides("bleed") != Sides::default();
    let shown = Shown {
        photo,
        aspect: kept.filter(|_| !bleeds),
        radius: if bleeds && !node.has("radius") { 0.0 } else { radius },
        frame,
        scrim: node.get("scrim").and_then(scrim::Side::by_name),
        tones: node.get("duotone").and_then(|name| tones::of(name, &inks)),
        dim: (node.number("dim").unwrap_or_default() / 100.0) as f32,
        inks,
    };
    graphic(node, with, natural, move |rect| Sketch::from(shown.draw(rect)))
}

impl Shown {
    fn draw(&self, rect: Rect) -> Vec<Item> {
        let rect = self.aspect.map_or(rect, |aspect| within(&rect, aspect));
        let mut items = Vec::new();
        let mut picture = rect;
        if let Frame::Print(paper, border) = &self.frame {
            let side = rect.w() / (1.0 + 2.0 * PRINT.0);
            let edge = PRINT.0 * side;
            picture = Rect::new(rect.x0 + edge, rect.y0 + edge, rect.x1 - edge, rect.y1 - PRINT.1 * side);
            let shadow = Coverage::Shadow { rect: rect.shift(0.0, 0.02 * side), radius: 0.0, sigma: 0.025 * side };
            items.push(Item::new(shadow, Paint::Solid(Color::BLACK.alpha(0.22)), Role::Field));
            items.push(Item::rect(rect, *paper, Role::Field));
            items.extend(border.map(|b| outlined(rect, 0.0, &b)));
        }
        let coverage = match &self.frame {
            Frame::Circle(_) => {
                let radii = Size::new(0.5 * picture.w(), 0.5 * picture.h());
                Coverage::Ellipse { center: picture.center(), radii, stroke: None }
            }
            Frame::Print(..) => Coverage::Rect { rect: picture, radii: [0.0; 4], stroke: None },
            _ => Coverage::Rect { rect: picture, radii: [self.radius; 4], stroke: None },
        };
        items.extend(self.picture(&picture, &coverage));
        match &self.frame {
            Frame::Line(border) => items.push(outlined(picture, self.radius, border)),
            Frame::Circle(Some(b)) => {
                let ring = Item::ring(picture.center(), 0.5 * (picture.w() - b.width), b.width, b.color, Role::Mark);
                items.push(ring);
            }
            _ => {}
        }
        items
    }

    /// Returns the photograph and its scrim, or a tint.
    fn picture(&self, rect: &Rect, coverage: &Coverage) -> Vec<Item> {
        let tint = Item::new(coverage.clone(), Paint::Solid(self.inks.tint()), Role::Field);
        let Some((photo, pixels)) = self.photo.as_ref().and_then(|p| Some((p, p.pixels.as_ref()?))) else {
            return vec![tint];
        };
        let mut items = Vec::new();
        let fit = match photo.crop {
            Crop::Cover => ImageFit::Cover,
            Crop::Whole => {
                items.push(tint);
                ImageFit::Contain
            }
        };
        let image = self.tones.and_then(|t| tones::toned(pixels, t)).unwrap_or_else(|| pixels.clone());
        let shown = Photo { pixels: Some(image.clone()), ..photo.clone() };
        let paint = Paint::Image { image, rect: *rect, fit, focus: photo.focus };
        items.push(Item::new(coverage.clone(), paint, Role::Field));
        if self.dim > 0.0 {
            let shadow = Paint::Solid(Color::BLACK.alpha(self.dim));
            items.push(Item::new(coverage.clone(), shadow, Role::Field));
        }
        if let Some(side) = self.scrim {
            items.push(Item::new(coverage.clone(), scrim::paint(side, &shown, rect, &self.inks), Role::Field));
        }
        items
    }
}

/// Returns the largest centred rectangle of this width over height inside another.
fn within(rect: &Rect, aspect: f32) -> Rect {
    let w = rect.w().min(rect.h() * aspect);
    let (center, h) = (rect.center(), w / aspect);
    Rect::at(center.x - 0.5 * w, center.y - 0.5 * h, w, h)
}

fn outlined(rect: Rect, radius: f32, border: &Border) -> Item {
    let half = 0.5 * border.width;
    let coverage =
        Coverage::Rect { rect: rect.grow(-half), radii: [(radius - half).max(0.0); 4], stroke: Some(border.width) };
    Item::new(coverage, Paint::Solid(border.color), Role::Mark)
}
