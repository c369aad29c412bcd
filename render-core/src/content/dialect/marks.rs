//! Placeholder characters for marks that Markdown cannot express. They are Unicode noncharacters, which no text
//! contains.

/// Start of strong emphasis.
pub(in crate::content) const STRONG_ON: char = '\u{fdd0}';
/// End of strong emphasis.
pub(in crate::content) const STRONG_OFF: char = '\u{fdd1}';
/// Start of emphasis.
pub(in crate::content) const EM_ON: char = '\u{fdd2}';
/// End of emphasis.
pub(in crate::content) const EM_OFF: char = '\u{fdd3}';
/// A line break within a paragraph.
pub(in crate::content) const BREAK: char = '\u{fdd4}';

/// Whether a character is one of these placeholders.
pub(in crate::content) fn is_mark(c: char) -> bool {
    ('\u{fdd0}'..='\u{fdef}').contains(&c)
}
