//! Maps the names of brands to the numbers of their marks: whole words, in any language.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::marks;
use crate::content::vocabulary::words_of;

/// A brand's name, and the number of its mark.
struct Name {
    words: Vec<&'static str>,
    mark: usize,
}

/// Returns the number of the mark of the first brand that a text names; if several names match there, the longest.
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
