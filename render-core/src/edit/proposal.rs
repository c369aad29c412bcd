//! Both steps of an edit, proposal and execution, over the pages it may be about: the output and the other slides of
//! its set.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::cancel;
use crate::compose::Composed;
use crate::design::{Page, SlotId, Which};

use super::apply::was;
use super::instruction::clause;
use super::{
    Applied, ApplyError, Asked, Change, Correction, Instruction, MalformedInstruction, Op, Reach, Target, Unread,
    UnreadReason, apply, read, suggestions,
};

/// How often the resulting ops are applied again until they reproduce themselves.
const SETTLING: usize = 3;

/// The effect that an edit would have.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The refined instruction.
    pub instruction: String,
    /// What changes on the page that the prompt was about.
    pub changes: Vec<Change>,
    /// Notes for the user, one sentence each: how the prompt was interpreted and what could be reached only in part.
    pub notes: Vec<String>,
    /// The pages that change. Empty if the pages already satisfy the edit.
    pub edited: Vec<Edited>,
    /// Whether parts of the prompt were skipped because they could not be read.
    pub partial: bool,
}

/// A page after an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// Its index among the targets.
    pub at: usize,
    /// The page.
    pub page: Page,
    /// The composed page.
    pub composed: Composed,
    /// The corrected words, if the edit changes nothing else.
    pub correction: Option<Correction>,
}

/// Why an instruction is not executed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// It is not in the grammar.
    #[error(transparent)]
    Malformed(#[from] MalformedInstruction),
    /// It was read against another version, and the current page doesn't satisfy it already.
    #[error("the instruction was made for another version of this image")]
    Stale,
    /// It can't be applied to this page.
    #[error("{0}")]
    NotPossible(String),
}

/// Returns what a prompt would do to the page at `at` of `targets`, or to all of them if the prompt says so.
///
/// # Errors
/// [`Unread`] if the prompt can't be read or applied.
pub fn propose(prompt: &str, targets: &[Target<'_>], at: usize) -> Result<Proposal, Unread> {
    let Some(target) = targets.get(at) else {
        return Err(Unread {
            reason: UnreadReason::NotPossible,
            message: String::new(),
            suggestions: Vec::new(),
            open: false,
        });
    };
    let asked = match Instruction::parse(prompt) {
        // A client that writes the grammar itself, such as a manual editor, bypasses the reader.
        Ok(Instruction { reach, ops }) => {
            Asked { ops, everywhere: matches!(reach, Reach::All(_)), notes: Vec::new(), partial: false }
        }
        Err(_) => read(prompt, target)?,
    };
    let everywhere = asked.everywhere && targets.len() > 1;
    let proposal = proposed(&asked.ops, everywhere, targets, at).map_err(|message| Unread {
        reason: UnreadReason::NotPossible,
        message,
        // Don't suggest the edit that was just refused.
        suggestions: suggestions(target)
            .into_iter()
            .filter(|other| !read(other, target).is_ok_and(|other| other.ops == asked.ops))
            .collect(),
        // A language model may still edit the page text directly.
        open: true,
    })?;
    let mut notes = asked.notes;
    notes.extend(proposal.notes);
    Ok(Proposal { notes, partial: asked.partial, ..proposal })
}

/// Like [`propose`], for clauses in the grammar of refined instructions ("set the headline size to 150; …"). A language
/// model writes such clauses.
///
/// # Errors
/// [`ExecuteError::Malformed`], [`ExecuteError::NotPossible`].
pub fn propose_clauses(
    clauses: &str,
    everywhere: bool,
    targets: &[Target<'_>],
    at: usize,
) -> Result<Proposal, ExecuteError> {
    let ops = Instruction::parse_clauses(clauses)?;
    proposed(&ops, everywhere && targets.len() > 1, targets, at).map_err(ExecuteError::NotPossible)
}

/// Returns the clause that composes a page from its text. [`crate::compose::text`] writes this text.
pub fn composing(text: &str) -> String {
    clause(&Op::Page(text.to_owned()))
}

/// Returns what ops would do to the page at `at` of `targets` or to all of them, or a message that says why they can't
/// be applied.
pub(super) fn proposed(ops: &[Op], everywhere: bool, targets: &[Target<'_>], at: usize) -> Result<Proposal, String> {
    let target = targets.get(at).ok_or_else(String::new)?;
    if everywhere && let Some(op) = ops.iter().find(|op| !is_for_all(op)) {
        return Err(format!("“{}” is about one slide: ask it of each on its own.", clause(op)));
    }
    let (first, settled) = settled(ops, target).map_err(|e| e.0)?;
    let reach = reach(everywhere, targets, at);
    // Ops for all slides stay as requested, because each slide resolves them itself.
    let ops = if everywhere { ops.to_vec() } else { settled };
    let was = |op: &Op| if everywhere { None } else { was(op, target) };
    let instruction = Instruction { reach, ops };
    // Apply the printed form of the ops, exactly as the second step will.
    let done = carried_out(&instruction, targets, at).map_err(|e| e.0)?;
    let mut notes = first.notes;
    let others = done.iter().filter(|d| d.at != at);
    notes.extend(others.flat_map(|d| d.notes().map(|note| format!("Slide {}: {note}", d.at + 1)).collect::<Vec<_>>()));
    // A change that isn't visible is not reported.
    let shown = done.iter().find(|d| d.at == at && d.seen).and_then(|d| d.applied.as_ref().ok());
    let changes = shown.map(|applied| applied.changes.clone()).unwrap_or_default();
    let edited: Vec<Edited> = done.into_iter().filter_map(Done::edited).collect();
    if edited.is_empty() && !notes.is_empty() {
        return Err(notes.join(" "));
    }
    Ok(Proposal { instruction: instruction.print(was), changes, notes, edited, partial: false })
}

/// Returns whether an op means the same on every slide of a set. An op about a slide's own words doesn't.
fn is_for_all(op: &Op) -> bool {
    match op {
        Op::Words { slot, .. } => {
            matches!(slot, SlotId::Handle | SlotId::Brand | SlotId::Kicker | SlotId::Cta | SlotId::Attribution)
        }
        Op::Size { which, .. } | Op::Ink { which, .. } => matches!(which, Which::All(_)),
        Op::Element(change) => change.is_general(),
        Op::Items(_)
        | Op::Stress { .. }
        | Op::Icons(_)
        | Op::Highlight(_)
        | Op::Layout(_)
        | Op::Drawing(_)
        | Op::Page(_) => false,
        _ => true,
    }
}

/// Applies ops to a page. Returns the result and the ops that describe its end state: applied to the same page, these
/// ops reproduce themselves.
fn settled(ops: &[Op], target: &Target<'_>) -> Result<(Applied, Vec<Op>), ApplyError> {
    let first = apply(ops, target)?;
    let mut reached = first.ops.clone();
    for _ in 0..SETTLING {
        let again = apply(&reached, target)?.ops;
        if again == reached {
            break;
        }
        reached = again;
    }
    Ok((first, reached))
}

fn reach(everywhere: bool, targets: &[Target<'_>], at: usize) -> Reach {
    match targets.get(at) {
        Some(target) if !everywhere => Reach::One(target.version),
        _ => Reach::All(targets.iter().map(|t| t.version).collect()),
    }
}

/// The result of an instruction on one page.
struct Done {
    at: usize,
    applied: Result<Applied, ApplyError>,
    /// Whether the page looks different than before.
    seen: bool,
}

impl Done {
    fn notes(&self) -> impl Iterator<Item = &str> {
        let (notes, error) = match &self.applied {
            Ok(applied) => (applied.notes.as_slice(), None),
            Err(e) => (&[][..], Some(e.0.as_str())),
        };
        notes.iter().map(String::as_str).chain(error)
    }

    fn edited(self) -> Option<Edited> {
        let applied = self.applied.ok().filter(|_| self.seen)?;
        let Applied { page, composed, correction, .. } = applied;
        Some(Edited { at: self.at, page, composed, correction })
    }
}

/// Applies an instruction to each page that it is about. Returns the error of the page at `at` if it can't be applied
/// there; failures on other slides are part of the result.
fn carried_out(instruction: &Instruction, targets: &[Target<'_>], at: usize) -> Result<Vec<Done>, ApplyError> {
    let meant = |n: usize| n == at || matches!(instruction.reach, Reach::All(_));
    let about: Vec<(usize, &Target<'_>)> = targets.iter().enumerate().filter(|(n, _)| meant(*n)).collect();
    let scope = cancel::Scope::current();
    let one = |(n, target): &(usize, &Target<'_>)| {
        let applied = scope.enter(|| apply(&instruction.ops, target));
        // A page without a visible change counts as unedited, so the user isn't charged for it.
        let seen = applied.as_ref().is_ok_and(|a| a.page != *target.page && a.composed.scene != target.scene);
        Done { at: *n, applied, seen }
    };
    let done: Vec<Done> = about.par_iter().map(one).collect();
    match done.iter().find(|d| d.at == at).map(|d| &d.applied) {
        Some(Err(e)) => Err(e.clone()),
        _ => Ok(done),
    }
}

/// Returns the pages that an instruction changes. The list is empty if the pages already satisfy it.
///
/// # Errors
/// [`ExecuteError`].
pub fn execute(instruction: &str, targets: &[Target<'_>], at: usize) -> Result<Vec<Edited>, ExecuteError> {
    let parsed = Instruction::parse(instruction)?;
    let current = match &parsed.reach {
        Reach::One(version) => targets.get(at).is_some_and(|t| t.version == *version),
        Reach::All(versions) => {
            versions.len() == targets.len() && targets.iter().zip(versions).all(|(t, v)| t.version == *v)
        }
    };
    if matches!(parsed.reach, Reach::All(_)) && !parsed.ops.iter().all(is_for_all) {
        return Err(ExecuteError::NotPossible("That is about one slide: ask it of each on its own.".into()));
    }
    let done = carried_out(&parsed, targets, at);
    let edited = done.map(|done| done.into_iter().filter_map(Done::edited).collect::<Vec<_>>());
    match edited {
        Ok(edited) if edited.is_empty() => Ok(edited),
        _ if !current => Err(ExecuteError::Stale),
        Ok(edited) => Ok(edited),
        Err(e) => Err(ExecuteError::NotPossible(e.0)),
    }
}
