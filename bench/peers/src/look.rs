//! Checks that two images show the same thing: scales both down and compares them.

use anyhow::{Context as _, Result, bail};

/// Width of the small images, in pixels. One small pixel covers 8 × 8 pixels of an image 2048 wide. An edge that is
/// half a pixel off therefore changes it by a sixteenth of the contrast, and a missing word by all of it.
const SMALL: usize = 256;
/// Edge of the compared windows, in small pixels: half the height of a card's text.
const WINDOW: usize = 12;

/// Maximum mean difference of two images that show the same thing, in steps of 255. Images of 2048 pixels and more that
/// look the same differ by 0.5 to 0.9: boxes and glyphs snapped to whole pixels or not, shadows that differ by one
/// step. A shadow that was too light by half differed by 1.6.
pub const MEAN: f32 = 1.2;
/// The same for the window that differs most. Equal images differ by 3 to 8; a word on another line differed by 55 and
/// more.
pub const WORST: f32 = 12.0;

/// Difference of two images, in steps of 255, as the mean of the channels.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Difference {
    /// Over the whole image.
    pub mean: f32,
    /// In the window that differs most.
    pub worst: f32,
}

impl Difference {
    /// Whether both pictures show the same thing.
    pub fn is_small(&self) -> bool {
        self.mean <= MEAN && self.worst <= WORST
    }
}

/// A small opaque image: three channels of 0–255.
#[derive(Debug, Clone, PartialEq)]
pub struct Small {
    width: usize,
    height: usize,
    data: Vec<f32>,
}

impl Small {
    /// Scales down a PNG of `width` × `height` pixels; each small pixel is the mean of the pixels that it covers.
    ///
    /// # Errors
    /// Fails if it is not such a PNG, or not opaque.
    pub fn of(bytes: &[u8], (width, height): (u32, u32)) -> Result<Self> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut data = vec![0; reader.output_buffer_size().context("a picture too large")?];
        let info = reader.next_frame(&mut data)?;
        if (info.width, info.height) != (width, height) {
            bail!("a picture of {}×{} instead of {width}×{height}", info.width, info.height);
        }
        let channels = info.color_type.samples();
        if channels < 3 {
            bail!("a picture without colour");
        }
        let pixels = &data[..info.buffer_size()];
        if channels == 4 && pixels.iter().skip(3).step_by(4).any(|a| *a != 255) {
            bail!("a picture that is not opaque");
        }
        Ok(Self::shrink(pixels, width as usize, height as usize, channels))
    }

    fn shrink(pixels: &[u8], width: usize, height: usize, channels: usize) -> Self {
        let step = (width / SMALL).max(1);
        let (w, h) = (width / step, height / step);
        let mut sums = vec![0_u32; w * h * 3];
        for (y, row) in pixels.chunks_exact(width * channels).take(h * step).enumerate() {
            let line = &mut sums[y / step * w * 3..][..w * 3];
            for (x, pixel) in row.chunks_exact(channels).take(w * step).enumerate() {
                for c in 0..3 {
                    line[x / step * 3 + c] += u32::from(pixel[c]);
                }
            }
        }
        let area = (step * step) as f32;
        Self { width: w, height: h, data: sums.into_iter().map(|sum| sum as f32 / area).collect() }
    }

    /// Returns the difference from `other`; infinite if the sizes differ.
    pub fn difference(&self, other: &Self) -> Difference {
        if (self.width, self.height) != (other.width, other.height) {
            return Difference { mean: f32::INFINITY, worst: f32::INFINITY };
        }
        let (w, h) = (self.width, self.height);
        let apart: Vec<f32> = self
            .data
            .chunks_exact(3)
            .zip(other.data.chunks_exact(3))
            .map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f32>() / 3.0)
            .collect();
        let mean = apart.iter().sum::<f32>() / apart.len().max(1) as f32;
        let (window_w, window_h) = (WINDOW.min(w), WINDOW.min(h));
        let mut worst = 0.0_f32;
        // Windows overlap by half, so that no small difference is split between four windows.
        for y in (0..=h - window_h).step_by((WINDOW / 2).max(1)) {
            for x in (0..=w - window_w).step_by((WINDOW / 2).max(1)) {
                let rows = (y..y + window_h).map(|y| apart[y * w + x..][..window_w].iter().sum::<f32>());
                worst = worst.max(rows.sum::<f32>() / (window_w * window_h) as f32);
            }
        }
        Difference { mean, worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a grey image with a block of `size` pixels on it.
    fn picture(width: usize, height: usize, at: (usize, usize), size: (usize, usize)) -> Vec<u8> {
        let mut data = vec![100; width * height * 3];
        for y in at.1..at.1 + size.1 {
            data[(y * width + at.0) * 3..][..size.0 * 3].fill(220);
        }
        data
    }

    fn apart(a: &[u8], b: &[u8]) -> Difference {
        let [a, b] = [a, b].map(|p| Small::shrink(p, 2048, 2560, 3));
        a.difference(&b)
    }

    #[test]
    fn a_pixel_aside_is_small_and_a_word_missing_is_not() {
        let word = picture(2048, 2560, (300, 900), (180, 60));
        assert_eq!(apart(&word, &word), Difference::default());
        let aside = apart(&word, &picture(2048, 2560, (301, 901), (180, 60)));
        assert!(aside.mean > 0.0 && aside.is_small(), "{aside:?}");
        let moved = apart(&word, &picture(2048, 2560, (300, 960), (180, 60)));
        assert!(!moved.is_small(), "{moved:?}");
        let missing = apart(&word, &vec![100; word.len()]);
        assert!(!missing.is_small(), "{missing:?}");
    }

    #[test]
    fn a_tint_all_over_is_not_small() {
        let [a, b] = [100, 102].map(|v| vec![v; 2048 * 2560 * 3]);
        assert!(!apart(&a, &b).is_small());
    }

    #[test]
    fn pictures_are_read_whole() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 4, 2);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().unwrap();
        let mut data = [9, 8, 7, 255].repeat(8);
        writer.write_image_data(&data).unwrap();
        writer.finish().unwrap();
        let small = Small::of(&bytes, (4, 2)).unwrap();
        assert_eq!(small.data[..3], [9.0, 8.0, 7.0]);
        assert!(Small::of(&bytes, (2, 4)).is_err());

        data[3] = 0;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 4, 2);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(&data).unwrap();
        assert!(Small::of(&bytes, (4, 2)).is_err());
    }
}
