//! Text direction: the Unicode bidirectional algorithm (UAX 9), from the crate `unicode-bidi`, for a whole text and its
//! lines.

pub(super) use unicode_bidi::Level;
use unicode_bidi::{BidiClass, BidiInfo, bidi_class};

use super::Locale;

/// Embedding levels of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bidi {
    /// A level for each byte, odd for right to left; separators have the paragraph's level (rule L1). Empty if all text
    /// runs from left to right.
    levels: Vec<Level>,
    /// Whether the paragraph runs from right to left.
    pub rtl: bool,
}

impl Bidi {
    /// Computes the levels of `text`. The direction is that of the first strong character (P2, P3). In a language
    /// written from right to left, any letter of that direction decides, because such texts often begin with a foreign
    /// name. Without strong characters, the direction is that of the language.
    pub fn new(text: &str, locale: &Locale) -> Self {
        // All characters below U+0590 run from left to right or are neutral.
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

    /// Computes the levels of `text` in the direction of its first strong character outside isolates (P2, P3), or from
    /// left to right without one.
    pub fn by_first_strong(text: &str) -> Self {
        Self::with_base(text, unicode_bidi::get_base_direction_full(text) == unicode_bidi::Direction::Rtl)
    }

    /// Computes the levels of `text` in a paragraph with a given direction.
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

    /// Returns the level of the character at byte `at`.
    pub fn level(&self, at: usize) -> Level {
        self.levels.get(at).copied().unwrap_or(if self.rtl { Level::rtl() } else { Level::ltr() })
    }

    /// Returns whether all text runs from left to right.
    pub fn is_plain(&self) -> bool {
        self.levels.is_empty()
    }
}

/// Returns the order of a line's pieces from left to right, given their levels (rule L2).
pub(super) fn visual_order(levels: &[Level]) -> Vec<usize> {
    BidiInfo::reorder_visual(levels)
}
