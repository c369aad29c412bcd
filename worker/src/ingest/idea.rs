//! Ideas: a line or two on what the pages are to be about.

use fleet::protocol::Failure;
use render_core::content::{Idea, ReadOptions, read_idea};

use super::text::utf8;
use crate::failure;

/// What an idea says, read with what the caller knows.
///
/// # Errors
/// A [`Failure`] where it is not text, too long, or says nothing.
pub(crate) fn idea(bytes: &[u8], options: &ReadOptions) -> Result<Idea, Failure> {
    read_idea(utf8(bytes)?, options).map_err(|e| failure::lasting("no_content", e.to_string()))
}
