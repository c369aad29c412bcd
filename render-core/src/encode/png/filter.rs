//! Chooses which rows are filtered, and how (PNG, third edition, clause 9).
//!
//! Flat art compresses best unfiltered, because its rows repeat pixels. Photographs and grain repeat none, but each
//! pixel is close to its neighbours, so the differences compress better. A sample of each strip of rows tells the two
//! apart.
#![allow(unsafe_code, reason = "multiversion expands to a call that is guarded by detecting the CPU's features")]

use multiversion::multiversion;

use super::rows::Rows;

/// Rows in a strip; one filter choice applies to all of them.
pub const STRIP: usize = 16;
/// Rows of a strip that are sampled.
const SAMPLED: [usize; 2] = [4, 11];
/// Approximate number of pixels sampled per row.
const SAMPLES: usize = 64;
/// A pixel is new if it differs from its neighbours above and from the pixels 1, 8, 16 and 24 before it. Ordered dither
/// repeats every eighth pixel.
const BEFORE: [usize; 4] = [1, 8, 16, 24];
/// A new pixel is near if each channel is this close to the value predicted from its neighbours. Edges of letters are
/// not near.
const NEAR: i32 = 24;
/// The share of new and near pixels from which a strip is filtered. In dithered gradients, the closest kind of art, up
/// to 0.36 of the pixels are new and near; in photographs with grain, all are.
const FILTERED_FROM: f32 = 0.45;

/// How a pixel is predicted from the pixels to its left and above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// The pixel to the left.
    Sub = 1,
    /// The pixel above.
    Up = 2,
    /// The mean of both.
    Average = 3,
    /// Of left, above and upper left, the one nearest to left + above − upper left.
    Paeth = 4,
}

impl Filter {
    const ALL: [Self; 4] = [Self::Sub, Self::Up, Self::Average, Self::Paeth];

    /// Fills `out` with the differences between row `y` and its prediction.
    pub fn apply(self, rows: Rows<'_>, y: usize, out: &mut Vec<u8>) {
        let row = rows.row(y);
        out.clear();
        out.resize(row.len(), 0);
        let zeros;
        let above = if y > 0 {
            rows.row(y - 1)
        } else {
            zeros = vec![0; row.len()];
            &zeros
        };
        // The first pixel has no left neighbour; black is used.
        let [first, left, upper_left] = [[row[0], row[1], row[2]], [0; 3], [0; 3]];
        for c in 0..3 {
            out[c] = first[c].wrapping_sub(self.foretell(left[c], above[c], upper_left[c]));
        }
        let n = row.len() - 3;
        let (out, row, left) = (&mut out[3..], &row[3..], &row[..n]);
        let (upper_left, above) = (&above[..n], &above[3..]);
        match self {
            Self::Sub => sub(out, row, left),
            Self::Up => sub(out, row, above),
            Self::Average => average(out, row, left, above),
            Self::Paeth => paeth(out, row, left, above, upper_left),
        }
    }

    fn foretell(self, left: u8, above: u8, upper_left: u8) -> u8 {
        match self {
            Self::Sub => left,
            Self::Up => above,
            Self::Average => mean(left, above),
            Self::Paeth => nearest(left, above, upper_left),
        }
    }
}

#[inline]
fn mean(left: u8, above: u8) -> u8 {
    ((u16::from(left) + u16::from(above)) / 2) as u8
}

/// Returns Paeth's predictor. Ties go to left, then above, then upper left.
#[inline]
fn nearest(left: u8, above: u8, upper_left: u8) -> u8 {
    let [a, b, c] = [left, above, upper_left].map(i16::from);
    let (to_left, to_above, to_upper_left) = ((b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs());
    let other = if to_above <= to_upper_left { above } else { upper_left };
    if to_left <= to_above && to_left <= to_upper_left { left } else { other }
}

#[multiversion(targets("x86_64+avx2"))]
fn sub(out: &mut [u8], row: &[u8], foretold: &[u8]) {
    for ((out, v), f) in out.iter_mut().zip(row).zip(foretold) {
        *out = v.wrapping_sub(*f);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn average(out: &mut [u8], row: &[u8], left: &[u8], above: &[u8]) {
    for (((out, v), l), a) in out.iter_mut().zip(row).zip(left).zip(above) {
        *out = v.wrapping_sub(mean(*l, *a));
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn paeth(out: &mut [u8], row: &[u8], left: &[u8], above: &[u8], upper_left: &[u8]) {
    for ((((out, v), l), a), c) in out.iter_mut().zip(row).zip(left).zip(above).zip(upper_left) {
        *out = v.wrapping_sub(nearest(*l, *a, *c));
    }
}

/// Chooses the filter of the strip that begins at row `top`, a multiple of [`STRIP`]; `None` if its rows compress best
/// unfiltered. Overwrites `scratch`.
pub fn choose(rows: Rows<'_>, top: usize, scratch: &mut Vec<u8>) -> Option<Filter> {
    let sampled = SAMPLED.map(|y| top + y);
    let sampled = sampled.iter().copied().filter(|y| *y < rows.height);
    let (near, all) = sampled.clone().map(|y| novelty(rows, y)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    if (near as f32) < FILTERED_FROM * (all as f32) || all == 0 {
        return None;
    }
    // The least sum of absolute differences, as the PNG specification recommends (clause 12.7).
    Filter::ALL.into_iter().min_by_key(|filter| {
        let sum = |y| {
            filter.apply(rows, y, scratch);
            scratch.iter().map(|d| u64::from(d.cast_signed().unsigned_abs())).sum::<u64>()
        };
        sampled.clone().map(sum).sum::<u64>()
    })
}

/// Counts the sampled pixels of row `y` that are new and near, and all sampled pixels. The first column is never
/// sampled.
fn novelty(rows: Rows<'_>, y: usize) -> (usize, usize) {
    let (row, above) = (rows.row(y), rows.row(y - 1));
    let pixel = |row: &[u8], x: usize| -> [u8; 3] { std::array::from_fn(|c| row[3 * x + c]) };
    let step = (rows.width / SAMPLES).max(1);
    let columns = (BEFORE[3] + step / 2..rows.width.saturating_sub(1)).step_by(step);
    let near = columns.clone().filter(|&x| {
        let it = pixel(row, x);
        let over = [x - 1, x, x + 1].map(|x| pixel(above, x));
        if over.contains(&it) || BEFORE.iter().any(|n| pixel(row, x - n) == it) {
            return false;
        }
        let left = pixel(row, x - 1);
        (0..3).all(|c| {
            let [it, left, above, upper_left] = [it[c], left[c], over[1][c], over[0][c]].map(i32::from);
            (it - (left + above - upper_left)).abs() <= NEAR
        })
    });
    (near.count(), columns.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reconstructs the row as clause 9.2 describes.
    fn undone(filter: Filter, differences: &[u8], above: &[u8]) -> Vec<u8> {
        let mut row: Vec<u8> = Vec::new();
        for (i, d) in differences.iter().enumerate() {
            let (left, above, upper_left) = if i < 3 { (0, above[i], 0) } else { (row[i - 3], above[i], above[i - 3]) };
            row.push(d.wrapping_add(filter.foretell(left, above, upper_left)));
        }
        row
    }

    fn picture(width: usize, height: usize, pixel: impl Fn(usize, usize) -> [u8; 3]) -> Vec<u8> {
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect()
    }

    fn choice(width: usize, data: &[u8]) -> Option<Filter> {
        choose(Rows { data, width, height: data.len() / width / 3 }, 16, &mut Vec::new())
    }

    fn grain(x: usize, y: usize) -> usize {
        ((x * 7919 + y * 104_729) ^ (x * y * 31)) % 61 % 9
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_filter_can_be_undone(data in (1_usize..70).prop_flat_map(|w| proptest::collection::vec(any::<u8>(), w * 6))) {
            let rows = Rows { data: &data, width: data.len() / 6, height: 2 };
            let zeros = vec![0; rows.row_bytes()];
            for filter in Filter::ALL {
                let mut out = Vec::new();
                for (y, above) in [(0, &zeros[..]), (1, rows.row(0))] {
                    filter.apply(rows, y, &mut out);
                    prop_assert_eq!(undone(filter, &out, above), rows.row(y));
                }
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(
            [nearest(10, 20, 10), nearest(10, 20, 20), nearest(10, 20, 15), nearest(9, 9, 200)],
            [20, 10, 15, 9]
        );
        assert_eq!([mean(255, 255), mean(0, 1)], [255, 0]);
    }

    #[test]
    fn photographs_are_filtered_and_designs_are_not() {
        let photograph = picture(300, 48, |x, y| [0, 1, 2].map(|c| (x / 3 + y + c * 20 + grain(x, y + c)) as u8));
        assert!(choice(300, &photograph).is_some());
        let columns = picture(300, 48, |x, y| [0, 1, 2].map(|c| (grain(x, c) * 11 + grain(x, y + c)) as u8));
        assert_eq!(choice(300, &columns), Some(Filter::Up));

        let flat = picture(300, 48, |x, _| if x < 100 { [1, 2, 3] } else { [200, 100, 50] });
        assert_eq!(choice(300, &flat), None);
        // Ordered dither of a gradient that rises one level in 12 pixels.
        let bayer = |x: usize, y: usize| (x % 8 * 5 + y % 8 * 3) % 8;
        let dithered = picture(300, 48, |x, y| [((x + y) * 8 / 12 + bayer(x, y)) as u8 / 8, 0, 90]);
        assert_eq!(choice(300, &dithered), None);
        let noise = picture(300, 48, |x, y| [0, 1, 2].map(|c| (grain(x, y + 50 * c) * 97 + grain(y, x)) as u8));
        assert_eq!(choice(300, &noise), None);
    }
}
