use std::collections::BTreeSet;

use kurbo::Shape;
use proptest::prelude::*;

use super::packed::Sequence;
use super::*;

/// Returns the characters of every listed sequence.
fn sequences() -> impl Iterator<Item = (&'static [char], Sequence)> {
    packed().sequences()
}

fn only(text: &str) -> u16 {
    match Emoji::longest(text) {
        Some((id, end)) if end == text.len() => id.0,
        other => panic!("{text}: {other:?}"),
    }
}

fn split(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some((_, end)) = Emoji::longest(text) {
        let (part, rest) = text.split_at(end);
        parts.push(part);
        text = rest;
    }
    if !text.is_empty() {
        parts.push(text);
    }
    parts
}

#[test]
fn every_sequence_of_the_list_is_found_with_and_without_its_variation_selectors() {
    let mut count = 0;
    for (points, sequence) in sequences() {
        let bare: String = points.iter().collect();
        let full: String = points.iter().flat_map(|c| [*c, EMOJI_STYLE]).collect();
        assert_eq!(only(&full), sequence.picture, "{full}");
        if sequence.text_default {
            assert_eq!(Emoji::longest(&bare), None, "{bare}");
        } else {
            assert_eq!(only(&bare), sequence.picture, "{bare}");
        }
        count += 1;
    }
    assert!(count >= 3_900, "{count}");
}

#[test]
fn every_picture_has_layers_within_the_unit_square() {
    for n in 0..packed().pictures() {
        let picture = Emoji::picture(EmojiId(n));
        assert!(!picture.layers.is_empty(), "{n}");
        let mut ink = picture.layers[0].path.bounding_box();
        for layer in &picture.layers {
            assert!(matches!(layer.paint, Paint::Solid(c) if c.a > 0.0));
            assert!(layer.path.area() != 0.0 || layer.path.bounding_box().area() > 0.0, "{n}");
            ink = ink.union(layer.path.bounding_box());
        }
        assert!(ink.x0 > -0.05 && ink.y0 > -0.05 && ink.x1 < 1.05 && ink.y1 < 1.05, "{n}: {ink:?}");
        assert!(ink.width().max(ink.height()) > 0.3, "{n}: {ink:?}");
    }
}

#[test]
fn every_region_has_its_flag() {
    let flags: Vec<u16> = sequences()
        .filter(|(points, _)| points.len() == 2 && points.iter().all(|c| ('🇦'..='🇿').contains(c)))
        .map(|(_, s)| s.picture)
        .collect();
    assert!(flags.len() >= 258, "{}", flags.len());
    // Ceuta and Melilla use Spain's flag.
    assert_eq!(only("🇪🇦"), only("🇪🇸"));
    assert!(flags.iter().collect::<BTreeSet<_>>().len() >= 240);
    for flag in ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏳️‍🌈", "🏳️‍⚧️", "🏴‍☠️", "🇪🇺", "🇺🇳", "🏁", "🏴"]
    {
        only(flag);
    }
    assert_eq!(split("🇩🇪🇫🇷🇯🇵"), ["🇩🇪", "🇫🇷", "🇯🇵"]);
    assert_eq!(split("🇦🇦🇩"), ["🇦", "🇦🇩"], "a pair that is no region's is letters");
}

#[test]
fn the_longest_sequence_is_taken() {
    for whole in ["👩‍🚀", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "👩🏻‍❤️‍💋‍👨🏿", "🧑🏽‍🤝‍🧑🏿", "❤️‍🔥", "1️⃣", "#️⃣", "👋🏿", "☝🏻", "🫱🏻‍🫲🏿"]
    {
        only(whole);
        let more = format!("{whole}x");
        assert_eq!(Emoji::longest(&more).map(|e| e.1), Some(whole.len()));
    }
    assert_ne!(only("👋"), only("👋🏿"));
    assert_ne!(only("👩🏽‍🚀"), only("👩🏿‍🚀"));
    assert_eq!(only("👩‍❤‍👨"), only("👩‍❤️‍👨"));
    assert_eq!(only("1⃣"), only("1️⃣"));
    assert_eq!(only("☝️🏻"), only("☝🏻"));
}

#[test]
fn what_is_text_by_default_stays_text() {
    for text in ["©", "™", "®", "1", "12", "#", "*", "↔", "☀", "❤", "✈", "▶", "‼", "a", "", "→", "•", "漢", "\u{FE0F}"]
    {
        assert_eq!(Emoji::longest(text), None, "{text}");
    }
    for emoji in ["©️", "™️", "®️", "↔️", "☀️", "❤️", "✈️", "▶️", "‼️", "㊗️", "〰️"]
    {
        only(emoji);
    }
    assert_eq!(Emoji::longest("1️"), None, "a digit needs its keycap");
    for text in ["😀\u{FE0E}", "⌚\u{FE0E}", "☀\u{FE0E}", "👍\u{FE0E}🏽"] {
        assert_eq!(Emoji::longest(text), None, "{text}");
    }
    assert_eq!(split("👩‍❤\u{FE0E}"), ["👩", "‍❤\u{FE0E}"]);
}

#[test]
fn an_unlisted_sequence_falls_apart_into_its_parts() {
    assert_eq!(split("👩‍🍕"), ["👩‍", "🍕"]);
    assert_eq!(only("👩"), Emoji::longest("👩‍🍕").map_or(0, |e| e.0.0));
    assert_eq!(split("👩🏽‍🍕‍👩‍🚀"), ["👩🏽‍", "🍕‍", "👩‍🚀"]);
    assert_eq!(split("😀‍x"), ["😀", "‍x"], "a joiner before text is the text's");
    assert_eq!(only("🍕🏽"), only("🍕"));
    assert_eq!(only("👨🏽‍👩🏽‍👧🏽"), only("👨‍👩‍👧"));
    assert_eq!(split("👍🏽🏽"), ["👍🏽", "🏽"]);
    assert_eq!(split("🏻🏼🏿"), ["🏻", "🏼", "🏿"]);
    assert_eq!(only("🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}"), only("🏴"));
}

/// Generates text from the components of emoji.
fn mixed() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        prop::sample::select(vec![
            '\u{200D}',
            '\u{FE0E}',
            '\u{FE0F}',
            '\u{20E3}',
            '🏽',
            '🏿',
            '👩',
            '👨',
            '🧑',
            '❤',
            '🔥',
            '🤝',
            '🏴',
            '🏳',
            '🌈',
            '🇩',
            '🇪',
            '🇦',
            '1',
            '#',
            '☀',
            '☝',
            '♂',
            '\u{E0067}',
            '\u{E0062}',
            '\u{E007F}',
            'a',
            ' ',
            '\n',
        ]),
        any::<char>(),
    ];
    prop::collection::vec(part, 0..40).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in mixed()) {
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let end = match Emoji::longest(rest) {
                Some((id, end)) => {
                    prop_assert!(end > 0 && rest.is_char_boundary(end));
                    prop_assert!(!Emoji::picture(id).layers.is_empty());
                    end
                }
                None => first.len_utf8(),
            };
            rest = &rest[end..];
        }
    }

    #[test]
    fn damaged_tables_are_refused_or_read(cut in 0usize..4_000, at in 0usize..4_000, byte: u8) {
        static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
        let mut bytes = BYTES.get_or_init(|| zstd::decode_all(PACKED).expect("unpacks")).clone();
        let middle = bytes.len() * at / 4_000;
        bytes[middle] = byte;
        bytes[at] ^= byte;
        bytes.truncate(bytes.len() - cut);
        if let Some(packed) = Packed::read(bytes) {
            for n in 0..packed.pictures() {
                let _ = packed.picture(n);
            }
        }
    }
}
