//! Text without markup that maps each part back to its position in the source.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

use super::dialect::edits::Edited;
use super::dialect::marks::is_mark;
use super::segment::{self, trimmed};
use super::words::Words;
use super::{Sourced, Span};

/// Maximum combining marks kept on one letter. Languages stack up to three. A taller stack fits no line.
const MARKS: usize = 4;
/// A paragraph whose longest line reaches this many characters is prose, rather than short lines such as an address.
const PROSE: usize = 50;
/// Characters below which no author wraps a line.
const WRAPPED: usize = 60;
/// A line of at least this many characters that does not end a sentence continues on the next line, if that one ends
/// a sentence.
const UNENDED: usize = 40;
/// Characters that end sentences.
const ENDS: [char; 9] = ['.', '!', '?', '。', '！', '？', '؟', '।', '…'];

/// Text with folded white space and without markup, which maps each part back to its position in the source.
#[derive(Debug, Clone, Default)]
pub(super) struct Clean {
    /// The text.
    pub text: String,
    /// Offsets in `text` at which the source starts a new line.
    pub breaks: Vec<usize>,
    /// The emphasised ranges, in order. They may have white space at the ends.
    pub emphasis: Vec<Range<usize>>,
    /// The links, in order.
    pub links: Vec<Link>,
    runs: Vec<Run>,
}

/// The text of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// The range of the text.
    pub range: Range<usize>,
    /// Whether the link leads to a place in the same document.
    pub inner: bool,
}

/// A run of the clean text that starts at `clean`, and its source range. In a linear run, bytes correspond one to
/// one. In any other, the whole run corresponds to the whole range (an entity, a run of white space).
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
    /// Appends `text`, which is at `source` in the source.
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

    /// Appends words that correspond to the range `source` as a whole.
    pub fn push_as(&mut self, text: &str, source: Range<usize>) {
        for c in text.chars() {
            let range = Range2 { start: source.start, end: source.end };
            if c.is_whitespace() {
                self.space(range);
            } else if !unwanted(c) && !self.towers(c) {
                self.add(c, range, false);
            }
        }
    }

    /// Appends white space for a line break at `source`, and records the break.
    pub fn line_break(&mut self, source: Range<usize>) {
        self.space(Range2 { start: source.start, end: source.end });
        if !self.text.is_empty() {
            self.breaks.push(self.text.len());
        }
    }

    /// Returns the lines of the source, without the white space around them.
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

    /// Returns the last of these lines that ends before `at`.
    pub fn line_before(&self, at: usize) -> Option<Range<usize>> {
        let ends = &self.breaks[..self.breaks.partition_point(|b| *b <= at)];
        (0..ends.len()).rev().find_map(|i| {
            let from = i.checked_sub(1).map_or(0, |before| ends[before]);
            Some(trimmed(&self.text, from..ends[i].max(from))).filter(|line| !line.is_empty())
        })
    }

    /// Returns the line breaks that separate items rather than wrap text: the next word would have fitted on the
    /// line, and starts something new.
    pub fn hard_breaks(&self) -> Vec<usize> {
        let lines = self.lines();
        let chars = |r: &Range<usize>| self.text[r.clone()].chars().count();
        let longest = lines.iter().map(chars).max().unwrap_or(0);
        let width = longest.max(WRAPPED);
        let first = |r: &Range<usize>| self.text[r.clone()].chars().find(|c| c.is_alphanumeric());
        // If a line continues in lower case, the paragraph is wrapped text. Markup can make any of its lines short.
        let goes_on = |line: &Range<usize>| first(line).is_some_and(char::is_lowercase);
        if longest >= PROSE && lines.iter().skip(1).any(goes_on) {
            return Vec::new();
        }
        lines
            .windows(2)
            .filter(|pair| {
                let next = &self.text[pair[1].clone()];
                let word = next.split_whitespace().next().map_or(0, |w| w.chars().count());
                let anew = next.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| !c.is_lowercase());
                let before = &self.text[pair[0].clone()];
                // A long line without an end mark, before a line with one, is the front of a sentence, even if the
                // next line starts with a capital: "Computer Science and Applied / Mathematics from Uppsala."
                let unended = chars(&pair[0]) >= UNENDED && !before.ends_with(ENDS) && next.ends_with(ENDS);
                anew && !unended && !before.ends_with([',', '，', '、', '-']) && chars(&pair[0]) + 1 + word <= width
            })
            .map(|pair| pair[1].start)
            .collect()
    }

    /// Returns the sentences. A hard line break ends a sentence too.
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

    /// Removes white space at the end.
    pub fn finish(mut self) -> Self {
        let len = self.text.trim_end().len();
        self.text.truncate(len);
        self.runs.retain(|r| r.clean < len);
        self.breaks.retain(|b| *b < len);
        self.emphasis.iter_mut().for_each(|r| r.end = r.end.min(len));
        self.emphasis.retain(|r| r.start < r.end);
        self.links.iter_mut().for_each(|l| l.range.end = l.range.end.min(len));
        self.links.retain(|l| l.range.start < l.range.end);
        self
    }

    /// Returns a part of the text, trimmed.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let range = trimmed(&self.text, range);
        let within = |r: &Range<usize>| {
            let part = r.start.max(range.start)..r.end.min(range.end);
            (part.start < part.end).then(|| part.start - range.start..part.end - range.start)
        };
        let links = self.links.iter().filter_map(|l| Some(Link { range: within(&l.range)?, inner: l.inner }));
        let first = self.runs.partition_point(|r| r.clean <= range.start).saturating_sub(1);
        let mut runs = Vec::new();
        for (i, run) in self.runs.iter().enumerate().skip(first).take_while(|(_, r)| r.clean < range.end) {
            let end = self.runs.get(i + 1).map_or(self.text.len(), |next| next.clean).min(range.end);
            let from = run.clean.max(range.start);
            let source = match run.linear {
                true => {
                    let start = run.source.start + (from - run.clean);
                    Range2 { start, end: start + (end - from) }
                }
                false => run.source,
            };
            runs.push(Run { clean: from - range.start, source, linear: run.linear });
        }
        Self {
            text: self.text[range.clone()].to_owned(),
            breaks: self
                .breaks
                .iter()
                .filter(|b| range.start < **b && **b < range.end)
                .map(|b| b - range.start)
                .collect(),
            emphasis: self.emphasis.iter().filter_map(within).collect(),
            links: links.collect(),
            runs,
        }
    }

    /// Returns the text reduced to some ranges, which must be in order and disjoint.
    pub fn only(&self, ranges: &[Range<usize>]) -> Self {
        let mut out = Self::default();
        for part in ranges.iter().map(|r| self.slice(r.clone())).filter(|p| !p.text.is_empty()) {
            out.append(part);
        }
        out
    }

    /// Appends further text after a space.
    pub fn append(&mut self, mut other: Self) {
        if !self.text.is_empty() {
            let at = other.span(0..0).start as usize;
            self.space(Range2 { start: at, end: at });
        }
        let by = self.text.len();
        self.text.push_str(&other.text);
        self.breaks.extend(other.breaks.iter().map(|b| b + by));
        self.emphasis.extend(other.emphasis.iter().map(|r| r.start + by..r.end + by));
        other.links.iter_mut().for_each(|l| l.range = l.range.start + by..l.range.end + by);
        self.links.append(&mut other.links);
        self.runs.extend(other.runs.iter().map(|r| Run { clean: r.clean + by, ..*r }));
    }

    /// Maps the positions from an edited text back to its source.
    pub fn relocate(&mut self, edited: &Edited) {
        let mut runs = Vec::with_capacity(self.runs.len() + 4);
        for (i, run) in self.runs.iter().enumerate() {
            let end = self.runs.get(i + 1).map_or(self.text.len(), |next| next.clean);
            if !run.linear {
                let Range { start, end } = edited.source_of(run.source.start..run.source.end);
                runs.push(Run { source: Range2 { start, end }, ..*run });
                continue;
            }
            let mut clean = run.clean;
            for part in edited.parts(run.source.start..run.source.start + (end - run.clean)) {
                let source = Range2 { start: part.source.start, end: part.source.end };
                runs.push(Run { clean, source, linear: part.copied });
                clean += part.at.len();
            }
        }
        self.runs = runs;
    }

    /// Returns the source span of a range of the clean text.
    pub fn span(&self, range: Range<usize>) -> Span {
        if range.is_empty() {
            let at = self.source_of(range.start).map_or(0, |(s, _)| s) as u32;
            return Span { start: at, end: at };
        }
        let start = self.source_of(range.start).map_or(0, |(s, _)| s);
        let end = self.source_of(range.end - 1).map_or(start, |(_, e)| e);
        Span { start: start as u32, end: end.max(start) as u32 }
    }

    /// Returns the source span of the whole text.
    pub fn whole(&self) -> Span {
        self.span(0..self.text.len())
    }

    /// Returns a range of the text, trimmed, with its source span.
    pub fn sourced(&self, range: Range<usize>) -> Sourced {
        let range = trimmed(&self.text, range);
        Sourced { text: self.text[range.clone()].to_owned(), span: self.span(range) }
    }

    /// Returns the source range that the byte at `at` corresponds to.
    fn source_of(&self, at: usize) -> Option<(usize, usize)> {
        let run = self.runs[..self.runs.partition_point(|r| r.clean <= at)].last()?;
        Some(if run.linear {
            let start = run.source.start + (at - run.clean);
            (start, start + 1)
        } else {
            (run.source.start, run.source.end)
        })
    }

    /// Whether `c` exceeds the combining marks allowed on the letter before it.
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

/// Whether a character is never displayed: controls, byte order marks, soft hyphens, and direction overrides, which
/// could reverse a page's text.
fn unwanted(c: char) -> bool {
    c.is_control()
        || is_mark(c)
        || matches!(c, '\u{ad}' | '\u{feff}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::words;

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
    fn lines_of_wrapped_prose_are_no_sentences() {
        let sentences = |lines: &[&str]| {
            let mut clean = Clean::default();
            for (i, line) in lines.iter().enumerate() {
                if i > 0 {
                    clean.line_break(0..0);
                }
                clean.push(line, 0..line.len());
            }
            let clean = clean.finish();
            clean.sentences(words::of("en")).len()
        };
        // The link in the third line makes it long.
        let wrapped = [
            "Some hesitate to take part in this programme of the state,",
            "for fear of the",
            "Act (CFAA), which governs it.",
        ];
        assert_eq!(sentences(&wrapped), 1);
        let degree = ["I have a degree in Computer Science and Applied", "Mathematics from the University of Uppsala."];
        assert_eq!(sentences(&degree), 1);
        assert_eq!(sentences(&["Saturday 4 July, from 7 pm", "Tanners' Quay", "Free entry"]), 3);
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

    #[test]
    fn parts_know_their_place() {
        let source = "One *two* &amp; three";
        let mut clean = Clean::default();
        clean.push("One ", 0..4);
        clean.push("two", 5..8);
        clean.push(" ", 9..10);
        clean.push("&", 10..15);
        clean.push(" three", 15..21);
        clean.emphasis.push(4..7);
        let clean = clean.finish();
        let at = |part: &Clean, words: &str| {
            let start = part.text.find(words).unwrap();
            let span = part.span(start..start + words.len());
            &source[span.start as usize..span.end as usize]
        };
        let part = clean.slice(5..14);
        assert_eq!(
            (part.text.as_str(), at(&part, "&"), at(&part, "wo"), at(&part, "re")),
            ("wo & thre", "&amp;", "wo", "re")
        );
        assert_eq!(part.emphasis.as_slice(), std::slice::from_ref(&(0..2)));
        let rest = clean.only(&[0..3, 8..15]);
        assert_eq!((rest.text.as_str(), at(&rest, "three")), ("One & three", "three"));
    }
}
