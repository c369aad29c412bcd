//! process-rows: steps as ruled rows: numeral, head, sentence, and at the end how long each takes. Where all say that, a
//! bar over them is divided as the time is, true to scale, and the longest is marked.

use super::super::fill::{between, fill};
use super::super::heading::{self, Heading};
use super::super::inks::mix;
use super::super::items::{self, cap};
use super::super::setter::{Set, Setter};
use crate::content::durations;
use crate::design::{Nodes, SlotId};
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role};
use crate::text::Align;

/// The share of the width that the column of heads takes at the least and at the most; longer heads stand over their
/// sentences.
const HEADS: (f32, f32) = (0.25, 0.42);
/// The share of the width that what stands at the end of a row may take; longer labels stand over the heads.
const META: f32 = 0.26;

/// Steps that have their sizes.
struct Steps<'a> {
    steps: Vec<Step<'a>>,
    columns: Columns,
    /// Height of the bar; 0 where there is none.
    bar: f32,
    /// From the bar to the first rule.
    under: f32,
    /// Over and under the text of a row.
    pad: f32,
    /// Height of each row but the last, which ends with its text.
    row: f32,
    fits: bool,
}

/// Where the columns of a row begin, from its left end.
#[derive(Clone, Copy)]
struct Columns {
    head: f32,
    /// Of the sentences, where they stand beside the heads.
    body: Option<f32>,
}

struct Step<'a> {
    numeral: Set<'a>,
    head: Set<'a>,
    body: Option<Set<'a>>,
    meta: Option<Set<'a>>,
    /// The label stands over the head, so far above it.
    lead: Option<f32>,
    /// From the head's last baseline to a sentence under it.
    gap: f32,
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let shares = shares(setter);
    let heading = Heading { beside: 0.33, ..Heading::default() };
    let (steps, room) = heading::fitted(setter, area, heading, |setter, room, title| {
        fill(|t| at(setter, &room, title, t, &shares), |s| s.fits && s.height() <= room.h())
    });
    setter.misfit |= !steps.fits || steps.height() > room.h() + 0.5;
    steps.place(setter, &room, &shares);
}

/// How long each step takes, as a share of the whole; empty where they don't all say.
fn shares(setter: &Setter<'_>) -> Vec<f32> {
    let count = setter.page.item_count();
    let labels: Option<Vec<&str>> = (0..count).map(|i| setter.text(SlotId::ItemLabel(i as u8))).collect();
    let Some(times) = labels.and_then(|l| durations(&l)).filter(|t| t.len() >= 2) else { return Vec::new() };
    let whole: f64 = times.iter().sum();
    times.into_iter().map(|t| (t / whole) as f32).collect()
}

/// The step that takes longest, where one does.
fn longest(shares: &[f32]) -> Option<usize> {
    let most = shares.iter().copied().fold(0.0, f32::max);
    let mut longest = (0..shares.len()).filter(|i| shares[*i] >= 0.999 * most);
    longest.next().filter(|_| longest.next().is_none())
}

fn at<'a>(setter: &Setter<'a>, room: &Rect, title: f32, t: f32, shares: &[f32]) -> Steps<'a> {
    let (frame, p) = (setter.frame, setter.page.palette);
    let count = setter.page.item_count();
    let longest = longest(shares);
    let marked = |i: usize| Some(i) == longest;
    let ink = |i: usize, plain: Color| if marked(i) { p.accent_text } else { plain };
    let size = between(frame.body_floor, items::largest_head(&frame, count, title), t);
    let body_size = items::sentence(&frame, size, t);
    let width = room.w();
    let meta = |i: usize| {
        let label = items::label(setter, i, ink(i, p.ink), size)?;
        Some(setter.set(label.range(size, size).align(Align::End), META * width))
    };
    let ends: Vec<Option<Set<'a>>> = (0..count).map(meta).collect();
    let over = ends.iter().flatten().any(|m| !m.fits);
    let end = if over { 0.0 } else { ends.iter().flatten().map(|m| m.laid.width).fold(0.0, f32::max) };
    let numerals: Vec<Set<'a>> = (0..count)
        .map(|i| {
            let plain = if longest.is_some() { p.ink2 } else { items::numeral_ink(setter) };
            setter.set(items::numeral(setter, i, ink(i, plain), size), 4.0 * size)
        })
        .collect();
    let widest = numerals.iter().map(Set::reach).fold(0.0, f32::max);
    let head_at = (widest + 0.9 * size).max(2.1 * size);
    let gutter = 0.9 * size;
    let text_end = width - end - if end > 0.0 { gutter } else { 0.0 };
    let lone = |i: usize| setter.set(items::head(setter, i, p.ink, size).lines(1), width).reach();
    let heads = (0..count).map(lone).fold(0.0, f32::max);
    let has_bodies = (0..count).any(|i| setter.text(SlotId::ItemBody(i as u8)).is_some());
    let body_at = head_at + (heads + gutter).max(HEADS.0 * width);
    let beside = has_bodies && heads <= HEADS.1 * width && text_end - body_at >= 9.0 * body_size;
    let columns = Columns { head: head_at, body: beside.then_some(body_at) };
    let mut fits = true;
    let steps: Vec<Step<'a>> = numerals
        .into_iter()
        .zip(ends)
        .enumerate()
        .map(|(i, (numeral, end))| {
            let head_width = if beside { body_at - head_at } else { text_end - head_at };
            let head = setter.set(items::head(setter, i, ink(i, p.ink), size), head_width);
            let body_width = text_end - if beside { body_at } else { head_at };
            let body = items::body(setter, i, p.ink2, body_size).map(|b| setter.set(b.lines(4), body_width));
            let meta = if over {
                let label = items::label(setter, i, ink(i, p.ink2), (0.8 * size).max(frame.small));
                label.map(|l| setter.set(l, width - head_at))
            } else {
                end
            };
            fits &= head.fits && body.as_ref().is_none_or(|b| b.fits) && meta.as_ref().is_none_or(|m| m.fits);
            let lead = meta.as_ref().filter(|_| over).map(|m| m.height() + 0.5 * size);
            Step { numeral, head, body, meta, lead, gap: 0.74 * body_size }
        })
        .collect();
    let bar = if shares.is_empty() { 0.0 } else { between(1.0, 1.7, t) * frame.body };
    let under = if bar > 0.0 { between(1.0, 1.4, t) * frame.body } else { 0.0 };
    // What is ruled off stands clear of its rules.
    let pad = (between(0.74, 1.05, t) * size).max(27.0 * frame.k);
    let row = steps.iter().map(|s| s.height(beside)).fold(0.0, f32::max) + 2.0 * pad;
    Steps { steps, columns, bar, under, pad, row, fits }
}

impl Step<'_> {
    /// From its first cap line to its last baseline; `beside` where the sentence stands beside the head.
    fn height(&self, beside: bool) -> f32 {
        let head = self.lead.unwrap_or(0.0) + self.head.height();
        match &self.body {
            Some(body) if beside => head.max(body.height() + cap(&self.head) - cap(body)),
            Some(body) => head + self.gap + body.height(),
            None => head,
        }
    }
}

impl<'a> Steps<'a> {
    fn last(&self) -> f32 {
        let beside = self.columns.body.is_some();
        // Descenders of its last line stay inside.
        self.steps.last().map_or(0.0, |s| s.height(beside) + self.pad + 0.5 * s.head.laid.size)
    }

    fn height(&self) -> f32 {
        self.bar + self.under + self.row * self.steps.len().saturating_sub(1) as f32 + self.last()
    }

    fn place(&self, setter: &mut Setter<'a>, room: &Rect, shares: &[f32]) {
        let open = self.steps.len().saturating_sub(1).max(1) as f32;
        let spare = (room.h() - self.height()).max(0.0);
        let most = if self.steps.len() <= 3 { 0.6 } else { 0.42 } * self.row;
        let grown = (spare / open).min(most);
        let row = self.row + grown;
        let mut y = room.y0 + 0.5 * (spare - grown * open);
        if self.bar > 0.0 {
            bar(setter, Rect::at(room.x0, y, room.w(), self.bar), shares);
            y += self.bar + self.under;
        }
        let rule = rule_ink(setter);
        let beside = self.columns.body.is_some();
        for step in &self.steps {
            setter.rule(room.x0, room.x1, y, rule);
            // What a row grew by opens it more below than above.
            let top = y + self.pad + 0.3 * grown;
            let head_top = top + step.lead.unwrap_or(0.0);
            let base = head_top + cap(&step.head);
            setter.place(&step.numeral, room.x0, base - step.numeral.height());
            let left = room.x0 + self.columns.head;
            setter.place(&step.head, left, head_top);
            if let Some(body) = &step.body {
                let x = room.x0 + self.columns.body.unwrap_or(self.columns.head);
                let y = if beside { base - cap(body) } else { head_top + step.head.height() + step.gap };
                setter.place(body, x, y);
            }
            match &step.meta {
                Some(meta) if step.lead.is_some() => setter.place(meta, left, top),
                Some(meta) => setter.place(meta, room.x1 - meta.width, base - cap(meta)),
                None => {}
            }
            y += row;
        }
    }
}

/// Styles that don't colour their numerals draw their rules in ink: nothing else divides their pages.
fn rule_ink(setter: &Setter<'_>) -> Color {
    let p = &setter.page.palette;
    if setter.theme.numerals == crate::design::Numerals::Plain { p.ink } else { p.line }
}

/// A bar divided by shares of 0–1 that add up to 1, with the longest marked.
fn bar(setter: &mut Setter<'_>, rect: Rect, shares: &[f32]) {
    let (p, k) = (setter.page.palette, setter.frame.k);
    let longest = longest(shares);
    let outlined = setter.theme.nodes == Nodes::Outlined;
    let stroke = setter.theme.stroke * k;
    let gap = if outlined { stroke + 6.0 * k } else { 6.0 * k };
    let room = rect.w() - gap * shares.len().saturating_sub(1) as f32;
    let idle = mix(p.surface, p.line, if p.line == p.ink { 0.0 } else { 0.4 });
    let mut x = rect.x0;
    for (i, share) in shares.iter().enumerate() {
        let part = Rect::at(x, rect.y0, share * room, rect.h());
        x = part.x1 + gap;
        let r = [(0.4 * setter.theme.radius * k).min(0.5 * part.w()).min(0.5 * part.h()); 4];
        let fill = if Some(i) == longest { p.accent } else { idle };
        setter.mark(Item::rounded(part, r, fill, Role::Mark));
        if outlined {
            let coverage = Coverage::Rect { rect: part, radii: r, stroke: Some(stroke) };
            setter.mark(Item::new(coverage, Paint::Solid(p.ink), Role::Mark));
        }
    }
}
