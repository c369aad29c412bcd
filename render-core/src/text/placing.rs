//! Code shared by lines and columns: the positions of clusters along them, and the collection of glyphs into runs.

use std::ops::Range;
use std::sync::Arc;

use super::FaceId;
use super::bidi::{Level, visual_order};
use super::linebreak::Breaker;
use super::shape::Shaped;
use crate::scene::{Glyph, GlyphRun, GlyphSource};

/// Writes the start of each cluster of `line` to `starts`: in em, from the left of a line or the top of a column. The
/// first `hung` clusters lie before it.
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

/// Glyphs grouped by their drawing key, in order of first use, with the bytes of the text that each represents.
pub(super) struct Runs<K>(Vec<(K, Vec<Glyph>, Vec<Range<u32>>)>);

impl<K: PartialEq> Runs<K> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a glyph of the cluster with these `bytes`.
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

    /// Returns the runs of `text`; `drawn` maps a key to the run's face and size.
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
