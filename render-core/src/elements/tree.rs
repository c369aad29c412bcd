//! `tree`: a hierarchy, as boxes joined by lines.

use super::Made;
use super::signs::sign;
use super::telling::{Telling, item_box};
use crate::scene::{Color, Item, Rect, Role, Size};
use crate::sheet::{Boxed, Extent, Justify, Place, Ranged, With};
use crate::text::Align;
use crate::tree::{Attribute, Element, Group, Holds, Kind, Node, Shape, Step};

const ELEMENT: Element = Element {
    name: "tree",
    group: Group::Data,
    about: "nested items as boxes joined by lines, downwards, or indented where there are too many beside each other",
    holds: Holds::Only(&["item"]),
    attributes: &[Attribute::or("look", Kind::Choice(&["auto", "chart", "list"]), "auto")],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Most boxes side by side on a tall page and on a wide one.
const BESIDE: (usize, usize) = (4, 6);
/// Largest nesting depth of items.
const DEPTH: usize = 5;

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let wide = matches!(with.frame.shape, Shape::Wide | Shape::Strip);
    let most = if wide { BESIDE.1 } else { BESIDE.0 };
    let leaves: usize = node.children.iter().map(|i| across(i, 0)).sum();
    let chart = match node.get("look") {
        Some("chart") => true,
        Some("list") => false,
        _ => leaves <= most,
    };
    let marked = node.walk().any(|n| n.name() == "item" && n.flag("mark"));
    let place = Spot { id: &node.id, marked, leaves };
    let boxes = node.children.iter().map(|item| {
        if chart {
            return branch(item, 0, place, with);
        }
        let own = boxed(item, 0, place, Align::Start, with);
        Boxed::column(0.0, [own].into_iter().chain(below(item, 0, place, with)).collect())
    });
    let gap = with.step(4);
    if chart && node.children.len() > 1 {
        let row = Boxed::row(gap, Place::Start, boxes.map(|b| b.growing(1.0)).collect());
        return centred(vec![row], gap);
    }
    centred(boxes.collect(), gap)
}

/// Returns boxes centred in the remaining space.
fn centred(boxes: Vec<Boxed>, gap: f32) -> Boxed {
    Boxed::column(gap, boxes).growing(1.0).with(|lay| lay.justify = Justify::Center)
}

/// Properties that all items of a tree share.
#[derive(Clone, Copy)]
struct Spot<'n> {
    id: &'n str,
    marked: bool,
    leaves: usize,
}

/// Returns the number of boxes side by side under an item; those from the third level on are stacked.
fn across(item: &Node, depth: usize) -> usize {
    if depth > 0 || item.children.is_empty() { 1 } else { item.children.iter().map(|i| across(i, depth + 1)).sum() }
}

/// Returns an item as a box.
fn boxed(item: &Node, depth: usize, place: Spot<'_>, align: Align, with: &With<'_>) -> Boxed {
    let loud = item.flag("mark") || !place.marked && depth == 0;
    let fill = match item.colour("fill") {
        Some(own) => with.inks.fill(own),
        None if loud => with.inks.accent(),
        None => with.inks.surface(),
    };
    let on = with.on(fill);
    let narrow = place.leaves > 3 && depth > 0 && align == Align::Center;
    let head = match depth {
        0 => (Step::Sm, Step::Xl),
        1 if !narrow => (Step::Xs, Step::Lg),
        _ => (Step::Xs, Step::Md),
    };
    let of = format!("{}.{depth}", place.id);
    let fits = Telling { of: &of, head, body: (Step::Xs, Step::Sm), align: Some(align), ink: on.inks.ink(), lines: 4 };
    let sign = sign(item, &on, with.square(Step::Sm, head.1, 1.3), on.inks.accent_ink());
    let words = item_box(item, fits, true, &on);
    let border = with.outline();
    let (pad, side) = (with.step(if depth == 0 { 4 } else { 3 }), with.step(if narrow { 1 } else { 3 }));
    let boxed = if align == Align::Center {
        Boxed::column(with.step(2), sign.into_iter().chain([words]).collect())
    } else {
        Boxed::row(with.step(2), Place::Center, sign.into_iter().chain([words.growing(1.0)]).collect())
    };
    boxed.padded(pad, side).filled(fill, with.radius(0.7)).looking(|look| look.border = border)
}

/// Returns an item above its children, which are side by side; their children are stacked.
fn branch(item: &Node, depth: usize, place: Spot<'_>, with: &With<'_>) -> Boxed {
    let own = boxed(item, depth, place, Align::Center, with);
    let count = item.children.len();
    if count == 0 {
        return own;
    }
    let root = own.with(|lay| {
        (lay.place, lay.width) =
            (Some(Place::Center), (count > 1).then_some(Extent::Share(if count > 2 { 0.5 } else { 0.6 })));
    });
    let gap = with.step(1);
    let columns = item.children.iter().enumerate().map(|(i, child)| {
        let top = elbow((i > 0, i + 1 < count), with);
        let below = child.children.iter().map(|c| boxed(c, depth + 2, place, Align::Center, with));
        let mut boxes = vec![boxed(child, depth + 1, place, Align::Center, with)];
        for below in below {
            boxes.extend([stem(with), below]);
        }
        let column = Boxed::column(0.0, boxes).padded(0.0, gap);
        Boxed::column(0.0, vec![top, column]).with(|lay| lay.width = Some(Extent::Share(1.0 / count as f32)))
    });
    Boxed::column(0.0, vec![root, stem(with), Boxed::row(0.0, Place::Start, columns.collect())])
}

fn rule(with: &With<'_>) -> (f32, Color) {
    (with.rule().max(2.5 * with.frame.k).min(5.0 * with.frame.k), with.inks.line())
}

/// Draws a short line downwards.
fn stem(with: &With<'_>) -> Boxed {
    let (width, color) = rule(with);
    let high = |times: f32| Size::new(width, times * with.step(4));
    Boxed::drawn(Ranged { min: high(0.6), max: high(1.0) }, move |rect| {
        let x = rect.center().x;
        vec![Item::rect(Rect::new(x - width / 2.0, rect.y0, x + width / 2.0, rect.y1), color, Role::Mark)]
    })
}

/// Draws the line above a child: down to it, and to its neighbours on either side.
fn elbow((before, behind): (bool, bool), with: &With<'_>) -> Boxed {
    let (width, color) = rule(with);
    let rtl = with.frame.rtl;
    let high = |times: f32| Size::new(width, times * with.step(4));
    Boxed::drawn(Ranged { min: high(0.6), max: high(1.0) }, move |rect| {
        let x = rect.center().x;
        let (left, right) = if rtl { (behind, before) } else { (before, behind) };
        let x0 = if left { rect.x0 } else { x - width / 2.0 };
        let x1 = if right { rect.x1 } else { x + width / 2.0 };
        vec![
            Item::rect(Rect::new(x0, rect.y0, x1, rect.y0 + width), color, Role::Mark),
            Item::rect(Rect::new(x - width / 2.0, rect.y0, x + width / 2.0, rect.y1), color, Role::Mark),
        ]
    })
}

/// Returns the rows below an item with its children: indented, each joined to a line at the side.
fn below(item: &Node, depth: usize, place: Spot<'_>, with: &With<'_>) -> Vec<Boxed> {
    let count = if depth < DEPTH { item.children.len() } else { 0 };
    let mut rows = Vec::new();
    for (i, child) in item.children.iter().take(count).enumerate() {
        let last = i + 1 == count;
        let space = || Boxed::empty().with(|lay| lay.least_height = with.step(2));
        let own = Boxed::column(0.0, vec![space(), boxed(child, depth + 1, place, Align::Start, with)]);
        // The line continues through the space, so that its branch meets the middle of the box.
        let hook = Boxed::layer(vec![side(true, false, with), space()]);
        let hook = Boxed::column(0.0, vec![hook, side(!last, true, with).growing(1.0)]).rigid();
        rows.push(Boxed::row(0.0, Place::Stretch, vec![hook, own.growing(1.0)]));
        let nested = below(child, depth + 1, place, with);
        if !nested.is_empty() {
            let past = side(!last, false, with).rigid();
            rows.push(Boxed::row(0.0, Place::Stretch, vec![past, Boxed::column(0.0, nested).growing(1.0)]));
        }
    }
    rows
}

/// Draws the line at the side of a row: `through` to what follows, with a `branch` to the row's box.
fn side(through: bool, branch: bool, with: &With<'_>) -> Boxed {
    let (width, color) = rule(with);
    let rtl = with.frame.rtl;
    let wide = |times: f32| Size::new(times * with.step(5), 0.0);
    Boxed::drawn(Ranged { min: wide(0.72), max: wide(1.0) }, move |rect| {
        let from = |x: f32| if rtl { rect.x1 - x } else { rect.x0 + x };
        let (x, y) = (from(0.45 * rect.w()), rect.center().y);
        let end = if through { rect.y1 } else { y + width / 2.0 };
        let down = (through || branch)
            .then(|| Item::rect(Rect::new(x - width / 2.0, rect.y0, x + width / 2.0, end), color, Role::Mark));
        let (a, b) = (x.min(from(rect.w())), x.max(from(rect.w())));
        let across = branch.then(|| Item::rect(Rect::new(a, y - width / 2.0, b, y + width / 2.0), color, Role::Mark));
        down.into_iter().chain(across).collect()
    })
}
