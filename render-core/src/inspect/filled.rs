//! How well a page is filled: the largest empty rectangle, and how much of two pages coincides.
//!
//! Words, pictures, photographs and panels fill a page. Its ground and barely visible ornament don't.

use super::{Against, Report};
use crate::design::Theme;
use crate::scene::{Color, Coverage, Item, Paint, Rect, Role, Scene, TextBlock};

/// Number of grid cells along the short edge in the search for empty rectangles.
const CELLS: f32 = 54.0;
/// A field larger than this share of the canvas counts as a ground.
const GROUND: f32 = 0.5;
/// Ornament that differs less than this from its ground in every channel is barely visible.
const FAINT: f32 = 0.15;
/// A mark thinner than this, in du, is a line.
const LINE: f32 = 24.0;
/// Largest share of their boxes that neighbouring slides may have in common.
pub const ALIKE: f32 = 0.6;

pub(super) fn measure(report: &mut Report, scene: &Scene, against: Against) {
    report.at_most("emptiness", emptiness(scene), Theme::of(against.style).emptiness, false);
    if let Some(share) = against.sameness {
        report.at_most("sameness", share, ALIKE, false);
    }
}

/// The kind of content in a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Words,
    Picture,
    Panel,
    Mark,
}

/// Returns the largest empty rectangle of a page, as a share of its canvas.
pub fn emptiness(scene: &Scene) -> f32 {
    let cell = scene.size.short() / CELLS;
    let columns = (scene.size.w / cell).round().max(1.0) as usize;
    let rows = (scene.size.h / cell).round().max(1.0) as usize;
    let mut filled = vec![false; columns * rows];
    // The cells whose centre lies between two coordinates.
    let span = |from: f32, to: f32, most: usize| {
        let index = |at: f32| (at / cell - 0.5).ceil().clamp(0.0, most as f32) as usize;
        index(from)..index(to)
    };
    for (_, rect) in seen(scene) {
        for row in span(rect.y0, rect.y1, rows) {
            filled[row * columns..][span(rect.x0, rect.x1, columns)].fill(true);
        }
    }
    let mut heights = vec![0_usize; columns];
    let mut largest = 0;
    for row in filled.chunks(columns) {
        for (height, filled) in heights.iter_mut().zip(row) {
            *height = if *filled { 0 } else { *height + 1 };
        }
        largest = largest.max(largest_under(&heights));
    }
    largest as f32 / (columns * rows) as f32
}

/// Returns the area of the largest rectangle under a histogram.
fn largest_under(heights: &[usize]) -> usize {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut largest = 0;
    for (at, height) in heights.iter().copied().chain([0]).enumerate() {
        let mut from = at;
        while let Some((start, tall)) = open.pop_if(|(_, tall)| *tall > height) {
            largest = largest.max(tall * (at - start));
            from = start;
        }
        open.push((from, height));
    }
    largest
}

/// Returns how much of two pages coincides: for each box, its overlap with the best matching box of the same kind on
/// the other page, weighted by area. 1 if the layouts are identical.
pub fn sameness(one: &Scene, other: &Scene) -> f32 {
    let (one, other) = (boxes(one), boxes(other));
    let share = |of: &[(Holds, Rect)], on: &[(Holds, Rect)]| {
        let area: f32 = of.iter().map(|(_, rect)| rect.area()).sum();
        let common: f32 = of.iter().map(|own| own.1.area() * fit(own, on)).sum();
        if area > 0.0 { common / area } else { 0.0 }
    };
    0.5 * (share(&one, &other) + share(&other, &one))
}

/// Returns the visible ground of a page: the field that covers most of it, else its background.
pub fn ground(scene: &Scene) -> Color {
    let canvas = Rect::new(0.0, 0.0, scene.size.w, scene.size.h);
    let fields = scene.items.iter().enumerate().rev().filter(|(_, item)| item.role == Role::Field);
    let mut solid = fields.filter_map(|(n, item)| match item.paint {
        Paint::Solid(color) if color.a > 0.99 => Some((color, shown(scene, n).intersect(&canvas))),
        _ => None,
    });
    let large = solid.find(|(_, rect)| !rect.is_empty() && rect.area() > GROUND * canvas.area());
    large.map_or(scene.background, |(color, _)| color)
}

/// Returns the overlap of a box with the best match among `others`.
fn fit(own: &(Holds, Rect), others: &[(Holds, Rect)]) -> f32 {
    let same = others.iter().filter(|(holds, _)| *holds == own.0);
    same.map(|(_, rect)| {
        let common = own.1.intersect(rect);
        let common = if common.is_empty() { 0.0 } else { common.area() };
        common / (own.1.area() + rect.area() - common).max(1.0)
    })
    .fold(0.0, f32::max)
}

/// Returns the boxes of a page's layout: its texts over their available width, its panels, and its picture as one box.
fn boxes(scene: &Scene) -> Vec<(Holds, Rect)> {
    let width = |b: &TextBlock| {
        if b.vertical { b.ink } else { Rect { x0: b.slot_box.x0, x1: b.slot_box.x1, ..b.ink } }
    };
    let mut boxes: Vec<(Holds, Rect)> =
        scene.blocks.iter().filter(|b| !b.lines.is_empty()).map(|b| (Holds::Words, width(b))).collect();
    let mut picture = Rect::EMPTY;
    for (holds, rect) in seen(scene) {
        match holds {
            Holds::Picture => picture = picture.union(&rect),
            Holds::Panel => boxes.push((holds, rect)),
            Holds::Words | Holds::Mark => {}
        }
    }
    if !picture.is_empty() {
        boxes.push((Holds::Picture, picture));
    }
    boxes
}

/// Returns the visible content of a page with its boxes.
fn seen(scene: &Scene) -> Vec<(Holds, Rect)> {
    let canvas = Rect::new(0.0, 0.0, scene.size.w, scene.size.h);
    let words = scene.blocks.iter().filter(|b| !b.lines.is_empty()).map(|b| (Holds::Words, b.ink));
    let drawn = scene.items.iter().enumerate().filter_map(|(n, item)| {
        let rect = shown(scene, n).intersect(&canvas);
        if rect.is_empty() {
            return None;
        }
        let large = rect.area() > GROUND * canvas.area();
        let photo = matches!(item.paint, Paint::Image { .. });
        match item.role {
            Role::Text(_) => None,
            _ if photo => Some((Holds::Picture, rect)),
            Role::Field => (!large).then_some((Holds::Panel, rect)),
            Role::Mark => (rect.size().short() >= LINE && !large).then_some((Holds::Mark, rect)),
            Role::Art => (!is_faint(scene, n, &rect)).then_some((Holds::Picture, rect)),
        }
    });
    words.map(|(holds, rect)| (holds, rect.intersect(&canvas))).chain(drawn).filter(|(_, r)| !r.is_empty()).collect()
}

/// Returns the share of the canvas for the bounding box of all visible art.
pub fn art_share(scene: &Scene) -> f32 {
    let canvas = Rect::new(0.0, 0.0, scene.size.w, scene.size.h);
    let art = scene.items.iter().enumerate().filter(|(_, item)| item.role == Role::Art);
    let boxes = art.map(|(n, _)| shown(scene, n).intersect(&canvas)).filter(|rect| !rect.is_empty());
    boxes.fold(Rect::EMPTY, |all, rect| all.union(&rect)).area() / canvas.area().max(1.0)
}

/// Returns the visible box of an item, after the clips of its layers.
pub(super) fn shown(scene: &Scene, n: usize) -> Rect {
    let item = &scene.items[n];
    let whole = item.transform.apply_rect(&item.coverage.bounds());
    scene.layers.iter().filter(|l| l.items.contains(&n)).fold(whole, |seen, layer| {
        let seen = seen.grow(2.0 * layer.blur);
        let clip = layer.clip.as_ref().map(|c| c.transform.apply_rect(&c.coverage.bounds()));
        clip.map_or(seen, |clip| seen.intersect(&clip))
    })
}

/// Returns whether an item hardly differs from what is under it.
fn is_faint(scene: &Scene, n: usize, rect: &Rect) -> bool {
    let opacity: f32 = scene.layers.iter().filter(|l| l.items.contains(&n)).map(|l| l.opacity).product();
    let middle = rect.center();
    let under = |item: &&Item| match (&item.coverage, &item.paint) {
        (Coverage::Rect { stroke: None, .. }, Paint::Solid(_)) if item.role == Role::Field => {
            let r = item.transform.apply_rect(&item.coverage.bounds());
            r.x0 <= middle.x && middle.x <= r.x1 && r.y0 <= middle.y && middle.y <= r.y1
        }
        _ => false,
    };
    let ground = scene.items[..n].iter().rfind(under).map_or(scene.background, |item| match item.paint {
        Paint::Solid(color) => color,
        _ => scene.background,
    });
    let differs = |color: Color| {
        let apart = [color.r - ground.r, color.g - ground.g, color.b - ground.b];
        apart.into_iter().map(f32::abs).fold(0.0, f32::max) * color.a * opacity >= FAINT
    };
    match &scene.items[n].paint {
        Paint::Solid(color) => !differs(*color),
        Paint::Linear { stops, .. } | Paint::Radial { stops, .. } | Paint::Conic { stops, .. } => {
            !stops.iter().any(|stop| differs(stop.color))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Size;

    fn page(items: Vec<Item>) -> Scene {
        let size = Size::new(1080.0, 1350.0);
        Scene { size, background: Color::WHITE, items, layers: Vec::new(), blocks: Vec::new() }
    }

    fn panel(rect: Rect) -> Item {
        Item::rect(rect, Color::BLACK, Role::Field)
    }

    #[test]
    fn the_largest_empty_rectangle_is_found() {
        assert!((emptiness(&page(Vec::new())) - 1.0).abs() < 1e-6);
        // A band through the middle leaves two fifths above it and two fifths below it.
        let banded = page(vec![panel(Rect::new(0.0, 540.0, 1080.0, 810.0))]);
        assert!((emptiness(&banded) - 0.4).abs() < 0.02);
        // Two columns of panels with a gap that is taller than wide.
        let columns =
            page(vec![panel(Rect::new(0.0, 0.0, 400.0, 1350.0)), panel(Rect::new(680.0, 0.0, 1080.0, 1350.0))]);
        assert!((emptiness(&columns) - 280.0 / 1080.0).abs() < 0.02);
    }

    #[test]
    fn grounds_lines_and_faint_ornament_fill_nothing() {
        let whole = Rect::new(0.0, 0.0, 1080.0, 1350.0);
        let ground = panel(whole);
        assert_eq!(super::ground(&page(vec![ground.clone()])), Color::BLACK);
        assert_eq!(super::ground(&page(vec![panel(Rect::new(0.0, 0.0, 500.0, 500.0))])), Color::WHITE);
        let line = Item::rect(Rect::new(0.0, 600.0, 1080.0, 604.0), Color::BLACK, Role::Mark);
        let faint = Item::rect(whole.grow(-200.0), Color::BLACK.alpha(0.1), Role::Art);
        assert!((emptiness(&page(vec![line.clone(), faint.clone()])) - 1.0).abs() < 1e-6);
        assert!((emptiness(&page(vec![ground, line])) - 1.0).abs() < 1e-6);
        let plain = Item::rect(whole.grow(-200.0), Color::BLACK, Role::Art);
        assert!(emptiness(&page(vec![plain])) < 0.3);
    }

    #[test]
    fn pages_that_are_laid_out_alike_coincide() {
        let upper = Rect::new(60.0, 60.0, 1020.0, 500.0);
        let lower = Rect::new(60.0, 600.0, 1020.0, 1200.0);
        let art = |rect| Item::rect(rect, Color::BLACK, Role::Art);
        let one = page(vec![panel(upper), art(lower)]);
        assert!((sameness(&one, &one) - 1.0).abs() < 1e-6);
        // The same places with different content.
        assert!(sameness(&one, &page(vec![art(upper), panel(lower)])) < 0.1);
        let half = page(vec![panel(upper), art(Rect { y0: 900.0, ..lower })]);
        assert!((0.6..0.9).contains(&sameness(&one, &half)));
        assert!(sameness(&one, &page(Vec::new())) < 1e-6);
    }
}
