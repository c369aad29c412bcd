//! Parses written numbers: digits of any script, separators of any language, powers of ten in words.

use std::ops::Range;

use super::words;
use crate::cancel;

/// Zeros of the decimal digits of Unicode (general category Nd) that are in use.
const ZEROS: [u32; 37] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

/// Maximum characters between a number and its power of ten.
const GAP: usize = 3;
/// Maximum digits and spaces of a number grouped by spaces.
const GROUPED: usize = 40;

/// Returns the value of a decimal digit.
pub fn digit(c: char) -> Option<u32> {
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let at = ZEROS.partition_point(|z| *z <= u32::from(c)).checked_sub(1)?;
    Some(u32::from(c) - ZEROS[at]).filter(|d| *d < 10)
}

/// Returns the zero of the script that the digit `c` belongs to.
pub(crate) fn zero_of(c: char) -> Option<char> {
    char::from_u32(u32::from(c) - digit(c)?)
}

/// Returns `c` as an ASCII digit if it is a digit of any script, otherwise unchanged.
pub(super) fn ascii(c: char) -> char {
    digit(c).and_then(|d| char::from_digit(d, 10)).unwrap_or(c)
}

/// A number in a text and its possible meanings: "1.234" is 1234 in one language and 1.234 in another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    /// The digits, with the word that scales them.
    pub range: Range<usize>,
    /// The readings as one number. Empty for a version ("3.2.0").
    pub values: Vec<f64>,
    /// The readings as several adjacent numbers: the parts of a version, or 12 and 300 for "12 300" if the space
    /// doesn't group.
    pub parts: Vec<f64>,
}

/// Returns every number in a text. "12 300" is one number because its groups have three digits.
pub(crate) fn all(text: &str) -> Vec<Written> {
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if digit(c).is_none() {
            continue;
        }
        cancel::tick();
        let mut end = start + c.len_utf8();
        let mut plain = String::from(ascii(c));
        while let Some(&(at, c)) = chars.peek() {
            let behind = &text[at + c.len_utf8()..];
            let joins = digit(c).is_some()
                || separates(c) && behind.chars().next().is_some_and(|d| digit(d).is_some())
                || is_space(c) && groups(&plain, behind);
            if !joins {
                break;
            }
            plain.push(match c {
                '\u{66b}' => '.',
                '\u{66c}' => ',',
                c if is_space(c) => ' ',
                c => ascii(c),
            });
            end = at + c.len_utf8();
            chars.next();
        }
        let (mut values, mut parts) = values(&plain);
        if let Some((factor, to)) = power_behind(text, end) {
            // A line may end between a number and a word that only looks like its power.
            let apart = text[end..to].contains('\n').then(|| values.clone());
            values.iter_mut().chain(parts.last_mut()).for_each(|v| *v *= factor);
            values.extend(apart.unwrap_or_default());
            end = to;
        }
        // A run of hundreds of digits is a serial number.
        values.retain(|v| v.is_finite());
        if !(values.is_empty() && parts.is_empty()) {
            out.push(Written { range: start..end, values, parts });
        }
    }
    out
}

fn separates(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '\u{66b}' | '\u{66c}' | '．' | '，')
}

pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// Whether a space between `plain` and `behind` groups thousands.
pub(super) fn groups(plain: &str, behind: &str) -> bool {
    // No number is longer. Without this limit, a longer run would be scanned again at each of its spaces.
    if plain.len() > GROUPED {
        return false;
    }
    let last = plain.rsplit(' ').next().unwrap_or("");
    let first = !plain.contains(' ');
    let digits = behind.chars().take_while(|c| digit(*c).is_some()).count();
    let whole = plain.chars().all(|c| c.is_ascii_digit() || c == ' ') && !plain.starts_with('0');
    whole && digits == 3 && (if first { last.len() <= 3 } else { last.len() == 3 })
}

/// Returns the possible values of digits with separators: the readings as one number, and the parts.
fn values(plain: &str) -> (Vec<f64>, Vec<f64>) {
    let marks: Vec<char> = plain.chars().filter(|c| !c.is_ascii_digit()).collect();
    let groups: Vec<&str> = plain.split(|c: char| !c.is_ascii_digit()).collect();
    let bare = |from: &str| from.chars().filter(char::is_ascii_digit).collect::<String>();
    let whole = || bare(plain).parse::<f64>().ok();
    let decimal = || {
        let at = plain.rfind(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        format!("{}.{}", bare(&plain[..at]), bare(&plain[at..])).parse::<f64>().ok()
    };
    let each = || groups.iter().filter_map(|g| g.parse().ok()).collect::<Vec<f64>>();
    let last = marks.last().copied();
    let same = marks.iter().all(|m| Some(*m) == last);
    let thousands =
        groups[1..].iter().all(|g| (2..=3).contains(&g.len())) && groups.last().is_some_and(|g| g.len() == 3);
    match marks.len() {
        0 => (whole().into_iter().collect(), Vec::new()),
        // A plain space may separate two numbers.
        _ if same && last == Some(' ') => (whole().into_iter().collect(), each()),
        // "1.234" is in the thousands in one language and a fraction in another.
        1 if groups[1].len() == 3 && groups[0].len() <= 3 => {
            (whole().into_iter().chain(decimal()).collect(), Vec::new())
        }
        1 => (decimal().into_iter().collect(), Vec::new()),
        // This includes the Indian grouping "12,34,567".
        _ if same && thousands => (whole().into_iter().collect(), Vec::new()),
        _ if !same && marks[..marks.len() - 1].iter().all(|m| *m == marks[0] && Some(*m) != last) => {
            (decimal().into_iter().collect(), Vec::new())
        }
        _ => (Vec::new(), each()),
    }
}

/// Returns the power of ten of the word after a number, in any language, and its end.
pub(super) fn power_behind(text: &str, at: usize) -> Option<(f64, usize)> {
    let rest = &text[at..];
    let gap = rest.chars().take(GAP).take_while(|c| is_space(*c) || *c == '\n').map(char::len_utf8).sum::<usize>();
    let lead = if rest.starts_with('-') { 1 } else { gap };
    let word = &rest[lead..];
    let first = word.chars().next()?;
    if words::is_unspaced(first) {
        let (exponent, len) = words::power_at(word)?;
        return Some((ten_to(exponent), at + lead + len));
    }
    // No such word is longer. Without a limit, a text of combining marks would be scanned again at each of its
    // numbers.
    let mut near = word.char_indices().take(words::longest_power() + 1);
    let len = match near.find(|(_, c)| !c.is_alphanumeric() && !words::is_mark(*c)) {
        Some((end, _)) => end,
        None if word.chars().nth(words::longest_power()).is_some() => return None,
        None => word.len(),
    };
    let exponent = words::power(&word[..len])?;
    Some((ten_to(exponent), at + lead + len))
}

/// Returns ten to a small power, without the platform's `powi`.
pub(super) fn ten_to(exponent: i32) -> f64 {
    (0..exponent).fold(1.0, |x, _| x * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Vec<f64>> {
        all(text).into_iter().map(|w| w.values).collect()
    }

    #[test]
    fn numbers_of_any_language() {
        assert_eq!(of("It cost 1,200.50 or 1.200,50."), [[1200.5], [1200.5]]);
        assert_eq!(of("1.234"), [[1234.0, 1.234]]);
        assert_eq!(of("12 300 km"), [[12_300.0]]);
        assert_eq!(of("12\u{202f}300\u{202f}000 km"), [[12_300_000.0]]);
        assert_eq!(of("in 2020 300 came"), [[2020.0], [300.0]]);
        assert_eq!(of("12,34,567"), [[1_234_567.0]]);
        assert_eq!(of("٣٫٥ و १२ ३"), [vec![3.5], vec![12.0], vec![3.0]]);
        assert_eq!(all("version 3.2.0")[0].parts, [3.0, 2.0, 0.0]);
        assert_eq!(all("12 300 km")[0].parts, [12.0, 300.0]);
        assert_eq!(of("2.94 million, 6,4 Millionen, 21万人, 3億"), [[2.94e6], [6.4e6], [2.1e5], [3e8]]);
        assert_eq!(of("5 \nmillion, 5\n\n\n\nmillion"), [vec![5e6, 5.0], vec![5.0]]);
        assert_eq!(of("5 m of rope, 5 M users"), [[5.0], [5e6]]);
        assert_eq!(of("10:30 on 3/4"), [[10.0], [30.0], [3.0], [4.0]]);
        assert!(of("none ²½").is_empty());
    }
}
