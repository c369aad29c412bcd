//! `table`: words and marks in rows and columns, one column in the accent.

use super::Made;
use super::shared::worded;
use super::signs::{has_grounds, upon, verdict};
use crate::design::Voice;
use crate::scene::{Item, Rect, Role, TextLevel};
use crate::sheet::{Boxed, Content, Extent, Inks, Place, Plan, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Step};

const ELEMENT: Element = Element {
    name: "table",
    group: Group::Data,
    about: "rows of cells, the first row and column as heads; accent is the number of the column that stands out",
    holds: Holds::Only(&["tr"]),
    attributes: &[Attribute::new("accent", Kind::Whole(1, 12)), Attribute::or("fit", Kind::Fit, "xs..md")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Least share of the width for a column, and largest share for its words before they wrap.
const COLUMN: (f32, f32) = (0.1, 0.44);
/// Columns whose widths differ by less than this factor become equally wide.
const ALIKE: f32 = 1.8;
/// Largest height of a row, in sizes of its words.
const ROW: f32 = 4.6;

/// A mark that replaces the words of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Yes,
    No,
    Neither,
}

fn mark(node: &Node) -> Option<Mark> {
    Some(match node.text().trim() {
        "✓" | "✔" | "✔\u{fe0f}" | "✅" | "☑" => Mark::Yes,
        "✗" | "✘" | "✕" | "✖" | "×" | "❌" => Mark::No,
        "–" | "—" | "-" => Mark::Neither,
        _ => return None,
    })
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let rows: Vec<&[Node]> = node.children.iter().map(|tr| tr.children.as_slice()).filter(|r| !r.is_empty()).collect();
    let count = rows.iter().map(|r| r.len()).max().unwrap_or_default();
    let headed = rows.len() > 1
        && rows.first().is_some_and(|r| r.iter().skip(usize::from(count > 1)).any(|c| c.name() == "th"))
        || !rows.iter().any(|r| r.iter().any(|c| c.name() == "th"));
    let accent = node.number("accent").map(|n| n as usize - 1).filter(|n| *n < count);
    let fill = with.inks.accent();
    let on = with.on(fill);
    let pad = with.step(if count > 3 { 2 } else { 4 });
    let size = with.size(node.fit("fit").map_or(Step::Md, |f| f.max));
    let cells: Vec<Vec<Option<Boxed>>> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let cell = |(j, cell): (usize, &Node)| {
                let with = if accent == Some(j) { &on } else { with };
                let place = Spot { head: headed && i == 0, first: j == 0 && count > 1, align: align(&rows, j, headed) };
                (!cell.words.is_empty()).then(|| content(cell, node, place, with))
            };
            row.iter().enumerate().map(cell).collect()
        })
        .collect();
    let widths = widths(&cells, count, accent, pad, with);
    let last = rows.len().saturating_sub(1);
    let lines = cells.into_iter().zip(&rows).enumerate().map(|(i, (row, nodes))| {
        let boxes = row.into_iter().enumerate().map(|(j, cell)| {
            let align = align(&rows, j, headed);
            // The first column begins at the edge of the page; a column with its own background has padding on both
            // sides.
            let (before, behind) = if j == 0 && accent != Some(0) { (0.0, pad) } else { (pad, pad) };
            let [left, right] = if with.frame.rtl { [behind, before] } else { [before, behind] };
            Boxed::column(0.0, cell.into_iter().collect()).with(|lay| {
                lay.width = Some(Extent::Share(widths[j]));
                lay.pad = [0.0, right, 0.0, left];
                lay.align = if align == Align::Center { Place::Center } else { Place::Stretch };
            })
        });
        let rule = (i < last).then(|| rule(headed && i == 0, accent, &widths, with));
        let row = Boxed::row(0.0, Place::Center, boxes.collect()).growing(1.0).with(|lay| {
            (lay.pad[0], lay.pad[2]) = (0.55 * pad + 0.2 * size, 0.55 * pad + 0.2 * size);
        });
        let grow = if headed && i == 0 || nodes.len() == 1 { 0.6 } else { 1.0 };
        Boxed::column(0.0, [row].into_iter().chain(rule).collect()).growing(grow)
    });
    let lines = Boxed::column(0.0, lines.collect());
    let most = ROW * size * rows.len() as f32;
    let ground = accent.map(|n| ground(n, &widths, fill, with));
    let table = Boxed::layer(ground.into_iter().chain([lines]).collect());
    Boxed::spread(most, 0.0, vec![table])
}

/// Returns the rule below a row, in the colours of the grounds that it crosses.
fn rule(head: bool, accent: Option<usize>, widths: &[f32], with: &With<'_>) -> Boxed {
    let high = with.rule().min(3.0 * with.frame.k);
    let part = |share: f32, inks: &Inks| {
        let color = if head { inks.ink() } else { inks.line() };
        Boxed::empty().filled(color, 0.0).with(|lay| (lay.width, lay.least_height) = (Some(Extent::Share(share)), high))
    };
    let Some(n) = accent else { return part(1.0, &with.inks) };
    let on = with.inks.on(with.inks.accent());
    let sum = |range: &[f32]| range.iter().sum::<f32>();
    let parts =
        vec![part(sum(&widths[..n]), &with.inks), part(widths[n], &on), part(sum(&widths[n + 1..]), &with.inks)];
    Boxed::row(0.0, Place::Stretch, parts)
}

/// Returns the background of the column in the accent.
fn ground(n: usize, widths: &[f32], fill: crate::scene::Color, with: &With<'_>) -> Boxed {
    let edge = with.outline();
    let share = |w: f32| Boxed::empty().with(|lay| lay.width = Some(Extent::Share(w)));
    let own = share(widths[n]).filled(fill, with.radius(0.7)).looking(|look| look.border = edge);
    Boxed::row(0.0, Place::Stretch, vec![share(widths[..n].iter().sum()), own])
}

/// Returns the alignment of a column: marks in the middle, numbers at the end, words at the start.
fn align(rows: &[&[Node]], j: usize, headed: bool) -> Align {
    let cells = || rows.iter().skip(usize::from(headed)).filter_map(|r| r.get(j)).filter(|c| !c.words.is_empty());
    if j == 0 || cells().next().is_none() {
        return Align::Start;
    }
    let short = |c: &Node| mark(c).is_some() || c.text().chars().count() <= 3;
    if cells().all(short) && cells().any(|c| mark(c).is_some()) {
        return Align::Center;
    }
    Align::Start
}

/// A cell's role in its table.
#[derive(Clone, Copy)]
struct Spot {
    head: bool,
    first: bool,
    align: Align,
}

fn content(cell: &Node, table: &Node, spot: Spot, with: &With<'_>) -> Boxed {
    if let Some(mark) = mark(cell) {
        return Boxed::around(crate::sheet::Flow::Row, vec![sign(mark, with)]).with(|lay| {
            lay.justify =
                if spot.align == Align::Center { crate::sheet::Justify::Center } else { crate::sheet::Justify::Start };
        });
    }
    let fit = table.fit("fit").unwrap_or(crate::tree::Fit { min: Step::Xs, max: Step::Md });
    let (voice, ink) = match spot {
        Spot { head: true, .. } => (Voice::Head, with.inks.ink()),
        Spot { first: true, .. } => (Voice::Label, with.inks.ink2()),
        _ => (Voice::Label, with.inks.ink()),
    };
    let group = format!("{}.{}", table.id, if spot.head { "heads" } else { "cells" });
    let plan = Plan {
        id: &cell.id,
        ink: Some(ink),
        align: Some(spot.align),
        level: if spot.head { TextLevel::Head } else { TextLevel::Body },
        group: Some(&group),
        ..Plan::at(voice, fit.min, 4).fit(fit.min, fit.max)
    };
    worded(cell, with, plan)
}

/// Returns a tick on a disc, or a cross or dash in the ink of supporting text.
fn sign(mark: Mark, with: &With<'_>) -> Boxed {
    let side = with.square(Step::Sm, Step::Md, 1.2);
    let (accent, quiet) = (with.inks.accent(), with.inks.ink2());
    match mark {
        Mark::Yes if has_grounds(with) => verdict(with, true, side, Some(accent), upon(with, accent)),
        Mark::Yes => verdict(with, true, side, None, accent),
        Mark::No => verdict(with, false, side, None, quiet),
        Mark::Neither => {
            let width = with.rule().max(3.0 * with.frame.k);
            let dash = move |rect: Rect| {
                let c = rect.center();
                let half = 0.2 * rect.size().short();
                let line = Rect::new(c.x - half, c.y - width / 2.0, c.x + half, c.y + width / 2.0);
                vec![Item::rounded(line, [width / 2.0; 4], quiet, Role::Mark)]
            };
            Boxed::drawn(side, dash).rigid()
        }
    }
}

/// Returns the shares of the columns: in proportion to their words, within limits; similar columns become equal.
fn widths(cells: &[Vec<Option<Boxed>>], count: usize, accent: Option<usize>, pad: f32, with: &With<'_>) -> Vec<f32> {
    let room = with.frame.room.w();
    let words = |b: &Option<Boxed>| match b.as_ref().map(|b| &b.content) {
        Some(Content::Words(w)) => (w.shaped.widest() * w.size.max, w.shaped.narrowest() * w.size.max),
        _ => (0.0, 0.0),
    };
    let wanted: Vec<f32> = (0..count)
        .map(|j| {
            let column = || cells.iter().filter_map(|row| row.get(j)).map(words);
            let (widest, word) = column().fold((0.0_f32, 0.0_f32), |all, own| (all.0.max(own.0), all.1.max(own.1)));
            let pads = if j == 0 && accent != Some(0) { pad } else { 2.0 * pad };
            (widest.min(COLUMN.1 * room).max(word) + pads).max(COLUMN.0 * room)
        })
        .collect();
    shares(wanted, room)
}

/// Divides `room` in proportion to `wanted`; similar columns after the first become equal. If not everything fits,
/// columns that want little get it, and the others share the rest.
fn shares(mut wanted: Vec<f32>, room: f32) -> Vec<f32> {
    if let Some((_, others)) = wanted.split_first_mut() {
        let (low, high) = others.iter().fold((f32::MAX, 0.0_f32), |(l, h), w| (l.min(*w), h.max(*w)));
        if high < ALIKE * low {
            others.fill(high);
        }
    }
    let most = fair(&wanted, room);
    wanted.iter_mut().for_each(|w| *w = w.min(most));
    let all: f32 = wanted.iter().sum();
    wanted.iter().map(|w| w / all.max(1e-3)).collect()
}

/// Returns the largest share of `room` for each column, such that those that want less get what they want.
fn fair(wanted: &[f32], room: f32) -> f32 {
    let mut sorted = wanted.to_vec();
    sorted.sort_by(f32::total_cmp);
    let mut left = room;
    for (i, own) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - i) as f32;
        if *own > share {
            return share;
        }
        left -= own;
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_much_alike_are_equal() {
        assert_eq!(shares(vec![200.0, 150.0, 100.0], 900.0), [0.4, 0.3, 0.3]);
        assert_eq!(shares(vec![100.0, 300.0, 100.0], 900.0), [0.2, 0.6, 0.2]);
        assert_eq!(shares(Vec::new(), 900.0), [0.0; 0]);
    }

    #[test]
    fn what_wants_little_has_it() {
        let shares = shares(vec![200.0, 900.0, 300.0], 1000.0);
        assert!(shares[0] >= 0.2 && shares[2] >= 0.3 && shares[1] > 0.48, "{shares:?}");
    }
}
