//! Finds how many things an idea promises, and their topic: "5 tips for better sleep", "Sleep better in 5 steps".

use std::ops::Range;

use super::cues;
use super::segment::{self, trimmed};
use super::words::{self, Words};

/// Range of counts that can mean a list.
const COUNTS: std::ops::RangeInclusive<u32> = 2..=100;
/// Units that are things rather than measures, so that a count of them makes a list.
const THINGS: &str = "people teams customers users members companies employees workers readers households students patients \
    meetings emails messages calls visits downloads orders books plants trees steps pages menschen personen kunden nutzer \
    mitglieder firmen unternehmen leser bäume pflanzen bücher seiten";
/// Words between counted things and their topic.
const ABOUT: &str = "for to of about on in with that against für zu zum zur über von gegen mit pour de du des sur contre \
    avec para por sobre contra con per su di da contro voor over tegen van om для о об про по против için hakkında";

/// The count of an idea.
#[derive(Debug, Clone)]
pub(super) struct Counted {
    /// The number of things.
    pub number: u32,
    /// The range of the number.
    pub at: Range<usize>,
    /// Whether the number is written in digits.
    pub digits: bool,
    /// The text after the number.
    pub rest: Range<usize>,
    /// The topic of the counted things.
    pub topic: Option<Range<usize>>,
}

/// Returns the number of things that a head promises: "5 tips for better sleep", "Top 10 mistakes", "Sleep better in
/// 5 steps".
pub(super) fn count(text: &str, head: &Range<usize>, lexicon: &Words) -> Option<Counted> {
    let part = &text[head.clone()];
    let mut at = 0;
    for (place, word) in part.split_whitespace().enumerate() {
        let start = part[at..].find(word).map_or(at, |i| at + i);
        at = start + word.len();
        // "睡眠を良くする5つの…": in scripts without spaces, a number appears in the middle of an apparent word.
        let within = word.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
        let unspaced = word[..within].chars().all(|c| u32::from(c) >= 0x2e80);
        let (start, word) = if unspaced { (start + within, &word[within..]) } else { (start, word) };
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        let glued = &word[digits.len()..];
        let (number, len) = match digits.parse::<u32>() {
            // "5つの…": in scripts without spaces, the counted thing follows directly.
            Ok(n) if glued.is_empty() || glued.chars().next().is_some_and(|c| u32::from(c) >= 0x0e00) => {
                (n, digits.len())
            }
            Ok(_) => return None,
            Err(_) => match cues::number(word, lexicon.code) {
                Some(n) => (n, word.len()),
                None => continue,
            },
        };
        let behind = part[start + len..].trim_start();
        let next = behind.split_whitespace().next().unwrap_or("").to_lowercase();
        let noun = next.trim_end_matches(|c: char| !c.is_alphanumeric());
        // "30 % off", "3 in 4", "10 years" are a measure, a share and a time.
        let counts = noun.chars().next().is_some_and(char::is_alphabetic)
            && (!words::has(lexicon.units, noun) || words::has(THINGS, noun))
            && !words::has(lexicon.function, noun)
            && !words::has(lexicon.of_many, noun)
            && !is_month(noun);
        // After other words, the noun must be a known countable one: "in 5 steps", but not "Route 66 diners".
        let known = place <= 1 || is_counted_noun(noun, lexicon);
        if !counts || !known || !COUNTS.contains(&number) {
            return None;
        }
        let rest_start = head.end - behind.len();
        let topic = if place <= 1 { topic_behind(text, rest_start..head.end, lexicon) } else { None };
        let topic = topic.or_else(|| topic_before(text, head.start..head.start + start, lexicon));
        return Some(Counted {
            number,
            at: head.start + start..head.start + start + len,
            digits: !digits.is_empty(),
            rest: rest_start..head.end,
            topic,
        });
    }
    None
}

/// Whether a noun, singular or plural, is one that lists count.
fn is_counted_noun(noun: &str, lexicon: &Words) -> bool {
    let known = |n: &str| lexicon.numbered.split([' ', '|']).any(|w| !w.is_empty() && n.starts_with(w));
    known(noun)
}

/// Finds the topic after the counted noun and a preposition: "tips for better sleep" is about "better sleep".
fn topic_behind(text: &str, rest: Range<usize>, lexicon: &Words) -> Option<Range<usize>> {
    let part = &text[rest.clone()];
    let mut at = 0;
    for (place, word) in part.split_whitespace().enumerate().take(4) {
        let start = at + part[at..].find(word)?;
        at = start + word.len();
        let lower = word.to_lowercase();
        if place >= 1 && (words::has(lexicon.function, &lower) || words::has(ABOUT, &lower)) {
            let range = trimmed(text, rest.start + at..rest.end);
            return (!range.is_empty()).then_some(range);
        }
    }
    None
}

/// Finds the topic before the count and its preposition: "Sleep better in 5 steps" is about "Sleep better".
fn topic_before(text: &str, front: Range<usize>, lexicon: &Words) -> Option<Range<usize>> {
    let mut range = trimmed(text, front);
    while let Some(last) = text[range.clone()].split_whitespace().next_back() {
        if !words::has(lexicon.function, &last.to_lowercase()) {
            break;
        }
        range = trimmed(text, range.start..range.end - last.len());
    }
    (segment::count_words(&text[range.clone()]) >= 2).then_some(range)
}

/// Whether a word names a month, in full or abbreviated, in languages that write the day before it.
fn is_month(word: &str) -> bool {
    const MONTHS: &str = "january february march april may june july august september october november december jan feb mar \
        apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril \
        juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre \
        octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre января февраля \
        марта апреля мая июня июля августа сентября октября ноября декабря ocak şubat mart nisan mayıs haziran temmuz \
        ağustos eylül ekim kasım aralık";
    words::has(MONTHS, word)
}
