//! Layout checks: overflow, overlap, distance from the edge, sizes, lines.

use super::{Against, Report};
use crate::format::{Density, Format};
use crate::scene::{Rect, Scene, TextBlock, TextLevel};

/// Share of its size by which ink may leave its box: overshoot of round letters, the slant of an italic.
const OVERSHOOT: f32 = 0.06;
/// Share of its size by which optical alignment may push ink over the edge of the safe area.
const OPTICAL: f32 = 0.03;
/// Share of its size by which a hanging quotation mark may leave its box.
const HANG: f32 = 0.62;
/// A last line or column below this share of the longest one is a widow.
const WIDOW: f32 = 0.28;

pub(super) fn measure(report: &mut Report, scene: &Scene, against: Against) {
    let format = against.format.format();
    let canvas = Rect::new(0.0, 0.0, scene.size.w, scene.size.h);
    let blocks: Vec<&TextBlock> = scene.blocks.iter().filter(|b| !b.lines.is_empty()).collect();

    report.at_least("text_blocks", blocks.len() as f32, f32::from(u8::from(against.words)), true);
    report.at_most("text_overflow", blocks.iter().filter(|b| overflows(b, &canvas)).count() as f32, 0.0, true);
    report.at_most("text_overlap", overlaps(&blocks), 1.0, true);
    let outside = blocks.iter().filter(|b| stands_outside(b, format)).count();
    report.at_most("outside_safe_area", outside as f32, 0.0, true);
    let margin = blocks.iter().map(|b| edge_distance(&b.ink, &canvas)).fold(canvas.w(), f32::min);
    report.at_least("edge_margin", margin, 52.0, false);

    let smallest = blocks.iter().map(|b| b.size).fold(canvas.w(), f32::min);
    report.at_least("smallest_size", smallest, format.smallest_size() - 0.05, true);
    for (name, floor, notes) in
        [("body_size", format.smallest_body(), false), ("note_size", format.smallest_note(), true)]
    {
        let running = blocks
            .iter()
            .filter(|b| b.level == TextLevel::Body && (against.notes || b.slot.starts_with("item.")) == notes);
        if let Some(least) = running.map(|b| b.size).min_by(f32::total_cmp) {
            report.at_least(name, least, floor - 0.05, true);
        }
    }

    let longest = blocks.iter().flat_map(|b| &b.lines).map(|l| l.chars).max().unwrap_or(0);
    report.at_most("line_length", longest as f32, 50.0, false);
    let words: usize = blocks.iter().map(|b| b.text.split_whitespace().count()).sum();
    let most = match format.density {
        Density::Banner => 40.0,
        Density::Poster => 70.0,
        Density::Slide => 110.0,
        Density::Document => 250.0,
    };
    report.at_most("words", words as f32, most, false);
    report.at_most("widows", blocks.iter().filter(|b| is_widowed(b)).count() as f32, 0.0, false);

    let mut sizes: Vec<f32> = blocks.iter().map(|b| b.size).collect();
    sizes.sort_by(f32::total_cmp);
    if let (Some(largest), Some(median)) = (sizes.last(), sizes.get(sizes.len().saturating_sub(1) / 2)) {
        report.at_least("hero_ratio", largest / median, if against.type_only { 1.1 } else { 2.2 }, false);
    }
    sizes.dedup_by(|a, b| (*a - *b).abs() < 0.75);
    report.at_most("sizes", sizes.len() as f32, 8.0, false);
    let centered = blocks.iter().filter(|b| b.centered).count() as f32 / blocks.len().max(1) as f32;
    report.at_most("centered_blocks", centered, 0.3, false);
}

/// How far the slanted last letter of an italic extends beyond its advance, in multiples of its size.
const OVERHANG: f32 = 0.12;

/// Returns whether a text's ink leaves its box or the canvas.
pub(super) fn overflows(b: &TextBlock, canvas: &Rect) -> bool {
    let slack = OVERSHOOT * b.size + 1.0;
    if b.vertical {
        return !canvas.contains(&b.ink, 0.0) || !b.slot_box.contains(&b.ink, slack);
    }
    !canvas.contains(&b.ink, 0.0)
        || b.ink.x1 > b.slot_box.x1 + slack.max(OVERHANG * b.size)
        || b.ink.x0 < b.slot_box.x0 - HANG * b.size - slack
}

/// Returns whether a text's ink leaves the safe area, which the format keeps free of a phone's controls.
pub(super) fn stands_outside(b: &TextBlock, format: &Format) -> bool {
    !format.safe_rect_du().contains(&b.ink, 0.5_f32.max(OPTICAL * b.size))
}

/// Returns the area in du² in which lines of different blocks overlap.
fn overlaps(blocks: &[&TextBlock]) -> f32 {
    let pairs = blocks.iter().enumerate().flat_map(|(i, a)| blocks[i + 1..].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| overlap(a, b)).sum()
}

/// Returns the area in du² in which lines of two blocks overlap.
pub(super) fn overlap(a: &TextBlock, b: &TextBlock) -> f32 {
    if a.ink.intersect(&b.ink).is_empty() {
        return 0.0;
    }
    a.lines.iter().flat_map(|la| b.lines.iter().map(move |lb| la.ink.intersect(&lb.ink).area())).sum()
}

fn edge_distance(ink: &Rect, canvas: &Rect) -> f32 {
    (ink.x0 - canvas.x0).min(ink.y0 - canvas.y0).min(canvas.x1 - ink.x1).min(canvas.y1 - ink.y1)
}

fn is_widowed(b: &TextBlock) -> bool {
    let length = |ink: &Rect| if b.vertical { ink.h() } else { ink.w() };
    let longest = b.lines.iter().map(|l| length(&l.ink)).fold(0.0, f32::max);
    b.lines.len() > 1 && b.lines.last().is_some_and(|l| length(&l.ink) < WIDOW * longest)
}
