//! The orientation of each character in a column: upright, rotated, or sharing a cell with others.
//!
//! The property Vertical_Orientation (UTR 50) defines it for single characters. It rotates Latin words and long
//! numbers. Which of them are upright instead follows "Requirements for Japanese Text Layout" (JLREQ, section 2.3.2):
//! single letters and abbreviations in capitals have their letters one below the other, and numbers of up to two
//! figures are side by side in one cell (tate-chu-yoko).

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::VerticalOrientation;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::character::is_newline;
use crate::text::fallback::Placed;

/// Maximum number of figures that share a cell.
const CELL_FIGURES: usize = 2;
/// Abbreviations of up to this many capitals are upright, one below the other; longer ones are rotated.
const CAPITALS: usize = 3;

/// The orientation of a stretch of characters in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// One below the other, with the face's vertical forms and metrics.
    Upright,
    /// Rotated by a quarter turn clockwise.
    Turned,
    /// Side by side within one cell, in their horizontal forms.
    Cell,
}

/// Returns the stance of each stretch of `placed`, which is all the text to set. A stretch of [`Stance::Cell`] is one
/// cell; adjacent stretches may share any other stance. Some characters are upright only in a special form (brackets,
/// the long vowel mark): `has_form` says whether the face has it, and without it they are rotated.
pub(super) fn stances(
    text: &str,
    placed: &[Placed],
    mut has_form: impl FnMut(&Placed) -> bool,
) -> Vec<(Range<usize>, Stance)> {
    let orientation = CodePointMapData::<VerticalOrientation>::new();
    // A mark takes the stance of its base.
    let mut starts = text.grapheme_indices(true).map(|(at, _)| at).peekable();
    let mut turned = false;
    let mut all: Vec<bool> = Vec::with_capacity(placed.len());
    for p in placed {
        let mut begins = false;
        while starts.next_if(|at| *at <= p.at).is_some() {
            begins = true;
        }
        if begins || all.is_empty() {
            turned = p.emoji.is_none()
                && !is_newline(p.c)
                && match orientation.get(p.c) {
                    VerticalOrientation::Rotated => true,
                    VerticalOrientation::TransformedRotated => !has_form(p),
                    _ => false,
                };
        }
        all.push(turned);
    }
    let mut found = Vec::new();
    let mut from = 0;
    while from < placed.len() {
        let to = (from..placed.len()).find(|i| all[*i] != all[from]).unwrap_or(placed.len());
        match all[from] {
            false => found.push((from..to, Stance::Upright)),
            true => western(placed, from..to, &mut found),
        }
        from = to;
    }
    found
}

/// Finds the stances within a stretch that the property rotates. A phrase is upright if every word in it can be.
fn western(placed: &[Placed], stretch: Range<usize>, found: &mut Vec<(Range<usize>, Stance)>) {
    let words: Vec<Range<usize>> = words(placed, stretch.clone()).collect();
    let parts: Option<Vec<Vec<Range<usize>>>> = words.iter().map(|word| upright(placed, word.clone())).collect();
    let Some(parts) = parts.filter(|parts| !parts.is_empty()) else {
        found.push((stretch, Stance::Turned));
        return;
    };
    let mut at = stretch.start;
    for (word, cells) in words.into_iter().zip(parts) {
        if at < word.start {
            found.push((at..word.start, Stance::Turned));
        }
        found.extend(cells.into_iter().map(|cell| (cell, Stance::Cell)));
        at = word.end;
    }
    if at < stretch.end {
        found.push((at..stretch.end, Stance::Turned));
    }
}

/// Returns the words: stretches between white space, quotation marks, brackets, dashes and ellipses.
fn words(placed: &[Placed], stretch: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let parts = |i: usize| {
        let c = placed[i].c;
        let quotes = matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’');
        quotes || c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '–' | '—' | '―' | '…' | '‥')
    };
    let end = stretch.end;
    let mut at = stretch.start;
    std::iter::from_fn(move || {
        let from = (at..end).find(|i| !parts(*i))?;
        let to = (from..end).find(|i| parts(*i)).unwrap_or(end);
        at = to;
        Some(from..to)
    })
}

/// Returns the cells of an upright word; `None` if the word is rotated.
fn upright(placed: &[Placed], word: Range<usize>) -> Option<Vec<Range<usize>>> {
    let is = |i: usize, test: fn(char) -> bool| test(placed[i].c);
    let count = |range: Range<usize>, test: fn(char) -> bool| range.clone().take_while(|i| is(*i, test)).count();
    // Exclamation and question marks after the word have a cell of their own.
    let marks = word.clone().rev().take_while(|i| is(*i, |c| matches!(c, '!' | '?'))).count();
    let core = word.start..word.end - marks;
    let mut cells = match core.len() {
        0 => Vec::new(),
        _ => {
            let figures = count(core.clone(), |c| c.is_ascii_digit());
            let rest = core.start + figures..core.end;
            let sign = rest.len() == 1 && is(rest.start, |c| matches!(c, '%' | '‰' | '°'));
            let capitals = count(core.clone(), |c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '&');
            if (1..=CELL_FIGURES).contains(&figures) && (rest.is_empty() || sign) {
                std::iter::once(core.start..rest.start).chain(sign.then_some(rest)).collect()
            } else if capitals == core.len()
                && capitals <= CAPITALS
                && core.clone().any(|i| is(i, |c| c.is_ascii_uppercase()))
            {
                core.clone().map(|i| i..i + 1).collect()
            } else {
                return None;
            }
        }
    };
    match marks {
        0 => {}
        1 | 2 => cells.push(core.end..word.end),
        _ => return None,
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fallback::{FullWidth, place};
    use crate::text::tests::{fonts, locale};
    use crate::text::{FaceId, Family};

    /// Returns `text` with `[…]` around cells and `<…>` around rotated stretches.
    fn marked_in(face: FaceId, text: &str) -> String {
        let (placed, _) = place(fonts(), text, face, &locale("ja"), FullWidth::Kept, &mut Vec::new());
        let found = stances(text, &placed, |p| super::super::shape::has_vertical_form(fonts(), p));
        assert_eq!(
            found.iter().flat_map(|(r, _)| r.clone()).collect::<Vec<_>>(),
            (0..placed.len()).collect::<Vec<_>>()
        );
        let mut out = String::new();
        for (range, stance) in found {
            let part: String = placed[range].iter().map(|p| p.c).collect();
            out += &match stance {
                Stance::Upright => part,
                Stance::Turned => format!("<{part}>"),
                Stance::Cell => format!("[{part}]"),
            };
        }
        out
    }

    fn marked(text: &str) -> String {
        marked_in(fonts().face(Family::ShipporiMincho, 500), text)
    }

    #[test]
    fn words_are_turned_and_kana_and_kanji_stand() {
        assert_eq!(marked("眠りを深くするsleepの習慣"), "眠りを深くする<sleep>の習慣");
        assert_eq!(marked("ラーメン、「っ」。"), "ラーメン、「っ」。");
        assert_eq!(marked("Café au laitと"), "<Café au lait>と");
        assert_eq!(marked("カﾞ①★½"), "カﾞ①★½");
    }

    #[test]
    fn short_numbers_share_a_cell() {
        assert_eq!(marked("第2回、12の習慣"), "第[2]回、[12]の習慣");
        assert_eq!(marked("30%の人"), "[30][%]の人");
        assert_eq!(marked("365日と3.5倍と1,000人"), "<365>日と<3.5>倍と<1,000>人");
        assert_eq!(marked("本当!?はい!"), "本当[!?]はい[!]");
        assert_eq!(marked("え!!!"), "え<!!!>");
    }

    #[test]
    fn capitals_stand_one_below_the_other() {
        assert_eq!(marked("AI時代とNHKのQ&AとA4"), "[A][I]時代と[N][H][K]の[Q][&][A]と[A][4]");
        assert_eq!(marked("NATOとAiとB"), "<NATO>と<Ai>と[B]");
        assert_eq!(marked("Q&A――と…AI"), "[Q][&][A]<――>と<…>[A][I]");
    }

    #[test]
    fn a_phrase_stands_or_is_turned_as_one() {
        assert_eq!(marked("Windows 11で"), "<Windows 11>で");
        assert_eq!(marked("What I knowを"), "<What I know>を");
        assert_eq!(marked("AI 2 の"), "[A][I]< >[2]< >の");
        assert_eq!(marked("(A)だ"), "<(>[A]<)>だ");
    }

    #[test]
    fn marks_stand_as_their_base() {
        assert_eq!(marked("か\u{3099}e\u{301}と"), "か\u{3099}<e\u{301}>と");
        assert_eq!(marked("一\n二 三"), "一\n二< >三");
    }

    #[test]
    fn a_bracket_without_a_form_for_columns_is_turned() {
        assert_eq!(marked("（一）"), "（一）");
        assert_eq!(marked_in(fonts().face(Family::InterTight, 500), "⟨x⟩"), "<⟨x⟩>");
    }
}
