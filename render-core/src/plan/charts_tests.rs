//! Charts in every style and shape: no hard limit is broken, everything is drawn to scale, and extreme numbers are
//! handled.

use super::specimens::{Sample, sample, specimen};
use super::*;
use crate::compose::compose;
use crate::content::{Direction, Language, Span};
use crate::design::{Background, Brand, Style, Template};
use crate::inspect::{proof_canvas, without_text};
use crate::outline::{Copy, Figure, ItemCopy, Locale};
use crate::raster::{Pixmap, Rasteriser as _};
use crate::scene::Scene;
use crate::scene::{Coverage, Role};

const CHARTS: [&str; 7] = ["fill-stat", "donut", "pictogram", "before-after", "kpi-bento", "line-chart", "bar-rank"];
const SHAPES: [&str; 7] = [
    "instagram_post",
    "instagram_square",
    "instagram_story",
    "presentation_slide",
    "linkedin_post",
    "ad_leaderboard",
    "infographic_tall",
];

fn format(id: &str) -> FormatId {
    Format::by_id(id).expect("in the catalogue").id
}

fn english() -> Locale {
    Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr }
}

fn copy(text: &str) -> Copy {
    Copy { wordings: vec![text.to_owned()], span: None }
}

fn rows(heads: &[&str], series: &[&[f64]]) -> PageOutline {
    let item = |(i, head): (usize, &&str)| {
        let numbers: Vec<f64> = series.iter().map(|s| s[i]).collect();
        let cells = numbers.iter().map(|n| copy(&n.to_string().chars().take(9).collect::<String>()));
        ItemCopy { cells: cells.collect(), numbers: numbers.clone(), ..ItemCopy::new(copy(head), None) }
    };
    PageOutline {
        title: Some(copy("What the numbers say")),
        groups: (0..series.len()).map(|j| copy(["Beds", "Lawns", "Hedges"][j])).collect(),
        items: heads.iter().enumerate().map(item).collect(),
        ..PageOutline::blank(PageKind::Series, 0.8)
    }
}

fn stat(value: &str, number: f64) -> PageOutline {
    PageOutline {
        title: Some(copy("of the water never reaches a root")),
        figure: Some(Figure { value: value.into(), unit: "%".into(), number, span: Span { start: 0, end: 0 } }),
        ..PageOutline::blank(PageKind::Stat, 0.8)
    }
}

fn set(said: &PageOutline, template: Template, style: Style, id: &str, fonts: &Fonts) -> Option<Page> {
    let (locale, format) = (english(), format(id));
    sample(&Sample { said, template, locale: &locale, style, format, seed: 7, brand: None, place: (0, 1) }, fonts)
}

fn scene(said: &PageOutline, template: Template, style: Style, id: &str, fonts: &Fonts) -> Option<Scene> {
    let page = set(said, template, style, id, fonts)?;
    Some(compose(&page, fonts).scene)
}

fn assert_sound(page: &Page, fonts: &Fonts) {
    let scene = compose(page, fonts).scene;
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    let raster = CpuRasteriser::new();
    raster.draw(&without_text(&scene), proof_canvas(&scene), fonts, &mut pixels).expect("within limits");
    let quality = inspect(&scene, page, Some(&pixels));
    let broken: Vec<_> = quality.checks.iter().filter(|c| c.hard && !c.passed).collect();
    assert!(broken.is_empty(), "{} {:?} {:?}: {broken:?}", page.format, page.style, page.template);
}

#[test]
fn specimens_hold_every_hard_measure() {
    let fonts = Fonts::new();
    let mut shown = 0;
    for template in CHARTS.map(Template::named) {
        for style in Style::all() {
            for id in SHAPES {
                let Some(page) = specimen(template, style, format(id), 7, &fonts) else { continue };
                assert_sound(&page, &fonts);
                shown += 1;
            }
        }
    }
    assert!(shown > 300, "{shown}");
}

#[test]
fn no_number_is_too_wild() {
    let fonts = Fonts::new();
    let years: Vec<String> = (0..40).map(|i| format!("{}", 1985 + i)).collect();
    let heads: Vec<&str> = years.iter().map(String::as_str).collect();
    let wave: Vec<f64> = (0..40).map(|i| f64::from(i % 7) - 3.0).collect();
    let wild: [&[f64]; 8] = [
        &[0.0; 5],
        &[7.0; 5],
        &[-4.0, -9.0, -1.0, -3.0, -2.0],
        &[f64::NAN, 3.0, f64::NAN, 5.0, f64::NAN],
        &[f64::INFINITY, 1.0, f64::NEG_INFINITY, 2.0, 3.0],
        &[1e300, -1e300, 1e-300, 5.0, 0.0],
        &[1.0, 1_000_000.0, 3.0, 0.001, 40.0],
        &[f64::NAN; 5],
    ];
    let short = wild.iter().map(|values| rows(&heads[..5], &[values]));
    let paired = wild.windows(2).map(|pair| rows(&heads[..5], pair));
    let two = wild.iter().map(|values| rows(&heads[..2], &[&values[..2]]));
    let said: Vec<PageOutline> = short.chain(paired).chain(two).chain([rows(&heads, &[&wave])]).collect();
    for said in &said {
        for template in [Template::named("line-chart"), Template::named("bar-rank"), Template::named("before-after")] {
            for (style, id) in [(Style::MODERN, "instagram_post"), (Style::ELEGANT, "linkedin_post")] {
                if let Some(page) = set(said, template, style, id, &fonts) {
                    assert_sound(&page, &fonts);
                }
            }
        }
    }
    let long = rows(&heads, &[&wave]);
    let page = set(&long, Template::named("line-chart"), Style::MODERN, "instagram_post", &fonts);
    let page = page.expect("forty years fit");
    assert_eq!(page.items.len(), 40);
    let shown = compose(&page, &fonts).scene.blocks.iter().filter(|b| b.slot.ends_with(".head")).count();
    assert!((4..=14).contains(&shown), "{shown} labels");
}

#[test]
fn bars_are_as_long_as_their_values() {
    let fonts = Fonts::new();
    let values = [40.0, 10.0, 25.0, 5.0];
    let said = rows(&["Oslo", "Rome", "Bern", "Paris"], &[&values]);
    let scene = scene(&said, Template::named("bar-rank"), Style::MODERN, "instagram_post", &fonts).expect("it fits");
    let fields = scene.items.iter().filter(|i| i.role == Role::Field);
    let mut lengths: Vec<f32> = fields
        .filter_map(|i| match &i.coverage {
            Coverage::Rect { rect, .. } => Some(rect.w()),
            _ => None,
        })
        .collect();
    lengths.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(lengths.len(), 4);
    for (length, value) in lengths.iter().zip([40.0, 25.0, 10.0, 5.0]) {
        assert!((length / lengths[0] - value / 40.0).abs() < 1e-3, "{lengths:?}");
    }
}

#[test]
fn a_page_is_filled_to_its_share() {
    let fonts = Fonts::new();
    for (value, number) in [("71", 71.0), ("45", 45.0), ("88", 88.0)] {
        let template = Template::named("fill-stat");
        let scene = scene(&stat(value, number), template, Style::BOLD, "instagram_square", &fonts).expect("it fits");
        let line = scene.size.h * (1.0 - number as f32 / 100.0);
        let fields = scene.items.iter().filter(|i| i.role == Role::Field).map(|i| i.coverage.bounds());
        let water = fields.filter(|b| b.w() >= scene.size.w - 1.0).min_by(|a, b| a.y0.total_cmp(&b.y0));
        let water = water.expect("a field");
        assert!((water.y0 - line).abs() < 2.0 && water.y1 >= scene.size.h - 0.5, "{water:?} {line}");
        assert_eq!(scene.blocks.iter().filter(|b| b.slot == "value").count(), 1);
    }
}

#[test]
fn a_share_in_a_ring_has_its_figure() {
    let fonts = Fonts::new();
    let scene =
        scene(&stat("62", 62.0), Template::named("donut"), Style::MODERN, "instagram_post", &fonts).expect("it fits");
    let spoken: Vec<&str> = scene.blocks.iter().map(|b| b.text.as_str()).collect();
    assert!(spoken.contains(&"62"), "{spoken:?}");
}

#[test]
fn a_share_is_counted_or_covered() {
    let fonts = Fonts::new();
    for (value, number) in [("3 in 4", 0.75), ("4", 4.0)] {
        let unit = if value == "4" { "%" } else { "" };
        let figure = Figure { value: value.into(), unit: unit.into(), number, span: Span { start: 0, end: 0 } };
        let said = PageOutline {
            title: Some(copy("of the water never reaches a root")),
            figure: Some(figure),
            ..PageOutline::blank(PageKind::Stat, 0.8)
        };
        let page = Sample {
            said: &said,
            template: Template::named("pictogram"),
            locale: &english(),
            style: Style::MODERN,
            format: format("instagram_post"),
            seed: 7,
            brand: None,
            place: (0, 1),
        };
        assert!(sample(&page, &fonts).is_some(), "{value}");
    }
}

#[test]
fn a_page_of_two_figures_stands_on_the_field_of_its_kind() {
    let fonts = Fonts::new();
    for style in Style::all() {
        let page =
            specimen(Template::named("fill-stat"), style, format("instagram_square"), 7, &fonts).expect("it fits");
        assert_eq!(page.background, Background::Base, "{style:?}");
    }
}

#[test]
fn a_source_and_an_address_have_room_for_both() {
    let fonts = Fonts::new();
    let handle = Some("business-review.example.com".to_owned());
    let brand = Brand { name: "Acme".into(), handle, footer: true, ..Brand::default() };
    let source = copy("Sample data: one 46-person product team, Jan–Mar 2025");
    let of = |said: PageOutline| PageOutline { attribution: Some(source.clone()), ..said };
    let change =
        Some(Figure { value: "−31".into(), unit: "%".into(), number: -31.0, span: Span { start: 0, end: 0 } });
    let two = of(PageOutline { figure: change, ..rows(&["Before", "After"], &[&[18.4, 12.7]]) });
    let many = of(rows(&["Oslo", "Berlin", "Paris", "Rome", "Lima"], &[&[40.0, 35.0, 30.0, 25.0, 20.0]]));
    let share = of(stat("71", 71.0));
    for style in [Style::MODERN, Style::CORPORATE] {
        for (template, said) in [
            (Template::named("big-stat"), &share),
            (Template::named("fill-stat"), &share),
            (Template::named("before-after"), &two),
            (Template::named("bar-rank"), &many),
            (Template::named("line-chart"), &many),
        ] {
            let (locale, format) = (english(), format("instagram_post"));
            let brand = Some(&brand);
            let asked = Sample { said, template, locale: &locale, style, format, seed: 5, brand, place: (0, 1) };
            let page = sample(&asked, &fonts).unwrap_or_else(|| panic!("{style:?} {template:?} can't be set"));
            let scene = compose(&page, &fonts).scene;
            let low = |slot: &str| {
                let line = scene.blocks.iter().find(|b| b.slot == slot).and_then(|b| b.lines.last());
                line.unwrap_or_else(|| panic!("{style:?} {template:?} lacks its {slot}"))
            };
            let (source, address) = (low("attribution"), low("handle"));
            assert!(source.ink.intersect(&address.ink).is_empty(), "{style:?} {template:?}");
            assert!(source.baseline <= address.baseline + 0.5, "{style:?} {template:?}: the source stands first");
        }
    }
}
