//! [`Photo`]: a photograph on a page, and the detection of its subject.

use crate::scene::{Color, Image, Point, Rect};

/// A photograph: a stored file and how it is cropped.
#[derive(Debug, Clone, PartialEq)]
pub struct Photo {
    /// The key of the stored file: the SHA-256 of its bytes in hexadecimal digits.
    pub key: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The point that stays visible in any crop: from (0, 0) at the top left to (1, 1) at the bottom right.
    pub focus: Point,
    /// How it fills its area.
    pub crop: Crop,
    /// The decoded picture, once loaded; only drawing needs it. It is not part of the stored form. Without it a tint is
    /// drawn in its place.
    pub pixels: Option<Image>,
}

/// How a photograph fills its area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crop {
    /// Fills the area; the longer side is cropped around the focus.
    Cover,
    /// Is shown uncropped: screenshots, diagrams.
    Whole,
}

impl Crop {
    /// Every crop.
    pub const ALL: [Self; 2] = [Self::Cover, Self::Whole];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cover => "cover",
            Self::Whole => "whole",
        }
    }
}

/// Longer edge, in pixels, of the thumbnail on which the subject is detected.
const THUMB: u32 = 48;
/// Radius, in pixels of the thumbnail, of the neighbourhood that a pixel is compared with; strength of the preference
/// for the middle.
const REACH: usize = 3;
const MIDDLE: f32 = 0.9;

impl Photo {
    /// Creates a photograph from a decoded picture, with the focus on its detected subject.
    pub fn of(key: String, pixels: Image) -> Self {
        let focus = focus(&pixels);
        Self { key, width: pixels.width(), height: pixels.height(), focus, crop: Crop::Cover, pixels: Some(pixels) }
    }

    /// Returns the colours in `part` of `room` once the photograph fills it, as a grid of samples; empty without
    /// pixels.
    pub fn seen(&self, room: &Rect, part: &Rect) -> Vec<Color> {
        let Some(image) = &self.pixels else { return Vec::new() };
        let (w, h) = (image.width() as f32, image.height() as f32);
        let scale = (room.w() / w).max(room.h() / h);
        // Cropping: the focus keeps its relative position within the slack.
        let at = |p: f32, lo: f32, len: f32, px: f32, f: f32| (p - lo + (px * scale - len) * f) / scale;
        let mut out = Vec::with_capacity(24 * 24);
        for i in 0..24_u8 {
            for j in 0..24_u8 {
                let (u, v) = ((f32::from(i) + 0.5) / 24.0, (f32::from(j) + 0.5) / 24.0);
                let (x, y) = (part.x0 + u * part.w(), part.y0 + v * part.h());
                let px = at(x, room.x0, room.w(), w, self.focus.x);
                let py = at(y, room.y0, room.h(), h, self.focus.y);
                out.push(pixel(image, px.max(0.0) as u32, py.max(0.0) as u32));
            }
        }
        out
    }
}

fn pixel(image: &Image, x: u32, y: u32) -> Color {
    let (x, y) = (x.min(image.width() - 1) as usize, y.min(image.height() - 1) as usize);
    let at = 4 * (y * image.width() as usize + x);
    image.rgba().get(at..at + 3).map_or(Color::BLACK, |p| Color::rgb8(p[0], p[1], p[2]))
}

/// Returns the estimated subject of a picture: the centre of the areas that differ from their surroundings in lightness
/// and colour. Returns the middle if there are none.
pub fn focus(image: &Image) -> Point {
    let (w, h) = (image.width(), image.height());
    let long = w.max(h);
    let (tw, th) = ((w * THUMB.min(long) / long).max(1) as usize, (h * THUMB.min(long) / long).max(1) as usize);
    let thumb = thumbnail(image, tw, th);
    let at = |x: usize, y: usize| thumb[y * tw + x];
    // Difference from the mean of the neighbourhood.
    let mut stands: Vec<f32> = Vec::with_capacity(tw * th);
    for y in 0..th {
        for x in 0..tw {
            let (x0, x1) = (x.saturating_sub(REACH), (x + REACH + 1).min(tw));
            let (y0, y1) = (y.saturating_sub(REACH), (y + REACH + 1).min(th));
            let near = (y0..y1).flat_map(|j| (x0..x1).map(move |i| (i, j)));
            let n = ((x1 - x0) * (y1 - y0)) as f32;
            let sum = near.fold([0.0_f32; 3], |s, (i, j)| std::array::from_fn(|c| s[c] + at(i, j)[c]));
            let own = at(x, y);
            let apart: f32 = (0..3).map(|c| (own[c] - sum[c] / n) * (own[c] - sum[c] / n)).sum();
            let (u, v) = ((x as f32 + 0.5) / tw as f32 - 0.5, (y as f32 + 0.5) / th as f32 - 0.5);
            stands.push(apart * (1.0 - MIDDLE * (u * u + v * v)));
        }
    }
    let most = stands.iter().copied().fold(0.0, f32::max);
    // A plain wall has no subject.
    if most < 1e-5 {
        return Point::new(0.5, 0.5);
    }
    // Two passes: over the whole picture, then near the first centre, so that a second motif at the edge doesn't shift
    // it.
    let mut center = (0.5, 0.5);
    for reach in [f32::INFINITY, 0.35] {
        let mut sum = (0.0, 0.0, 0.0);
        for (i, s) in stands.iter().enumerate() {
            let (u, v) = (((i % tw) as f32 + 0.5) / tw as f32, ((i / tw) as f32 + 0.5) / th as f32);
            let (dx, dy) = (u - center.0, v - center.1);
            if dx * dx + dy * dy <= reach * reach {
                sum = (sum.0 + s * u, sum.1 + s * v, sum.2 + s);
            }
        }
        if sum.2 > 0.0 {
            center = (sum.0 / sum.2, sum.1 / sum.2);
        }
    }
    Point::new(center.0, center.1)
}

/// Returns the means of boxes, in OKLab; transparent pixels count as white.
fn thumbnail(image: &Image, tw: usize, th: usize) -> Vec<[f32; 3]> {
    let (w, h) = (image.width() as usize, image.height() as usize);
    let mut out = Vec::with_capacity(tw * th);
    for y in 0..th {
        for x in 0..tw {
            let (x0, y0) = (x * w / tw, y * h / th);
            let (x1, y1) = (((x + 1) * w / tw).max(x0 + 1), ((y + 1) * h / th).max(y0 + 1));
            // A dozen samples per side are enough for any photograph.
            let (sx, sy) = (((x1 - x0) / 12).max(1), ((y1 - y0) / 12).max(1));
            let (mut sum, mut n) = ([0.0_f32; 3], 0.0);
            for row in (y0..y1).step_by(sy) {
                for column in (x0..x1).step_by(sx) {
                    let p = &image.rgba()[4 * (row * w + column)..][..4];
                    let a = f32::from(p[3]) / 255.0;
                    for c in 0..3 {
                        sum[c] += a * f32::from(p[c]) / 255.0 + 1.0 - a;
                    }
                    n += 1.0;
                }
            }
            let mean = Color { r: sum[0] / n, g: sum[1] / n, b: sum[2] / n, a: 1.0 };
            out.push(mean.to_oklab());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a picture of one colour with a disc of another colour at (u, v).
    fn picture(w: u32, h: u32, u: f32, v: f32, disc: [u8; 3]) -> Image {
        let mut rgba = Vec::new();
        for y in 0..h {
            for x in 0..w {
                let (dx, dy) = (x as f32 - u * w as f32, y as f32 - v * h as f32);
                let radius = 0.1 * w.min(h) as f32;
                let inside = dx * dx + dy * dy < radius * radius;
                let c = if inside { disc } else { [200, 205, 210] };
                rgba.extend([c[0], c[1], c[2], 255]);
            }
        }
        Image::new(w, h, rgba).expect("a picture")
    }

    #[test]
    fn the_focus_is_where_something_stands_out() {
        for (u, v) in [(0.2, 0.3), (0.75, 0.5), (0.5, 0.85)] {
            for disc in [[20, 20, 20], [220, 60, 40]] {
                let found = focus(&picture(300, 200, u, v, disc));
                assert!((found.x - u).abs() < 0.06 && (found.y - v).abs() < 0.06, "{found:?} for {u} {v}");
            }
        }
    }

    #[test]
    fn a_plain_wall_and_a_pixel_have_it_in_the_middle() {
        assert_eq!(focus(&picture(64, 64, -1.0, -1.0, [0, 0, 0])), Point::new(0.5, 0.5));
        assert_eq!(focus(&Image::new(1, 1, vec![9; 4]).expect("a picture")), Point::new(0.5, 0.5));
    }

    #[test]
    fn what_is_seen_moves_with_the_focus() {
        let image = picture(400, 100, 0.9, 0.5, [0, 0, 0]);
        let photo = |x| Photo { focus: Point::new(x, 0.5), ..Photo::of(String::new(), image.clone()) };
        let room = Rect::new(0.0, 0.0, 100.0, 100.0);
        let dark = |p: &Photo| p.seen(&room, &room).iter().filter(|c| c.luminance() < 0.1).count();
        assert_eq!(dark(&photo(0.0)), 0);
        assert!(dark(&photo(0.95)) > 5);
    }
}
