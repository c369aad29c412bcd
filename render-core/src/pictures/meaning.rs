//! Chooses the pictures that illustrate a page's words.

use std::sync::OnceLock;

use super::{Entry, all};
use crate::content::vocabulary::{Call, Vocabulary};

/// Languages with words that select pictures.
const LANGUAGES: [&str; 4] = ["en", "de", "fr", "es"];
/// How often the text under a headline must select a picture that the headline doesn't select.
const OFTEN: usize = 2;

/// Returns the pictures that illustrate a page, best first: those that its headline selects, then those that the text
/// under it selects more than once. `language` is a primary subtag.
pub fn meant(headline: &str, text: &str, language: &str) -> Vec<&'static Entry> {
    static READ: OnceLock<Vec<Vocabulary>> = OnceLock::new();
    let read = || {
        let lists = |code: &'static str| all().iter().map(move |entry| entry.words_in(code));
        LANGUAGES.iter().filter_map(|code| Vocabulary::read(code, lists(code))).collect()
    };
    let Some(vocabulary) = READ.get_or_init(read).iter().find(|v| v.code() == language) else { return Vec::new() };
    let (said, told) = (vocabulary.calls(headline), vocabulary.calls(text));
    let count = |of: u16| told.iter().filter(|call| call.of == of).count();
    let strong = |call: &&Call| !call.weak;
    // A word of low weight needs another one for the same picture.
    let backed = |call: &&Call| call.weak && said.iter().filter(|c| c.of == call.of).count() + count(call.of) >= OFTEN;
    let often = told.iter().filter(strong).filter(|call| count(call.of) >= OFTEN);
    let mut out: Vec<u16> = Vec::new();
    for call in said.iter().filter(strong).chain(said.iter().filter(backed)).chain(often) {
        if !out.contains(&call.of) {
            out.push(call.of);
        }
    }
    out.into_iter().filter_map(|of| all().get(usize::from(of))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(headline: &str, text: &str, language: &str) -> Option<&'static str> {
        meant(headline, text, language).first().map(|entry| entry.name)
    }

    #[test]
    fn headlines_call_for_pictures_and_texts_only_often() {
        assert_eq!(first("Mind the bridge between two teams", "", "en"), Some("bridge"));
        assert_eq!(first("Who decides?", "A pyramid is no team. A pyramid has a top.", "en"), Some("pyramid"));
        assert_eq!(first("Who decides?", "A pyramid is no team.", "en"), None);
        assert_eq!(first("Nothing is here", "", "en"), None);
        assert_eq!(first("Bridge", "", "fi"), None);
    }
}
