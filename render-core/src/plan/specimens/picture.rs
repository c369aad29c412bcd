//! The photograph that specimens show: hills at dusk, drawn by a formula.

use crate::design::Photo;
use crate::scene::Image;
use crate::scene::color::Oklch;

const WIDTH: u32 = 720;
const HEIGHT: u32 = 720;

/// Draws hills under a low sun.
pub(super) fn photo() -> Photo {
    let mut rgba = Vec::with_capacity((4 * WIDTH * HEIGHT) as usize);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let [r, g, b, a] = color((x as f32 + 0.5) / WIDTH as f32, (y as f32 + 0.5) / HEIGHT as f32).to_rgba8();
            rgba.extend([r, g, b, a]);
        }
    }
    Photo::of("0".repeat(64), Image::new(WIDTH, HEIGHT, rgba).expect("as many bytes as pixels"))
}

fn color(u: f32, v: f32) -> crate::scene::Color {
    let ridge = |n: f32| {
        let at = 0.5 + 0.105 * n;
        let swell = libm::sinf(u * (3.1 + 1.3 * n) + 2.1 * n) * 0.045;
        at + swell + libm::sinf(u * (11.0 - n) + 5.0 * n) * 0.012
    };
    // Finds the nearest ridge that reaches this high.
    for n in (0..5_u8).rev().map(f32::from) {
        let top = ridge(n);
        if v >= top {
            let mist = (1.0 - (v - top) / 0.2).max(0.0);
            return Oklch::new(0.52 - 0.085 * n + 0.09 * mist, 0.04 + 0.008 * n, 40.0 + 26.0 * n).to_color();
        }
    }
    let (dx, dy) = (u - 0.66, v - 0.4);
    let away = libm::sqrtf(dx * dx + dy * dy);
    if away < 0.085 {
        return Oklch::new(0.97, 0.05, 90.0).to_color();
    }
    let glow = libm::expf(-3.2 * (away - 0.085));
    Oklch::new(0.56 + 0.2 * v + 0.2 * glow, 0.05 + 0.07 * glow, 50.0 + 16.0 * glow).to_color()
}
