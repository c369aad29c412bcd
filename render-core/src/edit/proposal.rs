//! Both steps of an edit, over the pages that it may be about: the output itself, and the other slides of its set.

use crate::compose::Composed;
use crate::design::Page;

use super::apply::was;
use super::{
    Applied, Change, Instruction, MalformedInstruction, Op, Reach, Target, Unread, UnreadReason, apply, read,
    suggestions,
};

/// How often the size that a text came out in is asked for again, until it is the one that comes out.
const SETTLING: usize = 4;

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
    let asked = read(prompt, target)?;
    let everywhere = asked.everywhere && targets.len() > 1;
    let proposal = proposed(&asked.ops, everywhere, targets, at).map_err(|message| Unread {
        reason: UnreadReason::NotPossible,
        message,
        suggestions: suggestions(target),
        open: false,
    })?;
    let mut notes = asked.notes;
    notes.extend(proposal.notes);
    Ok(Proposal { notes, ..proposal })
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

fn proposed(ops: &[Op], everywhere: bool, targets: &[Target<'_>], at: usize) -> Result<Proposal, String> {
    let target = targets.get(at).ok_or_else(String::new)?;
    let (first, settled) = settled(ops, target).map_err(|e| e.0)?;
    let reach = reach(everywhere, targets, at);
    // What is true of one page in the end is what the others are to be; but words are found anew on each.
    let ops = if everywhere { ops.to_vec() } else { settled };
    let was = |op: &Op| if everywhere { None } else { was(op, target) };
    let instruction = Instruction { reach, ops };
    // As the second step will do it, from what the instruction says.
    let edited = carried_out(&instruction, targets, at).map_err(|e| e.0)?;
    let shown = edited.iter().find(|(n, _)| *n == at);
    let (changes, mut notes) = match shown {
        Some((_, applied)) => (applied.changes.clone(), first.notes),
        None => (Vec::new(), first.notes),
    };
    let mut seen: Vec<String> = Vec::new();
    notes.retain(|n| {
        !seen.contains(n) && {
            seen.push(n.clone());
            true
        }
    });
    let edited = edited.into_iter().map(|(at, a)| Edited { at, page: a.page, composed: a.composed }).collect();
    Ok(Proposal { instruction: instruction.print(was), changes, notes, edited })
}

/// What ops make of a page, and the ops that say where that ends: done to the page, they end there too.
fn settled(ops: &[Op], target: &Target<'_>) -> Result<(Applied, Vec<Op>), super::ApplyError> {
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

/// The pages that change, from what an instruction says.
fn carried_out(
    instruction: &Instruction,
    targets: &[Target<'_>],
    at: usize,
) -> Result<Vec<(usize, Applied)>, super::ApplyError> {
    let mut out = Vec::new();
    for (n, target) in targets.iter().enumerate() {
        let meant = n == at || matches!(instruction.reach, Reach::All(_));
        if !meant {
            continue;
        }
        match apply(&instruction.ops, target) {
            Ok(applied) if applied.page != *target.page => out.push((n, applied)),
            Ok(_) => {}
            // Of a set, the slides that it can be done on.
            Err(e) if n == at => return Err(e),
            Err(_) => {}
        }
    }
    Ok(out)
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
    let done = carried_out(&parsed, targets, at);
    match done {
        Ok(edited) if edited.is_empty() => Ok(Vec::new()),
        _ if !current => Err(ExecuteError::Stale),
        Ok(edited) => Ok(edited.into_iter().map(|(at, a)| Edited { at, page: a.page, composed: a.composed }).collect()),
        Err(e) => Err(ExecuteError::NotPossible(e.0)),
    }
}
