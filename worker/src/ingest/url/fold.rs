//! Normalises words for comparison, and defines word lists.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A set of words for lookups.
pub(super) type Words = LazyLock<HashSet<&'static str>>;

/// Splits words at their bars.
pub(super) fn words(text: &'static str) -> HashSet<&'static str> {
    text.split('|').collect()
}

/// Normalises a text for comparison: lower case, letters and digits, single spaces.
pub(super) fn folded(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '\'' | '’' | '\u{ad}'));
    let spaced: String = kept
        .map(|c| if c.is_alphanumeric() || is_mark(c) { c } else { ' ' })
        .flat_map(char::to_lowercase)
        // The dot of the Turkish capital İ.
        .filter(|c| *c != '\u{307}')
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Vowel signs of Indic scripts and Arabic vowels are not letters, but parts of words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{064b}'..='\u{0652}' | '\u{0900}'..='\u{0dff}' | '\u{0e31}'..='\u{0e4e}')
}
