//! Makes points of running text: passages of sentences, each headed by the most informative one.

use std::ops::Range;

use super::blocks::Form;
use super::context::stands_alone;
use super::odds;
use super::reader::{Reader, Sentence};
use super::segment;
use super::spans::Spans;
use super::telling;
use super::{Block, Point, Sourced};

/// Number of sentences in a passage that makes one point.
const STRETCH: usize = 4;
/// Maximum characters of a sentence that makes a headline.
const HEADLINE: usize = 80;
/// Penalty of a head per character over `EASY`, and for exceeding the headline length.
const PER_CHARACTER: f32 = 0.005;
const EASY: f32 = 60.0;
const LONG: f32 = 0.24;
/// Bonus of a short paragraph that opens a passage: editors choose it more often than its form suggests.
const APART: f32 = 1.5;
/// Minimum words of a head.
const LEAST: usize = 3;

/// Splits prose into passages: paragraphs, or parts of long ones. A short sentence that is its own paragraph opens
/// the next passage.
pub(super) fn stretches(reader: &Reader, taken: &Spans, range: Range<usize>) -> Vec<Vec<Sentence>> {
    let mut out: Vec<Vec<Sentence>> = Vec::new();
    let mut opened: Option<usize> = None;
    for i in range {
        let paragraph = reader.raws[i].form == Form::Paragraph;
        let sentences = if paragraph { reader.sentences(i..i + 1, taken) } else { Vec::new() };
        if sentences.is_empty() {
            opened = None;
            continue;
        }
        let short = sentences.len() == 1 && reader.text(&sentences[0]).chars().count() <= HEADLINE;
        if let Some(at) = opened.take().filter(|_| !short && sentences.len() <= STRETCH) {
            out[at].extend(sentences);
            continue;
        }
        let parts = sentences.len().div_ceil(STRETCH + 1).max(1);
        out.extend(sentences.chunks(sentences.len().div_ceil(parts).max(1)).map(<[Sentence]>::to_vec));
        opened = short.then(|| out.len() - 1);
    }
    out
}

/// Makes a point of each passage: its most informative sentence as the head, and the sentences after it.
pub(super) fn points(reader: &Reader, title: &str, stretches: &[Vec<Sentence>], base: f32) -> Vec<Block> {
    let all: Vec<&str> = stretches.iter().flatten().map(|s| reader.text(s)).collect();
    let scores = reader.ranker.scores(&all, &reader.ranker.stems(&all), title);
    let mut from = 0;
    let mut out = Vec::new();
    for stretch in stretches {
        let own = &scores[from..from + stretch.len()];
        from += stretch.len();
        let odds = odds::odds(reader, stretch, title);
        let Some(head) = head(reader, stretch, &odds) else { continue };
        // A passage that is informative by itself counts as much as one that only matches the title.
        let score = base + 0.28 * (0.35 * own[head] + 0.65 * odds::share(odds[head])).clamp(0.0, 1.0);
        out.push(Block::key_point(point(reader, stretch, head), score));
    }
    out
}

/// Returns the index of the sentence that heads a passage.
fn head(reader: &Reader, stretch: &[Sentence], odds: &[f32]) -> Option<usize> {
    let text = |i: usize| reader.text(&stretch[i]);
    let worth = |i: usize| {
        let chars = text(i).chars().count();
        let long = PER_CHARACTER * (chars as f32 - EASY).max(0.0) + if chars > HEADLINE { LONG } else { 0.0 };
        let apart = i == 0 && stretch.get(1).is_some_and(|next| next.raw != stretch[0].raw);
        odds[i] - long + if apart { APART } else { 0.0 }
    };
    let heads = |i: &usize| {
        let text = text(*i);
        segment::count_words(text) >= LEAST && !text.ends_with([':', '?']) && stands_alone(text, reader.lexicon)
    };
    (0..stretch.len()).filter(heads).max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)))
}

/// Makes a point of a passage under one of its sentences.
fn point(reader: &Reader, stretch: &[Sentence], head: usize) -> Point {
    let (mut body, mut more): (Vec<Sourced>, Vec<Sourced>) = (Vec::new(), Vec::new());
    // The sentence after the head may depend on it. Sentences before the head must be independent.
    let behind = &stretch[head + 1..];
    if let Some(next) = behind.first() {
        let leaning = !stands_alone(reader.text(next), reader.lexicon);
        if leaning && !reader.text(next).ends_with(':') {
            body.push(telling::group(reader, behind, 0));
        }
    }
    let rest: Vec<Sentence> = stretch.iter().enumerate().filter(|(i, _)| *i != head).map(|(_, s)| s.clone()).collect();
    // A page keeps the order of its source.
    let at = reader.sourced(&stretch[head]).span.end;
    for (tells, sentence) in telling::ranked(reader, &rest, reader.text(&stretch[head])).all() {
        if !body.iter().any(|b| b.span.overlaps(sentence.span)) {
            let follows = sentence.span.start >= at;
            if follows && (tells || body.is_empty()) { body.push(sentence) } else { more.push(sentence) }
        }
    }
    Point { head: reader.sourced(&stretch[head]), body, more }
}
