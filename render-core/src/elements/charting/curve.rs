//! A curve through the points of a line chart.

use crate::scene::Point;

/// Number of straight pieces that approximate the curve between two points.
const PIECES: usize = 10;

/// Returns points of the monotone cubic through `points` with ascending x. It passes through each of them and adds no
/// high or low of its own, so it claims nothing that the figures don't say. Fewer than three points are returned
/// unchanged.
///
/// F. N. Fritsch and J. Butland, A method for constructing local monotone piecewise cubic interpolants, 1984.
pub(crate) fn through(points: &[Point]) -> Vec<Point> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let widths: Vec<f32> = points.windows(2).map(|p| (p[1].x - p[0].x).max(f32::EPSILON)).collect();
    let slopes: Vec<f32> = points.windows(2).zip(&widths).map(|(p, w)| (p[1].y - p[0].y) / w).collect();
    let tangent = |i: usize| match (i.checked_sub(1).map(|b| slopes[b]), slopes.get(i)) {
        (Some(before), Some(after)) if before * after > 0.0 => {
            let (w0, w1) = (widths[i - 1], widths[i]);
            let (a, b) = (w0 + 2.0 * w1, 2.0 * w0 + w1);
            (a + b) / (a / after + b / before)
        }
        (Some(_), Some(_)) => 0.0,
        (Some(only), None) => only,
        (None, only) => only.copied().unwrap_or(0.0),
    };
    let tangents: Vec<f32> = (0..points.len()).map(tangent).collect();
    let mut out = vec![points[0]];
    for (i, pair) in points.windows(2).enumerate() {
        let (from, to, w) = (pair[0], pair[1], widths[i]);
        for piece in 1..=PIECES {
            let t = piece as f32 / PIECES as f32;
            let (t2, t3) = (t * t, t * t * t);
            let y = (2.0 * t3 - 3.0 * t2 + 1.0) * from.y
                + (t3 - 2.0 * t2 + t) * w * tangents[i]
                + (3.0 * t2 - 2.0 * t3) * to.y
                + (t3 - t2) * w * tangents[i + 1];
            out.push(Point::new(from.x + t * w, y));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_curve_passes_through_its_points_and_stays_between_neighbours(
            values in prop::collection::vec(-1.0e3_f32..1.0e3, 3..24),
        ) {
            let points: Vec<Point> = values.iter().enumerate().map(|(i, y)| Point::new(i as f32 * 40.0, *y)).collect();
            let curve = through(&points);
            prop_assert_eq!(curve.len(), (points.len() - 1) * PIECES + 1);
            for (i, pair) in points.windows(2).enumerate() {
                let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
                for p in &curve[i * PIECES..=(i + 1) * PIECES] {
                    prop_assert!(p.y >= low - 0.05 && p.y <= high + 0.05, "{:?} leaves {}..{}", p, low, high);
                }
                prop_assert!((curve[(i + 1) * PIECES].y - pair[1].y).abs() < 0.05);
            }
        }
    }
}
