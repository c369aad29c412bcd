//! The notation of a chart's figures in the source, so that the numbers along its axis use the same one: "$", "%",
//! millions as "3 m", the digits of the language.

use crate::content::Language;
use crate::content::number;
use crate::text::decimal;

/// The largest power of ten that a word after a figure may stand for.
const POWERS: i16 = 15;
/// Most letters of a unit after every number; a longer one only follows the highest number.
const SHORT: usize = 1;
/// Most letters of a unit on an axis.
const LONG: usize = 9;

/// The common notation of a chart's figures.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Notation {
    /// The text before the digits: a currency.
    before: String,
    /// The text after them: a unit, a power of ten.
    after: String,
    /// The power of ten that `after` stands for.
    power: i16,
    /// The zero of the digits' script.
    zero: Option<char>,
}

impl Notation {
    /// Returns the common notation of figures and their numbers; the default if they differ.
    pub fn of<'a>(mut figures: impl Iterator<Item = (&'a str, f64)>) -> Self {
        let Some(first) = figures.next().map(|(text, number)| Self::read(text, number)) else {
            return Self::default();
        };
        let same = figures.all(|(text, number)| Self::read(text, number) == first);
        first.filter(|_| same).unwrap_or_default()
    }

    fn read(text: &str, number: f64) -> Option<Self> {
        let digits = || text.char_indices().filter(|(_, c)| c.is_numeric());
        let (start, first) = digits().next()?;
        let end = digits().next_back().map(|(at, c)| at + c.len_utf8())?;
        let read = number::all(&text[start..end]);
        let [only] = read.as_slice() else { return None };
        let mut powers = (0..=POWERS).filter(|power| {
            let ten = libm::pow(10.0, f64::from(*power));
            only.values.iter().any(|v| (v * ten - number.abs()).abs() <= 1e-9 * number.abs())
        });
        let power = powers.next()?;
        // "1.234" followed by a million is ambiguous.
        if power > 0 && powers.next().is_some() {
            return None;
        }
        let zero = number::zero_of(first)?;
        let before = text[..start].trim_start_matches(['+', '-', '−', '~', '≈', ' ']).to_owned();
        Some(Self { before, after: text[end..].to_owned(), power, zero: Some(zero) })
    }

    /// Formats a number of the axis, given as an integer and its power of ten; `top` means that it is the highest.
    pub fn written(&self, (digits, exponent): (i64, i16), top: bool, language: &Language) -> String {
        let number = if digits == 0 { "0".to_owned() } else { decimal(digits, exponent - self.power, language) };
        let number: String = number.chars().map(|c| self.own_digit(c)).collect();
        let letters = self.after.trim().chars().count();
        let after = if letters <= SHORT || top && letters <= LONG { self.after.as_str() } else { "" };
        // A zero needs no long unit.
        let (before, after) = if digits == 0 && letters > SHORT { ("", "") } else { (self.before.as_str(), after) };
        match number.strip_prefix('−') {
            Some(number) => format!("−{before}{number}{after}"),
            None => format!("{before}{number}{after}"),
        }
    }

    fn own_digit(&self, c: char) -> char {
        let own = || char::from_u32(u32::from(self.zero?) + c.to_digit(10)?);
        own().unwrap_or(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(figures: &[(&str, f64)], numbers: &[(i64, i16)], tag: &str) -> Vec<String> {
        let notation = Notation::of(figures.iter().copied());
        let language = Language::parse(tag).unwrap();
        let last = numbers.len() - 1;
        numbers.iter().enumerate().map(|(i, n)| notation.written(*n, i == last, &language)).collect()
    }

    #[test]
    fn an_axis_is_written_as_its_figures() {
        assert_eq!(axis(&[("12%", 12.0), ("48%", 48.0)], &[(0, 1), (5, 1)], "en"), ["0%", "50%"]);
        assert_eq!(axis(&[("$1.5", 1.5), ("$4", 4.0)], &[(0, 0), (25, -1), (50, -1)], "en"), ["$0", "$2.5", "$5.0"]);
        let millions = [("3.6 million", 3.6e6), ("12 million", 1.2e7)];
        assert_eq!(axis(&millions, &[(0, 6), (5, 6), (10, 6), (15, 6)], "en"), ["0", "5", "10", "15 million"]);
        assert_eq!(axis(&[("48k", 48e3), ("9k", 9e3)], &[(0, 4), (25, 3), (50, 3)], "en"), ["0k", "25k", "50k"]);
        assert_eq!(axis(&[("−4 °C", -4.0), ("9 °C", 9.0)], &[(-5, 0), (10, 0)], "de"), ["−5", "10 °C"]);
    }

    #[test]
    fn figures_that_differ_leave_plain_numbers() {
        assert_eq!(axis(&[("12%", 12.0), ("48", 48.0)], &[(0, 1), (5, 1)], "en"), ["0", "50"]);
        assert_eq!(axis(&[("about twelve", 12.0)], &[(5, 4)], "de"), ["50.000"]);
        assert_eq!(axis(&[("1.234 million", 1.234e6)], &[(1, 6), (15, 5)], "en"), ["1,000,000", "1,500,000"]);
        assert_eq!(axis(&[], &[(25, -1)], "de"), ["2,5"]);
    }

    #[test]
    fn digits_are_those_of_the_figures() {
        assert_eq!(axis(&[("٤٨", 48.0)], &[(50, 0)], "ar"), ["٥٠"]);
        assert_eq!(axis(&[("48", 48.0)], &[(50, 0)], "ar"), ["50"]);
    }
}
