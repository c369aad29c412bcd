//! Scales images down.

use crate::raster::Pixmap;

/// Scales `pixmap` down so that its longer edge is `long_edge` pixels (at least 1). Each pixel is the mean of the area
/// that it covers. Returns a copy if the image is already that small.
///
/// The mean is computed on encoded sRGB values, the way edges are blended when a scene is drawn. So a thumbnail looks
/// like the scene drawn at that size, and thin text keeps its weight.
pub fn thumbnail(pixmap: &Pixmap, long_edge: u32) -> Pixmap {
    let size = (pixmap.width, pixmap.height);
    if pixmap.data.len() != pixmap.width as usize * pixmap.height as usize * 3 {
        return pixmap.clone();
    }
    let Some(small) = reduced_size(size, long_edge) else { return pixmap.clone() };
    let mut data = Vec::with_capacity(small.0 as usize * small.1 as usize * 3);
    let pixel = |p: &[u8; 3]| p.map(f32::from);
    means(&pixmap.data, size, small, pixel, |mean| data.extend(mean.map(|v| (v + 0.5) as u8)));
    Pixmap { width: small.0, height: small.1, data }
}

/// Returns width and height after scaling the longer edge down to `long_edge` (at least 1); `None` if the picture is
/// already that small.
pub fn reduced_size((width, height): (u32, u32), long_edge: u32) -> Option<(u32, u32)> {
    let (longest, long_edge) = (u64::from(width.max(height)), u64::from(long_edge.max(1)));
    // The result is never larger than the edge itself: scaling only happens if `long_edge < longest`.
    let scaled = |edge: u32| ((u64::from(edge) * long_edge + longest / 2) / longest).max(1) as u32;
    (long_edge < longest && width > 0 && height > 0).then(|| (scaled(width), scaled(height)))
}

/// Scales a picture down from `from` to `to` (width and height in pixels), and passes each resulting pixel to `each`,
/// row by row. A pixel is the mean of the area that it covers. `data` holds rows of `IN` bytes per pixel; `pixel`
/// converts one pixel to the values to average.
///
/// # Panics
/// If `data` holds fewer bytes than `from` needs.
pub fn means<const IN: usize, const OUT: usize>(
    data: &[u8],
    from: (u32, u32),
    to: (u32, u32),
    pixel: impl Fn(&[u8; IN]) -> [f32; OUT],
    mut each: impl FnMut([f32; OUT]),
) {
    let (width, height) = (from.0 as usize, from.1 as usize);
    let (w, h) = (to.0 as usize, to.1 as usize);
    let columns: Vec<Span> = (0..w).map(|x| Span::new(x, w, width)).collect();
    let mut sums = vec![[0.0_f32; OUT]; width];
    for y in 0..h {
        let span = Span::new(y, h, height);
        sums.fill([0.0; OUT]);
        for row in span.first..=span.last {
            let weight = span.weight(row);
            let (line, _) = data[row * width * IN..][..width * IN].as_chunks::<IN>();
            for (sum, p) in sums.iter_mut().zip(line) {
                for (sum, v) in sum.iter_mut().zip(pixel(p)) {
                    *sum += weight * v;
                }
            }
        }
        for column in &columns {
            let mut mean = [0.0_f32; OUT];
            for (x, sum) in (column.first..).zip(&sums[column.first..=column.last]) {
                let weight = column.weight(x);
                for (mean, sum) in mean.iter_mut().zip(sum) {
                    *mean += weight * sum;
                }
            }
            each(mean);
        }
    }
}

/// The source pixels that one pixel covers; the first and the last may be covered in part.
struct Span {
    first: usize,
    last: usize,
    from: f32,
    to: f32,
}

impl Span {
    /// The span of pixel `i` of `count`, in a source of `length` pixels.
    fn new(i: usize, count: usize, length: usize) -> Self {
        let last = ((i + 1) * length).div_ceil(count) - 1;
        let edge = |i: usize| (i * length) as f32 / count as f32;
        Self { first: i * length / count, last: last.min(length - 1), from: edge(i), to: edge(i + 1) }
    }

    /// Returns the weight of source pixel `x` in the mean.
    fn weight(&self, x: usize) -> f32 {
        let x = x as f32;
        ((x + 1.0).min(self.to) - x.max(self.from)).max(0.0) / (self.to - self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::super::flat;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn flat_stays_flat(width in 1_u32..200, height in 1_u32..200, edge in 0_u32..220, v: [u8; 3]) {
            let small = thumbnail(&flat(width, height, v), edge);
            prop_assert_eq!(small.width.max(small.height), edge.max(1).min(width.max(height)));
            prop_assert!(small.data.chunks_exact(3).all(|p| p == v));
            prop_assert_eq!(small.data.len() as u32, small.width * small.height * 3);
        }
    }

    #[test]
    fn halves_average_four_pixels() {
        let data = [0, 40, 80, 120].iter().flat_map(|&v| [v, 255 - v, 7]).collect();
        let small = thumbnail(&Pixmap { width: 2, height: 2, data }, 1);
        assert_eq!(small, Pixmap { width: 1, height: 1, data: vec![60, 195, 7] });
    }

    #[test]
    fn keeps_the_mean() {
        let data: Vec<u8> = (0..97 * 61 * 3).map(|i| (i * 37 % 251) as u8).collect();
        let mean = |d: &[u8]| d.iter().map(|&v| f64::from(v)).sum::<f64>() / d.len() as f64;
        let image = Pixmap { width: 97, height: 61, data };
        let small = thumbnail(&image, 40);
        assert_eq!((small.width, small.height), (40, 25));
        assert!((mean(&small.data) - mean(&image.data)).abs() < 0.6);
    }
}
