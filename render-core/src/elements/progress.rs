//! `progress`: a progress indicator; by default, the page's position in its carousel.

use super::Made;
use super::signs::{hugging, idle, thin};
use crate::design::{Rhythm, Traveller};
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role, Size};
use crate::sheet::{Border, Boxed, Flow, Ranged, With};
use crate::tree::{Attribute, Colour, Element, Group, Holds, Kind, Node, Role as Named, Step};

/// The maximum number of segments and dots; above it, a bar is drawn.
const MOST: f64 = 16.0;
/// Heights of bars, segments, dots and trails, in em of running text.
const HIGH: [f32; 4] = [0.46, 0.28, 0.38, 0.62];
/// Heights of a trail's line, and of a mark that is a band or a rule, relative to the trail.
const LINE: f32 = 0.16;
const BAND: f32 = 0.7;
const RULE: f32 = 0.36;
/// Gap between segments and between dots, in heights.
const GAP: f32 = 0.8;
/// Length of the current page's dot, in heights.
const LONG: f32 = 3.0;

const ELEMENT: Element = Element {
    name: "progress",
    group: Group::Marks,
    about: "value of max as a bar, segments or dots; without value, the page's place in its carousel",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::new("value", Kind::Number(0.0, 1e12)),
        Attribute::or("max", Kind::Number(1e-12, 1e12), "1"),
        Attribute::new("look", Kind::Choice(&["bar", "segments", "dots"])),
        Attribute::or("fill", Kind::Colour, "accent"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Bar,
    Segments,
    Dots,
    Trail,
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let slide = with.setting.slide.filter(|s| s.count > 1);
    let (value, max) = match (node.number("value"), slide) {
        (Some(value), _) => (value, node.number("max").unwrap_or(1.0)),
        (None, Some(slide)) => (f64::from(slide.index) + 1.0, f64::from(slide.count)),
        (None, None) => return Boxed::empty(),
    };
    let counts = max == max.round() && (2.0..=MOST).contains(&max);
    // A style's travelling mark moves along this element.
    let traveller = match with.theme().rhythm {
        Rhythm::Travelling(traveller) => Some(traveller),
        _ => None,
    };
    let manner = match node.get("look") {
        Some("segments") if counts => Manner::Segments,
        Some("dots") if counts => Manner::Dots,
        None if counts && !node.has("value") && traveller.is_some() => Manner::Trail,
        None if counts && !node.has("value") => Manner::Segments,
        _ => Manner::Bar,
    };
    let high = |step| HIGH[manner as usize] * with.size(step);
    let inks = &with.inks;
    let marks = Marks {
        manner,
        share: (value / max).clamp(0.0, 1.0) as f32,
        count: if manner == Manner::Bar { 1 } else { max as u16 },
        at: value.round() as u16,
        fill: inks.fill(node.colour("fill").unwrap_or(Colour::Role(Named::Accent))),
        idle: idle(with),
        mark: inks.fill(Colour::Role(Named::AccentInk)),
        traveller: traveller.unwrap_or(Traveller::Disc),
        line: thin(with).filter(|_| manner == Manner::Bar),
        round: with.theme().radius > 0.0,
        rtl: with.frame.rtl,
    };
    let high = Ranged { min: high(Step::Sm), max: high(Step::Md) };
    let wide = |high: f32| match manner {
        Manner::Dots => high * (LONG + f32::from(marks.count - 1) * (1.0 + GAP)),
        _ => high * 8.0,
    };
    let size = Ranged { min: Size::new(wide(high.min), high.min), max: Size::new(wide(high.max), high.max) };
    let made = Boxed::drawn(size, move |rect| marks.draw(rect)).at(None, Some(0.5));
    if manner == Manner::Dots {
        return hugging(made, with);
    }
    made.with(|lay| {
        if with.flow == Flow::Row {
            lay.grow = 1.0;
        } else {
            lay.place = Some(crate::sheet::Place::Stretch);
        }
    })
}

/// The look of the indicator.
#[derive(Clone, Copy)]
struct Marks {
    manner: Manner,
    share: f32,
    count: u16,
    at: u16,
    fill: Color,
    idle: Color,
    /// The mark on a trail, and its look.
    mark: Color,
    traveller: Traveller,
    line: Option<Border>,
    round: bool,
    rtl: bool,
}

impl Marks {
    fn draw(&self, rect: Rect) -> Vec<Item> {
        let items = match self.manner {
            Manner::Bar => self.bar(rect),
            Manner::Segments => self.segments(rect),
            Manner::Dots => self.dots(rect),
            Manner::Trail => self.trail(rect),
        };
        if !self.rtl {
            return items;
        }
        let mirrored =
            |rect: Rect, all: Rect| Rect { x0: all.x0 + all.x1 - rect.x1, x1: all.x0 + all.x1 - rect.x0, ..rect };
        let turn = |mut item: Item| {
            if let Coverage::Rect { rect: own, .. } = &mut item.coverage {
                *own = mirrored(*own, rect);
            }
            item
        };
        items.into_iter().map(turn).collect()
    }

    fn piece(&self, rect: Rect, color: Color) -> Item {
        let radius = if self.round { rect.h() / 2.0 } else { 0.0 };
        Item::rounded(rect, [radius; 4], color, Role::Mark)
    }

    fn bar(&self, rect: Rect) -> Vec<Item> {
        // The smallest visible progress is as long as it is high.
        let long = if self.share > 0.0 { (self.share * rect.w()).max(rect.h()) } else { 0.0 };
        let mut items = vec![self.piece(rect, self.idle)];
        if long > 0.0 {
            items.push(self.piece(Rect { x1: rect.x0 + long, ..rect }, self.fill));
        }
        if let Some(line) = self.line {
            let radii = [if self.round { rect.h() / 2.0 } else { 0.0 }; 4];
            let coverage = Coverage::Rect { rect: rect.grow(-line.width / 2.0), radii, stroke: Some(line.width) };
            items.push(Item::new(coverage, Paint::Solid(line.color), Role::Mark));
        }
        items
    }

    fn segments(&self, rect: Rect) -> Vec<Item> {
        let n = f32::from(self.count);
        let gap = (GAP * rect.h()).min(0.3 * rect.w() / n);
        let long = (rect.w() - (n - 1.0) * gap) / n;
        let segment = |i: u16| {
            let x = rect.x0 + f32::from(i) * (long + gap);
            let color = if i < self.at { self.fill } else { self.idle };
            self.piece(Rect::at(x, rect.y0, long, rect.h()), color)
        };
        (0..self.count).map(segment).collect()
    }

    /// Draws a line with a mark, filled up to the mark. On the last slide, the mark is at the end of the line.
    fn trail(&self, rect: Rect) -> Vec<Item> {
        let d = rect.h();
        let place = match self.traveller {
            Traveller::Disc => d,
            Traveller::Band | Traveller::Rule => rect.w() / f32::from(self.count),
        };
        let step = (rect.w() - place) / f32::from(self.count.saturating_sub(1).max(1));
        let from = rect.x0 + step * f32::from(self.at.saturating_sub(1));
        let line = |x0: f32, x1: f32| {
            let high = LINE * rect.h();
            Rect { x0, x1, y0: rect.center().y - high / 2.0, y1: rect.center().y + high / 2.0 }
        };
        let across = |share: f32| {
            let high = share * rect.h();
            Rect::at(from, rect.center().y - high / 2.0, place, high)
        };
        let mark = match self.traveller {
            Traveller::Disc => Item::rounded(Rect::at(from, rect.y0, d, d), [d / 2.0; 4], self.mark, Role::Mark),
            Traveller::Band => self.piece(across(BAND), self.mark),
            Traveller::Rule => self.piece(across(RULE), self.mark),
        };
        vec![
            self.piece(line(rect.x0, rect.x1), self.idle),
            self.piece(line(rect.x0, from + place / 2.0), self.fill),
            mark,
        ]
    }

    fn dots(&self, rect: Rect) -> Vec<Item> {
        let (d, mut x) = (rect.h(), rect.x0);
        let mut dot = |i: u16| {
            let current = i + 1 == self.at;
            let long = if current { LONG * d } else { d };
            let made = self.piece(Rect::at(x, rect.y0, long, d), if current { self.fill } else { self.idle });
            x += long + GAP * d;
            made
        };
        (0..self.count).map(&mut dot).collect()
    }
}
