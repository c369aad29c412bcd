//! Shaping for columns: one stretch of the same stance, face, script and direction at a time.

use std::ops::Range;

use harfrust::{Buffer, Direction};
use unicode_script::Script;

use super::orientation::{Stance, stances};
use super::paragraph::VerticalText;
use super::spacing::{Class, between, class, solid};
use crate::scene::Rect;
use crate::text::bidi::Bidi;
use crate::text::character::{is_breaking_space, is_newline};
use crate::text::fallback::{FullWidth, Placed, place};
use crate::text::script::is_connected;
use crate::text::shape::{Cluster, Kind, Shaped, ShapedGlyph, collect, shape_run};
use crate::text::{Fonts, Locale, TextStyle};

/// A shaped text. The positions of its glyphs are in em, relative to the start of their cluster on the column's axis.
/// For a rotated cluster they are as in a line: `x` down the column, `y` to the left of the axis.
#[derive(Debug)]
pub(super) struct ShapedColumns {
    pub shaped: Shaped,
    /// The orientation of each cluster.
    pub stances: Vec<ClusterStance>,
    /// Space after each cluster, in em, which is dropped at the end of a column.
    pub gaps: Vec<f32>,
}

/// The orientation of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClusterStance {
    pub turned: bool,
    /// Width as a multiple of its width in a line: below 1 if it is too wide for a cell.
    pub squeeze: f32,
}

const UPRIGHT: ClusterStance = ClusterStance { turned: false, squeeze: 1.0 };

pub(super) fn shape(fonts: &Fonts, text: &VerticalText<'_>) -> ShapedColumns {
    let mut out = unspaced(fonts, text);
    space(fonts, text.text, &mut out);
    out
}

/// Shapes the text without spacing: each cell is whole, with no space between.
fn unspaced(fonts: &Fonts, text: &VerticalText<'_>) -> ShapedColumns {
    let mut missing = Vec::new();
    let (placed, face) = place(fonts, text.text, text.style.face, &text.locale, FullWidth::Kept, &mut missing);
    let bidi = Bidi::new(text.text, &text.locale);
    let (rtl, plain) = (bidi.rtl, bidi.is_plain());
    let shaped = Shaped { clusters: Vec::new(), glyphs: Vec::new(), missing, script: Script::Han, face, rtl, plain };
    let mut out = ShapedColumns { shaped, stances: Vec::new(), gaps: Vec::new() };
    let mut shaper = Shaper { fonts, text, placed: &placed, bidi: &bidi, buffer: Buffer::new() };
    for (range, stance) in stances(text.text, &placed, |p| has_vertical_form(fonts, p)) {
        let mut from = range.start;
        while from < range.end {
            from = shaper.run(from..range.end, stance, &mut out);
        }
    }
    out
}

struct Shaper<'a> {
    fonts: &'a Fonts,
    text: &'a VerticalText<'a>,
    placed: &'a [Placed],
    bidi: &'a Bidi,
    buffer: Buffer,
}

impl Shaper<'_> {
    /// Shapes the characters that go together, from the start of `range` on. Returns their end.
    fn run(&mut self, range: Range<usize>, stance: Stance, out: &mut ShapedColumns) -> usize {
        let shaped = &mut out.shaped;
        let Placed { at, c, face, script, emoji } = self.placed[range.start];
        let level = self.bidi.level(at);
        let kind = Kind::Newline;
        let glyphs = shaped.glyphs.len();
        let like = Cluster {
            start: at,
            glyphs,
            advance: 0.0,
            face,
            kind,
            level,
            tracked: false,
            emoji,
            scale: 1.0,
            raise: 0.0,
            lead: 0.0,
            tag: 0,
        };
        if is_newline(c) || emoji.is_some() {
            let picture = Cluster { kind: Kind::Ink, advance: 1.0, tracked: true, ..like };
            shaped.clusters.push(if emoji.is_some() { picture } else { like });
            out.stances.push(UPRIGHT);
            return range.start + 1;
        }
        let same = |i: &usize| {
            let p = &self.placed[*i];
            !is_newline(p.c)
                && p.emoji.is_none()
                && p.face == face
                && p.script == script
                && self.bidi.level(p.at) == level
        };
        let end = range.clone().find(|i| !same(i)).unwrap_or(range.end);
        let first = shaped.clusters.len();
        // Without vertical metrics, characters are centred in their cell.
        let down = stance == Stance::Upright && self.fonts.has_vertical_metrics(face);
        let direction = match () {
            () if down => Direction::TopToBottom,
            () if level.is_rtl() => Direction::RightToLeft,
            () => Direction::LeftToRight,
        };
        // A rotated word keeps its horizontal spacing.
        let tracked = stance != Stance::Turned && !is_connected(script);
        let style = TextStyle { tracking: if tracked { self.text.style.tracking } else { 0.0 }, ..self.text.style };
        shape_run(self.fonts, &mut self.buffer, self.placed, range.start..end, direction, &style, &self.text.locale);
        let like = Cluster { kind: Kind::Ink, tracked, ..like };
        let scale = 1.0 / self.fonts.units_per_em(face);
        let run = &self.placed[range.start..end];
        if down {
            collect_down(&self.buffer, run, like, scale, shaped);
        } else {
            collect(&self.buffer, run, like, scale, shaped);
        }
        if stance == Stance::Cell {
            merge(shaped, first);
        }
        out.stances.resize(shaped.clusters.len(), UPRIGHT);
        // The axis runs through the middle of capitals and figures.
        let middle = self.fonts.metrics(face).cap_height / 2.0;
        if stance == Stance::Turned {
            out.stances[first..].iter_mut().for_each(|s| s.turned = true);
            shaped.glyphs[glyphs..].iter_mut().for_each(|g| g.y += middle);
        } else if !down {
            for (i, stance) in out.stances.iter_mut().enumerate().skip(first) {
                stance.squeeze = centre(shaped, i, middle);
            }
        }
        end
    }
}

/// Appends the clusters of a run that was shaped downwards, with the attributes of `like`.
fn collect_down(buffer: &Buffer, run: &[Placed], like: Cluster, scale: f32, out: &mut Shaped) {
    let glyphs: Vec<_> = buffer.glyph_infos().iter().zip(buffer.glyph_positions()).collect();
    let mut next = 0;
    for cluster in glyphs.chunk_by(|(a, _), (b, _)| a.cluster == b.cluster) {
        let start = cluster[0].0.cluster;
        while next + 1 < run.len() && (run[next].at as u32) < start {
            next += 1;
        }
        let kind = if is_breaking_space(run[next].c) { Kind::Space } else { Kind::Ink };
        let first = out.glyphs.len();
        let mut pen = 0.0;
        for (info, pos) in cluster {
            // Glyph 0 is the box for missing characters; it is never drawn.
            if let Some(id) = u16::try_from(info.glyph_id).ok().filter(|id| *id != 0) {
                let (x, y) = (pos.x_offset as f32 * scale, pen - pos.y_offset as f32 * scale);
                out.glyphs.push(ShapedGlyph { id, x, y });
                pen -= pos.y_advance as f32 * scale;
            }
        }
        out.clusters.push(Cluster { start: start as usize, glyphs: first, advance: pen, kind, ..like });
    }
}

/// Merges the clusters from `first` on into one.
fn merge(shaped: &mut Shaped, first: usize) {
    let mut pen = 0.0;
    for i in first..shaped.clusters.len() {
        let range = shaped.clusters[i].glyphs..shaped.clusters.get(i + 1).map_or(shaped.glyphs.len(), |c| c.glyphs);
        shaped.glyphs[range].iter_mut().for_each(|g| g.x += pen);
        pen += shaped.clusters[i].advance;
    }
    shaped.clusters.truncate(first + 1);
    if let Some(cluster) = shaped.clusters.get_mut(first) {
        cluster.advance = pen;
    }
}

/// Centres cluster `i`, shaped as in a line, in a cell of one em. The centre of the cell is `middle` em above the
/// baseline. Returns the factor by which the cluster must become narrower.
fn centre(shaped: &mut Shaped, i: usize, middle: f32) -> f32 {
    let range = shaped.clusters[i].glyphs..shaped.clusters.get(i + 1).map_or(shaped.glyphs.len(), |c| c.glyphs);
    let cluster = &mut shaped.clusters[i];
    let squeeze = if cluster.advance > 1.0 { 1.0 / cluster.advance } else { 1.0 };
    for glyph in &mut shaped.glyphs[range] {
        glyph.x = (glyph.x - cluster.advance / 2.0) * squeeze;
        glyph.y += 0.5 + middle;
    }
    // A joiner takes no cell.
    if cluster.advance > 0.0 {
        cluster.advance = 1.0;
    }
    squeeze
}

/// Removes the empty halves of punctuation from the cells, and adds space where it belongs.
fn space(fonts: &Fonts, text: &str, out: &mut ShapedColumns) {
    let classes: Vec<Class> = (0..out.shaped.clusters.len())
        .map(|i| {
            let cluster = &out.shaped.clusters[i];
            let stance = match out.stances[i] {
                ClusterStance { turned: true, .. } => Stance::Turned,
                _ if (cluster.advance - 1.0).abs() < 0.001 && cluster.kind == Kind::Ink => Stance::Upright,
                _ => Stance::Cell,
            };
            let ink = out.shaped.glyphs_of(i).iter().fold(Rect::EMPTY, |ink, g| {
                let glyph = fonts.glyph_ink(cluster.face, g.id);
                if glyph.is_empty() { ink } else { ink.union(&glyph.shift(g.x, g.y)) }
            });
            let c = text[cluster.start..].chars().next().unwrap_or(' ');
            class(c, stance, (ink.y0, ink.y1))
        })
        .collect();
    for (i, class) in classes.iter().enumerate() {
        let solid = solid(*class);
        if solid < 1.0 {
            let end = out.shaped.clusters.get(i + 1).map_or(out.shaped.glyphs.len(), |c| c.glyphs);
            let cluster = &mut out.shaped.clusters[i];
            cluster.advance = solid;
            if *class == Class::Opening {
                out.shaped.glyphs[cluster.glyphs..end].iter_mut().for_each(|g| g.y -= 1.0 - solid);
            }
        }
        out.gaps.push(classes.get(i + 1).map_or(0.0, |next| between(*class, *next)));
    }
}

/// Returns whether the face of `p` has a vertical form for it. Colons need none in faces with vertical metrics.
pub(super) fn has_vertical_form(fonts: &Fonts, p: &Placed) -> bool {
    if !fonts.has_vertical_metrics(p.face) {
        return false;
    }
    if matches!(p.c, '：' | '；') {
        return true;
    }
    let mut buffer = Buffer::new();
    let style = TextStyle {
        face: p.face,
        size: 1.0,
        tracking: 0.0,
        leading: 1.0,
        tabular: false,
        case: false,
        stylistic_set: 0,
    };
    shape_run(fonts, &mut buffer, &[*p], 0..1, Direction::TopToBottom, &style, &Locale::default());
    let glyph = buffer.glyph_infos().first().and_then(|info| u16::try_from(info.glyph_id).ok());
    glyph.is_some_and(|glyph| glyph != 0 && fonts.glyph(p.face, p.c) != Some(glyph))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::scene::Point;
    use crate::text::tests::fonts;

    /// Returns the glyphs with their positions relative to their cluster and their advance, before spacing is applied
    /// to punctuation.
    pub fn glyphs(text: &VerticalText<'_>) -> Vec<(u16, Point, f32)> {
        let out = unspaced(fonts(), text);
        assert!(out.shaped.missing.is_empty(), "{}", text.text);
        let clusters = out.shaped.clusters.iter().enumerate();
        let glyphs = clusters.flat_map(|(i, c)| {
            let glyphs = out.shaped.glyphs_of(i);
            glyphs.iter().enumerate().map(move |(k, g)| {
                let step = if k + 1 == glyphs.len() { c.advance } else { 0.0 };
                (g.id, Point::new(g.x, g.y), step)
            })
        });
        glyphs.collect()
    }
}
