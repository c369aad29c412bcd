//! Characters that stand for marks that Markdown has no spelling for. They are Unicode's noncharacters, which no text
//! holds.

/// Strong emphasis begins.
pub(in crate::content) const STRONG_ON: char = '\u{fdd0}';
/// Strong emphasis ends.
pub(in crate::content) const STRONG_OFF: char = '\u{fdd1}';
/// Emphasis begins.
pub(in crate::content) const EM_ON: char = '\u{fdd2}';
/// Emphasis ends.
pub(in crate::content) const EM_OFF: char = '\u{fdd3}';
/// A line ends within its paragraph.
pub(in crate::content) const BREAK: char = '\u{fdd4}';

/// Whether a character is one of these.
pub(in crate::content) fn is_mark(c: char) -> bool {
    ('\u{fdd0}'..='\u{fdef}').contains(&c)
}
