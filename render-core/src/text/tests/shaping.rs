//! Tests shaping against HarfBuzz, and the coverage of every language by the faces.

use super::{fonts, locale, paragraph, unpacked};
use crate::text::bidi::visual_order;
use crate::text::shape::shape;
use crate::text::{FaceId, Family, TextStyle, layout};

/// Returns the face for a file name: `noto-sans-sc-400`.
pub(in crate::text) fn face_of(stem: &str) -> FaceId {
    let (name, weight) = stem.rsplit_once('-').unwrap();
    let family = Family::ALL.into_iter().find(|f| f.name().to_lowercase().replace(' ', "-") == name).unwrap();
    fonts().face(family, weight.parse().unwrap())
}

#[test]
fn glyphs_and_places_are_those_of_harfbuzz() {
    let file = unpacked(include_bytes!("../../../../tests/data/shaping/harfbuzz.tsv.zst"));
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in file.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [stem, _, _, language, text, glyphs, advance] = fields[..] else { panic!("{line}") };
        let face = face_of(stem);
        let style =
            TextStyle { face, size: 1.0, tracking: 0.0, leading: 1.0, tabular: false, case: false, stylistic_set: 0 };
        let shaped = shape(fonts(), text, &style, &locale(language), &[]);
        assert!(shaped.missing.is_empty(), "{line}");
        let em = fonts().units_per_em(face);
        let levels: Vec<_> = shaped.clusters.iter().map(|c| c.level).collect();
        let mut found = Vec::new();
        let mut pen = 0.0;
        for i in visual_order(&levels) {
            for g in shaped.glyphs_of(i) {
                let (x, y) = ((pen + g.x) * em, -g.y * em);
                found.push(format!("{}@{},{}", g.id, x.round(), y.round() + 0.0));
            }
            pen += shaped.clusters[i].advance;
        }
        seen += 1;
        if found.join(" ") != glyphs || (pen * em).round().to_string() != advance {
            wrong.push(format!("{stem} {text}: {} / {glyphs}", found.join(" ")));
        }
    }
    assert!(seen > 2_000, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

#[test]
fn every_language_is_set_without_a_missing_glyph() {
    let mut languages = std::collections::BTreeSet::new();
    for line in include_str!("../../../../tests/data/pangrams.tsv").lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [language, _, text] = fields[..] else { panic!("{line}") };
        languages.insert(language);
        for family in [Family::Manrope, Family::InstrumentSerif, Family::GeistMono, Family::HankenGrotesk] {
            let laid = layout(fonts(), &paragraph(family, text, language), 936.0);
            assert!(laid.missing.is_empty(), "{language} {family:?} {:?}", laid.missing);
            // Symbols follow each other without spaces.
            assert!(!laid.broken_word || language == "und", "{language} {family:?}");
            assert!(laid.lines.iter().all(|l| l.width <= 936.1), "{language} {family:?}");
        }
    }
    assert!(languages.len() > 40, "{}", languages.len());
}
