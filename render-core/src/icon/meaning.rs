//! From words to the number of an icon: whole words against the vocabulary, by their stems.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{marks, packed};
use crate::content::vocabulary::{Vocabulary, words_of};

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
    static READ: OnceLock<Vec<Vocabulary>> = OnceLock::new();
    let read = || {
        let each = packed().words.iter();
        each.filter_map(|(code, lists)| Vocabulary::read(code, lists.iter().map(String::as_str))).collect()
    };
    let calls = READ.get_or_init(read).iter().find(|v| v.code() == language)?.calls(text);
    calls.iter().find(|call| !call.weak).or(calls.first()).map(|call| call.of)
}
