//! An index of the words of pages, for repeated searches.

use std::collections::{HashMap, HashSet};

/// Lengths in bytes of the indexed substrings. In repetitive texts, most short substrings are common.
const SHORT: usize = 8;
const LONG: usize = 32;

/// Texts reduced to their letters, separated from each other.
///
/// Scanning all letters for each sentence would take quadratic time on a long text. The index restricts the search to
/// the positions of the rarest substring.
#[derive(Debug, Default)]
pub(super) struct Said {
    letters: String,
    /// The positions of each substring.
    short: HashMap<[u8; SHORT], Vec<usize>>,
    long: HashSet<[u8; LONG]>,
}

impl Said {
    /// Adds the letters of a text.
    pub fn push(&mut self, letters: impl Iterator<Item = char>) {
        let from = self.letters.len();
        self.letters.extend(letters);
        let text = &self.letters[from..];
        for (at, part) in substrings(text).enumerate() {
            self.short.entry(part).or_default().push(from + at);
        }
        self.long.extend(substrings(text));
        // The separator prevents matches across two texts.
        self.letters.push('\n');
    }

    /// Returns whether one of the texts contains these letters.
    pub fn holds(&self, letters: &str) -> bool {
        if letters.len() < SHORT {
            return self.letters.contains(letters);
        }
        let mut rarest: Option<(usize, &[usize])> = None;
        for (offset, part) in substrings(letters).enumerate() {
            let Some(places) = self.short.get(&part) else { return false };
            if rarest.is_none_or(|(_, least)| places.len() < least.len()) {
                rarest = Some((offset, places));
            }
        }
        let Some((offset, places)) = rarest else { return false };
        let stands_at = |place: &usize| {
            let from = place.checked_sub(offset);
            from.is_some_and(|from| self.letters.as_bytes()[from..].starts_with(letters.as_bytes()))
        };
        substrings(letters).all(|part| self.long.contains(&part)) && places.iter().any(stands_at)
    }
}

/// Returns every substring of `N` bytes.
fn substrings<const N: usize>(text: &str) -> impl Iterator<Item = [u8; N]> {
    text.as_bytes().windows(N).filter_map(|window| window.first_chunk().copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_holds_what_a_text_holds(texts in "([a-c日]{0,60}\n){1,4}", asked in "[a-c日]{0,12}", at in 0_usize..40, len in 0_usize..60) {
            let mut said = Said::default();
            texts.lines().for_each(|text| said.push(text.chars()));
            // Queries are often parts of one of the texts.
            let part: String = texts.lines().next().unwrap_or("").chars().skip(at % 7).take(len).collect();
            for words in [asked, part] {
                let holds = texts.lines().any(|text| text.contains(&words));
                prop_assert_eq!(said.holds(&words), holds, "{:?} in {:?}", words, texts);
            }
        }
    }
}
