//! Both steps of an edit, over the pages that it may be about: the output itself, and the other slides of its set.

use crate::compose::Composed;
use crate::design::Page;

use super::{Change, MalformedInstruction, Target, Unread};

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
    let _ = (prompt, targets, at);
    todo!()
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
    let _ = (clauses, everywhere, targets, at);
    todo!()
}

/// The pages that an instruction changes; none where what it says holds already.
///
/// # Errors
/// [`ExecuteError`].
pub fn execute(instruction: &str, targets: &[Target<'_>], at: usize) -> Result<Vec<Edited>, ExecuteError> {
    let _ = (instruction, targets, at);
    todo!()
}
