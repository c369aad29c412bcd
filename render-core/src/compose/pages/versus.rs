//! split-vs: two things held against each other, each on a field of its own: its name large, its points ruled under it.

use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use super::super::sizes::largest;
use super::super::split::{self, Split};
use super::members;
use super::points::{self, Points};
use crate::design::{SlotId, Voice};
use crate::scene::{Rect, TextLevel};

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let inks = setter.parts;
    match setter.split {
        Split::Stacked => stacked(setter, area, inks),
        Split::Beside(x) => beside(setter, area, inks, x),
        Split::Whole => beside(setter, area, inks, area.center().x),
    }
}

fn title<'a>(setter: &Setter<'a>, most: f32, width: f32, height: f32) -> Option<Set<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Title)?;
    let range = (1.25 * frame.lead, most * frame.lead);
    let spec = Spec::new(SlotId::Title, text, Voice::Display, TextLevel::Head, palette.ink, range).lines(4);
    Some(setter.set_at_most(spec.capped(setter.page.sizes.title), width, height))
}

/// The names of both, in one size.
fn names<'a>(setter: &Setter<'a>, inks: [Inks; 2], width: f32, most: f32, lines: usize) -> [Option<Set<'a>>; 2] {
    let lead = setter.frame.lead;
    let spec = |n: u8, cap: f32| {
        let text = setter.text(SlotId::Group(n))?;
        let on = inks[usize::from(n)];
        let range = (1.3 * lead, (most * lead).min(cap));
        let spec = Spec::new(SlotId::Group(n), text, Voice::Display, TextLevel::Hero, on.ink, range);
        Some(setter.set(spec.range(range.0, range.1).lines(lines).on(on.ground), width))
    };
    let alone = [0, 1].map(|n| spec(n, f32::INFINITY));
    let size = alone.iter().flatten().map(|s| s.laid.size).fold(f32::INFINITY, f32::min);
    [0, 1].map(|n| spec(n, size))
}

fn columns(setter: &Setter<'_>, inks: [Inks; 2]) -> [(Vec<u8>, Inks); 2] {
    [0, 1].map(|n: u8| (members(setter.page, n).collect(), inks[usize::from(n)]))
}

/// Sizes of points, from the smallest to the largest that they may have.
fn range(setter: &Setter<'_>) -> (f32, f32) {
    let frame = setter.frame;
    (frame.body_floor, 1.3 * frame.body.max(0.9 * frame.lead))
}

fn beside(setter: &mut Setter<'_>, area: Rect, inks: [Inks; 2], x: f32) {
    let k = setter.frame.k;
    let strip = area.w() > 2.5 * area.h();
    let clear = split::swing(setter.theme, k) + 44.0 * k;
    let width = (area.x1 - x - clear).min(if strip { f32::INFINITY } else { x - clear - area.x0 });
    let mut top = 0.0;
    let mut half = area;
    let mut left = area.x0;
    if strip {
        // A strip has its title beside the two.
        left = x - clear - width;
        if let Some(title) = title(setter, 1.9, left - area.x0 - 64.0 * k, area.h()) {
            setter.place(&title, area.x0, area.y0 + 0.5 * (area.h() - title.height()));
        }
    } else if let Some(title) = title(setter, 2.0, area.w(), 0.2 * area.h()) {
        setter.place(&title, area.x0, area.y0);
        top = area.y0 + title.depth() + 58.0 * k;
        half.y0 = top + 72.0 * k;
    }
    let names = names(setter, inks, width, if strip { 1.8 } else { 3.6 }, 2);
    let tall = names.iter().flatten().map(Set::depth).fold(0.0, f32::max);
    let gap = if strip { 40.0 } else { 56.0 } * k;
    let room = half.h() - tall - gap;
    let columns = columns(setter, inks);
    let (min, max) = range(setter);
    let (points, fits) = largest(min, max, |size| {
        let points = points::at(setter, &columns, width, (size, if strip { 0.42 } else { 0.66 }));
        let fits = points.fits && points.height <= room;
        (points, fits)
    });
    setter.misfit |= !fits;
    let points = points.spread(room);
    split::down(setter, x, top, (half.y0, half.y1));
    // The points stand at the foot of the page, the names at the head of their fields.
    let spare = (room - points.height).max(0.0);
    let y = half.y0 + if strip { 0.5 * spare } else { 0.0 };
    let from = if strip { y + tall + gap } else { half.y0 + tall + gap + spare.min(0.5 * gap + 0.75 * spare) };
    let xs = [left, x + clear];
    for (name, x) in names.iter().zip(xs) {
        if let Some(name) = name {
            setter.place(name, x, y);
        }
    }
    points.place(setter, &xs, width, from);
}

fn stacked(setter: &mut Setter<'_>, area: Rect, inks: [Inks; 2]) {
    let k = setter.frame.k;
    let width = area.w();
    let mut top = area.y0;
    if let Some(title) = title(setter, 1.9, width, 0.16 * area.h()) {
        setter.place(&title, area.x0, area.y0);
        top += title.depth() + 84.0 * k;
    }
    let names = names(setter, inks, width, 3.4, 1);
    let heads = [0, 1].map(|n: usize| names[n].as_ref().map_or(0.0, Set::depth));
    let (gap, clear) = (46.0 * k, split::swing(setter.theme, k) + 66.0 * k);
    let room = area.y1 - top - 2.0 * clear - 2.0 * gap - heads[0] - heads[1];
    let columns = columns(setter, inks);
    let (min, max) = range(setter);
    let (sides, fits): ([Points<'_>; 2], bool) = largest(min, max, |size| {
        let sides = [0, 1].map(|n: usize| points::at(setter, &columns[n..=n], width, (size, 0.66)));
        let height: f32 = sides.iter().map(|p| p.height).sum();
        let fits = sides.iter().all(|p| p.fits) && height <= room;
        (sides, fits)
    });
    setter.misfit |= !fits;
    let spare = (room - sides.iter().map(|p| p.height).sum::<f32>()).max(0.0);
    let sides = sides.map(|p| {
        let height = p.height + 0.5 * spare;
        p.spread(height)
    });
    let left = (room - sides.iter().map(|p| p.height).sum::<f32>()).max(0.0);
    let mut y = top + 0.2 * left;
    for (n, points) in sides.iter().enumerate() {
        if let Some(name) = &names[n] {
            setter.place(name, area.x0, y);
        }
        y += heads[n] + gap;
        points.place(setter, &[area.x0], width, y);
        y += points.height + clear + 0.2 * left;
        if n == 0 {
            split::across(setter, y, (area.x0, area.x1));
            y += clear + 0.1 * left;
        }
    }
}
