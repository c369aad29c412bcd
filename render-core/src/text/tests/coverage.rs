//! A character that any face has is never dropped, whatever its neighbours are.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use proptest::prelude::*;

use super::{fonts, locale, paragraph};
use crate::text::character::is_invisible;
use crate::text::emoji::Emoji;
use crate::text::shape::shape;
use crate::text::{Family, Fonts, VerticalText, layout, layout_vertical};

/// Returns every character that has a glyph in some vendored face.
fn covered() -> &'static [char] {
    static COVERED: OnceLock<Vec<char>> = OnceLock::new();
    COVERED.get_or_init(|| {
        let faces: Vec<_> = Family::ALL.into_iter().map(|family| fonts().face(family, 600)).collect();
        let has = |c: &char| faces.iter().any(|face| fonts().covers(*face, *c));
        ('!'..='\u{2ffff}').filter(|c| !c.is_whitespace() && !is_invisible(*c)).filter(has).collect()
    })
}

/// Returns the glyphs of `text`, as families and glyph numbers.
fn glyphs(family: Family, text: &str, tag: &str) -> Vec<(Family, u16)> {
    let p = paragraph(family, text, tag);
    let shaped = shape(fonts(), text, &p.style, &locale(tag), &[]);
    let ids = |i: usize| shaped.glyphs_of(i).iter().map(move |g| g.id);
    let face = |i: usize| fonts().family(shaped.clusters[i].face);
    (0..shaped.clusters.len()).flat_map(|i| ids(i).map(move |id| (i, id))).map(|(i, id)| (face(i), id)).collect()
}

#[test]
fn full_width_punctuation_stands_behind_letters_of_any_script() {
    for (text, tag) in [
        ("DNC（可微神经计算机）", "zh"),
        ("DNC（可微神经计算机）", "en"),
        ("iOS：设置；Wi-Fi！真的吗？OK，", "zh-Hant"),
        ("API（インターフェース）とは？ＡＰＩ！", "ja"),
        ("Ａｐｐｌｅ　ＩＤ＆パスワード％＃＠", "ja"),
        ("서울（Seoul）：", "ko"),
        ("GPT～４｜Q＆A ＜ｘ＞ ＝ ＋ － ￥１００ ￦ ￡ ￠", "ja"),
        ("ｶﾀｶﾅ ｢half｣ width･", "ja"),
        ("abc（", ""),
        ("（", "en"),
        ("Пример（例）", "ru"),
        ("שלום（", "he"),
    ] {
        for family in [Family::Manrope, Family::InstrumentSerif, Family::GeistMono, Family::NotoSansSc] {
            let laid = layout(fonts(), &paragraph(family, text, tag), f32::INFINITY);
            assert!(laid.missing.is_empty(), "{family:?} {text} {:?}", laid.missing);
            let marks = text.chars().filter(|c| !c.is_whitespace()).count();
            assert!(glyphs(family, text, tag).len() >= marks, "{family:?} {text}");
        }
    }
}

#[test]
fn full_width_letters_and_figures_are_set_as_ascii() {
    for family in [Family::Manrope, Family::NotoSansJp, Family::ShipporiMincho] {
        for (wide, plain) in [("ＡＩ２０２６", "AI2026"), ("ｉＰｈｏｎｅ", "iPhone"), ("東京２０２０", "東京2020")]
        {
            assert_eq!(glyphs(family, wide, "ja"), glyphs(family, plain, "ja"), "{family:?}");
        }
    }
    // In a column, they are upright, one per cell.
    let style = paragraph(Family::NotoSansJp, "", "ja").style;
    let column = |text| {
        let laid = layout_vertical(fonts(), &VerticalText { text, style, locale: locale("ja") }, f32::INFINITY);
        (laid.turned, laid.missing)
    };
    assert_eq!(column("２０２６年"), (0.0, Vec::new()));
}

#[test]
fn every_character_that_a_face_has_is_set() {
    assert!(covered().len() > 25_000, "{}", covered().len());
    let mut lost = BTreeSet::new();
    // Separated characters, so that none belongs to another's grapheme.
    for chars in covered().chunks(200) {
        for (before, tag) in [("a", "en"), ("漢", "ja"), ("א", "he")] {
            let text: String = chars.iter().map(|c| format!("{before}{c} ")).collect();
            lost.extend(layout(fonts(), &paragraph(Family::Manrope, &text, tag), f32::INFINITY).missing);
        }
    }
    assert!(lost.is_empty(), "{} lost: {:?}", lost.len(), lost.iter().take(40).collect::<Vec<_>>());
}

fn missing(fonts: &Fonts, family: Family, text: &str, tag: &str) -> Vec<char> {
    layout(fonts, &paragraph(family, text, tag), 500.0).missing
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_neighbour_makes_a_character_go(
        picks in proptest::collection::vec((any::<prop::sample::Index>(), "[ a-zא-תぁ-ん一三水가나다0-9(（]{0,2}"), 1..12),
        family in prop::sample::select(Family::ALL.to_vec()),
        tag in prop::sample::select(vec!["en", "ar", "he", "ja", "ko", "zh", "zh-Hant", "hi", ""]),
    ) {
        let text: String = picks.iter().map(|(c, beside)| format!("{beside}{}", c.get(covered()))).collect();
        prop_assert_eq!(missing(fonts(), family, &text, tag), Vec::<char>::new(), "{}", text);
        // Each character has its own glyph or belongs to a cluster with one: nothing is drawn as an empty box.
        let p = paragraph(family, &text, tag);
        let shaped = shape(fonts(), &text, &p.style, &locale(tag), &[]);
        for i in 0..shaped.clusters.len() {
            let cluster = &shaped.clusters[i];
            let from = &text[cluster.start..];
            let blank = from.starts_with(char::is_whitespace) || Emoji::longest(from).is_some();
            prop_assert!(blank || !shaped.glyphs_of(i).is_empty(), "{} at {}", text, cluster.start);
        }
    }
}
