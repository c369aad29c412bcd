//! What stands for an item at a glance: a drawing of what it speaks of, or its numeral.

use kurbo::{Affine as KurboAffine, Cap, Join, Stroke, StrokeOpts, stroke};

use super::setter::{Set, Setter};
use crate::icon::Drawing;
use crate::scene::{Color, Item, Point, Role};

/// The pen of a drawn line as a share of the icon's side: as its family means it.
const PEN: f64 = 2.0 / 24.0;
/// An icon's side as a multiple of the height of a numeral that would stand in its place: drawings have air inside.
pub(super) const SIDE: f32 = 1.3;

/// An item's sign.
#[derive(Debug, Clone)]
pub(super) enum Sign<'a> {
    Numeral(Box<Set<'a>>),
    Icon(Drawing),
}

/// The drawings of all items, where every one has one in the style's family.
pub(super) fn drawings(setter: &Setter<'_>) -> Option<Vec<Drawing>> {
    let items = &setter.page.items;
    if items.len() < setter.page.item_count() {
        return None;
    }
    items.iter().map(|item| item.icon?.drawing(setter.theme.icons)).collect()
}

/// Draws an icon of a side about its centre.
pub(super) fn draw(setter: &mut Setter<'_>, drawing: &Drawing, center: Point, side: f32, ink: Color) {
    let (x, y) = (f64::from(center.x - 0.5 * side), f64::from(center.y - 0.5 * side));
    let place = KurboAffine::translate((x, y)) * KurboAffine::scale(f64::from(side));
    let pen = Stroke::new(PEN * f64::from(side)).with_caps(Cap::Round).with_join(Join::Round);
    for path in &drawing.strokes {
        let line = stroke(place * (**path).clone(), &pen, &StrokeOpts::default(), 0.05);
        setter.mark(Item::path(line, ink, Role::Mark));
    }
    for path in &drawing.fills {
        setter.mark(Item::path(place * (**path).clone(), ink, Role::Mark));
    }
}
