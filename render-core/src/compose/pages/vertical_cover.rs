//! The cover in columns: title at the right, dek to its left, art low at the left, where reading ends.

use super::super::columns::VerticalSet;
use super::super::setter::{Setter, Spec};
use super::{art, art_on_clear_sides};
use crate::art::{Scale, reach};
use crate::design::{SlotId, Voice};
use crate::scene::{Rect, Size, TextLevel};

/// Letter spacing and distance of columns, of the title and of the dek: a page of columns lives on the air between them.
const TITLE: (f32, f32) = (0.05, 1.42);
const DEK: (f32, f32) = (0.08, 1.8);
/// Columns at the most.
const TITLE_COLUMNS: usize = 3;
const DEK_COLUMNS: usize = 4;
/// The size of the title that is loud enough, as a multiple of the lead.
const LOUD: f32 = 2.7;
/// How much of the area's height columns take at the most.
const HIGH: f32 = 0.8;
/// How much of the area's width the title takes at the most.
const WIDE: f32 = 0.6;
/// Between title and dek, in em of the title.
const BETWEEN: f32 = 0.8;
/// The height that art keeps free under text, as a multiple of its own.
const UNDER: f32 = 1.06;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (b, k, lead) = (frame.body, frame.k, frame.lead);
    let words = setter.text(SlotId::Title).unwrap_or_default();
    let range = (1.7 * lead, 4.4 * lead);
    let spec = Spec::new(SlotId::Title, words, Voice::Display, TextLevel::Hero, palette.ink, range)
        .lines(TITLE_COLUMNS)
        .capped(setter.page.sizes.title);
    let high = HIGH * area.h();
    let within = Size::new(WIDE * area.w(), high);
    // Two long columns where they are as good as loud: what stands beside them has more of the page.
    let two = setter.set_vertical(spec.clone().lines(2), within, TITLE.0, TITLE.1);
    let title = if two.fits && two.laid.size >= LOUD * lead {
        two
    } else {
        setter.set_vertical(spec, within, TITLE.0, TITLE.1)
    };
    // Ink stands at the margin and at the head line, not em boxes.
    let x = area.x1 - title.laid.ink.x1;
    setter.place_vertical(&title, x, area.y0 - title.laid.ink.y0);
    let mut texts = vec![ink(&title, x, area.y0 - title.laid.ink.y0)];
    if let Some(words) = setter.text(SlotId::Body) {
        let range = (frame.body_floor, 1.04 * b.max(0.9 * lead));
        let spec = Spec::new(SlotId::Body, words, Voice::Body, TextLevel::Body, palette.ink2, range).lines(DEK_COLUMNS);
        let right = texts[0].x0 - BETWEEN * title.laid.size;
        let dek = setter.set_vertical(spec, Size::new(right - area.x0, high), DEK.0, DEK.1);
        let (x, y) = (right - dek.laid.ink.x1, area.y0 - dek.laid.ink.y0);
        setter.place_vertical(&dek, x, y);
        texts.push(ink(&dek, x, y));
    }
    if art_on_clear_sides(setter, Scale::Lead) {
        return;
    }
    // Above what stands in the foot, else over the canvas's edge.
    let bottom = if area.y1 < frame.text.y1 - 1.0 { area.y1 - 24.0 * k } else { frame.size.h };
    // What is round ends short of the far edge of its square.
    let wide = setter.page.art.map_or(1.0, |art| reach(&art, bottom >= frame.size.h));
    let side = square(&texts, &area, frame.size.w, bottom, (76.0 * k, wide)).min(0.66 * frame.size.w);
    art(setter, Rect::new(frame.size.w - side, bottom - side, frame.size.w, bottom), Scale::Lead);
    setter.mirror_art();
}

fn ink(set: &VerticalSet<'_>, x: f32, y: f32) -> Rect {
    set.laid.ink.shift(x, y)
}

/// The side of the largest square in the lower left corner whose art, which takes `wide` of it, stays `gap` away from texts that
/// stand side by side from the right.
fn square(texts: &[Rect], area: &Rect, width: f32, bottom: f32, (gap, wide): (f32, f32)) -> f32 {
    let mut largest: f32 = 0.0;
    // It stands left of some of the texts and under the others.
    for under in 0..=texts.len() {
        let (beside, above) = texts.split_at(texts.len() - under);
        let right = beside.iter().map(|t| t.x0 - gap).fold(width, f32::min);
        let top = above.iter().map(|t| t.y1 + gap).fold(area.y0, f32::max);
        largest = largest.max((right / wide).min((bottom - top) / UNDER));
    }
    largest
}
