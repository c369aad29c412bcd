//! Tests of the pages of points.

use super::*;
use crate::content::read_text;
use crate::format::Format;
use crate::outline::{Outline, Request, Support, outline};

const TEXT: &str = "# A garden that waters itself

It takes one weekend, and the summer is yours.

## Lay the line first

- Warm the hose in the sun before you unroll it.
- Pin it down every metre.
- Close the far end with a clip.

## Count what the tap saves

A drip line uses 61% of the water that a sprinkler needs. The rest stays in the barrel for August.

## Ask the neighbours

Somebody has made every mistake already. “No neighbour told me that I watered the path for years before the beans,” says Ines Calder, \
allotment holder.

## Compare before you buy

| | Hose | Drip line |
|---|---|---|
| Price | 20 € | 45 € |
| Work | Daily | Once |
| Losses | High | Low |

## Mulch the beds

Bark keeps the ground cool through August. Straw is cheaper, and it rots within a year. Five centimetres are enough for \
a bed of beans. Leave a ring free around each stem.

## Leave it alone

A lawn sleeps through August and wakes with the rain.
";

fn carousel(text: &str, slides: u32) -> Outline {
    let document = read_text(text).expect("a text");
    let format = Format::by_id("tiktok_carousel").expect("in the catalogue");
    outline(&Request { document: &document, format, slides: Some(slides) }).unwrap().remove(0)
}

fn titled<'o>(outline: &'o Outline, title: &str) -> &'o PageOutline {
    let has = |p: &&PageOutline| p.title.as_ref().is_some_and(|t| t.wordings[0] == title);
    outline.pages.iter().find(has).unwrap_or_else(|| panic!("{title}: {:#?}", outline.pages))
}

#[test]
fn a_point_shows_what_its_section_offers() {
    let outline = carousel(TEXT, 8);
    let list = titled(&outline, "Lay the line first");
    assert_eq!((list.kind, list.items.len()), (PageKind::List, 3));
    let figure = titled(&outline, "Count what the tap saves");
    assert_eq!(figure.evidence(), Support::Figure);
    assert_eq!(figure.figure.as_ref().map(|f| f.value.as_str()), Some("61"));
    let quotation = titled(&outline, "Ask the neighbours");
    assert_eq!(quotation.evidence(), Support::Quotation);
    assert!(quotation.attribution.as_ref().is_some_and(|who| who.wordings[0].contains("Ines Calder")));
    assert_eq!(titled(&outline, "Compare before you buy").kind, PageKind::Table);
    let alone = titled(&outline, "Leave it alone");
    assert_eq!((alone.evidence(), alone.note.is_none()), (Support::Sentences, true));
}

#[test]
fn sentences_stand_in_rows_or_as_a_text_with_a_note() {
    let outline = carousel(TEXT, 8);
    let mulch = titled(&outline, "Mulch the beds");
    match mulch.evidence() {
        Support::Things => assert!((2..=4).contains(&mulch.items.len())),
        Support::Sentences => {
            let body = mulch.body.as_ref().expect("a text");
            let note = mulch.note.as_ref().map(|note| note.wordings[0].trim_end_matches('.'));
            assert!(note.is_none_or(|note| body.wordings.iter().all(|w| !w.contains(note))));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_claim_of_many_words_opens_the_text() {
    let long = "The municipal water works of three towns and eleven villages along the river changed their tariffs twice \
                within a year.";
    let text = format!(
        "# Water\n\nAn introduction.\n\n{long} Nobody was asked. The bills came in May. Two households in three paid more \
         than the year before.\n"
    );
    for page in carousel(&text, 3).pages.iter().skip(1) {
        assert!(page.title.as_ref().is_none_or(|t| t.wordings[0].chars().count() <= 70), "{page:?}");
    }
}

#[test]
fn neighbours_share_a_page_where_there_are_too_many_points() {
    let outline = carousel(TEXT, 6);
    assert_eq!(outline.pages.len(), 6);
    let said = format!("{:?}", &outline.pages[1..5]);
    for head in [
        "Lay the line first",
        "Count what the tap saves",
        "Ask the neighbours",
        "Compare before you buy",
        "Mulch the beds",
        "Leave it alone",
    ] {
        assert!(said.contains(head), "{head}: {said}");
    }
}
