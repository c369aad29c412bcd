//! timeline-v: what happened when, one event below the other: dates, a rail, and what happened.

use super::super::fill::{between, fill};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::rail::{Node, join};
use super::super::setter::{Set, Setter};
use super::art_in_corner;
use crate::scene::{Point, Rect};

/// The share of the width that a column of dates may take; longer dates stand over their events.
const DATES: f32 = 0.3;

/// What a sentence that just fits a line is set smaller by: letters stand further apart at smaller sizes.
const SPARE: f32 = 0.985;
/// Rooms that a sentence is given to be measured in one line; not more, for places in it are still to be exact.
const WIDE: f32 = 16.0;

/// Events that have their sizes.
struct Events<'a> {
    events: Vec<Event<'a>>,
    /// Width of the column of dates; 0 where they stand over the heads.
    dates: f32,
    /// Size of the heads.
    size: f32,
    /// Of the heads' nodes.
    radius: f32,
    /// Least and largest room between an event's last line and the next one's first.
    gap: (f32, f32),
    fits: bool,
}

struct Event<'a> {
    date: Option<Set<'a>>,
    head: Set<'a>,
    body: Option<Set<'a>>,
    /// From the date's last baseline to the head, where the date stands over it.
    lead: f32,
    /// From the head's last baseline to the sentence.
    gap: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let heading = Heading { beside: 0.34, ..Heading::default() };
    let (events, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, t), |e| e.fits && e.height() <= room.h())
    });
    setter.misfit |= !events.fits || events.height() > room.h() + 0.5;
    // A pause under the title, where the events leave one.
    let pause = (0.4 * (room.h() - events.height())).clamp(0.0, 44.0 * setter.frame.k);
    events.place(setter, &Rect { y0: room.y0 + pause, ..room });
    art_in_corner(setter, room.y0);
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, t: f32) -> Events<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    let marked = marked(setter, count);
    let size = between(frame.body_floor, items::largest_head(&frame, count, title), t);
    let body_size = items::sentence(&frame, size, t);
    let radius = 0.36 * size;
    let sentence = |i: usize, size: f32| items::body(setter, i, p.ink2, size);
    let date = |i: usize, size: f32| {
        let ink = if i == marked { p.accent_text } else { p.ink2 };
        Some(setter.set(items::label(setter, i, ink, size)?, room.w()))
    };
    let beside: Vec<Option<Set<'a>>> = (0..count).map(|i| date(i, (0.9 * size).max(frame.small))).collect();
    let widest = beside.iter().flatten().map(Set::reach).fold(0.0, f32::max);
    let column = widest <= DATES * room.w();
    let dates = if column { widest } else { 0.0 };
    let left = text_left(dates, size, radius);
    // A little smaller where that keeps every sentence on one line: the rhythm of a timeline is even.
    let whole =
        (0..count).filter_map(|i| sentence(i, body_size)).map(|b| setter.set(b.lines(1), WIDE * room.w()).laid.ink.w());
    let one_line = body_size * (room.w() - left) / whole.fold(1.0, f32::max) * SPARE;
    let body_size = if one_line < frame.item_floor { body_size } else { body_size.min(one_line) };
    let mut fits = true;
    let events = beside
        .into_iter()
        .enumerate()
        .map(|(i, beside)| {
            let ink = if i == marked { p.accent_text } else { p.ink };
            let head = setter.set(items::head(setter, i, ink, size), room.w() - left);
            let body = sentence(i, body_size).map(|b| setter.set(b.lines(3), room.w() - left));
            let date = if column { beside } else { date(i, (0.78 * size).max(frame.small)) };
            let lead = if column || date.is_none() { 0.0 } else { 0.55 * size };
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits) && date.as_ref().is_none_or(|d| d.fits);
            Event { date, head, body, lead, gap: 0.74 * body_size }
        })
        .collect();
    let b = frame.body;
    let gap = (b * (1.0 + 0.6 * t), b * if count <= 4 { 4.6 } else { 3.4 });
    Events { events, dates, size, radius, gap, fits }
}

/// The event that is marked: the one that the source emphasises, else the last.
fn marked(setter: &Setter<'_>, count: usize) -> usize {
    items::emphasised(setter).unwrap_or(count.saturating_sub(1))
}

/// Where text begins beside dates of a width.
fn text_left(dates: f32, size: f32, radius: f32) -> f32 {
    let before = if dates > 0.0 { dates + 1.1 * size } else { 0.0 };
    before + 2.0 * radius + 0.78 * size
}

impl Event<'_> {
    /// How far its head lies below its top.
    fn head_top(&self) -> f32 {
        if self.lead > 0.0 { self.date.as_ref().map_or(0.0, Set::height) + self.lead } else { 0.0 }
    }

    fn height(&self) -> f32 {
        self.head_top() + self.head.height() + self.body.as_ref().map_or(0.0, |b| self.gap + b.height())
    }

    fn depth(&self) -> f32 {
        let last = self.body.as_ref().unwrap_or(&self.head);
        self.height() + last.depth() - last.height()
    }
}

impl<'a> Events<'a> {
    /// Of the events with the least room between them.
    fn height(&self) -> f32 {
        let gaps = self.gap.0 * self.events.len().saturating_sub(1) as f32;
        let last = self.events.last().map_or(0.0, |e| e.depth() - e.height());
        self.events.iter().map(Event::height).sum::<f32>() + gaps + last
    }

    /// Where each event begins, from the top of `room`: evenly spaced where their heights let them.
    fn tops(&self, room: &Rect) -> Vec<f32> {
        let Some((last, front)) = self.events.split_last() else { return Vec::new() };
        let highest = front.iter().map(Event::height).fold(0.0, f32::max);
        let steps = front.len().max(1) as f32;
        let pitch = ((room.h() - last.depth()) / steps).min(highest + self.gap.1);
        let gap = ((room.h() - self.height()) / steps + self.gap.0).min(self.gap.1);
        let even = pitch >= highest + self.gap.0;
        let mut tops = vec![0.0];
        for event in front {
            let from = tops.last().copied().unwrap_or(0.0);
            tops.push(from + if even { pitch } else { event.height() + gap });
        }
        let height = tops.last().map_or(0.0, |t| t + last.depth());
        // What is left over stands above and below.
        let top = room.y0 + 0.4 * (room.h() - height).max(0.0);
        tops.into_iter().map(|t| top + t).collect()
    }

    fn place(&self, setter: &mut Setter<'a>, room: &Rect) {
        let marked = marked(setter, self.events.len());
        let left = room.x0 + text_left(self.dates, self.size, self.radius);
        let axis = left - 0.78 * self.size - self.radius;
        let tops = self.tops(room);
        let nodes: Vec<Node> = tops
            .iter()
            .zip(&self.events)
            .enumerate()
            .map(|(index, (top, event))| {
                let first = if event.lead > 0.0 { event.date.as_ref() } else { None };
                let middle = 0.5 * first.map_or(cap(&event.head), cap);
                Node { center: Point::new(axis, top + middle), radius: self.radius, index, marked: index == marked }
            })
            .collect();
        nodes.windows(2).for_each(|pair| join(setter, &pair[0], &pair[1]));
        nodes.iter().for_each(|node| node.draw(setter));
        for (top, event) in tops.iter().zip(&self.events) {
            let y = top + event.head_top();
            if let Some(date) = &event.date {
                // Beside its head, on the same baseline.
                let over = event.lead > 0.0;
                let (x, y) = if over { (left, *top) } else { (room.x0, y + cap(&event.head) - date.height()) };
                setter.place(date, x, y);
            }
            setter.place(&event.head, left, y);
            if let Some(body) = &event.body {
                setter.place(body, left, y + event.head.height() + event.gap);
            }
        }
    }
}
