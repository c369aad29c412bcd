//! From words to the number of an icon: whole words against the vocabulary, by their stems.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use super::{marks, packed};
use crate::content::words;

/// Letters that an ending may add to a word of the vocabulary or take away from it: a plural's, not a derivation's.
const ENDING: usize = 2;
/// Bytes of the longest word that is looked up.
const LONGEST: usize = 64;

/// The vocabulary of one language.
struct Vocabulary {
    code: &'static str,
    /// Tags by the stem of their first word.
    tags: BTreeMap<String, Vec<Tag>>,
}

/// Words in a row that call for an icon.
struct Tag {
    words: Vec<&'static str>,
    icon: u16,
    /// Counts only where nothing else does.
    weak: bool,
}

/// A brand's name, and the number of its mark.
struct Name {
    words: Vec<&'static str>,
    mark: usize,
}

/// The mark of the first brand that a text names, by its number: of names that begin alike, the longest.
pub(super) fn brand(text: &str) -> Option<usize> {
    static READ: OnceLock<BTreeMap<&str, Vec<Name>>> = OnceLock::new();
    let named = READ.get_or_init(|| {
        let mut named: BTreeMap<&str, Vec<Name>> = BTreeMap::new();
        for (mark, list) in marks().words.iter().flat_map(|(_, lists)| lists.iter().enumerate()) {
            for name in list.split_whitespace() {
                let words: Vec<&str> = name.split('-').collect();
                named.entry(words[0]).or_default().push(Name { words, mark });
            }
        }
        named
    });
    let words = words_of(text);
    (0..words.len()).find_map(|at| {
        let here = &words[at..];
        let begins = |n: &&Name| n.words.len() <= here.len() && n.words.iter().zip(here).all(|(a, b)| a == b);
        let longest = named.get(here[0].as_str())?.iter().filter(begins).max_by_key(|n| n.words.len())?;
        Some(longest.mark)
    })
}

/// The icon that a text in a language (its primary subtag) calls for.
pub(super) fn of(text: &str, language: &str) -> Option<u16> {
    let vocabulary = vocabularies().iter().find(|v| v.code == language)?;
    let stemmer = Stemmer::create(algorithm(language)?);
    let function = words::of(language).function;
    let words = words_of(text);
    let mut weak = None;
    for (at, word) in words.iter().enumerate() {
        let Some(tag) = vocabulary.longest(&words[at..], &stemmer) else { continue };
        let says_nothing = word.chars().any(char::is_numeric) || words::has(function, word);
        if tag.words.len() == 1 && says_nothing {
            continue;
        }
        if !tag.weak {
            return Some(tag.icon);
        }
        weak = weak.or(Some(tag.icon));
    }
    weak
}

impl Vocabulary {
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
fn words_of(text: &str) -> Vec<String> {
    text.unicode_words()
        .flat_map(|w| w.split(['\'', '’', '-']))
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn vocabularies() -> &'static [Vocabulary] {
    static READ: OnceLock<Vec<Vocabulary>> = OnceLock::new();
    READ.get_or_init(|| packed().words.iter().filter_map(|(code, lists)| read(code, lists)).collect())
}

fn read(code: &'static str, lists: &'static [String]) -> Option<Vocabulary> {
    let stemmer = Stemmer::create(algorithm(code)?);
    let mut tags: BTreeMap<String, Vec<Tag>> = BTreeMap::new();
    for (icon, list) in (0..).zip(lists) {
        for tag in list.split_whitespace() {
            let bare = tag.trim_start_matches('~');
            let words: Vec<&str> = bare.split('-').collect();
            tags.entry(stem(words[0], code, &stemmer)).or_default().push(Tag { words, icon, weak: bare != tag });
        }
    }
    Some(Vocabulary { code, tags })
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
