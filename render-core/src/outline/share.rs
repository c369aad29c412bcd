//! Detects shares of a whole, which can be drawn as part of something, and rows that have an order of their own.

use super::{PageKind, PageOutline};
use crate::content::{number, words};

/// Words that start a label whose figure is a share of a whole.
const OF: [&str; 19] = [
    "of", "der", "des", "von", "aller", "de", "del", "di", "dei", "degli", "van", "dos", "das", "af", "av", "из",
    "всех", "των", "من",
];
/// The largest whole that is counted unit by unit.
const UNITS: f64 = 100.0;

impl PageOutline {
    /// Returns the share of a whole that the page's figure states, above 0 and up to 1. "64 % of respondents" and "3 in
    /// 4" are shares. "meeting hours fell: 38 %" is not: drawing it as part of something would be a false claim.
    pub fn share(&self) -> Option<f64> {
        let figure = self.figure.as_ref()?;
        if let Some((counted, of)) = ratio(&figure.value) {
            return Some(f64::from(counted) / f64::from(of));
        }
        // Under a point's claim, the body says what the figure counts; on a stat page, the headline does.
        let label = self.body.as_ref().filter(|_| self.kind != PageKind::Stat).or(self.title.as_ref())?;
        let label = label.wordings.first()?;
        let of = label.split_whitespace().next().is_some_and(|w| OF.contains(&w));
        let share = figure.number / 100.0;
        (of && figure.unit == "%" && share > 0.0 && share <= 1.0).then_some(share)
    }
}

/// Returns the two numbers of a figure such as "3 in 4": integers up to 100, the smaller one first.
pub fn ratio(figure: &str) -> Option<(u32, u32)> {
    let written = number::all(figure);
    let [counted, of] = written.as_slice() else { return None };
    // A dash or a slash between them makes a range or a score.
    let between = figure.get(counted.range.end..of.range.start)?;
    let whole = |values: &[f64]| values.iter().copied().find(|v| v.fract() == 0.0 && (1.0..=UNITS).contains(v));
    let (counted, of) = (whole(&counted.values)?, whole(&of.values)?);
    (counted < of && between.chars().any(char::is_alphabetic)).then_some((counted as u32, of as u32))
}

/// Returns whether the labels of a series have an order of their own: dates, years, ages, weekdays. Other series may be
/// sorted.
pub fn in_order<'a>(mut labels: impl Iterator<Item = &'a str>) -> bool {
    labels.all(|label| {
        let mut words = label.split(|c: char| !c.is_alphanumeric() && !words::is_mark(c)).filter(|w| !w.is_empty());
        label.chars().any(char::is_numeric) || words.any(|w| words::names_time(&w.to_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Span;
    use crate::outline::{Copy, Figure, PageKind};

    fn page(value: &str, unit: &str, number: f64, label: &str) -> PageOutline {
        let figure = Figure { value: value.into(), unit: unit.into(), number, span: Span { start: 0, end: 0 } };
        let title = Some(Copy { wordings: vec![label.into()], span: None });
        PageOutline { figure: Some(figure), title, ..PageOutline::blank(PageKind::Stat, 0.5) }
    }

    #[test]
    fn shares_are_told_from_changes() {
        assert_eq!(page("62", "%", 62.0, "of a summer’s water").share(), Some(0.62));
        assert_eq!(page("3 in 4", "", 0.75, "people agree").share(), Some(0.75));
        assert_eq!(page("62", "%", 62.0, "less water").share(), None);
        assert_eq!(page("−62", "%", -62.0, "of water").share(), None);
        assert_eq!(page("162", "%", 162.0, "of last year’s sales").share(), None);
        assert_eq!(page("62", "€", 62.0, "of taxes").share(), None);
    }

    #[test]
    fn ratios_have_two_numbers() {
        assert_eq!(ratio("3 in 4"), Some((3, 4)));
        assert_eq!(ratio("٣ من ٤"), Some((3, 4)));
        assert_eq!(ratio("9 von 10"), Some((9, 10)));
        for none in ["4 in 3", "3–4", "3/4", "3.5 in 4", "1 in 200", "62", "", "1 in 2 in 3"] {
            assert_eq!(ratio(none), None, "{none}");
        }
    }

    #[test]
    fn time_runs_in_order_and_towns_do_not() {
        for labels in [&["2019", "2020"][..], &["April", "Mai"], &["Q1 24", "Q2 24"], &["Mon", "Tue"], &["٢٠١٩"]] {
            assert!(in_order(labels.iter().copied()), "{labels:?}");
        }
        assert!(!in_order(["Berlin", "Paris"].into_iter()));
        assert!(!in_order(["May", "Paris"].into_iter()));
    }
}
