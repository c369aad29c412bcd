//! Linear scales over round numbers: steps of 1, 2, 2½ or 5 times a power of ten, chosen as in Heckbert ("Nice numbers
//! for graph labels", 1990) and Talbot, Lin and Hanrahan (2010): few of them, close to the data, round rather than
//! exact.

/// Values beyond the first are clamped to it, and values closer to 0 than the second count as 0: no chart shows such
/// numbers.
const MOST: f64 = 1e15;
const LEAST: f64 = 1e-9;
/// Steps as an integer and its power of ten, with a penalty for less round ones.
const STEPS: [(i64, i16, f64); 4] = [(1, 0, 0.0), (5, 0, 0.02), (2, 0, 0.02), (25, -1, 0.05)];
/// Penalty of one number too many or too few, relative to a scale with an empty span.
const COUNT: f64 = 0.15;
/// Most numbers that a scale may have in addition to the requested count.
const MORE: i64 = 2;
/// Relative difference below which two values count as equal.
const SAME: f64 = 1e-6;

/// A linear scale from one round number to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// Its ends, in steps.
    ends: (i64, i64),
    /// The step: an integer and its power of ten.
    step: (i64, i16),
}

impl Scale {
    /// Returns the scale over `values` with about `count` round numbers, including 0 if it starts `from_zero`.
    /// Non-finite values are skipped; without values it extends from 0 to 1.
    pub fn over(values: impl Iterator<Item = f64>, count: usize, from_zero: bool) -> Self {
        let sound = values.filter(|v| v.is_finite()).map(|v| if v.abs() < LEAST { 0.0 } else { v.clamp(-MOST, MOST) });
        let (mut low, mut high) =
            sound.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if from_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if high - low <= SAME * high.abs().max(low.abs()) {
            // A single value is placed in the middle.
            let beside = if high == 0.0 { 1.0 } else { high.abs() / 2.0 };
            (low, high) = (low - beside, high + beside);
        }
        let (span, count) = (high - low, count.clamp(3, 8));
        let magnitude = libm::floor(libm::log10(span / count as f64)) as i16;
        let mut best: Option<(f64, Self)> = None;
        for exponent in magnitude - 1..=magnitude + 1 {
            for (digits, shift, cost) in STEPS {
                let step = (digits, exponent + shift);
                let size = value(step, 1);
                // A value that misses a round number only by a rounding error counts as that number.
                let ends = ((low / size + LEAST).floor() as i64, (high / size - LEAST).ceil() as i64);
                let numbers = ends.1 - ends.0 + 1;
                if !(2..=count as i64 + MORE).contains(&numbers) {
                    continue;
                }
                let empty = ((numbers - 1) as f64 * size - span) / span;
                let cost = cost + empty + COUNT * (numbers - count as i64).abs() as f64;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, Self { ends, step }));
                }
            }
        }
        best.map_or(Self { ends: (0, 1), step: (1, 0) }, |(_, scale)| scale)
    }

    /// Returns the position of a value, from 0 at the low end to 1 at the high end; `None` if it isn't finite.
    pub fn at(&self, v: f64) -> Option<f32> {
        let (low, high) = (value(self.step, self.ends.0), value(self.step, self.ends.1));
        v.is_finite().then(|| ((v - low) / (high - low)).clamp(0.0, 1.0) as f32)
    }

    /// Returns its round numbers in ascending order: each as an integer and a power of ten, with its position.
    pub fn numbers(&self) -> impl Iterator<Item = ((i64, i16), f32)> + use<> {
        let ((first, last), (digits, exponent)) = (self.ends, self.step);
        (first..=last).map(move |n| ((n * digits, exponent), (n - first) as f32 / (last - first) as f32))
    }
}

/// Returns `n` steps as a number.
fn value((digits, exponent): (i64, i16), n: i64) -> f64 {
    let ten = libm::pow(10.0, f64::from(exponent.unsigned_abs()));
    let whole = (n * digits) as f64;
    if exponent < 0 { whole / ten } else { whole * ten }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(values: &[f64], count: usize, from_zero: bool) -> Vec<f64> {
        let scale = Scale::over(values.iter().copied(), count, from_zero);
        scale.numbers().map(|(n, _)| value(n, 1)).collect()
    }

    #[test]
    fn numbers_are_round_and_few() {
        assert_eq!(numbers(&[100.0, 166.0], 4, false), [100.0, 125.0, 150.0, 175.0]);
        assert_eq!(numbers(&[80.0, 186.0], 4, false), [50.0, 100.0, 150.0, 200.0]);
        assert_eq!(numbers(&[3.0, 97.0], 3, true), [0.0, 50.0, 100.0]);
        assert_eq!(numbers(&[0.1, 0.9], 3, true), [0.0, 0.5, 1.0]);
        assert_eq!(numbers(&[-40.0, 60.0], 3, false), [-50.0, 0.0, 50.0, 100.0]);
        assert_eq!(numbers(&[2.1e6, 8.9e6], 3, true), [0.0, 5e6, 1e7]);
        assert_eq!(numbers(&[0.3], 3, true), [0.0, 0.1, 0.2, 0.3]);
    }

    #[test]
    fn nothing_and_one_value_have_a_scale() {
        assert_eq!(numbers(&[], 3, false), [0.0, 0.5, 1.0]);
        assert_eq!(numbers(&[f64::NAN, f64::INFINITY], 3, true), [0.0, 0.5, 1.0]);
        for v in [5.0, -5.0, 0.0, 1e15, 1e-30, 123_456.789] {
            let scale = Scale::over([v, v].into_iter(), 3, false);
            let at = scale.at(v).unwrap();
            assert!((0.2..0.8).contains(&at), "{v}: {at}");
        }
        assert_eq!(Scale::over([1.0, 2.0].into_iter(), 3, true).at(f64::NAN), None);
    }

    proptest! {
        #[test]
        fn any_numbers_have_a_scale_that_holds_them(
            values in proptest::collection::vec(proptest::num::f64::ANY, 0..40),
            count in 0usize..9,
            from_zero: bool,
        ) {
            let scale = Scale::over(values.iter().copied(), count, from_zero);
            let numbers: Vec<_> = scale.numbers().collect();
            prop_assert!((2..=10).contains(&numbers.len()));
            prop_assert!(numbers[0].1 == 0.0 && numbers[numbers.len() - 1].1 == 1.0);
            for v in values {
                prop_assert_eq!(scale.at(v).is_some(), v.is_finite());
                prop_assert!(scale.at(v).is_none_or(|at| (0.0..=1.0).contains(&at)));
            }
        }

        #[test]
        fn values_stand_in_their_order_and_within(
            a in -1e12f64..1e12, b in -1e12f64..1e12, count in 2usize..6,
        ) {
            let scale = Scale::over([a, b].into_iter(), count, false);
            let (first, last) = (value(scale.step, scale.ends.0), value(scale.step, scale.ends.1));
            let slack = 1e-6 * (last - first);
            prop_assert!(first <= a.min(b) + slack && last >= a.max(b) - slack);
            let (at_a, at_b) = (scale.at(a).unwrap(), scale.at(b).unwrap());
            prop_assert!((a <= b) == (at_a <= at_b) || at_a == at_b);
            // The values use a good part of the scale.
            prop_assert!((a - b).abs() < SAME * a.abs().max(b.abs()) || (at_a - at_b).abs() > 0.3);
        }
    }
}
