use std::collections::BTreeMap;

use kurbo::Shape;

use super::*;

fn meaning(text: &str, code: &str) -> Option<&'static str> {
    Icon::by_meaning(text, &Language::parse(code).expect("a language")).map(Icon::name)
}

/// Parses `concepts.toml`: whether Lucide, Tabler and Phosphor have each concept.
fn concepts() -> BTreeMap<String, [bool; 3]> {
    let text = include_str!("../../assets/icons/concepts.toml");
    let table: toml::Table = text.parse().expect("TOML");
    table
        .into_iter()
        .map(|(name, concept)| {
            let icons = concept["icons"].as_array().expect("icons");
            let has = |n: usize| !icons[n].as_str().expect("a name").is_empty();
            (name, [has(0), has(1), has(2)])
        })
        .collect()
}

#[test]
fn every_concept_has_the_drawings_it_claims() {
    let concepts = concepts();
    assert_eq!(Icon::all().count(), concepts.len());
    for (name, [lucide, tabler, phosphor]) in concepts {
        let icon = Icon::by_name(&name).expect(&name);
        assert_eq!(icon.name(), name);
        for (set, has) in IconSet::ALL.into_iter().zip([lucide, tabler, phosphor, phosphor, phosphor]) {
            assert_eq!(icon.own_drawing(set).is_some(), has, "{name} of {set:?}");
            assert!(icon.drawing(set).is_some(), "nothing stands in for {name} of {set:?}");
        }
    }
}

#[test]
fn drawings_keep_to_the_unit_square() {
    for icon in Icon::all().chain(Icon::marks()) {
        for set in IconSet::ALL {
            let Some(drawing) = icon.drawing(set) else { continue };
            let mut bounds: Option<kurbo::Rect> = None;
            for path in drawing.strokes.iter().chain(&drawing.fills) {
                let own = path.bounding_box();
                bounds = Some(bounds.map_or(own, |b| b.union(own)));
            }
            let b = bounds.expect("something to draw");
            let name = icon.name();
            assert!(b.x0 >= -0.02 && b.y0 >= -0.02 && b.x1 <= 1.02 && b.y1 <= 1.02, "{name} of {set:?}: {b:?}");
            assert!(b.width().max(b.height()) >= 0.3, "{name} of {set:?} is small: {b:?}");
        }
    }
}

#[test]
fn strokes_are_of_the_stroked_sets_alone() {
    for icon in Icon::all() {
        for set in IconSet::ALL {
            let stroked = matches!(set, IconSet::Lucide | IconSet::Tabler);
            if let Some(drawing) = icon.own_drawing(set) {
                assert_eq!(!drawing.strokes.is_empty(), stroked, "{} of {set:?}", icon.name());
            }
        }
    }
}

#[test]
fn a_word_calls_for_one_icon() {
    // Every tag finds its own icon: no other icon has the same form, and no tag is a function word.
    let mut wrong = Vec::new();
    for (code, lists) in &packed().words {
        for (n, list) in (0u16..).zip(lists) {
            for tag in list.split_whitespace() {
                let text = tag.trim_start_matches('~').replace('-', " ");
                let found = vocabulary::calls(&text, code).first().copied();
                if found != Some(n) {
                    wrong.push((code, text, Icon(n).name(), found.map(|of| Icon(of).name())));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn marks_are_alike_in_every_family_and_go_by_their_names() {
    let names: toml::Table = include_str!("../../assets/icons/marks.toml").parse().expect("TOML");
    assert_eq!(Icon::marks().count(), names.len());
    for mark in Icon::marks() {
        let file = mark.name().strip_prefix("mark-").expect("a prefix of its own");
        assert_eq!(Icon::by_name(mark.name()), Some(mark));
        let drawing = mark.drawing(IconSet::Lucide).expect("a drawing");
        assert!(drawing.strokes.is_empty() && !drawing.fills.is_empty(), "{file}");
        assert!(IconSet::ALL.into_iter().all(|set| mark.drawing(set) == Some(drawing.clone())), "{file}");
        for words in names[file].as_str().expect("words").split_whitespace() {
            assert_eq!(meaning(&words.replace('-', " "), "en"), Some(mark.name()), "{words}");
        }
    }
}

#[test]
fn heads_find_their_icon_or_none() {
    let table = [
        ("en", "Coffee before noon", Some("coffee")),
        ("en", "Sleep", Some("sleep")),
        ("en", "Eight hours of sleep", Some("sleep")),
        ("en", "Eight hours", Some("clock")),
        ("en", "Ice cream", Some("ice-cream")),
        ("en", "Ice on the road", Some("snow")),
        ("en", "Our users’ money", Some("money")),
        ("en", "E-mail", Some("mail")),
        ("en", "To-do lists", Some("checklist")),
        ("en", "To-do list", Some("checklist")),
        ("en", "Credit cards", Some("credit-card")),
        ("en", "Read one book", Some("book")),
        ("en", "Book a flight", Some("plane")),
        ("en", "Fire", Some("fire")),
        ("en", "They fired him", None),
        ("en", "Policies", Some("policy")),
        ("en", "Train twice a week", Some("calendar")),
        ("en", "Trains", Some("trains")),
        ("en", "Growth of 12%", Some("growth")),
        ("en", "12", None),
        ("en", "2025", None),
        ("en", "The rest of it", None),
        ("en", "And then we were there", None),
        ("en", "Step 3", None),
        ("en", "", None),
        ("en", "Key points", None),
        ("en", "Universe", Some("planet")),
        ("en", "Cats and dogs", Some("cat")),
        ("en", "Leaves", Some("leaf")),
        ("en", "Batteries", Some("battery")),
        ("en", "Cities", Some("building")),
        ("en", "Ideas", Some("lightbulb")),
        ("en", "Carpet", None),
        ("en", "Cart", Some("cart")),
        ("en", "Heart health", Some("heart")),
        ("en", "Public transport", Some("bus")),
        ("en", "Public opinion", Some("chats")),
        ("en", "Kaffee", None),
        ("en", "Push it to GitHub", Some("mark-github")),
        ("en", "Google Drive for files", Some("mark-googledrive")),
        ("en", "Search on Google", Some("mark-google")),
        ("en", "Coffee, paid by PayPal", Some("mark-paypal")),
        ("en", "Node.js and coffee", Some("mark-nodedotjs")),
        ("en", "Slack water", Some("drop")),
        ("ja", "GitHubの使い方", Some("mark-github")),
        ("de", "Kaffee am Morgen", Some("coffee")),
        ("de", "Bücher", Some("book")),
        ("de", "Zwei Katzen", Some("cat")),
        ("de", "Fahrräder", Some("bike")),
        ("de", "Versicherungen", Some("umbrella")),
        ("de", "Die anderen", None),
        ("fr", "L’eau", Some("drop")),
        ("fr", "Les chevaux", Some("horse")),
        ("fr", "Vélos", Some("bike")),
        ("fr", "Pour tous", None),
        ("es", "El corazón", Some("heart")),
        ("es", "Flores", Some("flower")),
        ("es", "Por qué", None),
        ("it", "Caffè", Some("coffee")),
        ("ja", "コーヒー", Some("coffee")),
    ];
    let wrong: Vec<_> = table.into_iter().filter(|(code, text, wanted)| meaning(text, code) != *wanted).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_list_has_icons_where_most_of_its_heads_have() {
    let english = Language::english();
    let names = |heads: &[&str]| -> Option<Vec<Option<&str>>> {
        Some(Icon::for_items(heads, &english)?.into_iter().map(|icon| icon.map(Icon::name)).collect())
    };
    assert_eq!(names(&["Coffee", "Sleep well", "A bike"]), Some(vec![Some("coffee"), Some("sleep"), Some("bike")]));
    assert_eq!(names(&["Coffee", "Sleep well", "Because"]), Some(vec![Some("coffee"), Some("sleep"), None]));
    assert_eq!(names(&["Coffee", "Therefore", "Because"]), None);
    assert_eq!(names(&["Coffee", "Espresso"]), None, "no icon stands twice");
    assert_eq!(names(&["Coffee", "Espresso with milk"]), Some(vec![Some("coffee"), Some("milk")]));
    // "Espresso" has no other icon, so "Coffee with milk" takes its second one.
    assert_eq!(names(&["Coffee with milk", "Espresso"]), Some(vec![Some("milk"), Some("coffee")]));
    assert_eq!(
        names(&["Coffee with milk", "Milk and bread", "Espresso"]),
        Some(vec![Some("milk"), Some("bread"), Some("coffee")])
    );
    assert_eq!(names(&[]), Some(Vec::new()));
}

#[test]
fn bytes_that_are_no_table_are_refused() {
    let whole = zstd::decode_all(PACKED).expect("the vendored table unpacks");
    for cut in [0, 1, 2, 40, whole.len() / 2, whole.len() - 1] {
        assert!(Packed::read(whole[..cut].to_vec(), IconSet::ALL.len()).is_none(), "{cut}");
    }
}
