//! Finds the code of a Markdown text: fenced blocks and spans between backticks. Marks inside them have no meaning.

use std::collections::BTreeMap;
use std::ops::Range;

/// Minimum characters of a fence.
const FENCE: usize = 3;

/// The ranges of code in a text, in order and disjoint.
#[derive(Debug, Clone, Default)]
pub(in crate::content) struct Code {
    ranges: Vec<Range<usize>>,
    /// Whether each range is a block.
    blocks: Vec<bool>,
}

impl Code {
    /// Finds the code of a text.
    pub fn of(text: &str) -> Self {
        let mut ranges = Vec::new();
        let mut fence: Option<(usize, char, usize)> = None;
        let mut prose: Option<usize> = None;
        for (at, line) in lines(text) {
            let end = at + line.len();
            let mark = fence_of(line);
            match (fence, mark) {
                (Some((from, c, n)), Some((d, m, true))) if c == d && m >= n => {
                    ranges.push(from..end);
                    fence = None;
                }
                (Some(_), _) => {}
                (None, Some((c, n, _))) => {
                    if let Some(from) = prose.take() {
                        spans(text, from..at, &mut ranges);
                    }
                    fence = Some((at, c, n));
                }
                (None, None) if line.trim().is_empty() => {
                    if let Some(from) = prose.take() {
                        spans(text, from..at, &mut ranges);
                    }
                }
                (None, None) => {
                    prose.get_or_insert(at);
                }
            }
        }
        match (fence, prose) {
            (Some((from, _, _)), _) => ranges.push(from..text.len()),
            (None, Some(from)) => spans(text, from..text.len(), &mut ranges),
            _ => {}
        }
        let blocks = ranges
            .iter()
            .map(|r| text[r.clone()].starts_with([' ', '\t', '>']) || fence_of(&text[r.clone()]).is_some())
            .collect();
        Self { ranges, blocks }
    }

    /// Whether the byte at `at` is in an inline code span.
    pub fn is_span(&self, at: usize) -> bool {
        let i = self.ranges.partition_point(|r| r.end <= at);
        self.ranges.get(i).is_some_and(|r| r.start <= at) && !self.blocks[i]
    }

    /// Returns the end of the code that contains the byte at `at`.
    pub fn end_at(&self, at: usize) -> Option<usize> {
        let i = self.ranges.partition_point(|r| r.end <= at);
        self.ranges.get(i).filter(|r| r.start <= at).map(|r| r.end)
    }
}

/// Returns the lines of a text without the line feeds, with their offsets.
pub(in crate::content) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

/// Returns the character of a fence, its count, and whether the line can close a block.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let line = line.split('\n').next().unwrap_or("");
    let bare = line.trim_start_matches([' ', '\t', '>']);
    let c = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = bare.trim_start_matches(c);
    let n = bare.len() - rest.len();
    // Backticks after backticks form a span.
    let opens = n >= FENCE && !(c == '`' && rest.contains('`'));
    opens.then(|| (c, n, rest.trim().is_empty()))
}

/// Finds the code spans of one paragraph. A run of backticks is closed by the next run of the same length.
fn spans(text: &str, paragraph: Range<usize>, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = paragraph.start;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..paragraph.end]) {
        let start = at + found;
        let end = start + bytes[start..paragraph.end].iter().take_while(|b| **b == b'`').count();
        runs.push(start..end);
        at = end;
    }
    if runs.len() < 2 {
        return;
    }
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, run) in runs.iter().enumerate().rev() {
        by_length.entry(run.len()).or_default().push(i);
    }
    let mut i = 0;
    while let Some(run) = runs.get(i) {
        let escaped = run.start > paragraph.start && bytes[run.start - 1] == b'\\';
        let same = by_length.get_mut(&run.len());
        let close = same.and_then(|all| {
            while all.last().is_some_and(|last| *last <= i) {
                all.pop();
            }
            all.last().copied()
        });
        match close.filter(|_| !escaped) {
            Some(close) => {
                out.push(run.start..runs[close].end);
                i = close + 1;
            }
            None => i += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        Code::of(text).ranges.into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn spans_and_blocks() {
        assert_eq!(found("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
        assert_eq!(found("a ` b\n\nc ` d"), [""; 0]);
        assert_eq!(found("a \\`b` c `d`"), ["` c `"]);
        assert_eq!(found("x\n```sh\na `b\n```\ny `z`"), ["```sh\na `b\n```", "`z`"]);
        assert_eq!(found("- x\n  ~~~\n  ```\n  ~~~\ny"), ["  ~~~\n  ```\n  ~~~"]);
        assert_eq!(found("```open\nto the end"), ["```open\nto the end"]);
    }

    #[test]
    fn places_in_code() {
        let code = Code::of("a `b` c");
        assert_eq!((code.end_at(1), code.end_at(2), code.end_at(4), code.end_at(5)), (None, Some(5), Some(5), None));
        let block = Code::of("`a`\n```\nb\n```\n");
        assert!(block.is_span(1) && !block.is_span(9) && !block.is_span(3));
    }

    proptest! {
        #[test]
        fn ranges_are_in_order(text in "(`{1,3}|\n|\n\n|```\n|~~~|\\\\|[a-z ]{1,3}|é){0,40}") {
            let code = Code::of(&text);
            let mut end = 0;
            for range in &code.ranges {
                prop_assert!(range.start >= end && range.end > range.start && text.get(range.clone()).is_some());
                end = range.end;
            }
        }
    }
}
