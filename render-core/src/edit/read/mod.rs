//! What a prompt asks of a page.

use super::{Op, Target};

/// What a prompt asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The changes, in the order in which they are done.
    pub ops: Vec<Op>,
    /// Whether it is meant for all slides of the set.
    pub everywhere: bool,
    /// What was taken for what, where a prompt has several readings: a sentence each.
    pub notes: Vec<String>,
}

/// Why a prompt is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadReason {
    /// It can't be read.
    NotUnderstood,
    /// It can't be done on this page.
    NotPossible,
}

/// A question back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Which of the two.
    pub reason: UnreadReason,
    /// What was not understood, or why it can't be done; a sentence or two.
    pub message: String,
    /// Two or three prompts that this page would understand.
    pub suggestions: Vec<String>,
}

/// What a prompt asks of a page, what is relative in it resolved against the page as it stands.
///
/// # Errors
/// [`Unread`].
pub fn read(prompt: &str, target: &Target<'_>) -> Result<Asked, Unread> {
    let _ = (prompt, target);
    todo!()
}

/// Two or three prompts that suit a page.
pub fn suggestions(target: &Target<'_>) -> Vec<String> {
    let _ = target;
    todo!()
}
