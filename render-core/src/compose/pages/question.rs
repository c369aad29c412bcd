//! qa: a question at twice the size of its answer; its mark, a figure of the display face, stands over both.

use super::super::column::Column;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{art, art_bottom, art_on_clear_sides, art_top, call};
use crate::art::Scale;
use crate::design::{Numerals, SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// Marks that a question ends with.
const MARKS: [char; 5] = ['?', '？', '؟', ';', '՞'];

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => upright(setter, area),
        Shape::Wide | Shape::Strip => wide(setter, area),
    }
}

/// Question and answer. The answer's size follows the question's, so that one is twice the other.
fn column<'a>(setter: &Setter<'a>, most: f32) -> Column<'a> {
    let (frame, palette, sizes) = (setter.frame, &setter.page.palette, setter.page.sizes);
    let (b, lead) = (frame.body.max(0.9 * frame.lead), frame.lead);
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let least = (2.0 * frame.body_floor).min(most * lead);
    let question = Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, (least, most * lead));
    let answer = setter.text(SlotId::Body).map(|text| {
        let range = (frame.body_floor, frame.body_floor.max(0.5 * most * lead).min(1.4 * b));
        Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, palette.ink2, range)
            .lines(9)
            .capped(sizes.body)
            .measure(25.5)
    });
    Column::default()
        .text(0.0, question.lines(5).capped(sizes.title))
        .maybe(1.7 * b, answer)
        .maybe(1.5 * b, call(setter))
}

/// The mark that the question ends with, where the style numbers its items in the accent and so would this.
fn mark<'a>(setter: &Setter<'a>, most: f32) -> Option<Spec<'a>> {
    let title = setter.text(SlotId::Title)?.trim_end();
    let (at, _) = title.char_indices().next_back().filter(|(_, c)| MARKS.contains(c))?;
    let (lead, ink) = (setter.frame.lead, setter.page.palette.accent_text);
    let range = (2.4 * lead, most.max(2.4 * lead));
    let spec = Spec::new(SlotId::Number, &title[at..], Voice::Figure, TextLevel::Hero, ink, range).lines(1);
    // A mark of a script that no face of this style has alone stays where the question has it.
    let drawn = |spec: &Spec<'a>| !setter.set(spec.clone(), 20.0 * most).laid.ink.is_empty();
    Some(spec).filter(|spec| setter.theme.numerals != Numerals::Plain && drawn(spec))
}

fn upright(setter: &mut Setter<'_>, area: Rect) {
    let (size, k, lead) = (setter.frame.size, setter.frame.k, setter.frame.lead);
    let marked = mark(setter, lead).is_some();
    let stack = column(setter, if marked { 2.7 } else { 3.3 }).solve(
        setter,
        area.w(),
        area.h() - if marked { 4.0 * lead } else { 0.0 },
    );
    let spare = area.h() - stack.depth;
    if !marked {
        // The question stands at the top, its answer at the foot of the page where that leaves no hole between them.
        let y = area.y0 + (0.16 * spare).min(90.0 * k);
        stack.place(setter, area.x0, y);
        let top = y + stack.depth + 96.0 * k;
        let bottom = art_bottom(setter, &area);
        let side = (bottom - top).min(0.62 * size.w);
        if !art_on_clear_sides(setter, Scale::Accent) {
            art(setter, Rect::new(size.w - side, bottom - side, size.w, bottom), Scale::Accent);
        }
        return;
    }
    let top = area.y1 - stack.depth;
    let room = top - area.y0 - 76.0 * k;
    let mark = mark(setter, (room / 0.74).min(16.0 * lead)).map(|spec| setter.set(spec, 0.6 * area.w()));
    if let Some(mark) = &mark {
        setter.place(mark, area.x0, area.y0);
    }
    stack.place(setter, area.x0, top);
    let above = art_top(setter, &area);
    let side = (top - 96.0 * k - above).min(0.3 * size.w);
    let left = (size.w - side).max(area.x0 + mark.map_or(0.0, |m| m.reach()) + 60.0 * k);
    if !art_on_clear_sides(setter, Scale::Accent) {
        art(setter, Rect::new(left, above, size.w, above + side), Scale::Accent);
    }
}

fn wide(setter: &mut Setter<'_>, area: Rect) {
    let (k, lead) = (setter.frame.k, setter.frame.lead);
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let mark = mark(setter, (0.86 * area.h() / 0.74).min(13.0 * lead)).map(|spec| setter.set(spec, 0.24 * area.w()));
    let left = area.x0 + mark.as_ref().map_or(0.0, |m| (m.reach() + 64.0 * k).max(0.2 * area.w()));
    let width = (area.x1 - left).min(if strip { f32::INFINITY } else { 0.86 * area.w() });
    let stack = column(setter, if strip { 2.2 } else { 2.4 }).solve(setter, width, area.h());
    let height = mark.as_ref().map_or(0.0, |m| m.height()).max(stack.depth);
    let y = area.y0 + (area.h() - height).max(0.0) * if strip { 0.5 } else { 0.62 };
    if let Some(mark) = &mark {
        setter.place(mark, area.x0, y);
    }
    stack.place(setter, left, y);
    art_on_clear_sides(setter, Scale::Accent);
}
