//! Type: faces, shaping, direction, line breaking, hyphenation, fitting.
//!
//! Everything is in du. A paragraph comes back as shaped, positioned glyphs with their ink boxes, its origin at the
//! top left of the box it was set in. The top of the box is the cap line of the first line, exactly: its baseline lies
//! cap height × size below, each further one leading × size below the last. A paragraph's height reaches from there to
//! the last baseline, so what stands on one line with it can be aligned without looking at ink; accents on the first
//! line rise above 0, descenders of the last one reach below the height, and [`Laid::ink`] says how far. Text of a script
//! without capitals has a flat letter of that script for a cap: alef, ka, the Han character for "country".

mod bidi;
mod character;
pub mod emoji;
mod faces;
mod fallback;
mod family;
mod fit;
mod formats;
mod hyphen;
mod layout;
mod linebreak;
mod locale;
mod numerals;
mod opportunity;
mod placing;
mod polish;
mod script;
mod shape;
mod shaped;
mod span;
#[cfg(test)]
mod tests;
mod token;
mod vertical;

pub use faces::{AddError, FaceId, FontFault, Fonts, OwnFace, check_font};
pub use family::Family;
pub use fit::{Fit, ShapedTexts, fit};
pub use formats::{dated, decimal, decimal_beside_longer, grouped};
pub use layout::layout;
pub use locale::Locale;
pub use numerals::{kanji_numerals, numerals, roman_numerals};
pub use polish::polish;
pub use shaped::{Extent, ShapedText};
pub use token::addresses;
pub use vertical::{LaidColumn, LaidVertical, PlacedRun, VerticalFit, VerticalText, fit_vertical, layout_vertical};

use crate::scene::{GlyphRun, Rect};

/// How a run of text is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextStyle {
    /// The face; characters it lacks come from the fallback list.
    pub face: FaceId,
    /// Em size in du.
    pub size: f32,
    /// Letter spacing in em; ignored for scripts that join.
    pub tracking: f32,
    /// Distance of baselines as a multiple of the size; scripts that need more room between lines take more.
    pub leading: f32,
    /// Figures of one width (`tnum`, `lnum`).
    pub tabular: bool,
    /// Punctuation raised to capitals and figures (`case`).
    pub case: bool,
    /// The face's stylistic set of that number (`ss01` to `ss20`); 0 for its plain forms. What one means is the face's
    /// own.
    pub stylistic_set: u8,
}

/// Where lines stand in their box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Align {
    /// At the side where reading begins: on the right where its language runs from right to left; where no language is
    /// known, where the paragraph does.
    Start,
    /// In the middle.
    Center,
    /// At its end.
    End,
}

/// A paragraph to be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Paragraph<'a> {
    /// The text; `\n` forces a break.
    pub text: &'a str,
    /// How it is set.
    pub style: TextStyle,
    /// The language it is set for.
    pub locale: Locale,
    /// Where the lines stand.
    pub align: Align,
    /// Minimum raggedness over the whole paragraph; else greedy.
    pub balance: bool,
    /// Align ink instead of advance boxes. From 28 du up a line's first ink stands exactly at the box's edge (its last
    /// one for [`Align::End`]), whichever the side; at any size the ink of a centred line is centred, and an opening quotation mark at the
    /// start of the paragraph hangs outside the box.
    pub optical: bool,
    /// Stretches that are set otherwise than the rest: in order, apart from each other, at boundaries of characters. One
    /// that isn't, or that says nothing, is passed over; one that parts a grapheme begins or ends behind it.
    pub spans: &'a [TextSpan],
}

/// A stretch of a paragraph that is set otherwise than the rest. One that differs by its tag alone parts nothing: its
/// letters kern, join and form ligatures with their neighbours, and a ligature belongs to the stretch that it begins in.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSpan {
    /// Its bytes in the paragraph's text.
    pub range: std::ops::Range<usize>,
    /// Another face than the style's; what that one lacks comes from its own fallback list.
    pub face: Option<FaceId>,
    /// Its size as a multiple of the paragraph's.
    pub scale: f32,
    /// How far it stands above the baseline, in em of the paragraph. Lines don't open for it.
    pub raise: f32,
    /// Room before it, in em of the paragraph: what kerning can't know between two sizes.
    pub kern: f32,
    /// What its glyphs, emoji and pieces are called by; the rest of the text has 0.
    pub tag: u8,
}

impl TextSpan {
    /// A stretch that is set as the rest is, under another name.
    pub fn tagged(range: std::ops::Range<usize>, tag: u8) -> Self {
        Self { range, face: None, scale: 1.0, raise: 0.0, kern: 0.0, tag }
    }
}

/// A paragraph as it was set.
#[derive(Debug, Clone, PartialEq)]
pub struct Laid {
    /// Glyph runs, relative to the top left of the box: one for each face, size and tag.
    pub runs: Vec<TaggedRun>,
    /// Pictures among the glyphs, likewise.
    pub emoji: Vec<PlacedEmoji>,
    /// Where stretches with a tag stand: line by line, each line from left to right.
    pub pieces: Vec<Piece>,
    /// The lines, top down.
    pub lines: Vec<LaidLine>,
    /// The widest advance of a line, hung quotation marks left out.
    pub width: f32,
    /// From the cap line of the first line (0) to the baseline of the last: cap height × size + (lines − 1) × leading ×
    /// size; 0 without lines. Descenders reach below it.
    pub height: f32,
    /// The union of all ink. May reach outside 0..width: hung quotation marks, overshoot.
    pub ink: Rect,
    /// The size it was set at.
    pub size: f32,
    /// A word was wider than the box and had to be broken where no hyphen can stand.
    pub broken_word: bool,
    /// A word was wider than the box and was hyphenated.
    pub hyphenated: bool,
    /// Characters that no face has, each once; they were left out.
    pub missing: Vec<char>,
}

/// Glyphs of one tag.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedRun {
    /// The tag of their span, 0 outside spans.
    pub tag: u8,
    /// The glyphs.
    pub glyphs: GlyphRun,
}

/// An emoji in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedEmoji {
    /// Which.
    pub id: emoji::EmojiId,
    /// The square that its picture fills.
    pub rect: Rect,
    /// The tag of its span, 0 outside spans.
    pub tag: u8,
}

/// A part of a stretch with a tag that stands on one line in one piece. A stretch has several where it wraps, and where
/// text of the other direction parts it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// The tag of its span.
    pub tag: u8,
    /// Which line, from 0.
    pub line: usize,
    /// Its ink; never empty.
    pub ink: Rect,
    /// From its ink to the next ink of the line on its left and on its right, below 0 where they overlap; infinite where
    /// there is none.
    pub room: [f32; 2],
}

/// One line of a paragraph.
#[derive(Debug, Clone, PartialEq)]
pub struct LaidLine {
    /// Byte range in the paragraph's text, trailing space left out.
    pub range: std::ops::Range<usize>,
    /// Baseline from the top of the box.
    pub baseline: f32,
    /// Sum of advances, trailing space and tracking and hung quotation marks left out.
    pub width: f32,
    /// Ink box.
    pub ink: Rect,
}

/// Vertical measures of a face as multiples of its size, baseline at 0, upwards positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceMetrics {
    /// Height of flat capitals.
    pub cap_height: f32,
    /// Height of a flat lower-case letter.
    pub x_height: f32,
    /// Highest ink the face means to have.
    pub ascent: f32,
    /// Lowest, negative.
    pub descent: f32,
    /// Middle of the line that the face means to be drawn under text; negative.
    pub underline: f32,
    /// Its thickness.
    pub underline_thickness: f32,
}
