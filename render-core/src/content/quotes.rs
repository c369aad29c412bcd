//! Quotations: somebody's words with their name, never paraphrased.

use std::ops::Range;

use super::Sourced;
use super::blocks::{Clean, trimmed};
use super::segment;
use super::words::{self, Words};

/// Fewest words of a quotation in running text.
const LEAST_WORDS: usize = 6;
/// Characters of the longest attribution.
const WHO: usize = 80;

/// Somebody's words.
pub(super) struct Said {
    /// The words without quotation marks.
    pub text: Sourced,
    /// Who said them.
    pub who: Option<Sourced>,
    /// How surely it is a quotation, 0–1.
    pub score: f32,
    /// What it covers of the clean text.
    pub range: Range<usize>,
}

/// The quotation of a block that is set off from the text.
pub(super) fn block(clean: &Clean) -> Option<Said> {
    let text = clean.text.as_str();
    let mut end = text.len();
    let mut who = None;
    // The last line, or what stands behind a dash after the closing mark.
    let lines = clean.breaks.last().copied().filter(|b| starts_with_dash(&text[*b..]));
    let behind =
        text.char_indices().filter(|(i, _)| closes_then_dash(text, *i)).map(|(i, c)| i + c.len_utf8()).next_back();
    if let Some(at) = lines.or(behind) {
        let name = trimmed_dash(text, at..text.len());
        if !name.is_empty() && text[name.clone()].chars().count() <= WHO {
            who = Some(clean.sourced(name));
            end = at;
        }
    }
    let inner = unquoted(text, 0..end);
    if segment::count_words(&text[inner.clone()]) < 3 {
        return None;
    }
    let score = if who.is_some() { 0.95 } else { 0.5 };
    Some(Said { text: clean.sourced(inner), who, score, range: 0..text.len() })
}

/// A paragraph that only names who said what stands above it: "— Name".
pub(super) fn attribution(clean: &Clean) -> Option<Sourced> {
    let text = clean.text.as_str();
    let name = trimmed_dash(text, 0..text.len());
    let short = text.chars().count() <= WHO && segment::count_words(text) >= 1;
    (starts_with_dash(text) && short && !name.is_empty()).then(|| clean.sourced(name))
}

/// The quotations of a paragraph: six words or more within quotation marks, and a name beside a verb of saying.
pub(super) fn inline(clean: &Clean, lexicon: &Words) -> Vec<Said> {
    let text = clean.text.as_str();
    let mut out: Vec<Said> = Vec::new();
    for outer in enclosed(text, false) {
        let inner = unquoted(text, outer.clone());
        if segment::count_words(&text[inner.clone()]) < LEAST_WORDS {
            continue;
        }
        let who = named_after(text, outer.end, lexicon).or_else(|| named_before(text, outer.start, lexicon));
        if let Some(who) = who {
            let range = outer.start.min(who.start)..outer.end.max(who.end);
            out.push(Said { text: clean.sourced(inner), who: Some(clean.sourced(who)), score: 0.85, range });
        }
    }
    out
}

/// Ranges of `text` within quotation marks, marks included; with `brackets`, within parentheses and brackets too, and
/// what is opened and never closed then reaches to the end.
pub(super) fn enclosed(text: &str, brackets: bool) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (i, c) in text.char_indices() {
        match open {
            Some((from, close)) if c == close || (close == '“' && c == '”') => {
                out.push(from..i + c.len_utf8());
                open = None;
            }
            Some(_) => {}
            None => {
                open = match c {
                    '“' => Some((i, '”')),
                    '„' => Some((i, '“')),
                    '«' => Some((i, '»')),
                    '"' => Some((i, '"')),
                    '(' if brackets => Some((i, ')')),
                    '[' if brackets => Some((i, ']')),
                    _ => None,
                }
            }
        }
    }
    if let (true, Some((from, _))) = (brackets, open) {
        out.push(from..text.len());
    }
    out
}

/// A range without the quotation marks at its ends, and without the comma that leads on to the speaker.
fn unquoted(text: &str, range: Range<usize>) -> Range<usize> {
    let mut r = trimmed(text, range);
    // A full stop behind the closing mark is the sentence's, not the speaker's.
    let stop = text[r.clone()].strip_suffix('.').is_some_and(|t| t.ends_with(['”', '“', '»', '"']));
    r.end -= usize::from(stop);
    let part = &text[r.clone()];
    let opens = part.chars().next().is_some_and(|c| matches!(c, '“' | '„' | '«' | '"' | '‘'));
    let closes = part.chars().next_back().is_some_and(|c| matches!(c, '”' | '“' | '»' | '"' | '’'));
    if opens && closes && part.chars().count() > 2 {
        r.start += part.chars().next().map_or(0, char::len_utf8);
        r.end -= part.chars().next_back().map_or(0, char::len_utf8);
    }
    let r = trimmed(text, r);
    r.start..r.start + text[r.clone()].trim_end_matches(',').len()
}

fn starts_with_dash(text: &str) -> bool {
    text.trim_start().starts_with(['—', '–', '―', '-', '~'])
}

/// Whether the character at `i` closes a quotation that a dash and a name follow.
fn closes_then_dash(text: &str, i: usize) -> bool {
    let c = text[i..].chars().next();
    let closing = matches!(c, Some('”' | '“' | '»' | '"' | '.' | '!' | '?'));
    closing
        && c.is_some_and(|c| {
            let rest = text[i + c.len_utf8()..].trim_start();
            rest.starts_with(['—', '–', '―']) && rest.chars().nth(1) == Some(' ')
        })
}

fn trimmed_dash(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let name = part.trim_start().trim_start_matches(['—', '–', '―', '-', '~', ' ']);
    trimmed(text, range.end - name.len()..range.end)
}

/// "…” says Ada Moor, who runs the desk." or "…” Ada Moor says."
fn named_after(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    let rest = &text[at..];
    let lead = rest.len() - rest.trim_start_matches([' ', ',', '–', '—']).len();
    let start = at + lead;
    let stop = text[start..].find(['.', '“', '„', '«', '"', '!', '?', ';', ':']).map_or(text.len(), |i| start + i);
    let part = &text[start..stop];
    let (first, tail) = part.split_once(' ')?;
    if words::has(lexicon.saying, &first.to_lowercase()) {
        let name = trimmed(text, stop - tail.len()..stop);
        return plausible(text, name);
    }
    let verb = part.split_whitespace().position(|w| words::has(lexicon.saying, &w.to_lowercase()))?;
    if !(1..=5).contains(&verb) {
        return None;
    }
    let len = part.split_whitespace().nth(verb).and_then(|w| offset_in(part, w))?;
    plausible(text, trimmed(text, start..start + len))
}

/// "Ada Moor says: “…"
fn named_before(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    let front = text[..at].trim_end().trim_end_matches([':', ',']);
    let start = front
        .rfind(['.', '!', '?', '”', '»', ';'])
        .map_or(0, |i| i + front[i..].chars().next().map_or(1, char::len_utf8));
    let part = &front[start..];
    let verb = part.split_whitespace().rfind(|w| words::has(lexicon.saying, &w.to_lowercase()))?;
    let verb_at = offset_in(part, verb)?;
    if segment::count_words(&part[verb_at..]) > 3 {
        return None;
    }
    plausible(text, trimmed(text, start..start + verb_at))
}

fn offset_in(whole: &str, part: &str) -> Option<usize> {
    (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize).filter(|o| *o <= whole.len())
}

/// A name opens with a capital and is short; what follows a comma is the office.
fn plausible(text: &str, name: Range<usize>) -> Option<Range<usize>> {
    let name = name.start..name.start + text[name.clone()].trim_end_matches([',', ' ', '–', '—']).len();
    let part = &text[name.clone()];
    let capital = part.chars().next().is_some_and(char::is_uppercase);
    let long = part.chars().count() > WHO;
    let short = part.find(", ").filter(|_| long).map(|comma| name.start..name.start + comma);
    let name = short.unwrap_or(name);
    (capital && !name.is_empty() && text[name.clone()].chars().count() <= WHO).then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clean(text: &str) -> Clean {
        let mut clean = Clean::default();
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                let at = clean.text.len();
                clean.line_break(at..at + 1);
            }
            let at = clean.text.len();
            clean.push(line, at..at + line.len());
        }
        clean.finish()
    }

    fn found(text: &str, code: &str) -> Vec<(String, String)> {
        let all = inline(&clean(text), words::of(code));
        all.into_iter().map(|s| (s.text.text, s.who.unwrap().text)).collect()
    }

    #[test]
    fn quotations_in_running_text() {
        let own = |a: &str, b: &str| vec![(a.to_owned(), b.to_owned())];
        let want = own("We stopped counting hours and started counting finished things", "Ada Moor");
        assert_eq!(
            found("“We stopped counting hours and started counting finished things,” says Ada Moor.", "en"),
            want
        );
        assert_eq!(
            found("Ada Moor said: “We stopped counting hours and started counting finished things.”", "en").len(),
            1
        );
        assert_eq!(
            found("\"We stopped counting hours and started counting things,\" Ada Moor says.", "en")[0].1,
            "Ada Moor"
        );
        let de = found("„Wir haben aufgehört, die Stunden zu zählen“, sagt Ada Moor.", "de");
        assert_eq!(de, own("Wir haben aufgehört, die Stunden zu zählen", "Ada Moor"));
        let ru = found("«Мы перестали считать часы и начали считать дела», говорит Ада Мур.", "ru");
        assert_eq!(ru[0].1, "Ада Мур");
    }

    #[test]
    fn words_in_quotation_marks_are_not_always_said() {
        assert_eq!(found("The so-called “deep work” is old.", "en"), []);
        assert_eq!(found("A sign read “no meetings before noon on any day of the week” all year.", "en"), []);
    }

    #[test]
    fn quotations_set_off() {
        let said = block(&clean("“Slow is smooth.”\n— Ada Moor, editor")).unwrap();
        assert_eq!(said.text.text, "Slow is smooth.");
        assert_eq!(said.who.unwrap().text, "Ada Moor, editor");
        assert!(block(&clean("Slow is smooth and smooth is fast.")).unwrap().who.is_none());
        assert_eq!(attribution(&clean("— Ada Moor")).unwrap().text, "Ada Moor");
    }

    proptest! {
        #[test]
        fn reads_anything(text in "([“”„«»\"—–.,: ]|says|[A-Za-z]{1,6} ?|\\PC){0,40}") {
            let clean = clean(&text);
            let _ = (block(&clean), attribution(&clean), inline(&clean, words::of("en")));
        }
    }
}
