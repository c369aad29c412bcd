//! Removes paragraphs that a translation left in English.

use std::collections::HashSet;

use super::blocks::Raw;
use super::segment;
use super::words;

/// Minimum words of a paragraph whose language is checked, and minimum distinct English function words in it.
const WORDS: usize = 6;
const FUNCTION: usize = 3;
/// Maximum share of a text that counts as untranslated remains.
const SHARE: f32 = 0.25;

/// Removes English paragraphs, items and headings from a text in another language. `code` is the primary subtag of
/// that language. A text with a larger English share is kept in full, regardless of its declared language.
pub(super) fn strip(raws: Vec<Raw>, code: &str) -> Vec<Raw> {
    if code == "en" {
        return raws;
    }
    let foreign: Vec<bool> = raws.iter().map(|raw| is_english(&raw.clean.text, code)).collect();
    let length = |raw: &Raw| raw.clean.text.chars().count();
    let all: usize = raws.iter().map(length).sum();
    let left: usize = raws.iter().zip(&foreign).filter(|(_, foreign)| **foreign).map(|(raw, _)| length(raw)).sum();
    if left as f32 > SHARE * all as f32 {
        return raws;
    }
    raws.into_iter().zip(foreign).filter(|(_, foreign)| !foreign).map(|(raw, _)| raw).collect()
}

/// Whether a paragraph of a text in another language is English: at least a fifth of its words are English function
/// words, several of them distinct, and at most a third as many are function words of that language.
fn is_english(text: &str, code: &str) -> bool {
    let words = segment::words_of(text);
    let of = |code: &str| -> Vec<&String> { words.iter().filter(|word| words::is_function(code, word)).collect() };
    let ascii = text.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii());
    if !ascii || words.len() < WORDS {
        return false;
    }
    let english = of("en");
    let different: HashSet<&String> = english.iter().copied().collect();
    different.len() >= FUNCTION && 5 * english.len() >= words.len() && 3 * of(code).len() <= english.len()
}

#[cfg(test)]
mod tests {
    use super::is_english;

    #[test]
    fn english_is_told_from_other_languages() {
        let sentence = "There are three common structures that go with the harbour.";
        assert!(["pt", "de", "hi", "ja"].iter().all(|code| is_english(sentence, code)));
        assert!(!is_english("Há três estruturas comuns no porto e na cidade.", "pt"));
        assert!(!is_english("Die drei Strukturen sind in der Stadt an der Tagesordnung.", "de"));
        assert!(!is_english("Continuous integration", "de"));
    }
}
