//! Shortens a heading that is too long for a headline: keeps the words before one of its
//! prepositions.

use super::Copy;
use super::tone::Tone;
use super::wording::{CLAIM, copy};
use crate::content::{Sourced, enclosed, qualifies, segment, words};

/// Fewest words of the part that is kept.
const WORDS: usize = 2;

/// Prepositions that open an optional part of a heading, by language.
const PREPOSITIONS: [(&str, &str); 7] = [
    ("en", "with from by for at in on through across during"),
    ("de", "mit von vom für bei beim in im auf durch nach während um"),
    ("fr", "avec par pour dans chez sur à au aux pendant depuis"),
    ("es", "con por para en sobre desde durante entre"),
    ("pt", "com por para em no na sobre desde durante"),
    ("it", "con per da in nel nella su sul durante tra"),
    ("nl", "met van voor bij in op door tijdens"),
];

/// English words that need their preposition: "rely on", "look for".
const BOUND: &str = "look looks looking rely relies relying depend depends depending ask asks asking work works working deal \
    deals dealing talk talks talking focus focuses focusing base based believe believes invest investing listen care \
    prepare preparing wait waiting apply applying account pay paying search searching agree think know learn start \
    starting move moving go going come coming result results lead leads involved interested responsible needed used";

/// Returns the longest start of a heading that makes a headline. Returns `None` if there is none,
/// or if the removed part could limit the meaning of the rest.
pub(super) fn front(words: &Sourced, tone: &Tone) -> Option<Copy> {
    let text = words.text.trim().trim_end_matches(['.', ':']);
    let code = tone.language.primary();
    let (_, prepositions) = PREPOSITIONS.iter().find(|(language, _)| *language == code).filter(|_| !tone.exact)?;
    let lexicon = words::of(code);
    // The scope of a negation or a condition is unknown, and a question without its end asks something else.
    if qualifies(text, lexicon) || text.ends_with(['?', '？', '؟']) {
        return None;
    }
    let inside = enclosed(text, true);
    let ends = text.match_indices(' ').map(|(at, _)| at).take_while(|at| text[..*at].chars().count() <= CLAIM);
    let end = ends.collect::<Vec<_>>().into_iter().rev().find(|at| {
        let next = text[*at..].split_whitespace().next().unwrap_or("");
        let last = text[..*at].split_whitespace().next_back().unwrap_or("").to_lowercase();
        // "Why we moved to" and "The team and" are incomplete.
        let open = words::has(lexicon.function, &last) || words::has(prepositions, &last) || words::has(BOUND, &last);
        words::has(prepositions, next)
            && !open
            && !inside.iter().any(|range| range.contains(at))
            && segment::count_words(&text[..*at]) >= WORDS
            && !words::holds(lexicon.limits, text[*at..].trim_start().split_once(' ').map_or("", |(_, rest)| rest))
    })?;
    let span = (words.span.end > words.span.start).then_some(words.span);
    copy(vec![text[..end].trim_end_matches([',', ';', ' ']).to_owned()], span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Language, Span};

    fn english(text: &str) -> Option<String> {
        let tone = Tone { language: Language::english(), exact: false };
        let words = Sourced { text: text.to_owned(), span: Span { start: 0, end: 0 } };
        front(&words, &tone).map(|front| front.wordings[0].clone())
    }

    #[test]
    fn a_long_heading_ends_in_front_of_a_preposition() {
        assert_eq!(
            english("Harbour map launch with the Association of Pilots and the Coast Survey of the North").as_deref(),
            Some("Harbour map launch")
        );
        assert_eq!(
            english("The crew counts all of the boats on the river in the early morning with lamps and with ropes")
                .as_deref(),
            Some("The crew counts all of the boats on the river in the early morning")
        );
    }

    #[test]
    fn a_heading_keeps_what_limits_it() {
        for whole in [
            "Every boat of the town is free of charge for those of its owners who are not members of any other harbour",
            "A harbour master who counts boats and a crew that carries whatever is too heavy and whoever is too tired",
        ] {
            assert_eq!(english(whole), None);
        }
    }
}
