//! Where words for the page end in a prompt, and whether they are such words.

use super::super::super::phrase::spelt;
use super::super::clause::{Kind, Tok, commands, names};
use super::super::lex::Raw;
use super::super::sense::{Sense, W};
use super::said::Said;
use super::table::List;

/// Words of the longest clause that is taken for a wish because it names a thing.
const SHORT: usize = 6;
/// The first words of a wish that may say how much is wanted.
const MEASURED: usize = 4;

impl Said<'_> {
    /// The end of the words for the page that begin at a piece; `None` if none begin there.
    pub(super) fn rest(&self, at: usize) -> Option<usize> {
        match self.raw(at)? {
            Raw::Mark(_) => None,
            // What follows words in quotation marks directly says more about them.
            Raw::Quoted(_) => (self.ends(at + 1) || self.is(List::Polite, at + 1)).then_some(at + 1),
            _ => Some(self.open_end(at)).filter(|end| self.is_text(at, *end)),
        }
    }

    /// The end of words without quotation marks: where the next instruction begins.
    fn open_end(&self, at: usize) -> usize {
        let n = self.len();
        let lower = |at: usize| self.slice(at, at + 1).starts_with(char::is_lowercase);
        let sentence = |at: usize| matches!(self.raw(at), Some(Raw::Mark('.' | ';')));
        let next = |end: usize| (end..n).find(|at| !self.parts(*at));
        let ends = |end: &usize| {
            next(*end).is_none_or(|next| {
                // Who types a sentence in lower case after words with a capital goes on to speak of something else.
                let other = (*end..next).any(sentence) && lower(next) && !lower(at);
                other || self.begins(next) || self.shows(next)
            })
        };
        let mut end = (at + 1..n).filter(|end| self.parts(*end)).find(ends).unwrap_or(n);
        while end > at + 1 && self.is(List::Polite, end - 1) {
            end -= 1;
        }
        // A sentence keeps its full stop.
        let stops = end - at > SHORT && matches!(self.raw(end), Some(Raw::Mark('.')));
        end + usize::from(stops)
    }

    /// Returns whether an instruction begins at a piece.
    fn begins(&self, at: usize) -> bool {
        let at = at + usize::from(self.is(List::Afterwards, at));
        let first = self.tokens(at, self.len()).find(|tok| !tok.is_fill());
        self.is(List::Asides, at) || first.is_some_and(|tok| commands(tok) && !tok.slip)
    }

    /// Returns whether a short clause that begins at a piece names something to see: "…, and a little shop icon".
    fn shows(&self, at: usize) -> bool {
        let end = (at..self.len()).find(|at| self.parts(*at)).unwrap_or(self.len());
        let things = [W::Icon, W::Photo, W::Logo, W::Background, W::Face, W::Art, W::Emphasis, W::Bigger, W::Smaller];
        let is = |tok: &Tok| !tok.slip && tok.word().is_some_and(|word| things.contains(&word) || word.is_weight());
        end - at <= SHORT && self.tokens(at, end).any(is)
    }

    /// Returns whether pieces are words for the page, and not only how something is to look, or the name of a part of the
    /// page. Behind a colon a colour may be a name ("add a point: Sage").
    fn is_text(&self, from: usize, to: usize) -> bool {
        let capital = self.slice(from, from + 1).starts_with(char::is_uppercase);
        let told = capital && from.checked_sub(1).is_some_and(|at| matches!(self.raw(at), Some(Raw::Mark(':'))));
        let part = |tok: &Tok| matches!(tok.kind, Kind::Sense(Sense::Part(_)));
        let looks = |tok: &Tok| {
            tok.is_fill()
                || tok.parts()
                || part(tok)
                || !told && matches!(tok.kind, Kind::Sense(Sense::Colour(_) | Sense::Style(_) | Sense::Hue(_)))
                || tok.word().is_some_and(|word| word.is_look() || word.is_side())
                || [W::Line, W::Text, W::Icon, W::Photo].iter().any(|word| tok.is(*word))
        };
        // "title “…”, text “…”" says of which texts they are the words.
        let quoted = |tok: &Tok| matches!(tok.kind, Kind::Quoted(_));
        let named = self.tokens(from, to).next().is_some_and(part) && self.tokens(from, to).any(quoted);
        !self.is_vague(from, to) && !named && self.tokens(from, to).any(|tok| !looks(tok))
    }

    /// Returns whether pieces say which words to find instead of the words: "something neutral", "one sentence, max 10
    /// words".
    fn is_vague(&self, from: usize, to: usize) -> bool {
        let measured = || (from..to.min(from + MEASURED)).any(|at| self.is(List::Measures, at));
        self.is(List::Vague, from) || self.is(List::Counts, from) && measured()
    }

    /// Returns whether the page says pieces, which are not the name of a part of it.
    pub(super) fn is_on_page(&self, from: usize, to: usize) -> bool {
        let said = |words: &str| self.page.texts.iter().any(|text| spelt(text, words).is_some());
        match self.raw(from) {
            Some(Raw::Quoted(words)) if to == from + 1 => said(words),
            _ => {
                let part = to - from < 3 && self.tokens(from, to).any(|tok| names(tok) && !tok.slip);
                !part && said(self.slice(from, to))
            }
        }
    }
}
