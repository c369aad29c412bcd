//! [`Vocabulary`]: words of a language that call for a drawing. Whole words are compared by their stems.

use std::collections::BTreeMap;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use super::words;

/// Letters that an ending may add to a word of the vocabulary or take away from it: a plural's, not a derivation's.
const ENDING: usize = 2;
/// Bytes of the longest word that is looked up.
const LONGEST: usize = 64;

/// The words of one language that call for drawings.
pub(crate) struct Vocabulary {
    code: &'static str,
    /// Tags by the stem of their first word.
    tags: BTreeMap<String, Vec<Tag>>,
}

/// Words in a row that call for a drawing.
struct Tag {
    words: Vec<&'static str>,
    /// The number of the drawing.
    of: u16,
    /// Counts only where nothing else does.
    weak: bool,
}

/// A drawing that a text calls for, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    /// The drawing's number.
    pub of: u16,
    /// Whether its word counts only where nothing else does.
    pub weak: bool,
}

impl Vocabulary {
    /// Reads the words of each drawing by its number, parted by white space: `a-b` are two words in a row, `~a` is a word of
    /// little weight. `None` for languages other than English, German, French and Spanish.
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

    /// Its language.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The drawings that a text calls for, in the order of its words. Numbers and function words call for none.
    pub fn calls(&self, text: &str) -> Vec<Call> {
        let Some(stemmer) = algorithm(self.code).map(Stemmer::create) else { return Vec::new() };
        let function = words::of(self.code).function;
        let words = words_of(text);
        let mut out = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let Some(tag) = self.longest(&words[at..], &stemmer) else { continue };
            let says_nothing = word.chars().any(char::is_numeric) || words::has(function, word);
            if tag.words.len() > 1 || !says_nothing {
                out.push(Call { of: tag.of, weak: tag.weak });
            }
        }
        out
    }

    /// The tag of most words that the words begin with; of several the one with the first word as it stands.
    fn longest(&self, words: &[String], stemmer: &Stemmer) -> Option<&Tag> {
        // A stemmer's time grows with the square of a word's length, and no tag is as long.
        let first = words.first().filter(|word| word.len() <= LONGEST)?;
        let tags = self.tags.get(&stem(first, self.code, stemmer))?;
        let begins = |tag: &&Tag| {
            tag.words.len() <= words.len() && tag.words.iter().zip(words).all(|(t, w)| self.same(t, w, stemmer))
        };
        tags.iter().filter(begins).max_by_key(|tag| (tag.words.len(), tag.words[0] == words[0]))
    }

    /// Whether a word is the vocabulary's or an inflection of it. A stem alone would take "fired" for "fire" and
    /// "policies" for "police".
    fn same(&self, tag: &str, word: &str, stemmer: &Stemmer) -> bool {
        if tag == word {
            return true;
        }
        let (long, short) = (word.chars().count(), tag.chars().count());
        let plural = match self.code {
            "en" => word.ends_with('s'),
            "de" => ["e", "n", "s", "r"].iter().any(|e| word.ends_with(e)),
            _ => word.ends_with('s') || word.ends_with('x'),
        };
        plural && long.abs_diff(short) <= ENDING && stem(tag, self.code, stemmer) == stem(word, self.code, stemmer)
    }
}

/// The stem of a word. French's stemmer leaves the plural's s behind i, o and u ("vélos").
fn stem(word: &str, code: &str, stemmer: &Stemmer) -> String {
    let stem = stemmer.stem(word);
    if code == "fr" { stem.trim_end_matches('s').to_owned() } else { stem.into_owned() }
}

/// Lower-case words, parted at hyphens and apostrophes too: "l'eau", "user's", "e-mail".
pub(crate) fn words_of(text: &str) -> Vec<String> {
    text.unicode_words()
        .flat_map(|w| w.split(['\'', '’', '-']))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The stemmer of a language that has a vocabulary.
fn algorithm(code: &str) -> Option<Algorithm> {
    Some(match code {
        "en" => Algorithm::English,
        "de" => Algorithm::German,
        "fr" => Algorithm::French,
        "es" => Algorithm::Spanish,
        _ => return None,
    })
}
