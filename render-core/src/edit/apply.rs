//! Doing ops to a page, and repairing what they would break.

use crate::compose::Composed;
use crate::design::Page;

use super::{Op, Target};

/// A page after ops.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// The page.
    pub page: Page,
    /// What it makes.
    pub composed: Composed,
    /// The ops as they came out: a size that has no room is the one that has.
    pub ops: Vec<Op>,
    /// What changed.
    pub changes: Vec<Change>,
    /// What the reader should know. A sentence each.
    pub notes: Vec<String>,
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

/// Does ops to a page.
///
/// # Errors
/// [`ApplyError`].
pub fn apply(ops: &[Op], target: &Target<'_>) -> Result<Applied, ApplyError> {
    let _ = (ops, target);
    todo!()
}
