//! funnel: three to five values that fall from one to the next, as a stack true to scale: each with its value and name
//! beside it, on strips over and under it.

use kurbo::BezPath;

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::inks::mix;
use super::super::items;
use super::super::setter::{Set, Setter, Spec};
use crate::design::{Nodes, SlotId, Voice};
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, TextLevel};

/// Stages that have their sizes.
struct Stages<'a> {
    stages: Vec<Stage<'a>>,
    /// Width of the words beside the stack; of a column where they stand over and under it.
    words: f32,
    gap: f32,
    fits: bool,
}

struct Stage<'a> {
    value: Option<Set<'a>>,
    head: Set<'a>,
    /// Of the first.
    share: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let heading =
        Heading { beside: if strip { 0.25 } else { 0.33 }, most: if strip { 2.2 } else { 3.0 }, ..Heading::default() };
    let (stages, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, strip, t), |s| s.fits && s.fits_in(&room, strip))
    });
    setter.misfit |= !stages.fits || !stages.fits_in(&room, strip);
    if strip { stages.across(setter, &room) } else { stages.down(setter, &room) }
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, strip: bool, t: f32) -> Stages<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    let size = between(frame.body_floor, items::largest_head(&frame, count, title), t);
    let value_size = between(1.1, 1.5, t) * size;
    let words = if strip { room.w() / count.max(1) as f32 - 40.0 * frame.k } else { 0.36 * room.w() };
    let numbers: Vec<f64> = (0..count).map(|i| number(setter, i)).collect();
    let most = numbers.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut fits = true;
    let stages: Vec<Stage<'a>> = (0..count)
        .map(|i| {
            let ink = if i + 1 == count { p.accent_text } else { p.ink };
            let slot = SlotId::Cell(i as u8, 0);
            let value = setter.text(slot).map(|text| {
                let range = (frame.body_floor.min(value_size), value_size);
                setter.set(Spec::new(slot, text, Voice::Figure, TextLevel::Head, ink, range).lines(1), words)
            });
            let head = setter.set(
                items::head(setter, i, p.ink2, 0.86 * size)
                    .range(0.8 * frame.body_floor.max(frame.small), (0.86 * size).max(frame.body_floor)),
                words,
            );
            fits &= head.fits && value.as_ref().is_none_or(|v| v.fits);
            Stage { value, head, share: (numbers[i] / most) as f32 }
        })
        .collect();
    // Values in one size read as one column.
    let least = stages.iter().filter_map(|s| Some(s.value.as_ref()?.laid.size)).fold(f32::INFINITY, f32::min);
    let stages = stages
        .into_iter()
        .map(|s| Stage { value: s.value.map(|v| setter.set(v.spec.range(least, least), words)), ..s })
        .collect();
    Stages { stages, words, gap: 0.5 * size, fits }
}

/// The number of stage `i`.
fn number(setter: &Setter<'_>, i: usize) -> f64 {
    setter.page.items.get(i).and_then(|item| item.numbers.first()).copied().unwrap_or(0.0)
}

impl Stage<'_> {
    fn height(&self, gap: f32) -> f32 {
        self.head.depth() + self.value.as_ref().map_or(0.0, |v| v.height() + gap)
    }
}

impl<'a> Stages<'a> {
    fn fits_in(&self, room: &Rect, strip: bool) -> bool {
        let highest = self.stages.iter().map(|s| s.height(self.gap)).fold(0.0, f32::max);
        if strip { highest <= 0.6 * room.h() } else { highest * 1.35 * self.stages.len() as f32 <= room.h() }
    }

    /// Bars one below the other, flush with each other at their left, joined by what falls away.
    fn down(&self, setter: &mut Setter<'a>, room: &Rect) {
        let count = self.stages.len().max(1) as f32;
        let k = setter.frame.k;
        // The last has nothing to fall to.
        let pitch = room.h() / (count - 0.36);
        let height = 0.64 * pitch;
        let left = room.x0 + self.words + 44.0 * k;
        let bars: Vec<Rect> = self
            .stages
            .iter()
            .enumerate()
            .map(|(i, s)| Rect::at(left, room.y0 + i as f32 * pitch, s.share * (room.x1 - left), height))
            .collect();
        for pair in bars.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            fall(
                setter,
                [Point::new(a.x0, a.y1), Point::new(a.x1, a.y1), Point::new(b.x1, b.y0), Point::new(b.x0, b.y0)],
            );
        }
        for (i, (rect, stage)) in bars.iter().zip(&self.stages).enumerate() {
            bar(setter, *rect, i, i + 1 == bars.len());
            let y = rect.y0 + 0.5 * (rect.h() - stage.height(self.gap));
            self.words(setter, stage, room.x0, y);
        }
    }

    /// Bars side by side on one line, under their values and over their names.
    fn across(&self, setter: &mut Setter<'a>, room: &Rect) {
        let count = self.stages.len().max(1) as f32;
        let pitch = (room.w() + 40.0 * setter.frame.k) / count;
        let heads = self.stages.iter().map(|s| s.head.depth()).fold(0.0, f32::max);
        let values = self.stages.iter().filter_map(|s| s.value.as_ref()).map(|v| v.height()).fold(0.0, f32::max);
        let base = room.y1 - heads - 1.2 * self.gap;
        let most = base - room.y0 - values - 1.2 * self.gap;
        let bars: Vec<Rect> = self
            .stages
            .iter()
            .enumerate()
            .map(|(i, s)| {
                let x = room.x0 + i as f32 * pitch;
                Rect::new(x, base - s.share * most, x + 0.64 * pitch, base)
            })
            .collect();
        for pair in bars.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            fall(
                setter,
                [Point::new(a.x1, a.y0), Point::new(b.x0, b.y0), Point::new(b.x0, b.y1), Point::new(a.x1, a.y1)],
            );
        }
        for (i, (rect, stage)) in bars.iter().zip(&self.stages).enumerate() {
            bar(setter, *rect, i, i + 1 == bars.len());
            if let Some(value) = &stage.value {
                setter.place(value, rect.x0, rect.y0 - 0.8 * self.gap - value.height());
            }
            setter.place(&stage.head, rect.x0, base + 1.2 * self.gap);
        }
    }

    fn words(&self, setter: &mut Setter<'a>, stage: &Stage<'a>, x: f32, y: f32) {
        let below = stage.value.as_ref().map_or(0.0, |v| v.height() + self.gap);
        if let Some(value) = &stage.value {
            setter.place(value, x, y);
        }
        setter.place(&stage.head, x, y + below);
    }
}

/// The colour of a bar that isn't the last.
fn plain(setter: &Setter<'_>, i: usize) -> Color {
    let p = &setter.page.palette;
    match setter.theme.nodes {
        Nodes::Solid => p.ink,
        Nodes::Ring => mix(p.surface, p.line, 0.4),
        Nodes::Lit => p.line,
        Nodes::Outlined => p.art[i % p.art.len()],
    }
}

fn bar(setter: &mut Setter<'_>, rect: Rect, i: usize, last: bool) {
    let (p, k) = (setter.page.palette, setter.frame.k);
    let fill = if last { p.accent } else { plain(setter, i) };
    setter.mark(Item::rect(rect, fill, Role::Mark));
    if setter.theme.nodes == Nodes::Outlined {
        let coverage = Coverage::Rect { rect, radii: [0.0; 4], stroke: Some(setter.theme.stroke * k) };
        setter.mark(Item::new(coverage, Paint::Solid(p.ink), Role::Mark));
    }
}

/// What falls away between two bars: paler than they are.
fn fall(setter: &mut Setter<'_>, corners: [Point; 4]) {
    let p = &setter.page.palette;
    let ink = if setter.theme.nodes == Nodes::Outlined { p.line } else { plain(setter, 0) };
    let pale = mix(p.bg, ink, if setter.theme.nodes == Nodes::Ring { 0.42 } else { 0.28 });
    let mut path = BezPath::new();
    for (i, c) in corners.iter().enumerate() {
        let at = (f64::from(c.x), f64::from(c.y));
        if i == 0 { path.move_to(at) } else { path.line_to(at) }
    }
    path.close_path();
    setter.mark(Item::path(path, pale, Role::Mark));
}
