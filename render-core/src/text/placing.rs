//! What lines and columns share: where clusters stand along them, and how glyphs are gathered into runs.

use std::ops::Range;

use super::bidi::{Level, visual_order};
use super::linebreak::Breaker;
use super::shape::Shaped;
use crate::scene::Glyph;

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

/// Glyphs by what they are drawn with, in the order in which that appears.
pub(super) struct Runs<K>(Vec<(K, Vec<Glyph>)>);

impl<K: PartialEq> Runs<K> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn push(&mut self, key: K, glyph: Glyph) {
        match self.0.iter_mut().find(|(k, _)| *k == key) {
            Some((_, glyphs)) => glyphs.push(glyph),
            None => self.0.push((key, vec![glyph])),
        }
    }

    pub fn into_iter(self) -> impl Iterator<Item = (K, Vec<Glyph>)> {
        self.0.into_iter()
    }
}
