//! [`Vocabulary`]: words of a language that call for a drawing. Words are compared by their stems.

use std::collections::BTreeMap;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use super::words;

/// Maximum letters by which a word and a vocabulary word may differ: a plural ending, but no derivation.
const ENDING: usize = 2;
/// Maximum bytes of a word that is looked up.
const LONGEST: usize = 64;

/// The words of one language that call for drawings.
pub(crate) struct Vocabulary {
    code: &'static str,
    /// Tags by the stem of their first word.
    tags: BTreeMap<String, Vec<Tag>>,
}

/// Consecutive words that call for a drawing.
struct Tag {
    words: Vec<&'static str>,
    /// The number of the drawing.
    of: u16,
    /// Whether the tag counts only if no other does.
    weak: bool,
}

/// A drawing that a text calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    /// The drawing's number.
    pub of: u16,
    /// Whether the word counts only if no other does.
    pub weak: bool,
    /// The number of words that call for it together.
    pub words: usize,
}

impl Vocabulary {
    /// Reads the words of each drawing by its number, separated by white space: `a-b` are two consecutive words, `~a`
    /// is a word of little weight. Returns `None` for languages other than English, German, French and Spanish.
    pub fn read(code: &'static str, lists: impl Iterator<Item = &'static str>) -> Option<Self> {
        let stemmer = Stemmer::create(algorithm(code)?);
        let mut tags: BTreeMap<String, Vec<Tag>> = BTreeMap::new();
        for (of, list) in (0..).zip(lists) {
            for tag in list.split_whitespace() {
                let bare = tag.trim_start_matches('~');
                let words: Vec<&str> = bare.split('-').collect();
                tags.entry(stem(words[0], code, &stemmer)).or_default().push(Tag { words, of, weak: bare != tag });
            }
        }
        Some(Self { code, tags })
    }

    /// Returns the language code.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the drawings that a text calls for, in the order of its words. Numbers and function words call for
    /// none, nor do the words inside a longer tag.
    pub fn calls(&self, text: &str) -> Vec<Call> {
        let Some(stemmer) = algorithm(self.code).map(Stemmer::create) else { return Vec::new() };
        let function = words::of(self.code).function;
        let words = words_of(text);
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let tags = self.longest(&words[at..], &stemmer);
            let length = tags.first().map_or(1, |tag| tag.words.len());
            let says_nothing = word.chars().any(char::is_numeric) || words::has(function, word);
            if length > 1 || !says_nothing {
                out.extend(tags.iter().map(|tag| Call { of: tag.of, weak: tag.weak, words: length }));
            }
            at += length;
        }
        out
    }

    /// Returns the tags with the most words that match the start of `words`. Of several with as many, those whose
    /// first word matches exactly.
    fn longest(&self, words: &[String], stemmer: &Stemmer) -> Vec<&Tag> {
        // A stemmer's time grows with the square of a word's length, and no tag is longer.
        let first = words.first().filter(|word| word.len() <= LONGEST);
        let tags = first.and_then(|word| self.tags.get(&stem(word, self.code, stemmer)));
        let begins = |tag: &&Tag| {
            tag.words.len() <= words.len() && tag.words.iter().zip(words).all(|(t, w)| self.same(t, w, stemmer))
        };
        let rank = |tag: &&Tag| (tag.words.len(), tag.words[0] == words[0]);
        let found: Vec<&Tag> = tags.into_iter().flatten().filter(begins).collect();
        let most = found.iter().map(rank).max();
        found.into_iter().filter(|tag| Some(rank(tag)) == most).collect()
    }

    /// Whether a word is the vocabulary's or an inflection of it. By the stem alone, "fired" would match "fire" and
    /// "policies" would match "police".
    fn same(&self, tag: &str, word: &str, stemmer: &Stemmer) -> bool {
        if tag == word {
            return true;
        }
        let (long, short) = (word.chars().count(), tag.chars().count());
        let plural = match self.code {
            // The stem of "customs" is that of "customer".
            "en" => word.ends_with('s') && word.starts_with(tag.trim_end_matches('y')),
            "de" => ["e", "n", "s", "r"].iter().any(|e| word.ends_with(e)),
            _ => word.ends_with('s') || word.ends_with('x'),
        };
        plural && long.abs_diff(short) <= ENDING && stem(tag, self.code, stemmer) == stem(word, self.code, stemmer)
    }
}

/// Returns the stem of a word. The French stemmer keeps a plural s after i, o and u ("vélos").
fn stem(word: &str, code: &str, stemmer: &Stemmer) -> String {
    let stem = stemmer.stem(word);
    if code == "fr" { stem.trim_end_matches('s').to_owned() } else { stem.into_owned() }
}

/// Returns lower-case words, also split at hyphens and apostrophes: "l'eau", "user's", "e-mail".
pub(crate) fn words_of(text: &str) -> Vec<String> {
    text.unicode_words()
        .flat_map(|w| w.split(['\'', '’', '-']))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the stemmer of a language that has a vocabulary.
fn algorithm(code: &str) -> Option<Algorithm> {
    Some(match code {
        "en" => Algorithm::English,
        "de" => Algorithm::German,
        "fr" => Algorithm::French,
        "es" => Algorithm::Spanish,
        _ => return None,
    })
}
