//! Tests typesetting with external references (Unicode's own tests, HarfBuzz's glyphs) and random texts.

mod added;
mod coverage;
mod direction;
mod emoji;
mod hyphens;
mod lines;
mod shaping;
mod spans;
mod wild;

pub(super) use shaping::face_of;
pub(super) use wild::any_text;

use super::{Align, Family, Fonts, Locale, Paragraph, TextStyle};
use crate::content::Language;

/// Returns the fonts, decompressed once for all tests of the binary.
pub(super) fn fonts() -> &'static Fonts {
    static FONTS: std::sync::OnceLock<Fonts> = std::sync::OnceLock::new();
    FONTS.get_or_init(Fonts::new)
}

/// Decompresses a text packed with zstd.
pub(super) fn unpacked(packed: &[u8]) -> String {
    String::from_utf8(zstd::decode_all(packed).unwrap()).unwrap()
}

/// Parses hexadecimal code points separated by spaces, ignoring signs; `None` if one is a surrogate, which can't occur
/// in text.
fn text_of(codes: &str) -> Option<String> {
    codes
        .split_whitespace()
        .filter(|c| !matches!(*c, "÷" | "×"))
        .map(|c| char::from_u32(u32::from_str_radix(c, 16).unwrap()))
        .collect()
}

pub(super) fn locale(tag: &str) -> Locale {
    Language::parse(tag).map_or(Locale::default(), |l| Locale::of(&l))
}

fn paragraph<'a>(family: Family, text: &'a str, tag: &str) -> Paragraph<'a> {
    let face = fonts().face(family, 600);
    let style =
        TextStyle { face, size: 40.0, tracking: -0.02, leading: 1.1, tabular: false, case: false, stylistic_set: 0 };
    Paragraph { text, style, locale: locale(tag), align: Align::Start, balance: true, optical: true, spans: &[] }
}
