//! The source guard: a page shows no number, quotation or address that the source lacks.
//!
//! Quantities are compared by size, regardless of digits, words and units. A page may round a number if it says so
//! ("about 2,000"), and may state a sum, a difference or a percentage change of two quantities that are close
//! together in the source. It must keep the source's bounds: "up to 40 %" must not become 40 %. Small numbers in
//! words are not checked on pages. Page counters and list numerals are not checked either, because the layout
//! generates them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Sourced;
use super::fractions::fractions;
use super::number;
use super::quantity::{Bound, Dimension, Quantity, quantities};
use super::quotes::enclosed;
use super::segment;

/// Minimum words in quotation marks that count as a quotation rather than as a quoted term.
const QUOTED_WORDS: usize = 4;
/// Maximum relative distance of two values that are equal: powers of ten are multiplied in.
const TOLERANCE: f64 = 1e-9;
/// Maximum number of quantities kept per source.
const MOST_SAID: usize = 2_000;
/// Sentences of distance between two texts of a source, so that no quantity of one counts as close to one of the
/// other.
const APART: u32 = 3;
/// Numbers up to this one, without a unit, may be a day of a month.
const DAYS: f64 = 31.0;
/// Numbers that are usually years.
const YEARS: Range<f64> = 1_800.0..2_100.0;
/// Numbers in words are checked from this value on.
const SMALL: f64 = 11.0;
/// Seconds in a year.
const YEAR: f64 = 31_557_600.0;
/// Words between a part and its whole, separated by `|`.
const OF: &str = "of|out of|sur|von|aus|de|de cada|su|em|em cada|z|na|из|van|op|من|من أصل|人中|中|/|in|ud af";

/// What a page may state based on a source: its numbers and its letters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Distinct values in ascending order.
    numbers: Vec<f64>,
    /// Only letters and digits, in lower case. Quotations are searched in them.
    letters: String,
    /// Addresses, accounts and codes, in lower case.
    #[serde(default)]
    addresses: Vec<String>,
    /// The source's quantities, in order. Empty in documents of earlier versions.
    #[serde(default)]
    said: Vec<Said>,
}

/// A quantity of a source.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Said {
    /// The value in its unit.
    value: f64,
    unit: Option<(Dimension, f64)>,
    bound: Bound,
    /// Index of the sentence that contains it.
    place: u32,
}

/// A statement of a page that its source does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsourced {
    /// A number.
    #[error("the source has no number {0}")]
    Number(String),
    /// A number that the source gives in another unit.
    #[error("the source gives {0} in another unit")]
    Unit(String),
    /// A number without the source's bound, or with the opposite one.
    #[error("the source bounds {0}: keep its “up to”, “at least”, “nearly” or “less than”")]
    Bound(String),
    /// A quotation.
    #[error("the source doesn't say “{0}”")]
    Quotation(String),
    /// An address, an account or a code.
    #[error("the source has no address or code {0}")]
    Address(String),
}

impl Evidence {
    /// Collects what `text` supports.
    pub fn of(text: &str) -> Self {
        let mut out = Self::default();
        out.admit(text);
        out
    }

    /// Adds the evidence of further text, such as a requested title.
    pub fn admit(&mut self, text: &str) {
        let after = self.said.last().map_or(0, |last| last.place + APART);
        for quantity in quantities(text, true) {
            let Quantity { values, parts, unit, bound, place, .. } = quantity;
            let own = if values.is_empty() { &parts } else { &values };
            self.numbers.extend(own);
            // Days of a month, years and other small counts follow words that are no bounds there: "до 15 марта".
            let is_date = |n: &f64| *n <= DAYS && unit.is_none() || YEARS.contains(n);
            let bound = if own.iter().all(is_date) { Bound::Exact } else { bound };
            let room = MOST_SAID.saturating_sub(self.said.len());
            let place = place + after;
            self.said.extend(own.iter().map(|value| Said { value: *value, unit, bound, place }).take(room));
        }
        self.numbers.extend(fractions(text));
        self.numbers.sort_by(f64::total_cmp);
        self.numbers.dedup();
        // A quotation doesn't span two texts.
        self.letters.push('\n');
        self.letters.extend(folded(text));
        self.addresses.extend(addresses(text).map(str::to_lowercase));
    }

    /// Adds addresses that are in the source but are shorter on a page.
    pub(super) fn admit_addresses<'a>(&mut self, addresses: impl Iterator<Item = &'a str>) {
        self.addresses.extend(addresses.map(str::to_lowercase));
    }

    /// Whether the source contains a number.
    pub fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Checks words that were taken from the source itself: each number in digits and each quotation in them must be
    /// the source's.
    ///
    /// # Errors
    /// Returns the first [`Unsourced::Number`] or [`Unsourced::Quotation`].
    pub fn allows(&self, words: &str) -> Result<(), Unsourced> {
        let made_up =
            number::all(words).into_iter().find(|n| !self.knows(&n.values, &n.parts) && !is_full_hour(words, &n.range));
        if let Some(made_up) = made_up {
            return Err(Unsourced::Number(words[made_up.range].to_owned()));
        }
        self.allows_quoted(words)
    }

    /// Checks words that an author wrote: their quantities, in digits and in words, must have the sizes and bounds of
    /// the source's, or be derived from them.
    ///
    /// # Errors
    /// Returns the first [`Unsourced`] statement.
    pub fn bears_out(&self, words: &str) -> Result<(), Unsourced> {
        let numbers = quantities(words, false);
        for (i, quantity) in numbers.iter().enumerate() {
            let small = quantity.in_words && quantity.values.iter().all(|n| *n < SMALL);
            if small && quantity.unit.is_none() || is_full_hour(words, &quantity.range) {
                continue;
            }
            let beside = [i.checked_sub(1).map(|before| (before, i)), Some((i, i + 1))].into_iter().flatten();
            let mut shared = beside.filter_map(|(a, b)| Some((numbers.get(a)?, numbers.get(b)?)));
            if !shared.any(|(a, b)| self.is_share(words, a, b)) {
                self.allows_quantity(words, quantity)?;
            }
        }
        self.allows_quoted(words)
    }

    /// Checks that the source contains the text in quotation marks.
    fn allows_quoted(&self, words: &str) -> Result<(), Unsourced> {
        for quoted in enclosed(words, false) {
            let said = &words[quoted];
            if segment::count_words(said) >= QUOTED_WORDS {
                self.allows_quotation(said)?;
            }
        }
        Ok(())
    }

    /// Checks that the source contains the words consecutively, so that they may be quoted.
    ///
    /// # Errors
    /// Returns [`Unsourced::Quotation`] if it does not.
    pub fn allows_quotation(&self, words: &str) -> Result<(), Unsourced> {
        let letters: String = folded(words).collect();
        if self.letters.contains(&letters) { Ok(()) } else { Err(Unsourced::Quotation(words.to_owned())) }
    }

    /// Checks that the source contains every address, account and code in `words`.
    ///
    /// # Errors
    /// Returns [`Unsourced::Address`] with the first missing one.
    pub fn allows_addresses(&self, words: &str) -> Result<(), Unsourced> {
        let known = |address: &str| {
            let address = address.to_lowercase();
            let own = bare(&address);
            self.addresses.iter().any(|a| {
                let there = bare(a);
                // A page may show an address up to its host, or up to a part of its path.
                there == own || there.strip_prefix(own).is_some_and(|rest| rest.starts_with(['/', '?', '#']))
            })
        };
        let missing = addresses(words).find(|a| !known(a));
        missing.map_or(Ok(()), |address| Err(Unsourced::Address(address.to_owned())))
    }

    /// Checks that a quantity may be stated.
    fn allows_quantity(&self, words: &str, quantity: &Quantity) -> Result<(), Unsourced> {
        let written = || words[quantity.range.clone()].to_owned();
        let same: Vec<&Said> = self.said.iter().filter(|said| is_same(quantity, said)).collect();
        if !same.is_empty() {
            let kept = same.iter().any(|said| quantity.bound.follows(said.bound));
            return if kept { Ok(()) } else { Err(Unsourced::Bound(written())) };
        }
        let plain: Vec<&Said> =
            self.said.iter().filter(|said| quantity.values.iter().any(|v| is_near(*v, said.value))).collect();
        if let (Some(_), false) = (quantity.unit, plain.is_empty())
            && plain.iter().all(|said| said.unit.is_some())
            && !self.is_derived(quantity)
        {
            return Err(Unsourced::Unit(written()));
        }
        let known =
            self.knows(&quantity.values, &quantity.parts) || self.is_rounded(quantity) || self.is_derived(quantity);
        if known { Ok(()) } else { Err(Unsourced::Number(written())) }
    }

    fn knows(&self, values: &[f64], parts: &[f64]) -> bool {
        let known = |value: f64| {
            let near = TOLERANCE * value.abs().max(1.0);
            let at = self.numbers.partition_point(|n| *n < value - near);
            self.numbers.get(at).is_some_and(|n| *n <= value + near)
        };
        values.iter().any(|v| known(*v)) || parts.iter().all(|v| known(*v)) && !parts.is_empty()
    }

    /// Whether a quantity that is marked as rounded is a rounded one of the source's.
    fn is_rounded(&self, quantity: &Quantity) -> bool {
        let within = |said: f64, own: f64| match quantity.bound {
            Bound::Exact => false,
            Bound::About => (said - own).abs() <= 0.06 * said,
            Bound::Nearly => (0.9 * own..=own).contains(&said),
            Bound::AtLeast => (own..=1.2 * own).contains(&said),
            Bound::AtMost => (0.8 * own..=own).contains(&said),
        };
        let by_size =
            |said: &Said| sizes(quantity, said).is_some_and(|(said, own)| own.iter().any(|own| within(said, *own)));
        let shares = |value: &f64| {
            quantity.unit.is_some_and(|(d, _)| d == Dimension::Share) && within(*value, quantity.values[0])
        };
        quantity.values.iter().any(|v| is_round(*v))
            && (self.said.iter().any(by_size) || self.numbers.iter().any(shares))
    }

    /// Whether a quantity can be computed from two of the source's that are close together.
    fn is_derived(&self, quantity: &Quantity) -> bool {
        let Some(&own) = quantity.values.first() else { return false };
        let share = quantity.unit.is_some_and(|(dimension, _)| dimension == Dimension::Share);
        self.said.iter().enumerate().any(|(i, a)| {
            let close = self.said[i + 1..].iter().take_while(|b| b.place <= a.place + 1);
            close.filter(|b| comparable(a, b)).any(|b| {
                let (x, y) = in_one_unit(a, b);
                let (low, high) = if x < y { (x, y) } else { (y, x) };
                let years = |said: &Said| said.unit.is_none() && YEARS.contains(&said.value);
                let scale = match (quantity.unit, a.unit.or(b.unit)) {
                    (Some((Dimension::Time, YEAR)), None) if years(a) && years(b) => 1.0,
                    (Some((d, size)), Some((e, own))) if d == e => own / size,
                    (Some((Dimension::Share, _)), _) | (None, _) => 1.0,
                    _ => return false,
                };
                let whole = |value: f64| is_near(own, value) || is_near(own, value.round()) && value >= 2.0;
                let tenth = |value: f64| whole(value) || is_near(own, (10.0 * value).round() / 10.0);
                if share {
                    let change = 100.0 * (high - low);
                    // A change is relative to the value that the source names first.
                    let counted = low > 0.0 && (tenth(change / x) || tenth(100.0 * low / high));
                    return counted || is_near(own, high - low) && a.unit.is_some_and(|(d, _)| d == Dimension::Share);
                }
                let sums = [high - low, high + low].into_iter().any(|value| is_near(own, scale * value));
                sums || quantity.unit.is_none()
                    && low > 0.0
                    && (whole(high / low) || tenth(high / low) && high / low >= 1.2)
            })
        })
    }

    /// Whether two neighbouring numbers are a share that the source states: "2 of 3".
    fn is_share(&self, words: &str, part: &Quantity, of: &Quantity) -> bool {
        let (Some(&a), Some(&b)) = (part.values.first(), of.values.first()) else { return false };
        let gap = words.get(part.range.end..of.range.start).unwrap_or_default().trim().to_lowercase();
        let gap = gap.split_whitespace().next_back().unwrap_or(&gap);
        let says = OF.split('|').any(|of| gap == of) && a < b && b <= 100.0;
        let share = a / b;
        says && self.numbers.iter().any(|n| (n - share).abs() < 0.001 || (n - 100.0 * share).abs() < 0.51)
    }
}

/// Whether two values are equal up to rounding errors.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0)
}

/// Whether a number is round: at most two significant digits.
fn is_round(value: f64) -> bool {
    let digits = format!("{value}").replace('.', "");
    digits.trim_start_matches('0').trim_end_matches('0').len() <= 2
}

/// Returns the size of a source's quantity and the possible sizes of a page's, in one unit, or `None` if they can't
/// be compared.
fn sizes(own: &Quantity, said: &Said) -> Option<(f64, Vec<f64>)> {
    match (own.unit, said.unit) {
        (Some((d, size)), Some((e, other))) if d == e => {
            Some((said.value * other, own.values.iter().map(|v| v * size).collect()))
        }
        (Some(_), Some(_)) => None,
        _ => Some((said.value, own.values.clone())),
    }
}

fn is_same(own: &Quantity, said: &Said) -> bool {
    sizes(own, said).is_some_and(|(size, sizes)| sizes.iter().any(|own| is_near(*own, size)))
}

/// Whether two quantities of a source can be added.
fn comparable(a: &Said, b: &Said) -> bool {
    match (a.unit, b.unit) {
        (Some((d, _)), Some((e, _))) => d == e,
        _ => true,
    }
}

/// Returns the values of two quantities in the unit of the first one that has a unit.
fn in_one_unit(a: &Said, b: &Said) -> (f64, f64) {
    match (a.unit, b.unit) {
        (Some((_, size)), Some((_, other))) => (a.value, b.value * other / size),
        _ => (a.value, b.value),
    }
}

/// Whether a number is the minutes of a full hour: "16:00" means the same as "16".
fn is_full_hour(words: &str, number: &Range<usize>) -> bool {
    let digits = words[number.clone()].chars().map(number::ascii).eq("00".chars());
    digits && words[..number.start].ends_with([':', '：'])
}

/// Removes the scheme, `www.` and the trailing slash of an address.
fn bare(address: &str) -> &str {
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    address.strip_prefix("www.").unwrap_or(address).trim_end_matches('/')
}

impl<'a> FromIterator<&'a Sourced> for Evidence {
    fn from_iter<I: IntoIterator<Item = &'a Sourced>>(words: I) -> Self {
        let all: Vec<&str> = words.into_iter().map(|w| w.text.as_str()).collect();
        Self::of(&all.join("\n"))
    }
}

/// Returns the addresses, accounts and codes in a text.
pub(crate) fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let edge = |c: char| !(c.is_alphanumeric() || matches!(c, '@' | '#' | '/' | '_' | '-'));
    // Full-width punctuation separates words without spaces.
    let parts = |c: char| c.is_whitespace() || "，。、；：！？（）「」『』《》〈〉【】，｡．・…“”‘’«»،؛؟".contains(c);
    text.split(parts).map(move |w| without_script(w.trim_matches(edge)).trim_matches(edge)).filter(|w| {
        let labels: Vec<&str> = w.split('/').next().unwrap_or("").split('.').collect();
        let top = labels.last().is_some_and(|t| t.chars().count() >= 2 && t.chars().all(char::is_alphabetic));
        let host = labels.len() >= 2 && top && labels.iter().all(|l| l.chars().count() >= 2);
        let capitals = w.bytes().filter(u8::is_ascii_uppercase).count();
        let digits = w.bytes().filter(u8::is_ascii_digit).count();
        let code = w.len() >= 4 && digits >= 1 && capitals >= 2 && digits + capitals == w.len();
        let tag = w.starts_with('#') && w.chars().filter(|c| c.is_alphabetic()).count() > 2;
        // A scheme alone, such as "https://", is not an address.
        let url = w.split_once("://").is_some_and(|(_, rest)| rest.contains(char::is_alphanumeric));
        host || code || tag || url || (w.contains('@') && w.len() > 2)
    })
}

/// Removes the letters of a script without spaces that are directly before and after a word: "询问@ada".
fn without_script(word: &str) -> &str {
    let latin = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#');
    if word.contains(latin) { word.trim_matches(super::words::is_unspaced) } else { word }
}

/// Returns letters and digits in lower case, digits as ASCII: the form in which words are compared.
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
    fn quantities_are_compared_by_size() {
        let source = Evidence::of(
            "The course takes 90 minutes. The path is 2,500 metres long. Up to 40 % of the cost is paid. Rent rose from 480 to \
             600 euros. Two thirds sleep better. 1,987 runners came. The lease runs for ten months. Fewer than half vote.",
        );
        for said in [
            "an hour and a half",
            "1.5 h",
            "2.5 km",
            "at most 40 % of the cost",
            "120 euros more",
            "up 25 %",
            "2 of 3 sleep better",
            "about 2,000 runners",
            "nearly 2,000 runners",
        ] {
            assert_eq!(source.bears_out(said), Ok(()), "{said}");
        }
        for (wrong, is) in [
            ("25 km", "number"),
            ("40 % of the cost", "bound"),
            ("at least 40 % of the cost", "bound"),
            ("1,900 runners", "number"),
            ("up 30 %", "number"),
            ("10 years", "unit"),
            ("3 of 4 sleep better", "number"),
        ] {
            let kind = match source.bears_out(wrong) {
                Err(Unsourced::Number(_)) => "number",
                Err(Unsourced::Bound(_)) => "bound",
                Err(Unsourced::Unit(_)) => "unit",
                other => panic!("{wrong}: {other:?}"),
            };
            assert_eq!(kind, is, "{wrong}");
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
        let right = [
            "Ask @Ada.",
            "See tidelab.example!",
            "询问@ada，或看tidelab.example。",
            "https://www.tidelab.example/",
            "Code SUN30",
            "No address. At all",
            "Type https:// first",
            "e.g. this, 3.5 m",
        ];
        for said in right {
            assert_eq!(source.allows_addresses(said), Ok(()), "{said}");
        }
        for made_up in
            ["Ask @eve", "@ad", "See evil.example/x", "tidelab.examples", "SUN40", "me@tidelab.example", "#Tides"]
        {
            assert!(source.allows_addresses(made_up).is_err(), "{made_up}");
        }
    }

    #[test]
    fn the_address_behind_a_link_may_be_shown() {
        let text = "# Ask\n\nDo you need help? [Write to us](mailto:help@tidelab.example?subject=Hello) any day.";
        let source = crate::content::read_text(text).unwrap().evidence;
        assert_eq!(source.allows_addresses("Write to help@tidelab.example"), Ok(()));
        assert!(source.allows_addresses("Write to sales@tidelab.example").is_err());
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
