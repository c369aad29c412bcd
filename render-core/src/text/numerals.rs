//! Numbers as a language writes them.

use crate::content::Language;

/// Zero of the digits that a language's readers expect, as the Common Locale Data Repository has it (the default
/// numbering system); ASCII where it isn't listed.
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

/// `number` in the digits of `language`.
pub fn numerals(number: u32, language: &Language) -> String {
    let zero = u32::from(zero(language));
    let digit = |c: char| c.to_digit(10).and_then(|d| char::from_u32(zero + d)).unwrap_or(c);
    number.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
