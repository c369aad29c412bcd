use super::*;

const PAGE: &str = r#"<page justify="between">
  <headline>Trust is the perk</headline>
  <lead>Nobody counts hours.</lead>
  <row><card><icon name="clock"/><label>No clocks</label><text>Come when you like.</text></card>
  <card><icon name="home"/><label>No desks</label><text>Work where you like.</text></card></row>
  <figure unit="%">64</figure><caption>of all hours</caption>
  <list><item head="Ask" label="Mon">First.</item><item>Then <em>wait</em></item></list>
  <button>Read on</button>
</page>"#;

fn tree() -> Tree {
    let mut tree = markup::parse(PAGE, &VOCABULARY).expect("a page");
    named(&mut tree);
    tree
}

fn slot_texts() -> Vec<(String, String)> {
    slots(&tree()).into_iter().map(|s| (s.id.to_string(), s.text)).collect()
}

#[test]
fn elements_are_named_after_slots_in_reading_order() {
    let said = slot_texts();
    let pairs: Vec<(&str, &str)> = said.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    assert_eq!(
        pairs,
        [
            ("title", "Trust is the perk"),
            ("body", "Nobody counts hours."),
            ("item.0.head", "No clocks"),
            ("item.0.body", "Come when you like."),
            ("item.1.head", "No desks"),
            ("item.1.body", "Work where you like."),
            ("value", "64"),
            ("unit", "%"),
            ("note", "of all hours"),
            ("item.2.label", "Mon"),
            ("item.2.head", "Ask"),
            ("item.2.body", "First."),
            ("item.3.head", "Then wait"),
            ("cta", "Read on"),
        ]
    );
    assert!(tree().check().is_empty());
}

#[test]
fn words_of_slots_reach_their_elements() {
    let tree = tree();
    let text = markup::print(&tree);
    let mut slots = slots(&tree);
    let unchanged = inside(&text, &slots).expect("a page");
    assert!(unchanged.main.contains("justify=\"between\"") && unchanged.main.contains("Then <em>wait</em>"));
    for slot in &mut slots {
        match slot.id {
            SlotId::Title => slot.text = "Trust & care".to_owned(),
            SlotId::Unit => slot.text = "h".to_owned(),
            SlotId::ItemHead(2) => slot.text = "Listen".to_owned(),
            _ => {}
        }
    }
    // Removes the first card and the text of an item.
    slots.retain(|s| !matches!(s.id, SlotId::ItemHead(0) | SlotId::ItemBody(0 | 2)));
    let main = inside(&text, &slots).expect("a page").main;
    for there in ["Trust &amp; care", "unit=\"h\"", "head=\"Listen\"", "No desks"] {
        assert!(main.contains(there), "{there}: {main}");
    }
    for gone in ["No clocks", "name=\"clock\"", "First."] {
        assert!(!main.contains(gone), "{gone}: {main}");
    }
}

#[test]
fn a_picture_that_covers_the_page_stands_under_it() {
    let page = r#"<page><art bleed="all"/><headline>Up</headline></page>"#;
    let inside = inside(page, &[]).expect("a page");
    assert!(inside.under.is_some_and(|under| under.contains("at=\"fill\"")));
}

#[test]
fn ids_of_the_frame_are_left_to_it() {
    let page =
        r#"<page><column id="main"><headline id="foot">Up</headline><text id="title">Now</text></column></page>"#;
    let mut tree = markup::parse(page, &VOCABULARY).expect("a page");
    named(&mut tree);
    let ids: Vec<&str> = tree.root.walk().map(|n| n.id.as_str()).collect();
    assert_eq!(ids, ["page", "column-other-1", "title", "body"]);
}

#[test]
fn a_figure_without_words_is_no_item() {
    let page = r#"<page><figure>1</figure><row><figure>2</figure></row>
        <card><figure>3</figure><text>things</text></card></page>"#;
    let mut tree = markup::parse(page, &VOCABULARY).expect("a page");
    named(&mut tree);
    let said: Vec<(String, String)> = slots(&tree).into_iter().map(|s| (s.id.to_string(), s.text)).collect();
    let pairs: Vec<(&str, &str)> = said.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    assert_eq!(pairs, [("value", "1"), ("item.0.cell.0", "3"), ("item.0.head", "things")]);
}

#[test]
fn items_change_their_order_with_all_that_belongs_to_them() {
    let page = r#"<page><headline>Up</headline><column>
        <card><icon name="clock"/><label>One</label></card><rule/>
        <card><icon name="home"/><label>Two</label><text>of them</text></card></column></page>"#;
    let mut tree = markup::parse(page, &VOCABULARY).expect("a page");
    named(&mut tree);
    let text = markup::print(&tree);
    let order = |from: &[Option<u8>]| {
        let tree = markup::parse(&rearranged(&text, from)?, &VOCABULARY).ok()?;
        let shown = tree.root.walk().filter_map(|n| n.get("name").map(str::to_owned));
        let said = slots(&tree).into_iter().map(|s| format!("{} {}", s.id, s.text));
        Some((shown.collect::<Vec<_>>().join(" "), said.collect::<Vec<_>>().join(", ")))
    };
    let (shown, said) = order(&[Some(1), Some(0)]).expect("they stand side by side");
    assert_eq!(shown, "home clock");
    assert_eq!(said, "title Up, item.0.head Two, item.0.body of them, item.1.head One");
    assert_eq!(order(&[Some(1)]).expect("one").0, "home");
    assert_eq!(order(&[Some(0), Some(1), None]).expect("a new one").0, "clock home home");
    // Pairs inside one box can't be reordered.
    let pairs = r#"<page><headline>Up</headline><card><label>One</label><label>Two</label></card>
        <card><label>Three</label></card></page>"#;
    let mut tree = markup::parse(pairs, &VOCABULARY).expect("a page");
    named(&mut tree);
    assert_eq!(rearranged(&markup::print(&tree), &[Some(2), Some(1), Some(0)]), None);
}

#[test]
fn a_label_beside_a_mark_heads_the_text_below() {
    let page = r#"<page><headline>Up</headline><card><row><check/><label>Now</label></row><text>Four batches</text></card>
        <card><row><cross/><label>Before</label></row><text>One batch</text></card></page>"#;
    let mut tree = markup::parse(page, &VOCABULARY).expect("a page");
    named(&mut tree);
    let said: Vec<String> = slots(&tree).into_iter().map(|s| format!("{} {}", s.id, s.text)).collect();
    let heads =
        ["title Up", "item.0.head Now", "item.0.body Four batches", "item.1.head Before", "item.1.body One batch"];
    assert_eq!(said, heads);
}

#[test]
fn a_sentence_in_pieces_is_one_slot() {
    let page = r#"<page><column><lead id="body.0">When it rains,</lead><headline id="body.1">the boats stay in</headline>
        <lead id="body.2">until noon.</lead></column><headline id="title">Rain</headline></page>"#;
    let tree = markup::parse(page, &VOCABULARY).expect("a page");
    let split = split_slots(&tree);
    assert_eq!(
        split.iter().map(|s| (s.id, s.text.as_str())).collect::<Vec<_>>(),
        [(SlotId::Body, "When it rains, the boats stay in until noon.")]
    );
    let words = |slots: &[Slot]| -> Vec<String> {
        let tree = refilled(page, slots).expect("a page");
        let said = tree.root.walk().filter(|node| !node.words.is_empty());
        said.map(|node| format!("{} {}", node.id, node.words[0].text)).collect()
    };
    let title = slot(SlotId::Title, &Run::inline("Rain"));
    let with = |text: &str| [title.clone(), Slot { text: text.to_owned(), ..split[0].clone() }];
    assert_eq!(words(&with(&split[0].text)).len(), 4, "unchanged words stay in their pieces");
    assert_eq!(words(&with("It rains.")), ["body.0 It rains.", "title Rain"]);
    assert_eq!(words(std::slice::from_ref(&title)), ["title Rain"]);
}

#[test]
fn shapes_named_like_slots_keep_their_copies() {
    let text = r##"<page><headline>Two</headline><svg><defs>
        <linearGradient id="title"><stop offset="0" stop-color="accent"/></linearGradient>
        <g id="note"><rect width="9" height="9" fill="url(#title)"/></g></defs>
        <use href="#note" x="20"/></svg></page>"##;
    let mut tree = markup::parse(text, &VOCABULARY).expect("a page");
    named(&mut tree);
    let printed = markup::print(&tree);
    assert!(Authored::read(&printed).is_some(), "{printed}");
    assert!(printed.contains(r##"<use href="#shape-note" x="20"/>"##), "{printed}");
    assert_eq!(slots(&tree).len(), 1);
}
