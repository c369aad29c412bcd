//! Maps words to the numbers of icons, in 36 languages: the words that the icons list, and those that annotate emoji in
//! CLDR, in all their forms.

mod compounds;
mod forms;
mod table;
#[cfg(test)]
mod tests;
mod unspaced;

use std::sync::OnceLock;

use table::{Dictionary, Meaning, Table};
use unicode_segmentation::UnicodeSegmentation;

use super::packed;
use crate::content::{segment, words};

static ANNOTATIONS: &[u8] = include_bytes!("../../../assets/annotations/annotations.bin.zst");

/// Maximum number of words in a name.
const LONGEST: usize = 4;
/// Maximum bytes of a word that is looked up.
const BYTES: usize = 80;
/// Number of clauses of a text that are considered.
const CLAUSES: usize = 3;
/// Number of words of a clause that are considered; later words seldom name the subject.
const WORDS: usize = 12;

/// Most words of a text in which words of little weight select icons. An art director judged icons of 200 items of real
/// lists: by such words, 47 % were right in texts of at most four words, and 24 % in longer ones; by other words, 67 %.
const BRIEF: usize = 4;

/// Words that turn an English word before them into a verb: "book a flight", "ship it".
const OBJECTS: &str = "a an the your our their my his her its this that these those it them us me you one some any every all \
    more each twice once out up down off over back away together";

/// Languages with modifiers before nouns: the last noun of a phrase names what the phrase is.
const LAST: &str = "en de nl sv no da fi hu tr ko ja zh hi bn ta";

fn table() -> &'static Table {
    static UNPACKED: OnceLock<Vec<u8>> = OnceLock::new();
    static READ: OnceLock<Table> = OnceLock::new();
    READ.get_or_init(|| {
        let unpack = || zstd::decode_all(ANNOTATIONS).expect("the vendored table unpacks; a test loads it");
        Table::read(UNPACKED.get_or_init(unpack), packed()).expect("the vendored table is one; a test loads it")
    })
}

/// Returns the icons that a text selects, the one of its head noun first, then those of words of little weight if the text
/// is brief. `language` is a primary subtag.
pub(super) fn calls(text: &str, language: &str) -> Vec<u16> {
    selected(text, language, segment::count_words(text) <= BRIEF)
}

/// Returns the icons that the words of full weight in a text select.
pub(super) fn strong(text: &str, language: &str) -> Vec<u16> {
    selected(text, language, false)
}

/// Returns the icons of the first clauses of a text without duplicates, those of words of little weight last. Without
/// `light`, such words select none.
fn selected(text: &str, language: &str, light: bool) -> Vec<u16> {
    let code = match language {
        "nb" | "nn" => "no",
        "fil" => "tl",
        code => code,
    };
    let Some(dictionary) = table().dictionary(code, packed()) else { return Vec::new() };
    let mut found: Vec<Meaning> = Vec::new();
    let marks = |c: char| ",;:.!?()[]–—|/、。，；：！？（）・「」".contains(c);
    for clause in text.split(marks).filter(|clause| !clause.trim().is_empty()).take(CLAUSES) {
        if matches!(code, "ja" | "zh" | "th") {
            let mut meanings = unspaced::meanings(&forms::folded(clause, code), code, dictionary);
            if words::has(LAST, code) {
                meanings.reverse();
            }
            found.extend(meanings);
        } else {
            found.extend(spaced(clause, code, dictionary, light));
        }
    }
    let (weak, strong): (Vec<Meaning>, Vec<Meaning>) = found.into_iter().partition(|meaning| meaning.weak);
    let mut out = Vec::new();
    for of in strong.into_iter().chain(weak.into_iter().filter(|_| light)).filter_map(|meaning| meaning.of) {
        if !out.contains(&of) {
            out.push(of);
        }
    }
    out
}

/// Returns the meanings in a clause, phrase by phrase, with the head of each phrase first.
fn spaced(clause: &str, code: &str, dictionary: &Dictionary, light: bool) -> Vec<Meaning> {
    let words = words_of(clause, code);
    let function = words::of(if code == "no" { "nb" } else { code }).function;
    let says_nothing = |word: &str| words::has(function, word) || word.chars().any(char::is_numeric);
    let (mut out, mut phrase) = (Vec::new(), Vec::new());
    let end = |phrase: &mut Vec<Meaning>, out: &mut Vec<Meaning>| {
        if words::has(LAST, code) {
            phrase.reverse();
        }
        out.append(phrase);
    };
    let mut at = 0;
    while at < words.len() {
        let here = &words[at..];
        let long = (2..=LONGEST.min(here.len())).rev().find_map(|n| Some((n, several(&here[..n], code, dictionary)?)));
        if let Some((n, meaning)) = long {
            phrase.push(meaning);
            at += n;
            continue;
        }
        if says_nothing(&here[0].folded) {
            end(&mut phrase, &mut out);
        } else if let Some(meaning) = one(&here[0], code, dictionary, light) {
            let verb = code == "en" && at == 0 && here.get(1).is_some_and(|next| words::has(OBJECTS, &next.folded));
            phrase.push(Meaning { weak: meaning.weak || verb, ..meaning });
        }
        at += 1;
    }
    end(&mut phrase, &mut out);
    out
}

/// A word of a text.
struct Word {
    folded: String,
    /// Whether the form allows a noun: German nouns have capitals.
    noun: bool,
}

/// Splits a text into words, also at hyphens and apostrophes: "l'eau", "user's", "e-mail".
fn words_of(text: &str, code: &str) -> Vec<Word> {
    let capitals = code == "de" && text.chars().any(char::is_uppercase);
    let parts = text.unicode_words().flat_map(|word| word.split(['\'', '’', '-']).filter(|part| !part.is_empty()));
    parts
        .take(WORDS)
        .filter(|part| part.len() <= BYTES)
        .map(|part| Word {
            folded: forms::folded(part, code),
            noun: !capitals || part.chars().next().is_some_and(char::is_uppercase),
        })
        .collect()
}

/// Returns the meaning of several adjacent words as one name.
fn several(words: &[Word], code: &str, dictionary: &Dictionary) -> Option<Meaning> {
    let (last, before) = words.split_last()?;
    let joined = |first: &str| {
        let mut text = first.to_owned();
        for word in before.iter().skip(1) {
            text.push(' ');
            text.push_str(&word.folded);
        }
        text.push(' ');
        text
    };
    // The first or the last word is inflected: "brosses à dents", "alarm clocks".
    let first = before.first()?;
    let found = |opening: &str, closing: &str| dictionary.get(&format!("{opening}{closing}"));
    let opening = joined(&first.folded);
    if dictionary.opens(&opening) {
        let by_last = forms::bases(&last.folded, code).iter().find_map(|base| found(&opening, base));
        if by_last.is_some() {
            return by_last;
        }
    }
    forms::bases(&first.folded, code).iter().skip(1).find_map(|base| found(&joined(base), &last.folded))
}

/// Returns the meaning of a single word. The forms of verbs count only for words of little weight, as verbs are:
/// "fired" is no fire. So do words that can't be nouns by their form. Both are looked up only with `light`.
fn one(word: &Word, code: &str, dictionary: &Dictionary, light: bool) -> Option<Meaning> {
    if !word.noun && !light {
        return None;
    }
    let bases = forms::bases(&word.folded, code);
    let verb = || if light { dictionary.weak(&forms::verbs(&word.folded, code)) } else { None };
    if !word.noun {
        return dictionary.weak(&bases).or_else(verb);
    }
    let compound = || compounds::meaning(&word.folded, code, dictionary).filter(|_| compounds::joined(code));
    dictionary.known(&bases).or_else(verb).or_else(compound)
}
