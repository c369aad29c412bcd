//! Every coverage, within a field of 96 × 96 du.

use std::sync::Arc;

use render_core::scene::{BezPath, Coverage, FillRule, Glyph, GlyphRun, LineCap, LineJoin, Point, Rect, Size, Stroke};
use render_core::text::{Family, Fonts};

/// Returns all coverages by name.
pub fn coverages(fonts: &Fonts) -> Vec<(&'static str, Coverage)> {
    let mut all = boxes();
    all.extend(rounds());
    all.extend(lines());
    all.extend(paths());
    all.extend(words(fonts));
    all
}

fn boxes() -> Vec<(&'static str, Coverage)> {
    let rect = Rect::at(10.3, 12.6, 70.0, 60.5);
    let rounded = |radii: [f32; 4], stroke| Coverage::Rect { rect, radii, stroke };
    vec![
        ("rect", rounded([0.0; 4], None)),
        ("rect-rounded", rounded([4.0, 30.0, 12.5, 0.0], None)),
        ("rect-pill", rounded([99.0; 4], None)),
        ("rect-frame", rounded([0.0; 4], Some(3.3))),
        ("rect-rounded-frame", rounded([24.0, 3.0, 9.0, 0.0], Some(7.0))),
        ("rect-hairline", Coverage::Rect { rect: Rect::at(5.0, 40.2, 80.0, 0.4), radii: [0.0; 4], stroke: None }),
        ("shadow", Coverage::Shadow { rect, radius: 0.0, sigma: 8.0 }),
        ("shadow-rounded", Coverage::Shadow { rect, radius: 18.0, sigma: 5.0 }),
        ("shadow-faint", Coverage::Shadow { rect, radius: 30.0, sigma: 0.6 }),
        ("shadow-wide", Coverage::Shadow { rect, radius: 10.0, sigma: 40.0 }),
    ]
}

fn rounds() -> Vec<(&'static str, Coverage)> {
    let center = Point::new(47.4, 46.2);
    let ellipse = |w: f32, h: f32, stroke| Coverage::Ellipse { center, radii: Size::new(w, h), stroke };
    let arc = |start: f32, sweep: f32, stroke| Coverage::Arc { center, radius: 34.0, start, sweep, stroke };
    vec![
        ("disc", ellipse(33.0, 33.0, None)),
        ("ellipse", ellipse(40.0, 21.0, None)),
        ("ring", ellipse(33.0, 33.0, Some(6.0))),
        ("ellipse-frame", ellipse(40.0, 21.0, Some(5.0))),
        ("dot", ellipse(1.2, 1.2, None)),
        ("sector", arc(-1.0, 2.4, None)),
        ("arc", arc(0.4, -4.0, Some(Stroke::new(8.0)))),
        ("arc-round", arc(2.0, 3.0, Some(Stroke::round(9.0)))),
        ("arc-whole", arc(2.0, 9.0, Some(Stroke::new(3.0)))),
    ]
}

fn lines() -> Vec<(&'static str, Coverage)> {
    let [a, b, c, d] = [(12.0, 70.0), (40.0, 14.0), (58.0, 66.0), (84.0, 22.0)].map(|(x, y)| Point::new(x, y));
    let zigzag: Arc<[Point]> = [a, b, c, d].into();
    let line = |closed: bool, stroke| Coverage::Polyline { points: Arc::clone(&zigzag), closed, stroke };
    let dashed = Stroke { dashes: [9.0, 4.0, 1.0].into(), dash_offset: 3.0, ..Stroke::new(4.0) };
    let bevelled = Stroke { join: LineJoin::Bevel, cap: LineCap::Square, ..Stroke::new(7.0) };
    let capsule = |from: Point, to: Point, stroke| Coverage::Capsule { from, to, radius: 11.0, stroke };
    vec![
        ("polygon", line(true, None)),
        ("polyline", line(false, Some(Stroke::new(6.0)))),
        ("polyline-round", line(false, Some(Stroke::round(7.0)))),
        ("polyline-bevel", line(true, Some(bevelled))),
        ("polyline-dashed", line(false, Some(dashed))),
        ("capsule", capsule(Point::new(20.0, 45.5), Point::new(72.0, 45.5), None)),
        ("capsule-tilted", capsule(Point::new(24.0, 70.0), Point::new(70.0, 24.0), None)),
        ("capsule-frame", capsule(Point::new(24.0, 24.0), Point::new(70.0, 60.0), Some(4.0))),
    ]
}

/// A pentagram, whose centre has winding number two.
fn star() -> BezPath {
    let mut path = BezPath::new();
    for (i, p) in [(48.0, 8.0), (72.0, 82.0), (9.0, 36.0), (87.0, 36.0), (24.0, 82.0)].into_iter().enumerate() {
        if i == 0 { path.move_to(p) } else { path.line_to(p) }
    }
    path.close_path();
    path
}

/// An open path with curves of both kinds.
fn wave() -> BezPath {
    let mut path = BezPath::new();
    path.move_to((8.0, 60.0));
    path.curve_to((30.0, 4.0), (40.0, 110.0), (60.0, 40.0));
    path.quad_to((72.0, 6.0), (90.0, 50.0));
    path
}

fn paths() -> Vec<(&'static str, Coverage)> {
    let filled = |path: BezPath, rule| Coverage::Path { path: Arc::new(path), rule };
    let dotted = Stroke { dashes: [0.0, 8.0].into(), ..Stroke::round(5.0) };
    vec![
        ("star", filled(star(), FillRule::NonZero)),
        ("star-even-odd", filled(star(), FillRule::EvenOdd)),
        ("wave", filled(wave(), FillRule::NonZero)),
        ("line", Coverage::Stroke { path: Arc::new(wave()), stroke: Stroke::new(5.0) }),
        ("line-dotted", Coverage::Stroke { path: Arc::new(wave()), stroke: dotted }),
    ]
}

/// A word in one font and size, with letters `step` em apart.
pub fn word(fonts: &Fonts, text: &str, size: f32, at: Point, step: f32) -> Coverage {
    let face = fonts.face(Family::Manrope, 800);
    let glyphs: Vec<Glyph> = text
        .chars()
        .enumerate()
        .filter_map(|(i, c)| {
            Some(Glyph { id: fonts.glyph(face, c)?, at: Point::new(at.x + i as f32 * size * step, at.y) })
        })
        .collect();
    Coverage::Glyphs(GlyphRun::new(face, size, glyphs))
}

fn words(fonts: &Fonts) -> Vec<(&'static str, Coverage)> {
    vec![
        ("text", word(fonts, "Vivid", 30.0, Point::new(6.0, 58.0), 0.55)),
        ("text-large", word(fonts, "Rg", 84.0, Point::new(-8.0, 74.0), 0.6)),
    ]
}
