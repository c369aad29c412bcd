//! The table of words in 36 languages, as `assets/annotations/vendor.py` writes it, and one language's words of it.
//!
//! All numbers are varints and all texts their bytes behind their number, as in [`super::super::packed`]. In this order: a
//! byte, the version, 1; how many concepts, and their names; how many languages, and for each its code, how many words it
//! has, these as one text by lines in the order of their bytes, the bytes of the numbers that follow, and for each word twice
//! the number of its concept from 1, or 0 where it calls for none, and one more where that isn't sure.
//!
//! Nothing is read of a language before the first text in it comes, and then its words stay where they are.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::super::packed::{Packed, Reader};

const VERSION: u8 = 1;

/// What a word calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The icon's number; none where the word is known to call for nothing.
    pub of: Option<u16>,
    /// Counts only where nothing else does.
    pub weak: bool,
    /// One emoji's keyword alone says so: another form of the word is believed before.
    pub unsure: bool,
}

/// The unpacked table.
pub(super) struct Table {
    /// The number of each of its concepts in the vocabulary of icons.
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

/// The words of one language in their order.
pub(super) struct Dictionary {
    entries: Vec<(Cow<'static, str>, Meaning)>,
}

impl Table {
    /// The table of these bytes, for icons that are named and numbered so; `None` where they are no such table.
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

    /// The words of a language, with those that the icons themselves list for it.
    pub(super) fn dictionary(&self, code: &str, icons: &'static Packed) -> Option<&Dictionary> {
        let language = self.languages.iter().find(|l| l.code == code)?;
        Some(language.read.get_or_init(|| self.gathered(language, icons)))
    }

    /// The codes of its languages.
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
            let of = (number >> 1).checked_sub(1).and_then(|n| self.numbers.get(n).copied().flatten());
            entries.push((Cow::Borrowed(word), Meaning { of, weak: false, unsure: number & 1 == 1 }));
        }
        // Of two entries for a word the first stays: what the icons list.
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|later, first| later.0 == first.0);
        Dictionary { entries }
    }
}

impl Dictionary {
    /// What a word or words with a space between them call for, as they stand; `None` where they aren't known.
    pub(super) fn get(&self, word: &str) -> Option<Meaning> {
        let at = self.entries.binary_search_by(|(entry, _)| (**entry).cmp(word)).ok()?;
        self.entries.get(at).map(|(_, meaning)| *meaning)
    }

    /// What the first known of these words calls for; one that isn't sure only where no other is known.
    pub(super) fn known(&self, words: &[String]) -> Option<Meaning> {
        let mut known = words.iter().filter_map(|word| self.get(word)).peekable();
        let first = known.peek().copied();
        known.find(|meaning| !meaning.unsure).or(first)
    }

    /// Whether a word of several begins with these.
    pub(super) fn opens(&self, words: &str) -> bool {
        let at = self.entries.partition_point(|(entry, _)| **entry < *words);
        self.entries.get(at).is_some_and(|(entry, _)| entry.starts_with(words))
    }

    /// All words.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, Meaning)> {
        self.entries.iter().map(|(word, meaning)| (word.as_ref(), *meaning))
    }
}
