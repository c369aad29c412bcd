//! Phrase lists that are matched against every sentence of a text.

use std::collections::HashMap;

use memchr::memmem;

use super::{is_mark, is_unspaced};

/// Phrases by their first words, each with associated data.
pub(crate) struct Phrases<T = ()> {
    by_word: HashMap<&'static str, Vec<(&'static str, T)>>,
    /// Phrases that do not begin with a letter, or are written without spaces.
    others: Vec<(&'static str, T)>,
}

impl Phrases {
    /// Creates a set from a lower-case list separated by `|`.
    pub fn new(list: &'static str) -> Self {
        list.split('|').map(|phrase| (phrase, ())).collect()
    }

    /// Whether a lower-case text contains one of the phrases.
    pub fn stand_in(&self, lower: &str) -> bool {
        self.find(lower, |_, _, ()| true)
    }
}

impl<T> FromIterator<(&'static str, T)> for Phrases<T> {
    fn from_iter<I: IntoIterator<Item = (&'static str, T)>>(all: I) -> Self {
        let mut out = Self { by_word: HashMap::new(), others: Vec::new() };
        for (phrase, known) in all.into_iter().filter(|(phrase, _)| !phrase.is_empty()) {
            match word_at(phrase, 0) {
                "" => out.others.push((phrase, known)),
                first => out.by_word.entry(first).or_default().push((phrase, known)),
            }
        }
        out
    }
}

impl<T> Phrases<T> {
    /// Calls `done` with each phrase that a lower-case text contains at word boundaries (in scripts without spaces,
    /// anywhere), and with its offset, until `done` returns `true`. Returns whether it did.
    pub fn find(&self, lower: &str, mut done: impl FnMut(usize, &'static str, &T) -> bool) -> bool {
        let ends = |at: usize, phrase: &str| {
            let behind = lower[at + phrase.len()..].chars().next();
            !(phrase.ends_with(is_letter) && behind.is_some_and(is_letter))
        };
        let mut before = None;
        for (at, c) in lower.char_indices() {
            if is_letter(c) && !before.is_some_and(is_letter) {
                let phrases = self.by_word.get(word_at(lower, at)).map_or(&[][..], Vec::as_slice);
                for (phrase, known) in phrases {
                    if lower[at..].starts_with(phrase) && ends(at, phrase) && done(at, phrase, known) {
                        return true;
                    }
                }
            }
            before = Some(c);
        }
        let bytes = lower.as_bytes();
        let mut others = self.others.iter().filter(|(phrase, _)| !lower.is_ascii() || phrase.is_ascii());
        others.any(|(phrase, known)| memmem::find_iter(bytes, phrase).any(|at| done(at, phrase, known)))
    }
}

/// Returns the word that begins at byte `at`.
fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c| !is_letter(c)).unwrap_or(rest.len())]
}

fn is_letter(c: char) -> bool {
    (c.is_alphanumeric() || is_mark(c)) && !is_unspaced(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_stand_as_words_of_their_own() {
        let phrases = Phrases::new("let's|below|as follows|なければ");
        for text in ["let's go", "see below.", "they are as follows:", "行かなければ", "(below)"] {
            assert!(phrases.stand_in(text), "{text}");
        }
        for text in ["outlet's door", "belowdecks", "as followers do", "let us go"] {
            assert!(!phrases.stand_in(text), "{text}");
        }
    }
}
