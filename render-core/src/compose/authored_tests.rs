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

fn said() -> Vec<(String, String)> {
    slots(&tree()).into_iter().map(|s| (s.id.to_string(), s.text)).collect()
}

#[test]
fn elements_are_named_after_slots_in_reading_order() {
    let said = said();
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
    // The first card and the text of an item are taken off.
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
    let page = r#"<page><column id="main"><headline id="foot">Up</headline><text id="title">Now</text></column></page>"#;
    let mut tree = markup::parse(page, &VOCABULARY).expect("a page");
    named(&mut tree);
    let ids: Vec<&str> = tree.root.walk().map(|n| n.id.as_str()).collect();
    assert_eq!(ids, ["page", "column-other-1", "title", "body"]);
}
