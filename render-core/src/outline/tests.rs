//! Outlines of the sample texts.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::content::read_text;
use crate::warning::WarningCode;

const ARTICLE: &str = include_str!("../../../tests/data/article.md");
const TIPS: &str = include_str!("../../../tests/data/tips.txt");
const PROSE: &str = include_str!("../../../tests/data/prose.txt");
const STEPS: &str = include_str!("../../../tests/data/steps.md");
const GERMAN: &str = include_str!("../../../tests/data/german.md");
const RUSSIAN: &str = include_str!("../../../tests/data/russian.md");
const GREEK: &str = include_str!("../../../tests/data/greek.md");

fn set(text: &str, format: &str, slides: Option<u32>) -> Vec<Outline> {
    let document = read_text(text).unwrap();
    outline(&Request { document: &document, format: Format::by_id(format).unwrap(), slides }).unwrap()
}

fn carousel(text: &str, n: u32) -> Outline {
    set(text, "tiktok_carousel", Some(n)).remove(0)
}

/// Returns a set of exactly `n` pages, if the text fills them.
fn filled(text: &str, n: u32) -> Option<Outline> {
    let document = read_text(text).unwrap();
    let format = Format::by_id("tiktok_carousel").unwrap();
    outline(&Request { document: &document, format, slides: Some(n) }).ok().map(|mut outlines| outlines.remove(0))
}

fn copies(page: &PageOutline) -> Vec<&Copy> {
    let items = page.items.iter().flat_map(|i| std::iter::once(&i.head).chain(&i.body));
    [&page.title, &page.body, &page.attribution, &page.cta].into_iter().flatten().chain(items).collect()
}

/// Returns the words that identify a page.
fn says(page: &PageOutline) -> String {
    let first = |c: &Option<Copy>| c.as_ref().map_or("", |c| c.wordings[0].as_str()).to_owned();
    let items: Vec<&str> = page.items.iter().map(|i| i.head.wordings[0].as_str()).collect();
    format!("{}|{}|{}", first(&page.title), first(&page.body), items.join("|"))
}

fn numerals(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|d| !d.is_empty()).map(str::to_owned).collect()
}

fn assert_sound(outline: &Outline, source: &str) {
    let known = numerals(source);
    for page in &outline.pages {
        assert!((0.0..=1.0).contains(&page.score));
        for copy in copies(page) {
            assert!(!copy.wordings.is_empty(), "{page:?}");
            let lengths: Vec<usize> = copy.wordings.iter().map(|w| w.chars().count()).collect();
            assert!(lengths.is_sorted_by(|a, b| a > b), "{copy:?}");
            for wording in &copy.wordings {
                assert!(numerals(wording).is_subset(&known), "{wording}");
                assert!(!wording.trim().is_empty() && !wording.ends_with('…'), "{wording:?}");
            }
        }
        if let Some(figure) = &page.figure {
            assert!(numerals(&figure.value).is_subset(&known));
        }
        let alt = alt_text(page);
        assert!(!alt.is_empty() && alt.chars().count() <= 400, "{alt}");
    }
}

#[test]
fn sets_have_exactly_as_many_pages_and_repeat_none() {
    for text in [ARTICLE, PROSE, STEPS, TIPS] {
        assert!(filled(text, 8).is_some());
        for (n, outline) in (1..=20).filter_map(|n| Some((n, filled(text, n)?))) {
            assert_sound(&outline, text);
            assert_eq!(outline.pages.len(), n as usize);
            assert_eq!(outline.pages[0].kind, PageKind::Cover);
            let distinct: BTreeSet<String> = outline.pages.iter().map(says).collect();
            assert_eq!(distinct.len(), n as usize, "{n}: {:#?}", outline.pages.iter().map(says).collect::<Vec<_>>());
            let titles: Vec<&str> =
                outline.pages.iter().filter_map(|p| p.title.as_ref()).map(|t| t.wordings[0].as_str()).collect();
            let distinct: BTreeSet<&str> = titles.iter().copied().collect();
            assert_eq!(titles.len(), distinct.len(), "{n}: a headline stands twice: {titles:?}");
        }
    }
}

#[test]
fn the_parts_of_a_set_follow_its_length() {
    let kinds = |n| carousel(ARTICLE, n).pages.iter().map(|p| p.kind).collect::<Vec<_>>();
    assert_eq!(kinds(2), [PageKind::Cover, PageKind::Recap]);
    // Six points on two pages: neighbours share a page.
    assert_eq!(kinds(3), [PageKind::Cover, PageKind::List, PageKind::List]);
    let eight = kinds(8);
    assert_eq!(eight.last(), Some(&PageKind::Recap));
    for n in 2..=20 {
        let last = carousel(ARTICLE, n).pages.pop().unwrap();
        let call = last.cta.expect("a set ends in what to do now");
        assert!(call.wordings[0].starts_with("Download"));
        assert_eq!(call.wordings.last().map(String::as_str), Some("Download the quiet morning checklist"));
    }
}

#[test]
fn what_finds_no_room_is_named() {
    // Prose has more content than a set of three holds.
    let outline = carousel(PROSE, 3);
    let warning = outline.warnings.iter().find(|w| w.code == WarningCode::ContentShortened);
    assert!(warning.is_some_and(|w| w.message.starts_with("There was no room")), "{:?}", outline.warnings);
    // Points under headings share pages: none is left out, and the recap names every one.
    let outline = carousel(ARTICLE, 5);
    assert!(outline.warnings.iter().all(|w| w.code != WarningCode::ContentShortened), "{:?}", outline.warnings);
    let heads = ["Protect the morning, not the calendar", "Start with the hardest thing", "Answer slowly, on purpose"];
    let said = outline.pages[1..4].iter().map(says).collect::<String>();
    assert!(heads.iter().all(|head| said.contains(head)), "{said}");
    assert_eq!(outline.pages[4].items.len(), 6);
}

#[test]
fn counted_points_all_stand_in_order() {
    let heads = [
        "Shop with a photo",
        "Give leftovers the best shelf",
        "Freeze in single portions",
        "Cook the stems",
        "Keep one night",
    ];
    for n in [5, 6, 7, 8, 12] {
        let outline = carousel(TIPS, n);
        let all =
            outline.pages[1..].iter().filter(|p| p.kind != PageKind::Recap).map(says).collect::<Vec<_>>().join("\n");
        let at: Vec<usize> =
            heads.iter().map(|h| all.find(h).unwrap_or_else(|| panic!("{n}: {h} is missing"))).collect();
        assert!(at.is_sorted(), "{n}: {all}");
        let numbers: Vec<u32> = outline.pages.iter().filter_map(|p| p.number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        assert!(
            outline.warnings.iter().all(|w| w.code != WarningCode::ContentShortened),
            "{n}: {:?}",
            outline.warnings
        );
    }
    let six = carousel(TIPS, 6);
    assert_eq!(six.pages.iter().filter_map(|p| p.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(six.pages[5].cta.is_some());
    assert_eq!(carousel(STEPS, 8).pages.iter().filter(|p| p.kind == PageKind::Step).count(), 6);
}

#[test]
fn visuals_offer_what_the_source_carries() {
    for (text, best) in [(TIPS, PageKind::List), (STEPS, PageKind::List), (ARTICLE, PageKind::List)] {
        let all = set(text, "instagram_post", None);
        all.iter().for_each(|o| assert_sound(o, text));
        assert!(all.len() >= 4 && all.iter().all(|o| o.pages.len() == 1));
        assert!(all.is_sorted_by(|a, b| a.pages[0].score >= b.pages[0].score));
        assert_eq!(all[0].pages[0].kind, best, "{}", all[0].pages[0].score);
    }
    let kinds = |format| set(ARTICLE, format, None).iter().map(|o| o.pages[0].kind).collect::<BTreeSet<_>>();
    assert_eq!(kinds("quote_card"), BTreeSet::from([PageKind::Quote]));
    assert_eq!(kinds("stat_card"), BTreeSet::from([PageKind::Stat]));
    assert_eq!(kinds("blog_header"), BTreeSet::from([PageKind::Cover]));
    assert!(kinds("one_pager").contains(&PageKind::List));
    // A source without a quotation still gets a page.
    assert!(!set(TIPS, "quote_card", None).is_empty());
    let list = set(TIPS, "one_pager", None).remove(0).pages.remove(0);
    assert_eq!((list.kind, list.items.len()), (PageKind::List, 5));
}

#[test]
fn every_language_keeps_its_own_words() {
    for (text, recap, title) in [
        // "Über" can be a limit.
        (GERMAN, "Auf einen Blick", "Das stille Dach: was ein Garten über der Stadt bewirkt"),
        (RUSSIAN, "Коротко", "Библиотека во дворе"),
        (GREEK, "Με δυο λόγια", "Το ψωμί της γειτονιάς"),
    ] {
        for outline in (2..=12).filter_map(|n| filled(text, n)) {
            assert_sound(&outline, text);
        }
        let outline = carousel(text, 7);
        assert_eq!(outline.pages[0].title.as_ref().unwrap().wordings.last().unwrap(), title);
        // A long text ends with a sentence of its own, others with a recap.
        let last = &outline.pages[6];
        let is_recap = last.kind == PageKind::Recap;
        assert!(!is_recap || last.title.as_ref().is_some_and(|title| title.wordings[0] == recap));
        assert!(last.cta.is_some());
    }
    let french = "# Lire le soir\n\n## Un livre vaut mieux qu'un écran\n\nIl ne sonne jamais.\n\n\
        ## Dix pages suffisent\n\nLe sommeil vient avant la onzième.\n";
    let outline = carousel(french, 5);
    assert_eq!(outline.pages[4].title.as_ref().unwrap().wordings[0], "En bref");
}

#[test]
fn a_source_that_says_little_fills_no_more_slides_than_it_has_words_for() {
    for (text, carries) in [
        ("Sale", 1),
        ("Slow down. Breathe.", 1),
        ("# One thing\n\nDo it well, and do it once.", 1),
        ("# Water\n\n- Water at dawn\n- Water the soil\n- Water twice a week\n", 5),
    ] {
        let document = read_text(text).unwrap();
        let format = Format::by_id("tiktok_carousel").unwrap();
        for n in 1..=35 {
            match outline(&Request { document: &document, format, slides: Some(n) }) {
                Ok(outlines) => {
                    assert!(n <= carries, "{text} fills {n}");
                    assert_eq!(outlines[0].pages.len(), n as usize);
                    assert_sound(&outlines[0], text);
                }
                Err(too_little) => assert_eq!((too_little.carries, n > carries), (carries, true), "{text} {n}"),
            }
        }
    }
}

#[test]
fn no_page_of_a_set_says_a_clause_without_what_limits_it() {
    let text = "Shipping is free for all our customers in Europe – orders under €50 cost €5. Returns are free – the shop \
        pays the post.";
    for (n, outline) in (2..=9).filter_map(|n| Some((n, filled(text, n)?))) {
        let said: Vec<&str> =
            outline.pages.iter().flat_map(copies).flat_map(|c| &c.wordings).map(String::as_str).collect();
        let limited = |words: &&&str| words.contains("Shipping is free") && !words.contains("€5");
        assert_eq!(said.iter().find(limited), None, "{n}");
    }
}

#[test]
fn each_of_a_few_short_sentences_fills_a_slide() {
    let text = "Walk before breakfast. Light wakes the body slowly. Coffee can wait an hour. Write down three things.";
    assert!(filled(text, 6).is_none());
    // The first page is the title; a recap closes the set.
    let mut outline = carousel(text, 5);
    outline.pages.pop();
    let said: Vec<String> = outline.pages.iter().map(says).collect();
    for words in ["Walk before breakfast", "Light wakes", "Coffee can wait", "Write down"] {
        assert_eq!(said.iter().filter(|s| s.contains(words)).count(), 1, "{words}: {said:?}");
    }
}

#[test]
fn endless_sentences_stay_small() {
    for part in ["a (b) ", "and ", "But, ", "a — b ", "(a) "] {
        let text = part.repeat(200_000 / part.chars().count());
        for (format, slides) in [("tiktok_carousel", Some(1)), ("instagram_post", None)] {
            for outline in set(&text, format, slides) {
                for copy in outline.pages.iter().flat_map(copies) {
                    let chars: usize = copy.wordings.iter().map(|w| w.chars().count()).sum();
                    assert!(copy.wordings.len() <= 5 && chars <= 5 * limits::SLOT_CHARS, "{part}: {chars}");
                }
            }
        }
    }
}

#[test]
fn alt_texts_read_as_the_page_does() {
    let outline = carousel(ARTICLE, 8);
    assert!(
        alt_text(&outline.pages[0])
            .starts_with("The quiet morning: how a small team got its best hours back. Most teams")
    );
    assert!(outline.pages.iter().any(|p| alt_text(p).contains("64% of respondents said")));
    let tips = carousel(TIPS, 8);
    assert!(alt_text(&tips.pages[1]).starts_with("1. Shop with a photo. Take a picture"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn outlines_anything(
        text in "(# |## |- |[1-9]\\. |\n|\n\n|: |\\. |[0-9]{1,3}%? |[A-Za-zäя]{1,7} |\\PC){1,60}",
        n in 1_u32..=35,
    ) {
        if let Ok(document) = read_text(&text) {
            let format = Format::by_id("tiktok_carousel").unwrap();
            let asked = |n| outline(&Request { document: &document, format, slides: Some(n) });
            // A text fills the number of pages that the error names.
            let n = asked(n).err().map_or(n, |too_little| too_little.carries);
            for outline in asked(n).expect("it carries as many") {
                prop_assert_eq!(outline.pages.len(), n as usize);
                assert_sound(&outline, &text);
            }
            let format = Format::by_id("instagram_post").unwrap();
            for outline in outline(&Request { document: &document, format, slides: None }).expect("one page") {
                prop_assert_eq!(outline.pages.len(), 1);
                assert_sound(&outline, &text);
                for wording in outline.pages.iter().flat_map(copies).flat_map(|c| &c.wordings) {
                    prop_assert_eq!(document.evidence.allows(wording), Ok(()), "{}", wording);
                }
            }
        }
    }
}

#[test]
fn an_example_of_how_not_to_and_how_to_stands_apart() {
    let text = "# Invites people accept\n\n\
        1. **Write the decision before the invite.** If you can’t name it, you don’t need a room. Not “Q3 roadmap sync”, but “Choose two of these five projects”.\n\
        2. **Name an owner.** Somebody has to close it.\n   ❌ “The team will look into it”\n   ✅ “Ana sends the list on Friday”\n\
        3. **Keep it short.** Half an hour is plenty. Don’t: book an hour. Do: book 25 minutes.\n\
        4. **Say no.** A no is kinder than a meeting.\n";
    let pages = carousel(text, 5).pages;
    let shown: Vec<Vec<&str>> =
        pages.iter().map(|p| p.items.iter().map(|i| i.head.wordings[0].as_str()).collect()).collect();
    assert_eq!(shown[1], ["“Q3 roadmap sync”", "“Choose two of these five projects”"]);
    assert_eq!(shown[2], ["“The team will look into it”", "“Ana sends the list on Friday”"]);
    assert_eq!(shown[3], ["book an hour", "book 25 minutes"]);
    assert!(shown[4].is_empty());
    let alt = alt_text(&pages[1]);
    assert!(alt.contains("✗ “Q3 roadmap sync”; ✓ “Choose two of these five projects”"), "{alt}");
    assert!(alt_text(&pages[3]).contains("Don’t: book an hour; Do: book 25 minutes"));
    // Where cards don't fit, the page shows the words as text.
    let plain = pages[2].plain().expect("a plainer page");
    let body = &plain.body.expect("a body").wordings[0];
    assert!(body.ends_with("“The team will look into it” → “Ana sends the list on Friday”"), "{body}");
    assert!(plain.items.is_empty());
}

#[test]
fn an_event_s_facts_stand_together_and_so_does_its_programme() {
    let text = include_str!("../../../tests/data/sources/text/concert.txt");
    assert!(filled(text, 8).is_none(), "no page repeats another");
    let pages = carousel(text, 7).pages;
    let kinds: Vec<PageKind> = pages.iter().map(|p| p.kind).collect();
    assert_eq!(kinds.iter().filter(|k| **k == PageKind::Event).count(), 1, "{kinds:?}");
    let programme = pages.iter().find(|p| p.kind == PageKind::Timeline).expect("it has one");
    assert_eq!(programme.items.len(), 5);
    assert!(!kinds.contains(&PageKind::Figures) && !kinds.contains(&PageKind::Stat), "times of day are no figures");
    let alone = |p: &&PageOutline| p.kind == PageKind::Point && says(p).split_whitespace().count() < 5;
    assert_eq!(pages.iter().find(alone).map(says), None);
    let keeps = says(pages.last().expect("a recap"));
    assert!(["4 juillet 2026", "minuit", "Quai des Tanneurs"].iter().all(|f| keeps.contains(f)), "{keeps}");
}

/// Returns the pages of a set of `n`, by headline.
fn headed(text: &str, n: u32) -> Vec<(PageKind, String)> {
    let document = read_text(text).unwrap();
    let format = Format::by_id("linkedin_carousel").unwrap();
    let set = outline(&Request { document: &document, format, slides: Some(n) }).unwrap().remove(0);
    let title = |p: &PageOutline| p.title.as_ref().map(|t| t.wordings[0].clone()).unwrap_or_default();
    set.pages.iter().map(|p| (p.kind, title(p))).collect()
}

#[test]
fn questions_stand_over_their_answers_and_are_not_summed_up() {
    let exchange = |n: u32, what: &str| {
        format!(
            "**Ada Moor: Why do you count {what}?**\n\n**Bo Lind:** Because in year {n} nobody in this town counted the {what} at all.\n\n"
        )
    };
    let all: String =
        ["boats", "gulls", "clouds", "ropes"].iter().zip(1..).map(|(what, n)| exchange(n, what)).collect();
    let pages = headed(&format!("# At the pier\n\nWe met in May.\n\n{all}"), 5);
    assert!(pages[1..].iter().all(|(kind, _)| *kind == PageKind::Question), "{pages:?}");
}

#[test]
fn a_change_that_a_sentence_tells_is_shown() {
    let text = "# Shorter waits\n\n## The desk answers sooner\n\nThe wait fell from 14 days to 2 days within a year.\n\n\
        ## Nobody calls twice\n\nEach caller has one person who knows the case.\n\n## Letters are short\n\nA letter has one page and one question.\n";
    let document = read_text(text).unwrap();
    let format = Format::by_id("linkedin_carousel").unwrap();
    let set = outline(&Request { document: &document, format, slides: Some(4) }).unwrap().remove(0);
    let page = set.pages.iter().find(|p| p.evidence() == Support::Change).unwrap();
    let heads: Vec<&str> = page.items.iter().map(|i| i.head.wordings[0].as_str()).collect();
    assert_eq!(heads, ["14 days", "2 days"]);
    assert_eq!(page.note.as_ref().unwrap().wordings[0], "The wait fell from 14 days to 2 days within a year.");
    assert!(alt_text(page).contains("14 days → 2 days"), "{}", alt_text(page));
}

#[test]
fn sentences_lose_what_joins_them_to_others() {
    let text = "# Boats\n\n## The harbour\n\nIn addition, the harbour master keeps a list of every boat.\n\n## The pier\n\nThe pier is closed in winter.\n\n\
        ## The light\n\nThe light burns all night long.\n";
    let document = read_text(text).unwrap();
    let format = Format::by_id("linkedin_carousel").unwrap();
    let set = outline(&Request { document: &document, format, slides: Some(4) }).unwrap().remove(0);
    let said: Vec<&str> = set.pages.iter().filter_map(|p| p.body.as_ref()).map(|b| b.wordings[0].as_str()).collect();
    assert!(said.contains(&"The harbour master keeps a list of every boat."), "{said:?}");
}
