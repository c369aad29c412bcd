//! How a style tells the last words of a headline apart: in an italic of another family, or by a wavy line under a word.

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use super::setter::{Setter, Spec};
use crate::design::{Archetype, Flourish, SlotId, Voice};
use crate::scene::{Item, Rect, Role};
use crate::text::{FaceId, Family, Laid, TextSpan};

/// The tag of the word with a wavy line under it.
pub(super) const SQUIGGLED: u8 = 3;
/// The tag of words in another face.
pub(super) const TURNED: u8 = 4;
/// Letters that a line under a word would run into.
const DESCENDERS: &str = "gjpqyçşţQJ,;";
/// Width of a wave and of its stroke, in em.
const WAVE: (f64, f64) = (0.48, 0.088);

/// The tag of words on a block.
pub(super) const BLOCKED: u8 = 5;
/// The room before a block, in em.
const BLOCK_ROOM: f32 = 0.09;
/// A block and the words on it keep the contrast of small text.
const BLOCK: f32 = 4.5;
/// An italic whose weight is farther from the one that an edit asked for is another voice.
const LIGHTER: u16 = 100;

/// The stretches of a title that the style sets otherwise; none where it has no such habit, or the words are in a script
/// that has no such face. As a `phrase`, the last word has the short one before it with it.
pub(super) fn spans(setter: &Setter<'_>, spec: &Spec<'_>, phrase: bool) -> Vec<TextSpan> {
    let archetype = setter.page.archetype;
    if !is_titled(setter, spec) {
        return Vec::new();
    }
    match setter.theme.flourish {
        Flourish::None => Vec::new(),
        Flourish::Italic(family, weight, scale) => {
            // A word that is defined is a headline of its own.
            let whole = (archetype == Archetype::Definition && !spec.text.is_empty()).then_some(0);
            let Some(at) = whole.or_else(|| tail(spec.text, phrase)) else { return Vec::new() };
            match turned(setter, spec, family, weight, &spec.text[at..]) {
                Some(face) => {
                    vec![TextSpan { face: Some(face), scale, ..TextSpan::tagged(at..spec.text.len(), TURNED) }]
                }
                None => Vec::new(),
            }
        }
        Flourish::Block
            if matches!(archetype, Archetype::CoverType | Archetype::PointSlide | Archetype::Announcement) =>
        {
            // The block needs room beside the word before it.
            let block = |at: usize| TextSpan { kern: BLOCK_ROOM, ..TextSpan::tagged(at..spec.text.len(), BLOCKED) };
            let words = tail(spec.text, phrase).map(block);
            words.into_iter().collect()
        }
        Flourish::Block => Vec::new(),
        Flourish::Squiggle => underlined(spec.text).map(|r| TextSpan::tagged(r, SQUIGGLED)).into_iter().collect(),
    }
}

/// Whether a style tells words of this text apart by itself.
fn is_titled(setter: &Setter<'_>, spec: &Spec<'_>) -> bool {
    let titled = match spec.slot {
        // Nobody stresses a quotation but who said it.
        SlotId::Title => setter.page.archetype != Archetype::Quote,
        SlotId::ItemHead(_) => setter.page.archetype == Archetype::MythFact,
        _ => false,
    };
    titled && spec.voice == Voice::Display
}

/// The italic of a style for `words` in the weight that an edit asked for; `None` where they can't be set in it: then they
/// stand upright, in that weight, with the rest.
fn turned(setter: &Setter<'_>, spec: &Spec<'_>, family: Family, weight: u16, words: &str) -> Option<FaceId> {
    let asked = setter.page.adjust.weight(spec.slot);
    let face = setter.fonts.face(family, asked.unwrap_or(weight));
    let has_it = asked.is_none_or(|w| setter.fonts.weight(face).abs_diff(w) <= LIGHTER);
    (has_it && setter.fonts.covers_text(family, words)).then_some(face)
}

/// Words of a headline that are emphasised, set as the style sets words apart by itself; none where it has no such habit,
/// or they can't be told apart that way.
pub(super) fn emphasised(
    setter: &Setter<'_>,
    spec: &Spec<'_>,
    words: impl Iterator<Item = std::ops::Range<usize>>,
) -> Vec<TextSpan> {
    if spec.slot != SlotId::Title || spec.voice != Voice::Display {
        return Vec::new();
    }
    let said = |r: &std::ops::Range<usize>| spec.text.get(r.clone()).unwrap_or_default();
    let set = |r: std::ops::Range<usize>| match setter.theme.flourish {
        Flourish::None => None,
        Flourish::Italic(family, weight, scale) => {
            let face = turned(setter, spec, family, weight, said(&r))?;
            Some(TextSpan { face: Some(face), scale, ..TextSpan::tagged(r, TURNED) })
        }
        Flourish::Block => {
            let ground = spec.ground.unwrap_or(setter.page.palette.bg);
            let kern = if r.start == 0 { 0.0 } else { BLOCK_ROOM };
            (ground.contrast(spec.color) >= BLOCK).then(|| TextSpan { kern, ..TextSpan::tagged(r, BLOCKED) })
        }
        Flourish::Squiggle => (!said(&r).contains(|c| DESCENDERS.contains(c))).then(|| TextSpan::tagged(r, SQUIGGLED)),
    };
    // All of them in one way.
    words.map(set).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Whether words in another face or on a block stand on several lines.
pub(super) fn breaks(laid: &Laid) -> bool {
    let mut lines = laid.pieces.iter().filter(|p| matches!(p.tag, TURNED | BLOCKED)).map(|p| p.line);
    let first = lines.next();
    lines.any(|line| Some(line) != first)
}

/// Where the last words of a headline begin: the last one, or in a phrase two where it is short; `None` where nothing
/// would be left.
fn tail(text: &str, phrase: bool) -> Option<usize> {
    let starts: Vec<usize> = text.split_whitespace().map(|w| w.as_ptr() as usize - text.as_ptr() as usize).collect();
    let last = *starts.last()?;
    let letters = |word: &str| word.trim_end_matches(['.', '!', '?', ',']).chars().count();
    let before = starts.len().checked_sub(2).map_or(last, |n| starts[n]);
    // A short word is no phrase, and an article or a preposition before the last one is part of it.
    let short = letters(&text[last..]) < 5 || letters(text[before..last].trim_end()) <= 3;
    let from = if phrase && short && starts.len() >= 4 { before } else { last };
    let alphabetic = text[from..].chars().filter(|c| c.is_alphabetic()).count() >= 3;
    // A figure that carries the headline stays as it is.
    let figures = text[from..].chars().any(|c| c.is_ascii_digit());
    (starts.len() >= 2 && alphabetic && !figures).then_some(from)
}

/// A word of four to nine letters that nothing of hangs down, the last but one where it can be.
fn underlined(text: &str) -> Option<std::ops::Range<usize>> {
    let words: Vec<std::ops::Range<usize>> = text
        .split_whitespace()
        .map(|w| {
            let at = w.as_ptr() as usize - text.as_ptr() as usize;
            at..at + w.trim_end_matches(|c: char| !c.is_alphanumeric()).len()
        })
        .collect();
    let fits = |r: &&std::ops::Range<usize>| {
        let word = &text[(*r).clone()];
        (4..=9).contains(&word.chars().count())
            && word.chars().all(|c| c.is_alphabetic() && c < '\u{370}')
            && !word.contains(|c| DESCENDERS.contains(c))
    };
    let (last, front) = words.split_last()?;
    front.iter().rev().find(fits).or_else(|| Some(last).filter(fits)).filter(|_| words.len() >= 2).cloned()
}

/// A wavy line under ink that stands on `baseline`.
pub(super) fn squiggle(setter: &Setter<'_>, ink: Rect, baseline: f32, size: f32) -> Item {
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
    Item::path(stroke(&path, &style, &StrokeOpts::default(), 0.05), setter.page.palette.accent2, Role::Mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_turn() {
        let turned = |text: &'static str| tail(text, true).map(|at| &text[at..]);
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
