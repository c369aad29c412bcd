//! Faces from outside: which files pass the check, which don't, and how text looks in such faces.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::paragraph;
use crate::limits::{ADDED_FACES, FONT_BYTES};
use crate::random::Chance;
use crate::text::{AddError, Family, FontFault, Fonts, OwnFace, Paragraph, TextStyle, check_font, layout};

const CHEROKEE: &[u8] = include_bytes!("../../../../tests/data/fonts/noto-sans-cherokee-400.ttf");
const BOLD: &[u8] = include_bytes!("../../../../tests/data/fonts/noto-sans-cherokee-700.woff2");
const PACKED: &[u8] = include_bytes!("../../../../tests/data/fonts/noto-sans-cherokee-400.woff");
const VARIABLE: &[u8] = include_bytes!("../../../../tests/data/fonts/noto-sans-cherokee-variable.ttf");
const TIFINAGH: &[u8] = include_bytes!("../../../../tests/data/fonts/noto-sans-tifinagh-400.otf");
const WIDTH: f32 = 800.0;
const FAMILY: Family = Family::Added("Noto Sans Cherokee");

fn missing(fonts: &Fonts, text: &str) -> Vec<char> {
    layout(fonts, &paragraph(Family::Manrope, text, "en"), WIDTH).missing
}

#[test]
fn every_container_comes_through_and_serves() {
    for (file, text) in
        [(CHEROKEE, "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"), (BOLD, "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"), (PACKED, "ᎠᎡᎢ"), (VARIABLE, "ᎠᎡᎢ"), (TIFINAGH, "ⵜⴰⵎⴰⵣⵉⵖⵜ")]
    {
        let fonts = Fonts::new();
        assert_eq!(
            missing(&fonts, text).len(),
            text.chars().filter(|c| *c != ' ').collect::<std::collections::BTreeSet<_>>().len()
        );
        let sfnt = check_font(file).unwrap();
        // Fonts that share the faces have the added face too.
        let face = fonts.clone().add(sfnt.clone()).unwrap();
        assert!(missing(&fonts, text).is_empty());
        assert!(text.chars().filter(|c| *c != ' ').all(|c| fonts.covers(face, c)));
        assert!(fonts.fontdue(face).is_none() && fonts.bytes(face) == sfnt);
        let laid = layout(&fonts, &paragraph(Family::Manrope, &format!("Vivid {text}"), "en"), WIDTH);
        assert!(laid.runs.iter().any(|run| run.glyphs.face == face) && !laid.ink.is_empty());
    }
}

#[test]
fn a_vendored_face_goes_before_an_added_one() {
    let fonts = Fonts::new();
    let face = fonts.add(check_font(CHEROKEE).unwrap()).unwrap();
    // The face has its own space and full stop.
    let laid = layout(&fonts, &paragraph(Family::Manrope, "No Cherokee here.", "en"), WIDTH);
    assert!(laid.runs.iter().all(|run| run.glyphs.face != face));
}

#[test]
fn weights_of_a_family_are_told_apart() {
    let fonts = Fonts::new();
    let regular = fonts.add(check_font(CHEROKEE).unwrap()).unwrap();
    let bold = fonts.add(check_font(BOLD).unwrap()).unwrap();
    assert_eq!((fonts.weight(regular), fonts.weight(bold)), (400, 700));
    assert_eq!((fonts.family(regular), FAMILY.name()), (FAMILY, "Noto Sans Cherokee"));
    assert_eq!((fonts.face(FAMILY, 500), fonts.face(FAMILY, 600)), (regular, bold));
    assert_eq!(fonts.added(800).collect::<Vec<_>>(), [bold]);
    assert_eq!(fonts.faces().count(), Fonts::new().faces().count() + 2);
    // In fonts without the face, another one replaces it.
    let without = Fonts::new();
    assert_eq!(without.face(FAMILY, 400), without.face(Family::NotoSans, 400));
}

#[test]
fn a_brand_s_own_faces_are_nobody_else_s() {
    let shared = Fonts::new();
    let operator = shared.add(check_font(TIFINAGH).unwrap()).unwrap();
    let [regular, bold] = [CHEROKEE, BOLD].map(|file| OwnFace::new(check_font(file).unwrap()).unwrap());
    assert_eq!((regular.family(), regular.weight(), bold.weight()), ("Noto Sans Cherokee", 400, 700));
    let own = shared.with(vec![(Family::OwnHeading, bold.clone()), (Family::OwnBody, regular.clone())]);
    let (heading, body) = (own.face(Family::OwnHeading, 400), own.face(Family::OwnBody, 700));
    assert_eq!((own.weight(heading), own.weight(body)), (700, 400));
    assert_eq!((own.family(heading), own.family(body)), (Family::OwnHeading, Family::OwnBody));
    assert_eq!(own.added(400).collect::<Vec<_>>(), [heading, body, operator]);
    assert_eq!(own.faces().count(), shared.faces().count() + 2);
    assert!(missing(&own, "ᏣᎳᎩ ⵜⴰⵎ").is_empty() && own.fontdue(heading).is_none());
    let paragraph = paragraph(Family::Manrope, "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "chr");
    let style = TextStyle { face: body, ..paragraph.style };
    let laid = layout(&own, &Paragraph { style, ..paragraph }, WIDTH);
    assert!(laid.runs.iter().all(|run| run.glyphs.face == body));
    // Other fonts don't see these faces, and glyphs cached for one file are not used for another.
    assert_eq!(missing(&shared, "ᏣᎳᎩ").len(), 3);
    assert_eq!(shared.face(Family::OwnHeading, 400), shared.face(Family::NotoSans, 400));
    let twin = OwnFace::new(check_font(CHEROKEE).unwrap()).unwrap();
    let other = shared.with(vec![(Family::OwnBody, twin)]);
    assert_ne!(other.face(Family::OwnBody, 400), body);
    // A stored face has the same id in all fonts.
    assert_eq!(Fonts::new().with(vec![(Family::OwnHeading, regular)]).face(Family::OwnHeading, 400), body);
}

#[test]
fn there_is_a_most_of_everything() {
    let fonts = Fonts::new();
    let sfnt = check_font(PACKED).unwrap();
    let heavy = |weight: u16| with(&sfnt, b"OS/2", 4, &weight.to_be_bytes());
    for weight in 0..ADDED_FACES as u16 {
        fonts.add(heavy(200 + weight)).unwrap();
    }
    assert_eq!(fonts.add(heavy(100)), Err(AddError::Full));
    let fonts = Fonts::new();
    fonts.add(heavy(400)).unwrap();
    assert!(matches!(fonts.add(heavy(400)), Err(AddError::Twice { weight: 400, .. })));
    assert_eq!(fonts.add(vec![0; FONT_BYTES + 1]), Err(AddError::Unfit(FontFault::TooLarge)));
    assert_eq!(check_font(&vec![0; FONT_BYTES + 1]), Err(FontFault::TooLarge));
}

#[test]
fn faces_are_added_while_others_read() {
    let fonts = Fonts::new();
    let sfnt = check_font(CHEROKEE).unwrap();
    std::thread::scope(|scope| {
        for first in [100, 500] {
            let (fonts, sfnt) = (&fonts, &sfnt);
            scope.spawn(move || {
                for weight in first..first + 20_u16 {
                    fonts.add(with(sfnt, b"OS/2", 4, &weight.to_be_bytes())).unwrap();
                }
            });
            scope.spawn(move || (0..200).for_each(|_| assert!(missing(fonts, "Vivid ᏣᎳᎩ").len() <= 3)));
        }
    });
    assert!(missing(&fonts, "ᏣᎳᎩ").is_empty());
    assert_eq!(fonts.faces().count(), Fonts::new().faces().count() + 40);
}

/// Returns the offset of a table in a font.
fn table(sfnt: &[u8], tag: &[u8; 4]) -> usize {
    let entry = sfnt[12..].chunks_exact(16).find(|entry| entry.starts_with(tag)).unwrap();
    u32::from_be_bytes(entry[8..12].try_into().unwrap()) as usize
}

/// Returns the font with other bytes from `at` on in a table.
fn with(sfnt: &[u8], tag: &[u8; 4], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut sfnt = sfnt.to_vec();
    let at = table(&sfnt, tag) + at;
    sfnt[at..at + bytes.len()].copy_from_slice(bytes);
    sfnt
}

#[test]
fn what_cannot_be_used_is_refused_with_the_reason() {
    for (fs_type, fits) in [(0_u16, true), (2, false), (4, true), (8, true), (6, true), (0x200, false), (0x102, false)]
    {
        let checked = check_font(&with(CHEROKEE, b"OS/2", 8, &fs_type.to_be_bytes()));
        assert_eq!(checked.is_ok(), fits, "{fs_type}");
        assert!(fits || checked == Err(FontFault::Restricted));
    }
    assert_eq!(check_font(&with(CHEROKEE, b"head", 18, &[0, 8])), Err(FontFault::Senseless("em")));
    assert_eq!(check_font(&with(CHEROKEE, b"hhea", 4, &[0x7f, 0xff])), Err(FontFault::Senseless("line height")));
    assert_eq!(check_font(&with(CHEROKEE, b"OS/2", 4, &[0, 0])), Err(FontFault::Senseless("weight")));
    for tag in [b"cmap", b"OS/2", b"hmtx", b"maxp", b"name"] {
        let mut sfnt = CHEROKEE.to_vec();
        let entry = sfnt[12..].chunks_exact(16).position(|entry| entry.starts_with(tag)).unwrap() * 16 + 12;
        sfnt[entry] = b'_';
        assert!(matches!(check_font(&sfnt), Err(FontFault::Table(_) | FontFault::Senseless(_))), "{tag:?}");
    }
    let mut collection = CHEROKEE.to_vec();
    collection[..4].copy_from_slice(b"ttcf");
    assert_eq!(check_font(&collection), Err(FontFault::Collection));
    for none in [&b""[..], b"OTTO", b"%PDF-1.7", b"<svg/>", &[0; 4096]] {
        assert_eq!(check_font(none), Err(FontFault::NotAFont));
    }
    assert!(matches!(check_font(b"wOF2\0\x01\0\0"), Err(FontFault::Packed(_))));
    assert!(matches!(check_font(&BOLD[..BOLD.len() / 2]), Err(FontFault::Packed(_))));
    // An italic is a family of its own, so it doesn't replace the upright face of its weight.
    let fonts = Fonts::new();
    fonts.add(check_font(CHEROKEE).unwrap()).unwrap();
    let italic = fonts.add(check_font(&with(CHEROKEE, b"OS/2", 62, &[0, 1])).unwrap()).unwrap();
    assert_eq!(fonts.family(italic).name(), "Noto Sans Cherokee Italic");
}

/// Returns a font with a few bytes, a stretch or its end changed.
fn mutated(font: &[u8], numbers: &mut Chance) -> Vec<u8> {
    let mut font = font.to_vec();
    // Half of the changes hit the directory or small tables, where they have the most effect.
    let place = |numbers: &mut Chance, length: usize| {
        if numbers.below(2) == 0 { numbers.below(length) } else { numbers.below(length.min(1 << 10)) }
    };
    match numbers.below(8) {
        0 => font.truncate(place(numbers, font.len())),
        1 => {
            let (from, to, length) = (numbers.below(font.len()), numbers.below(font.len()), numbers.below(64));
            let piece = font[from..(from + length).min(font.len())].to_vec();
            let end = (to + piece.len()).min(font.len());
            font[to..end].copy_from_slice(&piece[..end - to]);
        }
        _ => {
            for _ in 0..=numbers.below(12) {
                let at = place(numbers, font.len());
                font[at] = [0, 0xff, 0x7f, 0x80, numbers.below(256) as u8][numbers.below(5)];
            }
        }
    }
    font
}

/// The check may panic, because it runs in its own process. A file that it accepts must not cause a panic later.
#[test]
fn two_thousand_broken_faces_break_nothing() {
    let files = [CHEROKEE, BOLD, PACKED, VARIABLE, TIFINAGH];
    // Changes of a compressed font rarely get past decompression; changes of its content do.
    let plain: Vec<Vec<u8>> = files.iter().map(|file| check_font(file).unwrap()).collect();
    let mut numbers = Chance::new(1);
    let (mut passed, mut broke) = (0, 0);
    for i in 0..2_000 {
        let font = if i % 4 == 0 { files[i / 4 % 5] } else { &plain[i % 5] };
        let font = mutated(font, &mut numbers);
        let Ok(checked) = catch_unwind(|| check_font(&font)) else {
            broke += 1;
            continue;
        };
        let Ok(sfnt) = checked else { continue };
        passed += 1;
        let used = catch_unwind(AssertUnwindSafe(|| {
            let fonts = Fonts::new();
            let Ok(face) = fonts.add(sfnt) else { return };
            for text in ["ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "ᎠᎡᎢ ᎠᎢᎢᎢ"] {
                // Only characters that the face has, so that no other face is used.
                let text: String = text.chars().filter(|c| *c == ' ' || fonts.covers(face, *c)).collect();
                let paragraph = paragraph(Family::Manrope, &text, "chr");
                let style = TextStyle { face, ..paragraph.style };
                let laid = layout(&fonts, &Paragraph { style, ..paragraph }, WIDTH);
                for glyph in
                    laid.runs.iter().filter(|run| run.glyphs.face == face).flat_map(|run| run.glyphs.glyphs.iter())
                {
                    fonts.outline(face, glyph.id);
                    fonts.glyph_ink(face, glyph.id);
                }
            }
        }));
        assert!(used.is_ok(), "number {i} came through and broke");
    }
    assert!(passed > 100, "only {passed} came through: the rest is not tested");
    assert!(broke < 20, "{broke} broke the check");
}
