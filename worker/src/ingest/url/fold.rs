//! Words for comparing, and lists of them.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that are looked up.
pub(super) type Words = LazyLock<HashSet<&'static str>>;

/// The words of a text with bars between them.
pub(super) fn words(text: &'static str) -> HashSet<&'static str> {
    text.split('|').collect()
}

/// A text for comparing: lower case, letters and digits, single spaces.
pub(super) fn folded(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '\'' | '’' | '\u{ad}'));
    let spaced: String = kept
        .map(|c| if c.is_alphanumeric() || is_mark(c) { c } else { ' ' })
        .flat_map(char::to_lowercase)
        // The dot of the Turkish capital.
        .filter(|c| *c != '\u{307}')
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Vowel signs of Indic scripts and Arabic vowels are no letters, and parts of words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{064b}'..='\u{0652}' | '\u{0900}'..='\u{0dff}' | '\u{0e31}'..='\u{0e4e}')
}
