//! The figure that a sentence is about, which its page sets at poster size.

use std::ops::Range;

use super::entities::is_currency;
use super::figures::is_doubtful;
use super::headline::{measured, unit};
use super::number;
use super::segment;
use super::words;

/// Maximum bytes of a sentence that is searched.
const LONGEST: usize = 1200;
/// Maximum characters of a figure that leads a sentence, and number of figures in the sentence.
const STATED: usize = 16;
const FIGURES: usize = 2;
/// Least number of counted things, and of units, that makes a figure. Number of words after it that may name the things.
const MANY: f64 = 20.0;
const FEW: f64 = 5.0;
const COUNTED: usize = 3;

/// Returns the range of the figure that a sentence is about: a share, a multiple, a sum of money, a number with its unit,
/// or in English a number of counted things ("34 projects"). Words that qualify it ("almost") stay before it. Returns
/// `None` if the sentence denies or supposes it, states more than two figures, or continues with a comma.
pub fn stated(text: &str, language: &str) -> Option<Range<usize>> {
    // Most texts have no figure, and templates ask for that of every text.
    if text.len() > LONGEST || !text.contains(char::is_numeric) {
        return None;
    }
    let lexicon = words::of(language);
    if text.trim_end().ends_with(['?', '？', '؟']) || segment::sentences(text, lexicon).len() != 1 {
        return None;
    }
    let counted = |at: &Range<usize>, values: &[f64]| {
        let plural = |word: &str| {
            let noun = word.ends_with('s') && !word.ends_with("ss") && word.chars().all(char::is_lowercase);
            (noun || word == "people") && !words::has(lexicon.function, word)
        };
        let next = || text[at.end..].split([' ', ',', '.']).filter(|word| !word.is_empty()).take(COUNTED);
        // "Schedule 70", "the top 20" and "2016" count nothing.
        let named = text[..at.start]
            .split_whitespace()
            .next_back()
            .is_some_and(|word| word.starts_with(char::is_uppercase) || words::has("top that this those these", word));
        let year = values.iter().any(|value| (1800.0..2100.0).contains(value)) && !text[at.clone()].contains(',');
        let spaced = text[..at.start].ends_with(' ') || at.start == 0;
        let many = values.iter().all(|value| *value >= MANY);
        (lexicon.code == "en" && spaced && many && !year && (!named || at.start == 0) && next().any(plural))
            .then(|| at.clone())
    };
    let found = number::all(text).into_iter().filter_map(|found| {
        let behind = &text[found.range.end..];
        let range = found.range.start > 0 && text[..found.range.start].ends_with(['-', '–', '—', '/', ':']);
        let range = range || behind.starts_with(['-', '–', '—', '/', ':']);
        let power = text[found.range.clone()].contains(char::is_alphabetic);
        let key = measured(text, found.range.clone(), lexicon).or_else(|| power.then(|| found.range.clone()));
        let sign = key.as_ref().is_some_and(|key| *key != found.range);
        let key = key.or_else(|| counted(&found.range, &found.values)).filter(|_| !range)?;
        let unit = unit(text, key.end, lexicon).filter(|_| !power && !sign).map_or(0, str::len);
        let pointed = text[..key.start].trim_end().rsplit(' ').next().is_some_and(|w| words::has("that this", w));
        let small = pointed || unit > 0 && found.values.iter().all(|value| *value < FEW);
        (!small).then_some((sign || power, key.start..key.end + unit))
    });
    let found: Vec<(bool, Range<usize>)> = found.collect();
    // "30 to 60 minutes" and "from $3,500 to $1" state two ends.
    let money = |at: &Range<usize>| text[at.clone()].contains(is_currency);
    let ends = found.iter().filter(|(_, at)| money(at)).count() > 1
        || found.windows(2).any(|pair| text[pair[0].1.end..pair[1].1.start].split_whitespace().count() <= 1);
    let (_, key) =
        found.iter().find(|(strong, _)| *strong).or(found.first()).filter(|_| !ends && found.len() <= FIGURES)?;
    // A full stop behind the figure belongs to it.
    let stop = text[key.end..].chars().take_while(|c| matches!(c, '.' | '!' | '。')).map(char::len_utf8).sum::<usize>();
    let key = key.start..key.end + stop;
    let free = text[key.end..].is_empty() || text[key.end..].starts_with(' ');
    let ago = text[key.end..].trim_start().starts_with("ago");
    let doubtful = is_doubtful(text, &key, lexicon);
    (free && !ago && !doubtful && text[key.clone()].chars().count() <= STATED).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_states_a_figure() {
        let of = |text: &'static str, code: &str| stated(text, code).map(|range| &text[range]);
        for (text, key) in [
            ("More than 150 million sailors use our tide tables every year.", Some("150 million")),
            ("By June, almost 35 percent of the boats were back at sea.", Some("35 percent")),
            ("The crew now mends over 60 boats in every season of the year.", Some("60")),
            ("Last year the harbour saved $150,000.", Some("$150,000.")),
            ("A boat has served this town for more than 60 years.", Some("60 years.")),
            ("A shift lasts from 30 to 60 minutes for every one of the crews.", None),
            ("Bids start at $3,500 and end at $1 in every auction of the town.", None),
            ("In 2016 boats were rare in the harbour of the town.", None),
            ("The rules of Section 508 apply to all boats of the town.", None),
            ("If 60 boats come back, the harbour is full.", None),
            ("Do 60 boats fit into the harbour of the town?", None),
        ] {
            assert_eq!(of(text, "en"), key, "{text}");
        }
        assert_eq!(of("Im letzten Jahr kamen 35 % der Boote wieder in den Hafen.", "de"), Some("35 %"));
    }
}
