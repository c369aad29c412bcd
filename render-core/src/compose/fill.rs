//! Filling a box: what is laid out by a factor between its smallest (0) and its largest sizes (1) takes the largest at
//! which it fits.

/// Halvings of the search: enough for a sixtieth of the range.
const STEPS: u32 = 6;

/// What `at` lays out at the largest factor that `fits`; at 0, and not fitting, where none does.
pub(super) fn fill<T>(at: impl Fn(f32) -> T, fits: impl Fn(&T) -> bool) -> (T, bool) {
    let full = at(1.0);
    if fits(&full) {
        return (full, true);
    }
    let mut best = at(0.0);
    if !fits(&best) {
        return (best, false);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let mid = (low + high) / 2.0;
        let tried = at(mid);
        if fits(&tried) {
            low = mid;
            best = tried;
        } else {
            high = mid;
        }
    }
    (best, true)
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
        assert_eq!(fill(|t| t, |_| true), (1.0, true));
        assert_eq!(fill(|t| t, |_| false), (0.0, false));
        let (t, fits) = fill(|t| t, |t| *t <= 0.7);
        assert!(fits && (0.68..=0.7).contains(&t), "{t}");
    }

    #[test]
    fn an_empty_range_is_its_smallest() {
        assert_eq!(between(40.0, 30.0, 1.0), 40.0);
        assert_eq!(between(40.0, 60.0, 0.5), 50.0);
    }
}
