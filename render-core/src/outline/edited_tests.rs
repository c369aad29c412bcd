//! Editorial requirements for sets of pages: complete lists, answers that answer, endings, and no
//! repetition.

use super::*;
use crate::content::read_text;

fn set(text: &str, n: u32) -> Outline {
    let document = read_text(text).unwrap();
    let format = Format::by_id("instagram_carousel").unwrap();
    outline(&Request { document: &document, format, slides: Some(n) }).unwrap().remove(0)
}

fn first(copy: Option<&Copy>) -> &str {
    copy.map_or("", |copy| copy.wordings[0].as_str())
}

fn page<'a>(set: &'a Outline, title: &str) -> &'a PageOutline {
    set.pages.iter().find(|page| first(page.title.as_ref()) == title).unwrap_or_else(|| panic!("{title}: {set:#?}"))
}

fn items(page: &PageOutline) -> Vec<&str> {
    page.items.iter().map(|item| item.head.wordings[0].as_str()).collect()
}

const PIER: &str = "## Who keeps the pier?\n\nMany ask who keeps the pier. The crew of the harbour keeps it.\n\n\
    ## What does it cost?\n\nA walk on the pier costs nothing at all.\n\n## When is it open?\n\nThe pier is open from dawn to dusk.\n\n";

#[test]
fn an_answer_opens_with_what_answers() {
    let set = set(&format!("# The pier\n\n{PIER}"), 4);
    assert_eq!(first(page(&set, "Who keeps the pier?").body.as_ref()), "The crew of the harbour keeps it.");
}

#[test]
fn a_long_heading_keeps_what_stands_under_it() {
    let long = "Harbour map launch with the Association of Pilots and the Coast Survey of the North";
    let text = format!(
        "# Launches\n\n## {long}\n\n### What\n\nA map of every pier in the whole of the harbour.\n\n### When\n\nIt went out in May.\n\n\
         ## Boat list launch\n\nThe list names each boat and its owner.\n\n## Lamp launch\n\nThe lamps burn oil no longer.\n"
    );
    assert_eq!(items(page(&set(&text, 4), "Harbour map launch")), ["What", "When"]);
}

#[test]
fn two_things_that_a_sentence_announces_are_a_list() {
    let text = "# Workshops\n\n## What they do\n\nA good workshop will do two things:\n\n1. It will surprise the crew with how much they can do.\n\
        2. It will show that looking early saves work.\n\n## Who comes\n\nThe crew and the pilots come every spring.\n\n\
        ## Where they meet\n\nThey meet in the shed behind the pier.\n";
    let set = set(text, 4);
    let page = page(&set, "What they do");
    assert_eq!(page.items.len(), 2);
    assert!(first(page.body.as_ref()).contains("two things"), "{page:?}");
}

#[test]
fn names_are_shown_as_a_list_and_not_one_by_one() {
    let names: String = ["Ada Moor", "Bo Lind", "Cy Holm", "Di Vale", "Ed Rush", "Flo Pike"]
        .iter()
        .map(|name| format!("- {name}\n"))
        .collect();
    let text = format!(
        "# The crew of the year\n\nThe harbour has chosen its crew for the whole of the coming year.\n\n\
         Nobody on the pier remembers a year with so many who wanted to row.\n\nHere are the rowers:\n\n{names}\n\
         All of them learned to row in the small boats behind the old mill.\n\n\
         The first race of the season is held on the river in the spring.\n"
    );
    let set = set(&text, 4);
    let listed: Vec<usize> = set.pages.iter().map(|page| page.items.len()).filter(|n| *n > 0).collect();
    assert_eq!(listed, [6], "{set:#?}");
}

#[test]
fn a_recap_sums_up_claims_and_no_parts() {
    let sections: String = ["Leadership", "Communication", "Consistency", "Tooling"]
        .iter()
        .map(|head| {
            format!(
                "## {head}\n\nThe crew of the {head} pier counts all of its boats at dawn. Nobody else on the coast does that.\n\n\
                 Every spring the whole crew of {head} paints its sheds in the colours of the town.\n\n"
            )
        })
        .collect();
    let set = set(&format!("# How piers are kept\n\n{sections}"), 6);
    assert!(set.pages.iter().all(|page| page.kind != PageKind::Recap), "{set:#?}");
}

#[test]
fn what_refers_back_yields_to_what_does_not() {
    let text = "# Boats\n\n## Harbour\n\nThe crew of the harbour counts these boats at dawn. Every boat in the harbour has an owner who pays. \
        Some owners of boats pay for the whole year.\n\n## Pier\n\nThe pier is closed in winter.\n\n## Light\n\nThe light burns all night long.\n";
    assert_eq!(first(page(&set(text, 4), "Harbour").body.as_ref()), "Every boat in the harbour has an owner who pays.");
}

#[test]
fn everybody_who_is_asked_is_named() {
    let text = "# On rowing\n\n## On early starts\n\n**Ada Moor:** We start before dawn because the water is calm then.\n\n\
        ## On cold water\n\n**Bo Lind:** The water is cold for most of the year, and you learn to like it.\n\n\
        ## On long races\n\n**Ada Moor:** A long race is won by whoever eats enough in the hours before it.\n\n\
        ## On old boats\n\n**Bo Lind:** An old boat forgives you every mistake that a new one does not.\n\n\
        ## On new crews\n\n**Ada Moor:** A new crew rows in time after a month of short mornings.\n\n\
        ## On winning\n\n**Bo Lind:** Nobody wins who has not lost a few times on the same river.\n";
    let set = set(text, 7);
    let named: Vec<&str> = set.pages[1..].iter().map(|page| first(page.attribution.as_ref())).collect();
    assert_eq!(named, ["Ada Moor", "Bo Lind", "Ada Moor", "Bo Lind", "Ada Moor", "Bo Lind"], "{set:#?}");
}
