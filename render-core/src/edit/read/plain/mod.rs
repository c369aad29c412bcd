//! Everyday wording: a table of patterns (`words/plain.txt`), each with the clause of the grammar that it stands for.
//!
//! A pattern matches a whole clause, or several clauses that follow each other. What it captures goes into the clause as the
//! prompt spells it.

mod table;

use std::collections::HashSet;
use std::ops::Range;

use table::{Captured, Part, table};

use super::super::phrase::spelt;
use super::clause::{Kind, Tok, commands, names, tokens};
use super::lex::{Piece, Raw, fold, pieces};
use super::lexicon;
use super::sense::{Sense, W};

/// Words that a capture may take, and words of the page that it may take.
const CAPTURED: usize = 8;
const ON_PAGE: usize = 24;
/// Words of the longest name of a colour.
const SHADED: usize = 4;
/// Words of the longest clause that is taken for a wish because it names a thing.
const SHORT: usize = 6;
/// The most pieces of a prompt that is searched, and the most clauses of a pattern.
const LONGEST: usize = 80;
const CLAUSES: usize = 4;
/// Marks a clause of the table, so that `partly` can rely on it. The character is invisible and never typed.
pub(super) const SURE: char = '\u{2060}';
/// Words that name nothing by themselves.
const ARTICLES: [&str; 12] = ["the", "a", "an", "this", "that", "it", "el", "la", "los", "las", "o", "os"];
/// Words between clauses.
const ANDS: [&str; 6] = ["and", "&", "und", "et", "y", "e"];
/// Words that, at the start of a clause, are never words for the page.
const ASIDES: [&str; 22] = [
    "maybe",
    "also",
    "please",
    "pls",
    "plz",
    "thanks",
    "thx",
    "typo",
    "same",
    "instead",
    "everywhere",
    "keep",
    "bitte",
    "danke",
    "gracias",
    "merci",
    "svp",
    "obrigado",
    "grazie",
    "lieber",
    "its",
    "thats",
];
/// Words in front of a further instruction.
const AFTERWARDS: [&str; 8] = ["then", "afterwards", "dann", "danach", "luego", "despues", "puis", "poi"];
/// Words that begin a wish for words instead of the words.
const VAGUE: [&str; 12] = [
    "something",
    "anything",
    "sth",
    "max",
    "half",
    "irgendwas",
    "etwas",
    "algo",
    "quelque",
    "qualcosa",
    "whatever",
    "shorter",
];
/// Likewise, in front of what is counted.
const COUNTS: [&str; 18] = [
    "one", "a", "an", "two", "three", "1", "2", "3", "only", "the", "una", "un", "eine", "einen", "la", "die", "den",
    "el",
];
const MEASURES: [&str; 24] = [
    "bit",
    "part",
    "last",
    "rest",
    "teil",
    "teile",
    "parte",
    "ultima",
    "sentence",
    "sentences",
    "line",
    "lines",
    "word",
    "words",
    "frase",
    "frases",
    "satz",
    "zeile",
    "zeilen",
    "phrase",
    "ligne",
    "linea",
    "lineas",
    "paragraph",
];

/// What says only how something is to look or where it is to stand.
const LOOKS: [W; 24] = [
    W::Bigger,
    W::Smaller,
    W::Huge,
    W::Largest,
    W::Tiny,
    W::Bold,
    W::Bolder,
    W::Thin,
    W::Thinner,
    W::Dark,
    W::Light,
    W::Darker,
    W::Lighter,
    W::Upper,
    W::Lower,
    W::Italic,
    W::Centre,
    W::Left,
    W::Right,
    W::Top,
    W::Bottom,
    W::Up,
    W::Down,
    W::Line,
];

/// Words at the end of a prompt that are never words for the page.
const POLITE: [&str; 7] = ["please", "pls", "plz", "bitte", "svp", "instead", "tho"];

/// A prompt, its pieces and their folded words.
struct Said<'p> {
    prompt: &'p str,
    pieces: Vec<Piece>,
    words: Vec<String>,
    toks: Vec<Tok>,
    page: &'p OnPage,
}

/// What a page says and shows.
#[derive(Debug, Default)]
pub(super) struct OnPage {
    /// Its texts.
    pub(super) texts: Vec<String>,
    /// Words of the prompt, folded, for a picture or an icon of the page.
    pub(super) shown: HashSet<String>,
}

impl<'p> Said<'p> {
    fn of(prompt: &'p str, page: &'p OnPage) -> Self {
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

    /// The tokens that lie in a range of pieces.
    fn tokens(&self, from: usize, to: usize) -> impl Iterator<Item = &Tok> {
        let at = |n: usize| self.pieces.get(n).map_or(self.prompt.len(), |piece| piece.at.start);
        let (start, end) = (at(from), at(to));
        self.toks.iter().filter(move |tok| tok.at.start >= start && tok.at.start < end)
    }

    /// Returns whether an instruction begins at a piece.
    fn begins(&self, at: usize) -> bool {
        let after = |word: &String| AFTERWARDS.contains(&word.as_str());
        let at = if self.words.get(at).is_some_and(after) { at + 1 } else { at };
        let aside = self.words.get(at).is_some_and(|word| ASIDES.contains(&word.as_str()));
        let first = self.tokens(at, self.pieces.len()).find(|tok| !tok.is_fill());
        aside || first.is_some_and(|tok| commands(tok) && !tok.slip)
    }

    /// The end of the words for the page that begin at a piece.
    fn rest(&self, at: usize) -> usize {
        let n = self.pieces.len();
        if matches!(self.pieces.get(at).map(|piece| &piece.raw), Some(Raw::Quoted(_))) {
            // What follows words in quotation marks directly says more about them.
            let ends = at + 1 == n || self.parts(at + 1) || self.is_polite(at + 1);
            return if ends { at + 1 } else { at };
        }
        let lower = |at: usize| self.slice(at, at + 1).starts_with(char::is_lowercase);
        let sentence = |at: usize| matches!(self.pieces.get(at).map(|piece| &piece.raw), Some(Raw::Mark('.' | ';')));
        let ends = |end: &usize| {
            let next = (*end..n).find(|at| !self.parts(*at)).unwrap_or(n);
            let marks = (*end..next).any(sentence);
            // Who types a sentence in lower case after words with a capital goes on to speak of something else.
            next == n || self.begins(next) || marks && lower(next) && !lower(at) || self.shows(next)
        };
        let mut end = (at + 1..n).filter(|end| self.parts(*end)).find(ends).unwrap_or(n);
        while end > at + 1 && self.is_polite(end - 1) {
            end -= 1;
        }
        end
    }

    /// Returns whether a short clause that begins at a piece names something to see: "…, and a little shop icon".
    fn shows(&self, at: usize) -> bool {
        let end = (at..self.pieces.len()).find(|at| self.parts(*at)).unwrap_or(self.pieces.len());
        let things = [
            W::Icon,
            W::Photo,
            W::Logo,
            W::Background,
            W::Face,
            W::Art,
            W::Emphasis,
            W::Bigger,
            W::Smaller,
            W::Bold,
            W::Bolder,
        ];
        let is = |tok: &Tok| !tok.slip && tok.word().is_some_and(|word| things.contains(&word));
        end - at <= SHORT && self.tokens(at, end).any(is)
    }

    fn is_polite(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| POLITE.contains(&word.as_str()))
    }

    /// Returns whether pieces are words for the page, and not only how something is to look, or the name of a part of the
    /// page. Behind a colon a colour may be a name ("add a point: Sage").
    fn is_text(&self, from: usize, to: usize) -> bool {
        let capital = self.slice(from, from + 1).starts_with(char::is_uppercase);
        let told = capital && from > 0 && self.words.get(from - 1).is_some_and(|word| word == ":");
        let looks = |tok: &Tok| {
            tok.is_fill()
                || tok.parts()
                || !told && matches!(tok.kind, Kind::Sense(Sense::Colour(_) | Sense::Style(_) | Sense::Hue(_)))
                || matches!(tok.kind, Kind::Sense(Sense::Part(_)))
                || tok.word().is_some_and(|word| LOOKS.contains(&word) || matches!(word, W::Text | W::Icon | W::Photo))
        };
        // "something neutral", "one sentence, max 10 words" say what words to find.
        let vague = self.words.get(from).is_some_and(|word| VAGUE.contains(&word.as_str()))
            || (from..to.min(from + 4))
                .any(|at| self.words.get(at).is_some_and(|word| MEASURES.contains(&word.as_str())))
                && self.words.get(from).is_some_and(|word| COUNTS.contains(&word.as_str()));
        // "title “…”, text “…”" says of which texts they are the words.
        let named = self.tokens(from, to).next().is_some_and(|tok| matches!(tok.kind, Kind::Sense(Sense::Part(_))))
            && self.tokens(from, to).any(|tok| matches!(tok.kind, Kind::Quoted(_)));
        !vague && !named && self.tokens(from, to).any(|tok| !looks(tok))
    }

    /// Returns whether the page says pieces, which are not the name of a part of it.
    fn is_on_page(&self, from: usize, to: usize) -> bool {
        let words = match self.pieces.get(from).map(|piece| &piece.raw) {
            Some(Raw::Quoted(text)) if to == from + 1 => text.as_str(),
            _ => self.slice(from, to),
        };
        let quoted = words.len() < self.slice(from, to).len();
        let part = to - from < 3 && !quoted && self.tokens(from, to).any(|tok| names(tok) && !tok.slip);
        !part && self.page.texts.iter().any(|text| spelt(text, words).is_some())
    }

    fn parts(&self, at: usize) -> bool {
        let mark = matches!(self.pieces.get(at).map(|piece| &piece.raw), Some(Raw::Mark(',' | '.' | ';')));
        mark || self.words.get(at).is_some_and(|word| ANDS.contains(&word.as_str()))
    }

    fn slice(&self, from: usize, to: usize) -> &'p str {
        let (Some(first), Some(last)) = (self.pieces.get(from), self.pieces.get(to.wrapping_sub(1))) else { return "" };
        self.prompt.get(first.at.start..last.at.end).unwrap_or_default()
    }

    /// The pieces that a capture may take from a piece on, by their ends.
    fn takes(&self, is: Captured, at: usize, end: usize) -> Vec<usize> {
        let raw = self.pieces.get(at).map(|piece| &piece.raw);
        let one = |fits: bool| if fits && at < end { vec![at + 1] } else { Vec::new() };
        // "The" alone is no name.
        let names = |word: &String| !ARTICLES.contains(&word.as_str());
        let says = |to: &usize| self.words.get(at..*to).is_some_and(|of| of.iter().any(names));
        match is {
            Captured::Colour => one(matches!(raw, Some(Raw::Colour(_)))),
            Captured::Address => one(matches!(raw, Some(Raw::Name(_)))),
            Captured::Shown => one(self.words.get(at).is_some_and(|word| self.page.shown.contains(word))),
            Captured::Hue => {
                let colour = |tok: &Tok| matches!(tok.kind, Kind::Sense(Sense::Colour(_)));
                let shade =
                    |tok: &Tok| tok.is_fill() || [W::Dark, W::Light, W::Pale, W::Colour].iter().any(|w| tok.is(*w));
                let is_hue = |to: &usize| {
                    self.tokens(at, *to).any(colour) && self.tokens(at, *to).all(|tok| colour(tok) || shade(tok))
                };
                (at + 1..=end.min(at + SHADED)).filter(is_hue).collect()
            }
            Captured::Rest => {
                let to = self.rest(at);
                let quoted = matches!(raw, Some(Raw::Quoted(_)));
                let begins = !matches!(raw, Some(Raw::Mark(_)));
                // A sentence keeps its full stop.
                let stops = to - at.min(to) > SHORT && self.words.get(to).is_some_and(|word| word == ",");
                let stop = matches!(self.pieces.get(to).map(|piece| &piece.raw), Some(Raw::Mark('.')));
                let whole = if !quoted && stops && stop { to + 1 } else { to };
                if at < to && begins && (quoted || self.is_text(at, to)) { vec![whole] } else { Vec::new() }
            }
            Captured::OnPage => {
                let ends = (at + 1..=end.min(at + ON_PAGE)).rev();
                ends.filter(says).filter(|to| self.is_on_page(at, *to)).collect()
            }
            Captured::Words | Captured::Named => {
                let named = is == Captured::Words
                    || matches!(raw, Some(Raw::Quoted(_)))
                    || self.slice(at, at + 1).starts_with(char::is_uppercase);
                // A quotation is all of the words.
                let most = if matches!(raw, Some(Raw::Quoted(_))) { 1 } else { CAPTURED };
                let ends = (at + 1..=end.min(at + most)).take_while(|to| !self.parts(to - 1));
                ends.filter(says).filter(|_| named).collect()
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

    /// The clause that the pieces from `from` to `to` stand for, with the end of those. Patterns that end in words for the
    /// page (`open`) find their end themselves.
    fn meant(&self, from: usize, to: usize, open: bool) -> Option<Meant> {
        let fills = |at: usize| self.words.get(at).is_some_and(|word| table().fill.contains(word));
        let start = (from..to).find(|at| !fills(*at))?;
        let end = (start..to).rfind(|at| !fills(*at))? + 1;
        // "just keep" may be a phrase of a pattern, and "just" alone says nothing.
        let whole = self.matched(from, to, open);
        whole.or_else(|| if (start, end) == (from, to) { None } else { self.matched(start, end, open) })
    }

    fn matched(&self, from: usize, to: usize, open: bool) -> Option<Meant> {
        table().patterns.iter().filter(|pattern| pattern.is_open() == open).find_map(|pattern| {
            let (end, captured) = self.captured(&pattern.parts, from, to)?;
            let put = |clause: String, (name, words): &(String, &str)| {
                let placed = clause.replace(&format!("“{{{name}}}”"), &quoted(words));
                placed.replace(&format!("{{{name}}}"), words)
            };
            let clause = captured.iter().fold(pattern.clause.to_owned(), put);
            Some(Meant { end, clause, weak: pattern.weak, open })
        })
    }

    /// The clauses that the table has, and the bytes of the prompt that they stand on.
    fn found(&self) -> Vec<(Range<usize>, Meant)> {
        let n = self.pieces.len();
        let (mut out, mut at) = (Vec::new(), if n > LONGEST { n } else { 0 });
        while at < n {
            let mut ends: Vec<usize> = (at + 1..n).filter(|end| self.parts(*end)).take(CLAUSES).collect();
            if ends.len() < CLAUSES {
                ends.push(n);
            }
            let closed = || {
                let meant = |end: &usize| self.meant(at, *end, false).map(|meant| Meant { end: *end, ..meant });
                ends.iter().rev().find_map(meant)
            };
            let found = self.meant(at, n, true).or_else(closed);
            let bytes = |end: usize| Some(self.pieces.get(at)?.at.start..self.pieces.get(end - 1)?.at.end);
            let next = found.as_ref().map(|meant| meant.end).or(ends.first().copied());
            if let Some(meant) = found
                && let Some(bytes) = bytes(meant.end)
            {
                out.push((bytes, meant));
            }
            at = next.unwrap_or(n);
            while at < n && self.parts(at) {
                at += 1;
            }
        }
        out
    }
}

/// A clause of the grammar for a part of a prompt.
struct Meant {
    /// The piece behind that part.
    end: usize,
    clause: String,
    /// Whether it is a complaint, which is dropped if another clause says what to do.
    weak: bool,
    /// Whether it holds words for the page.
    open: bool,
}

/// Words in quotation marks that they don't contain.
fn quoted(words: &str) -> String {
    let marks = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '\'' | '‘' | '’');
    let inside = words.strip_prefix(marks).and_then(|words| words.strip_suffix(marks)).unwrap_or(words).trim();
    // The full stop of a short phrase is that of the prompt.
    let inside = inside.trim_end_matches([',', ';', ':']);
    let stop = inside.split_whitespace().nth(4).is_none() && !inside.trim_end_matches('.').contains(['.', '!', '?']);
    let inside = if stop { inside.trim_end_matches('.') } else { inside };
    let pairs = [('“', '”'), ('«', '»'), ('「', '」')];
    let free = pairs.iter().find(|(open, close)| !inside.contains([*open, *close]) && !inside.contains('"'));
    let (open, close) = free.or(pairs.get(1)).copied().unwrap_or(('“', '”'));
    format!("{open}{inside}{close}")
}

/// A prompt in the words of the table.
pub(super) struct Plain {
    /// The prompt with clauses of the grammar.
    pub(super) prompt: String,
    /// Whether a clause holds words for the page, whose end no other reading knows.
    pub(super) open: bool,
}

/// A prompt with clauses of the grammar for those that the table has; `None` where it has none of them. Complaints are left
/// out where another clause says what to do.
pub(super) fn plain(prompt: &str, page: &OnPage) -> Option<Plain> {
    let found = Said::of(prompt, page).found();
    let strong = found.iter().any(|(_, meant)| !meant.weak);
    let (mut out, mut copied) = (String::new(), 0);
    for (at, Meant { clause, weak, .. }) in &found {
        out.push_str(prompt.get(copied..at.start)?);
        if !(*weak && (strong || clause.is_empty())) {
            out.push(SURE);
            out.push_str(clause);
        }
        copied = at.end;
    }
    out.push_str(prompt.get(copied..)?);
    let open = found.iter().any(|(_, meant)| meant.open);
    (!found.is_empty()).then_some(Plain { prompt: out, open })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_clauses() {
        for (prompt, meant) in [
            ("number them 1 2 3 instead of the icons", Some("number the points")),
            ("way too busy, just lose those half circles pls", Some("way too busy, remove the decoration")),
            ("numera las razones del 1 al 6", Some("number the points")),
            ("“Key takeaways” instead of Recap", Some("replace “Recap” with “Key takeaways”")),
            ("way too much text, just keep the headline", Some(", remove the text below the headline")),
            ("number them by hand", None),
            ("make it blue", None),
        ] {
            let said = plain(prompt, &OnPage::default()).map(|said| said.prompt.replace(SURE, ""));
            assert_eq!(said.as_deref(), meant, "{prompt}");
        }
    }

    #[test]
    fn the_table_has_a_clause_for_every_pattern() {
        let table = table();
        assert!(table.patterns.len() > 50 && table.fill.len() > 5);
        for table::Pattern { parts, clause, weak } in &table.patterns {
            assert!((*weak || !clause.is_empty()) && !parts.is_empty(), "{clause}");
            let named = parts.iter().filter_map(|part| match part {
                Part::Capture { name, .. } => Some(format!("{{{name}}}")),
                _ => None,
            });
            let named: Vec<String> = named.collect();
            let used = clause.split('{').skip(1).filter_map(|part| part.split('}').next());
            for name in used {
                assert!(named.contains(&format!("{{{name}}}")), "{clause}: {named:?}");
            }
        }
    }
}
