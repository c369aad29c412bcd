//! Small pictures of large ones.

use std::sync::LazyLock;

use render_core::raster::Pixmap;
use render_core::scene::color;

/// Long edge of a thumbnail, in pixels.
pub const LONG_EDGE: u32 = 480;

/// Steps of the table from linear light back to bytes: fine enough that every byte is met.
const STEPS: usize = 1 << 13;

/// Linear light (0–1) of every byte of encoded sRGB.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|byte| color::decode(byte as f32 / 255.0)));

/// Bytes of encoded sRGB for linear light in [`STEPS`] steps.
static ENCODED: LazyLock<Vec<u8>> =
    LazyLock::new(|| (0..=STEPS).map(|step| (color::encode(step as f32 / STEPS as f32) * 255.0 + 0.5) as u8).collect());

/// `source` made so small that its long edge is `long_edge` pixels; a copy where it already is.
///
/// Every pixel is the mean of the area it stands for, in linear light, so that fine light type on a dark field keeps
/// its weight.
pub fn shrink(source: &Pixmap, long_edge: u32) -> Pixmap {
    let (width, height) = fit(source.width, source.height, long_edge);
    if (width, height) == (source.width, source.height) {
        return source.clone();
    }
    let columns = spans(source.width, width);
    let rows = spans(source.height, height);
    let line = source.width as usize * 3;
    let mut data = Vec::with_capacity(width as usize * height as usize * 3);
    // The mean along y first: one pass over the rows as they lie in memory.
    let mut column_sums = vec![0.0_f32; line];
    for span in &rows {
        column_sums.fill(0.0);
        for (y, weight) in span.weights() {
            let row = &source.data[y * line..(y + 1) * line];
            for (sum, byte) in column_sums.iter_mut().zip(row) {
                *sum += weight * LINEAR[usize::from(*byte)];
            }
        }
        for span in &columns {
            let mut mean = [0.0_f32; 3];
            for (x, weight) in span.weights() {
                for (mean, sum) in mean.iter_mut().zip(&column_sums[x * 3..x * 3 + 3]) {
                    *mean += weight * sum;
                }
            }
            data.extend(mean.map(|v| ENCODED[((v * STEPS as f32 + 0.5) as usize).min(STEPS)]));
        }
    }
    Pixmap { width, height, data }
}

/// The size with this long edge and the same shape; never larger than it was, never nothing.
fn fit(width: u32, height: u32, long_edge: u32) -> (u32, u32) {
    let long = width.max(height);
    if long <= long_edge {
        return (width, height);
    }
    let scaled = |edge: u32| {
        let (edge, long) = (u64::from(edge) * u64::from(long_edge), u64::from(long));
        // Below `long_edge`, so it fits.
        ((edge + long / 2) / long).max(1) as u32
    };
    (scaled(width), scaled(height))
}

/// The pixels of a line that one pixel of the shrunk line stands for.
struct Span {
    from: f64,
    to: f64,
}

impl Span {
    /// Each pixel and its share of the mean; the shares add up to 1.
    fn weights(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let (first, end) = (self.from.floor() as usize, self.to.ceil() as usize);
        (first..end).map(|at| {
            let covered = (self.to.min((at + 1) as f64) - self.from.max(at as f64)).max(0.0);
            (at, (covered / (self.to - self.from)) as f32)
        })
    }
}

fn spans(source: u32, target: u32) -> Vec<Span> {
    let step = f64::from(source) / f64::from(target);
    (0..target)
        .map(|n| Span { from: f64::from(n) * step, to: (f64::from(n + 1) * step).min(f64::from(source)) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Pixmap {
        let data = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
        Pixmap { width, height, data }
    }

    #[test]
    fn sizes_keep_the_shape() {
        assert_eq!(fit(1638, 2048, 480), (384, 480));
        assert_eq!(fit(4096, 2304, 480), (480, 270));
        assert_eq!(fit(8192, 1, 480), (480, 1));
        assert_eq!(fit(300, 200, 480), (300, 200));
    }

    #[test]
    fn one_colour_stays_that_colour() {
        for byte in 0..=255_u8 {
            let small = shrink(&of(101, 67, |_, _| [byte, 255 - byte, 7]), 10);
            assert!(small.data.chunks(3).all(|p| p == [byte, 255 - byte, 7]), "{byte}");
        }
    }

    #[test]
    fn black_and_white_mix_in_linear_light() {
        // Half the light is byte 188, not 128.
        let small = shrink(&of(64, 64, |x, y| [if (x + y) % 2 == 0 { 255 } else { 0 }; 3]), 16);
        assert!(small.data.iter().all(|b| (187..=189).contains(b)), "{:?}", &small.data[..6]);
    }

    #[test]
    fn edges_stay_where_they_are() {
        let small = shrink(&of(1000, 500, |x, _| [if x < 500 { 0 } else { 255 }; 3]), 100);
        for row in small.data.chunks(300) {
            assert!(row[..150].iter().all(|b| *b == 0) && row[150..].iter().all(|b| *b == 255));
        }
    }
}
