//! The search for one size that several texts share.

/// Halvings of the search: enough for half a du on the widest range.
const STEPS: u32 = 7;

/// What `at` gives at the largest size from `min` to `max` at which it says that all fits; at `min` where none does.
pub(super) fn largest<T>(min: f32, max: f32, mut at: impl FnMut(f32) -> (T, bool)) -> (T, bool) {
    let full = at(max.max(min));
    if full.1 || max <= min {
        return full;
    }
    let mut best = at(min);
    if !best.1 {
        return best;
    }
    let (mut low, mut high) = (min, max);
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        let tried = at(middle);
        if tried.1 {
            (low, best) = (middle, tried);
        } else {
            high = middle;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_that_fits_is_found() {
        let (size, fits) = largest(10.0, 110.0, |s| (s, s <= 47.0));
        assert!(fits && (46.0..=47.0).contains(&size), "{size}");
        assert_eq!(largest(10.0, 40.0, |s| (s, s <= 47.0)), (40.0, true));
        assert_eq!(largest(10.0, 40.0, |s| (s, s <= 4.0)), (10.0, false));
    }
}
