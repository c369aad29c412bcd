//! The length limit of a document's text.

use render_core::limits;

/// Returns the beginning of a long page, which states its topic.
pub(super) fn clip(text: &str) -> &str {
    text.char_indices().nth(limits::TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
}
