//! Splits a long sentence in two: the first clause becomes a page's headline, the rest its text.

use super::Copy;
use super::tone::Tone;
use super::wording::{CLAIM, copy};
use crate::content::{Sourced, capitalised, enclosed, opens_subordinate, segment, words};

/// Fewest characters and words of a headline that is the start of a sentence.
const FRONT: (usize, usize) = (24, 4);
/// Fewest words of the rest.
const REST: usize = 4;
/// Ideal length of a headline in characters.
const IDEAL: f32 = 50.0;
/// Preference for a break after a colon or a semicolon, in characters off the ideal length.
const MARKED: f32 = 20.0;

/// Words that open a main clause after the comma of another, by language.
const JOINTS: [(&str, &str); 7] = [
    (
        "en",
        "but|so we|so they|so it|so you|so there|so this|so i|so he|so she|so the|and we|and they|and it|and you|and there|and this|and i|and he|and she",
    ),
    ("de", "aber|und wir|und sie|und es|und ich|und er"),
    ("fr", "mais|et ils|et elles|et il|et elle|et cela"),
    ("es", "pero|y nosotros|y ellos|y usted|y esto"),
    ("pt", "mas|e nós|e eles|e você|e isso"),
    ("it", "ma|e noi|e loro|e questo"),
    ("nl", "maar|en we|en wij|en zij|en ze|en het"),
];

/// Returns the words of [`JOINTS`] in a language, separated by `|`.
fn joints(code: &str) -> &'static str {
    JOINTS.iter().find(|(c, _)| *c == code).map_or("", |(_, list)| *list)
}

/// Returns the first clause of a sentence that is too long for a headline, and the rest, which can
/// stand as a sentence. Returns `None` if the sentence has no such break.
pub(super) fn of(words: &Sourced, tone: &Tone) -> Option<(Copy, Copy)> {
    let text = words.text.trim();
    if tone.exact || segment::sentences(text, words::of(tone.language.primary())).len() != 1 {
        return None;
    }
    let at = joint(text, tone.language.primary())?;
    let front = text[..at].trim_end().trim_end_matches([',', ';', ':']).trim_end();
    let rest = text[at..].trim_start_matches([',', ';', ':', ' ']);
    let span = (words.span.end > words.span.start).then_some(words.span);
    Some((copy(vec![front.to_owned()], span)?, copy(vec![capitalised(rest)], span)?))
}

/// Returns the end of the best headline.
fn joint(text: &str, code: &str) -> Option<usize> {
    let joints = joints(code);
    // "Whether you row, …", "Fitting with the season, …": the clause before the main one claims
    // nothing.
    let first = text.split_whitespace().next().unwrap_or("");
    if opens_subordinate(text) || code == "en" && first.len() > "thing".len() && first.ends_with("ing") {
        return None;
    }
    let inside = enclosed(text, true);
    let mut best: Option<(f32, usize)> = None;
    for (chars, (at, c)) in text.char_indices().enumerate().take_while(|(chars, _)| *chars <= CLAIM) {
        let marked = matches!(c, ':' | ';');
        let behind = &text[at + c.len_utf8()..];
        if !(marked || c == ',') || !behind.starts_with(' ') || inside.iter().any(|range| range.contains(&at)) {
            continue;
        }
        let next = behind.trim_start();
        // "…, but not on Mondays" is no clause.
        let denies = words::opens_with("but not|but also|but only|but rather|but with|but without", next);
        let clause = !marked && words::opens_with(joints, next) && !denies;
        let room = chars >= FRONT.0 && segment::count_words(&text[..at]) >= FRONT.1;
        if (marked || clause) && room && segment::count_words(next) >= REST {
            let off = (chars as f32 - IDEAL).abs() - if marked { MARKED } else { 0.0 };
            if best.is_none_or(|(least, _)| off < least) {
                best = Some((off, at));
            }
        }
    }
    best.map(|(_, at)| at)
}

/// Returns the last clause of a sentence with several, without its conjunction.
pub(super) fn last<'t>(text: &'t str, code: &str) -> Option<&'t str> {
    let conjunction = |word: &str| joints(code).split('|').any(|joint| joint.split(' ').next() == Some(word));
    let inside = enclosed(text, true);
    let ends = text
        .char_indices()
        .filter(|(at, c)| matches!(c, ',' | ';' | '—' | '–') && !inside.iter().any(|range| range.contains(at)));
    let mut clauses = ends.filter_map(|(at, c)| {
        let behind = text[at + c.len_utf8()..].strip_prefix(' ')?;
        let (first, rest) = behind.split_once(' ')?;
        if conjunction(first) { Some(rest) } else { (c != ',').then_some(behind) }
    });
    clauses.rfind(|clause| segment::count_words(clause) >= REST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Language, Span};

    fn halves(text: &str, code: &str) -> Option<(String, String)> {
        let tone = Tone { language: Language::parse(code).unwrap(), exact: false };
        let words = Sourced { text: text.to_owned(), span: Span { start: 0, end: 0 } };
        of(&words, &tone).map(|(front, rest)| (front.wordings[0].clone(), rest.wordings[0].clone()))
    }

    fn pair(a: &str, b: &str) -> Option<(String, String)> {
        Some((a.to_owned(), b.to_owned()))
    }

    #[test]
    fn sentences_part_at_their_joints() {
        assert_eq!(
            halves(
                "The pier is open to anybody who walks, but our crew is also there to carry what is too heavy.",
                "en"
            ),
            pair("The pier is open to anybody who walks", "But our crew is also there to carry what is too heavy.")
        );
        assert_eq!(
            halves("Our rule for storms is direct: whoever is on the pier goes home, and nobody asks them why.", "en"),
            pair("Our rule for storms is direct", "Whoever is on the pier goes home, and nobody asks them why.")
        );
        // Neither "so close" nor "but not" opens a clause.
        assert_eq!(
            halves("Other crews ask how we count so many boats, so close together, with so few people.", "en"),
            None
        );
        assert_eq!(halves("The pier is open to anybody who walks, but not to those who come by bicycle.", "en"), None);
    }

    #[test]
    fn a_sentence_ends_in_a_clause() {
        let text = "The harbour leads the work, and the town has asked our crew to help with a few parts of it:";
        assert_eq!(last(text, "en"), Some("the town has asked our crew to help with a few parts of it:"));
        assert_eq!(last("The harbour leads the work; our crew helps with it:", "en"), Some("our crew helps with it:"));
        assert_eq!(last("The harbour leads the work, ropes and all:", "en"), None);
    }

    #[test]
    fn no_headline_ends_in_a_list_a_quotation_or_a_name() {
        for whole in [
            "Ropes, hooks, lamps, buckets and the old anchor lie in the shed behind the harbour master's house.",
            "He said “we count the boats, because nobody else does” and went on with his work until the evening.",
            "Rather than build another shed, crews are asked to look at the sheds of their neighbours.",
            "Ada Moor, the harbour master of the small town on the coast, counts the boats every single morning.",
        ] {
            assert_eq!(halves(whole, "en"), None, "{whole}");
        }
    }
}
