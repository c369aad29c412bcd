//! Logical copies of the state: the file format, export, import, and recovery of a damaged state.

pub(super) mod copy;
pub(super) mod export;
pub(super) mod import;
pub(super) mod recover;
