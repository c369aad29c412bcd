//! Where lines may end: the line breaking algorithm of UAX 14, less what would part words that belong together.

use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;

use super::shape::{Shaped, is_newline};
use super::token::{belong_together, is_address};

/// How binding an opportunity to break is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// A line ends here.
    Forced,
    /// A line may end here.
    Free,
    /// Only where what stands around it is too wide for a line.
    Glued,
}

/// A place where a line may end: before cluster `at`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opportunity {
    pub at: usize,
    pub strength: Strength,
    /// The word before it is short.
    pub short: bool,
}

/// The opportunities of `text`, rising; the last one is its end, forced.
pub(super) fn opportunities(text: &str, shaped: &Shaped) -> Vec<Opportunity> {
    let clusters = &shaped.clusters;
    let segmenter = LineSegmenter::new_for_non_complex_scripts(LineBreakOptions::default());
    let mut found: Vec<Opportunity> = Vec::new();
    let mut add = |byte: usize, strength: Strength, short: bool| {
        let at = clusters.partition_point(|c| c.start < byte);
        match found.last_mut() {
            Some(last) if last.at == at => {
                if strength == Strength::Forced {
                    last.strength = strength;
                }
            }
            _ if at == 0 => {}
            _ => found.push(Opportunity { at, strength, short }),
        }
    };
    for byte in segmenter.segment_str(text).filter(|b| *b > 0) {
        let before = &text[..byte];
        let last = before.chars().next_back().unwrap_or(' ');
        // The end of the text begins no line, so it isn't a forced end of one; that is added below.
        if is_newline(last) {
            add(byte, Strength::Forced, false);
        } else if last.is_whitespace() {
            let prev = last_word(before.trim_end());
            let next = first_word(&text[byte..]);
            let letters = prev.chars().count();
            let short = letters <= 3 && prev.chars().all(char::is_alphabetic);
            let after = text[byte + next.len()..].trim_start_matches(|c: char| c.is_whitespace() && !is_newline(c));
            let ends = after.chars().next().is_none_or(is_newline);
            let last_two = ends && next.trim_end_matches(|c: char| !c.is_alphanumeric()).chars().count() <= 4;
            let glued = last_two || belong_together(prev, next);
            add(byte, if glued { Strength::Glued } else { Strength::Free }, short);
        } else if last != '\u{ad}' {
            // Within a word: after a hyphen or a slash. A soft hyphen would have to become visible; none is set.
            let prev = last_word(before);
            let next = first_word(&text[byte..]);
            let address = is_address(&text[byte - prev.len()..byte + next.len()]);
            add(byte, if address { Strength::Glued } else { Strength::Free }, false);
        }
    }
    let mut found = within_addresses(text, shaped, found);
    match found.last_mut() {
        Some(last) if last.at == clusters.len() => last.strength = Strength::Forced,
        _ => found.push(Opportunity { at: clusters.len(), strength: Strength::Forced, short: false }),
    }
    found
}

/// Adds glued opportunities behind the slashes, dots and at-signs of addresses.
fn within_addresses(text: &str, shaped: &Shaped, mut found: Vec<Opportunity>) -> Vec<Opportunity> {
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let token = word.trim_end();
        if token.contains(['/', '.', '@']) && is_address(token) {
            for (i, c) in token.char_indices().filter(|(_, c)| matches!(c, '/' | '.' | '@')) {
                let byte = at + i + c.len_utf8();
                let next = token[i + c.len_utf8()..].chars().next();
                if next.is_some_and(char::is_alphanumeric) {
                    let at = shaped.clusters.partition_point(|c| c.start < byte);
                    if let Err(i) = found.binary_search_by_key(&at, |o| o.at) {
                        found.insert(i, Opportunity { at, strength: Strength::Glued, short: false });
                    }
                }
            }
        }
        at += word.len();
    }
    found
}

fn last_word(text: &str) -> &str {
    &text[text.char_indices().rev().find(|(_, c)| c.is_whitespace()).map_or(0, |(i, c)| i + c.len_utf8())..]
}

fn first_word(text: &str) -> &str {
    &text[..text.find(char::is_whitespace).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::shape::shape;
    use crate::text::{Family, Fonts, TextStyle};

    /// `text` with `|` where a line may end, `~` where only of need, `!` where it must.
    fn marked(text: &str) -> String {
        let fonts = Fonts::new();
        let face = fonts.face(Family::NotoSans, 400);
        let style = TextStyle { face, size: 10.0, tracking: 0.0, leading: 1.0, tabular: false, case: false };
        let shaped = shape(&fonts, text, &style);
        let mut out = text.to_owned();
        for o in opportunities(text, &shaped).iter().rev() {
            let mark = match o.strength {
                Strength::Forced => '!',
                Strength::Free => '|',
                Strength::Glued => '~',
            };
            out.insert(shaped.clusters.get(o.at).map_or(text.len(), |c| c.start), mark);
        }
        out
    }

    #[test]
    fn words_part_and_what_belongs_together_does_not() {
        assert_eq!(marked("one two-three fourth"), "one |two-|three |fourth!");
        assert_eq!(marked("It took 5 min to be sure"), "It ~took |5 ~min |to ~be ~sure!");
        assert_eq!(marked("Жизнь в городе"), "Жизнь |в ~городе!");
        assert_eq!(marked("words – and more"), "words ~– |and ~more!");
    }

    #[test]
    fn newlines_force_and_the_end_is_forced_once() {
        assert_eq!(marked("one\ntwo\r\nthree\n"), "one\n!two\r\n!three\n!");
        assert_eq!(marked(""), "!");
    }

    #[test]
    fn addresses_part_only_of_need() {
        assert_eq!(marked("see docs.example.com/a-b/c now"), "see |docs.~example.~com/~a-~b/~c ~now!");
        assert_eq!(marked("either/or choose"), "either/|or |choose!");
    }

    #[test]
    fn no_line_ends_within_a_ligature_or_at_a_soft_hyphen() {
        assert_eq!(marked("soft\u{ad}hyphen here"), "soft\u{ad}hyphen ~here!");
    }
}
