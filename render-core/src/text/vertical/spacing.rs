//! Spacing between the cells of a column. Punctuation is drawn in half of its cell. The other half is space, which is
//! dropped where a column begins or ends and where two such halves meet (JLREQ, sections 3.1.4 to 3.1.9). Latin words
//! have a little space around them.

use super::orientation::Stance;

/// Ink of a mark may extend this far into the empty half, in em.
const REACH: f32 = 0.06;
/// Space between a rotated word and Japanese, in em, as in CSS Text 4 (section 9.1, `text-autospace`). JLREQ (section
/// 3.2.3) uses a quarter, for text of book size.
const BESIDE_WORDS: f32 = 0.125;

/// The class of a cluster for spacing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// An opening bracket: its first half is space.
    Opening,
    /// A closing bracket, a comma, a full stop: its second half is space.
    Closing,
    /// An upright letter.
    Letter,
    /// A rotated letter or figure.
    Word,
    /// Everything else.
    Other,
}

/// Returns the class of a cluster that begins with `c`, in a cell of one em with ink from `ink.0` to `ink.1`, in em
/// from its top.
pub(super) fn class(c: char, stance: Stance, ink: (f32, f32)) -> Class {
    let opens =
        matches!(c, '「' | '『' | '（' | '【' | '〈' | '《' | '〔' | '［' | '｛' | '〖' | '〘' | '〚' | '｟' | '〝');
    let closes = matches!(
        c,
        '、' | '。'
            | '，'
            | '．'
            | '」'
            | '』'
            | '）'
            | '】'
            | '〉'
            | '》'
            | '〕'
            | '］'
            | '｝'
            | '〗'
            | '〙'
            | '〛'
            | '｠'
            | '〞'
            | '〟'
    );
    match stance {
        // Some faces draw these marks in the middle of the cell.
        Stance::Upright if opens && ink.0 >= 0.5 - REACH => Class::Opening,
        Stance::Upright if closes && ink.1 <= 0.5 + REACH => Class::Closing,
        Stance::Upright if c.is_alphanumeric() => Class::Letter,
        Stance::Turned if c.is_alphanumeric() => Class::Word,
        _ => Class::Other,
    }
}

/// Returns how much of its cell a cluster of `class` fills, in em; the rest is space.
pub(super) fn solid(class: Class) -> f32 {
    if matches!(class, Class::Opening | Class::Closing) { 0.5 } else { 1.0 }
}

/// Returns the space between clusters of two classes, in em. At the end of a column there is none.
pub(super) fn between(before: Class, after: Class) -> f32 {
    use Class::{Closing, Letter, Opening, Word};
    match (before, after) {
        (Opening, _) | (Closing, Closing) => 0.0,
        (Closing, _) | (_, Opening) => 0.5,
        (Letter, Word) | (Word, Letter) => BESIDE_WORDS,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_punctuation_are_space_where_they_are_empty() {
        assert_eq!(class('。', Stance::Upright, (0.05, 0.3)), Class::Closing);
        assert_eq!(class('。', Stance::Upright, (0.35, 0.65)), Class::Other);
        assert_eq!(class('「', Stance::Upright, (0.55, 0.95)), Class::Opening);
        assert_eq!(class('「', Stance::Turned, (0.55, 0.95)), Class::Other);
        assert_eq!(class('あ', Stance::Upright, (0.1, 0.9)), Class::Letter);
    }

    #[test]
    fn two_halves_that_meet_are_one() {
        use Class::{Closing, Letter, Opening, Other, Word};
        assert_eq!(between(Closing, Opening), 0.5);
        assert_eq!(between(Closing, Closing), 0.0);
        assert_eq!(between(Opening, Opening), 0.0);
        assert_eq!((between(Letter, Opening), between(Closing, Letter), between(Opening, Letter)), (0.5, 0.5, 0.0));
        assert_eq!((between(Letter, Word), between(Letter, Letter), between(Other, Word)), (0.125, 0.0, 0.0));
    }
}
