//! Wishes that several changes meet, such as "less boring": how people say them, and what is offered for each.

use std::sync::LazyLock;

use super::lex::{fold, is_unspaced};

/// The table: blocks of two lines, `says` and `offers`.
const TABLE: &str = include_str!("words/wishes.txt");
/// Words of the longest prompt that is a wish about the page where it can be read as an edit as well; a longer one says
/// exactly what it means.
const WORDS: usize = 7;
/// Likewise of scripts without spaces, characters.
const UNSPACED: usize = 16;

/// A wish.
struct Wish {
    says: Vec<String>,
    offers: Vec<&'static str>,
}

static WISHES: LazyLock<Vec<Wish>> = LazyLock::new(|| {
    let mut wishes: Vec<Wish> = Vec::new();
    for line in TABLE.lines() {
        let list = |words: &'static str| words.split(';').map(str::trim).filter(|word| !word.is_empty());
        match line.split_once('=').map(|(name, words)| (name.trim(), words)) {
            Some(("says", words)) => {
                wishes.push(Wish { says: list(words).map(fold).collect(), offers: Vec::new() });
            }
            Some(("offers", words)) => {
                if let Some(wish) = wishes.last_mut() {
                    wish.offers = list(words).collect();
                }
            }
            _ => {}
        }
    }
    wishes
});

/// Prompts that meet the wish of a prompt, the likeliest first; empty where it is none. Of several wishes the one said in the
/// most characters counts.
pub fn offers(prompt: &str) -> &'static [&'static str] {
    let said = fold(prompt);
    // What is offered says what it means.
    if WISHES.iter().any(|wish| wish.offers.contains(&said.trim())) {
        return &[];
    }
    let length =
        |wish: &&Wish| wish.says.iter().filter(|phrase| says(&said, phrase)).map(String::len).max().unwrap_or(0);
    let wish = WISHES.iter().filter(|wish| length(wish) > 0).max_by_key(length);
    wish.map_or(&[], |wish| &wish.offers)
}

/// Whether a prompt says so little that it may mean more than one thing.
pub fn is_brief(prompt: &str) -> bool {
    let exact = prompt.chars().any(|c| c.is_ascii_digit() || matches!(c, '"' | '“' | '„' | '«' | '#' | ':'));
    let unspaced = prompt.chars().any(is_unspaced);
    let brief = if unspaced { prompt.chars().count() <= UNSPACED } else { prompt.split_whitespace().count() <= WORDS };
    brief && !exact
}

/// Whether a text has a phrase as words of its own, or a word that begins with it where the phrase ends in `*`; in scripts
/// without spaces, anywhere.
fn says(text: &str, phrase: &str) -> bool {
    let (phrase, is_stem) = phrase.strip_suffix('*').map_or((phrase, false), |stem| (stem, true));
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + phrase.len()..].chars().next());
        !inside(before) && (is_stem || !inside(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wish_offers_at_least_three_prompts() {
        assert!(WISHES.len() > 10);
        for wish in WISHES.iter() {
            assert!(wish.says.len() > 10 && wish.offers.len() >= 3, "{:?}", wish.says);
        }
    }

    #[test]
    fn wishes_are_found_in_any_language_and_not_within_words() {
        for (prompt, offer) in [
            ("This is boring!", "use another layout"),
            ("Das ist viel zu langweilig", "use another layout"),
            ("C'est illisible", "make the text bigger"),
            ("скучно", "use another layout"),
            ("to jest brzydkie", "use another layout"),
            ("bardziej profesjonalnie", "use the corporate style"),
            ("もっと目立つように", "make the headline bigger"),
            ("I can't read this", "make the text bigger"),
            ("make it look more high-end", "use the elegant style"),
        ] {
            assert_eq!(offers(prompt).first(), Some(&offer), "{prompt}");
        }
        for prompt in ["make the headline bigger", "popular", "fungus", "change “Sleep” to “Rest”"] {
            assert!(offers(prompt).is_empty(), "{prompt}");
        }
        assert!(is_brief("make it pop") && !is_brief("set the headline size to 120"));
    }
}
