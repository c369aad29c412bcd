//! Edits of a text that keep track of the source position of each byte.

use std::borrow::Cow;
use std::ops::Range;

/// An edit that replaces the text at `range`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::content) struct Edit {
    /// The bytes to remove. An empty range inserts.
    pub range: Range<usize>,
    /// The replacement.
    pub with: Cow<'static, str>,
}

impl Edit {
    /// Creates an edit that removes a range.
    pub fn delete(range: Range<usize>) -> Self {
        Self { range, with: Cow::Borrowed("") }
    }

    /// Creates an edit that inserts `with` before the byte at `at`.
    pub fn insert(at: usize, with: impl Into<Cow<'static, str>>) -> Self {
        Self { range: at..at, with: with.into() }
    }

    /// Creates an edit that replaces a range.
    pub fn replace(range: Range<usize>, with: impl Into<Cow<'static, str>>) -> Self {
        Self { range, with: with.into() }
    }
}

/// A text after edits, with the source position of each part.
#[derive(Debug, Clone)]
pub(in crate::content) struct Edited {
    /// The edited text.
    pub text: String,
    /// Its parts, in order and without gaps.
    pieces: Vec<Piece>,
}

/// A part of an edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::content) struct Piece {
    /// The range in the edited text.
    pub at: Range<usize>,
    /// The corresponding range in the source.
    pub source: Range<usize>,
    /// Whether the part is copied byte by byte. Any other part corresponds to its source range as a whole.
    pub copied: bool,
}

impl Edited {
    /// Wraps `text` without any edit.
    pub fn of(text: &str) -> Self {
        let whole = 0..text.len();
        let piece = Piece { at: whole.clone(), source: whole.clone(), copied: true };
        Self { text: text.to_owned(), pieces: if whole.is_empty() { Vec::new() } else { vec![piece] } }
    }

    /// Applies further edits, which must be sorted by range. An edit that overlaps the previous one is skipped.
    pub fn apply(self, edits: &[Edit]) -> Self {
        if edits.is_empty() {
            return self;
        }
        let mut out = Self { text: String::with_capacity(self.text.len() + 64), pieces: Vec::new() };
        let mut at = 0;
        let mut next = 0;
        for edit in edits {
            let Range { start, end } = edit.range;
            let sound = start >= at && start <= end && self.text.get(start..end).is_some();
            if !sound {
                continue;
            }
            next = self.copy(at..start, next, &mut out);
            if !edit.with.is_empty() {
                let source = self.source_of(start..end);
                out.push(Piece { at: 0..edit.with.len(), source, copied: false }, &edit.with);
            }
            at = end;
        }
        self.copy(at..self.text.len(), next, &mut out);
        out
    }

    /// Copies a range of this text to `out`. `from` is the index of a piece at or before the range. Returns the index
    /// of the last piece that was visited.
    fn copy(&self, range: Range<usize>, from: usize, out: &mut Self) -> usize {
        let mut i = from;
        while let Some(piece) = self.pieces.get(i) {
            if piece.at.start >= range.end {
                break;
            }
            if let Some((at, source)) = piece.within(&range) {
                let part = &self.text[at.clone()];
                out.push(Piece { at: 0..at.len(), source, copied: piece.copied }, part);
            }
            if piece.at.end > range.end {
                break;
            }
            i += 1;
        }
        i
    }

    fn push(&mut self, piece: Piece, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        let at = start..self.text.len();
        match self.pieces.last_mut() {
            Some(last) if last.copied && piece.copied && last.source.end == piece.source.start => {
                last.at.end = at.end;
                last.source.end = piece.source.end;
            }
            _ => self.pieces.push(Piece { at, ..piece }),
        }
    }

    /// Returns the parts of a range, in order.
    pub fn parts(&self, range: Range<usize>) -> impl Iterator<Item = Piece> + '_ {
        let first = self.pieces.partition_point(|p| p.at.end <= range.start);
        let near = self.pieces[first..].iter().take_while({
            let end = range.end;
            move |p| p.at.start < end
        });
        near.filter_map(move |p| {
            let (at, source) = p.within(&range)?;
            Some(Piece { at, source, copied: p.copied })
        })
    }

    /// Returns the smallest source range that contains the text at `range`. For an empty range, returns the position
    /// before it.
    pub fn source_of(&self, range: Range<usize>) -> Range<usize> {
        if range.is_empty() {
            let i = self.pieces.partition_point(|p| p.at.end <= range.start);
            let place = match self.pieces.get(i) {
                Some(p) if p.copied => p.source.start + (range.start - p.at.start),
                Some(p) => p.source.start,
                None => self.pieces.last().map_or(0, |p| p.source.end),
            };
            return place..place;
        }
        let whole = self.parts(range).map(|p| p.source).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        whole.unwrap_or(0..0)
    }
}

impl Piece {
    /// Returns the part of this piece within a range of the edited text, and its source range.
    fn within(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let at = self.at.start.max(range.start)..self.at.end.min(range.end);
        if at.is_empty() {
            return None;
        }
        let source = match self.copied {
            true => {
                let start = self.source.start + (at.start - self.at.start);
                start..start + at.len()
            }
            false => self.source.clone(),
        };
        Some((at, source))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_follow_through_changes() {
        let source = "one two three";
        let edited = Edited::of(source).apply(&[Edit::delete(0..4), Edit::replace(4..7, "2"), Edit::insert(8, "(")]);
        assert_eq!(edited.text, "2 (three");
        let at = |edited: &Edited, part: &str| {
            let start = edited.text.find(part).unwrap();
            source[edited.source_of(start..start + part.len())].to_owned()
        };
        assert_eq!(at(&edited, "2"), "two");
        assert_eq!(at(&edited, "hre"), "hre");
        let again = edited.apply(&[Edit::delete(0..2), Edit::insert(5, "-")]);
        assert_eq!(again.text, "(th-ree");
        assert_eq!(at(&again, "th"), "th");
        assert_eq!(at(&again, "h-r"), "hr");
    }

    #[test]
    fn changes_that_overlap_are_left_out() {
        let edited = Edited::of("abcdef").apply(&[Edit::delete(1..4), Edit::delete(3..5), Edit::insert(6, "!")]);
        assert_eq!(edited.text, "aef!");
        assert_eq!(Edited::of("é").apply(&[Edit::delete(0..1)]).text, "é");
        assert_eq!(Edited::of("").apply(&[Edit::insert(0, "a")]).text, "a");
    }

    proptest! {
        #[test]
        fn copied_bytes_are_the_source_s(
            source in "[a-zé]{0,40}",
            edits in proptest::collection::vec((0_usize..40, 0_usize..5, "[A-Z]{0,3}"), 0..8),
            further in proptest::collection::vec((0_usize..40, 0_usize..5, "[A-Z]{0,3}"), 0..8),
        ) {
            let sorted = |edits: Vec<(usize, usize, String)>| {
                let mut all: Vec<Edit> =
                    edits.into_iter().map(|(at, len, with)| Edit::replace(at..at + len, with)).collect();
                all.sort_by_key(|e| (e.range.start, e.range.end));
                all
            };
            let edited = Edited::of(&source).apply(&sorted(edits)).apply(&sorted(further));
            let mut end = 0;
            for piece in edited.parts(0..edited.text.len()) {
                prop_assert_eq!(piece.at.start, end);
                end = piece.at.end;
                prop_assert!(source.get(piece.source.clone()).is_some());
                if piece.copied {
                    prop_assert_eq!(&edited.text[piece.at], &source[piece.source]);
                }
            }
            prop_assert_eq!(end, edited.text.len());
        }
    }
}
