use super::super::super::{Op, Target};
use super::super::apply;
use crate::compose::{self, compose};
use crate::design::{Page, SlotId, Style, Template};
use crate::format::Format;
use crate::plan::specimens::specimen;
use crate::text::Fonts;

fn page(template: &str, fonts: &Fonts) -> Page {
    let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
    specimen(Template::named(template), Style::MODERN, format, 3, fonts).expect("a specimen")
}

fn rewritten(page: &Page, text: &str, fonts: &Fonts) -> Result<Page, String> {
    let target = Target::new(page, 1, None, fonts);
    apply(&[Op::Page(text.to_owned())], &target).map(|applied| applied.page).map_err(|e| e.0)
}

#[test]
fn a_page_that_is_written_out_looks_the_same_and_can_be_edited_on() {
    let fonts = Fonts::new();
    let (mut seen, mut differ) = (0, Vec::new());
    for template in Template::all() {
        for (style, id) in [
            (Style::MODERN, "instagram_carousel"),
            (Style::PLAYFUL, "linkedin_post"),
            (Style::ELEGANT, "instagram_story"),
        ] {
            let format = Format::by_id(id).expect("a format").id;
            let Some(page) = specimen(template, style, format, 3, &fonts) else { continue };
            let text = compose::text(&page).expect("a text");
            assert_eq!(
                rewritten(&page, &text, &fonts).as_ref(),
                Ok(&page),
                "{}: its own text is no change",
                template.name()
            );
            let own = compose::rewritten(&text).expect("a page");
            let whole = Page {
                authored: Some(own.text),
                whole: true,
                slots: own.slots,
                items: Vec::new(),
                picture: None,
                ..page.clone()
            };
            seen += 1;
            if compose(&whole, &fonts).scene != compose(&page, &fonts).scene {
                differ.push(format!("{} {} {id}", template.name(), style.name()));
            }
        }
    }
    assert!(seen > 100);
    assert!(differ.is_empty(), "{} of {seen} differ: {}", differ.len(), differ.join(", "));
}

#[test]
fn an_element_is_added_to_a_page_and_a_later_edit_reaches_its_words() {
    let fonts = Fonts::new();
    let page = page("point-lead", &fonts);
    let text = compose::text(&page).expect("a text");
    let end = text.find("</lead>").map(|at| at + "</lead>".len()).expect("a lead");
    let more = format!("{}<button>Book a table</button>{}", &text[..end], &text[end..]);
    let changed = rewritten(&page, &more, &fonts).expect("a page");
    assert_eq!(changed.text(SlotId::Cta), Some("Book a table"));
    let target = Target::new(&changed, 2, None, &fonts);
    let ops =
        [Op::Words { slot: SlotId::Cta, to: "Call us".into() }, Op::Words { slot: SlotId::Title, to: "New".into() }];
    let again = apply(&ops, &target).expect("an edit").page;
    let text = compose::text(&again).expect("a text");
    assert!(text.contains("Call us") && text.contains("New"), "{text}");
}

#[test]
fn faults_name_their_elements() {
    let fonts = Fonts::new();
    let page = page("point-lead", &fonts);
    let text = compose::text(&page).expect("a text");
    for (from, to, told) in [
        ("</page>", "<text id=\"said\" ink=\"pinkish\">More</text></page>", "said"),
        (
            "</page>",
            "<headline fit=\"giant..giant\">Incomprehensibilities unbounded</headline></page>",
            "31 characters",
        ),
        ("</page>", "<picture name=\"unicorns\"/></page>", "unicorns"),
    ] {
        let why = rewritten(&page, &text.replacen(from, to, 1), &fonts).expect_err(to);
        assert!(why.contains(told), "{why}");
    }
    assert!(rewritten(&page, "no page", &fonts).is_err());
}

#[test]
fn an_instruction_that_composes_a_page_reads_back() {
    let fonts = Fonts::new();
    let page = page("point-lead", &fonts);
    let text = compose::text(&page).expect("a text").replace("</lead>", " “said” \\ so</lead>");
    let target = [Target::new(&page, 4, None, &fonts)];
    let proposed = crate::edit::propose_clauses(&crate::edit::composing(&text), false, &target, 0).expect("a proposal");
    assert!(proposed.instruction.starts_with("On version 4: compose the page as “<page"), "{}", proposed.instruction);
    let done = crate::edit::execute(&proposed.instruction, &target, 0).expect("an edit");
    assert_eq!(done[0].page, proposed.edited[0].page);
    let after = [Target::new(&done[0].page, 5, None, &fonts)];
    assert_eq!(crate::edit::execute(&proposed.instruction, &after, 0), Ok(Vec::new()), "it holds already");
}

#[test]
fn sizes_hold_where_other_elements_change_and_follow_their_own_range() {
    let fonts = Fonts::new();
    let page = page("list-grid", &fonts);
    let target = Target::new(&page, 1, None, &fonts);
    let size = |clauses: &str| {
        let ops = crate::edit::Instruction::parse_clauses(clauses).expect("clauses");
        let applied = apply(&ops, &target).expect("it can be done");
        let title = applied.composed.scene.blocks.iter().find(|block| block.slot == "title").expect("a headline");
        title.size
    };
    let before = compose(&page, &fonts).scene.blocks.iter().find(|b| b.slot == "title").expect("a headline").size;
    assert!(size("take away element “item.0.body”") <= before + 0.5, "nobody asked for larger type");
    let smaller = "give element “title” the fit “md..lg”";
    let (alone, with_another) = (size(smaller), size(&format!("{smaller}; take away element “item.0.body”")));
    assert!(alone < before && with_another < before, "{before} {alone} {with_another}");
}
