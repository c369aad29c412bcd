//! Vertical layout: a paragraph in columns from right to left, read from top to bottom, as in Japanese.
//!
//! All lengths are in du. The box of a laid-out text encloses its em boxes: its top is that of the first character of
//! each column, its right edge that of the first column. Characters are centred on the axis of their column, in cells
//! of one em with tracking between them; punctuation takes half a cell at the ends of a column. `tests/` compares the
//! glyphs and their positions with HarfBuzz.

mod orientation;
mod paragraph;
mod shape;
mod spacing;

use std::ops::Range;

use super::fit::largest;
use super::linebreak::{Breaker, Lines};
use super::placing::{Runs, cluster_starts};
use super::{FaceId, Fonts, PlacedEmoji, TextStyle};
use crate::scene::{Affine, Glyph, GlyphRun, Point, Rect, Size};
use shape::{ClusterStance, ShapedColumns, shape};

pub use paragraph::VerticalText;

/// The side of an emoji in its cell, in em.
const EMOJI_SIDE: f32 = 0.96;
/// The smallest distance of columns as a multiple of the size.
const LEAST_LEADING: f32 = 1.25;

/// A paragraph laid out in columns.
#[derive(Debug, Clone, PartialEq)]
pub struct LaidVertical {
    /// Glyph runs, relative to the top left of the box.
    pub runs: Vec<PlacedRun>,
    /// Pictures among the glyphs, relative to the same point.
    pub emoji: Vec<PlacedEmoji>,
    /// The columns, from right to left.
    pub columns: Vec<LaidColumn>,
    /// Distance from the left edge of the last column to the right edge of the first: size + (columns − 1) × leading ×
    /// size; 0 without columns.
    pub width: f32,
    /// The height of the longest column.
    pub height: f32,
    /// The union of all ink.
    pub ink: Rect,
    /// The size of the text.
    pub size: f32,
    /// Whether a word was longer than the box is high and had to be broken inside.
    pub broken_word: bool,
    /// The share of the length that consists of rotated words and numbers, 0–1.
    pub turned: f32,
    /// Characters that no face has, each once; they were dropped.
    pub missing: Vec<char>,
}

/// A positioned run of glyphs.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedRun {
    /// The glyphs, in their own space.
    pub glyphs: GlyphRun,
    /// From that space to the box: rotated for words, narrowed for numbers that are wider than a cell.
    pub transform: Affine,
}

/// One column of a paragraph.
#[derive(Debug, Clone, PartialEq)]
pub struct LaidColumn {
    /// Byte range in the paragraph's text, without trailing space.
    pub range: Range<usize>,
    /// The middle of the column, from the left of the box.
    pub axis: f32,
    /// Sum of advances, without trailing space and tracking and without the empty half of punctuation.
    pub height: f32,
    /// Ink box.
    pub ink: Rect,
}

/// A paragraph in columns at the largest size that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct VerticalFit {
    /// The paragraph at `size`.
    pub laid: LaidVertical,
    /// The size in du.
    pub size: f32,
    /// Whether the paragraph fits in the box. If it doesn't even at the smallest size, it has that size.
    pub fits: bool,
}

/// Lays `text` out in columns of at most `height` du. Columns are never higher unless a single character is. A word is
/// broken only if it alone is longer than a column ([`LaidVertical::broken_word`]). With an infinite height, only `\n`
/// breaks columns.
pub fn layout_vertical(fonts: &Fonts, text: &VerticalText<'_>, height: f32) -> LaidVertical {
    Prepared::new(fonts, text).set(fonts, text, text.style.size, height)
}

/// Lays `text` out at the largest size from `min` to `max` (du, in steps of 0.5, and `max` itself) at which its em
/// boxes fit in `bounds`, with no word broken and at most `most` columns. Ignores the style's own size. Deterministic.
pub fn fit_vertical(
    fonts: &Fonts,
    text: &VerticalText<'_>,
    bounds: Size,
    min: f32,
    max: f32,
    most: usize,
) -> VerticalFit {
    let prepared = Prepared::new(fonts, text);
    let found = largest(min, max, |size| {
        let columns = prepared.breaker.fill(f64::from(bounds.h) / f64::from(size));
        let count = columns.ranges.len();
        !columns.broken_word && count <= most && width(&text.style, count) * size <= bounds.w || count == 0
    });
    let size = found.unwrap_or(min);
    VerticalFit { laid: prepared.set(fonts, text, size, bounds.h), size, fits: found.is_some() }
}

/// Returns the distance of columns as a multiple of the size.
fn leading(style: &TextStyle) -> f32 {
    style.leading.max(LEAST_LEADING)
}

/// Returns the width of this many columns, in em.
fn width(style: &TextStyle, columns: usize) -> f32 {
    if columns == 0 { 0.0 } else { 1.0 + (columns - 1) as f32 * leading(style) }
}

/// A paragraph that is shaped and can be broken into columns at any size.
struct Prepared {
    columns: ShapedColumns,
    breaker: Breaker,
}

impl Prepared {
    fn new(fonts: &Fonts, text: &VerticalText<'_>) -> Self {
        let columns = shape(fonts, text);
        let breaker = Breaker::new(text.text, &columns.shaped, Vec::new(), &text.locale, text.style.tracking, 0);
        Self { breaker: breaker.with_gaps(&columns.gaps), columns }
    }

    fn set(&self, fonts: &Fonts, text: &VerticalText<'_>, size: f32, height: f32) -> LaidVertical {
        let Lines { ranges, broken_word, .. } = self.breaker.set(f64::from(height) / f64::from(size), true, false);
        let shaped = &self.columns.shaped;
        let width = width(&text.style, ranges.len()) * size;
        let step = leading(&text.style) * size;
        let mut runs: Runs<(FaceId, ClusterStance)> = Runs::new();
        let mut starts = Vec::new();
        let mut emoji = Vec::new();
        let mut columns = Vec::with_capacity(ranges.len());
        let (mut length, mut turned) = (0.0, 0.0);
        for (i, range) in ranges.into_iter().enumerate() {
            let axis = width - size / 2.0 - i as f32 * step;
            let mut ink = Rect::EMPTY;
            cluster_starts(shaped, &self.breaker, &range, 0, &mut starts);
            for (c, &start) in range.clone().zip(&starts) {
                let (cluster, stance) = (&shaped.clusters[c], self.columns.stances[c]);
                length += cluster.advance;
                turned += if stance.turned { cluster.advance } else { 0.0 };
                if let Some(id) = cluster.emoji {
                    let side = EMOJI_SIDE * size;
                    let rect = Rect::at(axis - side / 2.0, (start + 0.5) * size - side / 2.0, side, side);
                    emoji.push(PlacedEmoji { id, rect, tag: 0 });
                    ink = ink.union(&rect);
                }
                let space = space_of(stance);
                let bytes = shaped.bytes(text.text, &(c..c + 1));
                for g in shaped.glyphs_of(c) {
                    let glyph = fonts.glyph_ink(cluster.face, g.id);
                    if glyph.is_empty() {
                        continue;
                    }
                    let at = match stance.turned {
                        true => Point::new((start + g.x) * size, g.y * size - axis),
                        false => Point::new((axis + g.x * size) / stance.squeeze, (start + g.y) * size),
                    };
                    let glyph = Rect::new(glyph.x0 * size, glyph.y0 * size, glyph.x1 * size, glyph.y1 * size);
                    ink = ink.union(&space.apply_rect(&glyph.shift(at.x, at.y)));
                    runs.push((cluster.face, stance), Glyph { id: g.id, at }, &bytes);
                }
            }
            let height = self.breaker.width(&range) as f32 * size;
            columns.push(LaidColumn { range: shaped.bytes(text.text, &range), axis, height, ink });
        }
        LaidVertical {
            runs: runs
                .into_runs(&text.text.into(), |(face, _)| (*face, size))
                .map(|((_, stance), glyphs)| PlacedRun { glyphs, transform: space_of(stance) })
                .collect(),
            emoji,
            width,
            height: columns.iter().map(|c| c.height).fold(0.0, f32::max),
            ink: columns.iter().fold(Rect::EMPTY, |a, c| a.union(&c.ink)),
            columns,
            size,
            broken_word,
            turned: if length > 0.0 { turned / length } else { 0.0 },
            missing: shaped.missing.clone(),
        }
    }
}

/// Returns the transform from the space of a run with this stance to the box.
fn space_of(stance: ClusterStance) -> Affine {
    match stance.turned {
        true => Affine([0.0, 1.0, -1.0, 0.0, 0.0, 0.0]),
        false => Affine([stance.squeeze, 0.0, 0.0, 1.0, 0.0, 0.0]),
    }
}

#[cfg(test)]
mod tests;
