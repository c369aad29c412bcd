//! timeline-h: what happened when, side by side: dates over a rail, what happened under it.

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::rail::{Node, join};
use super::super::setter::{Set, Setter};
use crate::scene::{Point, Rect};

/// Events that have their sizes.
struct Events<'a> {
    events: Vec<Event<'a>>,
    radius: f32,
    /// From the dates to the rail's top, and from its foot to the heads.
    apart: f32,
    /// From a head's last baseline to its sentence.
    gap: f32,
    fits: bool,
}

struct Event<'a> {
    date: Option<Set<'a>>,
    head: Set<'a>,
    body: Option<Set<'a>>,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let heading = Heading { most: if strip { 2.2 } else { 3.0 }, share: 0.36, beside: 0.25 };
    let (events, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, t), |e| e.fits && e.depth() <= room.h())
    });
    setter.misfit |= !events.fits || events.depth() > room.h() + 0.5;
    events.place(setter, &room, strip);
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, t: f32) -> Events<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    let marked = items::emphasised(setter).unwrap_or(count.saturating_sub(1));
    let size = between(frame.body_floor, items::largest_head(&frame, count, title), t);
    let body_size = items::sentence(&frame, size, t);
    let width = pitch(setter, room, count) - gutter(setter);
    let mut fits = true;
    let events = (0..count)
        .map(|i| {
            let ink = |plain| if i == marked { p.accent_text } else { plain };
            let date = items::label(setter, i, ink(p.ink2), between(frame.small, 1.25 * size, t));
            let date = date.map(|d| setter.set(d, width));
            let head = setter.set(items::head(setter, i, ink(p.ink), size).lines(3), width);
            let body = items::body(setter, i, p.ink2, body_size).map(|b| setter.set(b.lines(6), width));
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits) && date.as_ref().is_none_or(|d| d.fits);
            Event { date, head, body }
        })
        .collect::<Vec<_>>();
    // Dates in one size read as one row.
    let least = events.iter().filter_map(|e| Some(e.date.as_ref()?.laid.size)).fold(f32::INFINITY, f32::min);
    let events = events
        .into_iter()
        .map(|event| Event { date: event.date.map(|d| setter.set(d.spec.range(least, least), width)), ..event })
        .collect();
    Events { events, radius: 0.36 * size, apart: 0.8 * size, gap: 0.74 * body_size, fits }
}

fn gutter(setter: &Setter<'_>) -> f32 {
    44.0 * setter.frame.k
}

/// From one event to the next. The last column has its gutter too, so that all are equally wide.
fn pitch(setter: &Setter<'_>, room: &Rect, count: usize) -> f32 {
    (room.w() + gutter(setter)) / count.max(1) as f32
}

impl<'a> Events<'a> {
    fn dates(&self) -> f32 {
        self.events.iter().filter_map(|e| e.date.as_ref()).map(Set::height).fold(0.0, f32::max)
    }

    /// From the top of the dates to the heads.
    fn head_top(&self) -> f32 {
        let dates = self.dates();
        dates + if dates > 0.0 { self.apart } else { 0.0 } + 2.0 * self.radius + self.apart
    }

    /// From the top of the dates to the lowest ink.
    fn depth(&self) -> f32 {
        let text = |e: &Event<'_>| match &e.body {
            Some(body) => e.head.height() + self.gap + body.depth(),
            None => e.head.depth(),
        };
        self.head_top() + self.events.iter().map(text).fold(0.0, f32::max)
    }

    fn place(&self, setter: &mut Setter<'a>, room: &Rect, strip: bool) {
        let count = self.events.len();
        let marked = items::emphasised(setter).unwrap_or(count.saturating_sub(1));
        let spare = (room.h() - self.depth()).max(0.0);
        // Under a title the events stand at the foot of the page, beside one in the middle.
        let top = room.y0 + spare * if strip { 0.5 } else { 0.86 };
        let pitch = pitch(setter, room, count);
        let axis = top + self.head_top() - self.apart - self.radius;
        let left = |i: usize| room.x0 + i as f32 * pitch;
        let nodes: Vec<Node> = (0..count)
            .map(|i| {
                let center = Point::new(left(i) + self.radius, axis);
                Node { center, radius: self.radius, index: i, marked: i == marked }
            })
            .collect();
        nodes.windows(2).for_each(|pair| join(setter, &pair[0], &pair[1]));
        nodes.iter().for_each(|node| node.draw(setter));
        for (i, event) in self.events.iter().enumerate() {
            let y = top + self.head_top();
            if let Some(date) = &event.date {
                setter.place(date, left(i), top + self.dates() - cap(date));
            }
            setter.place(&event.head, left(i), y);
            if let Some(body) = &event.body {
                setter.place(body, left(i), y + event.head.height() + self.gap);
            }
        }
    }
}
