//! How a style emphasises words of a headline: in an italic of another family, on a block, or by a wavy line under a
//! word.

use std::ops::Range;

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use crate::scene::{Color, Item, Rect, Role};

/// Which words of a headline a style emphasises by itself, if none is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stress {
    /// None.
    #[default]
    None,
    /// Some of its words, if it is short.
    Auto,
    /// All of it.
    All,
}

/// Characters with descenders that a line under a word would cross.
const DESCENDERS: &str = "gjpqyçşţQJ,;";
/// Most words of a headline in which some are emphasised: in a longer one no single word represents the rest.
const SHORT: usize = 9;
/// Words that end headlines and carry no meaning by themselves.
const WEAK: &str = "said says say told tells asked asks added noted wrote sagt sagte fragt dit disait dijo dice disse ha now then today again more most less well too also soon here there thing things way ways stuff lot lots time \
    times frequently quickly easily together yourself others another everything something anything everyone someone anyone";
/// Width of one wave and of its stroke, in em.
const WAVE: (f64, f64) = (0.48, 0.088);

/// Returns whether a line can be drawn under words.
pub fn stands_clear(words: &str) -> bool {
    !words.contains(|c| DESCENDERS.contains(c))
}

/// Returns the last meaningful words of a short headline: one word, two if it is short, or a complete name, without
/// words that only join others (`joins`). Returns `None` if nothing would remain before them, if the headline is long,
/// or if it ends in words without meaning of their own.
pub fn tail(text: &str, joins: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let words = words(text);
    let bare = |n: usize| text[words[n].clone()].trim_end_matches(['.', '!', '?', ',']);
    let last = (words.len().saturating_sub(3)..words.len()).rev().find(|n| !joins(bare(*n)))?;
    if words.len() > SHORT || is_weak(bare(last)) {
        return None;
    }
    // A single short word is no phrase.
    let two = bare(last).chars().count() < 5 && words.len() >= 4 && last >= 2 && !joins(bare(last - 1));
    // A name among lower-case words stays complete: "Open Forest".
    let capital = |n: usize| text[words[n].clone()].starts_with(char::is_uppercase);
    let is_name = capital(last) && words.len() > 1 && (1..words.len()).any(|n| !capital(n) && !joins(bare(n)));
    let name = (1..=last).rev().take_while(|n| is_name && capital(*n)).last();
    let from = words[name.unwrap_or(if two { last - 1 } else { last })].start;
    // A question or exclamation mark belongs to the last word, any other mark to the sentence.
    let calls = last + 1 == words.len() && text.ends_with(['!', '?', '！', '？', '؟']);
    let to = if calls { text.len() } else { words[last].start + bare(last).len() };
    let alphabetic = text[from..to].chars().filter(|c| c.is_alphabetic()).count() >= 3;
    // A headline with a figure is left unchanged.
    let figures = text[from..].chars().any(|c| c.is_ascii_digit());
    (last >= 1 && alphabetic && !figures).then_some(from..to)
}

/// Returns the longest word of a short headline with four to nine letters, without descenders, and not just joining
/// others (`joins`); the last one on a tie.
pub fn underlined(text: &str, joins: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let ended = |r: Range<usize>| {
        let end = text[r.clone()].trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        r.start..r.start + end
    };
    let words: Vec<Range<usize>> = words(text).into_iter().map(ended).collect();
    let fits = |r: &&Range<usize>| {
        let word = &text[(*r).clone()];
        (4..=9).contains(&word.chars().count())
            && word.chars().all(|c| c.is_alphabetic() && c < '\u{370}')
            && stands_clear(word)
            && !joins(word)
            && !is_weak(word)
    };
    let some = (2..=SHORT).contains(&words.len());
    words.iter().filter(fits).max_by_key(|r| r.len()).filter(|_| some).cloned()
}

/// Returns whether a word carries no meaning by itself.
fn is_weak(word: &str) -> bool {
    let lower = word.to_lowercase();
    WEAK.split_whitespace().any(|weak| weak == lower)
}

/// Returns the ranges of the words of a text.
fn words(text: &str) -> Vec<Range<usize>> {
    let at = |w: &str| w.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(|w| at(w)..at(w) + w.len()).collect()
}

/// Returns a wavy line under ink on `baseline`.
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

    fn joins(word: &str) -> bool {
        ["the", "on", "of", "to", "for", "into", "what", "that", "with"].contains(&word)
    }

    #[test]
    fn the_last_words_turn() {
        let turned = |text: &'static str| tail(text, joins).map(|at| &text[at]);
        assert_eq!(turned("A slower morning."), Some("morning"));
        assert_eq!(turned("Weekend lie-ins only pay the fee"), Some("fee"));
        assert_eq!(turned("Sleep debt can be repaid on Saturday"), Some("Saturday"));
        assert_eq!(turned("How to make more with less soil"), Some("less soil"));
        assert_eq!(turned("The tools that you need to begin with"), Some("begin"));
        assert_eq!(turned("Ask what to look for, what for"), None);
        assert_eq!(turned("Will it hold until morning?"), Some("morning?"));
        assert_eq!(turned("Christmas trees from Open Forest"), Some("Open Forest"));
        assert_eq!(turned("Operations then and now"), None);
        assert_eq!(turned("The crew of the harbour counts all of the boats at dawn and dusk"), None);
        assert_eq!(turned("Morning"), None);
        assert_eq!(turned("Rents fell by 31 %"), None);
        assert_eq!(turned("Six rules for 2026"), None);
    }

    #[test]
    fn a_line_stands_under_a_word_that_leaves_it_room() {
        let word = |text: &'static str| underlined(text, joins).map(|r| &text[r]);
        assert_eq!(word("5 snacks that beat 4pm"), Some("snacks"));
        assert_eq!(word("Turn waste into bread"), Some("bread"));
        assert_eq!(word("Look into what that is"), Some("Look"));
        assert_eq!(word("Enjoy playing"), None);
        assert_eq!(word("眠りを 深くする"), None);
    }
}
