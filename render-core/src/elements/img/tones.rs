//! Duotone: a photograph in two colours of the palette.

use crate::scene::{Color, Image};
use crate::sheet::{Inks, mix};
use crate::tree::{Colour, Role};

/// Longer edge above which a photograph is scaled down first.
const EDGE: u32 = 2400;

/// Returns the colours of the shadows and the highlights.
pub fn of(name: &str, inks: &Inks) -> Option<[Color; 2]> {
    let base = match name {
        "accent" => inks.fill(Colour::Role(Role::Accent)),
        "field" => inks.fill(Colour::Role(Role::Field)),
        "ink" => inks.ink(),
        _ => return None,
    };
    let (ink, ground) = (inks.ink(), inks.ground);
    let (dark, light) = if ink.luminance() < ground.luminance() { (ink, ground) } else { (ground, ink) };
    Some(match (name, base.to_oklch().l) {
        ("ink", _) => [dark, light],
        // A light colour becomes the highlights, a dark one the shadows.
        (_, l) if l >= 0.62 => [dark, base],
        _ => [mix(base, dark, 0.35), light],
    })
}

/// Maps a photograph to two colours.
pub fn toned(image: &Image, [dark, light]: [Color; 2]) -> Option<Image> {
    let step = image.width().max(image.height()).div_ceil(EDGE).max(1);
    let (w, h) = (image.width() / step, image.height() / step);
    let table: Vec<[u8; 4]> = (0..=255_u8).map(|n| mix(dark, light, f32::from(n) / 255.0).to_rgba8()).collect();
    let row = image.width() as usize;
    let mut out = Vec::with_capacity(4 * (w * h) as usize);
    for y in 0..h {
        for x in 0..w {
            let (mut luma, mut alpha) = (0_u32, 0_u32);
            for j in 0..step {
                for i in 0..step {
                    let at = 4 * ((y * step + j) as usize * row + (x * step + i) as usize);
                    let Some([r, g, b, a]) = image.rgba().get(at..at + 4) else { continue };
                    luma += 77 * u32::from(*r) + 150 * u32::from(*g) + 29 * u32::from(*b);
                    alpha += u32::from(*a);
                }
            }
            let n = step * step;
            let [r, g, b, _] = table.get((luma / n / 256) as usize).copied().unwrap_or_default();
            out.extend([r, g, b, (alpha / n) as u8]);
        }
    }
    Image::new(w, h, out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_become_the_two_colours() {
        let image = Image::new(2, 1, vec![0, 0, 0, 255, 255, 255, 255, 255]).expect("a picture");
        let [dark, light] = [Color::hex(0x0020_1040), Color::hex(0x00FF_E0C0)];
        let toned = toned(&image, [dark, light]).expect("a picture");
        assert_eq!(toned.rgba(), [dark.to_rgba8(), light.to_rgba8()].concat());
    }
}
