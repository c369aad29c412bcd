//! Matches the patterns of the table against a prompt.

use std::collections::HashSet;
use std::ops::Range;

use super::super::clause::{Kind, Tok, tokens};
use super::super::lex::{Piece, Raw, fold, pieces};
use super::super::lexicon;
use super::super::sense::{Sense, W};
use super::table::{Captured, List, Part, Pattern, table};

/// Words that a capture may take, and words of the page that it may take.
const CAPTURED: usize = 8;
const ON_PAGE: usize = 24;
/// Words of the longest name of a colour.
const SHADED: usize = 4;
/// The most pieces of a prompt that is searched, and the most clauses of a pattern.
const LONGEST: usize = 80;
const CLAUSES: usize = 4;
/// Words of the longest phrase whose full stop is that of the prompt.
const PHRASE: usize = 4;

/// What a page says and shows.
#[derive(Debug, Default)]
pub(in super::super) struct OnPage {
    /// Its texts.
    pub(in super::super) texts: Vec<String>,
    /// Words of the prompt, folded, for a picture or an icon of the page.
    pub(in super::super) shown: HashSet<String>,
}

/// A prompt, its pieces and their folded words.
pub(super) struct Said<'p> {
    prompt: &'p str,
    pieces: Vec<Piece>,
    words: Vec<String>,
    toks: Vec<Tok>,
    pub(super) page: &'p OnPage,
}

/// A clause of the grammar for a part of a prompt.
pub(super) struct Meant {
    /// The bytes of that part.
    pub(super) at: Range<usize>,
    pub(super) clause: String,
    pub(super) pattern: &'static Pattern,
}

impl<'p> Said<'p> {
    pub(super) fn of(prompt: &'p str, page: &'p OnPage) -> Self {
        let pieces = pieces(prompt, |_| None);
        let word = |piece: &Piece| match &piece.raw {
            Raw::Word(word) => word.clone(),
            Raw::Quoted(_) => String::new(),
            // Any mark that ends a clause is written as a comma in the table.
            Raw::Mark(',' | '.' | ';') => ",".to_owned(),
            Raw::Mark(mark) => mark.to_string(),
            _ => prompt.get(piece.at.clone()).map(fold).unwrap_or_default(),
        };
        let words = pieces.iter().map(word).collect();
        let cut = lexicon::cut(prompt);
        let toks = tokens(&cut, &lexicon::senses(&cut, &HashSet::new(), None));
        Self { prompt, pieces, words, toks, page }
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn raw(&self, at: usize) -> Option<&Raw> {
        self.pieces.get(at).map(|piece| &piece.raw)
    }

    /// Returns whether the word at a piece is one of a list.
    pub(super) fn is(&self, list: List, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| list.has(word))
    }

    /// Returns whether a piece separates clauses.
    pub(super) fn parts(&self, at: usize) -> bool {
        matches!(self.raw(at), Some(Raw::Mark(',' | '.' | ';'))) || self.is(List::Ands, at)
    }

    /// Returns whether a clause ends before a piece.
    pub(super) fn ends(&self, at: usize) -> bool {
        at == self.len() || self.parts(at)
    }

    /// The tokens that lie in a range of pieces.
    pub(super) fn tokens(&self, from: usize, to: usize) -> impl Iterator<Item = &Tok> {
        let at = |n: usize| self.pieces.get(n).map_or(self.prompt.len(), |piece| piece.at.start);
        let (start, end) = (at(from), at(to));
        self.toks.iter().filter(move |tok| tok.at.start >= start && tok.at.start < end)
    }

    fn bytes(&self, from: usize, to: usize) -> Option<Range<usize>> {
        Some(self.pieces.get(from)?.at.start..self.pieces.get(to.checked_sub(1)?)?.at.end)
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'p str {
        self.bytes(from, to).and_then(|bytes| self.prompt.get(bytes)).unwrap_or_default()
    }

    /// The ends of what a capture may take from a piece on, in the order in which they are tried.
    fn takes(&self, is: Captured, at: usize, end: usize) -> Vec<usize> {
        let raw = self.raw(at);
        let is_quoted = matches!(raw, Some(Raw::Quoted(_)));
        let one = |fits: bool| if fits && at < end { vec![at + 1] } else { Vec::new() };
        // "The" alone is no name.
        let says = |to: &usize| (at..*to).any(|at| !self.is(List::Articles, at));
        let ends = |most: usize| at + 1..=end.min(at + most);
        match is {
            Captured::Colour => one(matches!(raw, Some(Raw::Colour(_)))),
            Captured::Address => one(matches!(raw, Some(Raw::Name(_)))),
            Captured::Shown => one(self.words.get(at).is_some_and(|word| self.page.shown.contains(word))),
            Captured::Place => {
                let place = |tok: &Tok| matches!(tok.kind, Kind::Sense(Sense::Ordinal(_)));
                one(self.tokens(at, at + 1).any(place))
            }
            Captured::Hue => {
                let colour = |tok: &Tok| matches!(tok.kind, Kind::Sense(Sense::Colour(_)));
                let shades = [W::Dark, W::Light, W::Pale, W::Colour];
                let shade = |tok: &Tok| tok.is_fill() || tok.word().is_some_and(|word| shades.contains(&word));
                let is_hue = |to: &usize| {
                    self.tokens(at, *to).any(colour) && self.tokens(at, *to).all(|tok| colour(tok) || shade(tok))
                };
                ends(SHADED).filter(is_hue).collect()
            }
            Captured::Rest => self.rest(at).into_iter().collect(),
            Captured::OnPage => ends(ON_PAGE).rev().filter(says).filter(|to| self.is_on_page(at, *to)).collect(),
            Captured::Named if !is_quoted && !self.slice(at, at + 1).starts_with(char::is_uppercase) => Vec::new(),
            Captured::Words | Captured::Named => {
                // A quotation is all of the words.
                let most = if is_quoted { 1 } else { CAPTURED };
                ends(most).take_while(|to| !self.parts(to - 1)).filter(says).collect()
            }
        }
    }

    /// What the parts of a pattern capture where they match all pieces from `at` to `end`, and the end: a pattern that ends
    /// in words for the page goes as far as those.
    fn captured(&self, parts: &[Part], at: usize, end: usize) -> Option<(usize, Vec<(String, &'p str)>)> {
        let Some((part, rest)) = parts.split_first() else { return (at == end).then(|| (end, Vec::new())) };
        match part {
            Part::Words { of, optional } => {
                let stands = |words: &&Vec<String>| {
                    at + words.len() <= end && self.words.get(at..at + words.len()).is_some_and(|said| said == **words)
                };
                let found = of.iter().filter(stands).find_map(|words| self.captured(rest, at + words.len(), end));
                found.or_else(|| if *optional { self.captured(rest, at, end) } else { None })
            }
            Part::Any(most) => (0..=*most)
                .take_while(|n| {
                    at + n <= end && (*n == 0 || self.words.get(at + n - 1).is_some_and(|word| word != ","))
                })
                .find_map(|n| self.captured(rest, at + n, end)),
            Part::Capture { name, is } => self.takes(*is, at, end).into_iter().find_map(|own| {
                let (to, mut out) = match is {
                    Captured::Rest => (own, Vec::new()),
                    _ => self.captured(rest, own, end)?,
                };
                out.push((name.clone(), self.slice(at, own)));
                Some((to, out))
            }),
        }
    }

    /// The clause that the pieces from `from` to `to` stand for, and the piece behind them. Patterns that end in words for
    /// the page (`open`) find their end themselves.
    fn meant(&self, from: usize, to: usize, open: bool) -> Option<(usize, Meant)> {
        let start = (from..to).find(|at| !self.is(List::Fill, *at))?;
        let end = (start..to).rfind(|at| !self.is(List::Fill, *at))? + 1;
        // "just keep" may be a phrase of a pattern, and "just" alone says nothing.
        let (end, clause, pattern) = self.matched(from, to, open).or_else(|| self.matched(start, end, open))?;
        let end = if open { end } else { to };
        Some((end, Meant { at: self.bytes(from, end)?, clause, pattern }))
    }

    fn matched(&self, from: usize, to: usize, open: bool) -> Option<(usize, String, &'static Pattern)> {
        table().patterns.iter().filter(|pattern| pattern.is_open() == open).find_map(|pattern| {
            let (end, captured) = self.captured(&pattern.parts, from, to)?;
            let put = |clause: String, (name, words): &(String, &str)| {
                let placed = clause.replace(&format!("“{{{name}}}”"), &quoted(words));
                placed.replace(&format!("{{{name}}}"), words)
            };
            Some((end, captured.iter().fold(pattern.clause.to_owned(), put), pattern))
        })
    }

    /// The clauses that the table has, in the order of the prompt.
    pub(super) fn found(&self) -> Vec<Meant> {
        let n = self.len();
        let (mut out, mut at) = (Vec::new(), if n > LONGEST { n } else { 0 });
        while at < n {
            let mut ends: Vec<usize> = (at + 1..n).filter(|end| self.parts(*end)).take(CLAUSES).collect();
            if ends.len() < CLAUSES {
                ends.push(n);
            }
            let closed = || ends.iter().rev().find_map(|end| self.meant(at, *end, false));
            let next = match self.meant(at, n, true).or_else(closed) {
                Some((end, meant)) => {
                    out.push(meant);
                    end
                }
                None => ends.first().copied().unwrap_or(n),
            };
            at = (next..n).find(|at| !self.parts(*at)).unwrap_or(n);
        }
        out
    }
}

/// Words in quotation marks that they don't contain.
fn quoted(words: &str) -> String {
    let marks = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '\'' | '‘' | '’');
    let bare = words.strip_prefix(marks).and_then(|words| words.strip_suffix(marks)).unwrap_or(words);
    let bare = bare.trim().trim_end_matches([',', ';', ':']);
    let phrase = bare.trim_end_matches('.');
    let is_phrase = phrase.split_whitespace().nth(PHRASE).is_none() && !phrase.contains(['.', '!', '?']);
    let inside = if is_phrase { phrase } else { bare };
    let pairs = [('“', '”'), ('«', '»'), ('「', '」')];
    let free = pairs.iter().find(|(open, close)| !inside.contains([*open, *close, '"']));
    let (open, close) = free.copied().unwrap_or(('«', '»'));
    format!("{open}{inside}{close}")
}
