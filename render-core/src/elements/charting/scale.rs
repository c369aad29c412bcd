//! Linear scales over round numbers: steps of 1, 2, 2½ or 5 times a power of ten, chosen as Heckbert ("Nice numbers for
//! graph labels", 1990) and Talbot, Lin and Hanrahan (2010) do: few of them, near the data, round before exact.

/// Values beyond this are held at it, and values nearer to 0 than this many places are 0: numbers that no chart shows.
const MOST: f64 = 1e15;
const LEAST: f64 = 1e-9;
/// Steps as an integer and its power of ten, and what a less round one costs.
const STEPS: [(i64, i16, f64); 4] = [(1, 0, 0.0), (5, 0, 0.02), (2, 0, 0.02), (25, -1, 0.05)];
/// What a number too many or too few costs against a whole span of the scale left empty.
const COUNT: f64 = 0.15;
/// How many numbers more than asked for a scale has at most.
const MORE: i64 = 2;
/// Values that differ by less than this share of themselves are one.
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
    /// The scale that holds `values` on about `count` round numbers, 0 among them where it starts `from_zero`. What isn't
    /// finite is passed over; without values it reaches from 0 to 1.
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
            // One value stands in the middle.
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
                // What misses a round number by a rounding error stands on it.
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

    /// Where a value stands, from 0 at the low end to 1 at the high one; `None` where it isn't finite.
    pub fn at(&self, v: f64) -> Option<f32> {
        let (low, high) = (value(self.step, self.ends.0), value(self.step, self.ends.1));
        v.is_finite().then(|| ((v - low) / (high - low)).clamp(0.0, 1.0) as f32)
    }

    /// Its round numbers from low to high: each as an integer and a power of ten, and where it stands.
    pub fn numbers(&self) -> impl Iterator<Item = ((i64, i16), f32)> + use<> {
        let ((first, last), (digits, exponent)) = (self.ends, self.step);
        (first..=last).map(move |n| ((n * digits, exponent), (n - first) as f32 / (last - first) as f32))
    }
}

/// `n` steps as a number.
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
            // Most of the scale is in use.
            prop_assert!((a - b).abs() < SAME * a.abs().max(b.abs()) || (at_a - at_b).abs() > 0.3);
        }
    }
}
