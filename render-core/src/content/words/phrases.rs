//! Lists of phrases that are asked about every sentence of a text.

use std::collections::HashMap;

use super::{is_mark, is_unspaced};

/// The phrases of a list by their first words.
pub(crate) struct Phrases {
    by_word: HashMap<&'static str, Vec<&'static str>>,
    /// Those that begin with no letter, or are written without spaces.
    others: Vec<&'static str>,
}

impl Phrases {
    /// Of a list in lower case, separated by `|`.
    pub fn new(list: &'static str) -> Self {
        let mut out = Self { by_word: HashMap::new(), others: Vec::new() };
        for phrase in list.split('|').filter(|phrase| !phrase.is_empty()) {
            match word_at(phrase, 0) {
                "" => out.others.push(phrase),
                first => out.by_word.entry(first).or_default().push(phrase),
            }
        }
        out
    }

    /// Whether one of them stands in a text in lower case as words of its own; in scripts without spaces, anywhere.
    pub fn stand_in(&self, lower: &str) -> bool {
        let ends = |at: usize, phrase: &str| {
            let behind = lower[at + phrase.len()..].chars().next();
            !(phrase.ends_with(is_letter) && behind.is_some_and(is_letter))
        };
        let found = |at: usize| {
            let phrases = self.by_word.get(word_at(lower, at)).map_or(&[][..], Vec::as_slice);
            phrases.iter().any(|phrase| lower[at..].starts_with(phrase) && ends(at, phrase))
        };
        let mut before = None;
        for (at, c) in lower.char_indices() {
            if is_letter(c) && !before.is_some_and(is_letter) && found(at) {
                return true;
            }
            before = Some(c);
        }
        self.others.iter().any(|phrase| lower.contains(phrase))
    }
}

/// The word that begins at byte `at`.
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
