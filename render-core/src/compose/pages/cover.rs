//! cover-type: the hook. Type leads; art takes what type leaves and bleeds off the canvas.

use super::super::chrome;
use super::super::column::{Column, Stack};
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::super::sign;
use super::super::stand::words_first;
use super::{art, art_on_clear_sides, art_top, call, has_clear_side, is_footed, vertical_cover};
use crate::art::{Scale, wave_edge};
use crate::design::{Art, Recipe, SlotId, Style, Voice, Writing, drawn};
use crate::scene::{Item, Point, Rect, Role, TextLevel};

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    if setter.page.writing == Writing::Vertical {
        return vertical_cover::set(setter, area);
    }
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => upright(setter, area),
        Shape::Wide | Shape::Strip => wide(setter, area),
    }
}

fn is_arabic(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

pub(super) fn column<'a>(setter: &Setter<'a>, shape: Shape, lines: usize) -> Column<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let (b, lead) = (frame.body, frame.lead);
    let most = match (shape, setter.page.style) {
        (Shape::Strip, _) => 3.0,
        (Shape::Wide, _) => 3.5,
        // Light strokes carry at sizes at which heavy ones shout.
        (_, Style::Elegant) => 5.4,
        (_, Style::Minimal) => 4.6,
        (_, Style::Creative) => 4.4,
        _ => 3.9,
    };
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let dek = setter.text(SlotId::Body);
    let ruled = if is_ruled(setter) { 1.5 } else { 0.9 };
    Column::default()
        .text(
            0.0,
            Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, (1.7 * lead, most * lead))
                .lines(lines)
                .capped(setter.page.sizes.title),
        )
        .maybe(
            // The letters of Arabic reach far below their line.
            if title.chars().any(is_arabic) { 1.25 } else { 1.0 } * ruled * (b + lead),
            dek.map(|t| {
                let range = (frame.body_floor, 1.12 * b.max(0.9 * lead));
                Spec::new(SlotId::Body, t, Voice::Body, TextLevel::Body, palette.ink2, range).lines(5)
            }),
        )
        .maybe(0.9 * (b + frame.body), call(setter))
}

/// Whether a rule parts the title from what stands under it.
fn is_ruled(setter: &Setter<'_>) -> bool {
    setter.page.style == Style::Corporate && setter.text(SlotId::Body).is_some()
}

fn upright(setter: &mut Setter<'_>, area: Rect) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let shape = Frame::shape_of(&area);
    let has_art = setter.page.art.is_some() || setter.cut;
    let clear = has_clear_side(setter);
    let share = if has_art && !clear { 0.64 } else { 1.0 };
    // Art takes the end that the words leave.
    let own = match setter.page.style {
        _ if setter.cut => true,
        Style::Elegant => true,
        Style::Minimal => !drawn(setter.page.seed, 7).is_multiple_of(3),
        // A landscape lies low, and so may what has no corner of its own.
        Style::Dark | Style::Modern => {
            let lies = |a: Art| matches!(a.recipe, Recipe::Ridge | Recipe::Pulse | Recipe::Stack);
            setter.page.art.is_some_and(lies) && drawn(setter.page.seed, 7).is_multiple_of(2)
        }
        // What hangs in a corner hangs in the upper one.
        Style::Corporate => {
            let hangs =
                setter.page.art.is_some_and(|a| matches!(a.recipe, Recipe::Rings | Recipe::Grid | Recipe::Prisms));
            drawn(setter.page.seed, 7).is_multiple_of(2) && !hangs
        }
        _ => false,
    };
    let type_first = words_first(setter, own);
    let solved = |share: f32| column(setter, shape, 5).solve(setter, area.w(), share * area.h());
    // What lies low under the words needs a height of its own.
    let low = 1.0 - (0.34 * size.short() + 130.0 * k) / area.h();
    // Words that are moved keep their size.
    let tight = (own && has_art && !clear && !setter.cut && low > 0.4 && low < share).then(|| solved(low));
    let stack = tight.filter(|s| s.fits).unwrap_or_else(|| solved(share));
    if type_first {
        // Type in the upper two thirds, the art low.
        let y = area.y0 + (0.09 * (area.h() - stack.height)).min(80.0 * k);
        stack.place(setter, area.x0, y);
        rule(setter, &stack, &area, y);
        let bottom = y + stack.depth;
        if setter.cut {
            return wave(setter, bottom);
        }
        let top = y + stack.height + 90.0 * k;
        // A page number stands low on the right of a slide; the mark keeps above it. So it does within a frame.
        let framed = setter.is_framed();
        let right = if framed { area.x1 } else { size.w };
        let recipe = setter.page.art.map(|a| a.recipe);
        let left = match recipe {
            // A row of moons runs along the lines, and so does what rises along them.
            Some(Recipe::Phases | Recipe::Columns | Recipe::Steps | Recipe::Sprig | Recipe::Fan) => Some(area.x0),
            Some(recipe) if recipe.spreads() && !framed => Some(0.0),
            _ => None,
        };
        // Under what runs along the lines nothing else does.
        let signed = setter.frame.has_chrome() && setter.text(SlotId::Handle).is_some();
        let footed = is_footed(setter) || framed || left.is_some() && signed;
        let low = if footed { area.y1 - 24.0 * k } else { size.h };
        let high = if left.is_some() && recipe != Some(Recipe::Phases) { 0.78 } else { 0.62 };
        let side = (low - top).min(high * size.w);
        if !art_on_clear_sides(setter, Scale::Lead) {
            art(setter, Rect::new(left.unwrap_or(right - side), low - side, right, low), Scale::Lead);
        }
        return;
    }
    let top = area.y1 - stack.depth;
    stack.place(setter, area.x0, top);
    rule(setter, &stack, &area, top);
    if !art_on_clear_sides(setter, Scale::Lead) {
        let gap = 84.0 * k;
        // A name at the head stands clear of what would spread over it.
        let spreads = setter.page.art.is_some_and(|a| a.recipe.spreads())
            && (setter.text(SlotId::Brand).is_none() || sign::stands_low(setter));
        let left = if spreads { 0.0 } else { 0.25 * size.w };
        art(setter, Rect::new(left, art_top(setter, &area), size.w, top - gap), Scale::Lead);
    }
}

/// The rule between a title and what stands under it, where the style has one; the column's first cap line is at `y`.
fn rule(setter: &mut Setter<'_>, stack: &Stack<'_>, area: &Rect, y: f32) {
    if is_ruled(setter)
        && let [(_, title), (dek, _), ..] = stack.texts.as_slice()
    {
        let at = y + 0.5 * (title.depth() + dek);
        let (t, color) = (setter.theme.rule * setter.frame.k, setter.page.palette.accent);
        setter.mark(Item::rect(Rect::new(area.x0, at - t, area.x1, at + t), color, Role::Mark));
    }
}

/// The page's second field under a wavy edge, and a ball of dots half sunk in it; words end at `bottom`.
fn wave(setter: &mut Setter<'_>, bottom: f32) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let palette = setter.page.palette;
    let edge = (0.66 * size.h).max(bottom + 110.0 * k).min(size.h);
    let lower = Rect::new(0.0, edge, size.w, size.h);
    let seed = setter.page.seed;
    setter.easel(|easel| wave_edge(easel, lower, palette.field, seed, 0.026 * size.w));
    let radius = (0.165 * size.w).min(edge - bottom - 36.0 * k);
    let sinks = if radius < 70.0 * k { 0.0 } else { radius };
    if edge + sinks.max(0.026 * size.w) + 56.0 * k < setter.frame.text.y1 - setter.frame.small {
        chrome::cue(setter);
    }
    if sinks == 0.0 {
        return;
    }
    let center = Point::new(setter.frame.text.x1 - radius, edge);
    let pitch = radius / 10.5;
    // Dots grow towards the lower right, as if lit from the upper left.
    for row in -10..=10_i16 {
        for column in -10..=10_i16 {
            let (dy, shift) = (f32::from(row), if row % 2 == 0 { 0.0 } else { 0.5 });
            let dx = f32::from(column) + shift;
            let lit = 0.26 + 0.33 * (0.5 * dx + 0.85 * dy) / 10.5;
            if dx * dx + dy * dy <= 10.5 * 10.5 && lit > 0.05 {
                let at = Point::new(center.x + dx * pitch, center.y + dy * pitch);
                setter.art(Item::circle(at, lit * pitch, palette.art[1], Role::Art));
            }
        }
    }
}

pub(super) fn wide(setter: &mut Setter<'_>, area: Rect) {
    let (size, k) = (setter.frame.size, setter.frame.k);
    let shape = Frame::shape_of(&area);
    let clear = has_clear_side(setter);
    let has_art = setter.page.art.is_some();
    let share = match (has_art, clear, shape) {
        (false, ..) | (_, true, _) => 1.0,
        (_, _, Shape::Strip) => 0.66,
        _ => 0.58,
    };
    let width = share * area.w();
    let stack = column(setter, shape, 4).solve(setter, width, area.h());
    let free = area.h() - stack.depth;
    let y = area.y0 + if shape == Shape::Strip { free / 2.0 } else { free };
    stack.place(setter, area.x0, y);
    let beside = Rect::new(area.x0 + width + 56.0 * k, 0.0, size.w, size.h);
    if !art_on_clear_sides(setter, Scale::Lead) {
        art(setter, beside, Scale::Lead);
    }
}
