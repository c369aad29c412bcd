//! Emoji among words.

use super::{fonts, paragraph};
use crate::text::{Family, Laid, Paragraph, TextStyle, layout};

fn set(text: &str, tag: &str, width: f32) -> Laid {
    let p = paragraph(Family::InterTight, text, tag);
    let p = Paragraph { style: TextStyle { size: 60.0, ..p.style }, ..p };
    layout(fonts(), &p, width)
}

#[test]
fn sequences_are_one_picture_each_in_their_places() {
    let laid = set("Go 🚀 a 👩‍👩‍👧 b 🇩🇪 c 👍🏽 d ❤️ e", "en", f32::INFINITY);
    assert_eq!((laid.emoji.len(), laid.missing.len()), (5, 0));
    assert!(laid.emoji.windows(2).all(|w| w[0].rect.x1 < w[1].rect.x0));
    let glyphs = laid.runs.iter().flat_map(|run| run.glyphs.glyphs.iter());
    for at in glyphs.map(|g| g.at.x) {
        assert!(laid.emoji.iter().all(|e| at >= e.rect.x1 || at < e.rect.x0), "{at} lies under a picture");
    }
    let cap = laid.lines[0].baseline;
    for e in &laid.emoji {
        assert!((e.rect.center().y - cap / 2.0).abs() < 0.01, "halfway up the capitals");
        assert!((e.rect.w() - e.rect.h()).abs() < 0.01 && e.rect.h() > cap);
        assert!(laid.ink.y0 <= e.rect.y0 && laid.ink.y1 >= e.rect.y1);
    }
}

#[test]
fn they_run_with_the_text() {
    let laid = set("مرحبا 👋 بكم 🎉", "ar", 900.0);
    assert_eq!(laid.emoji.len(), 2);
    assert!(laid.emoji[0].rect.x0 > laid.emoji[1].rect.x1, "from right to left");
}

#[test]
fn lines_end_between_them_and_never_within() {
    let laid = set(&"👨‍👩‍👧‍👦".repeat(12), "en", 300.0);
    assert!(laid.lines.len() > 1 && laid.emoji.len() == 12 && !laid.broken_word);
    assert!(laid.emoji.iter().all(|e| e.rect.x0 >= -0.01 && e.rect.x1 <= 300.01));
}

#[test]
fn signs_that_are_text_stay_text() {
    let laid = set("© 2026 → 5 ☀ #1", "en", f32::INFINITY);
    assert_eq!((laid.emoji.len(), laid.missing.len()), (0, 0));
}
