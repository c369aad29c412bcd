//! `logo`: the brand's logo, else its name.

use super::Made;
use super::shared::said;
use super::signs::hugging;
use crate::design::Voice;
use crate::scene::{Coverage, ImageFit, Item, Paint, Point, Role, Size, TextLevel};
use crate::sheet::{Boxed, Place, Plan, Ranged, With};
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Step};

/// Height of a logo as wide as high, in em, and its greatest width. Wide ones are lower, so that all weigh alike.
const HIGH: f32 = 1.9;
const WIDE: f32 = 8.0;
/// The aspect up to which a logo is a mark without words.
const SQUARE: f32 = 1.25;
/// The least height, in em.
const LOW: f32 = 0.8;

const ELEMENT: Element = Element {
    name: "logo",
    group: Group::Marks,
    about: "the brand's logo, or its name where it has none; named sets the name beside a mark without words",
    holds: Holds::Nothing,
    attributes: &[Attribute::or("size", Kind::Fit, "sm..md"), Attribute::or("named", Kind::Flag, "false")],
};

pub const MADE: Made = Made { element: &ELEMENT, dress: Some(dress) };

/// Width and height of a logo in em.
fn measures(aspect: f32) -> (f32, f32) {
    let high = (HIGH / aspect.max(0.5).sqrt()).max(LOW);
    let high = high.min(WIDE / aspect);
    (high * aspect, high)
}

fn dress(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Sm, max: Step::Md });
    let name = with.setting.brand.trim();
    let plan = Plan { level: TextLevel::Small, fit, ..Plan::at(Voice::Head, fit.max, 1) };
    if let Some(image) = with.setting.logo(with.inks.ground).and_then(|logo| logo.pixels.clone()) {
        let aspect = image.width() as f32 / image.height() as f32;
        let by = with.setting.touches.adjust.map_or(1.0, |adjust| f32::from(adjust.logo.percent) / 100.0);
        let (w, h) = measures(aspect);
        let (w, h) = (by * w, by * h);
        let size = |step| Size::new(w * with.size(step), h * with.size(step));
        let made = Boxed::drawn(Ranged { min: size(fit.min), max: size(fit.max) }, move |rect| {
            let (image, focus) = (image.clone(), Point::new(0.5, 0.5));
            let paint = Paint::Image { image, rect, fit: ImageFit::Contain, focus };
            vec![Item::new(Coverage::Rect { rect, radii: [0.0; 4], stroke: None }, paint, Role::Mark)]
        });
        if node.flag("named") && aspect <= SQUARE && !name.is_empty() {
            let row = vec![made.rigid(), said(name, &node.id, with, plan)];
            return hugging(Boxed::row(with.step(2), Place::Center, row), with);
        }
        return hugging(made, with);
    }
    if name.is_empty() {
        return Boxed::empty();
    }
    hugging(said(name, &node.id, with, plan), with).with(|lay| lay.shrink = true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logos_of_all_proportions_weigh_alike() {
        for aspect in [0.3, 1.0, 2.5, 6.0, 20.0] {
            let (w, h) = measures(aspect);
            assert!((w / h / aspect - 1.0).abs() < 1e-3 && w <= WIDE + 1e-3 && h <= 2.8, "{aspect}: {w} × {h}");
        }
        assert!(measures(4.0).1 < measures(1.0).1);
    }
}
