//! Splits text into sentences and words.

use std::ops::Range;

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use unicode_segmentation::UnicodeSegmentation;

use super::words::{self, Words};
use crate::cancel;

/// Maximum bytes within which an open quotation joins sentences.
const QUOTED_BYTES: usize = 600;
/// Upper bound for the bytes of an abbreviation.
const ABBREVIATION: usize = 64;

/// Returns `range` of `text` without the white space at its ends.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let end = range.end - (part.len() - part.trim_end().len());
    start..end.max(start)
}

/// Whether `text` has a letter or a number.
pub(super) fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Whether `text` contains a word or phrase of a `|`-separated list.
pub(super) fn says_any(text: &str, list: &str) -> bool {
    let words = words_of(text);
    let lower = text.to_lowercase();
    list.split('|').filter(|phrase| !phrase.is_empty()).any(|phrase| {
        let whole = phrase.contains(' ') || phrase.starts_with(words::is_unspaced);
        if whole { lower.contains(phrase) } else { words.iter().any(|w| w == phrase) }
    })
}

/// Returns the sentences of `text` as byte ranges without the white space between them.
///
/// Boundaries follow Unicode Annex 29, except after abbreviations and initials, within quotations and parentheses,
/// and before lower case. In a text written without capitals, sentences also end before lower case.
pub(crate) fn sentences(text: &str, lexicon: &Words) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut depth = Depth::default();
    let casual = text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    let bounds = text.split_sentence_bound_indices().flat_map(|(start, part)| {
        let inner = if casual { stops(part, lexicon) } else { Vec::new() };
        inner.into_iter().map(move |at| start + at).chain(std::iter::once(start + part.len() - opener(part)))
    });
    let mut from = 0;
    for end in bounds {
        cancel::tick();
        let range = trimmed(text, from..end);
        from = end;
        if range.is_empty() {
            continue;
        }
        let joins = out.last().is_some_and(|last: &Range<usize>| {
            let before = &text[last.clone()];
            let open = depth.is_open() && before.len() < QUOTED_BYTES;
            open || ends_in_abbreviation(before, lexicon)
                || continues(&text[range.clone()], casual)
                || continues_quotation(before, &text[range.clone()])
        });
        if joins {
            if let Some(last) = out.last_mut() {
                last.end = range.end;
            }
        } else {
            depth = Depth::default();
            out.push(range.clone());
        }
        depth.read(&text[range]);
    }
    out
}

/// Returns the ends of sentences within `part` of a text written without capitals: after a period, unless the word
/// before it is short or an abbreviation.
fn stops(part: &str, lexicon: &Words) -> Vec<usize> {
    let ends = part.match_indices(". ").map(|(at, _)| at + 1);
    ends.filter(|end| {
        let sentence = &part[..*end];
        let word = sentence[..end - 1].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        word.chars().count() >= 3 && !ends_in_abbreviation(sentence, lexicon)
    })
    .collect()
}

/// Returns the byte length of a mark at the end of `part` that opens the next sentence. Without a space between them,
/// Annex 29 treats it as a closing mark.
fn opener(part: &str) -> usize {
    let mut back = part.chars().rev();
    let mark = back.next().filter(|c| matches!(c, '“' | '‘' | '「' | '『' | '《' | '（'));
    let after_stop = matches!(back.next(), Some('。' | '！' | '？' | '”' | '」' | '』'));
    mark.filter(|_| after_stop).map_or(0, char::len_utf8)
}

/// Returns the words of `text` in lower case: letters and digits, with apostrophes and periods inside.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    each_word(text, |word| out.push(word.to_lowercase()));
    out
}

/// Returns the number of words.
pub(crate) fn count_words(text: &str) -> usize {
    let mut n = 0;
    each_word(text, |_| n += 1);
    n
}

/// Calls `take` with each word, split by Unicode Annex 29, and by dictionary in scripts without spaces between words.
fn each_word<'t>(text: &'t str, mut take: impl FnMut(&'t str)) {
    if !text.chars().any(words::is_unspaced) {
        text.unicode_words().for_each(take);
        return;
    }
    let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
    let mut from = 0;
    for (to, kind) in segmenter.segment_str(text).iter_with_word_type() {
        if kind.is_word_like() {
            take(&text[from..to]);
        }
        from = to;
    }
}

/// The number of open quotation marks and parentheses.
#[derive(Default)]
struct Depth {
    quotes: i32,
    straight: bool,
    parens: i32,
}

impl Depth {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '“' if self.quotes > 0 => self.quotes = 0,
                '“' | '„' | '«' | '「' | '『' => self.quotes += 1,
                '”' | '»' | '」' | '』' => self.quotes = (self.quotes - 1).max(0),
                '"' => self.straight = !self.straight,
                '(' | '[' | '（' => self.parens += 1,
                ')' | ']' | '）' => self.parens = (self.parens - 1).max(0),
                _ => {}
            }
        }
    }

    fn is_open(&self) -> bool {
        self.quotes > 0 || self.straight || self.parens > 0
    }
}

/// Returns whether a text ends in an abbreviation, an initial or an ordinal number, whose period ends no sentence.
pub(super) fn ends_in_abbreviation(sentence: &str, lexicon: &Words) -> bool {
    let Some(body) = sentence.strip_suffix('.') else { return false };
    // A longer run of letters is no abbreviation.
    let near = &body[body.floor_char_boundary(body.len().saturating_sub(ABBREVIATION))..];
    let word =
        near.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '“' | '"' | '„' | '«')).next().unwrap_or("");
    if word.len() == near.len() && near.len() < body.len() {
        return false;
    }
    let lower = word.to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    // A day of the month in a language that writes it with a period: "am 3. Mai".
    let ordinal =
        lexicon.code == "de" && word.len() <= 2 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    initial || ordinal || words::has(lexicon.abbreviations, &lower)
}

/// Whether a Japanese sentence continues after a quotation: 「…。」と言う.
fn continues_quotation(before: &str, behind: &str) -> bool {
    before.ends_with(['」', '』']) && behind.starts_with(['と', 'っ', 'は', 'が', 'を', 'の', 'に', 'も'])
}

/// Whether a passage can't open a sentence.
fn continues(text: &str, casual: bool) -> bool {
    let first = text.chars().find(|c| !c.is_whitespace());
    first.is_some_and(|c| c.is_lowercase() && !casual || matches!(c, '–' | '—' | ')' | ',' | ';' | '”' | '»'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split<'a>(text: &'a str, code: &str) -> Vec<&'a str> {
        sentences(text, words::of(code)).into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(split("One. Two! Three?", "en"), ["One.", "Two!", "Three?"]);
        assert_eq!(
            split("no caps here. just stops, e.g. this one. ok", "en"),
            ["no caps here.", "just stops, e.g. this one.", "ok"]
        );
        assert_eq!(split("她说。“很好。”他笑了。", "zh"), ["她说。", "“很好。”", "他笑了。"]);
        assert_eq!(
            split("Ask Dr. Mole, e.g. on Monday. She knows.", "en"),
            ["Ask Dr. Mole, e.g. on Monday.", "She knows."]
        );
        assert_eq!(split("It rose by 3.5 points. Then it fell.", "en"), ["It rose by 3.5 points.", "Then it fell."]);
        assert_eq!(split("J. R. Stone left. He ran.", "en"), ["J. R. Stone left.", "He ran."]);
        assert_eq!(split("“We stopped. It helped,” she said. Then silence.", "en").len(), 2);
        assert_eq!(split("Am 3. Mai, d. h. morgen. Gut.", "de"), ["Am 3. Mai, d. h. morgen.", "Gut."]);
        assert_eq!(split("Она ушла. Он, т. е. сосед, остался.", "ru").len(), 2);
        assert!(split("   ", "en").is_empty());
        assert_eq!(split("「魚は多い。」と言う。次は海。", "ja"), ["「魚は多い。」と言う。", "次は海。"]);
        assert_eq!(split("पानी दीजिए। धूप देखिए।", "hi").len(), 2);
        assert_eq!(split("هل نمت؟ نم مبكرا.", "ar").len(), 2);
    }

    #[test]
    fn words_by_dictionary_where_nothing_parts_them() {
        assert_eq!(words_of("图书馆取消罚款"), ["图书", "馆", "取消", "罚款"]);
        assert_eq!(count_words("Moss grows 3.5 times as fast"), 6);
        assert_eq!(words_of("水を飲む"), ["水", "を", "飲む"]);
    }
}
