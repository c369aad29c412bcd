//! `pictogram`: a number as icons or emoji, some of them highlighted.

use super::Made;
use super::charting::{Tones, Units};
use super::shared::{emoji, icon};
use crate::icon::Icon;
use crate::scene::{Item, Paint, Rect, Size};
use crate::sheet::{Boxed, Ranged, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Step};

const ELEMENT: Element = Element {
    name: "pictogram",
    group: Group::Data,
    about: "value of total as icons or emoji, the rest pale",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::or("value", Kind::Number(0.0, 200.0), "3"),
        Attribute::or("total", Kind::Whole(1, 200), "10"),
        Attribute::or("icon", Kind::Icon, "user"),
        Attribute::new("emoji", Kind::Emoji),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Largest size of a unit, in sizes of running text.
const LARGEST: f32 = 5.0;

type Draw = Box<dyn Fn(Rect) -> Vec<Item>>;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let total = node.number("total").unwrap_or(10.0) as u32;
    let counted = node.number("value").unwrap_or_default().round() as u32;
    let tones = Tones::of(with);
    let (loud, pale): (Draw, Draw) = match (node.get("emoji"), node.get("icon").and_then(Icon::by_name)) {
        (Some(text), _) => {
            let (drawn, track) = (emoji(text), tones.track);
            let flat = emoji(text);
            let shade = move |rect: Rect| {
                flat(rect).into_iter().map(|item| Item { paint: Paint::Solid(track), ..item }).collect()
            };
            (Box::new(drawn), Box::new(shade))
        }
        (None, Some(sign)) => {
            (Box::new(icon(sign, with, tones.hero)), Box::new(icon(sign, with, tones.quiet.alpha(0.55))))
        }
        (None, None) => return Boxed::empty(),
    };
    let (align, rtl, most) = (with.align, with.frame.rtl, LARGEST * with.size(Step::Md));
    let columns = total.min(10) as f32;
    let rows = total.div_ceil(10) as f32;
    let size = |step| Size::new(columns * with.size(step), 1.25 * rows * with.size(step));
    Boxed::drawn(Ranged { min: size(Step::Sm), max: size(Step::Xl) }, move |rect| {
        let grid = Units::filling(counted, total, rect.size());
        let grid = Units { pitch: grid.pitch.min(most), ..grid };
        let own = grid.size();
        let spare = rect.w() - own.w;
        let x = match align {
            Align::Center => 0.5 * spare,
            Align::Start => 0.0,
            Align::End => spare,
        };
        let cells = grid.rects(rect.x0 + x, rect.y0 + 0.5 * (rect.h() - own.h)).enumerate();
        let draw = |(i, cell): (usize, Rect)| {
            let cell = if rtl {
                Rect { x0: rect.x0 + rect.x1 - cell.x1, x1: rect.x0 + rect.x1 - cell.x0, ..cell }
            } else {
                cell
            };
            if (i as u32) < grid.counted { loud(cell) } else { pale(cell) }
        };
        cells.flat_map(draw).collect()
    })
    .growing(1.0)
}
