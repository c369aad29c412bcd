//! Hyphenation: where a word may be split, and with which sign.
//!
//! The patterns are from the crate `hypher` (Liang, "Word Hy-phen-a-tion by Com-put-er", 1983). Soft hyphens in the
//! text take precedence.

use hypher::{Lang, hyphenate_bounded};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};

use super::shape::Shaped;
use super::token::is_address;
use super::{FaceId, Fonts, Locale};

/// Words with fewer letters are never hyphenated by patterns.
const LETTERS: usize = 7;
/// Words joined to others by a hyphen, where lines may end already, are not split if they have fewer letters than this.
const JOINED: usize = 12;
/// Fewest letters before and after a hyphen, whatever the patterns allow: in display type, two isolated letters are
/// more noticeable than in a book.
const BEFORE: usize = 3;
const AFTER: usize = 3;
const SOFT: char = '\u{ad}';

/// A position where a line may end within a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hyphen {
    /// The position is before this cluster.
    pub at: usize,
    /// Whether the word is a name, because it starts with a capital. Names are split only if necessary.
    pub name: bool,
    /// The sign drawn there; `None` in scripts that split words without a sign.
    pub sign: Option<Sign>,
}

/// A hyphen of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sign {
    pub face: FaceId,
    pub glyph: u16,
    /// In em of the paragraph.
    pub advance: f32,
}

/// Returns the hyphenation positions in `text`, in ascending order. Empty if the text mixes directions, because the
/// sign would not be at the end of the word.
pub(super) fn hyphens(fonts: &Fonts, text: &str, shaped: &Shaped, locale: &Locale) -> Vec<Hyphen> {
    let language = <[u8; 2]>::try_from(locale.primary().as_bytes()).ok().and_then(Lang::from_iso);
    if !shaped.plain || language.is_none() && !text.contains(SOFT) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut signs: Vec<(FaceId, Option<Sign>)> = Vec::new();
    let mut start = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphabetic() && !is_mark(c)) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphabetic() && !is_mark(c));
        let joined = word.ends_with('-') || text[..start].ends_with('-');
        let whole = joined && letters.chars().count() < JOINED;
        let places = if whole { Vec::new() } else { places(letters, language) };
        // German capitalises every noun, so a capital doesn't mark a name.
        let name = locale.primary() != "de" && letters.starts_with(char::is_uppercase);
        if !places.is_empty() && !is_address(token(text, start)) {
            for byte in places.into_iter().map(|place| start + place) {
                let at = shaped.clusters.partition_point(|c| c.start < byte);
                // A ligature can't be split.
                if at == 0 || shaped.clusters.get(at).is_none_or(|c| c.start != byte) {
                    continue;
                }
                let face = shaped.clusters[at - 1].face;
                let visible = language.is_none_or(|l| l.hyphenation_character().is_some());
                let sign = match signs.iter().find(|(f, _)| *f == face) {
                    _ if !visible => None,
                    Some((_, sign)) => *sign,
                    None => {
                        signs.push((face, sign(fonts, face)));
                        signs[signs.len() - 1].1
                    }
                };
                if sign.is_some() || !visible {
                    let scale = shaped.clusters[at - 1].scale;
                    let sign = sign.map(|s| Sign { advance: s.advance * scale, ..s });
                    found.push(Hyphen { at, name, sign });
                }
            }
        }
        start += word.len();
    }
    found
}

/// Returns the byte offsets at which `word` may be split.
fn places(word: &str, language: Option<Lang>) -> Vec<usize> {
    if word.contains(SOFT) {
        return word.match_indices(SOFT).map(|(i, s)| i + s.len()).filter(|i| *i < word.len()).collect();
    }
    let Some(language) = language.filter(|_| word.chars().count() >= LETTERS) else { return Vec::new() };
    // A word in capitals only is a name or an abbreviation.
    if word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase) {
        return Vec::new();
    }
    let (before, after) = language.bounds();
    let syllables = hyphenate_bounded(word, language, before.max(BEFORE), after.max(AFTER));
    let mut at = 0;
    let mut places: Vec<usize> = syllables
        .map(|syllable| {
            at += syllable.len();
            at
        })
        .collect();
    places.pop();
    places
}

/// Returns whether `c` belongs to the word around it.
fn is_mark(c: char) -> bool {
    c == SOFT || ('\u{300}'..='\u{36f}').contains(&c)
}

/// Returns the token around byte `at`, delimited by white space.
fn token(text: &str, at: usize) -> &str {
    let from =
        text[..at].rfind(char::is_whitespace).map_or(0, |i| i + text[i..].chars().next().map_or(0, char::len_utf8));
    let to = text[at..].find(char::is_whitespace).map_or(text.len(), |i| at + i);
    &text[from..to]
}

fn sign(fonts: &Fonts, face: FaceId) -> Option<Sign> {
    let glyph = ['\u{2010}', '-'].into_iter().find_map(|c| fonts.glyph(face, c))?;
    let font = skrifa::FontRef::new(fonts.bytes(face)).ok()?;
    let advance = font.glyph_metrics(Size::new(1.0), LocationRef::default()).advance_width(glyph.into())?;
    Some(Sign { face, glyph, advance })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(tag: &str, word: &str) -> String {
        let language = <[u8; 2]>::try_from(tag.as_bytes()).ok().and_then(Lang::from_iso);
        let mut out = word.to_owned();
        for at in places(word, language).into_iter().rev() {
            out.insert(at, '|');
        }
        out
    }

    #[test]
    fn words_part_at_syllables_away_from_their_ends() {
        for (tag, want) in [
            ("de", "Bun|des|aus|bil|dungs|för|de|rungs|ge|setz"),
            ("en", "repro|ducibil|ity"),
            ("ru", "вза|и|мо|дей|ствие"),
            ("tr", "çekos|lo|vak|yalı"),
            ("de", "Garten"),
            ("en", "UNESCOPLAN"),
            ("xx", "reproducibility"),
            ("en", "un\u{ad}|happy"),
        ] {
            assert_eq!(parted(tag, &want.replace('|', "")), want, "{tag}");
        }
    }

    #[test]
    fn the_token_around_a_place_is_found() {
        assert_eq!(token("see example.com/reproducibility now", 16), "example.com/reproducibility");
        assert_eq!(token("a\u{a0}word", 3), "word");
    }
}
