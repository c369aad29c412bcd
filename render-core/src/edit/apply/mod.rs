//! Applies ops to a page and repairs what they would break.
//!
//! Ops are applied in the order of their kinds: ops with a wide effect (layout, style) first, ops about one text last.
//! A prompt may therefore name them in any order. What can't be reached in full is approximated, and a note says so.

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
    /// The composed page.
    pub composed: Composed,
    /// The ops with the values that were reached: a size without room becomes the nearest size that fits.
    pub ops: Vec<Op>,
    /// What changed. Empty if the page already satisfied the ops.
    pub changes: Vec<Change>,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
    /// The corrected words, if the ops change nothing else. A text size that changes because the words do doesn't
    /// count.
    pub correction: Option<Correction>,
}

/// One change, as shown to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What changes: "headline size".
    pub what: String,
    /// The old value.
    pub from: String,
    /// The new value.
    pub to: String,
}

/// Why ops can't be applied to a page, in a sentence or two.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ApplyError(pub String);

/// Returns an [`ApplyError`] with the message `why`.
fn no<T>(why: impl Into<String>) -> Result<T, ApplyError> {
    Err(ApplyError(why.into()))
}

/// A page while ops are applied to it.
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

    /// Applies one op. Returns it with the value that was reached.
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
            Op::Drawing(name) => self.drawing(name),
            other => self.look(other),
        }
    }
}

/// Returns the rank of an op. Ops of lower rank are applied first.
fn order(op: &Op) -> u8 {
    match op {
        // A style may choose another layout for the content; a requested layout overrides that choice.
        Op::Style(_) => 0,
        Op::Picture { .. } | Op::Layout(_) | Op::Page(_) => 1,
        Op::Scheme(_) | Op::Drawing(_) => 2,
        // Changed elements give the page its own source text, which layouts and styles no longer determine.
        Op::Ground(_) | Op::Element(_) => 3,
        Op::Face { .. } => 4,
        Op::Items(_) => 5,
        Op::Words { .. } | Op::Replace { .. } => 6,
        Op::Stress { .. } | Op::Icons(_) => 7,
        // Text colours are checked against the background, so the background comes first.
        Op::Colour { hue: Hue::Background, .. } => 8,
        Op::Colour { hue: Hue::Text, .. } => 9,
        Op::Colour { .. } => 10,
        // Hiding the page number frees the foot for the logo.
        Op::Counter(_) => 10,
        Op::Art { .. } | Op::Photo { .. } | Op::Logo { .. } | Op::Highlight(_) => 11,
        Op::Align(_) | Op::Stand(_) | Op::Space(_) | Op::Weight { .. } | Op::Ink { .. } => 12,
        Op::Size { .. } => 13,
    }
}

/// Repairs a page whose words or language differ from those of `target`, as after an edit.
pub(super) fn resettled(target: &Target<'_>, page: Page) -> Result<Page, ApplyError> {
    let mut work = Work { target, page, notes: Vec::new() };
    repair::repaired(&mut work)?;
    Ok(work.page)
}

/// Returns an op with the value that was reached.
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

/// Applies ops to a page.
///
/// # Errors
/// [`ApplyError`] if an op can't be applied to this page.
pub fn apply(ops: &[Op], target: &Target<'_>) -> Result<Applied, ApplyError> {
    let mut work = Work { target, page: target.page.clone(), notes: Vec::new() };
    let mut ordered: Vec<&Op> = ops.iter().collect();
    ordered.sort_by_key(|op| order(op));
    let mut done = Vec::with_capacity(ops.len());
    for op in &ordered {
        done.push(work.one(op)?);
    }
    // Texts that fill the page can't be moved. After a size change they may leave room, so the position is applied
    // again.
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
        // Without its art the page has another layout, so the sizes are fitted again.
        for op in done.iter().filter(|op| matches!(op, Op::Size { .. })) {
            // An error means that the size can't change any more; the page keeps the size it has.
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
    // The similarity to the previous slide was measured before the edit and is no longer valid.
    let page = Page { sameness: None, ..work.page };
    Ok(Applied { page, composed, ops, changes, notes: work.notes, correction })
}
