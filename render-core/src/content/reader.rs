//! The shared input of all detectors: the blocks of a text, their sentences and the word lists of its language.

use std::cell::OnceCell;
use std::ops::Range;

use super::blocks::{Form, Raw};
use super::rank::Ranker;
use super::segment::says_something;
use super::spans::Spans;
use super::words::terms::{self, Terms};
use super::words::{self, Words};
use super::{Language, Sourced};
use crate::cancel;

/// A text as all detectors see it.
pub(super) struct Reader {
    pub ranker: Ranker,
    pub lexicon: &'static Words,
    pub terms: &'static Terms,
    pub raws: Vec<Raw>,
    /// The sentences of each block, cached because every detector needs them.
    cut: Vec<OnceCell<Vec<Range<usize>>>>,
}

/// A sentence: the index of its block and its range in the clean text of that block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    pub raw: usize,
    pub range: Range<usize>,
}

impl Reader {
    /// Creates a reader of these blocks, written in `language`.
    pub fn new(raws: Vec<Raw>, language: &Language) -> Self {
        let code = language.primary();
        let cut = raws.iter().map(|_| OnceCell::new()).collect();
        Self { ranker: Ranker::new(code), lexicon: words::of(code), terms: terms::of(code), raws, cut }
    }

    /// Returns the sentences of prose and items in a range of blocks that do not overlap `taken`.
    pub fn sentences(&self, range: Range<usize>, taken: &Spans) -> Vec<Sentence> {
        let mut out = Vec::new();
        for raw in range {
            if matches!(self.raws[raw].form, Form::Heading(..) | Form::Quote | Form::Table) {
                continue;
            }
            cancel::tick();
            let clean = &self.raws[raw].clean;
            for range in self.cut[raw].get_or_init(|| clean.sentences(self.lexicon)).iter().cloned() {
                let span = clean.span(range.clone());
                if says_something(&clean.text[range.clone()]) && !taken.overlap(span) {
                    out.push(Sentence { raw, range });
                }
            }
        }
        out
    }

    /// Returns the text of a sentence.
    pub fn text(&self, s: &Sentence) -> &str {
        &self.raws[s.raw].clean.text[s.range.clone()]
    }

    /// Returns a sentence with its source span.
    pub fn sourced(&self, s: &Sentence) -> Sourced {
        self.raws[s.raw].clean.sourced(s.range.clone())
    }
}
