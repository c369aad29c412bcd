//! Detects structures by their form: tables, series, timelines, checklists, pairs. Each detector scores its
//! candidates, 0–1, and the highest score wins a span.

mod dialogue;
mod facts;
mod lines;
mod lists;
mod pairs;
mod tables;
mod times;

use std::collections::BTreeMap;
use std::ops::Range;

use super::blocks::{Clean, Form, Raw};
use super::reader::Reader;
use super::spans::Spans;
use super::words::terms::Terms;
use super::{Block, BlockKind, Declared, Point, Sourced, Span, segment};
use crate::cancel;

/// Minimum entries of a structure that is recognised by repetition.
const LEAST: usize = 3;
/// Maximum characters of a line that introduces a structure.
const TITLE: usize = 90;

/// The result of the detectors.
pub(super) struct Structures {
    /// The blocks, in no particular order.
    pub blocks: Vec<Block>,
    /// The spans that belong to a single block, in order.
    pub claimed: Vec<Span>,
}

/// A candidate of a detector.
struct Candidate {
    kind: BlockKind,
    score: f32,
    span: Span,
    /// Whether no other block may use its words.
    claims: bool,
}

/// Finds the structures of the blocks from `from` on, under `title`. An announcement is only found if the source does
/// not declare itself an article.
pub(super) fn find(reader: &Reader, from: usize, title: Option<&Clean>, declared: Option<Declared>) -> Structures {
    let finder = Finder { reader, terms: reader.terms, from, title };
    let mut all = finder.tables();
    cancel::check();
    all.extend(finder.series());
    cancel::check();
    all.extend(finder.timelines());
    cancel::check();
    all.extend(finder.glossaries());
    cancel::check();
    all.extend(finder.sequences());
    cancel::check();
    all.extend(finder.checklists());
    cancel::check();
    all.extend(finder.hierarchies());
    cancel::check();
    all.extend(finder.pros_and_cons());
    cancel::check();
    all.extend(finder.myths());
    cancel::check();
    all.extend(finder.answers());
    cancel::check();
    all.extend(finder.conversations());
    cancel::check();
    all.extend(finder.comparisons());
    cancel::check();
    all.extend(finder.definitions());
    cancel::check();
    all.extend(finder.hook());
    cancel::check();
    all.extend(finder.announcement(declared));
    // The highest score wins a span.
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.span.cmp(&b.span)));
    let mut claimed: BTreeMap<u32, u32> = BTreeMap::new();
    let mut blocks = Vec::new();
    for candidate in all {
        if candidate.claims {
            let before = claimed.range(..candidate.span.end).next_back();
            if before.is_some_and(|(_, end)| *end > candidate.span.start) {
                continue;
            }
            claimed.insert(candidate.span.start, candidate.span.end);
        }
        blocks.push(Block { kind: candidate.kind, score: candidate.score, span: candidate.span });
    }
    let claimed = claimed.into_iter().map(|(start, end)| Span { start, end }).collect();
    Structures { blocks, claimed }
}

/// A line, an item or a paragraph: words that are complete by themselves.
#[derive(Clone)]
struct Unit {
    raw: usize,
    range: Range<usize>,
}

struct Finder<'a> {
    reader: &'a Reader,
    terms: &'static Terms,
    from: usize,
    title: Option<&'a Clean>,
}

impl Finder<'_> {
    fn raws(&self) -> &[Raw] {
        &self.reader.raws
    }

    fn clean(&self, unit: &Unit) -> &Clean {
        &self.raws()[unit.raw].clean
    }

    fn text(&self, unit: &Unit) -> &str {
        &self.clean(unit).text[unit.range.clone()]
    }

    fn sourced(&self, unit: &Unit) -> Sourced {
        self.clean(unit).sourced(unit.range.clone())
    }

    fn part(&self, unit: &Unit, range: Range<usize>) -> Sourced {
        self.clean(unit).sourced(unit.range.start + range.start..unit.range.start + range.end)
    }

    /// Returns the runs of adjacent units: the items of each list, the lines of each paragraph.
    fn runs(&self) -> Vec<Vec<Unit>> {
        let mut out: Vec<Vec<Unit>> = Vec::new();
        let mut open: Option<u32> = None;
        for (raw, block) in self.raws().iter().enumerate().skip(self.from) {
            match block.form {
                Form::Item { list, .. } => {
                    let unit = Unit { raw, range: 0..block.clean.text.len() };
                    match out.last_mut().filter(|_| open == Some(list)) {
                        Some(run) => run.push(unit),
                        None => out.push(vec![unit]),
                    }
                    open = Some(list);
                }
                Form::Paragraph => {
                    let lines = block.clean.lines();
                    if lines.len() > 1 {
                        out.push(lines.into_iter().map(|range| Unit { raw, range }).collect());
                    }
                    open = None;
                }
                _ => open = None,
            }
        }
        out
    }

    /// Returns the line above block `raw` that introduces it: a short line that ends in a colon, or a heading.
    fn title_over(&self, raw: usize) -> Option<Sourced> {
        let above = raw.checked_sub(1).filter(|above| *above >= self.from)?;
        let block = &self.raws()[above];
        let text = block.clean.text.as_str();
        match block.form {
            Form::Heading(..) => Some(block.clean.sourced(0..text.trim_end_matches([':', '：', ' ']).len())),
            Form::Paragraph if text.ends_with([':', '：']) => {
                let last = segment::sentences(text, self.reader.lexicon).pop()?;
                let bare = text.trim_end_matches([':', '：', ' ']).len();
                (text[last.clone()].chars().count() <= TITLE).then(|| block.clean.sourced(last.start.min(bare)..bare))
            }
            // A sentence between the heading and the structure.
            Form::Paragraph => {
                let heading = above.checked_sub(1).filter(|h| *h >= self.from).map(|h| &self.raws()[h])?;
                matches!(heading.form, Form::Heading(..)).then(|| heading.clean.sourced(0..heading.clean.text.len()))
            }
            _ => None,
        }
    }

    /// Returns the heading or line that introduces a unit: the previous line of its paragraph, if that ends in a
    /// colon.
    fn title_of(&self, unit: &Unit) -> Option<Sourced> {
        let clean = self.clean(unit);
        if clean.text[..unit.range.start].trim_end().is_empty() {
            return self.title_over(unit.raw);
        }
        let line = clean.line_before(unit.range.start)?;
        let bare = clean.text[line.clone()].trim_end_matches([':', '：', ' ']).len();
        (clean.text[line.clone()].ends_with([':', '：']) && bare > 0)
            .then(|| clean.sourced(line.start..line.start + bare))
    }

    /// Returns some words as a point: their first sentence as the head, then the other sentences and the items below
    /// as support.
    fn point(&self, unit: &Unit, words: Range<usize>) -> Point {
        let clean = self.clean(unit);
        let text = &clean.text[words.clone()];
        let mut sentences = segment::sentences(text, self.reader.lexicon)
            .into_iter()
            .map(|s| clean.sourced(words.start + s.start..words.start + s.end));
        let mut head = sentences.next().unwrap_or_else(|| clean.sourced(words.clone()));
        if let Some(bare) = head.text.strip_suffix('.').filter(|b| !b.ends_with('.')) {
            head.text.truncate(bare.len());
        }
        let mut body: Vec<Sourced> = sentences.collect();
        if unit.range.end == clean.text.len() && matches!(self.raws()[unit.raw].form, Form::Item { .. }) {
            body.extend(self.raws()[unit.raw].texts().skip(1).map(|c| c.sourced(0..c.text.len())));
        }
        Point::new(head, body)
    }

    /// Returns a list item as a point: the text in bold or before its colon as the head, and the rest as support.
    fn item(&self, raw: usize) -> Point {
        super::points::item_of(self.reader, raw)
    }

    /// Returns the index of the heading that ends the section of the one at `heading`: the next of its level or
    /// above.
    fn section_end(&self, heading: usize) -> usize {
        let level = |i: usize| match self.raws()[i].form {
            Form::Heading(level, _) => Some(level),
            _ => None,
        };
        let own = level(heading).unwrap_or(u8::MAX);
        (heading + 1..self.raws().len()).find(|i| level(*i).is_some_and(|l| l <= own)).unwrap_or(self.raws().len())
    }

    /// Returns the points of a range of blocks: its items, or its sentences if it has none.
    fn points(&self, range: Range<usize>) -> Vec<Point> {
        let items: Vec<usize> = range.clone().filter(|i| matches!(self.raws()[*i].form, Form::Item { .. })).collect();
        if !items.is_empty() {
            return items.into_iter().map(|i| self.item(i)).collect();
        }
        let prose = range.filter(|i| self.raws()[*i].form == Form::Paragraph);
        let sentences = prose.flat_map(|i| self.reader.sentences(i..i + 1, Spans::NONE));
        sentences.map(|s| Point::bare(self.reader.sourced(&s))).collect()
    }

    /// Returns the span of whole blocks.
    fn span_of(&self, range: Range<usize>) -> Option<Span> {
        range.flat_map(|i| self.raws()[i].texts().map(Clean::whole)).reduce(Span::union)
    }
}

/// Returns the span of several points.
fn span_of(points: &[Point]) -> Option<Span> {
    points.iter().map(Point::span).reduce(Span::union)
}

/// Returns the end of a label and the start of the text after it: the first colon, or dash between spaces, of a line.
/// A colon within a time or an address does not count.
fn label_end(text: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(at, c)| {
        let behind = &text[at + c.len_utf8()..];
        let before = &text[..at];
        let splits = match c {
            ':' => behind.starts_with(char::is_whitespace),
            '：' => true,
            '–' | '—' | '-' | '|' => before.ends_with(' ') && behind.starts_with(' '),
            _ => false,
        };
        let rest = at + c.len_utf8() + (behind.len() - behind.trim_start().len());
        (splits && !before.trim().is_empty() && rest < text.len()).then(|| (before.trim_end().len(), rest))
    })
}

#[cfg(test)]
mod tests;
