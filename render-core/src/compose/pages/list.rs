//! list-grid: several things side by side, ruled, never carded.

use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::setter::Setter;
use super::rows::{Rows, Ruling, solve};
use super::{art, art_on_clear_sides, art_top, lines_grown};
use crate::art::Scale;
use crate::design::{Recipe, SlotId};
use crate::scene::Rect;

/// A list's heads are quieter than its title by at least this factor, where their smallest size allows.
const QUIETER: f32 = 2.25;
/// Characters of a title that may be as loud as a cover's, and of one that stands beside art.
const FEW: usize = 24;
const BRIEF: usize = 36;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let k = setter.frame.k;
    let shape = Frame::shape_of(&area);
    if shape == Shape::Upright && beside_art(setter, area) {
        return;
    }
    let few = setter.text(SlotId::Title).is_some_and(|t| t.chars().count() <= FEW);
    let heading = match shape {
        Shape::Tall | Shape::Upright if few => Heading { most: 3.9, share: 0.34, ..Heading::default() },
        Shape::Tall | Shape::Upright => Heading { most: 3.0, share: 0.34, ..Heading::default() },
        Shape::Wide => Heading { most: 2.9, beside: 0.36, ..Heading::default() },
        Shape::Strip => Heading { most: 2.2, beside: 0.3, ..Heading::default() },
    };
    let (rows, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        let rows = set_in(setter, room, shape, title);
        let fits = rows.fits.then_some(1.0);
        (rows, fits)
    });
    let spare = (room.h() - rows.height).max(0.0);
    match shape {
        Shape::Tall | Shape::Upright => {
            let y = room.y1 - rows.height;
            rows.place(setter, room.x0, y);
            let size = setter.frame.size;
            let between = Rect::new(0.5 * size.w, room.y0 + 4.0 * k, size.w, y - 70.0 * k);
            if !art_on_clear_sides(setter, Scale::Accent) && between.h() > 0.16 * size.h {
                art(setter, between, Scale::Accent);
            }
        }
        Shape::Wide => {
            rows.place(setter, room.x0, room.y0);
            // What the title leaves of its column; a ring or a limb wants a corner of its own.
            let bottom = setter.blocks.iter().filter(|b| b.slot == "title").map(|b| b.ink.y1).fold(0.0, f32::max);
            let size = setter.frame.size;
            let under = Rect::new(0.0, bottom + 80.0 * k, room.x0 - 0.12 * area.w(), size.h);
            let tiles = setter.page.art.is_some_and(|a| matches!(a.recipe, Recipe::Mosaic));
            if tiles && !setter.banded && setter.page.slide.is_none() && under.h() > 0.34 * size.h {
                art(setter, under, Scale::Accent);
            }
        }
        Shape::Strip => rows.place(setter, room.x0, room.y0 + 0.5 * spare),
    }
}

/// The items under, or beside, a title of a size.
fn set_in<'a>(setter: &Setter<'a>, room: Rect, shape: Shape, title: f32) -> Rows<'a> {
    let count = setter.page.item_count();
    let quiet = title / (QUIETER * grow(setter) * setter.frame.body);
    match shape {
        Shape::Tall | Shape::Upright => {
            let most = quiet.clamp(1.0, 1.55);
            best_of(setter, &[ruling(setter, 2, most), ruling(setter, 1, most)], room.w(), room.h(), shape)
        }
        Shape::Wide => {
            let most = quiet.clamp(1.0, 1.5);
            let roomy = |columns: usize| Ruling { body: 1.02 * grow(setter), ..ruling(setter, columns, most) };
            best_of(setter, &[roomy(2), roomy(1)], room.w(), room.h(), shape)
        }
        Shape::Strip => {
            let bare = Ruling { bodies: false, ..ruling(setter, count.clamp(1, 4), 1.1) };
            let tight = Ruling { columns: count.div_ceil(2).clamp(1, 4), ..bare };
            first_fit(setter, &[bare, tight], room.w(), room.h())
        }
    }
}

fn ruling(setter: &Setter<'_>, columns: usize, most: f32) -> Ruling {
    let grow = grow(setter);
    Ruling { columns, numerals: true, bodies: true, closed: false, most: grow * most, body: grow * 0.98 }
}

/// Where running text may be small, a list that has the room is set larger; so is one of few items.
fn grow(setter: &Setter<'_>) -> f32 {
    let frame = setter.frame;
    0.5 + 0.5 * frame.lead / frame.body + if setter.page.item_count() <= 3 { 0.15 } else { 0.0 }
}

/// A grid at the foot of the page, over it the title at the one side and the page's art at the other. Returns whether there
/// is a grid, a brief title, and room for all of it.
fn beside_art(setter: &mut Setter<'_>, area: Rect) -> bool {
    let (k, lead, size) = (setter.frame.k, setter.frame.lead, setter.frame.size);
    let count = setter.page.item_count();
    let bodies = (0..count).all(|i| setter.text(SlotId::ItemBody(i as u8)).is_some());
    let brief = setter.text(SlotId::Title).is_some_and(|t| t.chars().count() <= BRIEF);
    if setter.page.art.is_none() || setter.banded || !brief || !bodies || count != 4 {
        return false;
    }
    let gap = 66.0 * k;
    let rows = solve(setter, ruling(setter, 2, 1.3), area.w(), 0.5 * area.h());
    let room = area.h() - rows.height - gap;
    let title = heading::title(setter, 3.6).lines(4);
    let most = title.range.1;
    let title = setter.set_at_most(title.range(1.9 * lead, most), 0.54 * area.w(), room);
    let left = area.x0 + (title.reach() + 48.0 * k).max(0.53 * area.w());
    if !rows.fits || !title.fits || room < 0.27 * size.h || area.x1 - left < 0.28 * size.short() {
        return false;
    }
    let y = area.y1 - rows.height;
    setter.place(&title, area.x0, area.y0 + 20.0 * k);
    rows.place(setter, area.x0, y);
    // Inside a frame art stands free; else it bleeds off the page.
    let zone = if setter.theme.frame.is_some() {
        // It rises to the head line where nothing of that reaches it.
        let free = lines_grown(setter, 0.0).iter().all(|l| l.y1 > area.y0 || l.x1 < left - 48.0 * k);
        Rect::new(left, if free { setter.frame.text.y0 } else { area.y0 } - 10.0 * k, area.x1, y - gap)
    } else {
        Rect::new(left, art_top(setter, &area), size.w, y - gap)
    };
    art(setter, zone, Scale::Accent);
    true
}

/// Two columns where items come in pairs and have something to say, rows else; whichever fits, sentences dropped last.
fn best_of<'a>(setter: &Setter<'a>, ruled: &[Ruling; 2], w: f32, h: f32, shape: Shape) -> Rows<'a> {
    let count = setter.page.item_count();
    let [grid, rows] = *ruled;
    let has_bodies = (0..count).any(|i| setter.text(SlotId::ItemBody(i as u8)).is_some());
    let paired = count.is_multiple_of(2) && count >= 4 && shape != Shape::Tall;
    let bare = |r: Ruling| Ruling { bodies: false, most: r.most * 1.12, ..r };
    let order = match (paired, has_bodies) {
        (true, true) => vec![grid, rows, bare(grid), bare(rows)],
        (false, true) => vec![rows, grid, bare(rows), bare(grid)],
        _ => vec![bare(rows), bare(grid)],
    };
    first_fit(setter, &order, w, h)
}

fn first_fit<'a>(setter: &Setter<'a>, order: &[Ruling], w: f32, h: f32) -> Rows<'a> {
    let mut last = None;
    for ruling in order {
        let rows = solve(setter, *ruling, w, h);
        if rows.fits {
            return rows;
        }
        last.get_or_insert(rows);
    }
    last.unwrap_or_else(|| {
        solve(setter, Ruling { columns: 1, numerals: false, bodies: false, closed: false, most: 1.0, body: 1.0 }, w, h)
    })
}
