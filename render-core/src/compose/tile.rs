//! A tile as a style draws it: with the corners, the outline and the hard shadow that its tokens say; and a bubble.

use kurbo::{BezPath, Cap, Join, RoundedRect, Shape, Stroke, StrokeOpts, stroke};

use super::setter::Setter;
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role};

/// The largest radius of a tile in units, whatever the style's largest things have.
const ROUNDEST: f32 = 28.0;

/// Draws a tile in `fill`.
pub(super) fn draw(setter: &mut Setter<'_>, rect: Rect, fill: Color) {
    rounded(setter, rect, fill, setter.theme.radius.min(ROUNDEST));
}

/// Draws a tile in `fill` with corners of a radius in units.
pub(super) fn rounded(setter: &mut Setter<'_>, rect: Rect, fill: Color, radius: f32) {
    let (theme, k) = (setter.theme, setter.frame.k);
    let radius = (radius * k).min(0.5 * rect.w().min(rect.h()));
    let ink = setter.page.palette.ink;
    if let Some(card) = theme.card.filter(|c| c.shadow > 0.0) {
        let shift = card.shadow * k;
        setter.mark(Item::rounded(rect.shift(shift, shift), [radius; 4], ink, Role::Field));
    }
    setter.mark(Item::rounded(rect, [radius; 4], fill, Role::Field));
    let stroke = theme.card.map_or(0.0, |c| c.stroke) * k;
    if stroke > 0.0 {
        let inner = rect.grow(-stroke / 2.0);
        let radii = [(radius - stroke / 2.0).max(0.0); 4];
        let coverage = Coverage::Rect { rect: inner, radii, stroke: Some(stroke) };
        setter.mark(Item::new(coverage, Paint::Solid(ink), Role::Field));
    }
}

/// Draws a tile in `fill` that somebody speaks from: with a tail of that length down from its foot, near its start.
pub(super) fn bubble(setter: &mut Setter<'_>, rect: Rect, fill: Color, tail: f32) {
    let (theme, k, ink) = (setter.theme, setter.frame.k, setter.page.palette.ink);
    let radius = theme.radius * k;
    let outline = speech(rect, radius, tail);
    let card = theme.card.unwrap_or(crate::design::Card { stroke: 0.0, shadow: 0.0, tilt: 0.0 });
    if card.shadow > 0.0 {
        let shift = f64::from(card.shadow * k);
        let mut shadow = outline.clone();
        shadow.apply_affine(kurbo::Affine::translate((shift, shift)));
        setter.mark(Item::path(shadow, ink, Role::Field));
    }
    setter.mark(Item::path(outline.clone(), fill, Role::Field));
    if card.stroke > 0.0 {
        let style = Stroke::new(f64::from(card.stroke * k)).with_caps(Cap::Butt).with_join(Join::Round);
        let line = stroke(&outline, &style, &StrokeOpts::default(), 0.05);
        setter.mark(Item::path(line, ink, Role::Field));
    }
}

/// A rounded rectangle whose foot runs out into a tail that leans to its start.
fn speech(rect: Rect, radius: f32, tail: f32) -> BezPath {
    let [x0, y1, r, tail] = [rect.x0, rect.y1, radius, tail].map(f64::from);
    let round = RoundedRect::new(x0, f64::from(rect.y0), f64::from(rect.x1), y1, r);
    let (from, to, tip) = (x0 + 1.3 * r, x0 + 1.3 * r + 1.15 * tail, (x0 + 1.1 * r, y1 + tail));
    let mut path = BezPath::new();
    let mut done = false;
    let mut at = kurbo::Point::ZERO;
    for el in round.path_elements(0.05) {
        // The foot is the long edge at the bottom, whichever way the outline runs.
        if let kurbo::PathEl::LineTo(p) = el
            && !done
            && (p.y - y1).abs() < 0.5
            && (at.y - y1).abs() < 0.5
        {
            let (first, last) = if at.x > p.x { (to, from) } else { (from, to) };
            path.line_to((first, y1));
            path.line_to(tip);
            path.line_to((last, y1));
            done = true;
        }
        path.push(el);
        at = el.end_point().unwrap_or(at);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bubble_has_one_tail() {
        let path = speech(Rect::at(0.0, 0.0, 600.0, 300.0), 40.0, 60.0);
        let bounds = path.bounding_box();
        assert_eq!((bounds.x0.round(), bounds.x1.round(), bounds.y1.round()), (0.0, 600.0, 360.0));
        assert!(path.contains((70.0, 320.0).into()));
        assert!(!path.contains((300.0, 310.0).into()));
    }
}
