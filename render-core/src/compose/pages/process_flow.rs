//! process-flow: a few short steps as numbered points on a rail: side by side where the page is wide, one below the other
//! where it is high, else to and fro in two columns.

use super::super::fill::{between, fill};
use super::super::frame::{Frame, Shape};
use super::super::heading::{self, Heading};
use super::super::items::{self, cap};
use super::super::rail::{self, Node, join};
use super::super::setter::{Set, Setter};
use crate::scene::{Point, Rect};

/// Which way the steps run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// From left to right.
    Across,
    /// From top to bottom.
    Down,
    /// To the right, down, to the left, down …
    Snake,
}

/// Steps that have their sizes.
struct Flow<'a> {
    way: Way,
    steps: Vec<Step<'a>>,
    /// Size of the heads.
    size: f32,
    /// Of the points.
    radius: f32,
    /// Highest step.
    step: f32,
    /// Least room between the rows.
    gap: f32,
    fits: bool,
}

struct Step<'a> {
    head: Set<'a>,
    meta: Option<Set<'a>>,
    body: Option<Set<'a>>,
    /// From baseline to cap line within it.
    gap: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shape = Frame::shape_of(&area);
    let count = setter.page.item_count();
    let way = match shape {
        Shape::Wide | Shape::Strip => Way::Across,
        Shape::Upright if count >= 4 => Way::Snake,
        Shape::Tall | Shape::Upright => Way::Down,
    };
    let strip = shape == Shape::Strip;
    let heading = Heading { most: if strip { 2.2 } else { 3.2 }, share: 0.36, beside: 0.25 };
    let (flow, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, way, t), |f| f.fits && f.height() <= room.h())
    });
    setter.misfit |= !flow.fits || flow.height() > room.h() + 0.5;
    flow.place(setter, &room, strip);
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, way: Way, t: f32) -> Flow<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    // The points carry the page; heads may be a little larger than those of a list.
    let most = (1.12 * items::largest_head(&frame, count, title)).min(title / 2.2);
    let size = between(frame.body_floor, most, t);
    let body_size = items::sentence(&frame, size, t);
    let radius = between(1.0, 1.36, t) * size;
    let width = pitch(setter, room, way, count) - left_of_text(way, size, radius) - gutter(setter, way);
    let mut fits = true;
    let steps: Vec<Step<'a>> = (0..count)
        .map(|i| {
            // The last of an odd number has its row to itself.
            let lone = way == Way::Snake && i + 1 == count && count % 2 == 1;
            let width = if lone { width + 0.4 * room.w() } else { width };
            let head = setter.set(items::head(setter, i, p.ink, size).lines(3), width);
            let meta = items::label(setter, i, p.ink2, (0.8 * size).max(frame.small)).map(|m| setter.set(m, width));
            let body = items::body(setter, i, p.ink2, body_size).map(|b| setter.set(b.lines(5), width));
            fits &= [Some(&head), meta.as_ref(), body.as_ref()].into_iter().flatten().all(|s| s.fits);
            Step { head, meta, body, gap: 0.74 * body_size }
        })
        .collect();
    let step = steps.iter().map(|s| s.height(way, radius, size)).fold(0.0, f32::max);
    Flow { way, steps, size, radius, step, gap: between(0.8, 1.3, t) * frame.body, fits }
}

/// From the left of a step to its text.
fn left_of_text(way: Way, size: f32, radius: f32) -> f32 {
    match way {
        Way::Across => 0.0,
        Way::Down => 2.0 * radius + 0.85 * size,
        // Beside the rail that goes down from its point.
        Way::Snake => 2.0 * radius + 0.16 * size,
    }
}

fn gutter(setter: &Setter<'_>, way: Way) -> f32 {
    if way == Way::Down { 0.0 } else { 40.0 * setter.frame.k }
}

/// From the left of one step to that of the next.
fn pitch(setter: &Setter<'_>, room: &Rect, way: Way, count: usize) -> f32 {
    let columns = match way {
        Way::Across => count.max(1),
        Way::Down => 1,
        Way::Snake => 2,
    };
    (room.w() + gutter(setter, way)) / columns as f32
}

impl Step<'_> {
    fn height(&self, way: Way, radius: f32, size: f32) -> f32 {
        let rest = [&self.meta, &self.body].into_iter().flatten().map(|s| self.gap + s.height()).sum::<f32>();
        let text = self.head.height() + rest;
        match way {
            Way::Down => (text + radius - 0.5 * cap(&self.head)).max(2.0 * radius),
            Way::Across => 2.0 * radius + 0.85 * size + text,
            Way::Snake => 2.0 * radius + 0.34 * size + text,
        }
    }

    fn below(&self) -> f32 {
        let last = self.body.as_ref().or(self.meta.as_ref()).unwrap_or(&self.head);
        last.depth() - last.height()
    }
}

impl<'a> Flow<'a> {
    fn rows(&self) -> usize {
        match self.way {
            Way::Across => 1,
            Way::Down => self.steps.len(),
            Way::Snake => self.steps.len().div_ceil(2),
        }
    }

    fn height(&self) -> f32 {
        let rows = self.rows() as f32;
        rows * self.step + (rows - 1.0).max(0.0) * self.gap + self.steps.iter().map(Step::below).fold(0.0, f32::max)
    }

    /// Row and column of a step.
    fn cell(&self, i: usize) -> (usize, usize) {
        match self.way {
            Way::Across => (0, i),
            Way::Down => (i, 0),
            Way::Snake if (i / 2).is_multiple_of(2) => (i / 2, i % 2),
            Way::Snake => (i / 2, 1 - i % 2),
        }
    }

    fn place(&self, setter: &mut Setter<'a>, room: &Rect, strip: bool) {
        let rows = self.rows();
        let spare = (room.h() - self.height()).max(0.0);
        let grown = (spare / rows.saturating_sub(1).max(1) as f32).min(0.55 * self.step);
        let used = if rows > 1 { grown * (rows - 1) as f32 } else { 0.0 };
        let top = room.y0
            + (spare - used)
                * match self.way {
                    Way::Across if strip => 0.5,
                    Way::Across => 0.86,
                    Way::Down | Way::Snake => 0.4,
                };
        let pitch_y = self.step + self.gap + grown;
        let pitch_x = pitch(setter, room, self.way, self.steps.len());
        let corner = |i: usize| {
            let (row, column) = self.cell(i);
            Point::new(room.x0 + column as f32 * pitch_x, top + row as f32 * pitch_y)
        };
        let last = self.steps.len().saturating_sub(1);
        let nodes: Vec<Node> = (0..self.steps.len())
            .map(|index| {
                let Point { x, y } = corner(index);
                let center = Point::new(x + self.radius, y + self.radius);
                Node { center, radius: self.radius, index, marked: index == last }
            })
            .collect();
        for pair in nodes.windows(2) {
            join(setter, &pair[0], &pair[1]);
            rail::arrow_into(setter, &pair[0], &pair[1]);
        }
        nodes.iter().for_each(|node| node.numbered(setter));
        for (i, step) in self.steps.iter().enumerate() {
            let Point { x, y } = corner(i);
            let x = x + left_of_text(self.way, self.size, self.radius);
            let mut y = match self.way {
                Way::Down => y + self.radius - 0.5 * cap(&step.head),
                Way::Across => y + 2.0 * self.radius + 0.85 * self.size,
                Way::Snake => y + 2.0 * self.radius + 0.34 * self.size,
            };
            setter.place(&step.head, x, y);
            y += step.head.height() + step.gap;
            for text in [&step.meta, &step.body].into_iter().flatten() {
                setter.place(text, x, y);
                y += text.height() + step.gap;
            }
        }
    }
}
