//! Properties of single characters: line ends, breaking white space, and characters without ink.

/// Returns whether `c` always ends a line.
pub(super) fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns whether `c` is white space at which a line may end.
pub(super) fn is_breaking_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}') && !is_newline(c)
}

/// Returns whether `c` never has ink and may be dropped if a face lacks it: controls, joiners, direction marks,
/// variation selectors (the default-ignorable characters of UAX 44 that occur in text).
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}')
}
