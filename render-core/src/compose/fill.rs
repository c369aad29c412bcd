//! Filling a box: what is laid out by a factor between its smallest (0) and its largest sizes (1) takes the largest at
//! which it fits.

use super::sizes::largest;

/// What `at` lays out at the largest factor from 0 to 1 that `fits`, and the factor; at 0, and without one, where none does.
pub(super) fn fill<T>(at: impl Fn(f32) -> T, fits: impl Fn(&T) -> bool) -> (T, Option<f32>) {
    let ((laid, by), found) = largest(0.0, 1.0, |t| {
        let laid = at(t);
        let found = fits(&laid);
        ((laid, t), found)
    });
    (laid, found.then_some(by))
}

/// Between `min` and `max` by a factor; `min` where the range is empty.
pub(super) fn between(min: f32, max: f32, t: f32) -> f32 {
    min + (max - min).max(0.0) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_factor_that_fits_is_taken() {
        assert_eq!(fill(|t| t, |_| true), (1.0, Some(1.0)));
        assert_eq!(fill(|t| t, |_| false), (0.0, None));
        let (t, by) = fill(|t| t, |t| *t <= 0.7);
        assert!(by == Some(t) && (0.69..=0.7).contains(&t), "{t}");
    }

    #[test]
    fn an_empty_range_is_its_smallest() {
        assert_eq!(between(40.0, 30.0, 1.0), 40.0);
        assert_eq!(between(40.0, 60.0, 0.5), 50.0);
    }
}
