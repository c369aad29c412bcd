//! Emoji: which characters are one (UTS 51), and its picture in vectors.
//!
//! The pictures and Unicode's list are vendored (`assets/emoji`), unpacked when the first text with an emoji comes, and
//! shared by all workers of a process. A picture is read from its bytes each time it is asked for: that takes
//! microseconds, and three thousand of them as paths would take much memory.

mod packed;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use packed::Packed;

use crate::scene::{BezPath, Paint};

static PACKED: &[u8] = include_bytes!("../../assets/emoji/emoji.bin.zst");

const TEXT_STYLE: char = '\u{FE0E}';
const EMOJI_STYLE: char = '\u{FE0F}';
const JOINER: char = '\u{200D}';

/// A picture. Sequences that look the same have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EmojiId(u16);

/// What to draw for an emoji.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Bottom up.
    pub layers: Vec<Layer>,
}

/// A part of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// In the unit square, y down; filled by the non-zero rule.
    pub path: Arc<BezPath>,
    /// Its fill, in the same space.
    pub paint: Paint,
}

/// The vendored emoji.
pub struct Emoji;

impl Emoji {
    /// The emoji that `text` starts with, and how many bytes of it that takes; `None` where it starts with something
    /// that is set as text. The longest sequence is taken; U+FE0F may be missing within it or stand where it needn't.
    ///
    /// A character that is text by default (©, ☀, digits) is an emoji only with U+FE0F behind it or in a sequence, and
    /// none with U+FE0E behind it. Of a sequence that Unicode doesn't list, the first part that it lists comes back,
    /// with the joiner, tags or skin tone behind it; what follows them is the next call's.
    ///
    /// UTS 51, sections 1.4, 2.2, 2.4, 4.
    pub fn longest(text: &str) -> Option<(EmojiId, usize)> {
        if !may_start(text) {
            return None;
        }
        let (picture, end) = listed(text)?;
        Some((EmojiId(picture), end + tail(&text[end..])))
    }

    /// Its picture.
    pub fn picture(id: EmojiId) -> Picture {
        let layers = packed().picture(id.0).expect("an id is one of the table's; a test reads every picture");
        let layer = |(path, color)| Layer { path: Arc::new(path), paint: Paint::Solid(color) };
        Picture { layers: layers.into_iter().map(layer).collect() }
    }
}

fn packed() -> &'static Packed {
    static UNPACKED: OnceLock<Packed> = OnceLock::new();
    UNPACKED.get_or_init(|| {
        let bytes = zstd::decode_all(PACKED).expect("the vendored table unpacks; a test loads it");
        Packed::read(bytes).expect("the vendored table is one; a test loads it")
    })
}

/// Whether the first characters can be an emoji's at all, told without the table: most text has none.
fn may_start(text: &str) -> bool {
    let mut chars = text.chars();
    match chars.next() {
        Some('#' | '*' | '0'..='9') => matches!(chars.next(), Some('\u{20E3}' | EMOJI_STYLE)),
        Some('©' | '®') => chars.next() == Some(EMOJI_STYLE),
        Some('\u{203C}'..='\u{2B55}' | '〰' | '〽' | '㊗' | '㊙' | '\u{1F004}'..='\u{1FAFF}') => true,
        _ => false,
    }
}

/// The longest listed sequence at the start, and its bytes. A sequence whose skin tones aren't listed is the one
/// without them, where that one is longer than what is listed with them.
fn listed(text: &str) -> Option<(u16, usize)> {
    let toned = walk(text, false);
    let plain = walk(text, true);
    match (toned, plain) {
        (Some((_, with)), Some((_, without))) if without > with => plain,
        (None, _) => plain,
        _ => toned,
    }
}

/// The longest listed sequence at the start; `toneless` passes over one skin tone behind a character.
fn walk(text: &str, toneless: bool) -> Option<(u16, usize)> {
    let mut walk = packed().walk();
    let mut found = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if (toneless && at > 0 && is_tone(c)) || !walk.step(c) {
            break;
        }
        let mut end = at + c.len_utf8();
        let styled = chars.next_if(|(_, c)| *c == EMOJI_STYLE).is_some();
        end += if styled { EMOJI_STYLE.len_utf8() } else { 0 };
        if toneless
            && !is_tone(c)
            && let Some((_, tone)) = chars.next_if(|(_, c)| is_tone(*c))
        {
            end += tone.len_utf8();
        }
        if chars.peek().is_some_and(|(_, c)| *c == TEXT_STYLE) {
            break;
        }
        if let Some(sequence) = walk.whole()
            && (styled || !sequence.text_default)
        {
            found = Some((sequence.picture, end));
        }
    }
    found
}

/// How many bytes behind a listed sequence belong to it though the list doesn't have them so: the tags of a flag that
/// isn't known, and the joiner before a further emoji.
fn tail(text: &str) -> usize {
    let tags = text.find(|c| !is_tag(c)).unwrap_or(text.len());
    let joined = text[tags..].strip_prefix(JOINER).is_some_and(|rest| may_start(rest) && listed(rest).is_some());
    tags + if joined { JOINER.len_utf8() } else { 0 }
}

fn is_tone(c: char) -> bool {
    matches!(c, '\u{1F3FB}'..='\u{1F3FF}')
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0020}'..='\u{E007F}')
}
