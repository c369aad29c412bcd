//! Compounds written as one word: "Gemüsegarten" is a garden.
//!
//! The last part names what the compound is. If it selects no icon, the first part counts, which says what the compound
//! is about. For this, the rest must also be a word, or the first part must be long enough not to match by chance.

use super::forms;
use super::table::{Dictionary, Meaning};

/// Fewest letters of a part that is looked up.
const PART: usize = 4;
/// Fewest letters before the last part.
const BEFORE: usize = 3;
/// Letters from which a first part counts, whatever follows.
const SURE: usize = 6;

/// Linking elements between two parts, separated by white space.
fn joints(code: &str) -> &'static str {
    match code {
        "de" => "s es n en er e",
        "nl" => "s en e",
        "sv" | "no" | "da" => "s e",
        "fi" => "n s",
        _ => "",
    }
}

/// First parts that are not nouns. What follows them is seldom the meaning of the compound ("Einfluss" is not a river).
fn particles(code: &str) -> &'static str {
    match code {
        "de" => {
            "aus ein vor auf abb bei mit nach über unter durch ver ent zer weg los ober zwischen wieder gegen zusammen hin her nieder rück"
        }
        "nl" => "aan uit voor over onder door ver ont mee toe terug tegen samen weg",
        "sv" => "för upp till över under genom mot efter utan fram åter från med",
        "no" | "da" => "for opp til over under gjennom gennem mot etter efter fram frem fra med ind inn ude",
        "hu" => "meg fel hozzá alá elő vissza össze",
        _ => "",
    }
}

/// Returns whether a language writes compounds as one word.
pub(super) fn joined(code: &str) -> bool {
    matches!(code, "de" | "nl" | "sv" | "no" | "da" | "fi" | "hu" | "ko")
}

/// Returns the meaning of a compound; `None` if the word has no known parts.
pub(super) fn meaning(word: &str, code: &str, dictionary: &Dictionary) -> Option<Meaning> {
    let (part, before) = if code == "ko" { (2, 1) } else { (PART, BEFORE) };
    let bounds: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let letters = bounds.len() - 1;
    // "Akzeptieren" ends like an animal.
    if letters < part + before || code == "de" && word.ends_with("ieren") {
        return None;
    }
    let opening = |at: usize| !crate::content::words::has(particles(code), &word[..bounds[at]]);
    // Tries the longest last part first.
    let last = (before..=letters - part).filter(|at| opening(*at)).find_map(|at| {
        let known = dictionary.known(&forms::bases(&word[bounds[at]..], code))?;
        known.of.map(|_| known)
    });
    last.or_else(|| {
        let first = (part..letters.saturating_sub(1)).rev();
        first.filter(|at| opening(*at)).find_map(|at| {
            let (open, rest) = word.split_at(bounds[at]);
            let found = dictionary.get(open).filter(|m| m.of.is_some())?;
            let known = |rest: &str| forms::bases(rest, code).iter().any(|base| dictionary.get(base).is_some());
            let joint = |j: &str| rest.strip_prefix(j).is_some_and(known);
            let rest_letters = letters - at;
            let sure =
                at >= SURE && rest_letters >= BEFORE || known(rest) || joints(code).split_whitespace().any(joint);
            sure.then_some(found)
        })
    })
}
