//! The scripts of characters.

/// Returns whether a character belongs to a script without spaces, or is a mark that such scripts use.
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}' | '“' | '”' | '…')
}
