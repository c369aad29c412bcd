//! What lines and columns share: where clusters stand along them, and how glyphs are gathered into runs.

use std::ops::Range;
use std::sync::Arc;

use super::FaceId;
use super::bidi::{Level, visual_order};
use super::linebreak::Breaker;
use super::shape::Shaped;
use crate::scene::{Glyph, GlyphRun, GlyphSource};

/// Writes where each cluster of `line` begins into `starts`: in em, from the left of a line or the top of a column. The
/// first `hung` of them stand before it.
pub(super) fn cluster_starts(
    shaped: &Shaped,
    breaker: &Breaker,
    line: &Range<usize>,
    hung: usize,
    starts: &mut Vec<f32>,
) {
    starts.clear();
    if shaped.plain {
        starts.extend(line.clone().map(|c| breaker.offset(line.start, c) as f32));
        return;
    }
    let levels: Vec<Level> = shaped.clusters[line.clone()].iter().map(|c| c.level).collect();
    starts.resize(line.len(), 0.0);
    let mut pen = -(line.clone().take(hung)).map(|c| breaker.advance(c)).sum::<f64>();
    for i in visual_order(&levels) {
        starts[i] = pen as f32;
        pen += breaker.advance(line.start + i);
    }
}

/// Glyphs by what they are drawn with, in the order in which that appears, and the bytes of the text that each stands for.
pub(super) struct Runs<K>(Vec<(K, Vec<Glyph>, Vec<Range<u32>>)>);

impl<K: PartialEq> Runs<K> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a glyph of the cluster of `bytes`.
    pub fn push(&mut self, key: K, glyph: Glyph, bytes: &Range<usize>) {
        let bytes = bytes.start as u32..bytes.end as u32;
        match self.0.iter_mut().find(|(k, ..)| *k == key) {
            Some((_, glyphs, ranges)) => {
                glyphs.push(glyph);
                ranges.push(bytes);
            }
            None => self.0.push((key, vec![glyph], vec![bytes])),
        }
    }

    /// The runs of `text`: each with its face and size as `drawn` gives them for its key.
    pub fn into_runs(
        self,
        text: &Arc<str>,
        drawn: impl Fn(&K) -> (FaceId, f32),
    ) -> impl Iterator<Item = (K, GlyphRun)> {
        self.0.into_iter().map(move |(key, glyphs, ranges)| {
            let (face, size) = drawn(&key);
            let source = GlyphSource { text: Arc::clone(text), ranges: ranges.into() };
            (key, GlyphRun { face, size, glyphs: glyphs.into(), source })
        })
    }
}
