//! `waffle`: a share as cells of a grid.

use std::sync::Arc;

use super::Made;
use super::charting::{Tones, Units, plot};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role};
use crate::sheet::{Boxed, With, mix};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node};

const ELEMENT: Element = Element {
    name: "waffle",
    group: Group::Data,
    about: "value of total as cells of a grid",
    holds: Holds::Nothing,
    attributes: &[
        Attribute::or("value", Kind::Number(0.0, 400.0), "50"),
        Attribute::or("total", Kind::Whole(1, 400), "100"),
        Attribute::or("look", Kind::Choice(&["flat", "blocks"]), "flat"),
        Attribute::or("fill", Kind::Colour, "accent"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Rounding of cells, relative to the corners of cards and to their side.
const CORNER: (f32, f32) = (0.4, 0.22);
/// Height of a block's top relative to its width: an isometric view.
const SLANT: f32 = 0.577;
/// Heights of counted blocks and of others, relative to half their width.
const HIGH: (f32, f32) = (1.05, 0.26);
/// Share of its place that a block fills.
const OWN: f32 = 0.88;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let total = node.number("total").unwrap_or(100.0) as u32;
    let counted = node.number("value").unwrap_or_default().round() as u32;
    let tones = Tones::of(with);
    let hero = node.colour("fill").map_or(tones.hero, |c| with.inks.fill(c));
    if node.get("look") == Some("blocks") {
        let rest = mix(with.inks.ink(), with.inks.ground, 0.82);
        let draw = move |rect: Rect| blocks(counted.min(total), total, rect, (hero, rest));
        return Boxed::drawn(plot(with), draw).growing(1.0);
    }
    let (align, rtl, edge) = (with.align, with.frame.rtl, with.outline());
    let thin = with.theme().stroke <= 3.0;
    let (radius, rule) = (with.radius(CORNER.0), with.rule().min(2.0 * with.frame.k));
    let quiet = tones.quiet;
    Boxed::drawn(plot(with), move |rect| {
        let grid = Units::filling(counted, total, rect.size());
        let own = grid.size();
        let spare = rect.w() - own.w;
        let x = match align {
            Align::Start => 0.0,
            Align::Center => 0.5 * spare,
            Align::End => spare,
        };
        let cells = grid.rects(rect.x0 + x, rect.y0 + 0.5 * (rect.h() - own.h)).enumerate();
        let mut items = Vec::new();
        for (i, cell) in cells {
            let at = if rtl { mirrored(cell, rect) } else { cell };
            let is_counted = (i as u32) < grid.counted;
            let radii = [radius.min(CORNER.1 * grid.side()); 4];
            if let Some(edge) = edge {
                let width = edge.width.min(0.1 * grid.side());
                let color = if is_counted { hero } else { tones.track };
                items.push(Item::rounded(at, radii, edge.color, Role::Mark));
                items.push(Item::rounded(at.grow(-width), radii.map(|r| (r - width).max(0.0)), color, Role::Mark));
            } else if thin && !is_counted {
                let coverage = Coverage::Rect { rect: at.grow(-rule / 2.0), radii, stroke: Some(rule) };
                items.push(Item::new(coverage, Paint::Solid(quiet), Role::Mark));
            } else {
                items.push(Item::rounded(at, radii, if is_counted { hero } else { tones.track }, Role::Mark));
            }
        }
        items
    })
    .growing(1.0)
}

/// Mirrors `cell` at the vertical axis of `room`.
fn mirrored(cell: Rect, room: Rect) -> Rect {
    Rect { x0: room.x0 + room.x1 - cell.x1, x1: room.x0 + room.x1 - cell.x0, ..cell }
}

/// Draws blocks on a board seen from above; counted ones are raised, starting at the front.
fn blocks(counted: u32, total: u32, rect: Rect, (hero, rest): (Color, Color)) -> Vec<Item> {
    let columns = (1..=total).find(|c| c * c >= total).unwrap_or(1);
    let rows = total.div_ceil(columns);
    let across = (columns + rows) as f32;
    let half = (rect.w() / across).min(rect.h() / (across * SLANT + HIGH.0));
    let high = half * (across * SLANT + HIGH.0);
    let top = Point::new(
        rect.center().x + 0.5 * (rows as f32 - columns as f32) * half,
        rect.center().y - 0.5 * high + HIGH.0 * half,
    );
    let mut items = Vec::new();
    // From back to front, so that front blocks cover those behind them.
    for depth in 0..columns + rows - 1 {
        for i in 0..columns {
            let Some(j) = depth.checked_sub(i).filter(|j| *j < rows) else { continue };
            // Counted from the front corner, row by row.
            let number = (columns - 1 - i) * rows + (rows - 1 - j);
            if (columns - 1 - i) * rows + rows > total.next_multiple_of(rows) || number >= total {
                continue;
            }
            let is_counted = number < counted;
            let (color, lift) = if is_counted { (hero, HIGH.0) } else { (rest, HIGH.1) };
            let center = Point::new(top.x + (i as f32 - j as f32) * half, top.y + (i + j + 1) as f32 * half * SLANT);
            items.extend(block(center, OWN * half, lift * half, color));
        }
    }
    items
}

/// Draws the three visible sides of a block with its floor centred at `center`.
fn block(center: Point, half: f32, high: f32, color: Color) -> [Item; 3] {
    let at = |x: f32, y: f32, up: f32| Point::new(center.x + x * half, center.y + y * SLANT * half - up);
    let face = |points: [Point; 4], color: Color| {
        let coverage = Coverage::Polyline { points: Arc::from(points), closed: true, stroke: None };
        Item::new(coverage, Paint::Solid(color), Role::Mark)
    };
    let (left, front, right, back) = ((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, -1.0));
    let up = |(x, y): (f32, f32)| at(x, y, high);
    let down = |(x, y): (f32, f32)| at(x, y, 0.0);
    [
        face([up(left), up(front), down(front), down(left)], mix(color, Color::BLACK, 0.3)),
        face([up(front), up(right), down(right), down(front)], mix(color, Color::BLACK, 0.16)),
        face([up(back), up(right), up(front), up(left)], mix(color, Color::WHITE, 0.12)),
    ]
}
