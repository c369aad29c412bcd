//! Tests of idea kinds, and of the documents made from ideas.

use proptest::prelude::*;

use super::*;
use crate::format::Format;
use crate::outline::{Outline, Request, outline};

fn idea(text: &str) -> Idea {
    read_idea(text, &ReadOptions::default()).unwrap()
}

fn heads(idea: &Idea) -> Vec<String> {
    let said = |b: &Block| match &b.kind {
        BlockKind::KeyPoint(p) => vec![p.head.text.clone()],
        BlockKind::List { items, .. } => items.iter().map(|p| p.head.text.clone()).collect(),
        BlockKind::Stat(s) => vec![format!("{}{} {}", s.value, s.unit, s.label.text)],
        BlockKind::Quote { text, .. } => vec![text.text.clone()],
        BlockKind::CallToAction(c) => vec![c.text.clone()],
        _ => Vec::new(),
    };
    idea.document.blocks.iter().flat_map(said).collect()
}

fn carousel(text: &str, n: u32) -> Outline {
    let format = Format::by_id("tiktok_carousel").unwrap();
    outline(&Request { document: &idea(text).document, format, slides: Some(n) }).unwrap().remove(0)
}

#[test]
fn ideas_are_of_a_kind() {
    use IdeaKind::*;
    for (text, kind, count) in [
        ("5 tips for better sleep", List, Some(5)),
        ("Five ways to save water", List, Some(5)),
        ("Top 10 mistakes in home baking", List, Some(10)),
        ("Sleep better in 5 steps", List, Some(5)),
        ("7 webinar mistakes", List, Some(7)),
        ("Die 7 besten Tipps gegen Stress", List, Some(7)),
        ("5 Tipps für besseren Schlaf", List, Some(5)),
        ("睡眠を良くする5つのヒント", List, Some(5)),
        ("Summer sale: 30 % off until 31 August, code SUN30", Offer, None),
        ("20 euros off with code WELCOME", Offer, None),
        ("Sommerschlussverkauf: 30 % Rabatt bis 31. August", Offer, None),
        ("Webinar on soil health, 12 May, 18:00, with Ada Moor", Event, None),
        ("We're hiring a gardener in Leeds", Hiring, None),
        ("Wir suchen eine Bäckerin in Kiel", Hiring, None),
        ("“Slow is smooth, and smooth is fast.” — Ada Moor", Quote, None),
        ("Why do cats purr?", Question, None),
        ("Tea vs coffee: which wakes you up?", Comparison, None),
        ("10 years of Tide Lab: our anniversary", Milestone, None),
        ("Introducing the quiet kettle", Launch, None),
        ("3 in 4 people sleep badly on Sundays", Stat, None),
        ("63 % of teams meet too often", Stat, None),
        ("We are moving: our new address is 4 Mill Lane", Announcement, None),
        ("Sleep", Topic, None),
        ("Почему коты мурлычут?", Question, None),
        ("夏のセール：全品30%割引", Offer, None),
    ] {
        let got = idea(text);
        assert_eq!((got.kind, got.count), (kind, count), "{text}");
    }
}

#[test]
fn a_list_without_items_has_its_topic_and_its_count() {
    let tips = idea("5 tips for better sleep");
    assert_eq!(tips.topic.text, "better sleep");
    assert_eq!(tips.document.title.text, "5 tips for better sleep");
    assert_eq!(heads(&tips), ["5 tips for better sleep", "Better sleep?"]);
    assert_eq!(idea("Sleep better in 5 steps").topic.text, "Sleep better");
    assert_eq!(idea("5 Tipps für besseren Schlaf").topic.text, "besseren Schlaf");
    let spanish = idea("5 consejos para dormir mejor por la noche");
    assert!(heads(&spanish).contains(&"¿Dormir mejor por la noche?".to_owned()), "{:?}", heads(&spanish));
}

#[test]
fn items_that_an_idea_names_are_its_points() {
    for text in [
        "3 habits of calm teams: write it down, meet less, and rest well",
        "3 habits of calm teams – write it down; meet less; rest well",
    ] {
        let named = idea(text);
        assert_eq!(heads(&named), ["Write it down", "Meet less", "Rest well"], "{text}");
        assert_eq!(named.document.title.text, "3 habits of calm teams");
        let outline = carousel(text, 5);
        let titles: Vec<_> = outline.pages.iter().filter_map(|p| p.title.as_ref()).map(|t| &t.wordings[0]).collect();
        assert_eq!(titles[1..4], ["Write it down", "Meet less", "Rest well"], "{titles:?}");
    }
}

#[test]
fn facts_stand_apart_and_the_code_is_the_call() {
    let sale = idea("Summer sale: 30 % off until 31 August, code SUN30");
    assert_eq!(sale.document.title.text, "Summer sale");
    assert_eq!(sale.document.dek.as_ref().unwrap().text, "30 % off until 31 August");
    assert!(heads(&sale).contains(&"Code SUN30".to_owned()), "{:?}", heads(&sale));
    assert!(heads(&sale).iter().any(|h| h.starts_with("30% off until 31 August")), "{:?}", heads(&sale));
    let webinar = idea("Webinar on soil health, 12 May, 18:00, with Ada Moor, register at tidelab.example/soil");
    assert_eq!(webinar.document.title.text, "Webinar on soil health");
    assert_eq!(webinar.document.dek.as_ref().unwrap().text, "12 May, 18:00, with Ada Moor");
    assert_eq!(heads(&webinar).last().unwrap(), "Register at tidelab.example/soil");
    assert_eq!(webinar.document.source.as_ref().unwrap().text, "tidelab.example");
    let versus = idea("Tea vs coffee: which wakes you up?");
    assert_eq!(heads(&versus)[..2], ["Tea", "Coffee"]);
}

#[test]
fn what_is_a_text_is_read_as_one() {
    let lines = "Calm teams\n\n- Write decisions down\n- Meet less\n- Rest well";
    assert_eq!(idea(lines).document, read_text_with(lines, &ReadOptions::default()).unwrap());
    let long = "A newsletter issue about how a small team got its best hours back by moving its meetings to Thursday and \
                never looking back";
    assert_eq!(idea(long).document.title.text, long);
}

#[test]
fn a_title_asked_for_takes_no_word_away() {
    let options = ReadOptions { title: Some("Heute".into()), ..ReadOptions::default() };
    let sale = read_idea("Summer sale: 30 % off until 31 August, code SUN30", &options).unwrap();
    assert_eq!(sale.document.title.text, "Heute");
    assert!(sale.document.dek.is_some());
}

/// Returns letters and digits in the form used for comparison.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Asserts that every word on every page is the idea's own, except the name of the last page.
fn assert_honest(outline: &Outline, source: &str) {
    let known = bare(source);
    for page in &outline.pages {
        let items = page.items.iter().map(|i| &i.head);
        for copy in [&page.title, &page.body, &page.cta, &page.kicker].into_iter().flatten().chain(items) {
            let own = copy.span.is_none();
            for wording in &copy.wordings {
                assert!(own || known.contains(&bare(wording)), "{wording:?} is not in {source:?}");
            }
        }
    }
}

#[test]
fn sets_are_carried_by_the_ideas_own_words() {
    for text in [
        "5 tips for better sleep",
        "Summer sale: 30 % off until 31 August, code SUN30",
        "Webinar on soil health, 12 May, 18:00, with Ada Moor",
        "Why do cats purr?",
        "Sleep",
        "Tea vs coffee: which wakes you up?",
        "Introducing the quiet kettle. It boils in two minutes and nobody hears it.",
    ] {
        let document = idea(text).document;
        let format = Format::by_id("tiktok_carousel").unwrap();
        for n in [1, 2, 3, 5, 6, 8, 12] {
            match outline(&Request { document: &document, format, slides: Some(n) }) {
                Ok(outlines) => {
                    assert_eq!(outlines[0].pages.len(), n as usize);
                    assert_honest(&outlines[0], text);
                }
                Err(too_little) => assert!((1..n).contains(&too_little.carries), "{text} {n}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn reads_any_idea(text in "([0-9]{1,4}|[5-7] tips|%| for |: | – |, |\\. |\\? |“|”|vs |code |SUN30|@a_b|[A-Za-zäя]{1,7} |ヒント|\\PC){1,24}") {
        if let Ok(idea) = read_idea(&text, &ReadOptions::default()) {
            // A longer idea is read as a text, whose title is not shortened.
            prop_assert!(idea.document.title.text.chars().count() <= TITLE || text.chars().count() > TITLE);
            prop_assert!(!idea.document.blocks.is_empty() || text.contains('\n') || text.chars().count() > TITLE);
            let format = Format::by_id("tiktok_carousel").unwrap();
            for n in [1, 4, 9] {
                match outline(&Request { document: &idea.document, format, slides: Some(n) }) {
                    Ok(outlines) => prop_assert!(outlines.iter().all(|o| o.pages.len() == n as usize)),
                    Err(too_little) => prop_assert!((1..n).contains(&too_little.carries)),
                }
            }
        }
    }
}

#[test]
fn letters_that_change_their_length_part_nothing() {
    for text in ["\u{2126}é vs İ", "İ vs \u{2126}é: which", "Fa\u{212a}t vs myth", "\u{2126} is a İ wind"] {
        assert!(!idea(text).document.title.text.is_empty(), "{text}");
    }
}
