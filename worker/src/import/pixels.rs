//! The pixels of a picture. They are trimmed and reduced on one thread, because a child of the sandbox can't start
//! others. The child returns them as width and height (4 bytes each, little-endian), then four bytes per pixel. So
//! whatever a file does to its child, nothing of the file is parsed outside the sandbox, and nothing of it is stored.

use render_core::encode::{means, reduced_size};

/// Rows, top down, of four bytes per pixel: sRGB-encoded colours with straight alpha.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pixels {
    pub width: u32,
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Vec<u8>,
}

/// The visible part of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Pixels {
    /// Returns the pixels in the form that a child returns.
    pub fn packed(&self) -> Vec<u8> {
        [&self.width.to_le_bytes()[..], &self.height.to_le_bytes(), &self.rgba].concat()
    }

    /// Returns the length in bytes of a child's longest answer, for pictures of at most `edge` pixels.
    pub const fn most_packed(edge: u32) -> usize {
        8 + (edge * edge) as usize * 4
    }

    /// Reads a child's answer; returns `None` if it is malformed, or if an edge is longer than `edge`.
    pub fn unpacked(answer: &[u8], edge: u32) -> Option<Self> {
        let (width, rest) = answer.split_first_chunk()?;
        let (height, rgba) = rest.split_first_chunk()?;
        let (width, height) = (u32::from_le_bytes(*width), u32::from_le_bytes(*height));
        let edges = 1..=edge;
        let fits = edges.contains(&width) && edges.contains(&height) && rgba.len() == (width * height * 4) as usize;
        fits.then(|| Self { width, height, rgba: rgba.to_vec() })
    }

    /// Encodes the pixels as a PNG.
    ///
    /// # Errors
    /// The error of the encoder.
    pub fn png(&self, compression: png::Compression) -> Result<Vec<u8>, png::EncodingError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(compression);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.write_header()?.write_image_data(&self.rgba)?;
        Ok(out)
    }

    /// Returns the smallest part that contains every pixel which isn't fully transparent; `None` if all are.
    pub fn seen(&self) -> Option<Seen> {
        let row = self.width as usize * 4;
        let inked = |row: &[u8]| row.chunks_exact(4).any(|p| p[3] > 0);
        let top = self.rgba.chunks_exact(row).position(inked)?;
        let bottom = self.rgba.chunks_exact(row).rposition(inked)?;
        let (mut left, mut right) = (self.width as usize, 0);
        for row in self.rgba.chunks_exact(row).take(bottom + 1).skip(top) {
            let first = row.chunks_exact(4).position(|p| p[3] > 0);
            let last = row.chunks_exact(4).rposition(|p| p[3] > 0);
            left = left.min(first.unwrap_or(left));
            right = right.max(last.unwrap_or(right));
        }
        let (x, y) = (left as u32, top as u32);
        Some(Seen { x, y, width: right as u32 + 1 - x, height: bottom as u32 + 1 - y })
    }

    /// Removes fully transparent borders; returns `None` if nothing is left.
    pub fn trimmed(self) -> Option<Self> {
        let seen = self.seen()?;
        if seen == (Seen { x: 0, y: 0, width: self.width, height: self.height }) {
            return Some(self);
        }
        let rows = self.rgba.chunks_exact(self.width as usize * 4);
        let part = seen.x as usize * 4..(seen.x + seen.width) as usize * 4;
        let rows = rows.skip(seen.y as usize).take(seen.height as usize);
        let rgba = rows.flat_map(|row| &row[part.clone()]).copied().collect();
        Some(Self { width: seen.width, height: seen.height, rgba })
    }

    /// Scales the picture down so that its longer edge is `long_edge`. Each pixel is the mean of the area that it
    /// covers, with colours weighted by their alpha. A picture that is small enough stays as it is.
    pub fn reduced(self, long_edge: u32) -> Self {
        let size = (self.width, self.height);
        let Some((width, height)) = reduced_size(size, long_edge) else { return self };
        let mut rgba = Vec::with_capacity((width * height * 4) as usize);
        let multiplied = |p: &[u8; 4]| {
            let alpha = f32::from(p[3]);
            let by = alpha / 255.0;
            [f32::from(p[0]) * by, f32::from(p[1]) * by, f32::from(p[2]) * by, alpha]
        };
        means(&self.rgba, size, (width, height), multiplied, |[r, g, b, a]| {
            let straight = if a > 0.0 { 255.0 / a } else { 0.0 };
            rgba.extend([r * straight, g * straight, b * straight, a].map(|v| (v.clamp(0.0, 255.0) + 0.5) as u8));
        });
        Self { width, height, rgba }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Pixels {
        let rgba = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
        Pixels { width, height, rgba }
    }

    #[test]
    fn transparent_borders_are_cut_off_and_nothing_else() {
        let spot = |x: u32, y: u32| (3..7).contains(&x) && (2..5).contains(&y);
        let framed = pixels(20, 9, |x, y| if spot(x, y) { [9, 8, 7, 1] } else { [255, 255, 255, 0] });
        assert_eq!(framed.seen(), Some(Seen { x: 3, y: 2, width: 4, height: 3 }));
        assert_eq!(framed.trimmed(), Some(pixels(4, 3, |_, _| [9, 8, 7, 1])));
        let corners = pixels(5, 5, |x, y| if x == y && x % 4 == 0 { [1, 1, 1, 255] } else { [0; 4] });
        assert_eq!(corners.clone().trimmed(), Some(corners));
        assert_eq!(pixels(5, 5, |_, _| [255, 255, 255, 0]).trimmed(), None);
    }

    #[test]
    fn what_is_reduced_keeps_its_colours_at_soft_edges() {
        let half = pixels(2048, 100, |x, _| if x % 4 < 2 { [200, 100, 50, 255] } else { [0, 255, 0, 0] });
        let small = half.reduced(512);
        assert_eq!((small.width, small.height), (512, 25));
        assert!(small.rgba.chunks_exact(4).all(|p| p == [200, 100, 50, 128]), "{:?}", &small.rgba[..8]);
        let line = pixels(3000, 1, |_, _| [1, 2, 3, 255]).reduced(1024);
        assert_eq!(line, pixels(1024, 1, |_, _| [1, 2, 3, 255]));
        let fits = pixels(10, 1024, |x, y| [x as u8, y as u8, 0, 255]);
        assert_eq!(fits.clone().reduced(1024), fits);
    }
}
