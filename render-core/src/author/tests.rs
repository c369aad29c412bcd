//! Tests of authors' answers, good and bad.

use proptest::prelude::*;

use super::*;
use crate::content::read_text;

const SOURCE: &str = "# The quiet morning\n\nMost teams lose their mornings to meetings. A small team moved its meetings to \
    Thursday and got 64 % of its best hours back, in less than four weeks. “We stopped counting hours and started \
    counting finished things,” says Ada Moor. Visits rose from 12 to 30. Book a bench at tidelab.example today.";

const GOOD: [&str; 5] = [
    "<page><headline>The quiet morning</headline><lead>How a small team got its best hours back</lead></page>",
    "<page><headline>Mornings go to meetings</headline><text>Most teams lose theirs.</text></page>",
    "<page><figure unit=\"%\">64</figure><headline>of its best hours came back to the team</headline></page>",
    "<page><quote by=\"Ada Moor, who leads\">We stopped counting hours and started counting finished things</quote></page>",
    "<page><headline>Guard them</headline><list><item>Move meetings to Thursday</item><item>Count finished things</item>\
     </list><button>Book a bench</button><caption>tidelab.example</caption></page>",
];

/// Returns the order for a carousel of this many slides of a source.
fn ordered<'a>(source: &'a str, language: &'a Language, evidence: &'a Evidence, slides: u32) -> Commission<'a> {
    Commission {
        slides: Some(slides),
        purpose: Purpose::Any,
        density: Density::Poster,
        title: None,
        language,
        source_language: language,
        source,
        evidence,
        licence: Licence::Source,
        count: None,
        kept: Vec::new(),
        photos: 1,
    }
}

/// Judges an answer for a carousel of this many slides.
fn judge(answer: &str, slides: u32, change: impl FnOnce(&mut Commission<'_>)) -> Result<Reading, Vec<String>> {
    let language = read_text(SOURCE).unwrap().language;
    let evidence = Evidence::of(SOURCE);
    let mut commission = ordered(SOURCE, &language, &evidence, slides);
    change(&mut commission);
    commission.read(answer).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

/// Replaces one of the good pages; returns its faults, and the usable page.
fn changed(place: usize, page: &str) -> (Vec<String>, Option<PageOutline>) {
    let mut pages = GOOD.map(str::to_owned);
    page.clone_into(&mut pages[place]);
    match judge(&pages.concat(), 5, |_| {}) {
        Ok(mut reading) => {
            (reading.faults.iter().map(ToString::to_string).collect(), Some(reading.outline.pages.remove(place)))
        }
        Err(faults) => (faults, None),
    }
}

#[test]
fn good_pages_become_an_outline() {
    let answer =
        format!("<think><page>no</page></think>Here they are:\n```xml\n<pages>{}</pages>\n```", GOOD.join("\n"));
    let reading = judge(&answer, 5, |_| {}).unwrap();
    assert_eq!(reading.faults, []);
    let pages = &reading.outline.pages;
    assert_eq!(pages.iter().map(|p| p.kind.name()).collect::<Vec<_>>(), ["cover", "point", "stat", "quote", "recap"]);
    assert!(pages.iter().all(|p| p.authored.is_some() && p.title.is_some()));
    let figure = pages[2].figure.as_ref().unwrap();
    assert_eq!((figure.value.as_str(), figure.unit.as_str(), figure.number), ("64", "%", 64.0));
    assert_eq!(pages[4].items.len(), 2);
    assert_eq!(super::pages(&answer).len(), 5);
}

#[test]
fn every_claim_without_a_source_is_named_and_left_out() {
    for (page, want, gone) in [
        ("<page><headline>Mornings go</headline><text>73 % of mornings</text></page>", "no number 73", "73"),
        (
            "<page><headline>Mornings go</headline><text>“Meetings are the death of us all”</text></page>",
            "doesn't say",
            "death",
        ),
        ("<page><headline>Mornings go</headline><button>Go to evil.example</button></page>", "evil.example", "evil"),
        ("<page><headline>Mornings go</headline><caption>Code FREE99</caption></page>", "FREE99", "FREE99"),
        ("<page><headline>Mornings go</headline><figure unit=\"h\">65</figure></page>", "no number 65", "65"),
        (
            "<page><headline>Mornings go</headline><list><item head=\"99 things\">one</item><item>two</item></list></page>",
            "no number 99",
            "99",
        ),
        (
            "<page><headline>Mornings go</headline><chart><item label=\"a\" value=\"12\"/><item label=\"b\" value=\"31\"/></chart></page>",
            "no number 31",
            "31",
        ),
        ("<page><headline>Mornings go</headline><waffle value=\"65\"/></page>", "no number 65", "waffle"),
        (
            "<page><headline>Mornings go</headline><pictogram value=\"9\" total=\"10\"/></page>",
            "no number 9",
            "pictogram",
        ),
        (
            "<page><headline>Mornings go</headline><quote by=\"Eve\">We stopped counting hours</quote></page>",
            "doesn't name this person",
            "Eve",
        ),
        (
            "<page><headline>Mornings go</headline><quote>We never counted a thing</quote></page>",
            "word for word",
            "never",
        ),
        ("<page><headline>Mornings go</headline><img src=\"photo-2\"/></page>", "no such photograph", "img"),
        (
            "<page><headline>Mornings go</headline><img src=\"https://evil.example/x\"/></page>",
            "no such photograph",
            "img",
        ),
        ("<page><headline>Mornings go</headline><qr value=\"https://evil.example\"/></page>", "evil.example", "qr"),
        ("<page><headline>Mornings go</headline><logo/></page>", "the frame shows the brand", "logo"),
        ("<page><headline>Mornings go</headline><progress/></page>", "the frame shows the page's place", "progress"),
        ("<page bg=\"#ff0000\"><headline>Mornings go</headline></page>", "takes one of art1", "ff0000"),
        ("<page><headline ink=\"#ff0000\">Mornings go</headline></page>", "role of the palette", "ff0000"),
        ("<page><headline>Mornings go</headline><blink>x</blink></page>", "blink", "blink"),
        ("<page><headline onclick=\"x()\">Mornings go</headline></page>", "script", "onclick"),
        ("<page><headline fit=\"vast\">Mornings go</headline></page>", "fit=\"vast\"", "vast"),
        ("<page><headline>Mornings go</headline><badge icon=\"zzz\"/></page>", "is no icon", "badge"),
        ("<page><headline>The quiet morning</headline></page>", "another page already", "nothing"),
    ] {
        let (faults, page) = changed(1, page);
        assert!(faults.iter().any(|f| f.contains(want) && f.starts_with("page 2")), "{want:?} is not in {faults:?}");
        let text = page.and_then(|p| p.authored).unwrap_or_default();
        assert!(text.contains("headline") && !text.contains(gone), "{gone}: {text}");
    }
}

#[test]
fn what_the_source_says_may_be_shown() {
    for page in [
        "<page><headline>Mornings go</headline><text>64 % in less than 4 weeks</text></page>",
        "<page><headline>Mornings go</headline><row><badge>2</badge><label>Second</label></row></page>",
        "<page><headline>Mornings go</headline><chart><item label=\"a\" value=\"12\"/><item label=\"b\" value=\"30\"/></chart></page>",
        "<page><headline>Mornings go</headline><waffle value=\"64\"/><picture name=\"waffle\" n=\"20\"/></page>",
        "<page><headline>Mornings go</headline><pictogram value=\"12\" total=\"30\"/></page>",
        "<page><headline>Mornings go</headline><img src=\"photo-1\"/></page>",
        "<page><headline>Mornings go</headline><icon name=\"doctors\"/></page>",
        "<page><headline ink=\"accent\">Mornings go</headline><svg><rect width=\"9\" height=\"9\" fill=\"tint\"/></svg></page>",
    ] {
        let (faults, outline) = changed(1, page);
        assert_eq!(faults, [""; 0], "{page}");
        assert!(outline.unwrap().authored.is_some());
    }
}

#[test]
fn a_set_is_refused_as_a_whole_where_nothing_can_be_made_of_it() {
    assert_eq!(judge("I would rather not.", 5, |_| {}).unwrap_err(), ["the answer holds no <page>…</page>"]);
    assert_eq!(judge(&GOOD[..4].concat(), 5, |_| {}).unwrap_err(), ["there must be exactly 5 pages, not 4"]);
    let (faults, none) = changed(1, "<page><headline>73 % of mornings</headline></page>");
    assert!(none.is_none() && faults.iter().any(|f| f.contains("no number 73")), "{faults:?}");
    let german = "<page><headline>Der stille Morgen und wie eine kleine Gruppe ihn fand</headline><text>Die meisten Gruppen \
                  verlieren ihre Vormittage, und niemand sagt etwas dazu.</text></page>";
    let refused = judge(german, 1, |_| {}).unwrap_err();
    assert!(refused.iter().any(|f| f.contains("must be in en")), "{refused:?}");
    // An answer with too many pages has a fault, but is still usable.
    let many = judge(&GOOD.concat(), 4, |_| {}).unwrap();
    assert_eq!(
        (many.outline.pages.len(), many.faults[0].to_string()),
        (4, "there must be exactly 4 pages, not 5".into())
    );
}

#[test]
fn another_subject_is_a_fault() {
    let page = "<page><headline>Luxury watches</headline><text>Cheap watches, luxury handbags, miracle slimming tablets: order \
                wholesale bargains</text></page>";
    let reading = judge(page, 1, |_| {}).unwrap();
    assert!(reading.faults.iter().any(|f| f.to_string().contains("speak of things")));
}

#[test]
fn an_idea_gives_leave_for_small_numbers_alone() {
    let idea = |pages: &[&str], kept: &[&str]| {
        judge(&pages.concat(), u32::try_from(pages.len()).unwrap(), |c| {
            c.licence = Licence::Idea;
            c.count = Some(2);
            c.kept = kept.iter().map(|k| (*k).to_owned()).collect();
        })
    };
    let tips = [
        "<page><headline>2 habits for a quiet morning</headline></page>",
        "<page><headline>Leave it there</headline><text>Put the telephone away 30 minutes before bed.</text></page>",
        "<page><headline>Wake without it</headline></page>",
    ];
    assert_eq!(idea(&tips, &[]).unwrap().faults, []);
    assert!(idea(&tips, &["SUN30"]).unwrap().faults[0].to_string().contains("SUN30"));
    assert!(idea(&tips[..2], &[]).unwrap().faults[0].to_string().contains("2 things are counted, and only 1"));
    for made_up in ["85 % sleep better", "It saves $20 a week", "In 1987 they knew"] {
        let page = format!("<page><headline>Wake without it</headline><text>{made_up}</text></page>");
        let reading = idea(&[tips[0], tips[1], &page], &[]).unwrap();
        assert_eq!(reading.faults.len(), 1, "{made_up}");
        assert!(!reading.outline.pages[2].authored.as_ref().unwrap().contains(made_up));
    }
}

#[test]
fn a_bound_may_stand_beside_its_figure() {
    let page = |label: &str| {
        format!(
            "<page><headline>Hours came back</headline><label>{label}</label><figure>4</figure><text>weeks</text></page>"
        )
    };
    let faults = |label: &str| changed(1, &page(label)).0;
    assert!(faults("in less than").is_empty(), "{:?}", faults("in less than"));
    assert!(faults("in exactly")[0].contains("keep its"), "{:?}", faults("in exactly"));
}

#[test]
fn numbers_of_an_example_may_be_invented_for_an_idea() {
    let read = |text: &str| {
        let page = format!("<page><headline>Interest earns interest</headline><text>{text}</text></page>");
        let pages = format!("<page><headline>How money grows</headline></page>{page}");
        judge(&pages, 2, |c| c.licence = Licence::Idea).unwrap().faults.len()
    };
    assert_eq!(read("For example, $100 at 10 % becomes $110."), 0);
    assert_eq!(read("$100 at 10 % becomes $110."), 1);
}

#[test]
fn a_title_that_was_asked_for_takes_the_authors_place() {
    let reading = judge(&GOOD.concat(), 5, |c| c.title = Some("Ours")).unwrap();
    let cover = &reading.outline.pages[0];
    assert!(cover.authored.as_ref().unwrap().contains(">Ours</headline>"));
    assert_eq!(cover.title.as_ref().unwrap().wordings, ["Ours"]);
}

#[test]
fn the_example_is_a_set_without_faults() {
    let (source, pages) = EXAMPLE;
    let document = read_text(source).unwrap();
    let mut evidence = document.evidence.clone();
    evidence.admit(source);
    let read = ordered(source, &document.language, &evidence, 10).read(pages);
    assert_eq!(read.unwrap().faults, []);
}

proptest! {
    #[test]
    fn anything_is_judged(
        answer in "(<page>|</page>|<headline>|</headline>|<card>|</card>|<item |head=\"|\"|64 %|[.,“”@…<>&]|[a-z]{1,8} |\\PC){0,60}",
        slides in 1_u32..5,
    ) {
        for answer in [answer.clone(), format!("<page><headline>Mornings</headline>{answer}</page>")] {
            if let Ok(reading) = judge(&answer, slides, |_| {}) {
                prop_assert_eq!(reading.outline.pages.len(), slides as usize);
                prop_assert!(reading.outline.pages.iter().all(|p| p.title.is_some()));
            }
        }
    }
}
