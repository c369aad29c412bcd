//! definition: a word as the hero across the page, its baseline at half the height, and under it what it means.

use super::super::column::Column;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Set, Setter, Spec};
use super::{art, art_top, call, reading};
use crate::art::Scale;
use crate::design::{Recipe, SlotId, Voice};
use crate::scene::{Rect, TextLevel};
use crate::text::TextSpan;

/// The tag of what sort of word it is.
const SORT: u8 = 21;
/// Where the word's baseline stands, as a share of the canvas's height.
const BASELINE: f32 = 0.508;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match Frame::shape_of(&area) {
        Shape::Strip => strip(setter, area),
        Shape::Tall | Shape::Upright | Shape::Wide => upright(setter, area),
    }
}

fn term<'a>(setter: &Setter<'a>, most: f32) -> Spec<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let words = text.split_whitespace().count();
    let range = (1.5 * frame.lead, most * frame.lead);
    Spec::new(SlotId::Title, text, Voice::Display, TextLevel::Hero, palette.ink, range)
        .lines(words.clamp(1, 3))
        .capped(setter.page.sizes.title)
}

/// How it is said or where it comes from, and what it means.
fn meaning<'a>(setter: &Setter<'a>, most: f32) -> Column<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let b = frame.body.max(0.9 * frame.lead);
    let aside = setter.text(SlotId::Attribution).map(|text| {
        let range = (frame.small, 0.86 * b);
        let ink = palette.accent_text;
        let spec = Spec::new(SlotId::Attribution, text, Voice::Data, TextLevel::Small, ink, range).lines(2);
        // As dictionaries have it: how it is said upright, what sort of word it is in italics.
        let said =
            text.strip_prefix('/').and_then(|rest| rest.find('/')).map(|at| at + 2).filter(|at| *at < text.len());
        let italic = setter.fonts.italic(setter.style(Voice::Data, range.1).face);
        match (said, italic) {
            (Some(at), Some(face)) => {
                let span = TextSpan { face: Some(face), ..TextSpan::tagged(at..text.len(), SORT) };
                spec.spans(vec![span]).inks(vec![(SORT, ink)])
            }
            _ => spec,
        }
    });
    let body = setter.text(SlotId::Body).map(|text| {
        let range = (frame.body_floor, frame.body_floor.max(most * frame.lead));
        Spec::new(SlotId::Body, text, reading(setter), TextLevel::Body, palette.ink, range).lines(7).leading(1.24)
    });
    Column::default().maybe(0.0, aside).maybe(1.6 * b, body).maybe(1.6 * b, call(setter))
}

/// The word in a width that its ink keeps too: an italic leans out of its advances.
fn leaning<'a>(setter: &Setter<'a>, spec: Spec<'a>, width: f32, height: f32) -> Set<'a> {
    let set = setter.set_at_most(spec.clone(), width, height);
    let over = set.reach() / width;
    if over <= 1.0 { set } else { setter.set_at_most(spec, width / over, height).widened(width) }
}

fn upright(setter: &mut Setter<'_>, area: Rect) {
    let (frame, size) = (setter.frame, setter.frame.size);
    let wide = Frame::shape_of(&area) == Shape::Wide;
    let k = frame.k;
    let width = if wide { 0.7 * area.w() } else { 0.9 * area.w() };
    let term = leaning(setter, term(setter, 9.5), area.w(), 0.4 * area.h());
    let has_aside = setter.text(SlotId::Attribution).is_some();
    let gap = term.depth() - term.height() + if has_aside { 54.0 } else { 72.0 } * k;
    let room = area.h() - term.height() - gap;
    let meaning =
        meaning(setter, if Frame::shape_of(&area) == Shape::Wide { 1.34 } else { 1.5 }).solve(setter, width, room);
    // The baseline stands at the middle of what is seen, unless the meaning needs more room than is left below.
    let middle = if area.y1 < 0.9 * size.h { area.y0 + 0.52 * area.h() } else { BASELINE * size.h };
    let base = middle.min(area.y1 - gap - meaning.depth).max(area.y0 + term.height());
    // A little that is left below is no reason to float: all of it moves down until it stands.
    let spare = (area.y1 - gap - meaning.depth - base).max(0.0);
    let base = base + (0.55 * (spare - 0.14 * area.h())).max(0.0);
    setter.place(&term, area.x0, base - term.height());
    meaning.place(setter, area.x0, base + gap);
    let top = art_top(setter, &area);
    // Light falls over the page, other pictures stand apart.
    let light = setter.page.art.is_some_and(|a| a.recipe == Recipe::Beams);
    let (left, low) = if light { (0.0, -1.6 * term.height()) } else { (0.3, term.height() + 84.0 * k) };
    let top = if light { 0.0 } else { top };
    let zone = Rect::new(left * size.w, top, size.w, base - low);
    art(setter, zone, Scale::Lead);
}

fn strip(setter: &mut Setter<'_>, area: Rect) {
    let k = setter.frame.k;
    let (left, gutter) = (0.48 * area.w(), 72.0 * k);
    let term = leaning(setter, term(setter, 4.4), left, area.h());
    let width = area.w() - left - gutter;
    let meaning = meaning(setter, 1.2).solve(setter, width, area.h());
    setter.place(&term, area.x0, area.y0 + 0.5 * (area.h() - term.height()));
    meaning.place(setter, area.x0 + left + gutter, area.y0 + 0.5 * (area.h() - meaning.height));
}
