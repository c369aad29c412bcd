//! How a style tells words of a headline apart: in an italic of another family, on a block, or by a wavy line under a
//! word.

use std::ops::Range;

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use crate::scene::{Color, Item, Rect, Role};

/// Which words of a headline a style tells apart by itself, where nothing in it is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stress {
    /// None.
    #[default]
    None,
    /// Its last words.
    Auto,
    /// All of it.
    All,
}

/// Letters that a line under a word would run into.
const DESCENDERS: &str = "gjpqyçşţQJ,;";
/// Width of a wave and of its stroke, in em.
const WAVE: (f64, f64) = (0.48, 0.088);

/// Whether a line can stand under words.
pub fn stands_clear(words: &str) -> bool {
    !words.contains(|c| DESCENDERS.contains(c))
}

/// Where the last words of a headline begin: the last one, or two where it is short; `None` where nothing would be left
/// before them.
pub fn tail(text: &str) -> Option<usize> {
    let starts: Vec<usize> = text.split_whitespace().map(|w| w.as_ptr() as usize - text.as_ptr() as usize).collect();
    let last = *starts.last()?;
    let letters = |word: &str| word.trim_end_matches(['.', '!', '?', ',']).chars().count();
    let before = starts.len().checked_sub(2).map_or(last, |n| starts[n]);
    // A short word is no phrase, and an article or a preposition before the last one is part of it.
    let short = letters(&text[last..]) < 5 || letters(text[before..last].trim_end()) <= 3;
    let from = if short && starts.len() >= 4 { before } else { last };
    let alphabetic = text[from..].chars().filter(|c| c.is_alphabetic()).count() >= 3;
    // A figure that carries the headline stays as it is.
    let figures = text[from..].chars().any(|c| c.is_ascii_digit());
    (starts.len() >= 2 && alphabetic && !figures).then_some(from)
}

/// A word of four to nine letters without descenders, the last but one where possible.
pub fn underlined(text: &str) -> Option<Range<usize>> {
    let words: Vec<Range<usize>> = text
        .split_whitespace()
        .map(|w| {
            let at = w.as_ptr() as usize - text.as_ptr() as usize;
            at..at + w.trim_end_matches(|c: char| !c.is_alphanumeric()).len()
        })
        .collect();
    let fits = |r: &&Range<usize>| {
        let word = &text[(*r).clone()];
        (4..=9).contains(&word.chars().count())
            && word.chars().all(|c| c.is_alphabetic() && c < '\u{370}')
            && stands_clear(word)
    };
    let (last, front) = words.split_last()?;
    front.iter().rev().find(fits).or_else(|| Some(last).filter(fits)).filter(|_| words.len() >= 2).cloned()
}

/// A wavy line under ink that stands on `baseline`.
pub fn squiggle(ink: Rect, baseline: f32, size: f32, color: Color, role: Role) -> Item {
    let em = f64::from(size);
    let (x0, x1) = (f64::from(ink.x0) + 0.02 * em, f64::from(ink.x1) - 0.02 * em);
    let y = f64::from(baseline) + 0.17 * em;
    let waves = ((x1 - x0) / (WAVE.0 * em)).round().max(1.0);
    let step = (x1 - x0) / waves;
    let rise = 0.15 * em;
    let mut path = BezPath::new();
    path.move_to((x0, y));
    for i in 0..waves as usize {
        let x = x0 + i as f64 * step;
        path.curve_to((x + 0.36 * step, y - rise), (x + 0.64 * step, y + rise), (x + step, y));
    }
    let style = Stroke::new(WAVE.1 * em).with_caps(Cap::Round).with_join(Join::Round);
    Item::path(stroke(&path, &style, &StrokeOpts::default(), 0.05), color, role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_turn() {
        let turned = |text: &'static str| tail(text).map(|at| &text[at..]);
        assert_eq!(turned("A slower morning"), Some("morning"));
        assert_eq!(turned("Weekend lie-ins only pay the fee"), Some("the fee"));
        assert_eq!(turned("Sleep debt can be repaid on Saturday"), Some("on Saturday"));
        assert_eq!(turned("Morning"), None);
        assert_eq!(turned("Rents fell by 31 %"), None);
        assert_eq!(turned("Six rules for 2026"), None);
    }

    #[test]
    fn a_line_stands_under_a_word_that_leaves_it_room() {
        let word = |text: &'static str| underlined(text).map(|r| &text[r]);
        assert_eq!(word("5 snacks that beat 4pm"), Some("beat"));
        assert_eq!(word("Enjoy playing"), None);
        assert_eq!(word("眠りを 深くする"), None);
    }
}
