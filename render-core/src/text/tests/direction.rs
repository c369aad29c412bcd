//! Tests the bidirectional algorithm with BidiTest and BidiCharacterTest of Unicode 15.0.

use super::{fonts, locale, paragraph, text_of, unpacked};
use crate::text::Family;
use crate::text::bidi::{Bidi, visual_order};
use crate::text::shape::shape;

/// Returns a character of each class.
fn of_class(class: &str) -> char {
    match class {
        "L" => 'a',
        "R" => 'א',
        "AL" => 'ع',
        "EN" => '1',
        "AN" => '٠',
        "ES" => '+',
        "ET" => '%',
        "CS" => ',',
        "B" => '\u{2029}',
        "S" => '\t',
        "WS" => ' ',
        "ON" => '!',
        "NSM" => '\u{300}',
        "BN" => '\u{ad}',
        "LRE" => '\u{202a}',
        "RLE" => '\u{202b}',
        "PDF" => '\u{202c}',
        "LRO" => '\u{202d}',
        "RLO" => '\u{202e}',
        "LRI" => '\u{2066}',
        "RLI" => '\u{2067}',
        "FSI" => '\u{2068}',
        "PDI" => '\u{2069}',
        other => panic!("class {other}"),
    }
}

/// Checks levels (`x`: the character is removed) and order of the characters of `text`.
fn agrees(text: &str, bidi: &Bidi, levels: &[&str], order: &str) -> bool {
    let starts: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    let kept: Vec<usize> = (0..starts.len()).filter(|i| levels[*i] != "x").collect();
    let found: Vec<_> = kept.iter().map(|i| bidi.level(starts[*i])).collect();
    let right = kept.iter().zip(&found).all(|(i, l)| levels[*i] == l.number().to_string());
    let visual: Vec<String> = visual_order(&found).into_iter().map(|i| kept[i].to_string()).collect();
    right && visual.join(" ") == order
}

#[test]
fn classes_resolve_as_unicode_says() {
    let file = unpacked(include_bytes!("../../../../tests/data/unicode/BidiTest.txt.zst"));
    let (mut levels, mut order) = (Vec::new(), "");
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in file.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(rest) = line.strip_prefix("@Levels:") {
            levels = rest.split_whitespace().collect();
        } else if let Some(rest) = line.strip_prefix("@Reorder:") {
            order = rest.trim();
        } else {
            let (classes, directions) = line.split_once(';').unwrap();
            let text: String = classes.split_whitespace().map(of_class).collect();
            let directions: u8 = directions.trim().parse().unwrap();
            let bases = [
                (1, Bidi::by_first_strong(&text)),
                (2, Bidi::with_base(&text, false)),
                (4, Bidi::with_base(&text, true)),
            ];
            for (_, bidi) in bases.iter().filter(|(bit, _)| directions & bit != 0) {
                seen += 1;
                if !agrees(&text, bidi, &levels, order) {
                    wrong.push(classes.to_owned());
                }
            }
        }
    }
    assert!(seen > 490_000, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}: {:?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

#[test]
fn characters_resolve_as_unicode_says() {
    let file = unpacked(include_bytes!("../../../../tests/data/unicode/BidiCharacterTest.txt.zst"));
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in file.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').collect();
        let text = text_of(fields[0]).unwrap();
        let bidi = match fields[1] {
            "0" => Bidi::with_base(&text, false),
            "1" => Bidi::with_base(&text, true),
            _ => Bidi::by_first_strong(&text),
        };
        seen += 1;
        let levels: Vec<&str> = fields[3].split_whitespace().collect();
        let base = u8::from(bidi.rtl).to_string() == fields[2];
        if !base || !agrees(&text, &bidi, &levels, fields[4]) {
            wrong.push(line);
        }
    }
    assert!(seen > 90_000, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen}: {:?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

/// Texts in a right-to-left paragraph, and their characters from left to right as displayed by GNU FriBidi 1.0.8
/// (`fribidi --rtl --nojoin`): brackets are mirrored where they run from right to left.
const DISPLAYED: [(&str, &str, &str); 20] = [
    ("he", "15(ב)(4)", "(4)(ב)15"),
    ("he", "סעיף 15(ב)(4) לחוק", "קוחל (4)(ב)15 ףיעס"),
    ("he", "(1) אבג [2] (3)", "(3) [2] גבא (1)"),
    ("he", "מחיר (₪15)", "(₪15) ריחמ"),
    ("he", "(א) 3, (ב) 4", "4 (ב) ,3 (א)"),
    ("he", "a(b) אבג", "גבא a(b)"),
    ("he", "אבג a(b)", "a(b) גבא"),
    ("he", "{5} [6] «7»", "«7» [6] {5}"),
    ("he", "30% (שלושים)", "(םישולש) 30%"),
    ("he", "ISO 9001(2015) בתקן", "ןקתב ISO 9001(2015)"),
    ("he", "(1)", "(1)"),
    ("he", "1) אבג", "גבא (1"),
    ("he", "עמ׳ 3-5 (ISBN 978)", "(ISBN 978) 3-5 ׳מע"),
    ("he", "המחיר: 12.50$ (כולל מע״מ)", "(מ״עמ ללוכ) 12.50$ :ריחמה"),
    ("he", "טל׳ (03) 123-4567", "123-4567 (03) ׳לט"),
    ("ar", "المادة 15(ب)(4)", "(4)(ب)15 ةداملا"),
    ("ar", "٣(أ) و٤(ب)", "(ب)٤و (أ)٣"),
    ("ar", "السعر (15$)", "($15) رعسلا"),
    ("ar", "(2024) عام", "ماع (2024)"),
    ("ar", "1990-2000 (تقريبا)", "(ابيرقت) 1990-2000"),
];

/// Returns whether a character's glyph is independent of its neighbours; Arabic letters are not.
fn keeps_its_glyph(c: char) -> bool {
    !c.is_whitespace() && !('\u{620}'..='\u{65f}').contains(&c)
}

#[test]
fn brackets_beside_numbers_face_the_right_way() {
    for (tag, text, displayed) in DISPLAYED {
        for family in [Family::Manrope, Family::InstrumentSerif, Family::GeistMono, Family::NotoSansHebrew] {
            let shaped = shape(fonts(), text, &paragraph(family, text, tag).style, &locale(tag), &[]);
            let levels: Vec<_> = shaped.clusters.iter().map(|c| c.level).collect();
            let order = visual_order(&levels);
            // The character as drawn: for a bracket, the one whose glyph is used.
            let drawn: String = order
                .iter()
                .map(|i| {
                    let cluster = &shaped.clusters[*i];
                    let own = text[cluster.start..].chars().next().unwrap();
                    let glyph = shaped.glyphs_of(*i).first().map(|g| g.id);
                    let is = |c: &char| fonts().glyph(cluster.face, *c) == glyph;
                    "()[]{}«»".chars().filter(|_| "()[]{}«»".contains(own)).find(is).unwrap_or(own)
                })
                .filter(|c| keeps_its_glyph(*c))
                .collect();
            let expected: String = displayed.chars().filter(|c| keeps_its_glyph(*c)).collect();
            assert_eq!(drawn, expected, "{family:?} {text}");
        }
    }
}
