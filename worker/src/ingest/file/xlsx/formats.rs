//! Number formats (ISO/IEC 29500-1, 18.8.30 and 18.8.31): a number → its displayed text.
//!
//! Numbers use a decimal point and commas between thousands. Dates are written in digits, year first, if the format
//! leaves the order to the reader's locale.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::codes::{Token, sections, tokens};
use super::dates::date;
use crate::ingest::file::xml::Element;

/// Digits after the point of a number without a format.
const GENERAL_DIGITS: i32 = 10;
/// Digits after the point that a format may request.
const DECIMALS: usize = 15;

/// The formats of a workbook, by the index of a cell's style.
#[derive(Debug, Default)]
pub(super) struct Formats {
    codes: Vec<String>,
    since_1904: bool,
}

impl Formats {
    pub fn of(styles: &Element, since_1904: bool) -> Self {
        let own: BTreeMap<usize, &str> = (styles.child("numFmts").into_iter().flat_map(Element::children))
            .filter_map(|format| Some((format.number("numFmtId")?, format.attr("formatCode")?)))
            .collect();
        let cells = styles.child("cellXfs").into_iter().flat_map(Element::children).filter(|e| &*e.name == "xf");
        let code = |style: &Element| {
            let id = style.number("numFmtId").unwrap_or(0);
            own.get(&id).copied().unwrap_or_else(|| built_in(id)).to_owned()
        };
        Self { codes: cells.map(code).collect(), since_1904 }
    }

    /// Returns a number as a cell of this style shows it.
    pub fn shown(&self, style: usize, number: f64) -> String {
        shown(number, self.codes.get(style).map_or("General", String::as_str), self.since_1904)
    }
}

/// Returns the code of a built-in format, which files don't contain.
fn built_in(id: usize) -> &'static str {
    match id {
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        5..=8 | 37..=40 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        11 | 48 => "0.00E+00",
        14 => "yyyy-mm-dd",
        15 => "d mmm yyyy",
        16 => "d mmm",
        17 => "mmm yyyy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 => "hh:mm",
        21 => "hh:mm:ss",
        22 => "yyyy-mm-dd hh:mm",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mm:ss",
        _ => "General",
    }
}

/// Formats a number.
pub(super) fn shown(number: f64, code: &str, since_1904: bool) -> String {
    let sections = sections(code);
    let (section, own_sign) = match (sections.len(), number) {
        (2.., n) if n < 0.0 => (&sections[1], true),
        (3.., 0.0) => (&sections[2], true),
        _ => (&sections[0], false),
    };
    let tokens = tokens(section);
    let text: String =
        tokens.iter().filter_map(|t| if let Token::Literal(l) = t { Some(&**l) } else { None }).collect();
    if tokens.iter().any(|t| matches!(t, Token::Date(_))) {
        return date(number, &tokens, since_1904).unwrap_or_else(|| general(number));
    }
    let has_digits = tokens.iter().any(|t| matches!(t, Token::Digits(_)));
    if !has_digits {
        let is_general =
            section.trim().is_empty() && sections.len() == 1 || section.to_ascii_lowercase().contains("general");
        // A section without digits shows its literal text alone: a format such as ;;; hides the number.
        return if is_general || section.contains('@') { general(number) } else { text.trim().to_owned() };
    }
    // A negative number gets a minus sign, whether the format has one or uses parentheses.
    let negative = number < 0.0;
    let unsigned = written(number.abs(), &tokens, own_sign);
    let is_zero = !unsigned.chars().any(|c| matches!(c, '1'..='9'));
    let sign = if negative && !is_zero { "-" } else { "" };
    format!("{sign}{unsigned}")
}

/// Formats a number without a format: all of its digits, without the noise of binary fractions.
fn general(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = libm::log10(number.abs()).floor() as i32;
    if !(-9..15).contains(&magnitude) {
        return format!("{number:e}");
    }
    let decimals = (GENERAL_DIGITS - magnitude).clamp(0, DECIMALS as i32) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a number that is not negative, with the literal text around it.
fn written(number: f64, tokens: &[Token], own_sign: bool) -> String {
    let percents = tokens.iter().filter(|t| **t == Token::Percent).count();
    let mut number = number * power_of_ten(2 * percents.min(4));
    let scientific = tokens.contains(&Token::Exponent);
    let mut out = String::new();
    let mut is_written = false;
    for token in tokens {
        match token {
            // Parentheses and a minus sign repeat the sign.
            Token::Literal(text) if own_sign => out.push_str(&text.replace(['(', ')', '-', '−'], "")),
            Token::Literal(text) => out.push_str(text),
            Token::Percent => out.push('%'),
            Token::Digits(_) if is_written => {}
            Token::Digits(digits) => {
                is_written = true;
                let places = digits.trim_end_matches(',');
                number /= power_of_ten(3 * (digits.len() - places.len()).min(6));
                if scientific {
                    let decimals = places.split_once('.').map_or(0, |(_, d)| d.len().min(DECIMALS));
                    out.push_str(&format!("{number:.decimals$E}"));
                } else {
                    out.push_str(&digits_of(number, places));
                }
            }
            Token::Exponent | Token::Date(_) => {}
        }
    }
    out.trim().to_owned()
}

fn digits_of(number: f64, places: &str) -> String {
    let (whole, decimals) = places.split_once('.').unwrap_or((places, ""));
    let most = decimals.chars().filter(|c| matches!(c, '0' | '#' | '?')).count().min(DECIMALS);
    let least = decimals.chars().take(most).filter(|c| *c == '0').count();
    let text = format!("{:.most$}", rounded(number, most));
    let (mut before, mut after) = text.split_once('.').map_or((text.as_str(), ""), |(b, a)| (b, a));
    while after.len() > least && after.ends_with('0') {
        after = &after[..after.len() - 1];
    }
    let fewest = whole.chars().filter(|c| *c == '0').count().min(DECIMALS);
    if fewest == 0 && before == "0" && !after.is_empty() {
        before = "";
    }
    let padded = format!("{}{before}", "0".repeat(fewest.saturating_sub(before.len())));
    let before = if whole.contains(',') { Cow::Owned(grouped(&padded)) } else { Cow::Borrowed(padded.as_str()) };
    // A zero precedes a lone decimal point.
    let before = if before.is_empty() { "0" } else { &before };
    if after.is_empty() { before.to_owned() } else { format!("{before}.{after}") }
}

/// Returns ten to the power of `zeros`, which is exact up to 22.
fn power_of_ten(zeros: usize) -> f64 {
    std::iter::repeat_n(10.0, zeros).product()
}

/// Rounds halves away from zero, as spreadsheets do: 0.125 → 0.13, and 1.005 → 1.01, as it was typed.
fn rounded(number: f64, decimals: usize) -> f64 {
    let factor = power_of_ten(decimals);
    let scaled = number * factor;
    if scaled.abs() < 1e15 { (scaled * (1.0 + 1e-14)).round() / factor } else { number }
}

/// Groups digits in threes with commas.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
