//! The refined instruction: ops as plain English in a fixed grammar. Parsing an instruction returns the same ops.
//!
//! ```text
//! instruction = reach ": " clause *("; " clause)
//! reach       = "On version " number / "On all slides, versions " number *(", " number)
//! clause      = one of those that `print` writes, then optionally " (was …)", which the parser skips
//! quoted text = “…”, in which “\” escapes a quotation mark and itself, and “\n” is a line break
//! ```

mod parse;
mod print;
#[cfg(test)]
pub(super) mod tests;

use super::Op;

pub(super) use print::clause;
#[cfg(test)]
use print::quoted;

/// Ops and the page versions that they were read against.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// The pages that it is about.
    pub reach: Reach,
    /// The ops.
    pub ops: Vec<Op>,
}

/// The pages that an instruction is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// One page, with its version.
    One(u32),
    /// All slides of its set, with their versions in order.
    All(Vec<u32>),
}

/// An instruction that is not in the grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the instruction can't be read at {at:?}")]
pub struct MalformedInstruction {
    /// The start of the text that can't be parsed.
    pub at: String,
}

impl Instruction {
    /// Prints the instruction. `was` returns the previous value of what an op changes, if that is short enough to
    /// print.
    pub fn print(&self, was: impl Fn(&Op) -> Option<String>) -> String {
        print::instruction(self, was)
    }

    /// Parses an instruction.
    ///
    /// # Errors
    /// [`MalformedInstruction`] if `text` is not in the grammar.
    pub fn parse(text: &str) -> Result<Self, MalformedInstruction> {
        parse::instruction(text)
    }

    /// Parses clauses without a leading version.
    ///
    /// # Errors
    /// [`MalformedInstruction`] if `text` is not in the grammar.
    pub fn parse_clauses(text: &str) -> Result<Vec<Op>, MalformedInstruction> {
        parse::clauses(text)
    }
}
