//! Emoji: recognises them (UTS 51) and provides their vector pictures.
//!
//! The pictures and Unicode's list are vendored (`assets/emoji`). They are unpacked when the first text with an emoji
//! is processed, and shared by all workers of a process. A picture is decoded from its bytes on every request: that
//! takes microseconds, whereas three thousand decoded paths would take a lot of memory.

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

/// The id of a picture. Sequences that look the same share a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EmojiId(u16);

/// The drawing of an emoji.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// From bottom to top.
    pub layers: Vec<Layer>,
}

/// A layer of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// In the unit square, y down; filled with the non-zero rule.
    pub path: Arc<BezPath>,
    /// The fill, in the same space.
    pub paint: Paint,
}

/// The vendored emoji.
pub struct Emoji;

impl Emoji {
    /// Returns the emoji at the start of `text` and its length in bytes; `None` if the text starts with a character
    /// that is drawn as text. Takes the longest sequence. U+FE0F may be missing within the sequence, or be present
    /// where it is optional.
    ///
    /// A character that is text by default (©, ☀, digits) is an emoji only if U+FE0F follows or in a sequence, and no
    /// emoji if U+FE0E follows. If Unicode doesn't list a sequence, the function returns its first listed part,
    /// including the following joiner, tags or skin tone. The rest is left for the next call.
    ///
    /// UTS 51, sections 1.4, 2.2, 2.4, 4.
    pub fn longest(text: &str) -> Option<(EmojiId, usize)> {
        if !may_start(text) {
            return None;
        }
        let (picture, end) = listed(text)?;
        Some((EmojiId(picture), end + tail(&text[end..])))
    }

    /// Returns the picture of an emoji.
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

/// Returns whether the first characters may start an emoji, without the table. Most text contains none.
fn may_start(text: &str) -> bool {
    let mut chars = text.chars();
    match chars.next() {
        Some('#' | '*' | '0'..='9') => matches!(chars.next(), Some('\u{20E3}' | EMOJI_STYLE)),
        Some('©' | '®') => chars.next() == Some(EMOJI_STYLE),
        Some('\u{203C}'..='\u{2B55}' | '〰' | '〽' | '㊗' | '㊙' | '\u{1F004}'..='\u{1FAFF}') => true,
        _ => false,
    }
}

/// Returns the longest listed sequence at the start, and its bytes. If the list has no such skin tones, the sequence
/// without them counts, provided that it is longer than the listed one with them.
fn listed(text: &str) -> Option<(u16, usize)> {
    let toned = walk(text, false);
    let plain = walk(text, true);
    match (toned, plain) {
        (Some((_, with)), Some((_, without))) if without > with => plain,
        (None, _) => plain,
        _ => toned,
    }
}

/// Returns the longest listed sequence at the start; `toneless` skips one skin tone after a character.
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

/// Returns how many bytes after a listed sequence belong to it even though the list lacks them: the tags of an unknown
/// flag, and a joiner before another emoji.
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
