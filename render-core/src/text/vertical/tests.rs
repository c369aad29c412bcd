//! Tests of columns: the positions of characters, also against HarfBuzz.

use proptest::prelude::*;

use super::*;
use crate::text::Family;
use crate::text::tests::{any_text, face_of, fonts, locale, unpacked};

fn style(tracking: f32) -> TextStyle {
    let face = fonts().face(Family::ShipporiMincho, 500);
    TextStyle { face, size: 100.0, tracking, leading: 1.4, tabular: false, case: false, stylistic_set: 0 }
}

fn text(text: &str) -> VerticalText<'_> {
    VerticalText { text, style: style(0.0), locale: locale("ja") }
}

fn columns(words: &str, height: f32) -> Vec<String> {
    let laid = layout_vertical(fonts(), &text(words), height);
    laid.columns.iter().map(|c| words[c.range.clone()].to_owned()).collect()
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.05
}

#[test]
fn characters_stand_one_below_the_other_in_columns_from_right_to_left() {
    let laid = layout_vertical(fonts(), &text("一二三\n四五"), 1000.0);
    assert!(near(laid.width, 240.0) && near(laid.height, 300.0));
    assert!(laid.columns.iter().zip([190.0, 50.0]).all(|(c, axis)| near(c.axis, axis)), "{laid:?}");
    assert_eq!(laid.columns.iter().map(|c| c.height).collect::<Vec<_>>(), [300.0, 200.0]);
    let [run] = &laid.runs[..] else { panic!("{:?}", laid.runs) };
    let ys: Vec<f32> = run.glyphs.glyphs.iter().map(|g| g.at.y).collect();
    assert!(ys.windows(2).zip([100.0, 100.0, -200.0, 100.0]).all(|(y, step)| near(y[1] - y[0], step)), "{ys:?}");
    // 一 is in the middle of its cell, on the axis of its column.
    let face = fonts().face(Family::ShipporiMincho, 500);
    let (glyph, ink) = (run.glyphs.glyphs[0], fonts().glyph_ink(face, run.glyphs.glyphs[0].id));
    assert!((glyph.at.x + (ink.x0 + ink.x1) * 50.0 - 190.0).abs() < 4.0);
    assert!((glyph.at.y + (ink.y0 + ink.y1) * 50.0 - 50.0).abs() < 12.0);
}

#[test]
fn advances_add_up_with_tracking_between() {
    let text = VerticalText { style: style(0.05), ..text("眠りを深くする") };
    let laid = layout_vertical(fonts(), &text, f32::INFINITY);
    assert!(near(laid.columns[0].height, 730.0), "{}", laid.columns[0].height);
}

#[test]
fn a_number_is_squeezed_into_its_cell_and_centred() {
    let laid = layout_vertical(fonts(), &text("第20回"), f32::INFINITY);
    assert!(near(laid.height, 300.0));
    let cell = laid.runs.iter().find(|r| r.glyphs.glyphs.len() == 2 && r.transform.0[0] != 1.0).unwrap();
    assert!(cell.transform.0[0] > 0.75 && cell.transform.0[0] < 1.0, "{:?}", cell.transform);
    let face = cell.glyphs.face;
    let inks = cell.glyphs.glyphs.iter().map(|g| {
        let r = fonts().glyph_ink(face, g.id);
        let r = Rect::new(r.x0 * 100.0, r.y0 * 100.0, r.x1 * 100.0, r.y1 * 100.0);
        cell.transform.apply_rect(&r.shift(g.at.x, g.at.y))
    });
    let ink = inks.fold(Rect::EMPTY, |a, b| a.union(&b));
    assert!(ink.x0 >= -1.0 && ink.x1 <= 101.0 && ink.y0 >= 100.0 && ink.y1 <= 200.0, "{ink:?}");
    assert!((ink.center().x - 50.0).abs() < 4.0 && (ink.center().y - 150.0).abs() < 3.0, "{ink:?}");
}

#[test]
fn words_lie_on_their_side_with_their_capitals_on_the_axis() {
    let laid = layout_vertical(fonts(), &text("HEALTH"), f32::INFINITY);
    assert!(near(laid.turned, 1.0));
    assert!(laid.ink.h() > 3.0 * laid.ink.w(), "{:?}", laid.ink);
    assert!((laid.ink.center().x - 50.0).abs() < 1.0, "{:?}", laid.ink);
    assert!(laid.ink.y0 > 0.0 && laid.ink.y0 < 10.0 && laid.ink.y1 <= laid.height, "{:?}", laid.ink);
    // The first letter is above the last one.
    let run = &laid.runs[0];
    let at = |i: usize| run.transform.apply(run.glyphs.glyphs[i].at);
    assert!(at(0).y < at(5).y && near(at(0).x, at(5).x));
    assert!(layout_vertical(fonts(), &text("健康はHEALTH"), f32::INFINITY).turned < 0.7);
}

#[test]
fn no_column_begins_with_what_may_not_begin_a_line() {
    for height in [450.0, 500.0, 550.0, 600.0, 700.0, 900.0] {
        for column in columns("今夜、ひとつだけ「始めて」みる。ちょっとキャッチーな、ラーメン。", height)
        {
            assert!(!column.starts_with(['、', '。', '」', 'ー', 'ょ', 'っ', 'ャ', 'ッ']), "{column} at {height}");
            assert!(!column.ends_with('「'), "{column} at {height}");
        }
    }
}

#[test]
fn a_headline_breaks_between_phrases_in_balance() {
    assert_eq!(columns("眠りを深くする五つの習慣", 750.0), ["眠りを深くする", "五つの習慣"]);
    assert_eq!(columns("眠りを深くする五つの習慣", 560.0), ["眠りを", "深くする", "五つの習慣"]);
}

#[test]
fn punctuation_gives_its_empty_half_at_the_ends_of_a_column() {
    // Five full cells and two halves.
    assert_eq!(columns("「一二三四五」", 600.0), ["「一二三四五」"]);
    let laid = layout_vertical(fonts(), &text("「一二三四五」"), 600.0);
    assert!(near(laid.height, 600.0), "{}", laid.height);
    assert!(laid.ink.y0 >= 0.0 && laid.ink.y1 <= 600.0, "{:?}", laid.ink);
    // Where two halves meet, half a cell is dropped; before a letter, none is.
    for (words, height) in
        [("一。二", 300.0), ("一「二", 300.0), ("一」「二", 350.0), ("一。」二", 350.0), ("「『一", 200.0)]
    {
        let laid = layout_vertical(fonts(), &text(words), f32::INFINITY);
        assert!(near(laid.height, height), "{words} {}", laid.height);
    }
}

#[test]
fn an_emoji_fills_its_cell() {
    let laid = layout_vertical(fonts(), &text("朝☕の"), f32::INFINITY);
    let [emoji] = &laid.emoji[..] else { panic!("{:?}", laid.emoji) };
    assert!(near(emoji.rect.center().x, 50.0) && near(emoji.rect.center().y, 150.0) && emoji.rect.w() <= 100.0);
}

#[test]
fn the_largest_size_is_found() {
    let fit = |h: f32, w: f32, most| {
        fit_vertical(fonts(), &text("眠りを深くする五つの習慣"), Size::new(w, h), 20.0, 300.0, most)
    };
    let two = fit(720.0, 300.0, 2);
    assert!(two.fits && two.laid.columns.len() == 2, "{two:?}");
    assert!(two.size > 100.0 && two.laid.height <= 720.0 && two.laid.width <= 300.0, "{}", two.size);
    assert!(two.laid.height > 700.0 || two.laid.width > 295.0);
    let narrow = fit(720.0, 110.0, 4);
    assert!(narrow.fits && narrow.laid.columns.len() == 1 && narrow.size <= 60.0);
    let none = fit(60.0, 60.0, 1);
    assert_eq!((none.fits, none.size), (false, 20.0));
}

#[test]
fn glyphs_and_places_are_those_of_harfbuzz() {
    let file = unpacked(include_bytes!("../../../../tests/data/shaping/vertical.tsv.zst"));
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in file.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [stem, language, text, glyphs, advance] = fields[..] else { panic!("{line}") };
        let face = face_of(stem);
        let style =
            TextStyle { face, size: 1.0, tracking: 0.0, leading: 1.0, tabular: false, case: false, stylistic_set: 0 };
        let em = fonts().units_per_em(face);
        let (mut found, mut pen) = (Vec::new(), 0.0);
        for (id, at, step) in shape::tests::glyphs(&VerticalText { text, style, locale: locale(language) }) {
            found.push(format!("{id}@{},{}", (at.x * em).round(), ((pen + at.y) * em).round()));
            pen += step;
        }
        seen += 1;
        if found.join(" ") != glyphs || (pen * em).round().to_string() != advance {
            wrong.push(format!("{stem} {text}: {} / {glyphs}", found.join(" ")));
        }
    }
    assert!(seen >= 50, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

/// Returns whether all columns are inside the box, except overhanging parts of letters, or marked as broken, and all
/// numbers are finite.
fn sound(laid: &LaidVertical, height: f32) -> bool {
    let finite = |p: &Point| p.x.is_finite() && p.y.is_finite();
    laid.columns.iter().all(|c| c.height <= height + 0.1 || laid.broken_word)
        && laid.runs.iter().all(|r| r.glyphs.glyphs.iter().all(|g| g.id != 0 && finite(&g.at)))
        && laid.width.is_finite()
}

#[test]
fn strange_texts_are_survived() {
    let marks = format!("か{}", "\u{3099}".repeat(500));
    let (letters, han) = ("x".repeat(10_000), "漢".repeat(10_000));
    for words in [
        "",
        "\n\n",
        "\u{200d}",
        "\u{3099}",
        "\u{202e}日本abc\u{202c} שלום",
        "ا\u{200d}",
        "!!",
        "12",
        "\u{3000}",
        "1️⃣2",
        &marks,
        &letters,
        &han,
    ] {
        for tag in ["ja", "ar", ""] {
            let text = VerticalText { locale: locale(tag), ..text(words) };
            assert!(sound(&layout_vertical(fonts(), &text, 500.0), 500.0), "{:?}", words.chars().take(9));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_set_within_its_box(words in any_text(), height in 120f32..900.0, ja: bool) {
        let text = VerticalText { locale: locale(if ja { "ja" } else { "" }), ..text(&words) };
        let laid = layout_vertical(fonts(), &text, height);
        prop_assert!(sound(&laid, height));
        prop_assert!(laid.columns.windows(2).all(|w| w[0].range.end <= w[1].range.start && w[0].axis > w[1].axis));
        let fit = fit_vertical(fonts(), &text, Size::new(400.0, height), 12.0, 80.0, 4);
        prop_assert!(sound(&fit.laid, height));
        prop_assert!(!fit.fits || fit.laid.width <= 400.1 && fit.laid.columns.len() <= 4);
    }

    #[test]
    fn the_ink_of_japanese_stays_in_its_box(words in "[ぁ-んァ-ヶ一-龠、。「」ー0-9A-Z]{1,24}", height in 300f32..900.0) {
        let text = text(&words);
        let laid = layout_vertical(fonts(), &text, height);
        let bounds = Rect::new(0.0, 0.0, laid.width, laid.height);
        prop_assert!(laid.ink.is_empty() || bounds.contains(&laid.ink, 15.0), "{:?} {:?}", laid.ink, bounds);
    }
}
