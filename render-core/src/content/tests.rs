//! Reads the sample texts and hostile ones as a whole.

use proptest::prelude::*;

use super::*;
use crate::limits;

const ARTICLE: &str = include_str!("../../../tests/data/article.md");
const TIPS: &str = include_str!("../../../tests/data/tips.txt");
const PROSE: &str = include_str!("../../../tests/data/prose.txt");
const STEPS: &str = include_str!("../../../tests/data/steps.md");
const GERMAN: &str = include_str!("../../../tests/data/german.md");
const RUSSIAN: &str = include_str!("../../../tests/data/russian.md");
const GREEK: &str = include_str!("../../../tests/data/greek.md");

/// Returns the runs of digits.
fn numerals(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|d| !d.is_empty()).collect()
}

fn assert_sound(document: &Document, source: &str) {
    for words in document.words() {
        let (start, end) = (words.span.start as usize, words.span.end as usize);
        let part = source.get(start..end).unwrap_or_else(|| panic!("{:?} is cut in {source:?}", words.span));
        // Emphasis marks may occur within a number.
        let part = part.replace(['*', '_', '`', '\\'], "");
        for n in numerals(&words.text) {
            assert!(numerals(&part).iter().any(|p| p.contains(n)), "{n} of {words:?} is not in {part:?}");
        }
        assert!(!words.text.contains('\n'), "{words:?}");
    }
    for block in &document.blocks {
        assert!((0.0..=1.0).contains(&block.score));
        assert!(source.get(block.span.start as usize..block.span.end as usize).is_some());
    }
    assert!(
        !document.title.text.is_empty() && document.title.text.chars().count() <= limits::SLOT_CHARS,
        "{:?}",
        document.title
    );
}

#[test]
fn the_article() {
    let document = read_text(ARTICLE).unwrap();
    assert_sound(&document, ARTICLE);
    assert_eq!(document.title.text, "The quiet morning: how a small team got its best hours back");
    assert_eq!(document.language.code(), "en");
    assert!(document.dek.as_ref().is_some_and(|d| d.text.starts_with("Most teams")));
    assert_eq!(document.source.as_ref().map(|s| s.text.as_str()), Some("harbourandfinch.example"));
    let main = document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::KeyPoint(_)) && b.score >= 0.7);
    assert_eq!(main.count(), 6);
    let figures: Vec<_> = document
        .blocks
        .iter()
        .filter_map(|b| match &b.kind {
            BlockKind::Stat(s) => Some((s.value.as_str(), s.label.text.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(
        figures,
        [
            ("64", "of respondents said that they check messages every ten minutes"),
            ("38", "The studio's meeting hours fell within twelve weeks"),
            ("9 in 10", "projects shipped on the day they were promised"),
        ]
    );
    let quotes = document.blocks.iter().filter_map(|b| match &b.kind {
        BlockKind::Quote { who, .. } => who.as_ref().map(|w| w.text.as_str()),
        _ => None,
    });
    assert_eq!(quotes.collect::<Vec<_>>(), ["Mette Holm, lead designer at Harbour & Finch"]);
    assert!(
        document.blocks.iter().any(|b| matches!(&b.kind, BlockKind::CallToAction(c) if c.text.starts_with("Download")))
    );
}

#[test]
fn tips_steps_and_prose() {
    let document = read_text(TIPS).unwrap();
    assert_sound(&document, TIPS);
    let counted = document.blocks.iter().find_map(|b| match &b.kind {
        BlockKind::List { numbered: true, items, .. } => Some(items),
        _ => None,
    });
    let heads: Vec<&str> = counted.unwrap().iter().map(|p| p.head.text.as_str()).collect();
    assert_eq!(heads.len(), 5);
    assert_eq!((heads[0], heads[4]), ("Shop with a photo", "Keep one night for the odds and ends"));

    let document = read_text(STEPS).unwrap();
    assert_sound(&document, STEPS);
    assert!(document.blocks.iter().any(|b| matches!(&b.kind, BlockKind::Steps { steps, .. } if steps.len() == 6)));

    let document = read_text(PROSE).unwrap();
    assert_sound(&document, PROSE);
    assert_eq!(document.title.text, "Every town has a street that nobody loves");
    assert!(document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::KeyPoint(_))).count() >= 5);
    assert!(
        document
            .blocks
            .iter()
            .any(|b| matches!(&b.kind, BlockKind::Quote { who: Some(w), .. } if w.text.starts_with("Ruth Amsel")))
    );
}

#[test]
fn other_languages() {
    for (text, code, points) in [(GERMAN, "de", 4), (RUSSIAN, "ru", 4), (GREEK, "el", 4)] {
        let document = read_text(text).unwrap();
        assert_sound(&document, text);
        assert_eq!(document.language.code(), code);
        let main =
            document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::KeyPoint(_)) && b.score >= 0.7).count();
        assert_eq!(main, points, "{code}");
        let has = |f: fn(&BlockKind) -> bool| document.blocks.iter().any(|b| f(&b.kind));
        assert!(has(|k| matches!(k, BlockKind::Stat(_))), "{code}");
        assert!(has(|k| matches!(k, BlockKind::Quote { who: Some(_), .. })), "{code}");
        assert!(has(|k| matches!(k, BlockKind::CallToAction(_))), "{code}");
    }
}

#[test]
fn options_and_faults() {
    assert_eq!(read_text(" \n\t\u{feff} "), Err(ContentError::Empty));
    assert_eq!(read_text("—\n***\n"), Err(ContentError::Empty));
    let long = "a".repeat(limits::TEXT_CHARS + 1);
    assert_eq!(read_text(&long), Err(ContentError::TooLong(limits::TEXT_CHARS + 1)));
    let options =
        ReadOptions { title: Some(" Mine ".into()), language: Language::parse("fr").ok(), ..ReadOptions::default() };
    let document = read_text_with(ARTICLE, &options).unwrap();
    assert_eq!((document.title.text.as_str(), document.language.code()), ("Mine", "fr"));
    assert_eq!(read_text("Sale").unwrap().title.text, "Sale");
    let apparatus = read_text("# T\n\n## One\n\nA b c d.\n\n## References\n\nSome book here.\n").unwrap();
    assert_eq!(apparatus.blocks.len(), 1);
}

#[test]
fn texts_that_name_themselves() {
    let title = |text: &str| {
        let document = read_text(text).unwrap();
        assert_sound(&document, text);
        document.title.text
    };
    let body =
        "Tide tables are long.\n\n## Ebb\n\nThe tide goes out.\n\n## Flood\n\nIt comes in.\n\n## Slack\n\nIt stands.\n";
    assert_eq!(title(&format!("---\ntitle: \"Low *water* &amp; wind\"\n---\n{body}")), "Low water & wind");
    assert_eq!(title(&format!("---\ntitle: Low water\n---\n# Low Water\n\n{body}")), "Low water");
    assert_eq!(title(&format!("---\ntitle: Low water\n---\n# Low water: a guide\n\n{body}")), "Low water: a guide");
    assert_eq!(title(&format!("<h1 align=\"center\">Low water</h1>\n\n{body}")), "Low water");
    let readme =
        "[![Tidal Logo](l.svg)](x)\n\nTidal reads tables.\n\n## Install\n\nTidal is small, and Tidal is quick.\n";
    assert_eq!(title(readme), "Tidal");
    let document = read_text("---\ntitle: Low water\ndescription: Wenn das Wasser lange fort ist.\nauthor: Ada Moor\ntags: [sea]\nlang: de\n---\n").unwrap();
    assert_eq!((document.title.text.as_str(), document.language.code()), ("Low water", "de"));
    assert_eq!(document.source.map(|s| s.text).as_deref(), Some("Ada Moor"));
    assert_eq!(document.about.tags, ["sea"]);
    // A page that is not translated yet.
    let untranslated = read_text(&format!("---\nlang: de\n---\n{body}{body}")).unwrap();
    assert_eq!(untranslated.language.code(), "en");
}

#[test]
fn a_description_stands_under_the_title_once() {
    let text = "---\ntitle: Low water\nexcerpt: The tide is out for a long time today. In this post, we wait.\n---\n\
        The tide is out for a long time today. Bring boots and a spade.\n\nThe mussels are under the sand, and they are many.\n";
    let document = read_text(text).unwrap();
    assert_eq!(document.dek.as_ref().map(|d| d.text.as_str()), Some("The tide is out for a long time today."));
    let again =
        document.blocks.iter().flat_map(Block::words).filter(|w| w.text.contains("out for a long time")).count();
    assert_eq!(again, 0, "{document:?}");
}

#[test]
fn code_is_kept_apart() {
    let document =
        read_text("# Tidal\n\nIt reads tables.\n\n```Rust\nlet low = 1;\n```\n\nIt is small and quick to build.\n")
            .unwrap();
    assert_eq!(document.listings[0].lines, ["let low = 1;"]);
    assert!(document.words().iter().all(|w| !w.text.contains("let low")));
    assert_eq!(Document::from_json(&document.to_json().unwrap()).unwrap(), document);
}

#[test]
fn hostile_texts() {
    for text in [
        "x".repeat(10_000),
        format!("a{}", "\u{301}".repeat(500)),
        "\u{202e}abc \u{2066}def\u{2069}".to_owned(),
        format!("{}deep", "> - ".repeat(3_000)),
        "1. ".repeat(5_000),
        "a. ".repeat(20_000),
        "“".repeat(5_000),
        "word, which word; ".repeat(3_000),
        "# ".repeat(3_000),
        "<div>".repeat(30_000),
        "<a href=x>".repeat(15_000),
        "| a | b |\n".repeat(15_000),
        "**a".repeat(40_000),
        "$x_".repeat(40_000),
        "{{ ".repeat(40_000),
        "[a](".repeat(40_000),
        "Ada: a b c?\n\n".repeat(10_000),
        "**1: A b.** c d e\n\n".repeat(8_000),
        format!("---\ntitle: {}\n---\nx", "[a".repeat(40_000)),
        "a@b.c ".repeat(2_000),
        "9 in 10 % ".repeat(3_000),
        // With quadratic time per sentence, paragraph or number, these inputs would take minutes.
        "5% ".repeat(60_000),
        "\"a\" ".repeat(45_000),
        format!("1{}", " 111".repeat(45_000)),
        // Letters whose lower case has a different byte length.
        "\u{2126}é is a wind İ that blows here.".to_owned(),
        "# \u{2126}é vs İ\n\nOne. Two.\n\n## Fa\u{212a}t: first\n\nThen \u{2126}".to_owned(),
    ] {
        if let Ok(document) = read_text(&text) {
            assert_sound(&document, &text);
            assert!(document.words().iter().all(|s| !s.text.contains(['\u{202e}', '\u{2066}'])));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn reads_any_characters(text in "\\PC{0,300}") {
        if let Ok(document) = read_text(&text) {
            assert_sound(&document, &text);
        }
    }

    #[test]
    fn reads_any_structure(
        text in "(# |## |- |[1-9]\\. |> |\\*\\*|\n|\n\n|: |, |\\. |“|”| says |%|&amp;|[0-9]{1,4}|Step [1-9]: |[A-Za-zäя]{1,7} |@tide|a\\.example){0,60}"
    ) {
        if let Ok(document) = read_text(&text) {
            assert_sound(&document, &text);
        }
    }

    #[test]
    fn reads_any_markup(
        text in "(---\n|\\+\\+\\+\n|title: |title = |<p>|</p>|<li>|<h1>|</h1>|<td>|<tr>|<table>|</table>|<a href=x>|</a>|<blockquote>|</blockquote>|\\{% x %\\}|\\{\\{ x \\}\\}|\\{: a\\}|\\[\\^a\\]|\\[|\\]|\\(|\\)|:::|> |\\[!NOTE\\]|`|```|\\*\\*|_|~|\\$|\\^|# |- |: |\\||\n|\n\n| |Ada: |\\? |Click here\\. |[A-Za-zäя]{1,7} |很|https://a\\.example/b ){0,60}"
    ) {
        for exact in [false, true] {
            if let Ok(document) = read_text_with(&text, &ReadOptions { exact, ..ReadOptions::default() }) {
                if !exact {
                    assert_sound(&document, &text);
                }
                for words in document.words() {
                    prop_assert_eq!(document.evidence.allows(&words.text), Ok(()), "{:?}", words);
                }
            }
        }
    }
}
