//! Direction: the Unicode bidirectional algorithm (UAX 9), by the crate `unicode-bidi`, over a whole text and its lines.

pub(super) use unicode_bidi::Level;
use unicode_bidi::{BidiClass, BidiInfo, bidi_class};

use super::Locale;

/// Embedding levels of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bidi {
    /// A level for each byte, odd from right to left, separators at the paragraph's own (rule L1). Empty where
    /// everything runs from left to right.
    levels: Vec<Level>,
    /// The direction of the paragraph.
    pub rtl: bool,
}

impl Bidi {
    /// Levels of `text`. A text's direction is that of its first strong character (P2, P3); where the language is
    /// written from right to left, any letter of that direction makes it so, since such texts often begin with a foreign
    /// name; without strong characters it is the language's.
    pub fn new(text: &str, locale: &Locale) -> Self {
        // Everything below U+0590 runs from left to right or is neutral.
        if !locale.is_rtl() && text.chars().all(|c| c < '\u{590}') {
            return Self { levels: Vec::new(), rtl: false };
        }
        let strong = |c: char| match bidi_class(c) {
            BidiClass::L => Some(false),
            BidiClass::R | BidiClass::AL => Some(true),
            _ => None,
        };
        let rtl = match locale.is_rtl() {
            true => {
                let mut any = text.chars().filter_map(strong).peekable();
                any.peek().is_none() || any.any(|rtl| rtl)
            }
            false => return Self::by_first_strong(text),
        };
        Self::with_base(text, rtl)
    }

    /// Levels of `text` in the direction of its first strong character outside isolates (P2, P3), from left to right
    /// where there is none.
    pub fn by_first_strong(text: &str) -> Self {
        Self::with_base(text, unicode_bidi::get_base_direction_full(text) == unicode_bidi::Direction::Rtl)
    }

    /// Levels of `text` in a paragraph of a given direction.
    pub fn with_base(text: &str, rtl: bool) -> Self {
        let base = if rtl { Level::rtl() } else { Level::ltr() };
        let info = BidiInfo::new(text, Some(base));
        if !rtl && info.levels.iter().all(|l| *l == base) {
            return Self { levels: Vec::new(), rtl };
        }
        let mut levels = vec![base; text.len()];
        for paragraph in &info.paragraphs {
            let of_line = info.reordered_levels(paragraph, paragraph.range.clone());
            levels[paragraph.range.clone()].copy_from_slice(&of_line[paragraph.range.clone()]);
        }
        Self { levels, rtl }
    }

    /// The level of the character at byte `at`.
    pub fn level(&self, at: usize) -> Level {
        self.levels.get(at).copied().unwrap_or(if self.rtl { Level::rtl() } else { Level::ltr() })
    }

    /// Whether all of the text runs from left to right.
    pub fn is_plain(&self) -> bool {
        self.levels.is_empty()
    }
}

/// The order in which the pieces of a line stand from left to right, by their levels (rule L2).
pub(super) fn visual_order(levels: &[Level]) -> Vec<usize> {
    BidiInfo::reorder_visual(levels)
}
