//! Classifies a picture by its pixels: a photograph, which may be cropped, or a drawing (a screenshot, a diagram, a
//! logo), which must stay whole.

use std::collections::HashMap;

use crate::import::pixels::Pixels;

/// Samples along each edge.
const SAMPLES: u32 = 200;
/// Shares of the samples above which a picture is a drawing: transparent, equal to their neighbours, of one colour.
const CLEAR: f32 = 0.02;
const FLAT: f32 = 0.5;
const GROUND: f32 = 0.2;
/// A flat picture with fewer colours among its samples is a drawing.
const COLOURS: usize = 256;
/// Mean lightness, 0–255, above which a transparent picture gets a dark background, and that background.
const LIGHT: f32 = 170.0;
const NIGHT: [u8; 3] = [24, 24, 27];

/// Returns whether a picture is a photograph.
pub(super) fn is_photograph(pixels: &Pixels) -> bool {
    let (mut clear, mut flat, mut all) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut colours: HashMap<[u8; 4], u32> = HashMap::new();
    for (x, y) in samples(pixels) {
        let pixel = at(pixels, x, y);
        all += 1.0;
        clear += f32::from(u8::from(pixel[3] < 250));
        let right = at(pixels, (x + 1).min(pixels.width - 1), y);
        let below = at(pixels, x, (y + 1).min(pixels.height - 1));
        flat += f32::from(u8::from(pixel == right && pixel == below));
        *colours.entry(pixel).or_default() += 1;
    }
    let ground = colours.values().copied().max().unwrap_or(0) as f32;
    let all = all.max(1.0);
    let drawn = flat / all > FLAT && (ground / all > GROUND || colours.len() < COLOURS);
    clear / all <= CLEAR && !drawn
}

/// Removes transparency: on white, or on a dark background if the visible part is light.
pub(super) fn opaque(mut pixels: Pixels) -> Pixels {
    if pixels.rgba.chunks_exact(4).all(|p| p[3] == 255) {
        return pixels;
    }
    let (mut sum, mut weight) = (0.0_f32, 0.0_f32);
    for pixel in samples(&pixels).map(|(x, y)| at(&pixels, x, y)) {
        let alpha = f32::from(pixel[3]);
        sum += alpha * (0.3 * f32::from(pixel[0]) + 0.59 * f32::from(pixel[1]) + 0.11 * f32::from(pixel[2]));
        weight += alpha;
    }
    let ground = if weight > 0.0 && sum / weight > LIGHT { NIGHT } else { [255; 3] };
    for pixel in pixels.rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        for (channel, under) in pixel.iter_mut().zip(ground) {
            *channel = ((u32::from(*channel) * alpha + u32::from(under) * (255 - alpha) + 127) / 255) as u8;
        }
        pixel[3] = 255;
    }
    pixels
}

/// Iterates over positions spread evenly over a picture.
fn samples(pixels: &Pixels) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (width, height) = (pixels.width, pixels.height);
    let (columns, rows) = (width.min(SAMPLES), height.min(SAMPLES));
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column * width / columns, row * height / rows)))
}

fn at(pixels: &Pixels, x: u32, y: u32) -> [u8; 4] {
    let at = 4 * (y as usize * pixels.width as usize + x as usize);
    pixels.rgba.get(at..at + 4).and_then(|p| p.try_into().ok()).unwrap_or([255; 4])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(of: impl Fn(u32, u32) -> [u8; 4]) -> Pixels {
        let (width, height) = (640, 400);
        Pixels { width, height, rgba: (0..width * height).flat_map(|i| of(i % width, i / width)).collect() }
    }

    #[test]
    fn photographs_have_grain_and_drawings_are_flat() {
        let grain = |x: u32, y: u32| (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(97) >> 28;
        let hills = picture(|x, y| [(x / 4 + grain(x, y)) as u8, (y / 2 + grain(y, x)) as u8, 90, 255]);
        assert!(is_photograph(&hills));
        // A window with lines of text.
        let screen = picture(|x, y| if y % 20 < 4 && x % 9 < 5 { [40, 44, 52, 255] } else { [250, 250, 250, 255] });
        assert!(!is_photograph(&screen));
        // Bands of a few colours.
        assert!(!is_photograph(&picture(|x, _| [(x / 100 * 30) as u8, 120, 200, 255])));
        // A sign on a transparent background.
        let sign = picture(|x, y| [grain(x, y) as u8, 10, 200, if x < 300 { 255 } else { 0 }]);
        assert!(!is_photograph(&sign));
    }

    #[test]
    fn signs_stand_on_a_ground_that_they_are_seen_on() {
        let sign = |shade: u8| picture(move |x, _| if x < 300 { [shade, shade, shade, 255] } else { [0, 0, 0, 0] });
        let ground = |pixels: Pixels| at(&opaque(pixels), 639, 0);
        assert_eq!(ground(sign(20)), [255, 255, 255, 255]);
        assert_eq!(ground(sign(240)), [24, 24, 27, 255]);
        let solid = picture(|_, _| [1, 2, 3, 255]);
        assert_eq!(opaque(solid.clone()), solid);
    }
}
