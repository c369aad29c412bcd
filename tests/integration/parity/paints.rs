//! Every paint, for a field of 96 × 96 du.

use std::sync::Arc;

use render_core::scene::{Backdrop, Color, Image, ImageFit, Paint, Pattern, Point, Rect, Stop};

/// Returns all paints by name.
pub fn paints() -> Vec<(&'static str, Paint)> {
    let mut all = plain();
    all.extend(patterns().into_iter().map(|(name, pattern)| (name, backdrop(pattern, &two()))));
    all.extend(pictures());
    all
}

/// Returns evenly spaced stops.
pub fn stops(colors: &[Color]) -> Arc<[Stop]> {
    let last = colors.len().max(2) - 1;
    colors.iter().enumerate().map(|(i, c)| Stop { offset: i as f32 / last as f32, color: *c }).collect()
}

fn two() -> Arc<[Stop]> {
    stops(&[Color::hex(0x0E3B36), Color::hex(0xFFC247)])
}

pub fn backdrop(pattern: Pattern, stops: &Arc<[Stop]>) -> Paint {
    Paint::Backdrop(Backdrop { pattern, seed: 7, stops: Arc::clone(stops) })
}

fn plain() -> Vec<(&'static str, Paint)> {
    let [a, b] = [(10.0, 20.0), (80.0, 66.0)].map(|(x, y)| Point::new(x, y));
    let center = Point::new(44.0, 50.0);
    let many = stops(&[Color::hex(0xFF4D14), Color::WHITE.alpha(0.2), Color::hex(0x3355FF), Color::BLACK.alpha(0.0)]);
    let colors = [0xFF4D14, 0x3355FF, 0xF4F1EA, 0x15171C, 0x3BE0A0, 0xFFC247].map(Color::hex);
    let mut faint = colors;
    faint[4] = faint[4].alpha(0.1);
    let field = Rect::at(4.0, 6.0, 88.0, 80.0);
    vec![
        ("solid", Paint::Solid(Color::hex(0xFF4D14))),
        ("solid-alpha", Paint::Solid(Color::hex(0x3355FF).alpha(0.37))),
        ("linear", Paint::Linear { from: a, to: b, stops: two() }),
        ("linear-many", Paint::Linear { from: b, to: a, stops: Arc::clone(&many) }),
        ("radial", Paint::Radial { center, radius: 46.0, stops: two() }),
        ("radial-many", Paint::Radial { center, radius: 30.0, stops: Arc::clone(&many) }),
        ("conic", Paint::Conic { center, start: -0.7, stops: two() }),
        ("conic-many", Paint::Conic { center, start: 2.0, stops: many }),
        ("mesh", Paint::Mesh { rect: field, columns: 3, colors: colors.into() }),
        ("mesh-alpha", Paint::Mesh { rect: field, columns: 2, colors: faint.into() }),
    ]
}

/// Returns every pattern by name.
pub fn patterns() -> Vec<(&'static str, Pattern)> {
    let [from, to, center] = [(10.0, 10.0), (80.0, 90.0), (30.0, 66.0)].map(|(x, y)| Point::new(x, y));
    vec![
        ("noise", Pattern::Noise { size: 40.0, octaves: 4 }),
        ("grain", Pattern::Grain { size: 1.5 }),
        ("rays", Pattern::Rays { center, count: 17, start: 0.1 }),
        ("contours", Pattern::Contours { size: 50.0, levels: 9, width: 1.2 }),
        ("halftone", Pattern::Halftone { pitch: 7.0, from, to }),
        ("dots", Pattern::Dots { pitch: 9.0, radius: 2.6 }),
        ("stars", Pattern::Stars { pitch: 11.0, radius: 2.4 }),
        ("waves", Pattern::Waves { pitch: 12.0, length: 40.0, amplitude: 5.0, width: 3.0 }),
        ("blobs", Pattern::Blobs { pitch: 48.0, radius: 40.0 }),
    ]
}

/// A substitute for a photograph: gradients in two directions, edges, and a transparent corner.
pub fn picture(width: u32, height: u32) -> Image {
    let pixel = |x: u32, y: u32| {
        let checker = if (x / 9 + y / 7).is_multiple_of(2) { 40 } else { 0 };
        let (r, g) = (x * 215 / width + checker, y * 215 / height + checker);
        let alpha = if x + y < width / 3 { (x * 255 / width * 3).min(255) } else { 255 };
        [r as u8, g as u8, 255 - r as u8, alpha as u8]
    };
    let bytes: Vec<u8> = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    Image::new(width, height, bytes).unwrap()
}

fn pictures() -> Vec<(&'static str, Paint)> {
    let rect = Rect::at(8.0, 9.0, 80.0, 76.0);
    let shown =
        |image: Image, fit, focus: (f32, f32)| Paint::Image { image, rect, fit, focus: Point::new(focus.0, focus.1) };
    vec![
        ("image-cover", shown(picture(300, 140), ImageFit::Cover, (0.2, 0.5))),
        ("image-contain", shown(picture(60, 31), ImageFit::Contain, (0.5, 0.5))),
        ("image-fill", shown(picture(33, 190), ImageFit::Fill, (0.5, 0.5))),
    ]
}
