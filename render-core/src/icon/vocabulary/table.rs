//! The table of words in 36 languages that `assets/annotations/vendor.py` writes, and the dictionary of one language.
//!
//! All numbers are varints and all texts have their length first, as in [`super::super::packed`]. In this order: a
//! byte, the version, 2; the number of concepts, and their names; the number of languages, and for each its code, its
//! number of words, the words as one text of lines sorted by bytes, the number of bytes of the following numbers, and
//! for each word four times the number of its concept from 1, or 0 if it selects none, plus one if that is uncertain,
//! plus two if the word has little weight.
//!
//! A language is parsed when the first text in it is processed; its words are borrowed from the table.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::super::packed::{Packed, Reader};

const VERSION: u8 = 2;

/// The meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The icon's number; `None` if the word is known to select no icon.
    pub of: Option<u16>,
    /// Whether it counts only if nothing else does.
    pub weak: bool,
    /// Whether only a single emoji keyword supports it; other forms of the word then take precedence.
    pub unsure: bool,
}

/// The decompressed table.
pub(super) struct Table {
    /// For each concept, its number in the icon vocabulary.
    numbers: Vec<Option<u16>>,
    languages: Vec<Language>,
}

struct Language {
    code: &'static str,
    count: usize,
    words: &'static str,
    numbers: &'static [u8],
    read: OnceLock<Dictionary>,
}

/// The sorted words of one language.
pub(super) struct Dictionary {
    entries: Vec<(Cow<'static, str>, Meaning)>,
}

impl Table {
    /// Parses the table, for icons with these names and numbers; `None` if the bytes aren't a table.
    pub(super) fn read(bytes: &'static [u8], icons: &Packed) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.byte()? != VERSION {
            return None;
        }
        let mut numbers = Vec::new();
        for _ in 0..reader.varint()? {
            let name = reader.text()?;
            numbers.push(icons.names.iter().position(|n| n == name).and_then(|n| u16::try_from(n).ok()));
        }
        let mut languages = Vec::new();
        for _ in 0..reader.varint()? {
            let code = reader.text()?;
            let count = reader.varint()? as usize;
            let words = reader.text()?;
            let size = reader.varint()? as usize;
            languages.push(Language { code, count, words, numbers: reader.take(size)?, read: OnceLock::new() });
        }
        reader.is_empty().then_some(Self { numbers, languages })
    }

    /// Returns the words of a language, including those that the icons themselves list for it.
    pub(super) fn dictionary(&self, code: &str, icons: &'static Packed) -> Option<&Dictionary> {
        let language = self.languages.iter().find(|l| l.code == code)?;
        Some(language.read.get_or_init(|| self.gathered(language, icons)))
    }

    /// Returns the codes of all languages.
    #[cfg(test)]
    pub(super) fn languages(&self) -> impl Iterator<Item = &'static str> {
        self.languages.iter().map(|language| language.code)
    }

    fn gathered(&self, language: &Language, icons: &'static Packed) -> Dictionary {
        let mut entries: Vec<(Cow<'static, str>, Meaning)> = Vec::with_capacity(language.count);
        if let Some((_, lists)) = icons.words.iter().find(|(code, _)| code == language.code) {
            for (of, list) in (0..).zip(lists) {
                entries.extend(list.split_whitespace().map(|tag| {
                    let bare = tag.trim_start_matches('~');
                    (
                        Cow::Owned(bare.replace(['-', '\'', '’'], " ")),
                        Meaning { of: Some(of), weak: bare != tag, unsure: false },
                    )
                }));
            }
        }
        let mut numbers = Reader::new(language.numbers);
        for word in language.words.lines() {
            let number = numbers.varint().unwrap_or(0) as usize;
            let of = (number >> 2).checked_sub(1).and_then(|n| self.numbers.get(n).copied().flatten());
            entries.push((Cow::Borrowed(word), Meaning { of, weak: number & 2 != 0, unsure: number & 1 != 0 }));
        }
        // Of two entries for a word, the first one is kept: the one that the icons list.
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|later, first| later.0 == first.0);
        Dictionary { entries }
    }
}

impl Dictionary {
    /// Returns the meaning of a word, or of words separated by spaces, exactly as given; `None` if it is unknown.
    pub(super) fn get(&self, word: &str) -> Option<Meaning> {
        let at = self.entries.binary_search_by(|(entry, _)| (**entry).cmp(word)).ok()?;
        self.entries.get(at).map(|(_, meaning)| *meaning)
    }

    /// Returns the meaning of the first known word; an uncertain one only if no other is known.
    pub(super) fn known(&self, words: &[String]) -> Option<Meaning> {
        let mut known = words.iter().filter_map(|word| self.get(word)).peekable();
        let first = known.peek().copied();
        known.find(|meaning| !meaning.unsure).or(first)
    }

    /// Returns the meaning of the first known word of little weight.
    pub(super) fn weak(&self, words: &[String]) -> Option<Meaning> {
        words.iter().filter_map(|word| self.get(word)).find(|meaning| meaning.weak)
    }

    /// Returns whether an entry of several words starts with these.
    pub(super) fn opens(&self, words: &str) -> bool {
        let at = self.entries.partition_point(|(entry, _)| **entry < *words);
        self.entries.get(at).is_some_and(|(entry, _)| entry.starts_with(words))
    }

    /// Returns all words.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, Meaning)> {
        self.entries.iter().map(|(word, meaning)| (word.as_ref(), *meaning))
    }
}
