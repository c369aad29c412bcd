//! Pictures, resampled to about their visible size.

use std::sync::Arc;

use parking_lot::Mutex;
use rayon::prelude::*;

use crate::cancel;
use crate::limits::PICTURE_CACHE_BYTES;
use crate::scene::{Image, ImageMark};

/// Number of texels, 16 bytes each, that resampling processes at once.
const STRIP_TEXELS: usize = 1 << 20;

/// Texels: premultiplied encoded sRGB and alpha, four bytes each, rows from top to bottom.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Picture {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Box<[u8]>,
    /// Whether every texel is opaque.
    pub opaque: bool,
}

impl Picture {
    /// Resamples a picture to `width` × `height` texels, neither larger than its own.
    ///
    /// Reduction is separable, with the cubic kernel of Keys (1981, a = −½) stretched to the size of the new texels, so
    /// that nothing aliases and edges stay sharp. Colours are premultiplied by alpha first.
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
            let (across, down) = (Taps::new(w, width), Taps::new(h, height));
            // Processes a strip of source rows at a time. A row that the strip doesn't complete continues in the next.
            let strip = (STRIP_TEXELS / width).clamp(1, h);
            let mut wide = vec![[0.0_f32; 4]; width * strip];
            let mut sums: Vec<[f32; 4]> = Vec::new();
            let mut done = 0;
            for top in (0..h).step_by(strip) {
                cancel::check();
                let bottom = (top + strip).min(h);
                wide.par_chunks_mut(width).zip(top..bottom).for_each(|(out, y)| {
                    let row: Vec<[f32; 4]> = texels(y).map(premultiplied).collect();
                    for (x, out) in out.iter_mut().enumerate() {
                        let (from, weights) = across.of(x);
                        *out = weighted(weights.iter().zip(&row[from..]).map(|(w, t)| (*w, t)));
                    }
                });
                let begun = done + (done..height).take_while(|y| down.of(*y).0 < bottom).count();
                let complete = |y: &usize| down.of(*y).0 + down.of(*y).1.len() <= bottom;
                let end = done + (done..begun).take_while(complete).count();
                sums.resize((begun - done) * width, [0.0; 4]);
                sums.par_chunks_mut(width).zip(done..begun).for_each(|(sums, y)| {
                    let (from, weights) = down.of(y);
                    for (j, w) in (from..bottom).zip(weights).skip(top.saturating_sub(from)) {
                        for (sum, t) in sums.iter_mut().zip(&wide[(j - top) * width..]) {
                            *sum = std::array::from_fn(|c| sum[c] + w * t[c]);
                        }
                    }
                });
                let rows = &mut rgba[done * width * 4..end * width * 4];
                rows.par_chunks_mut(width * 4).zip(sums.par_chunks(width)).for_each(|(out, sums)| {
                    for (out, [r, g, b, a]) in out.chunks_exact_mut(4).zip(sums) {
                        // Clamps the overshoot of the cubic's lobes; no colour exceeds its alpha.
                        let a = a.clamp(0.0, 255.0);
                        out.copy_from_slice(&[*r, *g, *b, a].map(|v| (v.clamp(0.0, a) + 0.5) as u8));
                    }
                });
                sums.drain(..(end - done) * width);
                done = end;
            }
        }
        let opaque = rgba.chunks_exact(4).all(|t| t[3] == 255);
        Self { width: width as u32, height: height as u32, rgba: rgba.into(), opaque }
    }

    /// Returns the bilinearly interpolated colour at a point in texels. Edge texels are repeated beyond the edges.
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

/// Returns the texels on either side of `v`, whose centres lie at ½, 1½, …, and the fraction of the way to the second.
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

/// For each new texel, the weights of its source texels.
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

/// Evaluates the cubic convolution kernel of Keys with a = −½.
fn keys(x: f64) -> f64 {
    let x = x.abs();
    match x {
        _ if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        _ if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
        _ => 0.0,
    }
}

/// A cache of the pictures drawn most recently, by content and size in texels. It is limited to
/// [`PICTURE_CACHE_BYTES`], but always keeps the latest picture.
pub(super) struct Pictures {
    known: Mutex<Vec<Known>>,
    most_bytes: usize,
}

/// A resampled picture.
struct Known {
    /// The source's id, and the requested width and height.
    key: (u64, u32, u32),
    /// Identifies the source itself, because ids of different images may be made to collide.
    source: ImageMark,
    picture: Arc<Picture>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self::new(PICTURE_CACHE_BYTES)
    }
}

impl Pictures {
    fn new(most_bytes: usize) -> Self {
        Self { known: Mutex::default(), most_bytes }
    }

    /// Returns `image` resampled to `width` × `height` texels, clamped to at least one and at most its own size.
    pub fn get(&self, image: &Image, width: u32, height: u32) -> Arc<Picture> {
        let (width, height) = (width.clamp(1, image.width()), height.clamp(1, image.height()));
        let key = (image.id(), width, height);
        let lock = || self.known.lock();
        let found = {
            let mut known = lock();
            known.iter().position(|k| k.key == key && k.source.is(image)).map(|i| {
                // Moves the entry to the end: the first entry is the least recently used one and is evicted first.
                let entry = known.remove(i);
                let picture = Arc::clone(&entry.picture);
                known.push(Known { source: image.mark(), ..entry });
                picture
            })
        };
        found.unwrap_or_else(|| {
            // Resamples outside the lock; two threads may make the same picture.
            let picture = Arc::new(Picture::new(image, width, height));
            let mut known = lock();
            known.retain(|k| k.key != key && k.source.lives());
            known.push(Known { key, source: image.mark(), picture: Arc::clone(&picture) });
            let mut bytes: usize = known.iter().map(|k| k.picture.rgba.len()).sum();
            while bytes > self.most_bytes && known.len() > 1 {
                bytes -= known.remove(0).picture.rgba.len();
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
    fn strips_leave_no_trace() {
        // Higher than a strip, so that both ways of reducing it are compared with reducing all rows at once.
        let (w, h) = (640, 5_000);
        let noise =
            image(w, h, |x, y| (x.wrapping_mul(2_654_435_761) ^ (y * 40_503)).wrapping_mul(0x9E37_79B1).to_le_bytes());
        for (width, height) in [(640, 4_321), (500, 5_000), (37, 3), (1, 1)] {
            let picture = Picture::new(&noise, width, height);
            let (across, down) = (Taps::new(w as usize, width as usize), Taps::new(h as usize, height as usize));
            for (x, y) in [(0, 0), (width / 2, height / 2), (width / 3, height - 1), (width - 1, height / 3)] {
                let ((left, across), (top, down)) = (across.of(x as usize), down.of(y as usize));
                let row = |y: usize| {
                    let row = &noise.rgba()[(y * w as usize + left) * 4..];
                    weighted(
                        across
                            .iter()
                            .copied()
                            .zip(&row.chunks_exact(4).map(premultiplied).take(across.len()).collect::<Vec<_>>()),
                    )
                };
                let rows: Vec<[f32; 4]> = (top..top + down.len()).map(row).collect();
                let [r, g, b, a] = weighted(down.iter().copied().zip(&rows));
                let want = [r, g, b, a].map(|v| (v.clamp(0.0, a.clamp(0.0, 255.0)) + 0.5) as u8);
                let at = ((y * width + x) * 4) as usize;
                assert_eq!(picture.rgba[at..at + 4], want, "{width}×{height} at {x}, {y}");
            }
        }
    }

    #[test]
    fn pictures_with_one_id_are_told_apart() {
        // Two words of eight bytes; the second is chosen to cancel the change that the first makes to the hash.
        let first: [u64; 2] = [0x0102_0304_0506_07FF, 0x1112_1314_1516_17FF];
        let after = |word: u64| {
            let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
            mix(mix(0xcbf2_9ce4_8422_2325, 4), word)
        };
        let word = 0xFFFF_FFFF_0000_0000;
        let second = [word, first[1] ^ after(first[0]) ^ after(word)];
        let [a, b] = [first, second].map(|w| Image::new(4, 1, w.map(u64::to_le_bytes).concat()).unwrap());
        assert_eq!(a.id(), b.id(), "made alike");
        let pictures = Pictures::default();
        let drawn = pictures.get(&a, 4, 1);
        assert_ne!(pictures.get(&b, 4, 1).rgba, drawn.rgba);
        // Equal content in other memory is the same picture.
        let twin = Image::new(4, 1, b.rgba()).unwrap();
        assert!(Arc::ptr_eq(&pictures.get(&b, 4, 1), &pictures.get(&twin, 4, 1)));
    }

    #[test]
    fn pictures_are_kept_within_bounds() {
        let pictures = Pictures::new(3 * 64 * 48 * 4);
        let photos: Vec<Image> = (0..5).map(|i| image(64, 48, |x, y| [x as u8, y as u8, i, 255])).collect();
        let first = pictures.get(&photos[0], 64, 48);
        let held = |i: usize| pictures.known.lock().iter().any(|k| k.source.is(&photos[i]));
        for photo in &photos[1..3] {
            let _ = pictures.get(photo, 64, 48);
        }
        assert!(Arc::ptr_eq(&first, &pictures.get(&photos[0], 64, 48)), "all three fit");
        let _ = pictures.get(&photos[3], 64, 48);
        assert!(held(0) && !held(1) && held(2) && held(3), "the one used longest ago is gone");
        let large = image(200, 200, |_, _| [9; 4]);
        let _ = pictures.get(&large, 200, 200);
        assert_eq!(pictures.known.lock().len(), 1, "the last stays, however large");
        drop(large);
        let _ = pictures.get(&photos[4], 8, 8);
        assert_eq!(pictures.known.lock().len(), 1, "what no one holds any more goes");
    }

    #[test]
    fn pictures_are_made_once() {
        let pictures = Pictures::default();
        let photo = image(64, 48, |x, y| [x as u8, y as u8, 7, 255]);
        let first = pictures.get(&photo, 32, 24);
        assert!(Arc::ptr_eq(&first, &pictures.get(&photo.clone(), 32, 24)));
        assert!(!Arc::ptr_eq(&first, &pictures.get(&photo, 31, 24)));
        assert_eq!((pictures.get(&photo, 0, 900).width, pictures.get(&photo, 0, 900).height), (1, 48));
    }
}
