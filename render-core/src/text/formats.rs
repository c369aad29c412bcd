//! Formats numbers and dates for a language. Data: the Common Locale Data Repository, through ICU4X.

use icu_datetime::FixedCalendarDateTimeFormatter;
use icu_datetime::fieldsets::YMD;
use icu_datetime::input::Date;
use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_decimal::options::{DecimalFormatterOptions, GroupingStrategy};
use icu_locale_core::Locale;

use super::token::{is_address, is_wrapper};
use crate::content::Language;

/// Integers with fewer digits get no separators, because four digits are mostly years.
const GROUPED: usize = 5;
/// A longer sequence of digits is a code, not a number.
const DIGITS: usize = 15;

/// Inserts the language's thousands separators into `value`, a figure, if the source wrote five digits or more without
/// any: 48500 → 48,500, 48.500, 48 500. Digits, sign, currency and decimals stay unchanged.
pub fn grouped(value: &str, language: &Language) -> String {
    let Some(from) = value.find(|c: char| c.is_ascii_digit()) else { return value.to_owned() };
    let count = value[from..].bytes().take_while(u8::is_ascii_digit).count();
    let digits = &value[from..from + count];
    let rest = &value[from + count..];
    // A second sequence of digits is a decimal part if one separator precedes it; otherwise, the source has its own
    // groups.
    let decimals = rest.strip_prefix(['.', ',']).unwrap_or_default();
    let plain = !rest.contains(|c: char| c.is_ascii_digit())
        || !decimals.is_empty() && decimals.len() <= 2 && decimals.bytes().all(|b| b.is_ascii_digit());
    if !(GROUPED..=DIGITS).contains(&count) || digits.starts_with('0') || !plain {
        return value.to_owned();
    }
    let number = Decimal::try_from_str(digits).ok().and_then(|n| written(&n, GroupingStrategy::Min2, language));
    number.map_or_else(|| value.to_owned(), |number| format!("{}{number}{rest}", &value[..from]))
}

/// Formats `coefficient` × 10^`exponent` in the language: with its decimal mark, its separators from five digits on, a
/// true minus, and European digits.
pub fn decimal(coefficient: i64, exponent: i16, language: &Language) -> String {
    marked(coefficient, exponent, GroupingStrategy::Min2, language)
}

/// Formats the same with separators from four digits on, if the language has them: for numbers beside longer ones.
pub fn decimal_beside_longer(coefficient: i64, exponent: i16, language: &Language) -> String {
    marked(coefficient, exponent, GroupingStrategy::Auto, language)
}

fn marked(coefficient: i64, exponent: i16, grouping: GroupingStrategy, language: &Language) -> String {
    let mut number = Decimal::from(coefficient.unsigned_abs());
    // Zero times any power of ten is zero.
    if coefficient != 0 {
        number.multiply_pow10(exponent);
    }
    let text = written(&number, grouping, language).unwrap_or_else(|| number.to_string());
    if coefficient < 0 { format!("−{text}") } else { text }
}

/// Formats a number with the marks of the language, in European digits; `None` for an unknown language.
fn written(number: &Decimal, grouping: GroupingStrategy, language: &Language) -> Option<String> {
    let mut locale = Locale::try_from_str(language.code()).ok()?;
    locale
        .extensions
        .unicode
        .keywords
        .set(icu_locale_core::extensions::unicode::key!("nu"), icu_locale_core::extensions::unicode::value!("latn"));
    let mut options = DecimalFormatterOptions::default();
    options.grouping_strategy = Some(grouping);
    let formatter = DecimalFormatter::try_new(locale.into(), options).ok()?;
    Some(formatter.format(number).to_string())
}

/// Replaces each date of the form 2026-03-14 (ISO 8601) in `text` by the language's full date format: March 14, 2026;
/// 14. März 2026; 2026年3月14日. Keeps tokens that are no valid date.
pub fn dated(text: &str, language: &Language) -> String {
    if !text.contains('-') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for word in text.split_inclusive(char::is_whitespace) {
        let token = word.trim_end();
        let core = token.trim_matches(is_wrapper);
        match iso_date(core).filter(|_| !is_address(token)).and_then(|ymd| long_date(ymd, language)) {
            Some(date) => out.push_str(&word.replacen(core, &date, 1)),
            None => out.push_str(word),
        }
    }
    out
}

/// Parses year, month and day of a token that is exactly an ISO 8601 date.
fn iso_date(token: &str) -> Option<(i32, u8, u8)> {
    let shape = token.len() == 10
        && token.bytes().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { b == b'-' } else { b.is_ascii_digit() });
    let part = |range: std::ops::Range<usize>| token.get(range)?.parse::<u16>().ok();
    if !shape {
        return None;
    }
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    // Earlier years use another calendar, or are codes.
    (1583..2200).contains(&year).then_some((i32::from(year), month as u8, day as u8))
}

fn long_date((year, month, day): (i32, u8, u8), language: &Language) -> Option<String> {
    let locale = Locale::try_from_str(language.code()).ok()?;
    let date = Date::try_new_gregorian(year, month, day).ok()?;
    let formatter = FixedCalendarDateTimeFormatter::try_new(locale.into(), YMD::long()).ok()?;
    Some(formatter.format(&date).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(tag: &str) -> Language {
        Language::parse(tag).unwrap()
    }

    #[test]
    fn figures_are_grouped_as_the_language_does() {
        for (tag, value, want) in [
            ("en", "48500", "48,500"),
            ("de", "48500", "48.500"),
            ("fr", "48500", "48\u{202f}500"),
            ("hi", "4850000", "48,50,000"),
            ("ar", "48500", "48,500"),
            ("en", "−$1234567.5", "−$1,234,567.5"),
            ("de", "€ 12500,50", "€ 12.500,50"),
            ("en", "2026", "2026"),
            ("en", "48,500", "48,500"),
            ("en", "12,345,678", "12,345,678"),
            ("en", "00123456", "00123456"),
            ("en", "10000–20000", "10000–20000"),
            ("en", "none", "none"),
        ] {
            assert_eq!(grouped(value, &language(tag)), want, "{tag} {value}");
        }
    }

    #[test]
    fn numbers_have_the_marks_of_the_language() {
        for (tag, coefficient, exponent, want) in [
            ("en", 25, -1, "2.5"),
            ("de", 25, -1, "2,5"),
            ("en", 5, -1, "0.5"),
            ("en", 150, 1, "1500"),
            ("en", 15, 4, "150,000"),
            ("de", -15, 4, "−150.000"),
            ("ar", -5, 0, "−5"),
            ("fa", 125, -1, "12.5"),
            ("ru", 25, 3, "25\u{a0}000"),
            ("en", 0, 3, "0"),
        ] {
            assert_eq!(decimal(coefficient, exponent, &language(tag)), want, "{tag}");
        }
    }

    #[test]
    fn dates_are_written_in_full() {
        for (tag, text, want) in [
            ("en", "Released 2026-03-14.", "Released March 14, 2026."),
            ("en-GB", "2026-03-14", "14 March 2026"),
            ("de", "ab 2026-03-04, immer", "ab 4. März 2026, immer"),
            ("ja", "2026-03-14", "2026年3月14日"),
            ("ru", "(2026-03-14)", "(14 марта 2026\u{202f}г.)"),
            ("en", "2026-02-30 and 2026-13-01", "2026-02-30 and 2026-13-01"),
            ("en", "call 0000-00-00 or 555-12-3456", "call 0000-00-00 or 555-12-3456"),
            ("en", "https://a.org/2026-03-14", "https://a.org/2026-03-14"),
        ] {
            assert_eq!(dated(text, &language(tag)).replace('\u{a0}', " "), want.replace('\u{a0}', " "), "{tag}");
        }
    }
}
