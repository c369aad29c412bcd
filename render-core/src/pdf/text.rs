//! Writes runs of glyphs as selectable text.

use std::ops::Range;

use krilla::geom::Point as At;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};

use super::Shelf;
use crate::scene::{Glyph, GlyphRun, Point};
use crate::text::{FaceId, Fonts};

/// Glyphs whose vertical distance is at most this, in em, are on one line, such as raised figures and marks.
const SAME_LINE: f32 = 0.5;
/// The text of a hyphen that a line break added.
const SOFT_HYPHEN: &str = "\u{ad}";

impl Shelf {
    /// Returns the face in the writer's form; `None` if its glyphs must be drawn as paths. This is the case if the file
    /// has pictures for its glyphs, which the rasterisers don't draw, or if the writer can't read it.
    pub fn font(&mut self, fonts: &Fonts, face: FaceId) -> Option<Font> {
        let load = || (!fonts.has_pictures(face)).then(|| Font::new(fonts.file(face).into(), 0)).flatten();
        self.fonts.entry(face).or_insert_with(load).clone()
    }
}

/// Draws a run in its own space.
pub(super) fn draw(surface: &mut Surface<'_>, font: &Font, fonts: &Fonts, run: &GlyphRun, fill: &Fill) {
    surface.set_stroke(None);
    surface.set_fill(Some(fill.clone()));
    let mut from = 0;
    for to in 1..=run.glyphs.len() {
        let y = run.glyphs[from].at.y;
        if run.glyphs.get(to).is_some_and(|glyph| (glyph.at.y - y).abs() < SAME_LINE * run.size) {
            continue;
        }
        let Line { x, text, glyphs } = Line::of(fonts, run, from..to);
        surface.draw_glyphs(At::from_xy(x, y), &glyphs, font.clone(), &text, run.size, false);
        from = to;
    }
}

/// Returns whether the text of every glyph of a run is known.
pub(super) fn is_text(run: &GlyphRun) -> bool {
    !run.glyphs.is_empty() && (0..run.glyphs.len()).all(|i| run.source.of(i).is_some())
}

/// Glyphs of one baseline, from left to right, and their text.
struct Line {
    /// The position of the first glyph.
    x: f32,
    text: String,
    glyphs: Vec<KrillaGlyph>,
}

/// Glyphs that represent text together.
struct Cluster<'a> {
    glyphs: &'a [Glyph],
    says: &'a str,
    /// Byte range in the source.
    bytes: Range<u32>,
}

impl Cluster<'_> {
    fn left(&self) -> f32 {
        self.glyphs.iter().map(|glyph| glyph.at.x).fold(f32::INFINITY, f32::min)
    }

    /// Returns where its ink ends.
    fn right(&self, fonts: &Fonts, run: &GlyphRun) -> f32 {
        let ends = self.glyphs.iter().map(|g| g.at.x + fonts.glyph_ink(run.face, g.id).x1.max(0.0) * run.size);
        ends.fold(f32::NEG_INFINITY, f32::max)
    }
}

impl Line {
    /// Orders glyphs by position, which PDF expects for right-to-left lines too.
    fn of(fonts: &Fonts, run: &GlyphRun, range: Range<usize>) -> Self {
        let y = run.glyphs[range.start].at.y;
        let mut clusters = clusters(run, range);
        clusters.sort_by(|a, b| a.left().total_cmp(&b.left()));
        let space = fonts.glyph(run.face, ' ');
        let mut text = String::new();
        // Each glyph, and its part of the text.
        let mut placed: Vec<(Glyph, Range<usize>)> = Vec::new();
        for (i, cluster) in clusters.iter().enumerate() {
            let from = text.len();
            text.push_str(cluster.says);
            placed.extend(cluster.glyphs.iter().map(|glyph| (*glyph, from..text.len())));
            if let (Some(next), Some(id)) = (clusters.get(i + 1), space)
                && is_space_between(run, cluster, next)
            {
                let from = text.len();
                text.push(' ');
                placed.push((Glyph { id, at: Point::new(cluster.right(fonts, run), y) }, from..text.len()));
            }
        }
        let glyphs = placed.iter().enumerate().map(|(i, (glyph, range))| {
            let next = placed.get(i + 1).map_or(glyph.at.x, |(next, _)| next.at.x);
            KrillaGlyph {
                glyph_id: GlyphId::new(u32::from(glyph.id)),
                text_range: range.clone(),
                x_advance: (next - glyph.at.x) / run.size,
                x_offset: 0.0,
                y_offset: (y - glyph.at.y) / run.size,
                y_advance: 0.0,
                location: None,
            }
        });
        let glyphs = glyphs.collect();
        Self { x: placed.first().map_or(0.0, |(glyph, _)| glyph.at.x), text, glyphs }
    }
}

/// Returns the clusters of the glyphs `range` of a run, in the run's order.
fn clusters(run: &GlyphRun, range: Range<usize>) -> Vec<Cluster<'_>> {
    let mut clusters = Vec::new();
    let mut from = range.start;
    let bytes = |i: usize| run.source.ranges.get(i).cloned().unwrap_or_default();
    for to in range.start + 1..=range.end {
        if to < range.end && bytes(to) == bytes(from) && !bytes(from).is_empty() {
            continue;
        }
        let says = run.source.of(from).filter(|says| !says.is_empty()).unwrap_or(SOFT_HYPHEN);
        clusters.push(Cluster { glyphs: &run.glyphs[from..to], says, bytes: bytes(from) });
        from = to;
    }
    clusters
}

/// Returns whether the text between two adjacent clusters, in either order, is white space.
fn is_space_between(run: &GlyphRun, a: &Cluster<'_>, b: &Cluster<'_>) -> bool {
    let (from, to) =
        if a.bytes.end <= b.bytes.start { (a.bytes.end, b.bytes.start) } else { (b.bytes.end, a.bytes.start) };
    let between = run.source.text.get(from as usize..to as usize).unwrap_or("");
    !between.is_empty() && between.chars().all(char::is_whitespace)
}
