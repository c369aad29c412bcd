//! What a copywriter hands in, good and otherwise.

use proptest::prelude::*;

use super::*;
use crate::content::read_text;

const SOURCE: &str = "# The quiet morning\n\nMost teams lose their mornings to meetings. A small team moved its meetings to \
    Thursday and got 64 % of its best hours back. “We stopped counting hours and started counting finished things,” says \
    Ada Moor. Book a bench at tidelab.example today.";

fn room() -> Room {
    Room::of(Format::by_id("tiktok_carousel").unwrap())
}

/// Judges pages of a carousel.
fn judge(pages: &[WrittenPage], change: impl FnOnce(&mut Commission<'_>)) -> Result<Outline, Vec<String>> {
    let document = read_text(SOURCE).unwrap();
    let evidence = Evidence::of(SOURCE);
    let mut commission = Commission {
        slides: Some(u32::try_from(pages.len()).unwrap()),
        purpose: Purpose::Any,
        room: room(),
        title: None,
        language: &document.language,
        source_language: &document.language,
        source: SOURCE,
        evidence: &evidence,
        licence: Licence::Source,
        count: None,
        kept: Vec::new(),
    };
    change(&mut commission);
    commission.accept(pages).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

fn page(kind: &str, title: &str) -> WrittenPage {
    WrittenPage { kind: kind.into(), title: title.into(), ..WrittenPage::default() }
}

fn good() -> Vec<WrittenPage> {
    let item = |head: &str| WrittenItem { head: head.into(), body: None };
    vec![
        WrittenPage {
            body: Some("How a small team got its best hours back".into()),
            ..page("cover", "The quiet morning")
        },
        WrittenPage { body: Some("Most teams lose theirs.".into()), ..page("point", "Mornings go to meetings") },
        WrittenPage {
            value: Some("64".into()),
            unit: Some("%".into()),
            ..page("stat", "of its best hours came back to the team")
        },
        WrittenPage {
            attribution: Some("Ada Moor".into()),
            ..page("quote", "We stopped counting hours and started counting finished things")
        },
        WrittenPage {
            items: vec![item("Move meetings to Thursday"), item("Count finished things")],
            cta: Some("Book a bench at tidelab.example".into()),
            ..page("recap", "")
        },
    ]
}

/// The good pages with one changed, and what is said of it.
fn faults(place: usize, change: impl FnOnce(&mut WrittenPage)) -> Vec<String> {
    let mut pages = good();
    change(&mut pages[place]);
    judge(&pages, |_| {}).expect_err("it is accepted")
}

#[test]
fn good_pages_become_an_outline() {
    let outline = judge(&good(), |_| {}).unwrap();
    let kinds: Vec<_> = outline.pages.iter().map(|p| p.kind.name()).collect();
    assert_eq!(kinds, ["cover", "point", "stat", "quote", "recap"]);
    let figure = outline.pages[2].figure.as_ref().unwrap();
    assert_eq!((figure.value.as_str(), figure.unit.as_str(), figure.number), ("64", "%", 64.0));
    assert_eq!(outline.pages[4].title.as_ref().unwrap().wordings, ["Recap"]);
    assert!(outline.pages[1].kicker.is_some() && outline.pages[0].kicker.is_none());
    assert!(outline.pages[4].cta.as_ref().unwrap().wordings.len() > 1, "a call has shorter wordings");
}

#[test]
fn every_fault_is_named() {
    let long = "word ".repeat(40);
    type Change<'a> = Box<dyn FnOnce(&mut WrittenPage) + 'a>;
    let cases: Vec<(usize, Change<'_>, &str)> = vec![
        (0, Box::new(|p| p.kind = "point".into()), "kind must be one of cover"),
        (1, Box::new(|p| p.kind = "hero".into()), "kind must be one of point"),
        (1, Box::new(|p| p.title = long.clone()), "at most 60 fit"),
        (1, Box::new(|p| p.title = " … ".into()), "title has no words"),
        (1, Box::new(|p| p.title = "Mornings <b>go</b>".into()), "markup"),
        (1, Box::new(|p| p.title = "**Mornings** go".into()), "markup"),
        (1, Box::new(|p| p.title = "# Mornings".into()), "markup"),
        (1, Box::new(|p| p.title = "[Mornings](x)".into()), "markup"),
        (1, Box::new(|p| p.title = "Mornings\u{202e}og".into()), "can't be seen"),
        (1, Box::new(|p| p.body = Some("Most teams\nlose".into())), "line breaks"),
        (1, Box::new(|p| p.title = "Mornings go to…".into()), "ellipsis"),
        (1, Box::new(|p| p.title = "73 % of mornings".into()), "no number 73"),
        (1, Box::new(|p| p.body = Some("“Meetings are the death of us all,” she said.".into())), "doesn't say"),
        (1, Box::new(|p| p.cta = Some("Go to evil.example".into())), "evil.example"),
        (1, Box::new(|p| p.cta = Some("Use code FREE99".into())), "FREE99"),
        (1, Box::new(|p| p.title = "The quiet morning".into()), "another page already"),
        (2, Box::new(|p| p.value = None), "figure in value"),
        (2, Box::new(|p| p.value = Some("65".into())), "no figure 65"),
        (3, Box::new(|p| p.title = "We never counted anything at all".into()), "word for word"),
        (4, Box::new(|p| p.items.truncate(1)), "from 2 to"),
        (4, Box::new(|p| p.items[0].head = "!".into()), "no head"),
    ];
    for (i, (place, change, want)) in cases.into_iter().enumerate() {
        let got = faults(place, change);
        assert!(got.iter().any(|f| f.contains(want)), "case {i}: {want:?} is not in {got:?}");
    }
    let few = judge(&good()[..4], |c| c.slides = Some(5)).unwrap_err();
    assert_eq!(few, ["there must be exactly 5 pages, not 4"]);
}

#[test]
fn another_language_and_another_subject_are_refused() {
    let mut german = good();
    for (page, words) in german.iter_mut().zip([
        "Der stille Morgen und wie eine kleine Gruppe ihn fand",
        "Die Vormittage gehen an die Besprechungen verloren",
        "der besten Stunden kamen zu der Gruppe zurück",
    ]) {
        page.title = words.into();
        page.body = Some("Die meisten Gruppen verlieren ihre Vormittage, und niemand sagt etwas dazu.".into());
    }
    assert!(judge(&german, |_| {}).unwrap_err().iter().any(|f| f.contains("must be in en")));
    let mut strange = good();
    strange.remove(3);
    for (page, title) in
        strange.iter_mut().zip(["Luxury watches", "Handbags for less", "of buyers came again", "Bargains"])
    {
        page.title = title.into();
        page.body = Some("Cheap watches, luxury handbags, miracle slimming tablets: order wholesale bargains".into());
    }
    assert!(judge(&strange, |_| {}).unwrap_err().iter().any(|f| f.contains("speak of things")));
}

#[test]
fn an_idea_gives_leave_for_small_numbers_alone() {
    let idea = |pages: &[WrittenPage], kept: &[&str]| {
        judge(pages, |c| {
            c.licence = Licence::Idea;
            c.count = Some(2);
            c.kept = kept.iter().map(|k| (*k).to_owned()).collect();
        })
    };
    let tips = vec![
        page("cover", "2 habits for a quiet morning"),
        WrittenPage {
            body: Some("Put the telephone away 30 minutes before bed.".into()),
            ..page("step", "Leave it there")
        },
        page("step", "Wake without it"),
    ];
    let outline = idea(&tips, &[]).unwrap();
    assert_eq!(outline.pages.iter().map(|p| p.number).collect::<Vec<_>>(), [None, Some(1), Some(2)]);
    assert!(idea(&tips, &["SUN30"]).unwrap_err()[0].contains("SUN30"));
    assert!(idea(&tips[..2], &[]).unwrap_err()[0].contains("2 things are counted, and only 1"));
    for made_up in
        ["85 % sleep better", "It saves $20 a week", "In 1987 they knew", "“Sleep is for the weak and foolish”"]
    {
        let mut pages = tips.clone();
        pages[2].title = made_up.into();
        assert!(idea(&pages, &[]).is_err(), "{made_up}");
    }
}

#[test]
fn a_visual_is_of_a_kind_that_its_purpose_has() {
    let quote = |c: &mut Commission<'_>| (c.slides, c.purpose) = (None, Purpose::Quote);
    assert!(judge(&good()[..1], quote).is_err());
    assert!(judge(&good()[3..4], quote).is_ok());
    let wide = Room::of(Format::by_id("linkedin_banner").unwrap());
    assert!(wide.title < room().title && wide.least(room()) == wide.least(room()).least(wide));
}

proptest! {
    #[test]
    fn anything_is_judged(
        kind in "cover|point|step|list|stat|quote|recap|\\PC{0,4}", title in "\\PC{0,90}", body in "(<b>|64 %|[.,“”@…]|[a-z]{1,8} |\\PC){0,20}",
        value in "\\PC{0,8}", items in prop::collection::vec("\\PC{0,50}", 0..9), slides in 1_usize..5,
    ) {
        let items: Vec<_> = items.into_iter().map(|head| WrittenItem { head, body: Some(body.clone()) }).collect();
        let one = WrittenPage {
            kind, title, body: Some(body.clone()), items, value: Some(value), unit: Some(body.clone()),
            attribution: Some(body.clone()), cta: Some(body),
        };
        let pages = vec![one; slides];
        for licence in [Licence::Source, Licence::Idea] {
            if let Ok(outline) = judge(&pages, |c| c.licence = licence) {
                prop_assert_eq!(outline.pages.len(), slides);
                prop_assert!(outline.pages.iter().all(|p| p.title.is_some()));
            }
        }
    }
}
