//! Doing ops to a page, and repairing what they would break.
//!
//! Ops are done in the order of their kinds: what chooses much (layout, style) first, what is said of one text last, so
//! that a prompt may name them in any order. What can't be reached in full is done as near as it goes, and said.

mod change;
mod colour;
#[cfg(test)]
mod kept_tests;
mod look;
mod promise;
mod repair;
mod reshaped;
mod rewritten;
mod size;
mod space;
#[cfg(test)]
mod tests;
mod weight;
mod words;

use crate::compose::{Composed, Correction, compose};
use crate::design::Page;
use crate::scene::Scene;
use crate::text::Fonts;

use super::target::sizes;
use super::{Hue, Op, Target};

pub(super) use change::was;
pub(super) use look::fitting;
pub(super) use words::alt_text;

/// A page after ops.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The page.
    pub page: Page,
    /// What it makes.
    pub composed: Composed,
    /// The ops as they came out: a size that has no room is the one that has.
    pub ops: Vec<Op>,
    /// What changed; nothing where all of it held already.
    pub changes: Vec<Change>,
    /// What the reader should know. A sentence each.
    pub notes: Vec<String>,
    /// The words that are corrected, where nothing else is asked for. Other words may take other sizes: that is no change
    /// of its own.
    pub correction: Option<Correction>,
}

/// One change, as its reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What changes: "headline size".
    pub what: String,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
}

/// Why ops can't be done to a page: a sentence or two.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ApplyError(pub String);

/// An error that says `why`.
fn no<T>(why: impl Into<String>) -> Result<T, ApplyError> {
    Err(ApplyError(why.into()))
}

/// A page on which ops are being done.
struct Work<'a, 't> {
    target: &'t Target<'a>,
    page: Page,
    notes: Vec<String>,
}

impl Work<'_, '_> {
    fn fonts(&self) -> &Fonts {
        self.target.fonts
    }

    fn composed(&self) -> Composed {
        compose(&self.page, self.fonts())
    }

    fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Does one op; returns it as it came out.
    fn one(&mut self, op: &Op) -> Result<Op, ApplyError> {
        match op {
            Op::Words { slot, to } => self.words(*slot, to),
            Op::Replace { from, to } => self.replace(from, to),
            Op::Items(items) => self.items(items),
            Op::Stress { slot, words } => self.stress(*slot, words),
            Op::Size { which, to } => self.size(*which, *to),
            Op::Ink { which, to } => self.ink(*which, *to),
            Op::Colour { hue, to } => self.colour(*hue, *to),
            Op::Page(text) => self.rewrite(text),
            Op::Element(change) => self.reshape(change),
            Op::Drawing(name) => self.drawing(name).map(|()| op.clone()),
            other => self.look(other),
        }
    }
}

/// Which ops come first.
fn order(op: &Op) -> u8 {
    match op {
        // A style may have another layout for what the page says; one that is asked for goes before that.
        Op::Style(_) => 0,
        Op::Picture { .. } | Op::Layout(_) | Op::Page(_) => 1,
        Op::Scheme(_) | Op::Drawing(_) => 2,
        // Changed elements make the page a text of its own, which layouts and styles no longer choose.
        Op::Ground(_) | Op::Element(_) => 3,
        Op::Face { .. } => 4,
        Op::Items(_) => 5,
        Op::Words { .. } | Op::Replace { .. } => 6,
        Op::Stress { .. } | Op::Icons(_) => 7,
        // Text is read on its ground.
        Op::Colour { hue: Hue::Background, .. } => 8,
        Op::Colour { hue: Hue::Text, .. } => 9,
        Op::Colour { .. } => 10,
        // The foot is free once the number is gone.
        Op::Counter(_) => 10,
        Op::Art { .. } | Op::Photo { .. } | Op::Logo { .. } | Op::Highlight(_) => 11,
        Op::Align(_) | Op::Stand(_) | Op::Space(_) | Op::Weight { .. } | Op::Ink { .. } => 12,
        Op::Size { .. } => 13,
    }
}

/// A page whose words or language are not those of `target` any more, repaired as after an edit.
pub(super) fn resettled(target: &Target<'_>, page: Page) -> Result<Page, ApplyError> {
    let mut work = Work { target, page, notes: Vec::new() };
    repair::repaired(&mut work)?;
    Ok(work.page)
}

/// An op as it came out.
fn reached(op: Op, page: &Page, scene: &Scene) -> Op {
    match op {
        Op::Size { which, to } => {
            let size = sizes(scene, which).max_by(f32::total_cmp).map_or(f32::from(to), f32::round);
            Op::Size { which, to: size.clamp(4.0, 2_000.0) as u16 }
        }
        Op::Colour { hue, .. } => Op::Colour { hue, to: hue.of(&page.palette) },
        other => other,
    }
}

/// Does ops to a page.
///
/// # Errors
/// [`ApplyError`].
pub fn apply(ops: &[Op], target: &Target<'_>) -> Result<Applied, ApplyError> {
    let mut work = Work { target, page: target.page.clone(), notes: Vec::new() };
    let mut ordered: Vec<&Op> = ops.iter().collect();
    ordered.sort_by_key(|op| order(op));
    let mut done = Vec::with_capacity(ops.len());
    for op in &ordered {
        done.push(work.one(op)?);
    }
    // Texts that fill the page stand where they do; once they are smaller, it makes a difference where that is.
    if ordered.iter().any(|op| matches!(op, Op::Size { .. })) {
        for op in ordered.iter().filter(|op| matches!(op, Op::Stand(_))) {
            work.one(op)?;
        }
    }
    if work.page.slots != target.page.slots {
        work.page.alt_text = words::alt_text(&work.page);
        work.notes.extend(promise::broken(target.page, &work.page));
    }
    if work.page == *target.page {
        let composed = work.composed();
        let (changes, notes) = (Vec::new(), work.notes);
        return Ok(Applied { page: work.page, composed, ops: done, changes, notes, correction: None });
    }
    let correction = Correction::between(target.page, &work.page);
    let art = work.page.art;
    let mut composed = repair::repaired(&mut work)?;
    if work.page.art != art {
        // Without its art the page is laid out anew: sizes are looked for in what it has become.
        for op in done.iter().filter(|op| matches!(op, Op::Size { .. })) {
            // One that no longer differs from what there is, is there.
            let _ = work.one(op);
        }
        composed = work.composed();
    }
    let rewritten = ordered.iter().any(|op| matches!(op, Op::Page(_) | Op::Element(_)));
    if rewritten && !ordered.iter().any(|op| matches!(op, Op::Size { .. })) {
        work.tell_smaller(&composed.scene);
    }
    let ops: Vec<Op> = done.into_iter().map(|op| reached(op, &work.page, &composed.scene)).collect();
    let changes = change::changes(&ops, target, &work.page, &composed.scene);
    // How it compares with the slide before was measured on the page as it was.
    let page = Page { sameness: None, ..work.page };
    Ok(Applied { page, composed, ops, changes, notes: work.notes, correction })
}
