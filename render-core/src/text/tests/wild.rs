//! Random texts that no one would write.

use proptest::prelude::*;

use super::{fonts, paragraph};
use crate::scene::Size;
use crate::text::{Align, Family, Laid, fit, layout};

/// Returns whether all lines are inside the box or marked as broken, and all numbers are finite.
pub fn sound(laid: &Laid, width: f32) -> bool {
    let finite = |r: &crate::scene::Rect| r.is_empty() || [r.x0, r.y0, r.x1, r.y1].iter().all(|v| v.is_finite());
    laid.lines.iter().all(|l| (l.width <= width + 0.1 || laid.broken_word) && finite(&l.ink))
        && laid
            .runs
            .iter()
            .all(|r| r.glyphs.glyphs.iter().all(|g| g.id != 0 && g.at.x.is_finite() && g.at.y.is_finite()))
}

#[test]
fn strange_texts_are_survived() {
    let marks = format!("e{}", "\u{301}".repeat(500));
    let alef = format!("ا{}", "\u{64b}".repeat(500));
    let letters = "x".repeat(10_000);
    let han = "漢".repeat(10_000);
    let thai = "กิ".repeat(3_000);
    let nested = "\u{202e}a\u{2067}ب".repeat(200);
    for text in [
        &marks,
        &alef,
        &letters,
        &han,
        &thai,
        &nested,
        "\u{202e}abc\u{202c} שלום",
        "\u{200d}",
        "\u{200c}\u{200d}",
        "ا\u{200d}",
        "\u{200d}ب 1\u{2066}",
        "क्\u{200d}",
        "\u{94d}\u{94d}",
        "\u{e33}",
        "\u{1100}\u{11a8}",
        "ﷺ﷽",
        "\u{feff}\u{fffe}\u{10ffff}",
        "((((((((((",
        "))))(((",
        "\u{2029}\u{85}\u{b}א\u{b}",
    ] {
        for family in [Family::Manrope, Family::NotoSansArmenian] {
            for (tag, align) in [("en", Align::Start), ("ar", Align::Start), ("ja", Align::End), ("", Align::Center)] {
                let p = crate::text::Paragraph { align, ..paragraph(family, text, tag) };
                assert!(sound(&layout(fonts(), &p, 500.0), 500.0), "{tag} {:?}", text.chars().take(9));
            }
        }
    }
}

/// Generates characters from all blocks, mostly from blocks that are special for typesetting.
pub(in crate::text) fn any_text() -> impl Strategy<Value = String> {
    let block = prop_oneof![
        Just('a'..='z'),
        Just('\u{300}'..='\u{36f}'),
        Just('\u{5d0}'..='\u{5ea}'),
        Just('\u{600}'..='\u{6ff}'),
        Just('\u{900}'..='\u{97f}'),
        Just('\u{980}'..='\u{9ff}'),
        Just('\u{b80}'..='\u{c7f}'),
        Just('\u{e00}'..='\u{e7f}'),
        Just('\u{1780}'..='\u{17ff}'),
        Just('\u{2000}'..='\u{206f}'),
        Just('\u{3000}'..='\u{30ff}'),
        Just('\u{4e00}'..='\u{4eff}'),
        Just('\u{ac00}'..='\u{acff}'),
        Just(' '..='@'),
        Just('\0'..='\u{10ffff}'),
    ];
    let c = block.prop_flat_map(|r| proptest::char::range(*r.start(), *r.end()));
    proptest::collection::vec(c, 0..60).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_set_within_its_box(
        text in any_text(),
        width in 60f32..900.0,
        balance: bool,
        tag in prop_oneof![Just("en"), Just("ar"), Just("ja"), Just("ko"), Just("zh-Hant"), Just("")],
    ) {
        let p = crate::text::Paragraph { balance, ..paragraph(Family::InterTight, &text, tag) };
        let laid = layout(fonts(), &p, width);
        prop_assert!(sound(&laid, width));
        prop_assert!(laid.lines.windows(2).all(|w| w[0].range.end <= w[1].range.start));
        let fitted = fit(fonts(), &p, Size::new(width, 400.0), 12.0, 80.0, 4);
        prop_assert!(sound(&fitted.laid, width));
    }
}
