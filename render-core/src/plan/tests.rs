//! Pages in every format, style and slide count break no hard limit.

use super::*;
use crate::compose::compose;
use crate::content::read_text;
use crate::design::{Background, Recipe, Style, Template, Writing};
use crate::format::{Density, Resolution};
use crate::inspect::{proof_canvas, without_text};
use crate::outline::{Request, outline};
use crate::raster::{Pixmap, Rasteriser as _};
use crate::scene::Canvas;

const ARTICLE: &str = include_str!("../../../tests/data/article.md");
const PROSE: &str = include_str!("../../../tests/data/prose.txt");
const JAPANESE: &str = include_str!("../../../tests/data/japanese.md");
const RUSSIAN: &str = include_str!("../../../tests/data/russian.md");

fn designed(text: &str, style: Style, format: &Format, slides: Option<u32>, fonts: &Fonts) -> Plan {
    let document = read_text(text).expect("sample text");
    let request = PlanRequest::of(&document, vec![(format.id, slides)], style, default_seed(text));
    plan(&request, fonts).unwrap_or_else(|e| panic!("{} {style:?} {slides:?}: {e}", format.id))
}

fn assert_sound(page: &Page, fonts: &Fonts) {
    let scene = compose(page, fonts).scene;
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    let raster = CpuRasteriser::new();
    raster.draw(&without_text(&scene), proof_canvas(&scene), fonts, &mut pixels).expect("within limits");
    let quality = inspect(&scene, page, Some(&pixels));
    let broken: Vec<_> = quality.checks.iter().filter(|c| c.hard && !c.passed).collect();
    assert!(quality.passed, "{} {:?} {:?}: {broken:?}", page.format, page.style, page.template);
    assert!(!scene.blocks.is_empty(), "{} says nothing", page.format);
}

#[test]
fn every_format_is_laid_out_in_every_style() {
    let fonts = Fonts::new();
    for (i, format) in Format::all().iter().enumerate() {
        for (j, style) in Style::all().enumerate() {
            // Neighbouring formats and styles take different texts.
            let text = [ARTICLE, PROSE][(i + j) % 2];
            let plan = designed(text, style, format, format.slides.map(|s| s.default), &fonts);
            assert_eq!(plan.pages.len(), format.slides.map_or(1, |s| s.default as usize));
            plan.pages.iter().for_each(|page| assert_sound(page, &fonts));
        }
    }
}

#[test]
fn carousels_hold_the_slides_asked_for() {
    let fonts = Fonts::new();
    let format = Format::by_id("linkedin_carousel_portrait").expect("in the catalogue");
    for slides in 2..=20 {
        for (text, style, most) in
            [(ARTICLE, Style::MODERN, 20), (RUSSIAN, Style::DARK, 12), (PROSE, Style::MINIMAL, 15)]
        {
            if slides > most {
                continue;
            }
            let plan = designed(text, style, format, Some(slides), &fonts);
            assert_eq!(plan.pages.len(), slides as usize);
            plan.pages.iter().for_each(|page| assert_sound(page, &fonts));
        }
    }
}

#[test]
fn covers_keep_the_pictures_of_their_titles() {
    let fonts = Fonts::new();
    let format = Format::by_id("linkedin_carousel_portrait").expect("in the catalogue");
    let text = ARTICLE.split_once('\n').map_or("", |(_, rest)| rest);
    for style in Style::all() {
        for title in ["Mend the bridge first", "How the crew of a small harbour builds a bridge between two old towns"]
        {
            let plan = designed(&format!("# {title}\n{text}"), style, format, Some(5), &fonts);
            assert!(plan.pages[0].picture.is_some(), "{} {title}", style.name());
        }
    }
}

#[test]
fn body_slides_of_a_set_share_their_sizes() {
    let fonts = Fonts::new();
    let format = Format::by_id("linkedin_carousel_portrait").expect("in the catalogue");
    let plan = designed(ARTICLE, Style::MODERN, format, Some(7), &fonts);
    let sizes: Vec<f32> = plan
        .pages
        .iter()
        // A short headline may be larger.
        .filter(|p| {
            shares_sizes(p, p.template.kinds()[0])
                && p.text(crate::design::SlotId::Title).is_some_and(|t| t.chars().count() > 24)
        })
        .map(|p| compose(p, &fonts).scene.blocks.into_iter().find(|b| b.slot == "title").expect("a title").size)
        .collect();
    assert!(sizes.len() >= 3, "{sizes:?}");
    assert!(sizes.iter().all(|s| (s - sizes[0]).abs() < 0.6), "{sizes:?}");
}

#[test]
fn a_card_of_contours_lies_on_the_night_in_a_set_too() {
    let contours = |seed: &u64| art_direction::recipe(Theme::of(Style::MODERN), *seed) == Recipe::Contours;
    let seed = (0..99).find(contours).expect("one of the style's recipes");
    for id in ["linkedin_post", "presentation_slide"] {
        let format = Format::by_id(id).expect("in the catalogue").id;
        let card = specimens::specimen(Template::named("article-card"), Style::MODERN, format, seed, &Fonts::new());
        assert_eq!(card.map(|page| page.background), Some(Background::Close), "{id}");
    }
}

#[test]
fn the_same_request_gives_the_same_pages() {
    let fonts = Fonts::new();
    let format = Format::by_id("instagram_post").expect("in the catalogue");
    let one = designed(ARTICLE, Style::DARK, format, None, &fonts);
    assert_eq!(one, designed(ARTICLE, Style::DARK, format, None, &Fonts::new()));
}

#[test]
fn nothing_to_say_is_an_error() {
    let fonts = Fonts::new();
    let mut document = read_text("A word.").expect("text");
    document.title.text.clear();
    document.blocks.clear();
    let formats = vec![(Format::by_id("instagram_post").expect("in the catalogue").id, None)];
    let request = PlanRequest::of(&document, formats, Style::MODERN, 1);
    assert_eq!(plan(&request, &fonts), Err(PlanError::NoContent));
}

fn every_format(text: &str, styles: &[Style], fonts: &Fonts) {
    for format in Format::all() {
        for style in styles {
            let document = read_text(text).expect("sample text");
            let fills = |slides| outline(&Request { document: &document, format, slides: Some(slides) }).is_ok();
            let slides = format.slides.map(|s| (s.min..=3).rev().find(|n| fills(*n)).unwrap_or(s.min));
            let plan = designed(text, *style, format, slides, fonts);
            plan.pages.iter().for_each(|page| assert_sound(page, fonts));
        }
    }
}

#[test]
fn headlines_that_open_with_a_quotation_mark_fit_everywhere() {
    let fonts = Fonts::new();
    let listed = "# “Deep work” is old\n\n- “Flow” is older\n- Call it focus\n- Guard the morning";
    every_format(listed, &Style::all().collect::<Vec<_>>(), &fonts);
    let said = "\"The best way to predict the future is to invent it,\" said the visitor from Palo Alto in 1971.";
    every_format(said, &[Style::MODERN], &fonts);
}

#[test]
fn one_sentence_fits_everywhere() {
    let fonts = Fonts::new();
    let sentences = [
        "A street tree costs about as much as two parking tickets.",
        "The people who finish a street are seldom the people who drew it, and the drawing knows nothing of their afternoons.",
        "Die Straßenbahnhaltestellenverschönerungsgesellschaft begrünt seit dem Frühjahr jede zweite Haltestelle unserer Stadt, und niemand möchte die kahlen Dächer zurückhaben.",
        "Каждое утро смотритель маяка поднимается по двумстам ступеням, чтобы протереть стекло, которое никто кроме него никогда не видел вблизи.",
        "Κάθε πρωί ο φύλακας του φάρου ανεβαίνει διακόσια σκαλιά για να καθαρίσει το τζάμι που κανείς άλλος δεν είδε ποτέ από κοντά.",
    ];
    // Every sentence meets half of the styles, and every style half of the sentences.
    for (i, text) in sentences.into_iter().enumerate() {
        let styles = Style::all().enumerate().filter(|(j, _)| (i + j) % 2 == 0).map(|(_, style)| style);
        every_format(text, &styles.collect::<Vec<_>>(), &fonts);
    }
    every_format(&"x".repeat(10_000), &[Style::MODERN], &fonts);
}

#[test]
fn a_script_that_no_face_has_is_no_content() {
    let fonts = Fonts::new();
    let document = read_text("བོད་ཡིག་ནི་སྐད་ཡིག་ཅིག་ཡིན། ང་ཚོས་བོད་སྐད་སྦྱོང་།").expect("text");
    let formats = vec![(Format::by_id("instagram_post").expect("in the catalogue").id, None)];
    let request = PlanRequest::of(&document, formats, Style::MODERN, 1);
    assert_eq!(plan(&request, &fonts), Err(PlanError::NoContent));
}

const EMPHATIC: &str = "# Fewer meetings, **better mornings**\n\nA team of nine gave *two hours a day* back to its work, \
and nobody missed a thing.\n\n## Start with the **calendar**\n\nBlock the hours before noon and *defend them* for a \
month.\n\n## Write it down\n\nA short note saves a long call, **every time**, for everyone.\n\n> We stopped counting \
hours and started **finishing things**.\n> — Ada Moor, editor\n\nGet the checklist at tidelab.example/quiet.\n";

#[test]
fn what_the_source_emphasises_stands_out_and_reads() {
    let fonts = Fonts::new();
    let format = Format::by_id("instagram_carousel").expect("in the catalogue");
    for style in Style::all() {
        // Covers each palette and each pair of fonts.
        for seed in (0..6).chain(128..134) {
            let document = read_text(EMPHATIC).expect("sample text");
            let formats = vec![(format.id, Some(6))];
            let request = PlanRequest::of(&document, formats, style, seed);
            let plan = plan(&request, &fonts).expect("it can be set");
            for page in &plan.pages {
                assert_sound(page, &fonts);
                let scene = compose(page, &fonts).scene;
                for slot in page.slots.iter().filter(|s| !s.emphasis.is_empty()) {
                    let words: Vec<&str> =
                        slot.emphasis.iter().map(|r| &slot.text[r.start as usize..r.end as usize]).collect();
                    let known = ["better mornings", "two hours a day", "calendar", "defend them", "every time"];
                    assert!(words.iter().all(|w| known.contains(w) || *w == "finishing things"), "{words:?}");
                    let block = scene.blocks.iter().find(|b| b.slot == slot.id.to_string() && !b.spots.is_empty());
                    // A list's heads on the accent background have no other ink.
                    let head = matches!(slot.id, crate::design::SlotId::ItemHead(_));
                    // A headline in capitals, each line as wide as the page, emphasises no single word.
                    let lockup = scene.blocks.iter().any(|b| b.slot == "title.2");
                    assert!(block.is_some() || head || lockup, "{style:?} {:?} {words:?}", page.template);
                }
            }
            let emphatic = plan.pages.iter().filter(|p| p.slots.iter().any(|s| !s.emphasis.is_empty())).count();
            assert!(emphatic >= 3, "{emphatic}");
        }
    }
}

#[test]
fn japanese_covers_stand_in_columns_where_they_fit_and_a_set_agrees() {
    let fonts = Fonts::new();
    for format in Format::all() {
        let plan = designed(JAPANESE, Style::MINIMAL, format, format.slides.map(|s| s.default), &fonts);
        plan.pages.iter().for_each(|page| assert_sound(page, &fonts));
        let cover = plan.pages.iter().find(|p| p.template == Template::named("cover-type"));
        let Some(cover) = cover else { continue };
        let size = format.size_du();
        let columns = cover.writing == Writing::Vertical;
        assert!(!columns || size.w <= size.h && format.density == Density::Poster, "{}", format.id);
        assert!(
            columns || (size.w / size.h - 0.8).abs() > 0.01,
            "{} is of the shape that columns are made for",
            format.id
        );
        assert!(plan.pages.iter().all(|p| p.writing == cover.writing), "{}", format.id);
        let scene = compose(cover, &fonts).scene;
        assert_eq!(scene.blocks.iter().any(|b| b.vertical), columns, "{}", format.id);
    }
}

#[test]
fn a_title_too_long_for_columns_has_lines() {
    let fonts = Fonts::new();
    let format = Format::by_id("instagram_post").expect("in the catalogue");
    let title = "長い題名はどこまで行っても終わらないので、".repeat(4);
    for text in
        [format!("# {title}\n\n短い説明。"), "# How to Sleep Well Every Single Nightの方法\n\nよい。".to_owned()]
    {
        let plan = designed(&text, Style::MINIMAL, format, None, &fonts);
        assert_eq!(plan.pages[0].writing, Writing::Horizontal);
        assert_sound(&plan.pages[0], &fonts);
    }
}

#[test]
fn every_format_is_drawn_at_the_platforms_own_size() {
    let fonts = Fonts::new();
    let raster = CpuRasteriser::new();
    for format in Format::all() {
        let plan = designed(ARTICLE, Style::MODERN, format, format.slides.map(|s| s.min), &fonts);
        let (width, height) = format.size(Resolution::Exact);
        for page in &plan.pages {
            let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
            let scene = compose(page, &fonts).scene;
            raster.draw(&scene, Canvas::new(width, height), &fonts, &mut pixels).expect("within limits");
            assert_eq!((pixels.width, pixels.height), (width, height), "{}", format.id);
            let (first, rest) = pixels.data.split_at(3);
            assert!(rest.chunks_exact(3).any(|pixel| pixel != first), "{} is empty", format.id);
        }
    }
}
