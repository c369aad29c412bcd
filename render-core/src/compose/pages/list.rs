//! list-grid: several things side by side, ruled, never carded.

use super::super::art::Scale;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::rows::{Rows, Ruling, solve};
use super::{art, art_on_clear_sides};
use crate::design::{Recipe, SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// A list's heads are quieter than its title by at least this factor, where their smallest size allows.
const QUIETER: f32 = 2.25;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let k = frame.k;
    let count = setter.page.item_count();
    // Where running text may be small, a list that has the room is set larger.
    let grow = 0.5 + 0.5 * frame.lead / frame.body + if count <= 3 { 0.15 } else { 0.0 };
    let shape = Frame::shape_of(&area);
    let title = |most: f32, lines: usize| {
        let text = setter.text(SlotId::Title).unwrap_or_default();
        let range = (1.6 * frame.lead, most * frame.lead);
        let spec = Spec::new(SlotId::Title, text, Voice::Display, TextLevel::Hero, palette.ink, range);
        spec.lines(lines).capped(setter.page.sizes.title)
    };
    let ruling = |columns: usize, most: f32| Ruling {
        columns,
        numerals: true,
        bodies: true,
        closed: false,
        most: grow * most,
        body: grow * 1.1,
    };
    match shape {
        Shape::Tall | Shape::Upright => {
            // A title of a few words may be as loud as a cover's.
            let most = if setter.text(SlotId::Title).is_some_and(|t| t.chars().count() <= 24) { 3.9 } else { 3.0 };
            let head = setter.set_at_most(title(most, 4), area.w(), 0.34 * area.h());
            let gap = 62.0 * k;
            let room = area.h() - head.depth() - gap;
            let most = head.laid.size / (QUIETER * grow * frame.body);
            let most = most.clamp(1.0, 1.45);
            let rows = best_of(setter, &[ruling(2, most), ruling(1, most)], area.w(), room, count, shape);
            setter.place(&head, area.x0, area.y0);
            let y = area.y1 - rows.height;
            rows.place(setter, area.x0, y);
            let between = Rect::new(0.5 * frame.size.w, area.y0 + head.depth() + 70.0 * k, frame.size.w, y - 70.0 * k);
            if !art_on_clear_sides(setter, Scale::Accent) && between.h() > 0.16 * frame.size.h {
                art(setter, between, Scale::Accent);
            }
        }
        Shape::Wide => {
            let left = 0.4 * area.w();
            let gutter = 64.0 * k;
            let head = setter.set_at_most(title(2.6, 5), left, area.h());
            let width = area.w() - left - gutter;
            let rows = best_of(setter, &[ruling(2, 1.2), ruling(1, 1.2)], width, area.h(), count, shape);
            setter.place(&head, area.x0, area.y0);
            rows.place(setter, area.x0 + left + gutter, area.y0);
            // What the title leaves of its column; a ring or a limb wants a corner of its own.
            let under = Rect::new(0.0, area.y0 + head.depth() + 80.0 * k, area.x0 + 0.8 * left, frame.size.h);
            let tiles = setter.page.art.is_some_and(|a| matches!(a.recipe, Recipe::Mosaic));
            if tiles && setter.page.slide.is_none() && under.h() > 0.34 * frame.size.h {
                art(setter, under, Scale::Accent);
            }
        }
        Shape::Strip => {
            let left = 0.3 * area.w();
            let gutter = 56.0 * k;
            let head = setter.set_at_most(title(2.2, 4), left, area.h());
            let columns = count.div_ceil(2).clamp(1, 4);
            let width = area.w() - left - gutter;
            let bare = Ruling { bodies: false, ..ruling(count.clamp(1, 4), 1.1) };
            let tight = Ruling { columns, ..bare };
            let rows = first_fit(setter, &[bare, tight], width, area.h());
            setter.place(&head, area.x0, area.y0 + ((area.h() - head.height()) / 2.0).max(0.0));
            rows.place(setter, area.x0 + left + gutter, area.y0 + ((area.h() - rows.height) / 2.0).max(0.0));
        }
    }
}

/// Two columns where items come in pairs and have something to say, rows else; whichever fits, sentences dropped last.
fn best_of<'a>(setter: &Setter<'a>, ruled: &[Ruling; 2], w: f32, h: f32, count: usize, shape: Shape) -> Rows<'a> {
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
