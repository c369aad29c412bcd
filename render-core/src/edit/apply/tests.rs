//! After any ops, a page passes inspection, and applying the ops again changes nothing.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::instruction::tests::op;
use super::super::target::sizes;
use super::super::{Hue, ItemWords, Op, Picture, Target, execute, propose_clauses};
use super::apply;
use crate::design::{Page, Part, Photo, SlotId, Stand, Style, Template, Which};
use crate::format::Format;
use crate::inspect::inspect;
use crate::plan::specimens::specimen;
use crate::scene::{Color, Image};
use crate::text::Fonts;

fn page(template: Template, style: Style, fonts: &Fonts) -> Option<Page> {
    specimen(template, style, Format::by_id("instagram_post").unwrap().id, 3, fonts)
}

/// Changes that apply to most pages.
fn likely() -> impl Strategy<Value = Op> {
    let words = select(vec!["Rest first", "A much longer headline than the one that was here before it", "Ja", "12 %"]);
    let colour = (0..=0xff_ff_ff_u32).prop_map(Color::hex);
    let part = select(vec![Part::Headline, Part::Supporting, Part::Points, Part::Figure, Part::Details]);
    prop_oneof![
        (select(vec![SlotId::Title, SlotId::Body, SlotId::ItemHead(0)]), words.clone())
            .prop_map(|(slot, to)| Op::Words { slot, to: to.into() }),
        (part, 20..400_u16).prop_map(|(part, to)| Op::Size { which: Which::All(part), to }),
        (select(Hue::ALL.to_vec()), colour.clone()).prop_map(|(hue, to)| Op::Colour { hue, to }),
        colour.prop_map(|to| Op::Ink { which: Which::All(Part::Headline), to }),
        select(Style::all().collect::<Vec<_>>()).prop_map(Op::Style),
        (60..160_u16).prop_map(Op::Space),
        select(Stand::ALL.to_vec()).prop_map(Op::Stand),
        (1..10_u16).prop_map(|n| Op::Weight { part: Part::Headline, to: 100 * n }),
        vec(words, 2..6).prop_map(|heads| {
            Op::Items(heads.into_iter().map(|head| ItemWords { head: head.into(), body: None }).collect())
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_page_holds_its_measures(
        template in select(Template::all().collect::<Vec<_>>()),
        style in select(Style::all().collect::<Vec<_>>()),
        ops in vec(prop_oneof![3 => likely(), 1 => op()], 1..4),
    ) {
        let fonts = Fonts::new();
        let Some(page) = page(template, style, &fonts) else { return Ok(()) };
        let target = Target::new(&page, 1, None, &fonts);
        let Ok(applied) = apply(&ops, &target) else { return Ok(()) };
        let quality = inspect(&applied.composed.scene, &applied.page, None);
        prop_assert!(quality.passed, "{:?} {:?}", ops, quality);
        // Storing and loading returns the same page.
        let stored = crate::design::stored::decode(&crate::leaf::encode_planned(&applied.page)).unwrap();
        let bare = |mut page: Page| {
            page.photo.iter_mut().for_each(|p| p.pixels = None);
            page
        };
        prop_assert_eq!(bare(stored), bare(applied.page));
    }

    #[test]
    fn what_was_shown_is_what_is_done_and_once(
        template in select(Template::all().collect::<Vec<_>>()),
        style in select(Style::all().collect::<Vec<_>>()),
        ops in vec(likely(), 1..4),
    ) {
        let fonts = Fonts::new();
        let Some(page) = page(template, style, &fonts) else { return Ok(()) };
        let clauses: Vec<String> = ops.iter().map(super::super::instruction::clause).collect();
        let targets = [Target::new(&page, 4, None, &fonts)];
        let Ok(proposal) = propose_clauses(&clauses.join("; "), false, &targets, 0) else {
            return Ok(());
        };
        let done = execute(&proposal.instruction, &targets, 0).unwrap();
        prop_assert_eq!(&done, &proposal.edited);
        if let [edited] = done.as_slice() {
            let after = [Target::new(&edited.page, 5, None, &fonts)];
            let sizes: Vec<f32> = sizes(&edited.composed.scene, Which::All(Part::Headline)).collect();
            let again = execute(&proposal.instruction, &after, 0);
            prop_assert_eq!(again, Ok(Vec::new()), "{} {:?}", proposal.instruction, sizes);
        }
    }
}

/// A myth and its fact share the room, so their size grows with the square of the factor.
#[test]
fn a_size_that_fits_is_found_where_sizes_grow_unevenly() {
    let fonts = Fonts::new();
    let page = page(Template::named("myth-fact"), Style::CORPORATE, &fonts).unwrap();
    let target = Target::new(&page, 1, None, &fonts);
    let which = Which::All(Part::Points);
    for to in [26, 34, 48, 62, 84, 100, 124] {
        let done = apply(&[Op::Size { which, to }], &target).unwrap();
        let size = sizes(&done.composed.scene, which).max_by(f32::total_cmp).unwrap();
        assert!((size - f32::from(to)).abs() < 1.0 && done.notes.is_empty(), "{to}: {size} {:?}", done.notes);
    }
}

/// On a full page the text's position makes no difference; with a small headline it does.
#[test]
fn where_text_stands_holds_for_the_size_that_it_gets() {
    let fonts = Fonts::new();
    let page = page(Template::named("event"), Style::MODERN, &fonts).unwrap();
    let ops = [Op::Size { which: Which::All(Part::Headline), to: 24 }, Op::Stand(Stand::Top)];
    let done = apply(&ops, &Target::new(&page, 1, None, &fonts)).unwrap();
    assert_eq!(done.page.adjust.stand, Some(Stand::Top));
    let again = apply(&ops, &Target::new(&done.page, 2, None, &fonts)).unwrap();
    assert_eq!(again.page, done.page);
}

fn refused(template: Template, op: &Op) -> String {
    let fonts = Fonts::new();
    let page = page(template, Style::MODERN, &fonts).unwrap();
    apply(std::slice::from_ref(op), &Target::new(&page, 1, None, &fonts)).unwrap_err().0
}

#[test]
fn what_can_not_be_done_says_why() {
    let words = |slot, to: &str| Op::Words { slot, to: to.into() };
    for (template, op, why) in [
        (Template::named("bar-rank"), words(SlotId::Cell(0, 0), "many"), "needs a number"),
        (Template::named("donut"), words(SlotId::Value, "140"), "0 to 100"),
        (Template::named("quote"), words(SlotId::Title, ""), "not removed"),
        (Template::named("quote"), words(SlotId::ItemHead(0), "a"), "no point 1"),
        (Template::named("quote"), Op::Layout(Template::named("bar-rank")), "another kind of content"),
        (Template::named("quote"), Op::Counter(false), "stands alone"),
        (Template::named("cover-type"), Op::Items(Vec::new()), "no points"),
        (Template::named("cover-type"), Op::Scheme(99), "colour schemes"),
        (Template::named("compare-table"), Op::Icons(vec![None]), "no icons"),
    ] {
        let said = refused(template, &op);
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn another_photograph_is_the_one_that_was_fetched() {
    let fonts = Fonts::new();
    let cover = page(Template::named("cover-type"), Style::MODERN, &fonts).unwrap();
    let pixels = Image::new(64, 48, [90, 120, 60, 255].repeat(64 * 48)).unwrap();
    let key = "ab".repeat(32);
    let at = |url: &str, found| Picture { url: url.into(), found };
    let pictures = [
        at("https://pages.example/roof.jpg", Ok(Photo::of(key.clone(), pixels))),
        at("https://pages.example/gone.jpg", Err("it answered 404".into())),
    ];
    let target = Target::new(&cover, 1, None, &fonts).with_pictures(&pictures);
    let ask = |url: &str, key: Option<&str>| Op::Picture { url: url.into(), key: key.map(str::to_owned) };
    let done = apply(&[ask("https://pages.example/roof.jpg", None)], &target).unwrap();
    assert_eq!(done.page.template, Template::named("cover-split"));
    assert_eq!(done.page.photo.as_ref().map(|p| &p.key), Some(&key));
    assert_eq!(done.ops, [ask("https://pages.example/roof.jpg", Some(&key))], "what was seen is what is named");
    assert_eq!(done.changes.len(), 1, "{:?}", done.changes);
    let again = Target::new(&done.page, 2, None, &fonts).with_pictures(&pictures);
    assert!(apply(&done.ops, &again).unwrap().changes.is_empty());
    for (op, why) in [
        (ask("https://pages.example/gone.jpg", None), "it answered 404"),
        (ask("https://pages.example/roof.jpg", Some(&"cd".repeat(32))), "another picture"),
        (ask("https://pages.example/other.jpg", None), "was not fetched"),
    ] {
        let refused = apply(&[op], &target).unwrap_err().0;
        assert!(refused.contains(why), "{refused}");
    }
    let quote = page(Template::named("quote"), Style::MODERN, &fonts).unwrap();
    let quote = Target::new(&quote, 1, None, &fonts).with_pictures(&pictures);
    let refused = apply(&[ask("https://pages.example/roof.jpg", None)], &quote).unwrap_err().0;
    assert!(refused.contains("shows no photograph"), "{refused}");
}

#[test]
fn what_is_drawn_follows_what_is_said() {
    let fonts = Fonts::new();
    let donut = page(Template::named("donut"), Style::MODERN, &fonts).unwrap();
    let target = Target::new(&donut, 1, None, &fonts);
    let done = apply(&[Op::Words { slot: SlotId::Value, to: "25".into() }], &target).unwrap();
    assert_eq!(done.page.art.unwrap().value, Some(0.25));
    assert!(done.page.alt_text.starts_with("25"), "{}", done.page.alt_text);
    let bars = page(Template::named("bar-rank"), Style::MODERN, &fonts).unwrap();
    let target = Target::new(&bars, 1, None, &fonts);
    let cell = bars.slots.iter().find(|s| matches!(s.id, SlotId::Cell(0, 0))).unwrap();
    let before = bars.items[0].numbers[0];
    let done = apply(&[Op::Words { slot: cell.id, to: "7".into() }], &target).unwrap();
    assert!((done.page.items[0].numbers[0] - 7.0).abs() < 1e-9, "{before} {:?}", done.page.items[0]);
}

/// Longer words that make the text smaller still count as a correction; a requested size doesn't.
#[test]
fn words_that_take_another_size_are_a_correction() {
    let fonts = Fonts::new();
    let pages = Template::all().filter_map(|template| page(template, Style::MODERN, &fonts));
    let mut refitted = 0;
    for mut page in pages {
        // Set the caps of a page of a set with shared sizes.
        page.sizes.title = Some(64.0);
        page.sizes.body = Some(40.0);
        let Some(title) = page.text(SlotId::Title).filter(|title| !title.is_empty()) else { continue };
        let target = Target::new(&page, 1, None, &fonts);
        let op = Op::Words {
            slot: SlotId::Title,
            to: format!("{title} antidisestablishmentarianism{}", "-antidisestablishmentarianism".repeat(3)),
        };
        let Ok(applied) = apply(std::slice::from_ref(&op), &target) else { continue };
        assert_eq!(applied.correction.map(|correction| correction.changed), Some(4), "{}", page.template.name());
        refitted += usize::from(applied.page.sizes != page.sizes);
        let sized = apply(&[Op::Size { which: Which::All(Part::Headline), to: 40 }], &target);
        assert!(!sized.is_ok_and(|applied| applied.correction.is_some()), "{}", page.template.name());
    }
    assert!(refitted > 0);
}
