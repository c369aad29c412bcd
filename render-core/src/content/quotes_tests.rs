//! Tests of quotations: in running text, set off, and as epigraphs.

use proptest::prelude::*;

use super::*;

fn clean(text: &str) -> Clean {
    let mut clean = Clean::default();
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            let at = clean.text.len();
            clean.line_break(at..at + 1);
        }
        let at = clean.text.len();
        clean.push(line, at..at + line.len());
    }
    clean.finish()
}

fn found(text: &str, code: &str) -> Vec<(String, String)> {
    let all = inline(&clean(text), None, words::of(code));
    all.into_iter().map(|s| (s.text.text, s.who.unwrap().text)).collect()
}

#[test]
fn quotations_in_running_text() {
    let own = |a: &str, b: &str| vec![(a.to_owned(), b.to_owned())];
    let want = own("We stopped counting hours and started counting finished things", "Ada Moor");
    assert_eq!(found("“We stopped counting hours and started counting finished things,” says Ada Moor.", "en"), want);
    assert_eq!(
        found("Ada Moor said: “We stopped counting hours and started counting finished things.”", "en").len(),
        1
    );
    assert_eq!(
        found("\"We stopped counting hours and started counting things,\" Ada Moor says.", "en")[0].1,
        "Ada Moor"
    );
    let de = found("„Wir haben aufgehört, die Stunden zu zählen“, sagt Ada Moor.", "de");
    assert_eq!(de, own("Wir haben aufgehört, die Stunden zu zählen", "Ada Moor"));
    let ru = found("«Мы перестали считать часы и начали считать дела», говорит Ада Мур.", "ru");
    assert_eq!(ru[0].1, "Ада Мур");
}

#[test]
fn a_name_stands_behind_the_place_of_the_words() {
    let text = "In her first post, Harbour Master Moor said: “We stopped counting hours and started counting boats.”";
    assert_eq!(found(text, "en")[0].1, "Harbour Master Moor");
}

#[test]
fn the_end_of_the_search_makes_no_name() {
    for letters in 0..12 {
        let front = format!("{}{}", "old ".repeat(94), "x".repeat(letters));
        let text = format!("“We stopped counting hours and started counting things,” says the {front} Ada Moor.");
        for (_, who) in found(&text, "en") {
            assert!(text.split([' ', '.']).any(|word| who.ends_with(word) && !word.is_empty()), "{who}");
        }
    }
    let text = format!("{}说{}：“我们不再数小时，而是数做完的事情。”", "话".repeat(200), "话".repeat(124));
    assert_eq!(found(&text, "zh"), []);
}

#[test]
fn pronouns_stand_for_whoever_spoke_before() {
    let (long, more) = ("We count all of the boats at dawn", "Nobody else has ever done that here");
    let who = |text: &str| found(text, "en").into_iter().map(|(_, who)| who).collect::<Vec<_>>();
    assert_eq!(who(&format!("“{long},” said Ada Moor. “{more},” she added.")), ["Ada Moor", "Ada Moor"]);
    assert_eq!(
        who(&format!("Bo deLind, the pilot, agreed, saying, “{long}.” He added, “{more}.”")),
        ["Bo deLind", "Bo deLind"]
    );
    assert_eq!(who(&format!("“{long},” said Ada Moor. Bo Lind nodded. “{more},” he said.")), ["Ada Moor"]);
    assert!(who(&format!("“{long},” she said.")).is_empty());
    let ada = Sourced { text: "Ada Moor".into(), span: super::super::Span { start: 0, end: 8 } };
    let next = inline(&clean(&format!("“{more},” she said.")), Some(&ada), words::of("en"));
    assert_eq!(next[0].who.as_ref().unwrap().text, "Ada Moor");
}

#[test]
fn words_in_quotation_marks_are_not_always_said() {
    assert_eq!(found("The so-called “deep work” is old.", "en"), []);
    let since = "Since the code is free: “it can be built into work that is under a stricter license.”";
    assert_eq!(found(since, "en"), []);
    let despite = "Despite that, “the crew of the new boat is moving very fast compared to others.”";
    assert_eq!(found(despite, "en"), []);
    let wrote = "As Ada Moor wrote, “we stopped counting hours and started counting finished things.”";
    assert_eq!(found(wrote, "en").into_iter().map(|(_, who)| who).collect::<Vec<_>>(), ["Ada Moor"]);
    assert_eq!(found("A sign read “no meetings before noon on any day of the week” all year.", "en"), []);
}

#[test]
fn a_paragraph_may_be_an_epigraph() {
    let said = epigraph(&clean("“Slow is smooth, and smooth is fast.” – Ada Moor, 1906")).unwrap();
    assert_eq!(
        (said.text.text.as_str(), said.who.unwrap().text.as_str()),
        ("Slow is smooth, and smooth is fast.", "Ada Moor, 1906")
    );
    assert!(epigraph(&clean("“Slow is smooth, and smooth is fast.” - Ada Moor, 1906")).is_some());
    assert!(epigraph(&clean("“Slow” – so they call it – is a word.")).is_none_or(|said| said.who.is_none()));
    assert!(epigraph(&clean("He says “slow is smooth.” – Ada Moor")).is_none());
    let mut italic = clean("Slow is smooth, and smooth is fast. – Ada Moor");
    assert!(epigraph(&italic).is_none());
    italic.emphasis = std::iter::once(0..34).collect();
    assert_eq!(epigraph(&italic).unwrap().text.text, "Slow is smooth, and smooth is fast.");
}

#[test]
fn quotations_set_off() {
    let said = block(&clean("“Slow is smooth.”\n— Ada Moor, editor"), None).unwrap();
    assert_eq!(said.text.text, "Slow is smooth.");
    assert_eq!(said.who.unwrap().text, "Ada Moor, editor");
    let item = "Slow is smooth and smooth is fast. Ada Moor";
    assert_eq!(block(&clean(item), item.find("Ada")).unwrap().who.unwrap().text, "Ada Moor");
    assert!(block(&clean(item), Some(item.len() + 1)).unwrap().who.is_none());
    assert!(block(&clean("Slow is smooth and smooth is fast."), None).unwrap().who.is_none());
    assert_eq!(attribution(&clean("— Ada Moor")).unwrap().text, "Ada Moor");
}

proptest! {
    #[test]
    fn reads_anything(text in "([“”„«»\"—–.,: ]|says|[A-Za-z]{1,6} ?|\\PC){0,40}") {
        let clean = clean(&text);
        let _ = (block(&clean, None), attribution(&clean), inline(&clean, None, words::of("en")));
    }
}
