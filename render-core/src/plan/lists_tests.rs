//! Pages of lists: everything is drawn to scale, rotated parts stay in place, and every format has such pages.

use super::specimens::specimen;
use super::*;
use crate::compose::compose;
use crate::design::{Style, Tiles};
use crate::scene::Scene;
use crate::scene::{Coverage, Item, Paint, Rect, Role};

const LISTS: [&str; 12] = [
    "list-grid",
    "list-numbered",
    "tips-bento",
    "list-bands",
    "checklist",
    "timeline-v",
    "timeline-h",
    "process-rows",
    "process-flow",
    "cycle",
    "funnel",
    "tree",
];

fn format(id: &str) -> FormatId {
    Format::by_id(id).expect("in the catalogue").id
}

fn scene(template: Template, style: Style, id: &str, fonts: &Fonts) -> Option<Scene> {
    let page = specimen(template, style, format(id), 7, fonts)?;
    let composed = compose(&page, fonts);
    let quality = inspect(&composed.scene, &page, None);
    let broken: Vec<_> = quality.checks.iter().filter(|c| c.hard && !c.passed).collect();
    assert!(broken.is_empty(), "{template:?} {style:?} {id}: {broken:?}");
    assert!(composed.fits, "{template:?} {style:?} {id} doesn't fit");
    Some(composed.scene)
}

/// Returns rectangles that are marks, of the height `h` if given.
fn bars(items: &[Item], colors: &[crate::scene::Color]) -> Vec<Rect> {
    let of = |item: &Item| match (&item.coverage, &item.paint) {
        (Coverage::Rect { rect, stroke: None, .. }, Paint::Solid(c)) if colors.contains(c) && rect.h() > 24.0 => {
            Some(*rect)
        }
        _ => None,
    };
    items.iter().filter(|i| matches!(i.role, Role::Mark | Role::Field)).filter_map(of).collect()
}

#[test]
fn heads_that_a_set_agrees_on_keep_their_size() {
    const AGREED: f32 = 40.0;
    let fonts = Fonts::new();
    for id in ["instagram_post", "instagram_square"] {
        let mut page =
            specimen(Template::named("list-grid"), Style::MODERN, format(id), 7, &fonts).expect("it sets lists");
        page.sizes.item = Some(AGREED);
        let scene = compose(&page, &fonts).scene;
        let heads = scene.blocks.iter().filter(|b| b.slot.starts_with("item.") && b.slot.ends_with(".head"));
        let sizes: Vec<f32> = heads.map(|b| b.size).collect();
        assert!(sizes.len() >= 3 && sizes.iter().all(|s| (s - AGREED).abs() < 0.5), "{id}: {sizes:?}");
    }
}

#[test]
fn every_shape_has_a_page_for_lists_in_every_style() {
    let fonts = Fonts::new();
    for style in Style::all() {
        for (id, least) in
            [("instagram_post", 10), ("instagram_square", 10), ("presentation_slide", 11), ("timeline_tall", 9)]
        {
            let set = LISTS.map(Template::named).into_iter().filter(|a| scene(*a, style, id, &fonts).is_some()).count();
            assert!(set >= least, "{style:?} {id}: {set}");
        }
        for id in ["email_header", "ad_leaderboard"] {
            let set = LISTS.map(Template::named).into_iter().filter(|a| scene(*a, style, id, &fonts).is_some()).count();
            assert!(set >= 5, "{style:?} {id}: {set}");
        }
    }
}

#[test]
fn durations_and_values_are_true_to_scale() {
    let fonts = Fonts::new();
    let near = |widths: &[f32], values: &[f32]| {
        let (w, v): (f32, f32) = (widths.iter().sum(), values.iter().sum());
        widths.len() == values.len() && widths.iter().zip(values).all(|(a, b)| (a / w - b / v).abs() < 0.002)
    };
    for id in ["instagram_post", "presentation_slide"] {
        let scene = scene(Template::named("process-rows"), Style::MINIMAL, id, &fonts).expect("a page");
        // The parts of the bar stand side by side at one height.
        let all = bars(&scene.items, &colors(&scene));
        let parts = |y: f32| all.iter().filter(move |r| (r.y0 - y).abs() < 0.1).map(Rect::w).collect::<Vec<f32>>();
        let found = all.iter().map(|r| parts(r.y0)).find(|w| w.len() == 4).unwrap_or_default();
        assert!(near(&found, &[10.0, 30.0, 45.0, 5.0]), "{id}: {found:?}");
    }
    let scene = scene(Template::named("funnel"), Style::MINIMAL, "instagram_post", &fonts).expect("a page");
    // The widest bar and three in proportion to it.
    let mut stack: Vec<f32> = bars(&scene.items, &colors(&scene)).iter().map(Rect::w).collect();
    stack.sort_by(|a, b| b.total_cmp(a));
    for value in [124.0, 71.0, 38.0] {
        let drawn = stack.iter().any(|w| (w / stack[0] - value / 186.0).abs() < 0.01);
        assert!(drawn, "{value}: {stack:?}");
    }
}

/// Returns every colour of a scene.
fn colors(scene: &Scene) -> Vec<crate::scene::Color> {
    let of = |item: &Item| if let Paint::Solid(c) = item.paint { Some(c) } else { None };
    scene.items.iter().filter_map(of).collect()
}

#[test]
fn what_stands_on_a_turned_tile_is_turned_with_it() {
    let fonts = Fonts::new();
    assert_eq!(Theme::of(Style::PLAYFUL).tiles, Tiles::Flats);
    let scene = scene(Template::named("tips-bento"), Style::PLAYFUL, "instagram_post", &fonts).expect("a page");
    for (i, block) in scene.blocks.iter().enumerate().filter(|(_, b)| b.slot.starts_with("item.")) {
        let glyphs = scene.items.iter().filter(|item| item.role == Role::Text(i as u32));
        let runs: Vec<&Item> = glyphs.collect();
        assert!(!runs.is_empty() && runs.iter().all(|run| !run.transform.is_upright()), "{}", block.slot);
        let tile = scene.items.iter().filter(|item| item.role == Role::Field && !item.transform.is_upright());
        let holds = tile.filter_map(|item| match &item.coverage {
            Coverage::Rect { rect, stroke: None, .. } => Some(item.transform.apply_rect(rect)),
            _ => None,
        });
        assert!(holds.into_iter().any(|r| r.contains(&block.ink, 0.0)), "{} leaves its tile", block.slot);
    }
}
