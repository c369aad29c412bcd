//! A tile as a style draws it: with the corners, the outline and the hard shadow that its tokens say.

use super::setter::Setter;
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role};

/// The largest radius of a tile in units, whatever the style's largest things have.
const ROUNDEST: f32 = 28.0;

/// Draws a tile in `fill`.
pub(super) fn draw(setter: &mut Setter<'_>, rect: Rect, fill: Color) {
    let (theme, k) = (setter.theme, setter.frame.k);
    let radius = (theme.radius * k).min(ROUNDEST * k).min(0.5 * rect.w().min(rect.h()));
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
