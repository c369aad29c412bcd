//! Ideas: a line or two on what the pages are to be about.

use fleet::protocol::Failure;
use render_core::content::{Idea, ReadOptions, read_idea};

use super::text::utf8;
use crate::failure;

/// What an idea says, under the title asked for where there is one.
///
/// # Errors
/// A [`Failure`] where it is not text, too long, or says nothing.
pub(crate) fn idea(bytes: &[u8], title: Option<&str>, exact: bool) -> Result<Idea, Failure> {
    let title = title.map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned);
    let options = ReadOptions { title, exact, ..ReadOptions::default() };
    read_idea(utf8(bytes)?, &options).map_err(|e| failure::lasting("no_content", e.to_string()))
}
