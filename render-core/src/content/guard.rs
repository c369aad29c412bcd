//! The source guard: no number and no quotation on a page that the source lacks.
//!
//! Numbers are compared by value, in whatever digits and with whatever separators they are written. A small number that
//! the source has in words may stand in digits. Numbers that a page has in words are not looked at, and neither are page counters and the numerals of lists, which are the layout's. Nothing here computes
//! figures of its own, so every figure on a page is one of the source's.

use serde::{Deserialize, Serialize};

use super::Sourced;
use super::cues::spelled;
use super::fractions::fractions;
use super::number::{self, Written};
use super::quotes::enclosed;
use super::segment;

/// Words from which what stands in quotation marks is a quotation rather than a word of its own.
const QUOTED_WORDS: usize = 4;
/// How far apart two values may lie that are the same: powers of ten are multiplied in.
const TOLERANCE: f64 = 1e-9;

/// What a source gives a page the right to say: its numbers and its letters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Values, rising, each once.
    numbers: Vec<f64>,
    /// Letters and digits alone, in lower case: quotations are looked for in them.
    letters: String,
    /// Addresses, accounts and codes, in lower case.
    #[serde(default)]
    addresses: Vec<String>,
}

/// What a page says without a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsourced {
    /// A number.
    #[error("the source has no number {0}")]
    Number(String),
    /// A quotation.
    #[error("the source doesn't say “{0}”")]
    Quotation(String),
    /// An address, an account or a code.
    #[error("the source has no address or code {0}")]
    Address(String),
}

impl Evidence {
    /// What `text` gives the right to say.
    pub fn of(text: &str) -> Self {
        let mut out = Self::default();
        out.admit(text);
        out
    }

    /// Takes in further words that may be said: a title that was asked for.
    pub fn admit(&mut self, text: &str) {
        let said = |n: Written| if n.values.is_empty() { n.parts } else { n.values };
        self.numbers.extend(number::all(text).into_iter().flat_map(said));
        // What a source counts in words, a page may show in digits.
        self.numbers.extend(segment::words_of(text).iter().filter_map(|word| spelled(word)).map(f64::from));
        self.numbers.extend(fractions(text));
        self.numbers.sort_by(f64::total_cmp);
        self.numbers.dedup();
        // A quotation doesn't run from one text into the next.
        self.letters.push('\n');
        self.letters.extend(folded(text));
        self.addresses.extend(addresses(text).map(str::to_lowercase));
    }

    /// Takes in addresses that the source has, but a page shows shorter.
    pub(super) fn admit_addresses<'a>(&mut self, addresses: impl Iterator<Item = &'a str>) {
        self.addresses.extend(addresses.map(str::to_lowercase));
    }

    /// Whether there is any number.
    pub fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Whether words may be said: each number of theirs is one of the source's, and so is what stands in quotation marks.
    ///
    /// # Errors
    /// [`Unsourced`], the first that is found.
    pub fn allows(&self, words: &str) -> Result<(), Unsourced> {
        let numbers = number::all(words);
        if let Some(made_up) = numbers.iter().find(|n| !self.knows(n) && !is_full_hour(words, n)) {
            return Err(Unsourced::Number(words[made_up.range.clone()].to_owned()));
        }
        for quoted in enclosed(words, false) {
            let said = &words[quoted];
            if segment::count_words(said) >= QUOTED_WORDS {
                self.allows_quotation(said)?;
            }
        }
        Ok(())
    }

    /// Whether words may be put in somebody's mouth: the source has them, one behind the other.
    ///
    /// # Errors
    /// [`Unsourced::Quotation`].
    pub fn allows_quotation(&self, words: &str) -> Result<(), Unsourced> {
        let letters: String = folded(words).collect();
        if self.letters.contains(&letters) { Ok(()) } else { Err(Unsourced::Quotation(words.to_owned())) }
    }

    /// Whether the source has every address, account and code in `words`.
    ///
    /// # Errors
    /// [`Unsourced::Address`], the first that is missing.
    pub fn allows_addresses(&self, words: &str) -> Result<(), Unsourced> {
        let known = |address: &str| {
            let address = address.to_lowercase();
            self.addresses.iter().any(|a| a.contains(&address))
        };
        let missing = addresses(words).find(|a| !known(a));
        missing.map_or(Ok(()), |address| Err(Unsourced::Address(address.to_owned())))
    }

    fn knows(&self, number: &Written) -> bool {
        let known = |value: f64| {
            let near = TOLERANCE * value.abs().max(1.0);
            let at = self.numbers.partition_point(|n| *n < value - near);
            self.numbers.get(at).is_some_and(|n| *n <= value + near)
        };
        number.values.iter().any(|v| known(*v)) || number.parts.iter().all(|v| known(*v)) && !number.parts.is_empty()
    }
}

/// Whether a number is the minutes of a full hour: "16:00" says no more than "16".
fn is_full_hour(words: &str, number: &Written) -> bool {
    let digits = words[number.range.clone()].chars().map(number::ascii).eq("00".chars());
    digits && words[..number.range.start].ends_with([':', '：'])
}

impl<'a> FromIterator<&'a Sourced> for Evidence {
    fn from_iter<I: IntoIterator<Item = &'a Sourced>>(words: I) -> Self {
        let all: Vec<&str> = words.into_iter().map(|w| w.text.as_str()).collect();
        Self::of(&all.join("\n"))
    }
}

/// Addresses, accounts and codes.
pub(crate) fn addresses(text: &str) -> impl Iterator<Item = &str> {
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

/// Letters and digits in lower case, digits as ASCII: as words are compared.
pub(crate) fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).map(number::ascii).flat_map(char::to_lowercase)
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
            "18:00 o’clock",
            "",
        ] {
            assert_eq!(source.allows(said), Ok(()), "{said}");
        }
        for made_up in ["1.2 billion", "1.2", "32 %", "2025", "4", "12 people", "19:30", "1.25 million"] {
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
