//! The refined instruction: ops as plain English in a fixed grammar, which reads back to the same ops.

use super::Op;

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
