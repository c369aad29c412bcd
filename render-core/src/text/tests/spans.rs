//! Stretches of a paragraph with a different style.

use proptest::prelude::*;

use super::wild::{any_text, sound};
use super::{fonts, paragraph};
use crate::scene::Size;
use crate::text::{FaceId, Family, Laid, Paragraph, TextSpan, fit, layout};

fn set(text: &str, tag: &str, spans: &[TextSpan], width: f32) -> Laid {
    layout(fonts(), &Paragraph { spans, ..paragraph(Family::Manrope, text, tag) }, width)
}

fn bold() -> FaceId {
    fonts().face(Family::Manrope, 800)
}

/// Returns every glyph with its face, size and position, from left to right.
fn glyphs(laid: &Laid) -> Vec<(FaceId, u16, [u32; 3])> {
    let run = |run: &crate::scene::GlyphRun| {
        let glyph = |g: &crate::scene::Glyph| [g.at.x, g.at.y, run.size].map(f32::to_bits);
        run.glyphs.iter().map(|g| (run.face, g.id, glyph(g))).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = laid.runs.iter().flat_map(|r| run(&r.glyphs)).collect();
    all.sort_unstable();
    all
}

/// Returns the glyphs of one face, from left to right.
fn ids(laid: &Laid, face: FaceId) -> Vec<u16> {
    let runs = laid.runs.iter().filter(|r| r.glyphs.face == face);
    let mut all: Vec<_> = runs.flat_map(|r| r.glyphs.glyphs.iter().map(|g| (g.at.x, g.id))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn a_stretch_has_the_glyphs_that_its_words_have_alone() {
    let text = "plain office bold";
    let spans = [TextSpan { face: Some(bold()), ..TextSpan::tagged(6..12, 1) }];
    let laid = set(text, "en", &spans, f32::INFINITY);
    let plain = fonts().face(Family::Manrope, 600);
    let alone = |text: &str, face: FaceId| {
        let p = paragraph(Family::Manrope, text, "en");
        let style = crate::text::TextStyle { face, ..p.style };
        ids(&layout(fonts(), &Paragraph { style, ..p }, f32::INFINITY), face)
    };
    assert_eq!(ids(&laid, bold()), alone("office", bold()));
    assert_eq!(ids(&laid, plain), [alone("plain", plain), alone("bold", plain)].concat());
}

#[test]
fn colour_alone_keeps_kerning_and_joins() {
    for (text, tag) in [("AVATAR To. We", "en"), ("مرحبا بالعالم", "ar"), ("क्षत्रिय", "hi"), ("office", "en")]
    {
        let plain = set(text, tag, &[], f32::INFINITY);
        for (at, c) in text.char_indices().skip(1) {
            let spans = [TextSpan::tagged(at..at + c.len_utf8(), 3)];
            assert_eq!(glyphs(&set(text, tag, &spans, f32::INFINITY)), glyphs(&plain), "{text} {at}");
        }
    }
}

#[test]
fn letters_join_over_a_change_of_weight() {
    let text = "مرحبا";
    let whole = set(text, "ar", &[], f32::INFINITY);
    let face = Some(fonts().face(Family::ReadexPro, 700));
    let parted = set(text, "ar", &[TextSpan { face, ..TextSpan::tagged(4..6, 1) }], f32::INFINITY);
    let ids = |laid: &Laid| {
        let mut all: Vec<u16> = laid.runs.iter().flat_map(|r| r.glyphs.glyphs.iter().map(|g| g.id)).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(parted.runs.len(), 2);
    assert_eq!(ids(&parted), ids(&whole), "weights of one family number their glyphs alike");
}

#[test]
fn a_stretch_wraps_and_has_a_piece_on_each_line() {
    let text = "one two three four five six";
    let spans = [TextSpan { face: Some(bold()), ..TextSpan::tagged(4..23, 1) }];
    let laid = set(text, "en", &spans, 220.0);
    assert!(laid.lines.len() >= 2 && !laid.broken_word);
    let lines: Vec<usize> = laid.pieces.iter().map(|p| p.line).collect();
    assert_eq!(lines, (0..laid.lines.len()).collect::<Vec<_>>());
    assert!(laid.pieces[0].ink.x0 > laid.lines[0].ink.x0 + 10.0, "“one” stands before it");
    for piece in &laid.pieces[1..laid.pieces.len() - 1] {
        assert_eq!(piece.ink, laid.lines[piece.line].ink);
    }
}

#[test]
fn a_piece_knows_the_room_beside_it() {
    let room = |text: &str, range| set(text, "en", &[TextSpan::tagged(range, 1)], f32::INFINITY).pieces[0].room;
    let [left, right] = room("good things. Yes", 5..11);
    assert!(left > 6.0 && right > 0.0 && right < 6.0, "{left} {right}");
    assert_eq!(room("good things", 0..11), [f32::INFINITY; 2]);
}

#[test]
fn other_directions_part_a_stretch() {
    let text = "abc שלום def";
    let span = |range| set(text, "en", &[TextSpan::tagged(range, 1)], f32::INFINITY);
    // The span covers the end of the Hebrew word and the text after it. The word's end is on its left.
    let parted = span(8..16);
    assert_eq!(parted.pieces.len(), 2);
    assert!(parted.pieces[0].ink.x1 < parted.pieces[1].ink.x0);
    assert_eq!(span(0..text.len()).pieces.len(), 1);
}

#[test]
fn scale_and_raise_and_room_are_in_em_of_the_paragraph() {
    let text = "62%";
    let plain = set(text, "en", &[], f32::INFINITY);
    let unit = TextSpan { scale: 0.5, ..TextSpan::tagged(2..3, 1) };
    let ink = |span: &TextSpan| set(text, "en", std::slice::from_ref(span), f32::INFINITY);
    let small = ink(&unit);
    let sign = set("%", "en", &[], f32::INFINITY).ink;
    assert!((small.pieces[0].ink.h() - sign.h() / 2.0).abs() < 0.01);
    assert!(small.width < plain.width - 10.0);
    let raised = ink(&TextSpan { raise: 0.3, ..unit.clone() });
    assert!((small.pieces[0].ink.y0 - raised.pieces[0].ink.y0 - 12.0).abs() < 0.01);
    assert_eq!(small.height, raised.height);
    let apart = ink(&TextSpan { kern: 0.25, ..unit });
    assert!((apart.pieces[0].ink.x0 - small.pieces[0].ink.x0 - 10.0).abs() < 0.01);
    assert!((apart.width - small.width - 10.0).abs() < 0.01);
}

#[test]
fn room_stands_where_the_stretch_is_come_to() {
    let text = "שלום טוב";
    let unit = |kern| [TextSpan { kern, ..TextSpan::tagged(9..15, 1) }];
    let (tight, loose) = (set(text, "he", &unit(0.0), f32::INFINITY), set(text, "he", &unit(0.5), f32::INFINITY));
    let gap = |l: &Laid| l.ink.x1 - l.pieces[0].ink.x1;
    assert!((gap(&loose) - gap(&tight) - 20.0).abs() < 0.1, "{} {}", gap(&loose), gap(&tight));
}

#[test]
fn a_large_stretch_makes_the_whole_smaller() {
    let text = "a few large words here";
    let spans = [TextSpan { scale: 1.6, ..TextSpan::tagged(6..11, 1) }];
    let p = paragraph(Family::Manrope, text, "en");
    let bounds = Size::new(500.0, 300.0);
    let plain = fit(fonts(), &p, bounds, 20.0, 200.0, 2);
    let fitted = fit(fonts(), &Paragraph { spans: &spans, ..p }, bounds, 20.0, 200.0, 2);
    assert!(fitted.fits && fitted.size < plain.size, "{} {}", fitted.size, plain.size);
    assert!(fitted.laid.ink.x1 <= 500.5 && fitted.laid.ink.y1 <= 300.0);
}

#[test]
fn what_a_stretch_s_face_lacks_comes_from_elsewhere() {
    let spans = [TextSpan { face: Some(fonts().face(Family::InstrumentSerif, 400)), ..TextSpan::tagged(4..18, 1) }];
    let laid = set("два слова \u{f0000}", "ru", &spans, f32::INFINITY);
    let families: Vec<Family> = laid.runs.iter().map(|r| fonts().family(r.glyphs.face)).collect();
    assert!(families.contains(&Family::NotoSerif), "{families:?}");
    assert_eq!(laid.missing, ['\u{f0000}']);
}

fn any_spans(one_face: bool) -> impl Strategy<Value = Vec<TextSpan>> {
    let face = prop_oneof![Just(None), Just(Some(bold())), Just(Some(fonts().face(Family::NotoSerif, 400)))];
    let span = (0usize..80, 0usize..40, face, 0.2f32..2.0, -0.5f32..0.5, 0.0f32..0.4, 0u8..4);
    let span = span.prop_map(move |(from, len, face, scale, raise, kern, tag)| match one_face {
        true => TextSpan::tagged(from..from + len, tag),
        false => TextSpan { face, scale, raise, kern, ..TextSpan::tagged(from..from + len, tag) },
    });
    proptest::collection::vec(span, 0..5)
}

/// Moves the ends of spans to character boundaries, so that most of the spans are valid.
fn fitted(text: &str, mut spans: Vec<TextSpan>) -> Vec<TextSpan> {
    let near = |at: usize| (at.min(text.len())..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap();
    spans.iter_mut().for_each(|s| s.range = near(s.range.start)..near(s.range.end));
    spans.sort_by_key(|s| s.range.start);
    spans
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_spans_are_set_within_the_box(
        text in any_text(),
        spans in any_spans(false),
        tidy: bool,
        width in 60f32..900.0,
        tag in prop_oneof![Just("en"), Just("ar"), Just("ja")],
    ) {
        let spans = if tidy { fitted(&text, spans) } else { spans };
        let laid = set(&text, tag, &spans, width);
        prop_assert!(sound(&laid, width));
        let marked = laid.pieces.iter().all(|p| p.tag != 0 && p.line < laid.lines.len() && !p.ink.is_empty());
        prop_assert!(marked);
    }

    #[test]
    fn colour_changes_no_glyph(
        text in any_text(),
        spans in any_spans(true),
        width in 60f32..900.0,
        tag in prop_oneof![Just("en"), Just("ar"), Just("ja")],
    ) {
        let spans = fitted(&text, spans);
        let (plain, laid) = (set(&text, tag, &[], width), set(&text, tag, &spans, width));
        prop_assert_eq!(glyphs(&plain), glyphs(&laid));
        prop_assert_eq!(plain.lines, laid.lines);
    }
}
