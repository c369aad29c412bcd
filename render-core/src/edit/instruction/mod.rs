//! The refined instruction: ops as plain English in a fixed grammar, which reads back to the same ops.
//!
//! ```text
//! instruction = reach ": " clause *("; " clause)
//! reach       = "On version " number / "On all slides, versions " number *(", " number)
//! clause      = one of those that `print` writes, and behind it perhaps " (was …)", which says nothing
//! quoted text = “…”, in which “\” stands before a quotation mark, before itself, and as “\n” for a line break
//! ```

mod parse;
mod print;
#[cfg(test)]
mod tests;

use super::Op;

pub(super) use print::clause;
#[cfg(test)]
use print::quoted;

/// Ops, and the versions that they were read against.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// What it is about.
    pub reach: Reach,
    /// The ops.
    pub ops: Vec<Op>,
}

/// What an instruction is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// One page, by its version.
    One(u32),
    /// All slides of its set, by their versions in order.
    All(Vec<u32>),
}

/// An instruction outside the grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the instruction can't be read at {at:?}")]
pub struct MalformedInstruction {
    /// The words that can't be read.
    pub at: String,
}

impl Instruction {
    /// The instruction in words; `was` says what a clause changes, where that is short.
    pub fn print(&self, was: impl Fn(&Op) -> Option<String>) -> String {
        print::instruction(self, was)
    }

    /// The instruction that words say.
    ///
    /// # Errors
    /// [`MalformedInstruction`].
    pub fn parse(text: &str) -> Result<Self, MalformedInstruction> {
        parse::instruction(text)
    }

    /// Clauses without the versions before them.
    ///
    /// # Errors
    /// [`MalformedInstruction`].
    pub fn parse_clauses(text: &str) -> Result<Vec<Op>, MalformedInstruction> {
        parse::clauses(text)
    }
}
