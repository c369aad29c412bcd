//! Formats numbers in the numerals of a language.

use crate::content::Language;

/// Returns the zero of the language's digits in the Common Locale Data Repository (the default numbering system); ASCII
/// if the language isn't listed.
fn zero(language: &Language) -> char {
    match language.primary() {
        "ar" | "ckb" | "sd" => '\u{660}',
        "fa" | "ps" | "ks" => '\u{6f0}',
        "mr" | "ne" | "sa" => '\u{966}',
        "bn" | "as" => '\u{9e6}',
        "my" => '\u{1040}',
        _ => '0',
    }
}

/// Formats `number` in the digits of `language`.
pub fn numerals(number: u32, language: &Language) -> String {
    let zero = u32::from(zero(language));
    let digit = |c: char| c.to_digit(10).and_then(|d| char::from_u32(zero + d)).unwrap_or(c);
    number.to_string().chars().map(digit).collect()
}

/// Formats `number` in kanji, as in Japanese: 十二, 三百五.
pub fn kanji_numerals(number: u32) -> String {
    const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let mut out = String::new();
    // Groups of four digits, each followed by its own character.
    for (group, name) in [(100_000_000, "億"), (10_000, "万"), (1, "")] {
        let group = number / group % 10_000;
        for (place, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
            let digit = group / place % 10;
            // Ten is 十, not 一十; but 10,000 is 一万.
            if digit > 1 || digit == 1 && place == 1 {
                out.push(DIGITS[digit as usize]);
            }
            if digit > 0 {
                out += name;
            }
        }
        if group > 0 {
            out += name;
        }
    }
    if out.is_empty() { DIGITS[0].to_string() } else { out }
}

/// Formats `number` in lower-case Roman numerals up to 3,999, and larger numbers in digits.
pub fn roman_numerals(number: u32) -> String {
    const PLACES: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if number == 0 || number > 3_999 {
        return number.to_string();
    }
    let mut rest = number;
    let mut out = String::new();
    for (value, letters) in PLACES {
        while rest >= value {
            out += letters;
            rest -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numerals_subtract() {
        for (n, want) in [(1, "i"), (4, "iv"), (9, "ix"), (14, "xiv"), (48, "xlviii"), (3_999, "mmmcmxcix"), (0, "0")] {
            assert_eq!(roman_numerals(n), want);
        }
    }

    #[test]
    fn kanji_count_by_tens() {
        let first = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
        for (n, want) in (0..).zip(first) {
            assert_eq!(kanji_numerals(n), want);
        }
        for (n, want) in [
            (20, "二十"),
            (35, "三十五"),
            (99, "九十九"),
            (100, "百"),
            (305, "三百五"),
            (1026, "千二十六"),
            (10_000, "一万"),
            (20_300_010, "二千三十万十"),
        ] {
            assert_eq!(kanji_numerals(n), want);
        }
    }

    #[test]
    fn digits_are_the_language_s() {
        for (language, want) in [
            ("en", "1037"),
            ("ar", "١٠٣٧"),
            ("fa-AF", "۱۰۳۷"),
            ("bn", "১০৩৭"),
            ("mr", "१०३७"),
            ("hi", "1037"),
            ("th", "1037"),
        ] {
            assert_eq!(numerals(1037, &Language::parse(language).unwrap()), want, "{language}");
        }
    }
}
