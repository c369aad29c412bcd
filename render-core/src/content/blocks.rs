//! The text as a flat list of headings, paragraphs, list items and quotations, before anyone asks what they mean.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

use super::segment::{self, trimmed};
use super::words::Words;
use super::{Sourced, Span};

/// Marks kept on one letter: languages stack up to three, and a tower of them fits no line.
const MARKS: usize = 4;
/// Characters below which nobody wraps a line.
const WRAPPED: usize = 60;

/// Text with white space folded and markup gone, that still knows where each part stood in the source.
#[derive(Debug, Clone, Default)]
pub(super) struct Clean {
    /// The words.
    pub text: String,
    /// Offsets in `text` at which the source began a new line.
    pub breaks: Vec<usize>,
    /// What the source emphasises of it, in order; may hold white space at the ends.
    pub emphasis: Vec<Range<usize>>,
    runs: Vec<Run>,
}

/// Bytes of the clean text from `clean` on, and where they stood. In a linear run byte follows byte; in any other the
/// whole run stands for the whole range (an entity, a run of white space).
#[derive(Debug, Clone, Copy)]
struct Run {
    clean: usize,
    source: Range2,
    linear: bool,
}

#[derive(Debug, Clone, Copy)]
struct Range2 {
    start: usize,
    end: usize,
}

impl Clean {
    /// Adds the words of `text`, which stand at `source` in the source.
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        let verbatim = text.len() == source.len();
        for (at, c) in text.char_indices() {
            let range = if verbatim {
                Range2 { start: source.start + at, end: source.start + at + c.len_utf8() }
            } else {
                Range2 { start: source.start, end: source.end }
            };
            if c.is_whitespace() {
                self.space(range);
            } else if !unwanted(c) && !self.towers(c) {
                self.add(c, range, verbatim);
            }
        }
    }

    /// Adds a line break of the source at `source`: white space that is remembered.
    pub fn line_break(&mut self, source: Range<usize>) {
        self.space(Range2 { start: source.start, end: source.end });
        if !self.text.is_empty() {
            self.breaks.push(self.text.len());
        }
    }

    /// The lines that it had in the source, without the white space around them.
    pub fn lines(&self) -> Vec<Range<usize>> {
        let ends = self.breaks.iter().copied().chain([self.text.len()]);
        let mut from = 0;
        let mut out = Vec::with_capacity(self.breaks.len() + 1);
        for end in ends {
            let line = trimmed(&self.text, from..end.max(from));
            if !line.is_empty() {
                out.push(line);
            }
            from = end.max(from);
        }
        out
    }

    /// The last of these lines that ends before `at`.
    pub fn line_before(&self, at: usize) -> Option<Range<usize>> {
        let ends = &self.breaks[..self.breaks.partition_point(|b| *b <= at)];
        (0..ends.len()).rev().find_map(|i| {
            let from = i.checked_sub(1).map_or(0, |before| ends[before]);
            Some(trimmed(&self.text, from..ends[i].max(from))).filter(|line| !line.is_empty())
        })
    }

    /// The line breaks that part what stands around them, rather than wrap it: the next word would have fitted, and opens
    /// something new.
    pub fn hard_breaks(&self) -> Vec<usize> {
        let lines = self.lines();
        let chars = |r: &Range<usize>| self.text[r.clone()].chars().count();
        let width = lines.iter().map(chars).max().unwrap_or(0).max(WRAPPED);
        lines
            .windows(2)
            .filter(|pair| {
                let next = &self.text[pair[1].clone()];
                let word = next.split_whitespace().next().map_or(0, |w| w.chars().count());
                let anew = next.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| !c.is_lowercase());
                let before = &self.text[pair[0].clone()];
                anew && !before.ends_with([',', '，', '、', '-']) && chars(&pair[0]) + 1 + word <= width
            })
            .map(|pair| pair[1].start)
            .collect()
    }

    /// Its sentences; a line that was meant as one ends a sentence too.
    pub fn sentences(&self, lexicon: &Words) -> Vec<Range<usize>> {
        let cuts = if self.breaks.is_empty() { Vec::new() } else { self.hard_breaks() };
        let mut out = Vec::new();
        let mut from = 0;
        for to in cuts.into_iter().chain([self.text.len()]) {
            let own = segment::sentences(&self.text[from..to], lexicon);
            out.extend(own.into_iter().map(|s| from + s.start..from + s.end));
            from = to;
        }
        out
    }

    /// Takes away white space at the end.
    pub fn finish(mut self) -> Self {
        let len = self.text.trim_end().len();
        self.text.truncate(len);
        self.runs.retain(|r| r.clean < len);
        self.breaks.retain(|b| *b < len);
        self.emphasis.iter_mut().for_each(|r| r.end = r.end.min(len));
        self.emphasis.retain(|r| r.start < r.end);
        self
    }

    /// Where a range of the clean text stood.
    pub fn span(&self, range: Range<usize>) -> Span {
        if range.is_empty() {
            let at = self.source_of(range.start).map_or(0, |(s, _)| s) as u32;
            return Span { start: at, end: at };
        }
        let start = self.source_of(range.start).map_or(0, |(s, _)| s);
        let end = self.source_of(range.end - 1).map_or(start, |(_, e)| e);
        Span { start: start as u32, end: end.max(start) as u32 }
    }

    /// Where all of it stood.
    pub fn whole(&self) -> Span {
        self.span(0..self.text.len())
    }

    /// A range of it, trimmed, as words with a source.
    pub fn sourced(&self, range: Range<usize>) -> Sourced {
        let range = trimmed(&self.text, range);
        Sourced { text: self.text[range.clone()].to_owned(), span: self.span(range) }
    }

    /// The range of the source that the byte at `at` stands for, up to its own end.
    fn source_of(&self, at: usize) -> Option<(usize, usize)> {
        let run = self.runs[..self.runs.partition_point(|r| r.clean <= at)].last()?;
        Some(if run.linear {
            let start = run.source.start + (at - run.clean);
            (start, start + 1)
        } else {
            (run.source.start, run.source.end)
        })
    }

    /// Whether `c` is one mark too many on the letter before it.
    fn towers(&self, c: char) -> bool {
        let is_mark = |c: char| c.script() == Script::Inherited;
        is_mark(c) && self.text.chars().rev().take_while(|c| is_mark(*c)).take(MARKS).count() == MARKS
    }

    fn space(&mut self, source: Range2) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.add(' ', source, source.end == source.start + 1);
        }
    }

    fn add(&mut self, c: char, source: Range2, linear: bool) {
        let clean = self.text.len();
        self.text.push(c);
        if let Some(last) = self.runs.last_mut() {
            if linear && last.linear && last.source.end == source.start {
                last.source.end = source.end;
                return;
            }
            if !linear && !last.linear && last.source.start == source.start && last.source.end == source.end {
                return;
            }
        }
        self.runs.push(Run { clean, source, linear });
    }
}

/// Characters that are never set: controls, byte order marks, soft hyphens, and direction overrides, which could turn
/// a page's words round.
fn unwanted(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{feff}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What a stretch of the source is by its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A heading; 1 is the title's level. The number in front of it, where it has one.
    Heading(u8, Option<u32>),
    /// Prose.
    Paragraph,
    /// An item of the list that it names; its number where the list counts.
    Item {
        /// Which list of the source.
        list: u32,
        /// 1, 2, …; `None` for bullets.
        ordinal: Option<u32>,
    },
    /// A quotation set off from the text.
    Quote,
    /// Rows of cells. Its words are all cells, one behind the other.
    Table,
}

/// A stretch of the source.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    /// What it is by its form.
    pub form: Form,
    /// Its words.
    pub clean: Clean,
    /// How many bytes at its start are set apart as its head (bold, or a line of its own).
    pub lead: Option<usize>,
    /// The items of the lists below this item, and how far below: 1 is its own list.
    pub children: Vec<(u8, Clean)>,
    /// Whether the box in front of an item is ticked, where there is one.
    pub task: Option<bool>,
    /// The cells of a table, header first.
    pub rows: Vec<Vec<Clean>>,
}

impl Raw {
    /// A stretch with no head and no children.
    pub fn new(form: Form, clean: Clean) -> Self {
        Self { form, clean, lead: None, children: Vec::new(), task: None, rows: Vec::new() }
    }

    /// Its own words, then those of the items below it.
    pub fn texts(&self) -> impl Iterator<Item = &Clean> {
        std::iter::once(&self.clean).chain(self.children.iter().map(|(_, c)| c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_follow_through_folding() {
        let source = "ab\n  cd &amp; é";
        let mut clean = Clean::default();
        clean.push("ab", 0..2);
        clean.line_break(2..3);
        clean.push("cd ", 5..8);
        clean.push("&", 8..13);
        clean.push(" é", 13..16);
        let clean = clean.finish();
        assert_eq!(clean.text, "ab cd & é");
        let at = |needle: &str| {
            let start = clean.text.find(needle).unwrap();
            let span = clean.span(start..start + needle.len());
            &source[span.start as usize..span.end as usize]
        };
        assert_eq!(at("cd"), "cd");
        assert_eq!(at("&"), "&amp;");
        assert_eq!(at("é"), "é");
        assert_eq!(at("b c"), "b\n  c");
        assert_eq!(clean.breaks, [3]);
    }

    #[test]
    fn a_letter_keeps_the_marks_of_its_language_and_no_tower() {
        let cleaned = |text: &str| {
            let mut clean = Clean::default();
            clean.push(text, 0..text.len());
            clean.finish().text
        };
        let vietnamese = "Vie\u{323}\u{302}t";
        assert_eq!(cleaned(vietnamese), vietnamese);
        let tower = format!("a{}b", "\u{301}".repeat(500));
        assert_eq!(cleaned(&tower), format!("a{}b", "\u{301}".repeat(4)));
        let family = "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{fe0f}";
        assert_eq!(cleaned(family), family);
    }
}
