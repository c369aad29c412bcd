//! Finds the words of a displayed text that the source emphasises.
//!
//! A displayed text is the source's text after deletions, joined sentences, capitalised first letters and changed
//! punctuation, done in a dozen independent places. Ranges carried through all of them would shift in each, and be
//! wrong after any that forgets to shift them. So the document stores emphasised words with their neighbouring words,
//! and looks for them in the text that a page shows: their letters, in order, next to at least one of the same
//! neighbours. Words that are not found are displayed without emphasis, which loses no meaning.

use std::ops::Range;

use super::blocks::Clean;
use super::{Emphasis, Span, words};
use crate::limits;

/// Maximum letters of a neighbour that are compared.
const NEIGHBOUR: usize = 12;
/// If more than this share of the letters is emphasised, none is.
const MOST: f32 = 0.7;

/// Returns the emphasis of a passage of the source, with its ranges in the order in which they were read.
pub(super) fn of(clean: &Clean) -> impl Iterator<Item = Emphasis> {
    let letters = if clean.emphasis.is_empty() { Vec::new() } else { letters(&clean.text) };
    clean.emphasis.iter().filter_map(move |range| {
        let first = letters.partition_point(|l| l.at.start < range.start);
        let end = letters.partition_point(|l| l.at.start < range.end);
        let some = first < end && end - first <= limits::SLOT_CHARS && !is_stress(&clean.text[range.clone()]);
        let sourced = || clean.sourced(range.clone());
        some.then(|| Emphasis { words: sourced(), before: before(&letters, first), after: after(&letters, end) })
    })
}

/// Whether the emphasised words only stress how a sentence is spoken: "*very* cold", "did *not* sink". On a page such a
/// mark looks like the topic.
fn is_stress(words: &str) -> bool {
    const STRESSES: &str = "very really so much just all any every must not never is are was were do does did can will more most less only \
        this that these those and or but nor they them we us you he she our your their my who how why what when where \
        each even also actually here there then real und oder aber wir sie ihr auch et ou mais nous vous ils y o pero nosotros \
        ellos sehr wirklich nicht nie alle nur très vraiment pas jamais tous muy nunca todo todos no \
        muito nunca todos não molto mai tutti";
    let mut own = words.split_whitespace();
    let (Some(word), None) = (own.next(), own.next()) else { return false };
    words::has(STRESSES, &word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
}

/// Returns the ranges of `text` that `emphasis` marks. `text` is displayed for the source text at `span`. The ranges
/// are in order, disjoint and trimmed. Returns none if nearly all of the text would be emphasised.
pub fn emphasised(emphasis: &[Emphasis], span: Span, text: &str) -> Vec<Range<usize>> {
    let from = emphasis.partition_point(|e| e.words.span.end <= span.start);
    let near = emphasis[from..].iter().take_while(|e| e.words.span.start < span.end).take(limits::SLOT_EMPHASES);
    let mut near = near.peekable();
    if near.peek().is_none() {
        return Vec::new();
    }
    let letters = letters(text);
    let mut taken: Vec<Range<usize>> = Vec::new();
    for e in near {
        let own: Vec<char> = self::letters(&e.words.text).into_iter().map(|l| l.c).collect();
        if let Some(found) = find(&letters, &own, e, &taken) {
            taken.push(found);
        }
    }
    let share = taken.iter().map(Range::len).sum::<usize>() as f32 / letters.len().max(1) as f32;
    if share > MOST {
        return Vec::new();
    }
    taken.sort_by_key(|r| r.start);
    let bytes = taken.into_iter().map(|r| letters[r.start].at.start..letters[r.end - 1].at.end);
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in bytes {
        let range = with_signs(text, range);
        if out.last().is_none_or(|last| last.end <= range.start) {
            out.push(range);
        }
    }
    out
}

/// A letter or digit of a text in lower case, its range, and whether it begins a word.
struct Letter {
    c: char,
    at: Range<usize>,
    begins: bool,
}

fn letters(text: &str) -> Vec<Letter> {
    let mut out: Vec<Letter> = Vec::new();
    let mut apart = true;
    for (i, c) in text.char_indices() {
        if c.is_alphanumeric() {
            let lower = c.to_lowercase().next().unwrap_or(c);
            out.push(Letter { c: lower, at: i..i + c.len_utf8(), begins: apart });
            apart = false;
        } else if !matches!(c, '\'' | '’' | '\u{ad}') {
            apart = true;
        }
    }
    out
}

/// Returns the range in `letters` that matches `own`: the one with the most matching neighbours, or the first of
/// several.
fn find(letters: &[Letter], own: &[char], e: &Emphasis, taken: &[Range<usize>]) -> Option<Range<usize>> {
    let mut best: Option<(u8, Range<usize>)> = None;
    let last = letters.len().checked_sub(own.len()).filter(|_| !own.is_empty())?;
    for from in 0..=last {
        let to = from + own.len();
        if !letters[from..to].iter().map(|l| l.c).eq(own.iter().copied())
            || taken.iter().any(|t| t.start < to && from < t.end)
        {
            continue;
        }
        let (before, after) = (before(letters, from) == e.before, after(letters, to) == e.after);
        // A part of a word only matches if the source emphasises a part.
        let starts = before || letters[from].begins;
        let ends = after || letters.get(to).is_none_or(|l| l.begins);
        let score = u8::from(before) + u8::from(after);
        if starts && ends && score > best.as_ref().map_or(0, |(s, _)| *s) {
            best = Some((score, from..to));
        }
    }
    best.map(|(_, range)| range)
}

/// Returns the last letters of the word before letter `i`.
fn before(letters: &[Letter], i: usize) -> String {
    let near = &letters[i.saturating_sub(NEIGHBOUR)..i];
    let start = near.iter().rposition(|l| l.begins).unwrap_or(0);
    near[start..].iter().map(|l| l.c).collect()
}

/// Returns the first letters of the word from letter `i` on.
fn after(letters: &[Letter], i: usize) -> String {
    let rest = letters.get(i..).unwrap_or_default();
    let word = rest.iter().enumerate().take_while(|(k, l)| *k == 0 || !l.begins);
    word.take(NEIGHBOUR).map(|(_, l)| l.c).collect()
}

/// Extends a range by the signs of its numbers: "$4", "−31 %".
fn with_signs(text: &str, range: Range<usize>) -> Range<usize> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_numeric());
    let (mut start, mut end) = (range.start, range.end);
    if digit(text[range.clone()].chars().next())
        && let Some(sign) =
            text[..start].chars().next_back().filter(|c| matches!(c, '−' | '+' | '±' | '$' | '€' | '£' | '¥'))
    {
        start -= sign.len_utf8();
    }
    if digit(text[range].chars().next_back()) {
        let rest = &text[end..];
        let space = rest.chars().next().filter(|c| matches!(c, '\u{a0}' | '\u{202f}')).map_or(0, char::len_utf8);
        let sign = rest[space..].chars().next().filter(|c| matches!(c, '%' | '‰' | '°' | '$' | '€' | '£' | '¥'));
        end += sign.map_or(0, |c| space + c.len_utf8());
    }
    start..end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::content::{Document, ReadOptions, read_text, read_text_with};

    fn document(text: &str) -> Document {
        read_text(text).unwrap()
    }

    /// Returns the emphasised words of `wording`, taken from anywhere in the source.
    fn of(source: &str, wording: &str) -> Vec<String> {
        let span = Span { start: 0, end: source.len() as u32 };
        let found = emphasised(&document(source).emphasis, span, wording);
        found.into_iter().map(|r| wording[r].to_owned()).collect()
    }

    #[test]
    fn emphasis_is_read_with_its_neighbours() {
        let source = "# A *quiet* day\n\nSome **two\nwords** and ***both***, `code`.\n\n- an *item*";
        let found = document(source).emphasis;
        let all: Vec<_> = found.iter().map(|e| (e.before.as_str(), e.words.text.as_str(), e.after.as_str())).collect();
        let want = [("a", "quiet", "day"), ("some", "two words", "and"), ("and", "both", "code"), ("an", "item", "")];
        assert_eq!(all, want);
        for e in &found {
            let from = &source[e.words.span.start as usize..e.words.span.end as usize];
            assert_eq!(from.replace('\n', " "), e.words.text);
        }
    }

    #[test]
    fn stressed_words_are_no_topic() {
        assert_eq!(of("# t\n\nIt is *very* cold and did **not** sink at *the pier*.", "It is very cold"), [""; 0]);
        assert_eq!(
            of("# t\n\nIn spring **and** in *autumn* it is cold.", "In spring and in autumn it is cold"),
            ["autumn"]
        );
        assert_eq!(of("# t\n\nIt did *not* sink at *the pier* today.", "It did not sink at the pier"), ["the pier"]);
    }

    #[test]
    fn words_are_found_again_in_what_is_left_of_them() {
        let source =
            "# t\n\nHowever, the team (all of *the* nine) got *two hours* back, and **31 %** of **\"it\"** stayed.";
        assert_eq!(of(source, "The team got two hours back"), ["two hours"]);
        assert_eq!(of(source, "The team (all of the nine) got two hours back"), ["the", "two hours"]);
        assert_eq!(of(source, "Back, and 31\u{a0}% of “it” stayed there all along"), ["31\u{a0}%", "it"]);
        assert_eq!(of(source, "Two hours, or three"), [""; 0]);
    }

    #[test]
    fn all_or_nothing_is_no_emphasis() {
        assert_eq!(of("# t\n\nStop **doing more things** now.", "Doing more things"), [""; 0]);
        assert_eq!(of("# t\n\n**Whole line.** Then some.", "Whole line"), [""; 0]);
        let plain =
            read_text_with("No **marks** here", &ReadOptions { title: Some("A *t*".into()), ..ReadOptions::default() });
        assert_eq!(plain.unwrap().emphasis.len(), 1);
    }

    #[test]
    fn scripts_without_spaces_have_neighbours_too() {
        let source = "# 题\n\n每天一个**新想法**就够了。";
        assert_eq!(of(source, "每天一个新想法就够了"), ["新想法"]);
    }

    proptest! {
        #[test]
        fn ranges_are_sound(
            source in "(\\*{1,3}|_|[a-cé] |[a-c]{1,3}| \\*\\*[a-c]{1,2}\\*\\* |é\u{301}|想|1 %|, |\\. |\n\n|\\PC){1,40}",
            wording in "([a-cé ]{0,12}|想|1 %|\\PC){0,6}",
        ) {
            if let Ok(document) = read_text(&format!("# t\n\n{source}")) {
                let span = Span { start: 0, end: u32::MAX };
                prop_assert!(document.emphasis.windows(2).all(|p| p[0].words.span.start <= p[1].words.span.start));
                for text in [source.as_str(), wording.as_str()] {
                    let found = emphasised(&document.emphasis, span, text);
                    prop_assert!(found.windows(2).all(|p| p[0].end <= p[1].start));
                    prop_assert!(found.iter().all(|r| text.get(r.clone()).is_some_and(|t| !t.is_empty() && t.trim() == t)));
                }
            }
        }
    }
}
