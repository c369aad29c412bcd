//! Pictures at about the size they are seen in.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::limits::PICTURE_CACHE_BYTES;
use crate::scene::Image;

/// Texels: encoded sRGB multiplied by alpha, and alpha, four bytes each, rows top down.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Picture {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Box<[u8]>,
    /// Whether every texel is.
    pub opaque: bool,
}

impl Picture {
    /// A picture resampled to `width` × `height` texels, neither above its own.
    ///
    /// Reducing is separable, by the cubic of Keys (1981, a = −½) stretched to the texels' size, so that nothing
    /// aliases and edges stay sharp; colours are multiplied by alpha before.
    fn new(image: &Image, width: u32, height: u32) -> Self {
        let (w, h) = (image.width() as usize, image.height() as usize);
        let (width, height) = (width as usize, height as usize);
        let mut rgba = vec![0_u8; width * height * 4];
        let texels = |y: usize| image.rgba()[y * w * 4..(y + 1) * w * 4].chunks_exact(4);
        if (width, height) == (w, h) {
            rgba.par_chunks_mut(w * 4).enumerate().for_each(|(y, out)| {
                for (out, t) in out.chunks_exact_mut(4).zip(texels(y)) {
                    out.copy_from_slice(&premultiplied(t).map(|v| (v + 0.5) as u8));
                }
            });
        } else {
            let across = Taps::new(w, width);
            let mut wide = vec![[0.0_f32; 4]; width * h];
            wide.par_chunks_mut(width).enumerate().for_each(|(y, out)| {
                let row: Vec<[f32; 4]> = texels(y).map(premultiplied).collect();
                for (x, out) in out.iter_mut().enumerate() {
                    let (from, weights) = across.of(x);
                    *out = weighted(weights.iter().zip(&row[from..]).map(|(w, t)| (*w, t)));
                }
            });
            let down = Taps::new(h, height);
            rgba.par_chunks_mut(width * 4).enumerate().for_each(|(y, out)| {
                let (from, weights) = down.of(y);
                let mut sums = vec![[0.0_f32; 4]; width];
                for (w, row) in weights.iter().zip(wide[from * width..].chunks_exact(width)) {
                    for (sum, t) in sums.iter_mut().zip(row) {
                        *sum = std::array::from_fn(|c| sum[c] + w * t[c]);
                    }
                }
                for (out, [r, g, b, a]) in out.chunks_exact_mut(4).zip(sums) {
                    // What the cubic's lobes throw over is held; no colour above its alpha.
                    let a = a.clamp(0.0, 255.0);
                    out.copy_from_slice(&[r, g, b, a].map(|v| (v.clamp(0.0, a) + 0.5) as u8));
                }
            });
        }
        let opaque = rgba.chunks_exact(4).all(|t| t[3] == 255);
        Self { width: width as u32, height: height as u32, rgba: rgba.into(), opaque }
    }

    /// The colour at a point in texels, bilinearly between their middles; those at the edges go on beyond.
    #[inline]
    pub fn at(&self, u: f32, v: f32) -> [f32; 4] {
        let (i, j, f) = place(u, self.width);
        let (k, l, g) = place(v, self.height);
        let width = self.width as usize;
        let texel = |i: usize, k: usize| {
            let at = (k * width + i) * 4;
            let t = &self.rgba[at..at + 4];
            [t[0], t[1], t[2], t[3]].map(f32::from)
        };
        let (p, q, r, s) = (texel(i, k), texel(j, k), texel(i, l), texel(j, l));
        std::array::from_fn(|c| {
            let top = p[c] + (q[c] - p[c]) * f;
            let below = r[c] + (s[c] - r[c]) * f;
            (top + (below - top) * g) * (1.0 / 255.0)
        })
    }
}

/// The texels to either side of `v`, whose middles lie at ½, 1½, …, and how far it is to the second.
#[inline]
fn place(v: f32, count: u32) -> (usize, usize, f32) {
    let last = (count - 1) as f32;
    let v = (v - 0.5).max(0.0).min(last);
    let i = v as usize;
    (i, (i + 1).min(count as usize - 1), v - i as f32)
}

fn premultiplied(t: &[u8]) -> [f32; 4] {
    let a = f32::from(t[3]);
    let by = a / 255.0;
    [f32::from(t[0]) * by, f32::from(t[1]) * by, f32::from(t[2]) * by, a]
}

fn weighted<'a>(terms: impl Iterator<Item = (f32, &'a [f32; 4])>) -> [f32; 4] {
    terms.fold([0.0; 4], |sum, (w, t)| std::array::from_fn(|c| sum[c] + w * t[c]))
}

/// Weights of the source texels that each texel is made of.
struct Taps {
    starts: Vec<(usize, usize)>,
    weights: Vec<f32>,
}

impl Taps {
    fn new(from: usize, to: usize) -> Self {
        let ratio = from as f64 / to as f64;
        let mut taps = Self { starts: Vec::with_capacity(to), weights: Vec::new() };
        for i in 0..to {
            let middle = (i as f64 + 0.5) * ratio;
            let first = (middle - 2.0 * ratio).floor().max(0.0) as usize;
            let end = ((middle + 2.0 * ratio).ceil() as usize).min(from);
            let mark = taps.weights.len();
            taps.starts.push((first, mark));
            taps.weights.extend((first..end).map(|j| keys((j as f64 + 0.5 - middle) / ratio) as f32));
            let sum: f32 = taps.weights[mark..].iter().sum();
            taps.weights[mark..].iter_mut().for_each(|w| *w /= sum);
        }
        taps
    }

    fn of(&self, i: usize) -> (usize, &[f32]) {
        let (first, mark) = self.starts[i];
        let end = self.starts.get(i + 1).map_or(self.weights.len(), |next| next.1);
        (first, &self.weights[mark..end])
    }
}

/// The cubic convolution kernel of Keys with a = −½.
fn keys(x: f64) -> f64 {
    let x = x.abs();
    match x {
        _ if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        _ if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
        _ => 0.0,
    }
}

/// Pictures drawn last, by content and size in texels; bounded by [`PICTURE_CACHE_BYTES`].
#[derive(Default)]
pub(super) struct Pictures(Mutex<Vec<Known>>);

/// The picture's id, the width and height asked for, and what was made.
type Known = ((u64, u32, u32), Arc<Picture>);

impl Pictures {
    /// `image` resampled to `width` × `height` texels, at least one and at most its own each way.
    pub fn get(&self, image: &Image, width: u32, height: u32) -> Arc<Picture> {
        let (width, height) = (width.clamp(1, image.width()), height.clamp(1, image.height()));
        let key = (image.id(), width, height);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = {
            let mut known = lock();
            known.iter().position(|(k, _)| *k == key).map(|i| {
                // The one used last stands last, and the first goes first.
                let entry = known.remove(i);
                let picture = Arc::clone(&entry.1);
                known.push(entry);
                picture
            })
        };
        found.unwrap_or_else(|| {
            // Made outside the lock; two threads may make the same one.
            let picture = Arc::new(Picture::new(image, width, height));
            let mut known = lock();
            known.retain(|(k, _)| *k != key);
            known.push((key, Arc::clone(&picture)));
            let mut bytes: usize = known.iter().map(|(_, p)| p.rgba.len()).sum();
            while bytes > PICTURE_CACHE_BYTES && known.len() > 1 {
                bytes -= known.remove(0).1.rgba.len();
            }
            picture
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let rgba: Vec<u8> =
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
        Image::new(width, height, rgba).unwrap()
    }

    #[test]
    fn a_fine_grid_becomes_even_grey() {
        let checks = image(600, 400, |x, y| if (x + y) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] });
        let picture = Picture::new(&checks, 150, 100);
        assert!(picture.opaque);
        assert!(picture.rgba.chunks_exact(4).all(|t| t[0].abs_diff(127) <= 2), "nothing of the grid is left");
    }

    #[test]
    fn transparent_texels_lend_no_colour() {
        let half = image(64, 64, |x, _| if x < 32 { [200, 100, 50, 255] } else { [0, 255, 0, 0] });
        let picture = Picture::new(&half, 16, 16);
        assert!(!picture.opaque);
        for t in picture.rgba.chunks_exact(4) {
            assert!(t[0] >= t[1] && t[0] <= t[3], "no green: {t:?}");
        }
        assert_eq!(picture.at(1e9, 3.0), [0.0; 4]);
        assert_eq!(picture.at(f32::NAN, f32::NEG_INFINITY)[3], 1.0);
    }

    #[test]
    fn an_edge_keeps_its_place() {
        let step = image(100, 10, |x, _| if x < 50 { [0, 0, 0, 255] } else { [255; 4] });
        let picture = Picture::new(&step, 25, 10);
        let row: Vec<u8> = picture.rgba[..100].chunks_exact(4).map(|t| t[0]).collect();
        assert!(row[..12].iter().all(|v| *v < 20) && row[13..].iter().all(|v| *v > 235), "{row:?}");
    }

    #[test]
    fn pictures_are_made_once_and_kept_within_bounds() {
        let pictures = Pictures::default();
        let photo = image(64, 48, |x, y| [x as u8, y as u8, 7, 255]);
        let first = pictures.get(&photo, 32, 24);
        assert!(Arc::ptr_eq(&first, &pictures.get(&photo.clone(), 32, 24)));
        assert!(!Arc::ptr_eq(&first, &pictures.get(&photo, 31, 24)));
        assert_eq!((pictures.get(&photo, 0, 900).width, pictures.get(&photo, 0, 900).height), (1, 48));
    }
}
