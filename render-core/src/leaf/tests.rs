//! Tests of leaves: layout, faults and storage.

use super::page::alt_text;
use super::*;
use crate::compose;
use crate::design::{SlotId, Style, Template};
use crate::format::Format;
use crate::inspect::{proof_canvas, without_text};
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{Pixmap, Rasteriser as _};
use crate::text::Fonts;
use crate::tree::Fault;

fn written<'a>(text: &'a str, format: &str, fonts: &'a Fonts) -> Written<'a> {
    Written {
        text,
        format: Format::by_id(format).expect("a format"),
        style: Style::MODERN,
        brand: None,
        language: None,
        photos: Vec::new(),
        seed: 3,
        fonts,
    }
}

const TWO: &str = "<page><headline>One idea per page</headline><text>And a sentence that supports it.</text></page>
    <page><headline>Second</headline></page>";

#[test]
fn a_leaf_draws_what_it_was_made_of_after_it_was_stored() {
    let fonts = Fonts::new();
    let leaves = leaves(written(TWO, "instagram_carousel", &fonts)).expect("pages without faults");
    assert_eq!(leaves.iter().map(|l| l.slide.map(|s| s.index)).collect::<Vec<_>>(), [Some(0), Some(1)]);
    for leaf in leaves {
        let AnyPage::Leaf(again) = decode(&encode(&leaf)).expect("its own bytes") else { panic!("no leaf") };
        assert_eq!(*again, leaf);
        assert_eq!(leaf.compose(&fonts), again.compose(&fonts));
    }
}

#[test]
fn what_does_not_fit_is_a_fault_of_its_element() {
    let fonts = Fonts::new();
    let words = "far too many words for a banner ".repeat(60);
    let text = format!("<page><headline id=\"title\">{words}</headline></page>");
    let faults = leaves(written(&text, "twitter_header", &fonts)).expect_err("it can't fit");
    assert!(faults.iter().any(|f| f.element == "title" && f.message.contains("fit")), "{faults:?}");
}

#[test]
fn a_fault_names_the_page_that_it_is_on() {
    let fonts = Fonts::new();
    let words = "far too many words for a banner ".repeat(60);
    let text = format!("<page><headline>Short</headline></page><page><headline id=\"title\">{words}</headline></page>");
    let faults = leaves(written(&text, "twitter_header", &fonts)).expect_err("the second can't fit");
    assert!(faults.iter().all(|f| f.element.starts_with("page-2/")), "{faults:?}");
}

#[test]
fn pictures_are_checked_before_anything_is_set() {
    let faults = read("<page><picture id=\"p\" name=\"waffel\"/></page>").expect_err("no such picture");
    assert_eq!((faults.len(), faults[0].element.as_str()), (1, "p"));
}

#[test]
fn a_page_that_draws_too_much_is_refused() {
    let fonts = Fonts::new();
    let waffles = "<waffle total=\"400\" look=\"blocks\"/>".repeat(60);
    let text = format!("<page><text>x</text><grid columns=\"8\">{waffles}</grid></page>");
    let faults = leaves(written(&text, "instagram_post", &fonts)).expect_err("too many shapes");
    assert!(faults.iter().any(|f| f.message.contains("shapes")), "{faults:?}");
}

#[test]
fn pages_are_described_by_what_they_say() {
    let trees = read("<page alt=\"A cat\"><text>Meow</text></page><page><text>Meow</text></page>").expect("pages");
    assert_eq!(trees.iter().map(alt_text).collect::<Vec<_>>(), ["A cat", "Meow"]);
}

#[test]
fn a_planned_page_is_drawn_from_its_stored_tree() {
    let fonts = Fonts::new();
    let format = Format::by_id("instagram_post").expect("a format").id;
    let page = crate::plan::specimens::specimen(Template::named("fill-stat"), Style::MODERN, format, 3, &fonts);
    let page = page.expect("a specimen");
    let stored = decode(&encode_planned(&page)).expect("its own bytes");
    let AnyPage::Planned(again, Some(tree)) = &stored else { panic!("no tree") };
    assert_eq!(**again, page);
    let drawn = compose::compose(&page, &fonts);
    assert_eq!(stored.compose(&fonts).expect("a page"), drawn);
    // The stored tree is drawn, not the one that the template would make today.
    let other = tree.replacen(page.text(SlotId::Title).expect("a title"), "Another headline", 1);
    assert_ne!(AnyPage::Planned(again.clone(), Some(other)).compose(&fonts).expect("a page"), drawn);
    let unread = AnyPage::Planned(again.clone(), Some("<page><unheard-of/></page>".to_owned()));
    assert_eq!(unread.compose(&fonts).expect("a page"), drawn);
}

#[test]
fn fit_groups_agree_over_a_carousel() {
    let fonts = Fonts::new();
    let page = |words: &str| {
        format!("<page><headline id=\"h\" fit=\"md..hero\" fit-group=\"heads\">{words}</headline></page>")
    };
    let text = [
        page("Short"),
        page(
            "A headline of many more words than the first one has, which therefore has to be set in much smaller type",
        ),
    ]
    .concat();
    let size = |leaf: &Leaf| {
        let scene = leaf.compose(&fonts).expect("a page").scene;
        scene.blocks.iter().map(|b| b.size).fold(0.0, f32::max)
    };
    let slides = leaves(written(&text, "instagram_carousel", &fonts)).expect("two slides");
    assert!((size(&slides[0]) - size(&slides[1])).abs() < 1.0, "{} {}", size(&slides[0]), size(&slides[1]));
    let apart = leaves(written(&text, "instagram_post", &fonts)).expect("two visuals");
    assert!(size(&apart[0]) > 1.2 * size(&apart[1]), "{} {}", size(&apart[0]), size(&apart[1]));
    let AnyPage::Leaf(again) = decode(&encode(&slides[0])).expect("its own bytes") else { panic!("no leaf") };
    assert_eq!(*again, slides[0]);
}

/// Returns the faults of pages that only the drawn pixels reveal.
fn missed(text: &str, fonts: &Fonts) -> Vec<Fault> {
    let leaves = leaves(written(text, "instagram_post", fonts)).expect("pages that fit");
    let rasteriser = CpuRasteriser::new();
    let faults = misses(&leaves, fonts, |scene| {
        let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
        rasteriser.draw(&without_text(scene), proof_canvas(scene), fonts, &mut pixels).map(|()| pixels)
    });
    faults.expect("a scene that can be drawn")
}

#[test]
fn words_that_can_not_be_read_are_a_fault_of_their_element() {
    let fonts = Fonts::new();
    let over =
        |fill: &str| format!("<page><layer grow=\"1\"><card fill=\"{fill}\"/><text>Hard to read</text></layer></page>");
    let faults = missed(&over("ink"), &fonts);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].element == "text-1" && faults[0].message.contains("contrast"), "{faults:?}");
    assert_eq!(missed(&over("bg"), &fonts), []);
}

#[test]
fn a_band_covers_nothing_beside_it() {
    let fonts = Fonts::new();
    let band = "<band fill=\"ink\" bleed=\"all\"><text>In the band</text></band>";
    for text in [
        format!("<page><headline>Above</headline>{band}</page>"),
        format!("<page>{band}<headline>Below</headline></page>"),
        format!("<page><row><text>Beside</text>{band}</row></page>"),
    ] {
        assert_eq!(missed(&text, &fonts), [], "{text}");
    }
}

#[test]
fn columns_of_words_stand_in_their_box_or_are_refused() {
    let fonts = Fonts::new();
    let text = "<page><headline writing=\"vertical\" width=\"30%\" height=\"7\">毎日ひとつ新しいこと</headline></page>";
    let faults = leaves(written(text, "instagram_post", &fonts)).expect_err("a box that is too low");
    assert_eq!(faults[0].element, "headline-1", "{faults:?}");
}

#[test]
fn a_scene_runs_from_edge_to_edge_and_carries_what_follows_it() {
    let fonts = Fonts::new();
    let text = "<page><headline id=\"title\">Up</headline>\
        <svg viewBox=\"0 0 360 200\" bleed=\"left right bottom\" grow=\"1\">\
        <rect x=\"-300\" y=\"196\" width=\"960\" height=\"4\" fill=\"ink\"/>\
        <place box=\"2 150 60 40\" align=\"start\"><label id=\"near\" fit=\"xs..xs\">Left</label></place></svg>\
        <label id=\"under\">Under</label></page>";
    let leaf = leaves(written(text, "linkedin_carousel_portrait", &fonts)).expect("pages without faults").remove(0);
    let scene = leaf.compose(&fonts).expect("a page").scene;
    let block = |id: &str| scene.blocks.iter().find(|block| block.slot == id).expect("a text");
    let (near, under) = (block("near"), block("under"));
    assert!(near.ink.x0 < block("title").ink.x0, "the viewBox is wider than the margins: {}", near.ink.x0);
    let ground = block("title").color;
    assert!(under.color.contrast(ground) >= 4.5, "words behind the scene read on its ground");
    let reaches = |item: &crate::scene::Item| {
        let bounds = item.transform.apply_rect(&item.coverage.bounds());
        bounds.y1 >= scene.size.h && bounds.x1 - bounds.x0 >= scene.size.w
    };
    assert!(scene.items.iter().any(reaches), "the ground goes on to the lower edge");
}

#[test]
fn things_of_a_scene_rise_over_its_view_box_and_sky_does_not_shrink_it() {
    let fonts = Fonts::new();
    let drawn = |high: u32, top: i32| {
        let text = format!(
            "<page><headline id=\"title\">Up</headline>\
             <svg viewBox=\"0 0 360 {high}\" bleed=\"left right bottom\" grow=\"1\">\
             <rect x=\"-300\" y=\"0\" width=\"960\" height=\"{high}\" fill=\"art2\"/>\
             <rect x=\"100\" y=\"{top}\" width=\"40\" height=\"{}\" fill=\"art3\"/></svg></page>",
            high as i32 - top
        );
        let leaf =
            leaves(written(&text, "linkedin_carousel_portrait", &fonts)).expect("pages without faults").remove(0);
        let scene = leaf.compose(&fonts).expect("a page").scene;
        let bounds = |item: &crate::scene::Item| item.transform.apply_rect(&item.coverage.bounds());
        let mut post = scene.items.iter().map(bounds).filter(|b| b.w() < 0.2 * scene.size.w && b.h() > 4.0 * b.w());
        let clip = scene.layers.iter().filter_map(|layer| layer.clip.as_ref().map(|clip| clip.coverage.bounds().y0));
        (post.next_back().expect("a post"), clip.fold(f32::INFINITY, f32::min))
    };
    let (usual, _) = drawn(300, 20);
    let (rising, clip) = drawn(200, -60);
    assert!((rising.w() - usual.w()).abs() < 1.0 && clip <= rising.y0, "{rising:?} is cut at {clip}");
    // Only the sky is too tall for the page.
    let (under_sky, _) = drawn(600, 340);
    assert!((under_sky.w() - usual.w()).abs() < 1.0, "{under_sky:?}");
}

#[test]
fn a_copy_is_drawn_like_the_shapes_written_out() {
    let fonts = Fonts::new();
    let drawn = |shapes: &str| {
        let text =
            format!("<page><headline>Two</headline><svg viewBox=\"0 0 100 100\" grow=\"1\">{shapes}</svg></page>");
        let leaf = leaves(written(&text, "instagram_post", &fonts)).expect("pages without faults").remove(0);
        leaf.compose(&fonts).expect("a page").scene
    };
    let copied = drawn(
        "<defs><g id=\"tree\" transform=\"translate(0 2)\"><circle cx=\"5\" cy=\"5\" r=\"5\"/>\
         <rect x=\"4\" y=\"10\" width=\"2\" height=\"8\" fill=\"art2\"/></g></defs>\
         <use href=\"#tree\" x=\"20\" y=\"30\" fill=\"art3\"/>\
         <use href=\"#tree\" x=\"60\" fill=\"art4\" opacity=\"0.5\" transform=\"scale(1.5)\"/>",
    );
    let tree = "<circle cx=\"5\" cy=\"5\" r=\"5\"/><rect x=\"4\" y=\"10\" width=\"2\" height=\"8\" fill=\"art2\"/>";
    let whole = drawn(&format!(
        "<g transform=\"translate(20 30) translate(0 2)\" fill=\"art3\">{tree}</g>\
         <g transform=\"scale(1.5) translate(60 0) translate(0 2)\" fill=\"art4\" opacity=\"0.5\">{tree}</g>"
    ));
    assert_eq!(copied.items.len(), whole.items.len());
    let close = |(a, b): (&crate::scene::Item, &crate::scene::Item)| {
        a.paint == b.paint && a.transform.0.iter().zip(b.transform.0).all(|(a, b)| (a - b).abs() < 1e-3)
    };
    assert!(copied.items.iter().zip(&whole.items).all(close));
    assert_eq!(copied.layers.len(), whole.layers.len());
}

#[test]
fn copies_refer_to_shapes_of_their_svg_and_count_as_shapes() {
    let fault = |drawings: &str| {
        let faults =
            crate::leaf::read(&format!("<page><headline>Two</headline>{drawings}</page>")).expect_err("a fault");
        faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let refers = |drawings: &str, to: &str| {
        let said = fault(drawings);
        assert!(said.contains(&format!("refers to {to:?}, which is no shape or g of this svg")), "{said}");
    };
    refers("<svg><use href='#a'/></svg>", "#a");
    refers("<svg><use/></svg>", "");
    refers("<svg><rect id='a' width='9' height='9'/></svg><svg><use href='#a'/></svg>", "#a");
    refers("<svg><clipPath id='a'><rect/></clipPath><use href='#a'/></svg>", "#a");
    let nested = fault("<svg><g id='b'><rect/></g><g id='a'><use href='#b'/></g><use href='#a'/></svg>");
    assert!(nested.contains("copies \"#a\", which holds a use itself"), "{nested}");
    let own = fault("<svg><g id='a'><use href='#a'/></g></svg>");
    assert!(own.contains("copies \"#a\", which holds a use itself"), "{own}");
    let group = format!("<defs><g id='a'>{}</g></defs>", "<rect/>".repeat(30));
    let many = fault(&format!("<svg>{group}{}</svg>", "<use href='#a'/>".repeat(6)));
    assert!(many.contains("has 224 shapes; 200 are the most"), "{many}");
    let linked = "<page><headline>Two</headline><svg><rect id='a'/><use xlink:href='#a' x='4'/></svg></page>";
    assert!(crate::leaf::read(linked).is_ok());
}
