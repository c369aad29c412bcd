//! Spans: stretches of a paragraph with their own face, size or tag.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::fallback::{FullWidth, Placed, place};
use super::{FaceId, Fonts, Locale, TextSpan};

/// The style of a stretch of text beside its paragraph's style.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Manner {
    pub face: FaceId,
    pub scale: f32,
    pub raise: f32,
    pub kern: f32,
    pub tag: u8,
}

impl Manner {
    /// Returns whether both have the same face, size and baseline.
    fn shapes_with(&self, other: &Self) -> bool {
        (self.face, self.scale, self.raise) == (other.face, other.scale, other.raise)
    }
}

/// The styles of a text, by byte.
#[derive(Debug)]
pub(super) struct Manners {
    /// The style outside spans.
    plain: Manner,
    /// In order, not overlapping, at boundaries of graphemes.
    spans: Vec<(Range<usize>, Manner)>,
}

impl Manners {
    /// Creates the styles of `text` in `face`, with `spans`.
    pub fn new(text: &str, face: FaceId, spans: &[TextSpan]) -> Self {
        let plain = Manner { face, scale: 1.0, raise: 0.0, kern: 0.0, tag: 0 };
        let mut kept: Vec<(Range<usize>, Manner)> = Vec::with_capacity(spans.len());
        for s in spans {
            let from = kept.last().map_or(0, |(r, _)| r.end);
            let range = from.max(whole(text, s.range.start))..whole(text, s.range.end);
            let sound = s.scale > 0.0 && [s.scale, s.raise, s.kern].iter().all(|v| v.is_finite());
            if sound && text.get(s.range.clone()).is_some() && range.start < range.end {
                let face = s.face.unwrap_or(face);
                kept.push((range, Manner { face, scale: s.scale, raise: s.raise, kern: s.kern, tag: s.tag }));
            }
        }
        Self { plain, spans: kept }
    }

    /// Returns the style of the character at byte `at`.
    pub fn at(&self, at: usize) -> Manner {
        let i = self.spans.partition_point(|(r, _)| r.end <= at);
        self.spans.get(i).filter(|(r, _)| r.contains(&at)).map_or(self.plain, |(_, m)| *m)
    }

    /// Returns the space before byte `at`, where a span begins.
    pub fn kern_before(&self, at: usize) -> f32 {
        self.spans.binary_search_by_key(&at, |(r, _)| r.start).map_or(0.0, |i| self.spans[i].1.kern)
    }

    /// Returns whether the adjacent characters at bytes `a` and `b` can be shaped in one run.
    pub fn join(&self, a: usize, b: usize) -> bool {
        self.spans.is_empty() || (self.at(a).shapes_with(&self.at(b)) && self.kern_before(b) == 0.0)
    }

    /// Returns the stretches with a face other than the paragraph's.
    fn other_faces(&self) -> impl Iterator<Item = (Range<usize>, FaceId)> {
        let other = |(_, m): &&(Range<usize>, Manner)| m.face != self.plain.face;
        self.spans.iter().filter(other).map(|(r, m)| (r.clone(), m.face))
    }

    /// Returns whether any stretch has a tag.
    pub fn is_tagged(&self) -> bool {
        self.spans.iter().any(|(_, m)| m.tag != 0)
    }
}

/// Returns the first grapheme boundary from byte `at` on.
fn whole(text: &str, at: usize) -> usize {
    let at = (at.min(text.len())..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(false) => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
        _ => at,
    }
}

/// Calls [`place`] for a text whose spans may have their own faces.
pub(super) fn place_all(
    fonts: &Fonts,
    text: &str,
    manners: &Manners,
    locale: &Locale,
    missing: &mut Vec<char>,
) -> (Vec<Placed>, FaceId) {
    let (mut placed, body) = place(fonts, text, manners.plain.face, locale, FullWidth::Folded, missing);
    let mut others: Vec<(FaceId, Vec<Placed>, Vec<char>)> = Vec::new();
    for (range, face) in manners.other_faces() {
        let i = others.iter().position(|(f, ..)| *f == face).unwrap_or_else(|| {
            // Scripts, words and graphemes depend on the whole text, so the whole text is placed.
            let mut lacking = Vec::new();
            let own = place(fonts, text, face, locale, FullWidth::Folded, &mut lacking).0;
            others.push((face, own, lacking));
            others.len() - 1
        });
        let (_, own, lacking) = &others[i];
        let within = |placed: &[Placed]| {
            placed.partition_point(|p| p.at < range.start)..placed.partition_point(|p| p.at < range.end)
        };
        placed.splice(within(&placed), own[within(own)].iter().copied());
        let new = |c: &&char| text[range.clone()].contains(**c) && !missing.contains(*c);
        missing.extend(lacking.iter().filter(new).copied().collect::<Vec<_>>());
    }
    (placed, body)
}
