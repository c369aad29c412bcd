//! The word lists, and the choice of lists for a prompt.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::lex::{Piece, Raw, is_unspaced, pieces};
use super::sense::{Sense, W};
use super::{colour, typos};

/// The number of words of the longest phrase.
const LONGEST: usize = 6;
/// The number of lists, from the first, in which one known word is enough to choose the list.
const ASKED_MOST: usize = 7;
/// The most characters of a word of a script without spaces.
const LONGEST_UNSPACED: usize = 16;
/// The most unknown words of a prompt to look up as misspellings. A text with more is not a real prompt.
const MISSPELT: usize = 24;

/// The phrases of a language and their senses.
pub(super) struct Lexicon {
    /// Phrases with single spaces, folded.
    phrases: HashMap<String, Sense>,
    /// The words of longer phrases.
    parts: HashSet<String>,
    /// Single words by their first letter, to correct misspellings.
    by_letter: HashMap<char, Vec<String>>,
}

/// Includes word lists, with their file names (the language codes).
macro_rules! lists {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("words/", $name, ".txt")))),*] };
}

/// The lists of languages that are written with spaces, English first.
static LISTS: &[(&str, &str)] = lists!(
    "en" "de" "fr" "es" "it" "pt" "nl" "ar" "bg" "bn" "cs" "da" "el" "fa"
    "fi" "he" "hi" "hu" "id" "ko" "ms" "no" "pl" "ro" "ru" "sk" "sv" "sw"
    "ta" "tl" "tr" "uk" "vi"
);
/// The lists of languages that are written without spaces. `cjk` covers Chinese and Japanese.
static UNSPACED: &[(&str, &str)] = lists!("cjk" "th");

/// Returns the lists of languages with spaces, English first.
fn lexicons() -> &'static [Lexicon] {
    static READ: OnceLock<Vec<Lexicon>> = OnceLock::new();
    READ.get_or_init(|| LISTS.iter().enumerate().map(|(i, (_, list))| Lexicon::read(list, i == 0)).collect())
}

/// Returns the lists of languages without spaces.
fn unspaced_lexicons() -> &'static [Lexicon] {
    static READ: OnceLock<Vec<Lexicon>> = OnceLock::new();
    READ.get_or_init(|| UNSPACED.iter().map(|(_, list)| Lexicon::read(list, false)).collect())
}

/// Returns the keys and phrases of a list.
fn lines(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.lines().filter(|l| !l.starts_with('#')).filter_map(|l| {
        let (key, phrases) = l.split_once(" = ")?;
        Some((key.trim(), phrases))
    })
}

fn folded(phrase: &str) -> String {
    let words = pieces(phrase, |run| Some(run.len())).into_iter().filter_map(|p| match p.raw {
        Raw::Word(w) => Some(w),
        Raw::Num(n) => Some(n.to_string()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Lexicon {
    fn read(list: &str, english: bool) -> Self {
        let mut phrases = HashMap::new();
        if english {
            phrases.extend(colour::names().map(|(name, color)| (name.to_owned(), Sense::Colour(color))));
            phrases.extend(["%", "％", "٪"].map(|s| (s.to_owned(), Sense::Word(W::Percent))));
        }
        for (key, said) in lines(list) {
            // A test checks that every key has a sense.
            let Some(sense) = Sense::by_key(key) else { continue };
            phrases.extend(said.split(';').map(folded).filter(|p| !p.is_empty()).map(|p| (p, sense)));
        }
        let mut by_letter: HashMap<char, Vec<String>> = HashMap::new();
        for word in phrases.keys().filter(|p| !p.contains(' ') && p.chars().count() >= 4) {
            by_letter.entry(word.chars().next().unwrap_or(' ')).or_default().push(word.clone());
        }
        // Sort, so that the same one of equally near words is always found.
        for words in by_letter.values_mut() {
            words.sort();
        }
        let longer = phrases.keys().filter(|phrase| phrase.contains(' '));
        let parts = longer.flat_map(|phrase| phrase.split(' ').map(str::to_owned)).collect();
        Self { phrases, parts, by_letter }
    }

    fn get(&self, phrase: &str) -> Option<Sense> {
        self.phrases.get(phrase).copied()
    }

    fn spelt(&self, word: &str) -> Option<&str> {
        let letters = word.chars().take(2);
        let near = letters.filter_map(|c| self.by_letter.get(&c)).flatten();
        typos::nearest(word, near.map(String::as_str))
    }
}

/// Reads a small number written as a word, in the language with the given code. "To" is a number only in Norwegian.
pub(in super::super) fn number_word(word: &str, language: &str) -> Option<u8> {
    let name = if matches!(language, "zh" | "ja") { "cjk" } else { language };
    let named = |lists: &[(&str, &str)]| lists.iter().position(|(code, _)| *code == name);
    let own = named(LISTS).and_then(|at| lexicons().get(at));
    let list = own.or_else(|| unspaced_lexicons().get(named(UNSPACED)?))?;
    match list.get(&folded(word)) {
        Some(Sense::Number(n)) => Some(n),
        _ => None,
    }
}

/// Returns the length in bytes of the longest known word at the start of a text without spaces.
fn unspaced(run: &str) -> Option<usize> {
    let known = |word: &str| unspaced_lexicons().iter().any(|list| list.get(word).is_some());
    let ends = run.char_indices().map(|(i, c)| i + c.len_utf8()).take(LONGEST_UNSPACED);
    ends.filter(|end| run.get(..*end).is_some_and(known)).last()
}

/// The sense of one or more pieces of a prompt.
pub(super) struct Found {
    /// The sense; `None` for an unknown piece.
    pub(super) sense: Option<Sense>,
    /// The number of pieces that it covers.
    pub(super) pieces: usize,
    /// Whether the word was found only as a misspelling of a listed word.
    pub(super) slip: bool,
}

/// Splits a prompt into pieces.
pub(super) fn cut(prompt: &str) -> Vec<Piece> {
    pieces(prompt, unspaced)
}

/// Returns the senses of a prompt's pieces. Words in `kept` belong to the page and are never read as misspellings.
/// A prompt that was rewritten is also read by the list of the prompt as it was `heard`.
pub(super) fn senses(pieces: &[Piece], kept: &HashSet<String>, heard: Option<&str>) -> Vec<Found> {
    let words: Vec<Option<&str>> = pieces.iter().map(word).collect();
    let mut lists = spoken(&words);
    let cut = heard.map(cut).unwrap_or_default();
    lists.extend(heard.map(|_| spoken(&cut.iter().map(word).collect::<Vec<_>>())).into_iter().flatten());
    let mut misspelt = 0;
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let run: Vec<&str> = words.iter().skip(at).take(LONGEST).map_while(|w| *w).collect();
        let found = (1..=run.len()).rev().find_map(|n| {
            let phrase = run.get(..n)?.join(" ");
            lists.iter().find_map(|l| l.get(&phrase)).map(|sense| (sense, n))
        });
        let (sense, n, slip) = match (found, run.first()) {
            (Some((sense, n)), _) => (Some(sense), n, false),
            (None, Some(word)) if !kept.contains(*word) && !is_english(word) && misspelt < MISSPELT => {
                misspelt += 1;
                let near = lists.iter().find_map(|l| l.spelt(word).and_then(|w| l.get(w)));
                // A short unknown word is rather a name than a misspelling of a filler such as "does".
                let near = near.filter(|s| *s != Sense::Word(W::Fill) || word.chars().count() > 5);
                (near, 1, near.is_some())
            }
            _ => (None, 1, false),
        };
        out.push(Found { sense, pieces: n, slip });
        at += n;
    }
    out
}

/// Returns the language code of the list that has most words of a prompt. Considers only languages with spaces.
pub(super) fn language(prompt: &str) -> Option<&'static str> {
    let pieces = cut(prompt);
    let words: Vec<Option<&str>> = pieces.iter().map(word).collect();
    LISTS.get(most_spoken(&words, lexicons(), false)).map(|(code, _)| *code)
}

/// Returns the word of a piece, if it is one.
fn word(piece: &Piece) -> Option<&str> {
    match &piece.raw {
        Raw::Word(word) => Some(word.as_str()),
        _ => None,
    }
}

/// Returns whether a word is an English word that resembles a listed word but is no misspelling of it.
fn is_english(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&str>> = OnceLock::new();
    WORDS.get_or_init(|| include_str!("../../../assets/spelling/words.txt").lines().collect()).contains(word)
}

/// Returns the lists to read a prompt by: the list that has most of its words, and English.
fn spoken(words: &[Option<&str>]) -> Vec<&'static Lexicon> {
    let unspaced = words.iter().flatten().any(|w| w.starts_with(is_unspaced));
    let lists = if unspaced { unspaced_lexicons() } else { lexicons() };
    let best = most_spoken(words, lists, unspaced);
    let own = lists.get(best).into_iter();
    let english = lexicons().first().filter(|_| unspaced || best != 0);
    own.chain(english).collect()
}

/// Returns the index of the list that has most of some words.
fn most_spoken(words: &[Option<&str>], lists: &[Lexicon], unspaced: bool) -> usize {
    let known = |l: &Lexicon| words.iter().flatten().filter(|w| l.get(w).is_some()).count();
    let has = |l: &Lexicon, word: &str| l.get(word).is_some() || l.parts.contains(word);
    let several = |l: &Lexicon| words.iter().flatten().filter(|word| has(l, word)).nth(1).is_some();
    // On a tie the first list wins: English, or the more common language.
    let mut best = (0, 0);
    for (i, list) in lists.iter().enumerate() {
        let n = known(list);
        // A single word may occur in several languages by chance.
        if n > best.0 && (unspaced || i < ASKED_MOST || several(list)) {
            best = (n, i);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_sense_and_every_phrase_one_key() {
        let mut wrong = Vec::new();
        for (_, list) in LISTS.iter().chain(UNSPACED) {
            let mut seen: HashMap<String, &str> = HashMap::new();
            for (key, said) in lines(list) {
                if Sense::by_key(key).is_none() {
                    wrong.push(format!("no sense: {key}"));
                }
                for phrase in said.split(';').map(folded) {
                    if phrase.split(' ').count() > LONGEST {
                        wrong.push(format!("too long: {phrase}"));
                    }
                    if let Some(other) = seen.insert(phrase.clone(), key).filter(|other| *other != key) {
                        wrong.push(format!("twice: {phrase} ({other}, {key})"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
