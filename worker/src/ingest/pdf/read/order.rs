//! Determines the reading order of a page: columns one after the other, and what spans them in between.
//!
//! A recursive X-Y cut (Nagy, Seth: Hierarchical representation of optically scanned documents, ICPR 1984). It cuts at
//! a gutter between two columns of prose first; without one, at the widest gap between lines. If tags order the page,
//! they take precedence.

use std::collections::BTreeMap;

use super::lines::Piece;
use super::script::is_cjk;

/// Minimum width of a gutter, in em of the text beside it.
const GUTTER: f32 = 0.9;
/// Minimum lines of a column.
const COLUMN_LINES: usize = 3;
/// Maximum difference of the baselines of one line, in em.
const LINE: f32 = 0.3;
/// Line distance in em that prose never has.
const LOOSE: f32 = 3.0;
/// Letters that make a piece prose; those of Chinese, Japanese and Korean count twice.
const PROSE: usize = 22;
/// Number of horizontal gaps that are tried, the widest first.
const GAPS: usize = 16;

/// Something that moves on a page as a whole.
#[derive(Debug, Clone)]
pub enum Item {
    /// A piece of a line.
    Piece(Piece),
    /// A table, by its number on the page, its bounds (left, top, right, bottom), and its part of the page.
    Table(usize, [f32; 4], Option<usize>),
}

impl Item {
    fn bounds(&self) -> [f32; 4] {
        match self {
            Self::Piece(p) => [p.x0, p.top(), p.x1, p.bottom()],
            Self::Table(_, bounds, _) => *bounds,
        }
    }

    fn part(&self) -> Option<usize> {
        match self {
            Self::Piece(p) => p.part,
            Self::Table(.., part) => *part,
        }
    }

    fn size(&self) -> f32 {
        match self {
            Self::Piece(p) => p.size,
            Self::Table(..) => 10.0,
        }
    }
}

/// Returns items in reading order, in groups; a group is one column. If `rtl`, columns are read from the right.
pub fn ordered(items: Vec<Item>, rtl: bool) -> Vec<Vec<Item>> {
    let mut groups = Vec::new();
    if items.iter().any(|i| i.part().is_some()) {
        let mut parts: BTreeMap<Option<usize>, Vec<Item>> = BTreeMap::new();
        items.into_iter().for_each(|item| parts.entry(item.part()).or_default().push(item));
        groups.extend(parts.into_values().map(down));
    } else {
        xy_cut(items, rtl, 0, &mut groups);
    }
    groups
}

/// Sorts the items of one column from the top, those of a line from the left.
fn down(mut group: Vec<Item>) -> Vec<Item> {
    group.sort_by(|a, b| {
        let (a, b) = (a.bounds(), b.bounds());
        a[3].total_cmp(&b[3]).then(a[0].total_cmp(&b[0]))
    });
    // Baselines of one line may differ slightly.
    let mut from = 0;
    for to in 1..=group.len() {
        let ends = group
            .get(to)
            .is_none_or(|next| next.bounds()[3] - group[from].bounds()[3] > LINE * next.size().min(group[from].size()));
        if ends {
            group[from..to].sort_by(|a, b| a.bounds()[0].total_cmp(&b.bounds()[0]));
            from = to;
        }
    }
    group
}

/// Depth limit of nested cuts.
const DEPTH: usize = 40;

fn xy_cut(items: Vec<Item>, rtl: bool, depth: usize, out: &mut Vec<Vec<Item>>) {
    if items.is_empty() {
        return;
    }
    if depth < DEPTH {
        if let Some(x) = gutter(&items) {
            let (mut first, mut second): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|i| i.bounds()[0] < x);
            if rtl {
                std::mem::swap(&mut first, &mut second);
            }
            xy_cut(first, rtl, depth + 1, out);
            xy_cut(second, rtl, depth + 1, out);
            return;
        }
        // A horizontal cut helps only if it separates columns from the rest.
        if let Some((top, bottom)) = band(&items) {
            let (above, rest): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|i| i.bounds()[1] < top);
            let (within, below): (Vec<Item>, Vec<Item>) = rest.into_iter().partition(|i| i.bounds()[1] < bottom);
            for part in [above, within, below] {
                xy_cut(part, rtl, depth + 1, out);
            }
            return;
        }
    }
    out.push(down(items));
}

/// Returns the middle of the widest gutter that nothing crosses.
fn gutter(items: &[Item]) -> Option<f32> {
    let mut spans: Vec<(f32, f32)> = items.iter().map(|i| (i.bounds()[0], i.bounds()[2])).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut size: Vec<f32> = items.iter().map(Item::size).collect();
    size.sort_by(f32::total_cmp);
    let size = size[size.len() / 2];
    let mut reach = f32::MIN;
    let mut best: Option<(f32, f32)> = None;
    for (x0, x1) in spans {
        let gap = x0 - reach;
        let x = (x0 + reach) / 2.0;
        if reach > f32::MIN && gap >= GUTTER * size && best.is_none_or(|b| gap > b.0) && parts_columns(items, x) {
            best = Some((gap, x));
        }
        reach = reach.max(x1);
    }
    best.map(|b| b.1)
}

/// Returns whether there is prose on both sides of `x`, rather than cells of a table or numbers before a list.
fn parts_columns(items: &[Item], x: f32) -> bool {
    let is_column = |left: bool| {
        let side: Vec<&Item> = items.iter().filter(|i| (i.bounds()[0] < x) == left).collect();
        let (x0, x1) = side.iter().fold((f32::MAX, f32::MIN), |(a, b), i| (a.min(i.bounds()[0]), b.max(i.bounds()[2])));
        // A side may have columns of its own, each narrower than the side.
        let long = |i: &&&Item| match i {
            Item::Piece(p) => {
                let letters: usize = p.text.chars().map(|c| if is_cjk(c) { 2 } else { 1 }).sum();
                letters >= PROSE || letters >= 12 && p.x1 - p.x0 > 0.5 * (x1 - x0)
            }
            Item::Table(..) => true,
        };
        let lines = side.iter().filter(|i| matches!(i, Item::Piece(_))).count();
        lines >= COLUMN_LINES && 5 * side.iter().filter(long).count() >= 2 * lines && !is_loose(&side)
    };
    is_column(true) && is_column(false)
}

/// Returns whether the lines of a column are far apart, as questions and answers of a form are.
fn is_loose(side: &[&Item]) -> bool {
    let lines = side.iter().filter_map(|i| match i {
        Item::Piece(p) => Some((p.y, p.size)),
        Item::Table(..) => None,
    });
    let mut lines: Vec<(f32, f32)> = lines.collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut gaps: Vec<f32> = lines.windows(2).map(|w| (w[1].0 - w[0].0) / w[1].1).filter(|gap| *gap > 0.5).collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() / 4).is_some_and(|gap| *gap > LOOSE)
}

/// Returns top and bottom of the band of a page in which columns stand side by side: the one that contains most,
/// between two horizontal gaps.
fn band(items: &[Item]) -> Option<(f32, f32)> {
    let mut spans: Vec<(f32, f32)> = items.iter().map(|i| (i.bounds()[1], i.bounds()[3])).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut gaps = Vec::new();
    let mut reach = f32::MIN;
    for (top, bottom) in spans {
        if reach > f32::MIN && top > reach {
            gaps.push((top - reach, (top + reach) / 2.0));
        }
        reach = reach.max(bottom);
    }
    gaps.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut edges: Vec<f32> = gaps.into_iter().take(GAPS).map(|g| g.1).collect();
    edges.extend([f32::MIN, f32::MAX]);
    edges.sort_by(f32::total_cmp);
    let mut best: Option<(usize, f32, f32)> = None;
    for (i, top) in edges.iter().enumerate() {
        for bottom in &edges[i + 1..] {
            let within: Vec<Item> =
                items.iter().filter(|i| (*top..*bottom).contains(&i.bounds()[1])).cloned().collect();
            if within.len() < items.len() && best.is_none_or(|b| within.len() > b.0) && gutter(&within).is_some() {
                best = Some((within.len(), *top, *bottom));
            }
        }
    }
    best.map(|b| (b.1, b.2))
}
