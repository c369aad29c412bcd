//! Photographs on pages, and the scrim that text on them needs.

use super::setter::Setter;
use crate::design::{Crop, Palette};
use crate::scene::{Affine, Color, Coverage, ImageFit, Item, Paint, Point, Rect, Role, Stop};

/// The contrast that a scrim gives small text, a little over WCAG's 4.5.
const CONTRAST: f32 = 5.2;
/// The least that a scrim covers: text on a photograph is calm before it is legible.
const LEAST: f32 = 0.4;

/// Draws the page's photograph in `rect`, under everything else; a tint where it has no pixels.
pub(super) fn draw(setter: &mut Setter<'_>, rect: Rect) {
    // Within a fine frame it keeps to the text's margins, under an arch.
    let (rect, radii) = if setter.is_framed() {
        let text = setter.frame.text;
        let rect = rect.intersect(&Rect::new(text.x0, text.y0, text.x1, text.y1));
        let r = 0.5 * rect.w().min(rect.h());
        (rect, [r, r, 0.0, 0.0])
    } else {
        (rect, [0.0; 4])
    };
    let coverage = Coverage::Rect { rect, radii, stroke: None };
    let tint = Paint::Solid(setter.page.palette.tint);
    let photo = setter.page.photo.as_ref();
    let paint = photo.and_then(|photo| {
        let fit = match photo.crop {
            Crop::Cover => ImageFit::Cover,
            Crop::Whole => ImageFit::Contain,
        };
        Some(Paint::Image { image: photo.pixels.clone()?, rect, fit, focus: photo.focus })
    });
    if paint.is_none() || photo.is_some_and(|p| p.crop == Crop::Whole) {
        setter.art(Item::new(coverage.clone(), tint, Role::Field));
    }
    let Some(paint) = paint else { return };
    let shade = coverage.clone();
    // A page that is read from the right is mirrored in the end; its photograph must not be.
    let transform =
        if setter.is_rtl() { Affine([-1.0, 0.0, 0.0, 1.0, rect.x0 + rect.x1, 0.0]) } else { Affine::IDENTITY };
    setter.art(Item { transform, ..Item::new(coverage, paint, Role::Field) });
    let dim = setter.page.adjust.dim;
    if dim > 0 {
        let shadow = Color::BLACK.alpha(f32::from(dim) / 100.0);
        setter.art(Item { transform, ..Item::new(shade, Paint::Solid(shadow), Role::Field) });
    }
}

/// The inks of a page whose words lie on its photograph: the scrim's and the text's.
pub(super) fn inks(palette: &Palette) -> (Color, Color) {
    if palette.ink.luminance() < palette.bg.luminance() { (palette.ink, palette.bg) } else { (palette.bg, palette.ink) }
}

/// Draws a scrim over the photograph in `room`, whole under `text` and gone `fade` above it.
pub(super) fn scrim(setter: &mut Setter<'_>, room: Rect, text: Rect, fade: f32) {
    let (dark, light) = inks(&setter.page.palette);
    let part = Rect::new(room.x0, text.y0, room.x1, text.y1);
    let mut seen = setter.page.photo.as_ref().map_or_else(Vec::new, |p| p.seen(&room, &part));
    seen.sort_by(|a, b| a.luminance().total_cmp(&b.luminance()));
    // The brightest but for specks.
    let brightest = seen.get(seen.len() * 97 / 100).copied().unwrap_or(setter.page.palette.tint);
    let enough = |alpha: &f32| light.contrast(dark.alpha(*alpha).over(brightest)) >= CONTRAST;
    let alpha = (0..=30).map(|n| LEAST + 0.02 * n as f32).find(enough).unwrap_or(1.0);
    let top = (text.y0 - fade).max(room.y0);
    let rect = Rect::new(room.x0, top, room.x1, room.y1);
    // An even slope would show where it begins.
    let from = ((text.y0 - top) / rect.h()).clamp(0.05, 1.0);
    let stops = [(0.0, 0.0), (0.35, 0.22), (0.72, 0.78), (1.0, 1.0)];
    let stops = stops.map(|(at, by)| Stop { offset: at * from, color: dark.alpha(alpha * by) });
    let paint =
        Paint::Linear { from: Point::new(0.0, rect.y0), to: Point::new(0.0, rect.y1), stops: stops.to_vec().into() };
    setter.art(Item::new(Coverage::Rect { rect, radii: [0.0; 4], stroke: None }, paint, Role::Field));
}
