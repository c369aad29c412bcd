//! Decides what pages say and show before they are planned: their language and, if a language model is configured,
//! their content.
//!
//! A model writes a brief, then composes the pages of a set in the page language. [`render_core::author::Commission`]
//! checks the answer, and the planner tries it. Pages without faults are then checked against the source once
//! (`proof`). The model gets two chances to correct what is wrong. If pages still can't be shown, templates set the
//! model's words. If no words can be used, the rules outline the source, with a warning. Only a translation that is
//! unavailable is a failure.

pub(crate) mod added_texts;
mod brief;
pub(crate) mod edit;
mod look;
pub(crate) mod offline;
mod open;
mod order;
mod pages;
mod prompt;
mod proof;
mod review;
mod settle;
mod statement;
mod task;
pub(crate) mod translate;
mod writer;
mod written;

pub(crate) use look::Look;
pub(crate) use order::Order;
pub(crate) use settle::{Settled, estimated, given, settle};
pub(crate) use writer::LONGEST;
pub use writer::{Copywriter, Spending};
pub(crate) use written::Cause;

#[cfg(test)]
mod tests;
