//! A clause: its tokens, and which of them rules have used.

use std::ops::Range;

use crate::design::Part;
use crate::scene::Color;

use super::colour;
use super::lex::{Piece, Raw, fold, is_unspaced};
use super::lexicon::Found;
use super::sense::{Sense, W};

/// The kind of a token of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A phrase of the word lists.
    Sense(Sense),
    /// Text in quotation marks.
    Quoted(String),
    /// A handle or an address.
    Name(String),
    /// A number in digits.
    Num(f32),
    /// A mark that can end a clause.
    Mark(char),
    /// Items by position, from 0. Positions beyond the last item are kept, so that a message can name them.
    Items(Vec<u8>),
    /// The id of an element that the prompt names by what it shows.
    Element(String),
    /// A word that isn't in the lists.
    Unknown,
}

/// A token and its byte range in the prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tok {
    /// Its kind.
    pub(super) kind: Kind,
    /// Its byte range.
    pub(super) at: Range<usize>,
    /// Whether it was found only as a misspelling of a listed word.
    pub(super) slip: bool,
}

impl Tok {
    /// Returns whether it is this word of the grammar.
    pub(super) fn is(&self, word: W) -> bool {
        self.kind == Kind::Sense(Sense::Word(word))
    }

    /// Returns its word of the grammar, if it is one.
    pub(super) fn word(&self) -> Option<W> {
        match self.kind {
            Kind::Sense(Sense::Word(w)) => Some(w),
            _ => None,
        }
    }

    /// Returns whether it separates clauses.
    pub(super) fn parts(&self) -> bool {
        self.is(W::And) || matches!(self.kind, Kind::Mark(c) if c != ':')
    }

    /// Returns whether it is a filler word.
    pub(super) fn is_fill(&self) -> bool {
        self.is(W::Fill) || self.is(W::Is)
    }

    /// Returns whether it means nothing by itself, so that no rule has to use it.
    fn is_idle(&self) -> bool {
        let idle = [
            W::Fill,
            W::Is,
            W::And,
            W::To,
            W::With,
            W::For,
            W::From,
            W::In,
            W::On,
            W::Of,
            W::As,
            W::This,
            W::It,
            W::Set,
            W::Use,
            W::Want,
            W::Page,
        ];
        matches!(self.kind, Kind::Mark(_)) || self.word().is_some_and(|w| idle.contains(&w))
    }
}

/// Words for a page that can also mean a picture on it.
const PICTURES: [&str; 9] =
    ["image", "imagen", "imagem", "immagine", "bild", "design", "visual", "graphic", "afbeelding"];

/// Returns whether a token of a prompt means a slide and not a picture on it.
pub(super) fn is_slide(tok: &Tok, prompt: &str) -> bool {
    matches!(tok.word(), Some(W::Page | W::Set_)) && {
        let words = prompt.get(tok.at.clone()).map(fold).unwrap_or_default();
        !PICTURES.iter().any(|picture| words.contains(picture))
    }
}

/// Returns whether a token says what an instruction is about.
pub(super) fn names(tok: &Tok) -> bool {
    let things = [
        W::Background,
        W::Logo,
        W::Photo,
        W::Palette,
        W::Icon,
        W::Art,
        W::Space,
        W::Text,
        W::Everything,
        W::Face,
        W::Layout,
        W::Emphasis,
    ];
    matches!(tok.kind, Kind::Sense(Sense::Part(_) | Sense::Hue(_)) | Kind::Items(_) | Kind::Element(_))
        || tok.word().is_some_and(|word| things.contains(&word) || word == W::Quote)
        || tok.is(W::Replace) && !tok.slip
}

/// Returns whether a token begins an instruction.
pub(super) fn commands(tok: &Tok) -> bool {
    let verbs = [
        W::Set,
        W::Use,
        W::Rename,
        W::Remove,
        W::Add,
        W::Show,
        W::Replace,
        W::Swap,
        W::Move,
        W::Shorten,
        W::Highlight,
        W::Sort,
        W::Reverse,
        W::Align,
        W::Crop,
        W::Break,
        W::Capitalise,
        W::Increase,
        W::Decrease,
    ];
    tok.word().is_some_and(|w| verbs.contains(&w))
}

/// Returns the tokens of a prompt.
pub(super) fn tokens(pieces: &[Piece], senses: &[Found]) -> Vec<Tok> {
    let mut out = Vec::with_capacity(senses.len());
    let mut at = 0;
    for Found { sense, pieces: n, slip } in senses {
        let (Some(first), Some(last)) = (pieces.get(at), pieces.get(at + n - 1)) else { break };
        let kind = match (sense, &first.raw) {
            (Some(sense), _) => Kind::Sense(*sense),
            (None, Raw::Quoted(text)) => Kind::Quoted(text.clone()),
            (None, Raw::Name(text)) => Kind::Name(text.clone()),
            (None, Raw::Num(n)) => Kind::Num(*n),
            (None, Raw::Colour(c)) => Kind::Sense(Sense::Colour(*c)),
            (None, Raw::Mark(c)) => Kind::Mark(*c),
            (None, Raw::Word(_)) => Kind::Unknown,
        };
        out.push(Tok { kind, at: first.at.start..last.at.end, slip: *slip });
        at += n;
    }
    shaded(out)
}

/// Merges colours with the word that shades them: "dark red", "pastel green", "azul oscuro".
fn shaded(toks: Vec<Tok>) -> Vec<Tok> {
    let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
    let way = |t: &Tok| match t.word() {
        Some(W::Dark) => Some((true, false)),
        Some(W::Light) => Some((false, false)),
        Some(W::Pale) => Some((false, true)),
        _ => None,
    };
    for tok in toks {
        let last = out.last();
        let adjoins = last.is_some_and(|l| l.at.end + 1 >= tok.at.start);
        let merged = match (last.map(|l| (&l.kind, way(l))), &tok.kind, way(&tok)) {
            (Some((_, Some((dark, pale)))), Kind::Sense(Sense::Colour(c)), _) if adjoins => {
                Some(colour::shade(*c, dark, pale))
            }
            (Some((Kind::Sense(Sense::Colour(c)), _)), _, Some((dark, pale))) if adjoins => {
                Some(colour::shade(*c, dark, pale))
            }
            _ => None,
        };
        match (merged, out.last_mut()) {
            (Some(color), Some(last)) => {
                *last = Tok { kind: Kind::Sense(Sense::Colour(color)), at: last.at.start..tok.at.end, slip: false };
            }
            _ => out.push(tok),
        }
    }
    out
}

/// Merges each run of tokens that names items by position into one token: "the second point", "points 1, 2 and 4", "the
/// last two steps". `count` is the number of items of the page.
pub(super) fn with_items(toks: &[Tok], src: &str, count: usize) -> Vec<Tok> {
    let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
    let mut at = 0;
    while let Some(tok) = toks.get(at) {
        match places(toks.get(at..).unwrap_or_default(), src, count) {
            Some((places, n)) => {
                let end = toks.get(at + n - 1).map_or(tok.at.end, |t| t.at.end);
                out.push(Tok { kind: Kind::Items(places), at: tok.at.start..end, slip: false });
                at += n;
            }
            None => {
                out.push(tok.clone());
                at += 1;
            }
        }
    }
    out
}

fn is_item(tok: &Tok) -> bool {
    matches!(tok.word(), Some(W::Item | W::Bar | W::Card))
}

fn ordinal(tok: &Tok) -> Option<u8> {
    match tok.kind {
        Kind::Sense(Sense::Ordinal(n)) => Some(n),
        _ => None,
    }
}

/// Returns a whole number from 1 to 99.
pub(super) fn small(tok: &Tok) -> Option<u8> {
    match tok.kind {
        Kind::Num(n) if n.fract() == 0.0 && (1.0..100.0).contains(&n) => Some(n as u8),
        Kind::Sense(Sense::Number(n)) => Some(n),
        _ => None,
    }
}

fn place(n: u8, count: usize) -> u8 {
    let last = u8::try_from(count.saturating_sub(1)).unwrap_or(u8::MAX);
    if n == 0 { last } else { n - 1 }
}

/// Returns the items that the first tokens name, and the number of these tokens.
fn places(toks: &[Tok], src: &str, count: usize) -> Option<(Vec<u8>, usize)> {
    let first = toks.first()?;
    let skip = |t: &&Tok| t.is_fill() || t.is(W::And) || matches!(t.kind, Kind::Mark(',' | '.'));
    if is_item(first) {
        // "points 1, 2 and 4".
        let (mut said, mut end) = (Vec::new(), 0);
        for (i, t) in toks.iter().enumerate().skip(1) {
            let unit = toks.get(i + 1).and_then(Tok::word);
            match small(t).filter(|_| !matches!(unit, Some(W::Percent | W::Px | W::Times))) {
                Some(n) => {
                    said.push(place(n, count));
                    end = i + 1;
                }
                None if skip(&t) => {}
                None => break,
            }
        }
        return (!said.is_empty()).then_some((said, end));
    }
    if let Some(n) = small(first) {
        let unspaced = |t: &Tok| src.get(t.at.clone()).is_some_and(|s| s.starts_with(is_unspaced));
        let next = toks.iter().enumerate().skip(1).find(|(_, t)| !t.is_fill());
        // "2. Punkt", "2つ目".
        if let [_, mark, item, ..] = toks
            && mark.kind == Kind::Mark('.')
            && is_item(item)
        {
            return Some((vec![place(n, count)], 3));
        }
        return next.filter(|(_, t)| is_item(t) && unspaced(t)).map(|(i, _)| (vec![place(n, count)], i + 1));
    }
    // "the first and third point", "the last two".
    let mut said = vec![place(ordinal(first)?, count)];
    for (i, t) in toks.iter().enumerate().skip(1) {
        if let Some(n) = ordinal(t) {
            said.push(place(n, count));
        } else if let Some(n) = small(t).filter(|_| said.len() == 1 && toks.get(i + 1).is_none_or(is_item)) {
            let from_end = ordinal(first) == Some(0);
            let many = usize::from(n).min(count);
            let places = if from_end { count - many..count } else { 0..many };
            said = places.filter_map(|p| u8::try_from(p).ok()).collect();
        } else if is_item(t) {
            let mut end = i + 1;
            // "the second bullet point": two words for an item.
            while toks.get(end).is_some_and(is_item) {
                end += 1;
            }
            return Some((said, end));
        } else if !skip(&t) {
            return None;
        }
    }
    None
}

/// The tokens of a clause, and which of them rules have used.
#[derive(Debug, Clone)]
pub(super) struct Bag<'a> {
    /// The prompt.
    pub(super) src: &'a str,
    /// The tokens.
    pub(super) toks: Vec<Tok>,
    used: Vec<bool>,
}

impl<'a> Bag<'a> {
    pub(super) fn new(src: &'a str, toks: Vec<Tok>) -> Self {
        let used = vec![false; toks.len()];
        Self { src, toks, used }
    }

    /// Returns a token's words as written.
    pub(super) fn words(&self, tok: &Tok) -> &'a str {
        self.src.get(tok.at.clone()).unwrap_or_default()
    }

    /// Takes every unused token that `pick` accepts, in order.
    pub(super) fn take_all<T>(&mut self, pick: impl Fn(&Kind) -> Option<T>) -> Vec<T> {
        let mut out = Vec::new();
        for (tok, used) in self.toks.iter().zip(&mut self.used) {
            if !*used && let Some(found) = pick(&tok.kind) {
                *used = true;
                out.push(found);
            }
        }
        out
    }

    /// Takes the first unused token that `pick` accepts.
    pub(super) fn take_one<T>(&mut self, pick: impl Fn(&Kind) -> Option<T>) -> Option<T> {
        for (tok, used) in self.toks.iter().zip(&mut self.used) {
            if !*used && let Some(found) = pick(&tok.kind) {
                *used = true;
                return Some(found);
            }
        }
        None
    }

    /// Takes all unused tokens of some words. Returns whether there was one.
    pub(super) fn take(&mut self, words: &[W]) -> bool {
        !self.take_all(|k| matches!(k, Kind::Sense(Sense::Word(w)) if words.contains(w)).then_some(())).is_empty()
    }

    /// Takes the first unused token of some words.
    pub(super) fn take_word(&mut self, words: &[W]) -> Option<W> {
        self.take_one(|k| match k {
            Kind::Sense(Sense::Word(w)) if words.contains(w) => Some(*w),
            _ => None,
        })
    }

    /// Returns whether the clause has one of some words, used or not.
    pub(super) fn has(&self, words: &[W]) -> bool {
        self.toks.iter().any(|t| t.word().is_some_and(|w| words.contains(&w)))
    }

    /// Returns whether the clause has a token of a kind, used or not.
    pub(super) fn any(&self, is: impl Fn(&Kind) -> bool) -> bool {
        self.toks.iter().any(|t| is(&t.kind))
    }

    pub(super) fn colours(&mut self) -> Vec<Color> {
        self.take_all(|k| match k {
            Kind::Sense(Sense::Colour(c)) => Some(*c),
            _ => None,
        })
    }

    pub(super) fn parts(&mut self) -> Vec<Part> {
        self.take_all(|k| match k {
            Kind::Sense(Sense::Part(p)) => Some(*p),
            _ => None,
        })
    }

    pub(super) fn items(&mut self) -> Vec<u8> {
        self.take_all(|k| match k {
            Kind::Items(of) => Some(of.clone()),
            _ => None,
        })
        .concat()
    }

    pub(super) fn number(&mut self) -> Option<f32> {
        self.take_one(|k| match k {
            Kind::Num(n) => Some(*n),
            Kind::Sense(Sense::Number(n)) => Some(f32::from(*n)),
            _ => None,
        })
    }

    pub(super) fn quotes(&mut self) -> Vec<String> {
        self.take_all(|k| match k {
            Kind::Quoted(t) | Kind::Name(t) => Some(t.clone()),
            _ => None,
        })
    }

    /// Returns the unused unknown words.
    pub(super) fn unknown(&self) -> Vec<&'a str> {
        let left = self.toks.iter().zip(&self.used).filter(|(t, used)| !**used && t.kind == Kind::Unknown);
        left.map(|(t, _)| self.words(t)).collect()
    }

    /// Returns whether no meaningful token is unused. `with_unknown` ignores unknown words.
    pub(super) fn is_spent(&self, with_unknown: bool) -> bool {
        let left = self.toks.iter().zip(&self.used).filter(|(t, used)| !**used && !t.is_idle());
        left.filter(|(t, _)| !(with_unknown && t.kind == Kind::Unknown)).count() == 0
    }

    /// Takes the unknown words.
    pub(super) fn take_unknown(&mut self) {
        self.take_all(|k| (*k == Kind::Unknown).then_some(()));
    }

    /// Takes the tokens of a range.
    pub(super) fn take_range(&mut self, range: Range<usize>) {
        for used in self.used.iter_mut().skip(range.start).take(range.len()) {
            *used = true;
        }
    }

    /// Returns whether the token at a position is used.
    pub(super) fn is_used(&self, at: usize) -> bool {
        self.used.get(at).copied().unwrap_or(true)
    }

    /// Returns the words of a range of tokens as written in the prompt.
    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        let (Some(first), Some(last)) =
            (self.toks.get(range.start), range.end.checked_sub(1).and_then(|i| self.toks.get(i)))
        else {
            return "";
        };
        self.src.get(first.at.start..last.at.end).unwrap_or_default().trim()
    }
}

/// Returns the words of a text in lower case and without accents, for comparison.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(fold).collect()
}
