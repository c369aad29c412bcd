//! What written words claim: numbers, quotations, addresses and codes, and whether a source has them.

use std::fmt;

use crate::content::segment;

/// Words from which what stands in quotation marks is a quotation rather than a word of its own.
const QUOTED_WORDS: usize = 4;
/// How far apart two values may lie that are the same: powers of ten are multiplied in.
const TOLERANCE: f64 = 1e-9;
/// Digits of the longest number; longer ones are compared as words.
const DIGITS: usize = 15;

/// What a source gives the right to say: its numbers by value, its words letter by letter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// Every value that its numbers may have, rising.
    values: Vec<f64>,
    /// Letters and digits alone, in lower case.
    letters: String,
    /// The text in lower case.
    lower: String,
}

/// What words claim without a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsourced {
    /// A number.
    Number(String),
    /// A quotation.
    Quotation(String),
    /// An address, an account or a code.
    Address(String),
}

impl fmt::Display for Unsourced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "the source has no number {number}"),
            Self::Quotation(words) => write!(f, "the source doesn't say “{words}” word for word"),
            Self::Address(address) => write!(f, "the source has no address or code {address}"),
        }
    }
}

impl Evidence {
    /// What `text` gives the right to say.
    pub fn of(text: &str) -> Self {
        let mut values: Vec<f64> = numbers(text).into_iter().flat_map(|n| n.values).collect();
        values.sort_by(f64::total_cmp);
        Self { values, letters: folded(text), lower: text.to_lowercase() }
    }

    /// Whether every number in `words` is one of the source's, and every quotation stands there.
    ///
    /// # Errors
    /// [`Unsourced`], the first that is found.
    pub fn allows(&self, words: &str) -> Result<(), Unsourced> {
        if let Some(made_up) = numbers(words).into_iter().find(|n| !self.knows_number(n)) {
            return Err(Unsourced::Number(made_up.written));
        }
        for said in quoted(words).filter(|said| segment::count_words(said) >= QUOTED_WORDS) {
            self.allows_quotation(said)?;
        }
        Ok(())
    }

    /// Whether the source says `words`, one behind the other.
    ///
    /// # Errors
    /// [`Unsourced::Quotation`].
    pub fn allows_quotation(&self, words: &str) -> Result<(), Unsourced> {
        let there = self.letters.contains(&folded(words));
        if there { Ok(()) } else { Err(Unsourced::Quotation(words.to_owned())) }
    }

    /// Whether the source has every address, account and code in `words`.
    ///
    /// # Errors
    /// [`Unsourced::Address`], the first that is missing.
    pub fn allows_addresses(&self, words: &str) -> Result<(), Unsourced> {
        let missing = addresses(words).find(|a| !self.lower.contains(&a.to_lowercase()));
        missing.map_or(Ok(()), |address| Err(Unsourced::Address(address.to_owned())))
    }

    fn knows_number(&self, number: &Number) -> bool {
        let mut values = number.values.iter();
        if number.all { values.all(|v| self.knows(*v)) } else { values.any(|v| self.knows(*v)) }
    }

    fn knows(&self, value: f64) -> bool {
        let near = TOLERANCE * value.abs().max(1.0);
        let at = self.values.partition_point(|v| *v < value - near);
        self.values.get(at).is_some_and(|v| *v <= value + near)
    }
}

/// Whether words claim what nobody may make up: a share, a price, a year or another large number, a quotation.
pub(super) fn is_claim(text: &str) -> bool {
    const MARKS: [char; 18] =
        ['%', '％', '٪', '‰', '$', '€', '£', '¥', '₽', '₹', '₺', '×', '“', '„', '«', '"', '「', '『'];
    let large = numbers(text).iter().any(|n| n.values.iter().any(|v| *v >= 100.0));
    text.contains(MARKS) || large
}

/// What a reader would act on, as the text writes it: the numbers, codes and addresses that it names.
pub fn facts(text: &str) -> Vec<String> {
    let mut out: Vec<String> = numbers(text).into_iter().map(|n| n.written).collect();
    out.extend(addresses(text).map(str::to_owned));
    out.dedup();
    out
}

/// Letters and digits in lower case, digits as ASCII: as words are compared.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).map(ascii).flat_map(char::to_lowercase).collect()
}

/// Addresses, accounts and codes.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let edge = |c: char| !(c.is_alphanumeric() || matches!(c, '@' | '/' | '_' | '-'));
    text.split_whitespace().map(move |w| w.trim_matches(edge)).filter(|w| {
        let labels: Vec<&str> = w.split('/').next().unwrap_or("").split('.').collect();
        let top = labels.last().is_some_and(|t| t.chars().count() >= 2 && t.chars().all(char::is_alphabetic));
        let host = labels.len() >= 2 && top && labels.iter().all(|l| l.chars().count() >= 2);
        let capitals = w.bytes().filter(u8::is_ascii_uppercase).count();
        let digits = w.bytes().filter(u8::is_ascii_digit).count();
        let code = w.len() >= 4 && digits >= 1 && capitals >= 2 && digits + capitals == w.len();
        host || code || w.contains("://") || (w.contains('@') && w.len() > 2)
    })
}

/// What stands in quotation marks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    const MARKS: [(char, &[char]); 6] =
        [('“', &['”', '“']), ('„', &['“', '”']), ('«', &['»']), ('»', &['«']), ('"', &['"']), ('「', &['」'])];
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, closes) = text[at..].char_indices().find_map(|(i, c)| {
            let (_, closes) = MARKS.iter().find(|(open, _)| *open == c)?;
            Some((at + i + c.len_utf8(), *closes))
        })?;
        // What is opened and never closed reaches to the end.
        let end = text[start..].find(closes).map_or(text.len(), |i| start + i);
        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
        Some(&text[start..end])
    })
}

/// A number as written, and the values that it may have: "1.200" is 1.2 in one language and 1200 in another.
#[derive(Debug, Clone, PartialEq)]
struct Number {
    written: String,
    values: Vec<f64>,
    /// Whether it has all of them: the parts of a time or a date.
    all: bool,
}

/// The numbers of a text that are written in digits.
fn numbers(text: &str) -> Vec<Number> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let digit = |i: usize| chars.get(i).is_some_and(|(_, c)| ascii(*c).is_ascii_digit());
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if !digit(i) {
            i += 1;
            continue;
        }
        let from = i;
        let mut groups = vec![String::new()];
        let mut marks: Vec<char> = Vec::new();
        while i < chars.len() {
            let c = chars[i].1;
            if digit(i) {
                groups.last_mut().expect("there is one").push(ascii(c));
                i += 1;
            } else if let Some(mark) = separator(c).filter(|_| digit(i + 1)) {
                // Spaces part groups of three alone.
                let three = digit(i + 2) && digit(i + 3) && !digit(i + 4);
                if mark == ' ' && !(three && groups.last().is_some_and(|g| g.len() <= 3)) {
                    break;
                }
                marks.push(mark);
                groups.push(String::new());
                i += 1;
            } else {
                break;
            }
        }
        let end = chars.get(i).map_or(text.len(), |(at, _)| *at);
        let written = text[chars[from].0..end].to_owned();
        let (mut values, all) = readings(&groups, &marks);
        // "1.2 million" is not 1.2.
        if let Some(power) = power(&text[end..]) {
            values.iter_mut().for_each(|v| *v *= power);
        }
        if !values.is_empty() {
            out.push(Number { written, values, all });
        }
    }
    out
}

/// The values of groups of digits with marks between them, and whether they are parts rather than readings.
fn readings(groups: &[String], marks: &[char]) -> (Vec<f64>, bool) {
    let digits: usize = groups.iter().map(String::len).sum();
    if digits > DIGITS {
        return (Vec::new(), false);
    }
    let whole = || groups.concat().parse::<f64>().ok();
    let thousands = groups.iter().skip(1).all(|g| g.len() == 3) && groups[0].len() <= 3;
    let (fraction, front) = (groups.last(), &groups[..groups.len() - 1]);
    let decimal = || format!("{}.{}", front.concat(), fraction.map_or("0", String::as_str)).parse::<f64>().ok();
    let last = marks.last().copied();
    let same = marks.windows(2).all(|w| w[0] == w[1]);
    let mut out: Vec<f64> = Vec::new();
    match marks {
        [] => out.extend(whole()),
        // 18:00, 3/4, 12.05.2026: every part for itself.
        _ if marks.iter().any(|m| matches!(m, ':' | '/')) || (same && !thousands && marks.len() > 1) => {
            return (groups.iter().filter_map(|g| g.parse::<f64>().ok()).collect(), true);
        }
        _ => {
            if thousands && same {
                out.extend(whole());
            }
            if last != Some(' ') && (marks.len() == 1 || !same) {
                out.extend(decimal());
            }
        }
    }
    (out, false)
}

/// What parts the digits of a number.
fn separator(c: char) -> Option<char> {
    Some(match c {
        '.' | '٫' => '.',
        ',' | '٬' => ',',
        '\'' | '’' => '\'',
        ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        ':' => ':',
        '/' => '/',
        _ => return None,
    })
}

/// The power of ten that a word behind a number stands for.
fn power(behind: &str) -> Option<f64> {
    const WORDS: [(&[&str], f64); 6] = [
        (&["k", "thousand", "tausend", "tsd", "mille", "mil", "mila", "тыс", "тысяч", "тысячи", "bin"], 1e3),
        (
            &[
                "m",
                "mio",
                "mn",
                "million",
                "millions",
                "millionen",
                "millones",
                "millón",
                "milioni",
                "milione",
                "milhões",
                "milhão",
                "miljoen",
                "млн",
                "миллион",
                "миллиона",
                "миллионов",
                "milyon",
            ],
            1e6,
        ),
        (
            &[
                "bn",
                "b",
                "billion",
                "mrd",
                "milliarde",
                "milliarden",
                "milliard",
                "milliards",
                "miliardi",
                "miljard",
                "млрд",
                "миллиард",
                "миллиарда",
                "миллиардов",
                "milyar",
            ],
            1e9,
        ),
        (&["万", "萬"], 1e4),
        (&["億", "亿"], 1e8),
        (&["千"], 1e3),
    ];
    let rest = behind.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let spaces = behind.chars().count() - rest.chars().count();
    let first = rest.chars().next()?;
    let unspaced = ('\u{3040}'..='\u{9fff}').contains(&first);
    let word: String = if unspaced {
        first.to_string()
    } else {
        rest.chars().take_while(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    // "5 m" is a length and "5 k" nothing; "5m" and "5k" are millions and thousands.
    let single = word.chars().count() == 1 && !unspaced && spaces > 0;
    WORDS.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, p)| *p).filter(|_| spaces <= 1 && !single)
}

/// A digit of any script as ASCII; other characters as they are.
fn ascii(c: char) -> char {
    const ZEROS: [u32; 12] =
        [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0xff10];
    let at = u32::from(c);
    let digit = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&at)).map(|zero| at - zero);
    digit.and_then(|d| char::from_digit(d, 10)).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SOURCE: &str = "In 2024, 1.2 million people (31 %) walked; at 18:00 it began. “We stopped counting hours,” said Ada. \
        ٤٢ left. It cost 12 300 €. Write to @ada or tidelab.example, code SUN30.";

    #[test]
    fn numbers_by_value() {
        let source = Evidence::of(SOURCE);
        for said in [
            "1,2 Millionen",
            "1200000",
            "1,200,000 people",
            "31%",
            "42 left",
            "in 2024",
            "12.300 Euro",
            "18.00",
            "two",
            "",
        ] {
            assert_eq!(source.allows(said), Ok(()), "{said}");
        }
        for made_up in ["1.2 billion", "1.25 million", "32 %", "2025", "4", "19:30"] {
            assert!(matches!(source.allows(made_up), Err(Unsourced::Number(_))), "{made_up}");
        }
    }

    #[test]
    fn quotations_word_for_word() {
        let source = Evidence::of(SOURCE);
        assert_eq!(source.allows_quotation("We stopped counting hours"), Ok(()));
        assert!(source.allows_quotation("We stopped counting days").is_err());
        assert_eq!(source.allows("Ada: «We stopped counting hours»"), Ok(()));
        assert!(source.allows("Ada: “We never stopped counting hours”").is_err());
        assert!(source.allows("Ada: „We never stopped counting").is_err());
        assert_eq!(source.allows("The “deep work” of it"), Ok(()));
    }

    #[test]
    fn addresses_and_codes_as_they_are() {
        let source = Evidence::of(SOURCE);
        for said in ["Ask @Ada.", "See tidelab.example!", "Code SUN30", "No address. At all", "e.g. this, 3.5 m"] {
            assert_eq!(source.allows_addresses(said), Ok(()), "{said}");
        }
        for made_up in ["Ask @eve", "See evil.example/x", "https://tidelab.example", "SUN40", "me@tidelab.example"] {
            assert!(source.allows_addresses(made_up).is_err(), "{made_up}");
        }
        assert_eq!(facts("30 % off until 31 August, code SUN30"), ["30", "31", "30", "SUN30"]);
        assert!(is_claim("85 % agree") && is_claim("since 1987") && is_claim("“So it is”"));
        assert!(!is_claim("Walk 30 minutes at 7:30"));
    }

    proptest! {
        #[test]
        fn a_text_may_say_what_it_says(text in "([0-9٣३]{1,4}|[.,' %“”:/-]| million|万|k |[a-zé]{1,5} |@|\\PC){0,40}") {
            let source = Evidence::of(&text);
            prop_assert_eq!(source.allows(&text), Ok(()));
            prop_assert_eq!(source.allows_quotation(&text), Ok(()));
            prop_assert_eq!(source.allows_addresses(&text), Ok(()));
        }
    }
}
