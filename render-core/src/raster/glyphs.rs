//! Coverage of small upright text: rasterised once per face, glyph, size and sub-pixel phase, shared by all threads.

use std::sync::Arc;

use kurbo::{Affine, PathEl, Shape};

use super::area::AreaBand;
use super::cache::Cache;
use super::flatten::{Lines, flatten};
use super::rows::{CELL, Touch};
use crate::limits::{GLYPH_CACHE_BYTES, OUTLINE_CACHE_BYTES};
use crate::scene::{BezPath, FillRule, Point};
use crate::text::{FaceId, Fonts};

/// Text of this em size (du) or larger is drawn as outlines.
pub(super) const OUTLINE_FROM_DU: f32 = 80.0;
/// Number of horizontal positions that are distinguished within one pixel.
const PHASES: i32 = 3;
/// Bytes of a cache entry besides its pixels.
const ENTRY_BYTES: usize = 96;

/// The coverage of one glyph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct GlyphMask {
    /// Left edge in pixels from the origin's pixel.
    pub left: i32,
    /// Top edge in pixels from the baseline, downwards.
    pub top: i32,
    /// Width in pixels; the height follows from the length.
    pub width: usize,
    /// Rows top down, 255 is full.
    pub data: Box<[u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    face: FaceId,
    id: u16,
    /// Em size in 1/64 pixel.
    size: u32,
    phase: u8,
}

/// A cache of glyph masks, limited to [`GLYPH_CACHE_BYTES`].
pub(super) struct GlyphCache(Cache<Key, GlyphMask>);

impl Default for GlyphCache {
    fn default() -> Self {
        Self(Cache::new(GLYPH_CACHE_BYTES))
    }
}

/// A cache of outlines for large text, limited to [`OUTLINE_CACHE_BYTES`].
pub(super) struct OutlineCache(Cache<(FaceId, u16), Option<BezPath>>);

impl Default for OutlineCache {
    fn default() -> Self {
        Self(Cache::new(OUTLINE_CACHE_BYTES))
    }
}

impl OutlineCache {
    /// Returns the outline of glyph `id`, from [`Fonts::outline`].
    pub fn get(&self, fonts: &Fonts, face: FaceId, id: u16) -> Arc<Option<BezPath>> {
        self.0.get((face, id), || {
            let path = fonts.outline(face, id);
            let elements = path.as_ref().map_or(0, |path| path.elements().len());
            (path, elements * size_of::<PathEl>() + ENTRY_BYTES)
        })
    }
}

/// A mask, and the pixel that contains its origin.
pub(super) struct PlacedGlyph {
    pub mask: Arc<GlyphMask>,
    pub x: i32,
    pub y: i32,
}

impl GlyphCache {
    /// Returns the mask of glyph `id` with em size `px` and its origin at `at`, both in pixels; `None` if it draws
    /// nothing. The origin is rounded to the nearest third of a pixel horizontally and to a whole pixel vertically.
    pub fn get(&self, fonts: &Fonts, face: FaceId, id: u16, px: f32, at: Point) -> Option<PlacedGlyph> {
        // Origins further out are off every canvas.
        let near = |v: f32| v.abs() < 1e6;
        if !(near(at.x) && near(at.y) && px > 0.0 && px < 4096.0) {
            return None;
        }
        let thirds = (at.x * PHASES as f32 + 0.5).floor() as i32;
        let (x, phase) = (thirds.div_euclid(PHASES), thirds.rem_euclid(PHASES));
        let size = ((px * 64.0 + 0.5) as u32).max(1);
        let key = Key { face, id, size, phase: phase as u8 };
        let mask = self.0.get(key, || {
            let px = size as f32 / 64.0;
            let mask = match fonts.fontdue(face) {
                Some(font) => rasterise(font, id, px, phase),
                None => fonts.outline(face, id).map_or_else(GlyphMask::default, |path| fill(&path, px, phase)),
            };
            let cost = mask.data.len() + ENTRY_BYTES;
            (mask, cost)
        });
        let y = (at.y + 0.5).floor() as i32;
        (!mask.data.is_empty()).then_some(PlacedGlyph { mask, x, y })
    }
}

/// Rasterises glyph `id` at em size `px`, its origin offset by `phase` thirds of a pixel.
fn rasterise(font: &fontdue::Font, id: u16, px: f32, phase: i32) -> GlyphMask {
    if id >= font.glyph_count() {
        return GlyphMask::default();
    }
    let (metrics, samples) = font.rasterize_indexed_subpixel(id, px);
    let columns = metrics.width * 3;
    if columns == 0 || metrics.height == 0 {
        return GlyphMask::default();
    }
    // Fontdue shifts the outline by the fraction of its left edge, but in samples instead of pixels. So the first
    // sample begins a third of that fraction left of the outline.
    let edge = metrics.bounds.xmin;
    let start = 3.0 * edge - (edge - edge.floor()) + phase as f32;
    let left = (start / 3.0).floor() as i32;
    let width = ((start + columns as f32) / 3.0).ceil() as i32 - left;
    let width = width.max(0) as usize;
    let mut data = vec![0; width * metrics.height];
    let mut sums = vec![0.0_f32; columns + 1];
    for (row, out) in samples.chunks_exact(columns).zip(data.chunks_exact_mut(width)) {
        for (i, &s) in row.iter().enumerate() {
            sums[i + 1] = sums[i] + f32::from(s);
        }
        // Ink left of sample position `t`, assuming that ink is even within a sample.
        let upto = |t: f32| {
            let t = t.clamp(0.0, columns as f32);
            let i = (t as usize).min(columns - 1);
            sums[i] + (sums[i + 1] - sums[i]) * (t - i as f32)
        };
        for (i, out) in out.iter_mut().enumerate() {
            let from = 3.0 * (left + i as i32) as f32 - start;
            *out = ((upto(from + 3.0) - upto(from)) / 3.0 + 0.5) as u8;
        }
    }
    GlyphMask { left, top: -(metrics.ymin + metrics.height as i32), width, data: data.into() }
}

/// Fills a glyph's outline (in em, y down) at em size `px`, its origin offset by `phase` thirds of a pixel. Faces with
/// very many glyphs use this function: fontdue reads a whole face at once, which takes a hundred megabytes for such a
/// face.
fn fill(path: &BezPath, px: f32, phase: i32) -> GlyphMask {
    let path = Affine::scale(f64::from(px)) * path;
    let path = Affine::translate((f64::from(phase) / f64::from(PHASES), 0.0)) * path;
    let ink = path.bounding_box();
    // A glyph may extend four em around its origin. An outline beyond that is broken and draws nothing.
    let reach = 4.0 * f64::from(px);
    let near = [ink.x0, ink.y0, ink.x1, ink.y1].iter().all(|v| v.abs() <= reach);
    if path.elements().is_empty() || ink.area() == 0.0 || !near {
        return GlyphMask::default();
    }
    let (left, top) = (ink.x0.floor(), ink.y0.floor());
    let (width, height) = ((ink.x1.ceil() - left) as usize, (ink.y1.ceil() - top) as usize);
    let mut lines = Lines::default();
    let canvas = [width as u32, height as u32];
    if flatten(&path, Affine::translate((-left, -top)), canvas, usize::MAX, &mut lines).is_none() {
        return GlyphMask::default();
    }
    lines.finish();
    let cells = width.div_ceil(CELL);
    let mut band = AreaBand::default();
    band.fill(lines.path(0..lines.len()), FillRule::NonZero, 0, height, 0, cells);
    let mut data = vec![0; width * height];
    let mut rows = vec![[0.0; CELL]; height];
    for cell in 0..cells {
        match band.coverage(cell, &mut rows) {
            Touch::None => continue,
            Touch::Whole => rows.iter_mut().for_each(|row| row.fill(1.0)),
            Touch::Some => {}
        }
        let from = cell * CELL;
        let columns = CELL.min(width - from);
        for (row, out) in rows.iter().zip(data.chunks_exact_mut(width)) {
            for (coverage, out) in row.iter().zip(&mut out[from..from + columns]) {
                *out = (coverage * 255.0 + 0.5) as u8;
            }
        }
    }
    GlyphMask { left: left as i32, top: top as i32, width, data: data.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Family;

    /// Both methods agree, except for the rounding of fontdue's curves and samples.
    #[test]
    fn outlines_give_the_masks_that_fontdue_gives() {
        let fonts = Fonts::new();
        let face = fonts.face(Family::NotoSans, 400);
        let font = fonts.fontdue(face).unwrap();
        for (c, px, phase) in [('g', 40.0, 0), ('B', 21.5, 1), ('@', 64.0, 2), ('i', 12.0, 1)] {
            let id = fonts.glyph(face, c).unwrap();
            let (ours, theirs) = (fill(&fonts.outline(face, id).unwrap(), px, phase), rasterise(font, id, px, phase));
            let at = |m: &GlyphMask, x: i32, y: i32| {
                let (x, y) = (x - m.left, y - m.top);
                let inside = x >= 0 && y >= 0 && (x as usize) < m.width && (y as usize) < m.data.len() / m.width;
                if inside { i32::from(m.data[y as usize * m.width + x as usize]) } else { 0 }
            };
            let pixels = (-80..80).flat_map(|y| (-80..80).map(move |x| (x, y)));
            let worst = pixels.map(|(x, y)| (at(&ours, x, y) - at(&theirs, x, y)).abs()).max().unwrap();
            assert!(worst <= 24, "{c} at {px}: {worst}");
        }
    }

    #[test]
    fn a_wild_outline_draws_nothing() {
        let mut path = BezPath::new();
        path.move_to((0.0, 0.0));
        path.line_to((1e9, 0.0));
        path.line_to((0.0, f64::NAN));
        assert!(fill(&path, 40.0, 0).data.is_empty());
        assert!(fill(&BezPath::new(), 40.0, 0).data.is_empty());
    }
}
