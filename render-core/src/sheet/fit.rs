//! Fits a page: finds the largest type at which everything fits its box, and drops optional elements if nothing does.

use std::cell::Cell;
use std::collections::HashMap;

use crate::scene::{Rect, TextLevel};
use crate::tree::Fault;

use super::arrange::{Placed, Tightness, arrange};
use super::boxed::{Boxed, Content};
use super::words::Words;

/// How far a box may extend beyond its parent's edge, in du.
const TOLERANCE: f32 = 0.75;
/// Number of bisection steps that find the share.
const STEPS: u32 = 6;
/// Number of texts and groups of a page that are enlarged one by one, and the share of its area that a drawing must
/// keep.
const GROWN: usize = 12;
const KEPT: f32 = 0.9;

/// The constraints for fitting a page.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The area for content.
    pub room: Rect,
    /// The lower end of the canvas.
    pub foot: f32,
    /// Whether it is read from right to left.
    pub rtl: bool,
    /// The largest sizes in du of fit groups.
    pub groups: &'a [(String, f32)],
    /// Shares of words that use more of their range than the others, by their group or id.
    pub own: &'a HashMap<String, f32>,
    /// Whether each text is made as large as possible.
    pub generous: bool,
    /// Counts the layout passes.
    pub passes: &'a Cell<u32>,
}

/// A fitted page.
pub struct Fitted {
    /// Its boxes, without those that were dropped.
    pub root: Boxed,
    /// Their positions.
    pub placed: Placed,
    /// The share of its ranges that type takes: −1 to 1.
    pub share: f32,
    /// Ids of elements with words that were dropped.
    pub dropped: Vec<String>,
    /// What doesn't fit even then.
    pub faults: Vec<Fault>,
}

/// Fits `root` into the area: with the largest type in its ranges, else with smaller type down to the floor, else
/// without optional elements, those with the highest number first.
pub fn fit(mut root: Boxed, ground: Ground<'_>) -> Fitted {
    let mut dropped = Vec::new();
    loop {
        // Most pages fit at full size, which takes one pass.
        if let Some((share, placed)) = at(&root, ground, 1.0) {
            return Fitted { placed, root, share, dropped, faults: Vec::new() };
        }
        let smallest = settle(&root, ground, -1.0);
        if misfits(&root, &smallest.1, ground.foot) {
            // Optional elements are only dropped if the page doesn't fit with the type at its floor.
            let Some(priority) = highest(&root) else {
                let faults = faults(&root, &smallest.1, ground.foot);
                return Fitted { placed: smallest.1, root, share: -1.0, dropped, faults };
            };
            drop_one(&mut root, priority, &mut dropped);
            continue;
        }
        let (share, mut placed) = largest(&root, ground).unwrap_or((-1.0, smallest.1));
        if ground.generous && share >= 0.0 {
            placed = grown(&root, ground, share, placed);
        }
        return Fitted { placed, root, share, dropped, faults: Vec::new() };
    }
}

/// Returns the layout at a share if everything fits.
fn at(root: &Boxed, ground: Ground<'_>, share: f32) -> Option<(f32, Placed)> {
    let (_, placed) = settle(root, ground, share);
    (!misfits(root, &placed, ground.foot)).then_some((share, placed))
}

/// Returns the largest share above −1 and below 1 at which everything fits.
fn largest(root: &Boxed, ground: Ground<'_>) -> Option<(f32, Placed)> {
    let at = |share: f32| at(root, ground, share);
    // Larger type may fit where smaller type doesn't, because it breaks differently: a few shares are tried before the
    // floor.
    let (mut low, mut high, mut found) = match [0.5, 0.0, 0.25, 0.75].into_iter().find_map(&at) {
        Some(found) => (found.0, if found.0 < 0.5 { 0.5 } else { 1.0 }, Some(found)),
        None => (-1.0, 0.0, None),
    };
    for _ in 0..STEPS {
        let half = (low + high) / 2.0;
        match at(half) {
            Some(better) => (low, found) = (half, Some(better)),
            None => high = half,
        }
    }
    found
}

/// Enlarges each text within its range as far as there is room, headlines first, once no larger common share fits.
/// Drawings keep most of their area.
fn grown(root: &Boxed, ground: Ground<'_>, share: f32, placed: Placed) -> Placed {
    let mut keys: Vec<(bool, String)> = Vec::new();
    words(root, &placed, &mut |words, _| {
        let key = words.key();
        if words.size_at(1.0) > words.size_at(share) + 0.5 && keys.iter().all(|(_, known)| known != key) {
            keys.push((words.level != TextLevel::Hero, key.to_owned()));
        }
    });
    keys.sort();
    let (mut own, mut best) = (HashMap::new(), placed);
    for (_, key) in keys.into_iter().take(GROWN) {
        for larger in [1.0, 0.5 * (1.0 + share)] {
            let mut tried = own.clone();
            tried.insert(key.clone(), larger);
            let (_, placed) = settle(root, Ground { own: &tried, ..ground }, share);
            if !misfits(root, &placed, ground.foot) && !is_eaten(root, &best, &placed) {
                (own, best) = (tried, placed);
                break;
            }
        }
    }
    best
}

/// Returns whether a drawing has lost much of its area.
fn is_eaten(boxed: &Boxed, before: &Placed, after: &Placed) -> bool {
    match &boxed.content {
        Content::Drawn(_) => after.rect.area() < KEPT * before.rect.area(),
        Content::Boxes(boxes) => {
            let places = before.boxes.iter().zip(&after.boxes);
            boxes.iter().zip(places).any(|(boxed, (before, after))| is_eaten(boxed, before, after))
        }
        _ => false,
    }
}

/// Lays out at a share, so that the lowest descender stays above the page's foot.
fn settle(root: &Boxed, ground: Ground<'_>, share: f32) -> (Tightness, Placed) {
    let (tightness, placed) = agreed(root, ground, share);
    // Words at the foot of the page move up if their descenders would leave it.
    let mut low = 0.0_f32;
    words(root, &placed, &mut |words, at| {
        let extent = words.shaped.extent(at.size, at.rect.w() + TOLERANCE);
        low = low.max(at.rect.y0 + extent.height + words.depth * at.size - ground.foot);
    });
    // Content that overflows by more than a quarter of the area can't fit anyway.
    if low <= 0.0 || low > 0.25 * ground.room.h() {
        return (tightness, placed);
    }
    let room = Rect { y1: ground.room.y1 - low, ..ground.room };
    agreed(root, Ground { room, ..ground }, share)
}

/// Lays out at a share, with one size for the words of each group.
fn agreed(root: &Boxed, ground: Ground<'_>, share: f32) -> (Tightness, Placed) {
    let Ground { room, rtl, groups, own, passes, .. } = ground;
    let mut tightness = Tightness { share, groups: groups.iter().cloned().collect(), own: own.clone() };
    let arranged = |tightness: &Tightness| {
        passes.set(passes.get() + 1);
        arrange(root, room, tightness, rtl)
    };
    let mut placed = arranged(&tightness);
    // Groups agree after the first pass; narrower boxes may require smaller sizes once more.
    for _ in 0..2 {
        let mut sizes: HashMap<String, f32> = HashMap::new();
        let mut apart = false;
        words(root, &placed, &mut |words, placed| {
            if let Some(group) = &words.group {
                let least = sizes.entry(group.clone()).or_insert(placed.size);
                apart |= (placed.size - *least).abs() > 0.01;
                *least = least.min(placed.size);
            }
        });
        if !apart {
            break;
        }
        tightness.groups = sizes;
        placed = arranged(&tightness);
    }
    (tightness, placed)
}

/// Calls `see` for all words with their positions.
pub fn words<'b>(boxed: &'b Boxed, placed: &Placed, see: &mut impl FnMut(&'b Words, &Placed)) {
    match &boxed.content {
        Content::Words(own) => see(own, placed),
        Content::Boxes(boxes) => boxes.iter().zip(&placed.boxes).for_each(|(b, p)| words(b, p, see)),
        _ => {}
    }
}

/// Returns the sizes in du that some groups of a fitted page agreed on: at most their given sizes.
pub fn group_sizes(fitted: &Fitted, groups: &[(String, f32)]) -> Vec<(String, f32)> {
    let mut sizes = groups.to_vec();
    if !sizes.is_empty() {
        words(&fitted.root, &fitted.placed, &mut |words, placed| {
            let own = sizes.iter_mut().find(|(name, _)| words.group.as_ref() == Some(name));
            if let Some((_, size)) = own {
                *size = size.min(placed.size);
            }
        });
    }
    sizes
}

/// Returns whether anything exceeds its box.
fn misfits(boxed: &Boxed, placed: &Placed, foot: f32) -> bool {
    match &boxed.content {
        Content::Words(words) => too_long(words, placed, foot).is_some(),
        Content::Columns(columns) => !columns.fits(columns.at_size(placed.size), placed.rect, TOLERANCE),
        Content::Boxes(boxes) => boxes
            .iter()
            .zip(&placed.boxes)
            .any(|(child, at)| !room_for(child, placed).contains(&at.rect, TOLERANCE) || misfits(child, at, foot)),
        _ => false,
    }
}

/// Returns the area for a child of a positioned box: the box, extended on a drawing by the part beyond the box.
fn room_for(child: &Boxed, placed: &Placed) -> Rect {
    let [left, right] = child.lay.plot.map_or([0.0; 2], |plot| plot.view.beyond);
    Rect { x0: placed.rect.x0 - left, x1: placed.rect.x1 + right, ..placed.rect }
}

/// Returns how many characters of words fit if not all do. Their descenders must stay on the canvas, which ends at
/// `foot`.
fn too_long(words: &Words, placed: &Placed, foot: f32) -> Option<usize> {
    let extent = words.shaped.extent(placed.size, placed.rect.w() + TOLERANCE);
    let all = words.text.chars().count();
    let under = foot - placed.rect.y0 - extent.height;
    let share = if extent.lines > words.lines {
        words.lines as f32 / extent.lines as f32
    } else if extent.height > placed.rect.h() + TOLERANCE {
        placed.rect.h() / extent.height
    } else if !extent.whole && words.shaped.narrowest() * placed.size > placed.rect.w() + TOLERANCE {
        // A word that is too wide even at the floor.
        placed.rect.w() / (words.shaped.narrowest() * placed.size)
    } else if words.depth * placed.size > under.max(0.0) + TOLERANCE {
        under.max(0.0) / (words.depth * placed.size)
    } else {
        return None;
    };
    Some((all as f32 * share).floor() as usize)
}

/// Returns the highest number among optional elements.
fn highest(boxed: &Boxed) -> Option<u8> {
    let inside = match &boxed.content {
        Content::Boxes(boxes) => boxes.iter().filter_map(highest).max(),
        _ => None,
    };
    inside.into_iter().chain((boxed.optional > 0).then_some(boxed.optional)).max()
}

/// Drops the last of the elements with this number.
fn drop_one(boxed: &mut Boxed, priority: u8, dropped: &mut Vec<String>) -> bool {
    let Content::Boxes(boxes) = &mut boxed.content else { return false };
    for i in (0..boxes.len()).rev() {
        if boxes[i].optional == priority {
            let left_out = boxes.remove(i);
            if has_words(&left_out) {
                dropped.push(left_out.id);
            }
            return true;
        }
        if drop_one(&mut boxes[i], priority, dropped) {
            return true;
        }
    }
    false
}

/// Returns whether a box contains words.
fn has_words(boxed: &Boxed) -> bool {
    match &boxed.content {
        Content::Words(_) | Content::Columns(_) => true,
        Content::Boxes(boxes) => boxes.iter().any(has_words),
        _ => false,
    }
}

/// Returns faults for texts that are too long and for boxes that exceed theirs.
fn faults(root: &Boxed, placed: &Placed, foot: f32) -> Vec<Fault> {
    let mut faults = Vec::new();
    collect(root, placed, foot, &mut faults);
    if faults.is_empty() {
        faults.push(Fault::new("page", "has more on it than fits"));
    }
    faults
}

fn collect(boxed: &Boxed, placed: &Placed, foot: f32, faults: &mut Vec<Fault>) {
    match &boxed.content {
        Content::Words(words) => {
            if let Some(fit) = too_long(words, placed, foot) {
                let all = words.text.chars().count();
                faults.push(Fault::new(&words.id, format!("{all} characters, {fit} fit")));
            }
        }
        Content::Columns(columns) if misfits(boxed, placed, foot) => {
            let message = format!("has no room in {} columns within its box", columns.most);
            faults.push(Fault::new(&columns.id, message));
        }
        Content::Boxes(boxes) => {
            for (child, at) in boxes.iter().zip(&placed.boxes) {
                collect(child, at, foot, faults);
            }
            let (mut wide, mut high) = (0.0_f32, 0.0_f32);
            for (child, at) in boxes.iter().zip(&placed.boxes) {
                let room = room_for(child, placed);
                wide = wide.max(at.rect.x1 - room.x1).max(room.x0 - at.rect.x0);
                high = high.max(at.rect.y1 - room.y1).max(room.y0 - at.rect.y0);
            }
            let room = placed.rect.size();
            if high > TOLERANCE {
                faults.push(Fault::new(name(boxed), tight("high", room.h, high)));
            }
            if wide > TOLERANCE {
                faults.push(Fault::new(name(boxed), tight("wide", room.w, wide)));
            }
        }
        _ => {}
    }
}

fn tight(way: &str, room: f32, over: f32) -> String {
    format!(
        "what it holds is {:.0}du {way} at the smallest type; it has {room:.0}du: shorten or remove something",
        room + over
    )
}

fn name(boxed: &Boxed) -> &str {
    if boxed.id.is_empty() { "page" } else { &boxed.id }
}
