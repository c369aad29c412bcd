//! Marks on type: underlines that skip descenders, strike-through lines, and bands behind words.

use kurbo::{BezPath, PathEl, flatten};

use crate::scene::{Color, Item, Rect, Role};
use crate::text::{FaceId, Fonts, Laid, Piece, TaggedRun};

/// How far a band extends beside the ink, above the height of capitals, and below the baseline, in em.
const BESIDE: f32 = 0.09;
const ABOVE: f32 = 0.1;
const BELOW: f32 = 0.13;
/// Margin of a band around ink that exceeds these limits, and distance from the ink of other lines, in em.
const AROUND: f32 = 0.07;
const APART: f32 = 0.03;
/// Radius of the band's corners, in em.
const RADIUS: f32 = 0.05;
/// Pieces of a line shorter than this multiple of its thickness are left out: they would be dots between descenders.
const LEAST: f32 = 1.5;
/// Tolerance for following outlines, in em.
const TOLERANCE: f64 = 0.002;

/// Returns a band behind a piece of a text. `cap` is the height of capitals in em; the text's box has its top left
/// corner at (x, y). The band goes under the glyphs of all lines. It covers its own line's ink from ascender to
/// descender and ends before the ink of neighbouring lines, but never within its own ink.
pub(crate) fn band(
    fonts: &Fonts,
    laid: &Laid,
    piece: &Piece,
    cap: f32,
    (x, y): (f32, f32),
    color: Color,
    role: Role,
) -> Option<Item> {
    let baseline = laid.lines.get(piece.line)?.baseline;
    let em = laid.size;
    // A full stop directly after the words stays outside.
    let [left, right] = piece.room.map(|room| (BESIDE * em).min(room / 2.0).max(0.0));
    let (x0, x1) = (piece.ink.x0 - left, piece.ink.x1 + right);
    let near = |line: Option<usize>| line.and_then(|n| reach(fonts, laid, n, x0, x1));
    let over = near(piece.line.checked_sub(1)).map_or(f32::NEG_INFINITY, |(_, low)| low + APART * em);
    let under = near(Some(piece.line + 1)).map_or(f32::INFINITY, |(high, _)| high - APART * em);
    let high = (baseline - (cap + ABOVE) * em).min(piece.ink.y0 - AROUND * em);
    let low = (baseline + BELOW * em).max(piece.ink.y1 + AROUND * em);
    let high = high.max(over).min(piece.ink.y0 - APART * em);
    let low = low.min(under).max(piece.ink.y1 + APART * em);
    Some(Item::rounded(Rect::new(x0, high, x1, low).shift(x, y), [RADIUS * em; 4], color, role))
}

/// Returns the vertical extent of a line's ink, among its glyphs between `x0` and `x1`.
fn reach(fonts: &Fonts, laid: &Laid, line: usize, x0: f32, x1: f32) -> Option<(f32, f32)> {
    let baseline = laid.lines.get(line)?.baseline;
    let glyphs = laid.runs.iter().flat_map(|run| run.glyphs.glyphs.iter().map(move |g| (&run.glyphs, g)));
    let on_line = glyphs.filter(|(run, g)| (g.at.y - baseline).abs() < 0.25 * run.size);
    on_line.fold(None, |found: Option<(f32, f32)>, (run, g)| {
        let ink = fonts.glyph_ink(run.face, g.id);
        let beside = g.at.x + ink.x1 * run.size < x0 || g.at.x + ink.x0 * run.size > x1;
        if ink.is_empty() || beside {
            return found;
        }
        let (high, low) = (g.at.y + ink.y0 * run.size, g.at.y + ink.y1 * run.size);
        Some(found.map_or((high, low), |(h, l)| (h.min(high), l.max(low))))
    })
}

/// Returns the line under the pieces of a text with the tag `tag`, with the depth and thickness that `face` defines. It
/// is interrupted wherever ink comes closer than its own thickness, so that descenders stay clear.
pub(crate) fn underline(
    fonts: &Fonts,
    laid: &Laid,
    tag: u8,
    face: FaceId,
    (x, y): (f32, f32),
    color: Color,
    role: Role,
) -> Vec<Item> {
    let metrics = fonts.metrics(face);
    let thick = metrics.underline_thickness * laid.size;
    let mut out = Vec::new();
    for piece in laid.pieces.iter().filter(|p| p.tag == tag) {
        let Some(line) = laid.lines.get(piece.line) else { continue };
        let middle = line.baseline - metrics.underline * laid.size;
        let band = (middle - thick / 2.0, middle + thick / 2.0);
        let mut crossed: Vec<(f32, f32)> =
            laid.runs.iter().flat_map(|run| crossings(fonts, run, line.baseline, band, thick)).collect();
        crossed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut from = piece.ink.x0;
        let end = (piece.ink.x1, piece.ink.x1);
        for (x0, x1) in crossed.into_iter().chain([end]) {
            let to = x0.min(piece.ink.x1);
            if to - from >= LEAST * thick {
                let rect = Rect::new(from, band.0, to, band.1);
                out.push(Item::rect(rect.shift(x, y), color, role));
            }
            from = from.max(x1);
        }
    }
    out
}

/// Returns the horizontal extents in which the ink of glyphs on `baseline` comes within `clear` of a horizontal band,
/// extended by `clear` on both sides.
fn crossings(fonts: &Fonts, run: &TaggedRun, baseline: f32, band: (f32, f32), clear: f32) -> Vec<(f32, f32)> {
    let run = &run.glyphs;
    let near = (band.0 - clear, band.1 + clear);
    let on_line = run.glyphs.iter().filter(|g| (g.at.y - baseline).abs() < run.size);
    let crossing = on_line.filter_map(|g| {
        let ink = fonts.glyph_ink(run.face, g.id);
        let reaches = !ink.is_empty() && g.at.y + ink.y1 * run.size > near.0 && g.at.y + ink.y0 * run.size < near.1;
        if !reaches {
            return None;
        }
        let em = |y: f32| f64::from((y - g.at.y) / run.size);
        let (x0, x1) = extent(&fonts.outline(run.face, g.id)?, em(near.0), em(near.1))?;
        Some((g.at.x + x0 * run.size - clear, g.at.x + x1 * run.size + clear))
    });
    crossing.collect()
}

/// Returns the horizontal extent of an outline's ink between the heights `y0` and `y1`.
fn extent(outline: &BezPath, y0: f64, y1: f64) -> Option<(f32, f32)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut first, mut at) = ((0.0, 0.0), (0.0, 0.0));
    let mut follow = |from: (f64, f64), to: (f64, f64)| {
        // The part of the edge within the band; ink that fills it lies between two edges.
        let (top, bottom) = if from.1 <= to.1 { (from, to) } else { (to, from) };
        if bottom.1 < y0 || top.1 > y1 {
            return;
        }
        let x = |y: f64| match bottom.1 - top.1 {
            h if h > 0.0 => top.0 + (bottom.0 - top.0) * (y.clamp(top.1, bottom.1) - top.1) / h,
            _ => top.0,
        };
        let ends = if bottom.1 > top.1 { [x(y0), x(y1)] } else { [from.0, to.0] };
        low = low.min(ends[0].min(ends[1]));
        high = high.max(ends[0].max(ends[1]));
    };
    flatten(outline, TOLERANCE, |el| match el {
        PathEl::MoveTo(p) => {
            first = (p.x, p.y);
            at = first;
        }
        PathEl::LineTo(p) => {
            follow(at, (p.x, p.y));
            at = (p.x, p.y);
        }
        _ => {
            follow(at, first);
            at = first;
        }
    });
    (low <= high).then_some((low as f32, high as f32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Align, Family, Locale, Paragraph, TextSpan, TextStyle, layout};

    fn laid(fonts: &Fonts, text: &str, width: f32) -> (Laid, FaceId) {
        let face = fonts.face(Family::Manrope, 600);
        let style =
            TextStyle { face, size: 100.0, tracking: 0.0, leading: 1.2, tabular: false, case: false, stylistic_set: 0 };
        let spans = [TextSpan::tagged(0..text.len(), 7)];
        let p = Paragraph {
            text,
            style,
            locale: Locale::default(),
            align: Align::Start,
            balance: true,
            optical: true,
            spans: &spans,
        };
        (layout(fonts, &p, width), face)
    }

    fn lines(text: &str, width: f32) -> (Vec<Rect>, Laid) {
        let fonts = Fonts::new();
        let (laid, face) = laid(&fonts, text, width);
        let items = underline(&fonts, &laid, 7, face, (0.0, 0.0), Color::BLACK, Role::Mark);
        let rect = |item: Item| match item.coverage {
            crate::scene::Coverage::Rect { rect, .. } => rect,
            other => panic!("{other:?}"),
        };
        (items.into_iter().map(rect).collect(), laid)
    }

    #[test]
    fn a_line_without_descenders_is_whole() {
        let (found, laid) = lines("homes", f32::INFINITY);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].x0, found[0].x1), (laid.ink.x0, laid.ink.x1));
        assert!(found[0].y0 > laid.lines[0].baseline);
    }

    #[test]
    fn descenders_stand_free() {
        for text in ["apple", "jay", "gig", "Qua;y"] {
            let (found, laid) = lines(text, f32::INFINITY);
            assert!(found.len() >= 2 || text == "gig" || text == "jay", "{text}");
            let thick = found[0].h();
            let fonts = Fonts::new();
            let run = &laid.runs[0].glyphs;
            for g in run.glyphs.iter() {
                let ink = fonts.glyph_ink(run.face, g.id);
                let bottom = g.at.y + ink.y1 * run.size;
                if bottom < found[0].y0 - thick {
                    continue;
                }
                // Wherever the outline crosses the line, a gap of one thickness remains.
                let em = |y: f32| f64::from((y - g.at.y) / run.size);
                let (x0, x1) =
                    extent(&fonts.outline(run.face, g.id).unwrap(), em(found[0].y0), em(found[0].y1)).unwrap();
                let (x0, x1) = (g.at.x + x0 * run.size, g.at.x + x1 * run.size);
                for r in &found {
                    assert!(r.x1 <= x0 - thick + 0.1 || r.x0 >= x1 + thick - 0.1, "{text}: {r:?} at {x0}..{x1}");
                }
            }
        }
    }

    #[test]
    fn every_line_has_its_own() {
        let (found, laid) = lines("under all lines", 320.0);
        assert!(laid.lines.len() > 1);
        for line in &laid.lines {
            let own = found.iter().filter(|r| r.y0 > line.baseline && r.y0 < line.baseline + 40.0);
            let (low, high) = own.fold((f32::MAX, f32::MIN), |(l, h), r| (l.min(r.x0), h.max(r.x1)));
            assert!((low - line.ink.x0).abs() < 1.0 && (high - line.ink.x1).abs() < 1.0, "{line:?}");
        }
    }

    #[test]
    fn bands_cover_ink_and_leave_other_lines_alone() {
        let fonts = Fonts::new();
        let (laid, face) = laid(&fonts, "under all lines", 320.0);
        let cap = fonts.metrics(face).cap_height;
        let rect = |p: &Piece| match band(&fonts, &laid, p, cap, (0.0, 0.0), Color::BLACK, Role::Mark).unwrap().coverage
        {
            crate::scene::Coverage::Rect { rect, .. } => rect,
            other => panic!("{other:?}"),
        };
        let bands: Vec<Rect> = laid.pieces.iter().map(rect).collect();
        assert_eq!(bands.len(), laid.lines.len());
        assert!(bands.windows(2).all(|b| b[0].y1 < b[1].y0));
        assert!(bands.iter().zip(&laid.pieces).all(|(b, p)| b.x0 < p.ink.x0 && b.x1 > p.ink.x1));
    }

    #[test]
    fn a_band_holds_descenders_and_leaves_the_ink_of_other_lines_alone() {
        let fonts = Fonts::new();
        for leading in [0.9, 1.0, 1.3] {
            let face = fonts.face(Family::Manrope, 600);
            let style =
                TextStyle { face, size: 100.0, tracking: 0.0, leading, tabular: false, case: false, stylistic_set: 0 };
            let text = "paying jolly\ngoing happily\nhilly lofty";
            let spans = [TextSpan::tagged(13..18, 7)];
            let p = Paragraph {
                text,
                style,
                locale: Locale::default(),
                align: Align::Start,
                balance: true,
                optical: true,
                spans: &spans,
            };
            let laid = layout(&fonts, &p, f32::INFINITY);
            assert_eq!(laid.lines.len(), 3);
            let piece = laid.pieces.iter().find(|p| p.tag == 7).unwrap();
            let cap = fonts.metrics(face).cap_height;
            let item = band(&fonts, &laid, piece, cap, (0.0, 0.0), Color::BLACK, Role::Mark).unwrap();
            let found = item.coverage.bounds();
            assert!(found.y0 < piece.ink.y0 && found.y1 > piece.ink.y1, "{leading}: {found:?} {:?}", piece.ink);
            // If the lines leave room for both, the next line stays clear of the band.
            let (high, _) = reach(&fonts, &laid, 2, found.x0, found.x1).unwrap();
            assert!(found.y1 < high || high < piece.ink.y1 + 2.0 * APART * 100.0, "{leading}: {found:?} {high}");
        }
    }
}
