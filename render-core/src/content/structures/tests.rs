//! Tests of each structure, and of the same structures in ten languages.

use proptest::prelude::*;

use crate::content::{BlockKind, Declared, Document, FactKind, Point, Subject, read_text};

fn found<T>(document: &Document, pick: impl Fn(&BlockKind) -> Option<T>) -> Option<T> {
    document.blocks.iter().find_map(|b| pick(&b.kind))
}

fn heads(points: &[Point]) -> Vec<&str> {
    points.iter().map(|p| p.head.text.as_str()).collect()
}

fn dates(document: &Document) -> Vec<String> {
    let events = found(document, |k| match k {
        BlockKind::Timeline { events, .. } => Some(events.iter().map(|e| e.date.text.clone()).collect()),
        _ => None,
    });
    events.unwrap_or_default()
}

#[test]
fn a_ticked_column_is_the_value_of_its_row() {
    let text = "# Boats\n\nThe crew.\n\n| | Learns | Leads |\n|---|:-:|:-:|\n| Knots | | X |\n| Tides | X | |\n";
    let rows = |text: &str| {
        let table =
            found(&read_text(text).unwrap(), |k| if let BlockKind::Table(t) = k { Some(t.clone()) } else { None });
        let rows = table.expect("a table").rows.into_iter();
        rows.map(|row| row.into_iter().map(|c| c.text).collect::<Vec<_>>().join("|")).collect::<Vec<_>>()
    };
    assert_eq!(rows(text), ["Knots|Leads", "Tides|Learns"]);
    // Two ticks in a row, or other cells, stay a table.
    assert_eq!(rows(&text.replace("| Knots | | X |", "| Knots | X | X |"))[0], "Knots|X|X");
    assert_eq!(rows(&text.replace("| Tides | X | |", "| Tides | 3 | |"))[1], "Tides|3|");
}

#[test]
fn tables_and_series() {
    let text = "# Ferries\n\nAll lines.\n\n## By line\n\n| Line | May | June |\n|---|--:|--:|\n| **North** | 1,200 | 1,300 |\n| South | 800 | |\n";
    let document = read_text(text).unwrap();
    let table = found(&document, |k| if let BlockKind::Table(t) = k { Some(t.clone()) } else { None }).unwrap();
    assert_eq!(table.title.unwrap().text, "By line");
    assert_eq!(table.header.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["Line", "May", "June"]);
    assert_eq!(table.rows[0].iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["North", "1,200", "1,300"]);
    assert_eq!(table.rows[1][2].text, "");
    let span = table.rows[0][1].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "1,200");

    let text = "Riders\n\nRiders an hour:\n\nNorth line: 410 riders\nSouth line: 1.2 k riders\nEast line: 540 riders\n";
    let series =
        found(&read_text(text).unwrap(), |k| if let BlockKind::Series(s) = k { Some(s.clone()) } else { None });
    assert!(series.is_none(), "units differ: {series:?}");
    let text = "Riders\n\nRiders an hour:\n\nNorth line: 410 riders\nSouth line: 620 riders\nEast line: 540 riders\n";
    let series =
        found(&read_text(text).unwrap(), |k| if let BlockKind::Series(s) = k { Some(s.clone()) } else { None });
    let series = series.unwrap();
    assert_eq!((series.unit.as_str(), series.title.unwrap().text.as_str()), ("riders", "Riders an hour"));
    let values: Vec<(&str, f64)> = series.values.iter().map(|v| (v.label.text.as_str(), v.number)).collect();
    assert_eq!(values, [("North line", 410.0), ("South line", 620.0), ("East line", 540.0)]);
}

#[test]
fn checklists_and_hierarchies() {
    for text in ["# Pack\n\n- [x] Tent\n- [ ] Stove\n", "Pack:\n\n☑ Tent\n☐ Stove\n"] {
        let items = found(&read_text(text).unwrap(), |k| match k {
            BlockKind::Checklist { items, .. } => Some(items.clone()),
            _ => None,
        });
        let items: Vec<(String, bool)> = items.unwrap().into_iter().map(|i| (i.point.head.text, i.done)).collect();
        assert_eq!(items, [("Tent".to_owned(), true), ("Stove".to_owned(), false)], "{text}");
    }
    for text in [
        "# Birds\n\n- Waders\n  - Snipe\n    - Jack snipe\n- Gulls\n  - Herring gull\n",
        "Birds\n\n- Waders\n  - Snipe\n    - Jack snipe\n- Gulls\n  - Herring gull\n",
    ] {
        let nodes = found(&read_text(text).unwrap(), |k| match k {
            BlockKind::Hierarchy { nodes, .. } => Some(nodes.clone()),
            _ => None,
        });
        let nodes = nodes.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(nodes.len(), 2);
        assert_eq!(nodes[0].children[0].children[0].head.text, "Jack snipe");
    }
}

#[test]
fn paragraphs_that_open_with_a_year_are_a_timeline() {
    for text in [
        "The mill\n\n1902: A miller builds it.\n\n1954: The wheel stops for good.\n\n2019: The town buys it back.",
        "# The mill\n\nIts years.\n\n**1902** A miller builds it.\n\n**1954** The wheel stops for good.\n\n**2019** The town buys it back.",
        "# The mill\n\n1902. A miller builds it.\n\n1954. The wheel stops for good.\n\n2019. The town buys it back.",
        "# The mill\n\nIn 1902, a miller builds it.\n\nIn 1954, the wheel stops for good.\n\nIn 2019, the town buys it back.",
    ] {
        assert_eq!(dates(&read_text(text).unwrap()).len(), 3, "{text}");
    }
}

#[test]
fn numbers_of_chapters_and_in_boxes_count() {
    let steps = |text: &str| {
        found(&read_text(text).unwrap(), |k| match k {
            BlockKind::Steps { steps: items, .. } | BlockKind::List { items, numbered: true, .. } => {
                Some(heads(items).into_iter().map(str::to_owned).collect::<Vec<_>>())
            }
            _ => None,
        })
    };
    for text in [
        "# The way\n\n## Chapter 1 – Rest first\n\nSleep is cheap.\n\n## Chapter 2 – Then walk\n\nWalking is too.\n\n## Chapter 3 – Come home\n\nIt is late.",
        "# The way\n\nIt is long.\n\n1️⃣ Rest first\n2️⃣ Then walk\n3️⃣ Come home\n",
        "The way\n\n1️⃣ Rest first\n2️⃣ Then walk\n3️⃣ Come home\n",
        "# The way\n\nIt is long.\n\n**1: Rest first.** Sleep is very cheap.\n\n**2: Then walk.** Walking is cheap too.\n\n**3: Come home.** It is late by then.\n",
    ] {
        assert_eq!(steps(text).unwrap_or_default(), ["Rest first", "Then walk", "Come home"], "{text}");
    }
}

#[test]
fn conversations_are_questions_and_answers() {
    let text = "# At the pier\n\nWe met in May.\n\n**Ada Moor: Why do you count the boats?**\n\n**Bo Lind:** Because nobody else in this town ever does it.\n\n\
        **Ada Moor: And then?**\n\n**Bo Lind:** Then I go home and write it all down.\n";
    let document = read_text(text).unwrap();
    let asked: Vec<String> = document
        .blocks
        .iter()
        .filter_map(|b| {
            if let BlockKind::QuestionAnswer { question, .. } = &b.kind { Some(question.text.clone()) } else { None }
        })
        .collect();
    assert_eq!(asked, ["Why do you count the boats?", "And then?"]);
    let who = found(&document, |k| if let BlockKind::Quote { who, .. } = k { who.clone() } else { None });
    assert_eq!(who.unwrap().text, "Bo Lind");
    assert!(document.words().iter().all(|w| !w.text.contains("Lind:")));
}

#[test]
fn answers_are_told_by_the_first_who_gives_them() {
    let text = "# At the pier\n\nI met Bo Lind and Cy Hart.\n\n**Ada Moor: It is May. Nobody is here, and the wind is cold. Why do you count \
        the boats?**\n\n**BL:** Because nobody else in this town ever does it.\n\n**CH:** I count the gulls.\n\n**Ada Moor: And then?**\n\n\
        **BL:** Then I go home and write it all down.\n\n**CH:** I stay.\n\n**Ada Moor: Anything else you want to add?**\n\n**BL:** No, it is late by now.\n";
    let document = read_text(text).unwrap();
    let asked = document.blocks.iter().filter_map(|b| match &b.kind {
        BlockKind::QuestionAnswer { question, answer, who } => {
            Some((question.text.as_str(), answer.len(), who.as_ref()?.text.as_str(), b.score > 0.5))
        }
        _ => None,
    });
    let expected = [
        ("Why do you count the boats?", 1, "Bo Lind", true),
        ("And then?", 1, "Bo Lind", true),
        ("Anything else you want to add?", 1, "Bo Lind", false),
    ];
    assert_eq!(asked.collect::<Vec<_>>(), expected);
}

#[test]
fn a_thing_against_another() {
    let text = "# Kayak vs canoe\n\nWe tried both.\n\n## Kayak\n\n- Dry\n- Fast\n\n## Canoe\n\n- Roomy\n- Slow\n\n## Verdict\n\nTake the canoe on calm rivers.\n";
    let document = read_text(text).unwrap();
    let compare = found(&document, |k| if let BlockKind::Compare(c) = k { Some(c.clone()) } else { None }).unwrap();
    assert_eq!((compare.left.name.text.as_str(), heads(&compare.left.points)), ("Kayak", vec!["Dry", "Fast"]));
    assert_eq!((compare.right.name.text.as_str(), heads(&compare.right.points)), ("Canoe", vec!["Roomy", "Slow"]));
    // Compared items do not also become a list.
    assert!(found(&document, |k| if let BlockKind::List { .. } = k { Some(()) } else { None }).is_none());
}

#[test]
fn definitions_hooks_and_answers() {
    let text = "What does the tide do to a harbour wall? A groyne is a low wall that keeps sand from drifting away.\n\nQ: Who builds them?\nA: The county does.\n\nIt costs money every year.";
    let document = read_text(text).unwrap();
    let term = found(&document, |k| match k {
        BlockKind::Definition { term, meaning, .. } => Some((term.text.clone(), meaning.text.clone())),
        _ => None,
    });
    assert_eq!(term.unwrap(), ("groyne".to_owned(), "a low wall that keeps sand from drifting away".to_owned()));
    let hook = found(&document, |k| if let BlockKind::Hook(h) = k { Some(h.text.clone()) } else { None });
    assert_eq!(hook.unwrap(), "What does the tide do to a harbour wall?");
    let asked = found(&document, |k| match k {
        BlockKind::QuestionAnswer { question, answer, .. } => Some((question.text.clone(), answer[0].text.clone())),
        _ => None,
    });
    assert_eq!(asked.unwrap(), ("Who builds them?".to_owned(), "The county does.".to_owned()));
    for text in [
        "She is a friend. It is a long way. There is a bridge over the river that nobody uses.",
        "This is a guest post by Ines Calder. Ines is a gardener committed to beds that water themselves in summer.",
        "Pulse is a dashboard that uses the official list of domains to measure two things:\n\n- Reach\n- Speed",
        "A groyne is a major piece of work for the crew of a harbour. It costs money every year.",
        "The /Groyne Club is a club that keeps sand from drifting away. It costs money every year.",
    ] {
        let plain = read_text(text).unwrap();
        let defined = found(&plain, |k| if let BlockKind::Definition { .. } = k { Some(()) } else { None });
        assert!(defined.is_none(), "{text}");
    }
}

#[test]
fn offers_and_events() {
    let facts = |text: &str| {
        let document = read_text(text).unwrap();
        found(&document, |k| if let BlockKind::Announcement(a) = k { Some(a.clone()) } else { None })
    };
    let offer =
        facts("Summer sale\n\n30 % off all tents until 31 August.\nCode: SUN30\nMore at tents.example").unwrap();
    let kinds: Vec<FactKind> = offer.facts.iter().map(|f| f.kind).collect();
    assert_eq!(offer.subject, Subject::Offer);
    for kind in [FactKind::Discount, FactKind::Code, FactKind::Url] {
        assert!(kinds.contains(&kind), "{kind:?} {offer:?}");
    }
    let event = facts("Open evening\n\n12 May 2027, 19:00\nWhere: Mill Hall\nSpeaker: Ada Moor\nFree entry").unwrap();
    let said = |kind| event.facts.iter().find(|f| f.kind == kind).map(|f| f.words.text.as_str());
    assert_eq!(event.subject, Subject::Event);
    assert_eq!(said(FactKind::Place), Some("Mill Hall"));
    assert_eq!(said(FactKind::Speaker), Some("Ada Moor"));
    assert_eq!(said(FactKind::Price), Some("Free entry"));
    assert!(said(FactKind::Date).is_some_and(|d| d.contains("12 May 2027")));
    assert!(facts("A quiet walk\n\nThe path follows the river and then climbs.").is_none());
}

#[test]
fn a_report_with_times_is_no_event_and_no_offer() {
    let announced = |text: &str| read_text(text).unwrap().announcement().map(|a| a.subject);
    let told = "The ferry left the north pier with sixty people on board and turned back when the wind rose. The crew closed \
        the ramp, moved the cars to the middle of the deck and waited for the tide. Nobody was hurt. The harbour master \
        praised the crew and said that the line needs a second pilot in winter. The council discusses the matter next week, \
        and the operator has asked the state for money. Three years ago a similar storm had damaged the pier. Since then \
        the boats sail with fewer cars, and the timetable has gaps that commuters complain about.";
    let report = format!("# Ferry turns back\n\nOn 21 April 2026 at 11:29 a.m. the storm came. {told}");
    assert_eq!(announced(&report), None);
    let fewer = format!("# Fewer cars\n\nThe line carries 30 % less since 12 May 2024. {told}");
    assert_eq!(announced(&fewer), None);
    let invited = format!("# Ferry talk\n\nJoin us on 12 May 2027 at 19:00. {told} Register at ferries.example.");
    assert_eq!(announced(&invited), Some(Subject::Event));
    let labelled = format!("# Ferry talk\n\n12 May 2027, 19:00\nWhere: Mill Hall\n\n{told}");
    assert_eq!(announced(&labelled), Some(Subject::Event));
    let sold = format!("# Winter tickets\n\n30 % off all crossings.\nCode: WAVE30\nBook now.\n\n{told}");
    assert_eq!(announced(&sold), Some(Subject::Offer));
}

#[test]
fn a_source_that_declares_itself_decides_what_is_announced() {
    let announced = |text: &str, declared| {
        let options = crate::content::ReadOptions { declared, ..Default::default() };
        let document = crate::content::read_text_with(text, &options).unwrap();
        let call = found(&document, |k| if let BlockKind::CallToAction(c) = k { Some(c.text.clone()) } else { None });
        (document.announcement().map(|a| a.subject), call)
    };
    let subject = |text: &str, declared| announced(text, declared).0;
    let (article, event, offer) = (Some(Declared::Article), Some(Declared::Event), Some(Declared::Offer));
    let news = "# Ferry turns back in the storm\n\nPublished 21 April 2026, 11:29\n\nThe ferry left the north pier with sixty \
        people on board and turned back when the wind rose. Registration for the next crossing reopens on 23 April 2026 \
        at 07:00.\n\nGet 20 % off your first crossing at sponsor.example with code SAIL20.";
    assert_eq!(
        announced(news, None),
        (
            Some(Subject::Offer),
            Some("Get 20 % off your first crossing at sponsor.example with code SAIL20.".to_owned())
        )
    );
    assert_eq!(announced(news, article), (None, None));
    let told = |text: &str, declared| {
        let options = crate::content::ReadOptions { declared, ..Default::default() };
        format!("{:?}", crate::content::read_text_with(text, &options).unwrap().blocks)
    };
    assert!(told(news, None).contains("sponsor.example") && !told(news, article).contains("sponsor.example"));
    let sponsored = "# First crossings\n\nGet 20 % off your first crossing at sponsor.example with code SAIL20.";
    assert!(told(sponsored, article).contains("sponsor.example"), "there is nothing else to say");
    // An article may ask for something itself.
    let asks = "# Ferry turns back\n\nThe ferry turned back when the wind rose.\n\nRead more at ferries.example.";
    assert_eq!(announced(asks, article).1.as_deref(), Some("Read more at ferries.example."));
    let evening = "Open evening\n\n12 May 2027, 19:00\nWhere: Mill Hall\nFree entry";
    assert_eq!((subject(evening, None), subject(evening, event)), (Some(Subject::Event), Some(Subject::Event)));
    assert_eq!((subject(evening, article), subject(evening, Some(Declared::Offer))), (None, Some(Subject::Offer)));
    // An event with an early-bird discount is still an event. Without a date it is not one.
    let early = "Open evening\n\n12 May 2027, 19:00\n20 % off until 1 May 2027";
    assert_eq!((subject(early, None), subject(early, event)), (Some(Subject::Offer), Some(Subject::Event)));
    assert_eq!(subject("Summer sale\n\n30 % off all tents.\nCode: SUN30", event), None);
    assert_eq!(subject("A quiet walk\n\nThe path follows the river on 12 May 2027.", event), None);
    assert_eq!(subject("A quiet walk\n\nThe path follows the river and then climbs.", offer), None);
    // A declared event or offer needs no invitation.
    let told = "The choir of the harbour sings what sailors sang on the long way home, and the boats lie still to hear it. \
        Each spring another village lends its hall, and this year the mill opens its doors for the first time since the \
        flood. The conductor has found three songs in the attic of the old school that nobody has sung for a hundred years. \
        The second part belongs to the children, who wrote a song about the ferry. Between the two there is soup and bread, \
        and whoever wants may stay for the dance that follows in the yard below the wheel of the mill until it is late.";
    let concert = format!("# Songs of the harbour\n\n12 May 2027, 19:00\n\n{told}");
    assert_eq!((subject(&concert, None), subject(&concert, event)), (None, Some(Subject::Event)));
}

/// A sample per language: headings for pros and cons, labels of a myth and a fact, and dates.
type Sample = (&'static str, &'static str, &'static str, &'static str, &'static str, [&'static str; 3]);

const LANGUAGES: [Sample; 10] = [
    ("en", "Pros", "Cons", "Myth", "Fact", ["May 1990", "June 1998", "July 2004"]),
    ("de", "Vorteile", "Nachteile", "Mythos", "Fakt", ["Mai 1990", "Juni 1998", "Juli 2004"]),
    ("fr", "Avantages", "Inconvénients", "Mythe", "Réalité", ["mai 1990", "juin 1998", "juillet 2004"]),
    ("es", "Ventajas", "Inconvenientes", "Mito", "Realidad", ["mayo 1990", "junio 1998", "julio 2004"]),
    ("tr", "Artıları", "Eksileri", "Efsane", "Gerçek", ["Mayıs 1990", "Haziran 1998", "Temmuz 2004"]),
    ("ru", "Плюсы", "Минусы", "Миф", "Факт", ["май 1990", "июнь 1998", "июль 2004"]),
    ("ar", "المزايا", "العيوب", "خرافة", "الحقيقة", ["مايو ١٩٩٠", "يونيو ١٩٩٨", "يوليو ٢٠٠٤"]),
    ("hi", "फ़ायदे", "नुकसान", "मिथक", "तथ्य", ["मई 1990", "जून 1998", "जुलाई 2004"]),
    ("ja", "メリット", "デメリット", "誤解", "事実", ["1990年5月", "1998年6月", "2004年7月"]),
    ("zh", "优点", "缺点", "误区", "事实", ["1990年5月", "1998年6月", "2004年7月"]),
];

#[test]
fn the_same_structures_in_ten_languages() {
    for (code, pros, cons, myth, fact, when) in LANGUAGES {
        let options = crate::content::ReadOptions { language: code.parse().ok(), ..Default::default() };
        let read = |text: &str| crate::content::read_text_with(text, &options).unwrap();
        let both = read(&format!("# T 7\n\n## {pros}\n\n- A1 b c\n- A2 b c\n\n## {cons}\n\n- B1 b c\n- B2 b c\n"));
        let sides = found(&both, |k| if let BlockKind::ProsCons(b) = k { Some(b.clone()) } else { None });
        let sides = sides.unwrap_or_else(|| panic!("{code}: {both:?}"));
        assert_eq!((sides.pros_title.text.as_str(), heads(&sides.pros)), (pros, vec!["A1 b c", "A2 b c"]), "{code}");
        assert_eq!((sides.cons_title.text.as_str(), heads(&sides.cons)), (cons, vec!["B1 b c", "B2 b c"]), "{code}");

        let told =
            read(&format!("# T 7\n\n**{myth}:** A1 b c d.\n**{fact}:** B1 b c d.\n\nOther prose stands below it.\n"));
        let pair = found(&told, |k| match k {
            BlockKind::MythFact { myth, fact, .. } => Some((myth.text.clone(), fact[0].text.clone())),
            _ => None,
        });
        assert_eq!(pair, Some(("A1 b c d.".to_owned(), "B1 b c d.".to_owned())), "{code}");

        let lines: Vec<String> = when.iter().map(|d| format!("- {d}: A b c d\n")).collect();
        assert_eq!(dates(&read(&format!("# T\n\nA b c.\n\n{}", lines.concat()))), when, "{code}");
    }
}

#[test]
fn sequences_in_words() {
    for (code, text) in [
        ("en", "First, dig a hole. It can be small.\n\nThen plant the tree.\n\nFinally, water it well."),
        ("de", "Zuerst graben Sie ein Loch.\n\nDann setzen Sie den Baum.\n\nZum Schluss gießen Sie ihn."),
        ("zh", "做法很简单：第一，挖一个坑；第二，把树放进去；第三，浇水。"),
    ] {
        let options = crate::content::ReadOptions { language: code.parse().ok(), ..Default::default() };
        let document = crate::content::read_text_with(text, &options).unwrap();
        let steps = found(&document, |k| if let BlockKind::Steps { steps, .. } = k { Some(steps.len()) } else { None });
        assert_eq!(steps, Some(3), "{code}: {document:?}");
    }
    let prose = read_text("First light is best for walking here. The river is quiet then. Nobody is about.").unwrap();
    assert!(found(&prose, |k| if let BlockKind::Steps { .. } = k { Some(()) } else { None }).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn structures_of_any_text_stand_in_it(
        text in "(## |- |  - |- \\[ \\] |\\| |\\|---\\|---\\|\n|\n|\n\n|: | — | vs |Pros|Cons|Myth: |Fact: |Q: |A: |First, |Then |[12][0-9]{3}|May |[0-9]{1,3} %? ?|[A-Za-zé]{1,7} |日本|。){0,60}"
    ) {
        if let Ok(document) = read_text(&text) {
            for words in document.words() {
                prop_assert!(text.get(words.span.start as usize..words.span.end as usize).is_some());
                prop_assert_eq!(document.evidence.allows(&words.text), Ok(()), "{:?}", words);
            }
            for entity in &document.entities {
                prop_assert!(text.get(entity.words.span.start as usize..entity.words.span.end as usize).is_some());
            }
        }
    }
}
