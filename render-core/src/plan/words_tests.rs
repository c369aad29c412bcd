//! Completeness of pages: headlines and short lists are complete, or a warning names what is missing.

use super::*;
use crate::content::{ReadOptions, read_text_with};
use crate::design::Style;

const TITLE: &str = "We will not be raising prices for any of our existing customers in the coming financial year, neither \
    in Europe nor overseas, whatever our suppliers may charge for it, unless they ask us to do so";

fn designed(text: &str, options: &ReadOptions, style: Style, format: &Format, fonts: &Fonts) -> Plan {
    let document = read_text_with(text, options).expect("sample text");
    let formats = vec![(format.id, format.slides.map(|s| s.min))];
    let request = PlanRequest::of(&document, formats, style, 7);
    plan(&request, fonts).unwrap_or_else(|e| panic!("{} {style:?}: {e}", format.id))
}

/// Returns all words of a page as one line.
fn page_words(page: &Page) -> String {
    let words: Vec<&str> = page.slots.iter().flat_map(|slot| slot.text.split_whitespace()).collect();
    words.join(" ")
}

/// Returns whether a page handles a title that qualifies itself: it never shows only the start of it, and if it shows
/// nothing of it, a warning quotes all of it.
fn stands(page: &Page, title: &str) -> bool {
    let front: String = title.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let words = page_words(page);
    if words.contains(title) {
        return true;
    }
    assert!(!words.contains(&front), "{} {:?}: {words}", page.format, page.style);
    let told = page.warnings.iter().any(|w| w.code == WarningCode::ContentShortened && w.message.contains(title));
    assert!(told, "{} {:?}: {:?}", page.format, page.style, page.warnings);
    false
}

#[test]
fn a_long_title_stands_whole_or_is_told() {
    let fonts = Fonts::new();
    let given = ReadOptions { title: Some(TITLE.into()), ..ReadOptions::default() };
    let found = format!("# {TITLE}\n\nWe wrote to everyone this week.\n");
    let mut missing = Vec::new();
    for (n, format) in Format::all().iter().enumerate() {
        let style = Style::all().nth(n % crate::design::STYLE_NAMES.len()).unwrap();
        for (text, options) in [("We wrote to everyone this week.", &given), (&found, &ReadOptions::default())] {
            let plan = designed(text, options, style, format, &fonts);
            if !stands(&plan.pages[0], TITLE) {
                missing.push(format.id.as_str());
            }
        }
    }
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn what_limits_a_title_is_never_cut_from_it() {
    let fonts = Fonts::new();
    for title in [
        "Shipping is free for all our customers in Europe – orders under €50 cost €5",
        "All tickets are refundable. Exception: festival passes",
        "Wir erstatten alle Karten bis zum Tag der Veranstaltung – ausgenommen sind Festivalpässe und Gutscheine",
        // A language without word lists.
        "Wszystkie bilety podlegają zwrotowi do dnia wydarzenia – z wyjątkiem karnetów festiwalowych i voucherów",
    ] {
        for (n, format) in Format::all().iter().enumerate() {
            let style = Style::all().nth(n % crate::design::STYLE_NAMES.len()).unwrap();
            let options = ReadOptions { title: Some(title.into()), ..ReadOptions::default() };
            let plan = designed("One word of it.", &options, style, format, &fonts);
            assert!(stands(&plan.pages[0], title), "{} {style:?}: {}", format.id, page_words(&plan.pages[0]));
        }
    }
}

#[test]
fn both_items_of_a_list_of_two_stand_on_a_single_image() {
    let fonts = Fonts::new();
    for (text, items) in [
        (
            "# Grocery list\n\n- Buy two litres of milk\n- Return the library books\n",
            ["Buy two litres of milk", "Return the library books"],
        ),
        ("Before you go:\n\n1. Turn off the lights\n2. Lock the door\n", ["Turn off the lights", "Lock the door"]),
        ("# 오늘 할 일\n\n- 우유 두 병 사기\n- 도서관 책 반납하기\n", ["우유 두 병 사기", "도서관 책 반납하기"]),
        (
            "# What changes in May\n\n- Opening hours move to nine in the morning on all days of the week but Sunday\n- \
             Members keep their key cards and can enter through the side door at any time\n",
            ["Opening hours move to nine", "Members keep their key cards"],
        ),
    ] {
        for exact in [false, true] {
            for id in
                ["instagram_post", "instagram_story", "pinterest_pin", "linkedin_post", "twitter_post", "facebook_post"]
            {
                let Some(format) = Format::by_id(id) else { continue };
                let options = ReadOptions { exact, ..ReadOptions::default() };
                for style in Style::all() {
                    let plan = designed(text, &options, style, format, &fonts);
                    let words = page_words(&plan.pages[0]);
                    assert!(items.iter().all(|item| words.contains(item)), "{id} {style:?} exact {exact}: {words}");
                }
            }
        }
    }
}

#[test]
fn a_page_says_what_it_leaves_out() {
    let fonts = Fonts::new();
    let text = "# Two things to do\n\n- Buy two litres of milk\n- Return the library books\n";
    // A thumbnail is a cover.
    let format = Format::by_id("youtube_thumbnail").expect("in the catalogue");
    let plan = designed(text, &ReadOptions::default(), Style::MODERN, format, &fonts);
    let page = &plan.pages[0];
    for item in ["Buy two litres of milk", "Return the library books"] {
        let told = page.warnings.iter().any(|w| w.code == WarningCode::ContentShortened && w.message.contains(item));
        assert!(page_words(page).contains(item) || told, "{:?}", page.warnings);
    }
    assert!(plan.warnings.is_empty(), "{:?}", plan.warnings);
}

/// A headline of more words than any page holds, none of which can be broken.
#[test]
fn what_no_layout_holds_is_cut_and_told() {
    let fonts = Fonts::new();
    let title = "Donaudampfschifffahrtsgesellschaftskapitänsmütze ".repeat(36);
    let title = title.trim();
    for id in ["ad_leaderboard", "instagram_post", "instagram_carousel", "youtube_banner"] {
        let Some(format) = Format::by_id(id) else { continue };
        let options = ReadOptions { title: Some(title.to_owned()), ..ReadOptions::default() };
        let plan = designed("Eine Mütze.", &options, Style::MODERN, format, &fonts);
        let page = &plan.pages[0];
        let told = page.warnings.iter().any(|w| w.message.contains(title));
        assert!(page_words(page).contains(title) || told, "{id}: {:?}", page.warnings);
    }
}

#[test]
fn words_that_stay_whole_come_before_art() {
    let fonts = Fonts::new();
    for id in ["ad_mobile_banner", "youtube_companion_ad"] {
        let format = Format::by_id(id).expect("in the catalogue");
        for style in Style::all() {
            let plan = designed(TITLE, &ReadOptions::default(), style, format, &fonts);
            assert!(page_words(&plan.pages[0]).contains(TITLE), "{id} {style:?}: {}", page_words(&plan.pages[0]));
        }
    }
}

#[test]
fn other_words_stand_where_a_title_has_no_room_and_can_not_be_cut() {
    let fonts = Fonts::new();
    let title = [TITLE; 4].join(", and ");
    for id in ["ad_mobile_banner", "facebook_cover", "instagram_post"] {
        let format = Format::by_id(id).expect("in the catalogue");
        let options = ReadOptions { title: Some(title.clone()), ..ReadOptions::default() };
        let plan = designed("We wrote to everyone this week.", &options, Style::MODERN, format, &fonts);
        let is_whole = stands(&plan.pages[0], &title);
        assert_eq!(is_whole, id == "instagram_post", "{}", page_words(&plan.pages[0]));
        assert!(is_whole || page_words(&plan.pages[0]).contains("We wrote to everyone this week"), "{id}");
    }
}

/// Platforms cover more of one side than of the other; pages in right-to-left languages are mirrored.
#[test]
fn arabic_is_set_in_every_format() {
    let fonts = Fonts::new();
    for (n, format) in Format::all().iter().enumerate() {
        for text in [
            "# مسؤولية في الصباح\n\n> هدوء الجذور قبل ماء حديقة النوم.\n",
            "# في الجذور\n\n- هدوء ماء\n- قبل في و الجذور\n- الصباح النوم\n",
        ] {
            let style = Style::all().nth(n % crate::design::STYLE_NAMES.len()).unwrap();
            let pages = designed(text, &ReadOptions::default(), style, format, &fonts).pages;
            assert!(!pages.is_empty(), "{}", format.id);
        }
    }
}
