use super::*;
use crate::content::{Document, read_text};

#[test]
fn numbers_in_headings() {
    let n = |t: &str| numbered(t, words::of("en")).map(|n| (n.step, n.n, t[n.words..].to_owned()));
    assert_eq!(n("3. Water early"), Some((false, 3, "Water early".into())));
    assert_eq!(n("Step 2: Dig"), Some((true, 2, "Dig".into())));
    assert_eq!(n("Tip #4 – Rest"), Some((false, 4, "Rest".into())));
    assert_eq!(n("5 tips for gardens"), None);
    assert_eq!(n("3.5 percent more"), None);
    assert_eq!(n("5-minute rests"), None);
    assert_eq!(n("Step one: Find out what works"), Some((true, 1, "Find out what works".into())));
    assert_eq!(n("Reason three – it is quiet"), Some((false, 3, "it is quiet".into())));
    assert_eq!(n("One: the boat"), None);
    let schritt = numbered("Schritt zwei: Graben", words::of("de"));
    assert_eq!(schritt.map(|n| (n.step, n.n)), Some((true, 2)));
}

#[test]
fn items_split_at_the_head() {
    let split = |t: &str| {
        let (h, r) = split_head(t, words::of("en"));
        (t[h].to_owned(), t[r].trim().to_owned())
    };
    assert_eq!(split("Rest: sleep is cheap"), ("Rest".into(), "sleep is cheap".into()));
    assert_eq!(split("Rest – sleep is cheap"), ("Rest ".into(), "sleep is cheap".into()));
    assert_eq!(split("Rest first. Sleep is cheap."), ("Rest first.".into(), "Sleep is cheap.".into()));
    assert_eq!(split("Just one thing"), ("Just one thing".into(), String::new()));
}

/// Returns the title, the lead and the heads of each list.
fn lists(document: &Document) -> Vec<(String, Option<String>, Vec<String>)> {
    let words = |s: &Sourced| s.text.clone();
    let list = |b: &Block| match &b.kind {
        BlockKind::List { title, lead, items, .. } => {
            let heads = items.iter().map(|p| words(&p.head)).collect();
            Some((title.as_ref().map(words).unwrap_or_default(), lead.as_ref().map(words), heads))
        }
        _ => None,
    };
    document.blocks.iter().filter_map(list).collect()
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

#[test]
fn counted_headings_are_the_points_whatever_stands_over_them() {
    let text = "# Three tips for gardens\n\n## Before noon\n\n### Tip 1: Water early\n\nThe soil is cool at dawn.\n\n\
        ### Tip 2: Mulch the beds\n\nBark keeps them wet.\n\n## After noon\n\n### Tip 3: Sit down\n\nThe garden grows alone.\n";
    let lists = lists(&read_text(text).unwrap());
    assert_eq!(lists[0].2, strings(&["Water early", "Mulch the beds", "Sit down"]));
}

#[test]
fn headings_within_a_section_are_a_list_of_it() {
    let text = "# Gardens\n\n## Water\n\nGardens drink more than they show.\n\n### At dawn\n\nThe soil is cool then.\n\n\
        ### At the root\n\nLeaves burn in the sun:\n\n- roses\n- beans\n- figs\n\n## Mulch\n\nBark keeps beds wet.\n\n## Rest\n\nSit down at noon.\n";
    let document = read_text(text).unwrap();
    let lists = lists(&document);
    assert_eq!(lists[0], ("Water".into(), None, strings(&["At dawn", "At the root"])));
    assert_eq!(lists[1], ("Water".into(), Some("At the root".into()), strings(&["roses", "beans", "figs"])));
    let points = document.blocks.iter().filter_map(|b| match &b.kind {
        BlockKind::KeyPoint(point) => Some((point.head.text.as_str(), point.body.len())),
        _ => None,
    });
    assert_eq!(points.collect::<Vec<_>>(), [("Water", 1), ("Mulch", 1), ("Rest", 1)]);
}

#[test]
fn the_sentence_that_leads_to_a_list_stands_beside_its_heading() {
    let text = "# Boats\n\n## What to bring\n\nEach guest carries these things aboard the boat:\n\n- rope\n- bread\n- a coat\n\n## When\n\nAt noon.\n";
    let led = lists(&read_text(text).unwrap()).remove(0);
    assert_eq!(led.0, "What to bring");
    assert_eq!(led.1.as_deref(), Some("Each guest carries these things aboard the boat:"));
}

#[test]
fn a_label_that_an_item_explains_is_no_credit() {
    let text = "# Roles\n\n- **Author:** The person who wrote the first version of it\n- **Owner:** The person who keeps its keys\n\
        - **Members:** Everybody who uses it\n";
    assert_eq!(lists(&read_text(text).unwrap())[0].2, strings(&["Author", "Owner", "Members"]));
}

#[test]
fn items_lose_what_joins_them_to_the_next() {
    assert_eq!(without_joint("Write it down; and"), "Write it down");
    assert_eq!(without_joint("Write it down;"), "Write it down");
    assert_eq!(without_joint("Rest, and"), "Rest");
    assert_eq!(without_joint("The sand and"), "The sand and");
}

#[test]
fn two_dashes_of_an_item_enclose_an_aside() {
    let head = |text: &str| text[split_head(text, words::of("en")).0].to_owned();
    let aside = "Show how crews — even small ones — can mend a boat";
    assert_eq!(head(aside), aside);
    assert_eq!(head("Rope — as long as the boat").trim_end(), "Rope");
}

#[test]
fn sentences_that_say_little_of_a_heading_stand_behind_those_that_do() {
    let text = "# Boats\n\n## Counting boats\n\nCounting boats keeps a harbour safe at night. Someone once brought a cake. \
        Ask for the number of boats before the gate shuts.\n\n## Ropes\n\nWet ropes are short.\n\n## Rest\n\nSit down at noon.\n";
    let document = read_text(text).unwrap();
    let point = document.blocks.iter().find_map(|b| match &b.kind {
        BlockKind::KeyPoint(point) if point.head.text == "Counting boats" => Some(point),
        _ => None,
    });
    let point = point.unwrap();
    let cake = |s: &Sourced| s.text.contains("cake");
    assert!(!point.body.iter().any(cake) && point.more.iter().any(cake), "{point:?}");
    assert_eq!(point.sentences().count(), 3);
}

#[test]
fn a_long_heading_asks_in_its_last_sentence() {
    let asked = |heading: &str| {
        let text = format!(
            "# Boats\n\n## {heading}\n\nIt was cold, and nobody counted boats.\n\n## Ropes\n\nDry.\n\n## Rest\n\nSit.\n"
        );
        let blocks = read_text(&text).unwrap().blocks.into_iter();
        let question = blocks.filter_map(|block| match block.kind {
            BlockKind::QuestionAnswer { question, .. } => Some(question.text),
            _ => None,
        });
        question.collect::<Vec<_>>().remove(0)
    };
    let long = "Let's go back to the start of the season at the old pier. What did the crew see first?";
    assert_eq!(asked(long), "What did the crew see first?");
    assert_eq!(asked("That was new. What did you see?"), "That was new. What did you see?");
    let back = "The crew started to count boats in the dark before dawn. Can you say more about that?";
    assert_eq!(asked(back), back);
}

#[test]
fn a_short_paragraph_opens_the_next() {
    let text = "# Boats\n\nWe count boats every morning before the harbour wakes up.\n\nRopes dry on the wall.\n\nIn the evening I \
        take them down again and carry each of these to the shed behind the old mill, because my boat is there.\n";
    let heads: Vec<String> = read_text(text)
        .unwrap()
        .blocks
        .into_iter()
        .filter_map(|b| match b.kind {
            BlockKind::KeyPoint(point) => Some(point.head.text),
            _ => None,
        })
        .collect();
    assert!(heads.contains(&"Ropes dry on the wall.".to_owned()) && heads.len() <= 2, "{heads:?}");
}
