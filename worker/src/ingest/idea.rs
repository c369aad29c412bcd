//! Ideas: a line or two about the topic of the pages.

use fleet::protocol::{Failure, FailureCode};
use render_core::content::{Idea, ReadOptions, read_idea};

use super::text::utf8;
use crate::failure;

/// Reads an idea, with the caller's options.
///
/// # Errors
/// A [`Failure`] if it is not text, too long, or empty.
pub(crate) fn idea(bytes: &[u8], options: &ReadOptions) -> Result<Idea, Failure> {
    read_idea(utf8(bytes)?, options).map_err(|e| failure::lasting(FailureCode::NoContent, e.to_string()))
}
