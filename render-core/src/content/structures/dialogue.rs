//! Finds conversations: questions with their answers, and quotations of what each speaker says.

use std::collections::BTreeMap;

use super::{Candidate, Finder};
use crate::content::blocks::Form;
use crate::content::context::{is_courtesy, stands_alone};
use crate::content::reader::Sentence;
use crate::content::segment;
use crate::content::spans::Spans;
use crate::content::telling;
use crate::content::{BlockKind, Span};

/// Maximum characters of a turn of several sentences that is kept as a question as a whole.
const QUESTION: usize = 70;
/// The score of a question with its answer, and of a quotation from an answer.
const ASKED: f32 = 0.92;
const ANSWERED: f32 = 0.3;
/// Minimum words and maximum characters of a quotation from a turn.
const QUOTED: (usize, usize) = (8, 220);

impl Finder<'_> {
    /// Finds the questions of a conversation with their answers, and the best sentence of each turn with its speaker.
    pub(super) fn conversations(&self) -> Vec<Candidate> {
        let raws = self.raws();
        let askers = self.askers();
        let is_asker = |k: usize| raws[k].speaker.as_ref().is_some_and(|s| askers.contains(&s.text.as_str()));
        let mut out = Vec::new();
        let mut i = self.from;
        while i < raws.len() {
            let Some(asker) = raws[i].speaker.as_ref() else {
                let Some(end) = self.unnamed(i) else {
                    i += 1;
                    continue;
                };
                out.extend(self.exchange(i, end));
                // The answers of further speakers become quotations.
                let others = (i + 2..end).filter(|k| raws[*k].speaker != raws[i + 1].speaker);
                out.extend(others.filter_map(|k| self.quoted(k)));
                i = end;
                continue;
            };
            let end = (i + 1..raws.len())
                .find(|k| {
                    matches!(raws[*k].form, Form::Heading(..))
                        || raws[*k].speaker.as_ref().is_some_and(|s| s.text == asker.text)
                })
                .unwrap_or(raws.len());
            // "Tell me about the boats." asks too.
            let asks = is_asker(i) || self.is_question(i);
            // An answer needs another speaker.
            let answered = (i + 1..end).any(|k| raws[k].speaker.is_some());
            if asks && answered {
                out.extend(self.exchange(i, end));
                // The answer contains these quotations already, so they score lower.
                let said = (i + 1..end).filter(|k| !is_asker(*k)).filter_map(|k| self.quoted(k));
                out.extend(said.map(|quote| Candidate { score: ANSWERED, ..quote }));
                i = end;
            } else {
                out.extend(self.quoted(i).filter(|_| !is_asker(i)));
                i += 1;
            }
        }
        out
    }

    /// Returns the end of the answers to a question without a speaker label, or `None` if block `at` is no such
    /// question.
    fn unnamed(&self, at: usize) -> Option<usize> {
        let raws = self.raws();
        let answered = raws.get(at + 1).is_some_and(|raw| raw.speaker.is_some());
        let is_asked = |k: usize| raws[k].speaker.is_none() && self.is_question(k);
        let over = |k: &usize| matches!(raws[*k].form, Form::Heading(..)) || is_asked(*k);
        (answered && is_asked(at)).then(|| (at + 1..raws.len()).find(over).unwrap_or(raws.len()))
    }

    /// Returns the names of the askers: speakers with at least two questions that are more than half of their turns.
    fn askers(&self) -> Vec<&str> {
        let mut turns: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (k, raw) in self.raws().iter().enumerate().skip(self.from) {
            if let Some(speaker) = &raw.speaker {
                let (asked, all) = turns.entry(speaker.text.as_str()).or_default();
                *asked += usize::from(self.is_question(k));
                *all += 1;
            }
        }
        turns.into_iter().filter(|(_, (asked, all))| *asked >= 2 && 2 * asked > *all).map(|(name, _)| name).collect()
    }

    fn is_question(&self, at: usize) -> bool {
        self.raws()[at].clean.text.trim_end().ends_with(['?', '？', '؟'])
    }

    /// Returns the question of turn `at` and the answer up to block `end`.
    fn exchange(&self, at: usize, end: usize) -> Option<Candidate> {
        let raws = self.raws();
        // A long question may continue in further paragraphs, up to the first answer.
        let first = (at + 1..end).find(|k| raws[*k].speaker.is_some()).unwrap_or(at + 1);
        let asked_at = (at..first).rev().find(|k| self.is_question(*k)).unwrap_or(at);
        let asked = self.reader.sentences(asked_at..asked_at + 1, Spans::NONE);
        let clean = &raws[asked_at].clean;
        let question = match asked.last() {
            Some(last) if asked.len() > 1 && clean.text.chars().count() > QUESTION => self.reader.sourced(last),
            _ => clean.sourced(0..clean.text.len()),
        };
        // If several speakers answer, only the first is taken.
        let who = raws.get(first).and_then(|raw| raw.speaker.clone());
        let other =
            |k: &usize| raws[*k].speaker.as_ref().is_some_and(|s| who.as_ref().is_some_and(|w| w.text != s.text));
        let end = (first..end).find(other).unwrap_or(end);
        let prose = (first..end).filter(|k| raws[*k].form == Form::Paragraph);
        let said: Vec<Sentence> = prose.flat_map(|k| self.reader.sentences(k..k + 1, Spans::NONE)).collect();
        let answer = telling::answer(self.reader, &said, &question.text);
        let span = answer.iter().fold(question.span, |span, a| Span::union(span, a.span));
        let kind = BlockKind::QuestionAnswer { question, answer, who };
        let score = if is_courtesy(&clean.text) { ANSWERED } else { ASKED };
        segment::says_something(&clean.text).then_some(Candidate { kind, score, span, claims: true })
    }

    /// Returns the first independent sentence of a turn, as a quotation.
    fn quoted(&self, at: usize) -> Option<Candidate> {
        let who = self.raws()[at].speaker.clone()?;
        let (words, chars) = QUOTED;
        let sentence = self.reader.sentences(at..at + 1, Spans::NONE).into_iter().find(|s| {
            let text = self.reader.text(s);
            let says = segment::count_words(text) >= words && text.chars().count() <= chars;
            says && !text.ends_with(['?', '？', '؟']) && stands_alone(text, self.reader.lexicon)
        })?;
        let text = self.reader.sourced(&sentence);
        let span = text.span;
        Some(Candidate { kind: BlockKind::Quote { text, who: Some(who) }, score: 0.6, span, claims: false })
    }
}
