//! Selects the informative sentences of a passage for display on a page, by the odds that an editor would show them.

use super::context::{Worth, refers_back, stands_alone};
use super::odds::{odds, odds_of, share};
use super::rank;
use super::reader::{Reader, Sentence};
use super::segment;
use super::{Point, Sourced};

/// Minimum log odds of a sentence that is shown next to better ones: about two per passage reach it.
const TELLING: f32 = -0.4;
/// How much higher the log odds of a later sentence of an answer must be for it to replace the first one as the lead.
const LEADS: f32 = 0.3;
/// Number of last sentences that can be the ending, the penalty per sentence after a candidate, and the minimum log
/// odds of an ending.
const CLOSING: usize = 8;
const FURTHER: f32 = 0.35;
/// Penalty of an ending that refers to something an earlier sentence names: readers of a set don't see that sentence.
const LOOSE: f32 = 0.8;
const ENDING: f32 = -1.5;
/// Minimum words of an ending.
const ENDS: usize = 8;
/// Maximum characters of a group of dependent sentences.
const GROUP: usize = 320;

/// The sentences of a passage as support, best first, split into informative ones and the rest.
pub(super) struct Ranked {
    pub telling: Vec<Sourced>,
    pub rest: Vec<Sourced>,
    /// The probability that an editor would show the best one, 0 if there is none.
    pub share: f32,
}

impl Ranked {
    /// Creates a point that the sentences support.
    pub fn point(self, head: Sourced) -> Point {
        Point { head, body: self.telling, more: self.rest }
    }

    /// Returns all sentences, best first, each with whether it is informative.
    pub fn all(self) -> impl Iterator<Item = (bool, Sourced)> {
        self.telling.into_iter().map(|s| (true, s)).chain(self.rest.into_iter().map(|s| (false, s)))
    }
}

/// Ranks the independent sentences of a passage, each with the sentences that depend on it.
pub(super) fn ranked(reader: &Reader, sentences: &[Sentence], head: &str) -> Ranked {
    let texts: Vec<&str> = sentences.iter().map(|s| reader.text(s)).collect();
    let stems = reader.ranker.stems(&texts);
    let odds = odds_of(reader, sentences, &stems, head);
    let shares: Vec<f32> = odds.iter().copied().map(share).collect();
    let usable = |i: &usize| {
        let text = texts[*i];
        !text.ends_with([':', '：']) && segment::count_words(text) >= 2 && stands_alone(text, reader.lexicon)
    };
    let fills = |i: &usize| Worth::of(texts[*i], reader.lexicon.code).filler;
    let order = rank::order(&stems, &shares).into_iter().filter(usable);
    let (fillers, telling): (Vec<usize>, Vec<usize>) = order.partition(fills);
    let order: Vec<usize> = telling.into_iter().chain(fillers).collect();
    // The best sentence is shown regardless of its odds.
    let shown = order.iter().take(1).chain(order.iter().skip(1).filter(|i| odds[**i] >= TELLING));
    let shown: Vec<usize> = shown.copied().collect();
    let rest = order.iter().filter(|i| !shown.contains(i)).map(|i| group(reader, sentences, *i)).collect();
    let share = shown.first().map_or(0.0, |i| shares[*i]);
    Ranked { telling: shown.into_iter().map(|i| group(reader, sentences, i)).collect(), rest, share }
}

/// Returns the sentences of an answer in the speaker's order. If a later sentence is much more informative than the
/// first, it comes first.
pub(super) fn answer(reader: &Reader, sentences: &[Sentence], head: &str) -> Vec<Sourced> {
    let mut said: Vec<Sourced> = sentences.iter().map(|s| reader.sourced(s)).collect();
    let odds = odds(reader, sentences, head);
    let alone = |i: &usize| stands_alone(&said[*i].text, reader.lexicon);
    let best = (1..said.len()).filter(alone).max_by(|a, b| odds[*a].total_cmp(&odds[*b]));
    if let Some(best) = best.filter(|best| odds[*best] >= odds[0] + LEADS) {
        let best = said.remove(best);
        said.insert(0, best);
    }
    said
}

/// Returns the most informative independent sentence near the end of a text. Editors choose one of the last few
/// sentences as the ending. In 60 of 100 articles this function chooses the same one.
pub(super) fn ending(reader: &Reader, sentences: &[Sentence], title: &str) -> Option<Sourced> {
    let from = sentences.len().saturating_sub(CLOSING);
    let last = &sentences[from..];
    let odds = odds(reader, last, title);
    let loose = |i: usize| if refers_back(reader.text(&last[i]), reader.lexicon) { LOOSE } else { 0.0 };
    let worth = |i: usize| odds[i] - FURTHER * (last.len() - 1 - i) as f32 - loose(i);
    let ends = |i: &usize| {
        let text = reader.text(&last[*i]);
        let said = segment::count_words(text) >= ENDS && !text.ends_with([':', '：', '?', '？', '؟']);
        said && stands_alone(text, reader.lexicon) && !Worth::of(text, reader.lexicon.code).filler
    };
    let best = (0..last.len()).filter(ends).max_by(|a, b| worth(*a).total_cmp(&worth(*b)))?;
    (odds[best] >= ENDING).then(|| reader.sourced(&last[best]))
}

/// Returns a sentence together with the following ones that depend on it.
pub(super) fn group(reader: &Reader, sentences: &[Sentence], i: usize) -> Sourced {
    let first = &sentences[i];
    let clean = &reader.raws[first.raw].clean;
    let mut end = first.range.end;
    for next in &sentences[i + 1..] {
        let adjacent = next.raw == first.raw && next.range.start <= end + 1;
        let text = reader.text(next);
        // A sentence that introduces a list says nothing without the list, nor does "Here are a few examples."
        let says = !text.ends_with([':', '：']) && !Worth::of(text, reader.lexicon.code).filler;
        let leans = says && !stands_alone(text, reader.lexicon);
        if !(adjacent && leans && clean.text[first.range.start..next.range.end].chars().count() <= GROUP) {
            break;
        }
        end = next.range.end;
    }
    clean.sourced(first.range.start..end)
}

#[cfg(test)]
mod tests {
    use crate::content::{BlockKind, read_text};

    #[test]
    fn what_tells_a_result_goes_before_what_points_elsewhere() {
        let text = "# Boats\n\n## Counting boats\n\nSee the table below for all of them. The crew counted boats for a year, and \
            fewer were lost as a result. It was hard.\n\n## Ropes\n\nWet ropes are short.\n\n## Rest\n\nSit down at noon.\n";
        let blocks = read_text(text).unwrap().blocks;
        let point = blocks.iter().find_map(|block| match &block.kind {
            BlockKind::KeyPoint(point) if point.head.text == "Counting boats" => Some(point),
            _ => None,
        });
        assert!(point.unwrap().body[0].text.starts_with("The crew counted boats"), "{point:?}");
    }

    #[test]
    fn an_answer_is_led_by_what_tells() {
        let text = "# Boats\n\n## Why count boats?\n\nLet's look at that in the table below. Nobody knew how many boats there were, so \
            boats were lost without anybody noticing.\n\n## Ropes\n\nWet ropes are short.\n\n## Rest\n\nSit down at noon.\n";
        let blocks = read_text(text).unwrap().blocks;
        let answer = blocks.iter().find_map(|block| match &block.kind {
            BlockKind::QuestionAnswer { answer, .. } => Some(answer),
            _ => None,
        });
        assert!(answer.unwrap()[0].text.starts_with("Nobody knew"), "{answer:?}");
    }

    #[test]
    fn a_long_text_ends_with_what_its_last_sentences_tell() {
        let told = "The crew of the harbour counts the boats at dawn. ".repeat(14);
        let last = "Whoever counts the boats every day loses none of them in the fog.";
        let ending = |rest: &str| {
            let text = format!("# Boats\n\n{told}\n\n{last} {rest}\n");
            read_text(&text).unwrap().ending.map(|s| s.text)
        };
        assert_eq!(ending("").as_deref(), Some(last));
        assert_eq!(ending("You can find more in the table below.").as_deref(), Some(last));
        assert_eq!(read_text("# Boats\n\nWe count boats. Nobody else does.\n").unwrap().ending, None);
    }
}
