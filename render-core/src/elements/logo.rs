//! `logo`: the brand's logo, else its name.

use super::Made;
use super::shared::text_box;
use super::signs::hugging;
use crate::design::{Logo, Voice};
use crate::scene::{Color, Coverage, ImageFit, Item, Paint, Point, Role, Size, TextLevel};
use crate::sheet::{Boxed, Place, Plan, Ranged, With};
use crate::tree::{Attribute, Element, Fit, Group, Holds, Kind, Node, Step};

/// Height of a square logo in em, and the maximum width. Wide logos are lower, so that all have the same visual weight.
const HIGH: f32 = 1.9;
const WIDE: f32 = 8.0;
/// Largest aspect ratio of a logo without words.
const SQUARE: f32 = 1.25;
/// The minimum height, in em.
const LOW: f32 = 0.8;
/// Least contrast of a logo with its ground.
const SEEN: f32 = 1.8;
/// Space around a logo on a plate, relative to the logo's height, and radius of the plate's corners, relative to the
/// plate's height.
const PLATE: f32 = 0.18;
const ROUND: f32 = 0.22;

const ELEMENT: Element = Element {
    name: "logo",
    group: Group::Marks,
    about: "the brand's logo, or its name where it has none; named: with its name",
    holds: Holds::Nothing,
    attributes: &[Attribute::or("size", Kind::Fit, "sm..md"), Attribute::or("named", Kind::Flag, "false")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Returns width and height of a logo in em.
fn measures(aspect: f32) -> (f32, f32) {
    let high = (HIGH / aspect.max(0.5).sqrt()).max(LOW);
    let high = high.min(WIDE / aspect);
    (high * aspect, high)
}

/// Returns the colour of the plate under a logo of this tone; `None` if it is visible on the ground without one.
fn plate(tone: Color, ground: Color) -> Option<Color> {
    let light = Color::rgb8(255, 255, 255);
    let plate = if tone.contrast(light) >= SEEN { light } else { Color::rgb8(20, 20, 20) };
    (tone.contrast(ground) < SEEN).then_some(plate)
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Sm, max: Step::Md });
    let name = with.setting.brand.trim();
    let plan = Plan { level: TextLevel::Small, fit, ..Plan::at(Voice::Head, fit.max, 1) };
    let logo = with.setting.logo(with.inks.ground);
    if let Some(image) = logo.and_then(|logo| logo.pixels.clone()) {
        let plate = logo.and_then(Logo::tone).and_then(|tone| plate(tone, with.inks.ground));
        let pad = if plate.is_some() { PLATE } else { 0.0 };
        let round = if with.theme().radius > 0.0 { ROUND } else { 0.0 };
        let aspect = image.width() as f32 / image.height() as f32;
        let by = with.setting.touches.adjust.map_or(1.0, |adjust| f32::from(adjust.logo.percent) / 100.0);
        let (w, h) = measures(aspect);
        let (w, h) = (by * w, by * h);
        let size = |step| {
            let em = with.size(step);
            Size::new((w + 2.0 * pad * h) * em, (1.0 + 2.0 * pad) * h * em)
        };
        let made = Boxed::drawn(Ranged { min: size(fit.min), max: size(fit.max) }, move |rect| {
            let side = rect.h();
            let under = plate.map(|color| Item::rounded(rect, [round * side; 4], color, Role::Mark));
            let (image, focus) = (image.clone(), Point::new(0.5, 0.5));
            let rect = rect.grow(-side * pad / (1.0 + 2.0 * pad));
            let paint = Paint::Image { image, rect, fit: ImageFit::Contain, focus };
            let logo = Item::new(Coverage::Rect { rect, radii: [0.0; 4], stroke: None }, paint, Role::Mark);
            under.into_iter().chain([logo]).collect()
        });
        if node.flag("named") && aspect <= SQUARE && !name.is_empty() {
            let row = vec![made.rigid(), text_box(name, &node.id, with, plan)];
            return hugging(Boxed::row(with.step(2), Place::Center, row), with);
        }
        return hugging(made, with);
    }
    if name.is_empty() {
        return Boxed::empty();
    }
    hugging(text_box(name, &node.id, with, plan), with).with(|lay| lay.shrink = true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logos_that_are_not_seen_stand_on_a_plate() {
        let (orange, red, white) = (Color::rgb8(255, 77, 20), Color::rgb8(200, 50, 0), Color::rgb8(255, 255, 255));
        assert_eq!(plate(orange, white), None);
        assert_eq!(plate(orange, red), Some(white));
        assert!(plate(white, Color::rgb8(250, 250, 240)).is_some_and(|plate| plate.contrast(white) > 10.0));
    }

    #[test]
    fn logos_of_all_proportions_weigh_alike() {
        for aspect in [0.3, 1.0, 2.5, 6.0, 20.0] {
            let (w, h) = measures(aspect);
            assert!((w / h / aspect - 1.0).abs() < 1e-3 && w <= WIDE + 1e-3 && h <= 2.8, "{aspect}: {w} × {h}");
        }
        assert!(measures(4.0).1 < measures(1.0).1);
    }
}
