//! Legibility: the contrast of each text with the pixels under its ink, and how calm its surroundings are.

use super::filled::shown;
use super::{CONTRAST_LARGE, CONTRAST_SMALL, Report};
use crate::cancel;
use crate::raster::Pixmap;
use crate::scene::{Color, Rect, Role, Scene, TextBlock};

/// Least sizes in du of large text, regular and bold (WCAG's 24 px and 18.7 px bold, on a phone 390 px wide).
const LARGE: f32 = 60.0;
const LARGE_BOLD: f32 = 38.0;
/// Least distance of art from text, in du.
const CLEAR: f32 = 24.0;
/// Longest side, in du, of a cell within which pixels are compared, and the difference between them above which the
/// surroundings of a text count as busy.
const CELL: f32 = 72.0;
const QUIET: i32 = 26;

pub(super) fn measure(report: &mut Report, scene: &Scene, pixels: &Pixmap) {
    let scale = pixels.width as f32 / scene.size.w;
    let (mut small, mut large) = ((21.0_f32, 108.0_f32), (21.0_f32, 108.0_f32));
    let mut busy = 0;
    let art = art(scene);
    for block in scene.blocks.iter().filter(|b| !b.lines.is_empty()) {
        cancel::check();
        let worst = if is_large(block) { &mut large } else { &mut small };
        let (wcag, apca) = least_contrast(block, pixels, scale);
        *worst = (worst.0.min(wcag), worst.1.min(apca));
        busy += usize::from(is_busy(block, &art, pixels, scale));
    }
    report.at_least("contrast_small", small.0, CONTRAST_SMALL, true);
    report.at_least("contrast_large", large.0, CONTRAST_LARGE, true);
    report.at_least("apca_small", small.1, 60.0, false);
    report.at_least("apca_large", large.1, 45.0, false);
    report.at_most("art_near_text", busy as f32, 0.0, false);
}

/// Returns the least WCAG ratio of a block over `pixels`, which show the whole scene.
pub(super) fn contrast_of(block: &TextBlock, pixels: &Pixmap, scene: &Scene) -> f32 {
    least_contrast(block, pixels, pixels.width as f32 / scene.size.w).0
}

/// Returns the least WCAG ratio and APCA Lc of a block, including the words in it with a colour of their own.
fn least_contrast(block: &TextBlock, pixels: &Pixmap, scale: f32) -> (f32, f32) {
    let lines: Vec<Rect> = block.lines.iter().map(|l| l.ink).collect();
    let whole = contrast(block.color, &lines, &banded(block, scale), pixels, scale);
    block.spots.iter().fold(whole, |least, s| {
        let spot = match s.on {
            Some(band) => (s.color.contrast(band), s.color.apca(band)),
            None => contrast(s.color, &[s.ink], &[], pixels, scale),
        };
        (least.0.min(spot.0), least.1.min(spot.1))
    })
}

/// Returns whether a text counts as large.
pub(super) fn is_large(b: &TextBlock) -> bool {
    b.size >= LARGE || (b.size >= LARGE_BOLD && b.weight >= 600)
}

/// Returns the parts of a block that have their own ground, including the pixels at their edges.
fn banded(block: &TextBlock, scale: f32) -> Vec<Rect> {
    block.spots.iter().filter(|s| s.on.is_some()).map(|s| s.ink.grow(1.0 / scale)).collect()
}

/// Returns the WCAG ratio and APCA Lc of an ink over the pixels under its lines, except those in `beside`: the 5th
/// percentile.
fn contrast(ink: Color, lines: &[Rect], beside: &[Rect], pixels: &Pixmap, scale: f32) -> (f32, f32) {
    let mut seen: Vec<[u8; 3]> = Vec::new();
    for line in lines {
        for_pixels(line, beside, pixels, scale, |p| seen.push(p));
    }
    seen.sort_unstable();
    // Contrast is computed once for each distinct colour and weighted by its frequency.
    let mut weighed: Vec<(f32, f32, usize)> = Vec::new();
    for same in seen.chunk_by(|a, b| a == b) {
        let field = Color::rgb8(same[0][0], same[0][1], same[0][2]);
        weighed.push((ink.contrast(field), ink.apca(field), same.len()));
    }
    let percentile = |key: fn(&(f32, f32, usize)) -> f32, weighed: &mut Vec<(f32, f32, usize)>| {
        weighed.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let target = seen.len() / 20;
        let mut passed = 0;
        weighed
            .iter()
            .find(|w| {
                passed += w.2;
                passed > target
            })
            .map_or(21.0, key)
    };
    (percentile(|w| w.0, &mut weighed), percentile(|w| w.1, &mut weighed))
}

/// Returns the visible boxes of the scene's art.
fn art(scene: &Scene) -> Vec<Rect> {
    let drawn = scene.items.iter().enumerate().filter(|(_, item)| item.role == Role::Art);
    let seen = drawn.map(|(i, _)| shown(scene, i));
    seen.filter(|r| !r.is_empty()).collect()
}

/// Returns whether art comes close to a text and is visible there.
fn is_busy(block: &TextBlock, art: &[Rect], pixels: &Pixmap, scale: f32) -> bool {
    let banded = banded(block, scale);
    let near = |cell: &Rect| art.iter().any(|a| !a.intersect(cell).is_empty());
    block.lines.iter().flat_map(|line| cells(line.ink.grow(CLEAR))).filter(near).any(|cell| {
        let mut low = [255_i32; 3];
        let mut high = [0_i32; 3];
        for_pixels(&cell, &banded, pixels, scale, |p| {
            for c in 0..3 {
                low[c] = low[c].min(i32::from(p[c]));
                high[c] = high[c].max(i32::from(p[c]));
            }
        });
        (0..3).any(|c| high[c] - low[c] > QUIET)
    })
}

/// Splits an area into cells within which the eye compares: a slow gradient over the area is calm, an edge in a cell
/// isn't.
fn cells(area: Rect) -> impl Iterator<Item = Rect> {
    let part = |length: f32| (length / CELL).ceil().max(1.0);
    let (columns, rows) = (part(area.w()), part(area.h()));
    let (w, h) = (area.w() / columns, area.h() / rows);
    let at = move |n: u32, columns: u32| {
        Rect::at(area.x0 + (n % columns) as f32 * w, area.y0 + (n / columns) as f32 * h, w, h)
    };
    (0..columns as u32 * rows as u32).map(move |n| at(n, columns as u32))
}

fn for_pixels(area: &Rect, beside: &[Rect], pixels: &Pixmap, scale: f32, mut each: impl FnMut([u8; 3])) {
    let clamp = |v: f32, most: u32| (v.max(0.0) as u32).min(most);
    let (x0, x1) = (clamp(area.x0 * scale, pixels.width - 1), clamp((area.x1 * scale).ceil(), pixels.width));
    let (y0, y1) = (clamp(area.y0 * scale, pixels.height - 1), clamp((area.y1 * scale).ceil(), pixels.height));
    for y in y0..y1.max(y0 + 1) {
        for x in x0..x1.max(x0 + 1) {
            let (px, py) = ((x as f32 + 0.5) / scale, (y as f32 + 0.5) / scale);
            if beside.iter().any(|r| px > r.x0 && px < r.x1 && py > r.y0 && py < r.y1) {
                continue;
            }
            let at = 3 * (y * pixels.width + x) as usize;
            each([pixels.data[at], pixels.data[at + 1], pixels.data[at + 2]]);
        }
    }
}
