//! Both steps of an edit, over the pages that it may be about: the output itself, and the other slides of its set.

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

/// How often the size that a text came out in is asked for again, until it is the one that comes out.
const SETTLING: usize = 3;

/// What an edit would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The refined instruction.
    pub instruction: String,
    /// What changes on the page that the prompt was about.
    pub changes: Vec<Change>,
    /// What the reader should know: what was taken for what, what could not be reached in full. A sentence each.
    pub notes: Vec<String>,
    /// The pages that change; none where all of it holds already.
    pub edited: Vec<Edited>,
    /// Whether parts of the prompt were left out that could not be read.
    pub partial: bool,
}

/// A page after an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// Which of the targets.
    pub at: usize,
    /// The page.
    pub page: Page,
    /// What it makes.
    pub composed: Composed,
    /// The words that the edit corrects, where it does nothing else.
    pub correction: Option<Correction>,
}

/// Why an instruction is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// It is not in the grammar.
    #[error(transparent)]
    Malformed(#[from] MalformedInstruction),
    /// It was read against another version, and its state doesn't hold.
    #[error("the instruction was made for another version of this image")]
    Stale,
    /// It can't be done on this page.
    #[error("{0}")]
    NotPossible(String),
}

/// What a prompt would do to the page at `at` of `targets`, or to all of them where it says so.
///
/// # Errors
/// [`Unread`].
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
        // Somebody who knows the grammar, such as an editor by hand, needs no reading.
        Ok(Instruction { reach, ops }) => {
            Asked { ops, everywhere: matches!(reach, Reach::All(_)), notes: Vec::new(), partial: false }
        }
        Err(_) => read(prompt, target)?,
    };
    let everywhere = asked.everywhere && targets.len() > 1;
    let proposal = proposed(&asked.ops, everywhere, targets, at).map_err(|message| Unread {
        reason: UnreadReason::NotPossible,
        message,
        // Not what was just refused.
        suggestions: suggestions(target)
            .into_iter()
            .filter(|other| !read(other, target).is_ok_and(|other| other.ops == asked.ops))
            .collect(),
        // A model may change the page itself.
        open: true,
    })?;
    let mut notes = asked.notes;
    notes.extend(proposal.notes);
    Ok(Proposal { notes, partial: asked.partial, ..proposal })
}

/// As [`propose`], of clauses in the grammar of refined instructions ("set the headline size to 150; …"), as a language
/// model writes them.
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

/// The clause that composes a page anew from its text, which [`crate::compose::text`] writes.
pub fn composing(text: &str) -> String {
    clause(&Op::Page(text.to_owned()))
}

/// What ops would do to the page at `at` of `targets`, or to all of them; or why that is not possible.
pub(super) fn proposed(ops: &[Op], everywhere: bool, targets: &[Target<'_>], at: usize) -> Result<Proposal, String> {
    let target = targets.get(at).ok_or_else(String::new)?;
    if everywhere && let Some(op) = ops.iter().find(|op| !is_for_all(op)) {
        return Err(format!("“{}” is about one slide: ask it of each on its own.", clause(op)));
    }
    let (first, settled) = settled(ops, target).map_err(|e| e.0)?;
    let reach = reach(everywhere, targets, at);
    // What is true of one page in the end is what the others are to be; but words are found anew on each.
    let ops = if everywhere { ops.to_vec() } else { settled };
    let was = |op: &Op| if everywhere { None } else { was(op, target) };
    let instruction = Instruction { reach, ops };
    // As the second step will do it, from what the instruction says.
    let done = carried_out(&instruction, targets, at).map_err(|e| e.0)?;
    let mut notes = first.notes;
    let others = done.iter().filter(|d| d.at != at);
    notes.extend(others.flat_map(|d| d.notes().map(|note| format!("Slide {}: {note}", d.at + 1)).collect::<Vec<_>>()));
    // What nobody sees is no change.
    let shown = done.iter().find(|d| d.at == at && d.seen).and_then(|d| d.applied.as_ref().ok());
    let changes = shown.map(|applied| applied.changes.clone()).unwrap_or_default();
    let edited: Vec<Edited> = done.into_iter().filter_map(Done::edited).collect();
    if edited.is_empty() && !notes.is_empty() {
        return Err(notes.join(" "));
    }
    Ok(Proposal { instruction: instruction.print(was), changes, notes, edited, partial: false })
}

/// Whether an op means the same on every slide of a set: what is said of a slide's own words doesn't.
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

/// What ops make of a page, and the ops that say where that ends: done to the page, they end there too.
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

/// What an instruction comes to on a page.
struct Done {
    at: usize,
    applied: Result<Applied, ApplyError>,
    /// The page looks otherwise than before.
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

/// What an instruction comes to on each of the pages that it is about. Of a set, the slides that it can be done on: it must
/// be one on the page that was asked of.
fn carried_out(instruction: &Instruction, targets: &[Target<'_>], at: usize) -> Result<Vec<Done>, ApplyError> {
    let meant = |n: usize| n == at || matches!(instruction.reach, Reach::All(_));
    let about: Vec<(usize, &Target<'_>)> = targets.iter().enumerate().filter(|(n, _)| meant(*n)).collect();
    let scope = cancel::Scope::current();
    let one = |(n, target): &(usize, &Target<'_>)| {
        let applied = scope.enter(|| apply(&instruction.ops, target));
        // Who sees no difference pays for none.
        let seen = applied.as_ref().is_ok_and(|a| a.page != *target.page && a.composed.scene != target.scene);
        Done { at: *n, applied, seen }
    };
    let done: Vec<Done> = about.par_iter().map(one).collect();
    match done.iter().find(|d| d.at == at).map(|d| &d.applied) {
        Some(Err(e)) => Err(e.clone()),
        _ => Ok(done),
    }
}

/// The pages that an instruction changes; none where what it says holds already.
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
