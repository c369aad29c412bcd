//! The shapes of data, drawn as the style draws: lines, bars, rings, grids of units.

use std::sync::Arc;

use super::super::setter::Setter;
use crate::design::Nodes;
use crate::elements::charting::Units;
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stop, Stroke};

/// The corners of bars in proportion to those of cards, and to their own thickness at most; rounder in an outline.
const CORNER: f32 = 0.57;
const ROUND: (f32, f32) = (0.2, 0.34);
/// How far the light of a point reaches, in its radii.
const GLOW: f32 = 5.5;
/// A whole turn.
const TURN: f32 = std::f32::consts::TAU;

/// A line through points, in parts where one is missing; a point between two missing ones is a dot. Where the style
/// outlines its shapes, so does the line.
pub(in crate::compose) fn line(setter: &Setter<'_>, points: &[Option<Point>], width: f32, color: Color) -> Vec<Item> {
    let edge = outline(setter);
    let parts = || points.split(Option::is_none).filter(|part| !part.is_empty());
    let drawn = |width: f32, color: Color| {
        parts().map(move |part| {
            let part: Vec<Point> = part.iter().flatten().copied().collect();
            match part.as_slice() {
                [dot] => Item::circle(*dot, width, color, Role::Mark),
                points => {
                    let stroke = Some(Stroke::round(width));
                    let coverage = Coverage::Polyline { points: Arc::from(points), closed: false, stroke };
                    Item::new(coverage, Paint::Solid(color), Role::Mark)
                }
            }
        })
    };
    let mut out: Vec<Item> = Vec::new();
    if edge > 0.0 {
        out.extend(drawn(width + 2.0 * edge, setter.page.palette.ink));
    }
    out.extend(drawn(width, color));
    out
}

/// A point at the end of a line, outlined as the style does; where the style lights one object, it glows.
pub(in crate::compose) fn dot(setter: &mut Setter<'_>, at: Point, radius: f32, color: Color, lit: bool) {
    let edge = outline(setter);
    if lit && setter.theme.nodes == Nodes::Lit {
        let reach = GLOW * radius;
        let stops = [(0.0, 0.5), (0.35, 0.2), (1.0, 0.0)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
        let coverage = Coverage::Ellipse { center: at, radii: Size::new(reach, reach), stroke: None };
        let paint = Paint::Radial { center: at, radius: reach, stops: Arc::from(stops) };
        setter.mark(Item::new(coverage, paint, Role::Mark));
    }
    if edge > 0.0 {
        let ink = setter.page.palette.ink;
        setter.mark(Item::circle(at, radius + edge, ink, Role::Mark));
    }
    setter.mark(Item::circle(at, radius, color, Role::Mark));
}

/// The area between a line and `floor`, filled with a colour that fades towards the floor.
pub(in crate::compose) fn wash(points: &[Option<Point>], floor: f32, color: Color, strength: f32) -> Option<Item> {
    // An area over a gap would claim what isn't known.
    let mut area: Vec<Point> = points.iter().copied().collect::<Option<_>>()?;
    let (first, last) = (*area.first()?, *area.last()?);
    let top = area.iter().map(|p| p.y).fold(floor, f32::min);
    if area.len() < 2 || floor - top < 1.0 {
        return None;
    }
    area.extend([Point::new(last.x, floor), Point::new(first.x, floor)]);
    let stops = [(0.0, strength), (1.0, 0.0)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
    let paint = Paint::Linear { from: Point::new(0.0, top), to: Point::new(0.0, floor), stops: Arc::from(stops) };
    Some(Item::new(Coverage::Polyline { points: Arc::from(area), closed: true, stroke: None }, paint, Role::Mark))
}

/// How wide the style outlines the shapes of data, in du.
fn outline(setter: &Setter<'_>) -> f32 {
    setter.theme.card.map_or(0.0, |card| card.stroke) * setter.frame.k.min(1.4)
}

/// A bar.
#[derive(Debug, Clone, Copy)]
pub(in crate::compose) struct Bar {
    /// From its foot to its end.
    pub rect: Rect,
    /// How thick it is: across its length.
    pub thick: f32,
    /// Its colour.
    pub color: Color,
}

/// Draws a bar; one of nothing is a rule at its foot.
pub(in crate::compose) fn bar(setter: &mut Setter<'_>, bar: Bar) {
    let Bar { rect, thick, color } = bar;
    let hair = setter.theme.rule.min(2.0) * setter.frame.k;
    let rect = Rect { x1: rect.x1.max(rect.x0 + hair), y0: rect.y0.min(rect.y1 - hair), ..rect };
    let least = rect.w().min(rect.h());
    let edge = outline(setter).min(0.2 * least);
    let round = if edge > 0.0 { ROUND.1 } else { ROUND.0 };
    let radius = (CORNER * setter.theme.radius * setter.frame.k.min(1.4)).min(round * thick).min(least / 2.0);
    if edge > 0.0 {
        let ink = setter.page.palette.ink;
        setter.mark(Item::rounded(rect, [radius; 4], ink, Role::Field));
        setter.mark(Item::rounded(rect.grow(-edge), [(radius - edge).max(0.0); 4], color, Role::Field));
    } else {
        setter.mark(Item::rounded(rect, [radius; 4], color, Role::Field));
    }
}

/// A ring of which a share is drawn in `color`, clockwise from the top, and the rest in `track`. Styles of fine lines
/// draw the rest as one.
pub(in crate::compose) fn ring(
    setter: &mut Setter<'_>,
    (center, radius): (Point, f32),
    width: f32,
    share: f32,
    (track, color): (Color, Color),
) {
    let share = share.clamp(0.0, 1.0);
    let middle = radius - width / 2.0;
    let edge = outline(setter).min(0.2 * width);
    let thin = setter.theme.stroke <= 3.0;
    let arc = |from: f32, share: f32, width: f32, color: Color| {
        let stroke = Some(Stroke::new(width));
        let start = from * TURN - TURN / 4.0;
        let coverage = Coverage::Arc { center, radius: middle, start, sweep: share * TURN, stroke };
        Item::new(coverage, Paint::Solid(color), Role::Mark)
    };
    if edge > 0.0 {
        let ink = setter.page.palette.ink;
        setter.mark(Item::ring(center, middle, width, ink, Role::Mark));
        let gap = edge / (middle * TURN);
        let inner = width - 2.0 * edge;
        setter.mark(arc(share + gap / 2.0, (1.0 - share - gap).max(0.0), inner, track));
        setter.mark(arc(gap / 2.0, (share - gap).max(0.0), inner, color));
        return;
    }
    let hair = setter.theme.rule.min(2.0) * setter.frame.k.min(1.4);
    let (rest, color_of_rest) = if thin { (hair, setter.page.palette.line) } else { (width, track) };
    setter.mark(Item::ring(center, middle, rest, color_of_rest, Role::Mark));
    if share >= 1.0 {
        setter.mark(Item::ring(center, middle, width, color, Role::Mark));
    } else if share > 0.0 {
        setter.mark(arc(0.0, share, width, color));
    }
}

/// Draws a grid of units with its top left corner at (x, y): squares where the style has no round corners and broad
/// strokes, else discs; the rest of them empty where it draws fine lines.
pub(in crate::compose) fn units(
    setter: &mut Setter<'_>,
    grid: Units,
    (x, y): (f32, f32),
    (rest, counted): (Color, Color),
) {
    let side = grid.side();
    let (theme, k) = (setter.theme, setter.frame.k);
    let edge = outline(setter).min(0.08 * side);
    let thin = theme.stroke <= 3.0;
    let square = theme.radius == 0.0 && !thin;
    let line = (theme.rule.min(2.0) * k).min(0.06 * side);
    let ink = setter.page.palette.ink;
    for i in 0..grid.of {
        let (column, row) = (i % grid.columns, i / grid.columns);
        let rect = Rect::at(x + column as f32 * grid.pitch, y + row as f32 * grid.pitch, side, side);
        let is_counted = i < grid.counted;
        let color = if is_counted { counted } else { rest };
        let (center, radius) = (rect.center(), side / 2.0);
        if square {
            setter.mark(Item::rect(rect, color, Role::Mark));
        } else if thin && !is_counted {
            setter.mark(Item::ring(center, radius - line / 2.0, line, color, Role::Mark));
        } else if edge > 0.0 {
            setter.mark(Item::circle(center, radius, ink, Role::Mark));
            setter.mark(Item::circle(center, radius - edge, color, Role::Mark));
        } else {
            setter.mark(Item::circle(center, radius, color, Role::Mark));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_has_no_gaps() {
        let at = |x: f32| Some(Point::new(x, 10.0));
        assert!(wash(&[at(0.0), at(5.0)], 50.0, Color::BLACK, 0.4).is_some());
        assert!(wash(&[at(0.0), None, at(5.0)], 50.0, Color::BLACK, 0.4).is_none());
        assert!(wash(&[at(0.0)], 50.0, Color::BLACK, 0.4).is_none());
        assert!(wash(&[], 50.0, Color::BLACK, 0.4).is_none());
    }
}
