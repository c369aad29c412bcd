//! A set of spans that can be tested for overlap.

use std::collections::BTreeSet;

use super::Span;

/// Spans of a source. Overlapping spans are merged, so that a lookup takes logarithmic time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans(BTreeSet<(u32, u32)>);

impl Spans {
    /// The empty set.
    pub const NONE: &Self = &Self(BTreeSet::new());

    /// Adds a span.
    pub fn push(&mut self, span: Span) {
        let mut whole = span;
        while let Some(other) = self.overlapped(whole) {
            self.0.remove(&(other.start, other.end));
            whole = whole.union(other);
        }
        self.0.insert((whole.start, whole.end));
    }

    /// Whether one of the spans shares a byte with `span`, as defined by [`Span::overlaps`].
    pub fn overlap(&self, span: Span) -> bool {
        self.overlapped(span).is_some()
    }

    /// Returns the span that overlaps `span`. The stored spans are disjoint, so the last one that starts before the
    /// end of `span` also ends last.
    fn overlapped(&self, span: Span) -> Option<Span> {
        let (start, end) = *self.0.range(..(span.end, 0)).next_back()?;
        Some(Span { start, end }).filter(|last| last.overlaps(span))
    }
}

impl Extend<Span> for Spans {
    fn extend<I: IntoIterator<Item = Span>>(&mut self, spans: I) {
        spans.into_iter().for_each(|span| self.push(span));
    }
}

impl FromIterator<Span> for Spans {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut all = Self::default();
        all.extend(spans);
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans(most: usize) -> impl Strategy<Value = Vec<Span>> {
        let span = (0_u32..60, 0_u32..12).prop_map(|(start, len)| Span { start, end: start + len });
        proptest::collection::vec(span, 0..most)
    }

    proptest! {
        #[test]
        fn they_overlap_what_one_of_them_overlaps(all in spans(12), asked in spans(12)) {
            let kept: Spans = all.iter().copied().collect();
            for span in asked {
                prop_assert_eq!(kept.overlap(span), all.iter().any(|other| other.overlaps(span)), "{:?} {:?}", all, span);
            }
        }
    }
}
