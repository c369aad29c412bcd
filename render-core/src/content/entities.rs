//! Finds the named entities of a text: money, shares, dates, times, places, people, organisations, codes, accounts,
//! addresses.
//!
//! Most are recognised by numbers and punctuation in any language. Names are recognised by capitals and neighbouring
//! words. In languages without capitals they are only found next to a title or within a quotation's attribution.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::blocks::Clean;
use super::dates::{self, Precision};
use super::words::terms::Terms;
use super::words::{self, Words};
use super::{Sourced, calls, number, segment};
use crate::{cancel, limits};

/// Maximum words of a name.
const NAME_WORDS: usize = 5;

/// A named entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// The kind of entity.
    pub kind: EntityKind,
    /// The name as the text writes it.
    pub words: Sourced,
    /// The value of money and of shares, with powers of ten applied.
    pub number: Option<f64>,
}

/// The kinds of entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// An amount of money.
    Money,
    /// A percentage.
    Percent,
    /// A day, a month or a year.
    Date,
    /// A time of day.
    Time,
    /// A place.
    Place,
    /// A person.
    Person,
    /// A company, a council, a club.
    Organisation,
    /// A code to enter: "SUN30".
    Code,
    /// An account: "@tidelab".
    Handle,
    /// A web address.
    Url,
}

/// Returns the entities of a clean text, in order.
pub(super) fn of(clean: &Clean, lexicon: &Words, terms: &Terms) -> Vec<Entity> {
    let text = clean.text.as_str();
    let mut found: Vec<(EntityKind, Range<usize>, Option<f64>)> = Vec::new();
    let mut add = |kind, range: Range<usize>, number| {
        if !found.iter().rev().take(8).any(|(_, r, _)| r.start < range.end && range.start < r.end) {
            found.push((kind, range, number));
        }
    };
    for (at, word) in calls::words_at(text) {
        if let Some(range) = calls::handle_of(word) {
            add(EntityKind::Handle, at + range.start..at + range.end, None);
        } else if let Some(len) = calls::site_of(word) {
            add(EntityKind::Url, at..at + len, None);
        }
    }
    for date in dates::all(text, terms) {
        let kind = if date.precision == Precision::Time { EntityKind::Time } else { EntityKind::Date };
        add(kind, date.range, None);
    }
    for (kind, range, number) in sums(text) {
        add(kind, range, Some(number));
    }
    for range in codes(text, terms) {
        add(EntityKind::Code, range, None);
    }
    for (kind, range) in names(text, lexicon, terms) {
        add(kind, range, None);
    }
    found.sort_by_key(|(_, range, _)| range.start);
    found.into_iter().map(|(kind, range, number)| Entity { kind, words: clean.sourced(range), number }).collect()
}

/// Returns the distinct entities of a document's texts, up to the limit of a document.
pub(super) fn distinct(all: impl Iterator<Item = Entity>) -> Vec<Entity> {
    let mut seen: BTreeSet<(EntityKind, String)> = BTreeSet::new();
    let fresh = all.filter(|e| seen.insert((e.kind, e.words.text.to_lowercase())));
    fresh.take(limits::DOCUMENT_ENTITIES).collect()
}

/// Returns amounts of money and percentages, with their values.
fn sums(text: &str) -> Vec<(EntityKind, Range<usize>, f64)> {
    let mut out = Vec::new();
    for written in number::all(text) {
        let Some(value) = written.values.first().copied() else { continue };
        let before = &text[..written.range.start];
        let behind = &text[written.range.end..];
        let lead = behind.len() - behind.trim_start_matches([' ', '\u{a0}', '\u{202f}']).len();
        let close = behind[lead..].chars().next().filter(|_| lead <= 3);
        let sign = before.trim_end().chars().next_back().filter(|_| before.len() - before.trim_end().len() <= 2);
        if let Some(c) = close.filter(|c| matches!(c, '%' | '％' | '٪')) {
            out.push((EntityKind::Percent, written.range.start..written.range.end + lead + c.len_utf8(), value));
        } else if let Some(c) = sign.filter(|c| is_currency(*c)) {
            let start = before.trim_end().len() - c.len_utf8();
            out.push((EntityKind::Money, start..written.range.end, value));
        } else if let Some(c) = close.filter(|c| is_currency(*c) || *c == '元' || *c == '円') {
            out.push((EntityKind::Money, written.range.start..written.range.end + lead + c.len_utf8(), value));
        } else if lead > 0 {
            let word = behind[lead..].split(|c: char| !c.is_alphabetic() && !words::is_mark(c)).next().unwrap_or("");
            let end = written.range.end + lead + word.len();
            if words::has(PERCENT_WORDS, &word.to_lowercase()) {
                out.push((EntityKind::Percent, written.range.start..end, value));
            } else if words::has(CURRENCY_WORDS, &word.to_lowercase()) {
                out.push((EntityKind::Money, written.range.start..end, value));
            }
        }
    }
    out
}

/// Whether a character is a currency sign.
pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '￥' | '₽' | '₹' | '₴' | '₺' | '₩' | '₪' | '₫' | '₦' | '฿')
}

pub(crate) const PERCENT_WORDS: &str =
    "percent prozent procent percento процент процента процентов パーセント yüzde प्रतिशत फ़ीसदी फीसदी";
/// Names of currencies, for texts that spell them out.
pub(crate) const CURRENCY_WORDS: &str = "euro euros eur dollar dollars usd pounds gbp cents cent рубль рубля рублей ευρώ reais lira tl रुपये रुपए रुपया ريال \
    ريالًا درهم دينار جنيه دولار يورو francs francos franken chf kronen kr zloty yen yuan rupees";

/// Finds codes, written in capitals and digits, or after a word such as "code".
fn codes(text: &str, terms: &Terms) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut said = false;
    for (at, word) in calls::words_at(text) {
        let bare = word.trim_end_matches(['.', ',', ';', ':', ')', '!', '?', '”', '"', '»']);
        let shouted = bare.len() >= 4
            && bare.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-')
            && bare.bytes().any(|b| b.is_ascii_uppercase());
        let mixed = shouted && bare.bytes().any(|b| b.is_ascii_digit()) && !bare.contains('-');
        if mixed || said && shouted {
            out.push(at..at + bare.len());
        }
        let label = word.trim_end_matches([':', '：']).to_lowercase();
        // "code is SUN", "code: SUN".
        said = words::is_one_of(terms.code_words, &label) || said && label == "is";
    }
    out
}

/// Finds names by their capitals: people next to a title or a verb of saying, organisations by a word in the name,
/// places after a preposition.
fn names(text: &str, lexicon: &Words, terms: &Terms) -> Vec<(EntityKind, Range<usize>)> {
    let mut out = Vec::new();
    let parts: Vec<(usize, &str)> = calls::words_at(text).collect();
    let mut i = 0;
    while i < parts.len() {
        cancel::tick();
        let run = parts[i..].iter().take(NAME_WORDS).enumerate();
        let mut len = 0;
        for (k, (_, word)) in run {
            let opens = word.chars().next().is_some_and(char::is_uppercase);
            let link = len > 0
                && (words::has("de del della von van der den du da di la le el al y e &", word)
                    || *word == "of" && is_office(parts[i + k - 1].1, terms));
            if !(opens || link) {
                break;
            }
            if opens {
                len = k + 1;
            }
            if word.ends_with(['.', ',', ';', ':', '!', '?', ')', '”', '"', '»']) && !is_honorific(word, terms) {
                break;
            }
        }
        if len == 0 {
            i += 1;
            continue;
        }
        let end_of = |k: usize| {
            let (at, word) = parts[k];
            at + word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '”', '"', '»', '’', '\'']).len()
        };
        let range = parts[i].0..end_of(i + len - 1);
        let name = &parts[i..i + len];
        let lower = |k: usize| name[k].1.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).to_lowercase();
        let opens_sentence = i == 0 || parts[i - 1].1.ends_with(['.', '!', '?', ':', '”', '"', '»']);
        let says = |k: usize| {
            parts.get(k).is_some_and(|(_, w)| {
                words::has(lexicon.saying, &w.trim_end_matches(['.', ',', ':', ';']).to_lowercase())
            })
        };
        let beside_saying = says(i + len) || i > 0 && says(i - 1);
        let before = i.checked_sub(1).map(|k| parts[k].1.to_lowercase());
        let organisation = name.iter().any(|(_, word)| is_office(word, terms));
        let honoured = len > 1 && is_honorific(name[0].1, terms);
        if organisation && (len > 1 || !opens_sentence && lexicon.code != "de") {
            out.push((EntityKind::Organisation, range));
        } else if honoured || beside_saying && len > 1 {
            out.push((EntityKind::Person, range));
        } else if before.is_some_and(|b| words::has(IN, &b))
            && lexicon.code != "de"
            && terms.month(&lower(0)).is_none()
            && name[0].1.chars().nth(1).is_some_and(char::is_lowercase)
        {
            out.push((EntityKind::Place, range));
        } else if is_acronym(&text[range.clone()]) {
            out.push((EntityKind::Organisation, range));
        }
        i += len;
    }
    out
}

/// Prepositions before places.
const IN: &str = "in at near from in's à en au dans em a во в из στο στη στην από";

/// Whether a word is part of names of organisations.
fn is_office(word: &str, terms: &Terms) -> bool {
    let lower = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).to_lowercase();
    words::is_one_of(terms.organisations, &lower)
}

fn is_honorific(word: &str, terms: &Terms) -> bool {
    let lower = word.trim_end_matches(['.', ',']).to_lowercase();
    words::is_one_of(terms.honorifics, &lower)
}

/// Whether a name consists of three to six capitals.
fn is_acronym(name: &str) -> bool {
    (3..=6).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase()) && segment::count_words(name) == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::words::terms;
    use super::*;

    fn found(text: &str, code: &str) -> Vec<(EntityKind, String)> {
        let mut clean = Clean::default();
        clean.push(text, 0..text.len());
        let clean = clean.finish();
        of(&clean, words::of(code), terms::of(code)).into_iter().map(|e| (e.kind, e.words.text)).collect()
    }

    #[test]
    fn numbers_and_marks() {
        use EntityKind::{Code, Date, Handle, Money, Percent, Time, Url};
        let got = found("Save 30 % until 31 August at 18:00 with code SUN30: €4.50 at shop.example or @shop.", "en");
        let want = [
            (Percent, "30 %"),
            (Date, "31 August"),
            (Time, "18:00"),
            (Code, "SUN30"),
            (Money, "€4.50"),
            (Url, "shop.example"),
            (Handle, "@shop"),
        ];
        assert_eq!(got, want.map(|(k, t)| (k, t.to_owned())));
        let value = |text: &str| {
            let mut clean = Clean::default();
            clean.push(text, 0..text.len());
            of(&clean.finish(), words::of("de"), terms::of("de")).into_iter().next().and_then(|e| e.number)
        };
        assert_eq!(value("6,4 Millionen Euro"), Some(6.4e6));
        assert_eq!(value("58 Prozent"), Some(58.0));
    }

    #[test]
    fn names_by_the_words_around_them() {
        use EntityKind::{Organisation, Person, Place};
        let all = found("The Tide Lab in Leeds asked Dr. Ada Moor. “Yes,” said Tom Quill of NASA.", "en");
        for want in [
            (Organisation, "The Tide Lab"),
            (Place, "Leeds"),
            (Person, "Dr. Ada Moor"),
            (Person, "Tom Quill"),
            (Organisation, "NASA"),
        ] {
            assert!(all.contains(&(want.0, want.1.to_owned())), "{want:?} {all:?}");
        }
        assert!(found("Water early. In summer the ground is warm.", "en").is_empty());
    }

    proptest! {
        #[test]
        fn reads_anything(text in "([A-Z][a-z]{0,5} |[0-9]{1,4}|[%€$.,: @]| in | said |code |\\PC){0,30}") {
            for code in ["en", "de", "ja"] {
                let _ = found(&text, code);
            }
        }
    }
}
