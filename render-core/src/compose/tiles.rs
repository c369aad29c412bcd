//! Tiles: fields that text stands on, in the way that a style draws them: flat, or in an outline with a hard shadow and
//! turned a little, their text with them.

use super::setter::Setter;
use crate::design::{Field, Tiles};
use crate::scene::{Affine, Color, Coverage, Item, Paint, Point, Rect, Role};

/// How far the tiles of a page are turned, as shares of what the style allows; the sixth is turned as the first.
const TURNS: [f32; 5] = [-1.0, 0.78, -0.71, 0.86, 0.64];
/// Lightness between which neither dark nor light ink reads on a field.
const DEAD: (f32, f32) = (0.56, 0.77);

/// The colours of a tile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coat {
    pub fill: Color,
    /// Heads on it.
    pub ink: Color,
    /// Running text on it.
    pub ink2: Color,
}

impl Coat {
    /// The colours of tile `i`; the one that leads stands out where the others are alike.
    pub fn of(setter: &Setter<'_>, i: usize, leads: bool) -> Self {
        let p = &setter.page.palette;
        if setter.theme.tiles == Tiles::One {
            return match leads {
                true => Self { fill: p.accent, ink: p.on_accent, ink2: p.on_accent },
                false => Self { fill: p.surface, ink: p.ink, ink2: p.ink2 },
            };
        }
        let inks = [p.ink, p.bg, p.on_accent, p.on_field];
        let usable: Vec<Color> = p
            .art
            .into_iter()
            .filter(|c| c.contrast(p.bg) >= 1.12 || setter.theme.card.is_some_and(|card| card.stroke > 0.0))
            .filter(|c| !(DEAD.0..DEAD.1).contains(&c.to_oklch().l))
            .collect();
        let fill = usable.get(i % usable.len().max(1)).copied().unwrap_or(p.surface);
        // Pastels of a night page carry the night's ink.
        let first = if setter.page.field == Field::Close { p.bg } else { p.ink };
        let ink = std::iter::once(first).chain(inks).find(|ink| ink.contrast(fill) >= 5.0);
        let ink = ink.unwrap_or(if fill.luminance() > 0.18 { Color::BLACK } else { Color::WHITE });
        Self { fill, ink, ink2: ink }
    }
}

/// Draws tile `i` and what stands on it. Both are turned together; what `content` places is in the tile's own space.
pub(super) fn tile<'a>(
    setter: &mut Setter<'a>,
    rect: Rect,
    i: usize,
    coat: Coat,
    content: impl FnOnce(&mut Setter<'a>),
) {
    let tilt = setter.theme.card.map_or(0.0, |c| c.tilt) * TURNS[i % TURNS.len()];
    turned(setter, rect.center(), tilt, |setter| {
        draw(setter, rect, setter.theme.radius, coat.fill);
        content(setter);
    });
}

/// Draws a tile with corners of `radius` du, in the outline and with the shadow that the style has.
pub(super) fn draw(setter: &mut Setter<'_>, rect: Rect, radius: f32, fill: Color) {
    let k = setter.frame.k;
    let (p, card) = (setter.page.palette, setter.theme.card);
    let radius = (radius * k).min(0.5 * rect.w().min(rect.h()));
    let (stroke, shadow) = card.map_or((0.0, 0.0), |c| (c.stroke * k, c.shadow * k));
    if shadow > 0.0 {
        setter.mark(Item::rounded(rect.shift(shadow, shadow), [radius; 4], p.ink, Role::Field));
    }
    // Under an outline the field ends at its middle, or the edges of both would let it shine through.
    let (inner, corner) = (rect.grow(-stroke / 2.0), (radius - stroke / 2.0).max(0.0));
    setter.mark(Item::rounded(inner, [corner; 4], fill, Role::Field));
    if stroke > 0.0 {
        let coverage = Coverage::Rect { rect: inner, radii: [corner; 4], stroke: Some(stroke) };
        setter.mark(Item::new(coverage, Paint::Solid(p.ink), Role::Mark));
    }
}

/// Turns what `draw` places about `center` by `degrees`, clockwise where the page is read from the left.
fn turned<'a>(setter: &mut Setter<'a>, center: Point, degrees: f32, draw: impl FnOnce(&mut Setter<'a>)) {
    let (fields, texts, blocks) = (setter.fields.len(), setter.texts.len(), setter.blocks.len());
    draw(setter);
    if degrees == 0.0 {
        return;
    }
    let turn = about(center, degrees);
    setter.fields.iter_mut().skip(fields).for_each(|item| item.transform = turn.after(&item.transform));
    // Text already stands on its side of a page that is read from the right; the turn is mirrored with the page.
    let turn =
        if setter.is_rtl() { about(Point::new(setter.frame.size.w - center.x, center.y), -degrees) } else { turn };
    setter.texts.iter_mut().skip(texts).for_each(|item| item.transform = turn.after(&item.transform));
    for block in setter.blocks.iter_mut().skip(blocks) {
        for line in &mut block.lines {
            line.baseline = turn.apply(Point::new(line.ink.center().x, line.baseline)).y;
            line.ink = turn.apply_rect(&line.ink);
        }
        block.ink = block.lines.iter().fold(Rect::EMPTY, |ink, line| ink.union(&line.ink));
        block.slot_box = turn.apply_rect(&block.slot_box);
        block.spots.iter_mut().for_each(|spot| spot.ink = turn.apply_rect(&spot.ink));
    }
}

/// A turn about a point.
fn about(center: Point, degrees: f32) -> Affine {
    let (sin, cos) = libm::sincos(f64::from(degrees).to_radians());
    let (sin, cos) = (sin as f32, cos as f32);
    let turn = Affine([cos, sin, -sin, cos, 0.0, 0.0]);
    Affine::translate(center.x, center.y).after(&turn).after(&Affine::translate(-center.x, -center.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_leaves_its_centre() {
        let center = Point::new(300.0, 500.0);
        let at = about(center, 1.4).apply(center);
        assert!((at.x - center.x).abs() < 0.01 && (at.y - center.y).abs() < 0.01, "{at:?}");
        // Clockwise: what lies to the right goes down.
        assert!(about(center, 1.4).apply(Point::new(400.0, 500.0)).y > 502.0);
    }
}
