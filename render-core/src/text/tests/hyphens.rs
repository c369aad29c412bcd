//! Tests of hyphenated lines.

use proptest::prelude::*;

use super::{fonts, paragraph};
use crate::scene::Size;
use crate::text::{Align, Family, Laid, Paragraph, TextStyle, fit, layout};

fn lines<'a>(text: &'a str, laid: &Laid) -> Vec<&'a str> {
    laid.lines.iter().map(|l| &text[l.range.clone()]).collect()
}

/// Returns a paragraph of running text.
fn small<'a>(text: &'a str, language: &'a str) -> Paragraph<'a> {
    let p = paragraph(Family::Manrope, text, language);
    Paragraph { style: TextStyle { size: 30.0, ..p.style }, ..p }
}

/// Counts the glyphs on the line of `baseline`.
fn glyphs(laid: &Laid, baseline: f32) -> usize {
    laid.runs.iter().flat_map(|r| r.glyphs.glyphs.iter()).filter(|g| (g.at.y - baseline).abs() < 0.1).count()
}

#[test]
fn a_word_wider_than_the_box_is_hyphenated() {
    let text = "Bundesausbildungsförderungsgesetz";
    let laid = layout(fonts(), &paragraph(Family::Manrope, text, "de"), 420.0);
    assert_eq!(lines(text, &laid), ["Bundesausbildungs", "förderungsgesetz"]);
    assert!(laid.hyphenated && !laid.broken_word);
    // The hyphen is drawn and counted.
    assert_eq!(glyphs(&laid, laid.lines[0].baseline), "Bundesausbildungs-".len());
    assert!(laid.lines[0].ink.x1 <= 420.0 && laid.lines.iter().all(|l| l.width <= 420.0));
    // Without a language, there are no hyphenation positions.
    let laid = layout(fonts(), &paragraph(Family::Manrope, text, ""), 420.0);
    assert!(laid.broken_word && !laid.hyphenated);
}

#[test]
fn fitting_hyphenates_only_where_the_smallest_size_is_too_wide() {
    let p = paragraph(Family::Manrope, "Geschwindigkeitsbegrenzung", "de");
    let roomy = fit(fonts(), &p, Size::new(500.0, 400.0), 30.0, 90.0, 3);
    assert!(roomy.fits && !roomy.laid.hyphenated && roomy.size > 30.0);
    let narrow = fit(fonts(), &p, Size::new(300.0, 400.0), 30.0, 90.0, 3);
    assert!(narrow.fits && narrow.laid.hyphenated && narrow.size == 30.0);
}

#[test]
fn running_text_is_hyphenated_where_a_line_were_much_too_short() {
    let text = "Die neue Geschwindigkeitsmessung wirkt in der ganzen Stadt.";
    let small = small(text, "de");
    let laid = layout(fonts(), &small, 430.0);
    assert!(lines(text, &laid)[0].starts_with("Die neue Geschwin"), "{:?}", lines(text, &laid));
    assert!(!laid.hyphenated, "no word is wider than the box");
    // The same text as a headline is not hyphenated.
    let head = Paragraph { style: TextStyle { size: 90.0, ..small.style }, ..small.clone() };
    let laid = layout(fonts(), &head, 1_290.0);
    assert!(laid.lines.iter().all(|l| l.range.end == text.len() || text[l.range.end..].starts_with(' ')));
}

#[test]
fn names_stay_whole_in_running_text() {
    for (word, first) in [("internationalisation", "The new interna"), ("Internationalisation", "The new")] {
        let text = format!("The new {word} works all over the town.");
        let p = small(&text, "en");
        let laid = layout(fonts(), &p, 340.0);
        assert!(lines(&text, &laid)[0].starts_with(first), "{:?}", lines(&text, &laid));
        assert_eq!(lines(&text, &laid)[0] == "The new", word.starts_with('I'));
    }
}

#[test]
fn soft_hyphens_go_before_patterns() {
    let text = "Donaudampf\u{ad}schifffahrt";
    let laid = layout(fonts(), &paragraph(Family::Manrope, text, "de"), 330.0);
    assert_eq!(lines(text, &laid), ["Donaudampf\u{ad}", "schifffahrt"]);
    assert!(laid.hyphenated);
}

#[test]
fn lines_of_a_page_start_at_its_side_whatever_their_direction() {
    let ltr = layout(fonts(), &paragraph(Family::ReadexPro, "٤٢ ساعة", "en"), 900.0);
    assert!(ltr.ink.x0.abs() < 1.0, "{:?}", ltr.ink);
    let rtl = layout(fonts(), &paragraph(Family::ReadexPro, "ABC", "ar"), 900.0);
    assert!((rtl.ink.x1 - 900.0).abs() < 1.0, "{:?}", rtl.ink);
    let unknown = layout(fonts(), &paragraph(Family::ReadexPro, "ساعة", ""), 900.0);
    assert!((unknown.ink.x1 - 900.0).abs() < 1.0, "{:?}", unknown.ink);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn hyphens_stay_in_the_box_and_lose_no_letter(
        words in proptest::collection::vec("[a-zäöüß]{2,24}", 1..9),
        tag in prop_oneof![Just("de"), Just("en"), Just("fi"), Just("hu"), Just("tr")],
        width in 200f32..700.0,
        size in 20f32..60.0,
        balance: bool,
    ) {
        let text = words.join(" ");
        let p = paragraph(Family::InterTight, &text, tag);
        let p = Paragraph { style: TextStyle { size, ..p.style }, balance, align: Align::Start, ..p };
        let laid = layout(fonts(), &p, width);
        prop_assert!(laid.lines.iter().all(|l| l.width <= width + 0.01));
        let said: String = lines(&text, &laid).concat();
        prop_assert_eq!(said.replace(' ', ""), text.replace(' ', ""));
    }
}

#[test]
fn words_joined_by_a_hyphen_end_a_line_at_that_hyphen() {
    let text = "A decision-maker must enforce it.";
    let laid = layout(fonts(), &small(text, "en"), 240.0);
    let lines = lines(text, &laid);
    assert!(lines.iter().all(|line| !line.ends_with("deci") && !line.ends_with("mak")), "{lines:?}");
}
