//! Typesetting: faces, shaping, direction, line breaking, hyphenation, fitting.
//!
//! All lengths are in du. A laid-out paragraph consists of shaped, positioned glyphs with their ink boxes, relative to
//! the top left of its box. The top of the box is exactly the cap line of the first line: the first baseline is cap
//! height × size below it, and each further one is leading × size below the previous one. A paragraph's height extends
//! from the cap line to the last baseline, so elements on one line with it can be aligned without reference to ink.
//! Accents on the first line rise above 0, and descenders of the last line extend below the height; [`Laid::ink`]
//! covers both. For a script without capitals, a flat letter of that script defines the cap line: alef, ka, the Han
//! character for "country".

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

/// The style of a run of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextStyle {
    /// The face. Characters that it lacks come from the fallback list.
    pub face: FaceId,
    /// Em size in du.
    pub size: f32,
    /// Letter spacing in em; ignored for scripts with joined letters.
    pub tracking: f32,
    /// Distance of baselines as a multiple of the size; scripts with a larger minimum use that.
    pub leading: f32,
    /// Figures of equal width (`tnum`, `lnum`).
    pub tabular: bool,
    /// Punctuation aligned to capitals and figures (`case`).
    pub case: bool,
    /// The face's stylistic set with this number (`ss01` to `ss20`); 0 for its default forms. The meaning of a set
    /// depends on the face.
    pub stylistic_set: u8,
}

/// How lines are aligned in their box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Align {
    /// On the side where reading begins: on the right if the language runs from right to left. If no language is known,
    /// the direction of the paragraph decides.
    Start,
    /// In the middle.
    Center,
    /// On the opposite side.
    End,
}

/// A paragraph to lay out.
#[derive(Debug, Clone, PartialEq)]
pub struct Paragraph<'a> {
    /// The text; `\n` forces a break.
    pub text: &'a str,
    /// The style of the text.
    pub style: TextStyle,
    /// The language of the text.
    pub locale: Locale,
    /// The alignment of the lines.
    pub align: Align,
    /// Minimises raggedness over the whole paragraph; otherwise lines are filled greedily.
    pub balance: bool,
    /// Aligns ink instead of advance boxes. From 28 du up, the first ink of a line is exactly at the box's edge (the
    /// last ink for [`Align::End`]), on either side. At any size, the ink of a centred line is centred, and an opening
    /// quotation mark at the start of the paragraph hangs outside the box.
    pub optical: bool,
    /// Stretches with a different style: in order, not overlapping, at boundaries of characters. A span that violates
    /// this, or that changes nothing, is ignored. A span that splits a grapheme starts or ends after it.
    pub spans: &'a [TextSpan],
}

/// A stretch of a paragraph with a different style. A span that differs only by its tag doesn't split the text: its
/// letters kern, join and form ligatures with their neighbours, and a ligature belongs to the span in which it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSpan {
    /// Byte range in the paragraph's text.
    pub range: std::ops::Range<usize>,
    /// A face other than the style's. Characters that it lacks come from its own fallback list.
    pub face: Option<FaceId>,
    /// Size as a multiple of the paragraph's.
    pub scale: f32,
    /// Distance above the baseline, in em of the paragraph. It doesn't change the line spacing.
    pub raise: f32,
    /// Space before the span, in em of the paragraph: kerning between two sizes, which the face can't provide.
    pub kern: f32,
    /// The tag of its glyphs, emoji and pieces; the rest of the text has 0.
    pub tag: u8,
}

impl TextSpan {
    /// Returns a span that changes only the tag.
    pub fn tagged(range: std::ops::Range<usize>, tag: u8) -> Self {
        Self { range, face: None, scale: 1.0, raise: 0.0, kern: 0.0, tag }
    }
}

/// A paragraph after layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Laid {
    /// Glyph runs, relative to the top left of the box: one for each face, size and tag.
    pub runs: Vec<TaggedRun>,
    /// Pictures among the glyphs, relative to the same point.
    pub emoji: Vec<PlacedEmoji>,
    /// The positions of stretches with a tag: line by line, each line from left to right.
    pub pieces: Vec<Piece>,
    /// The lines, from top to bottom.
    pub lines: Vec<LaidLine>,
    /// The widest advance of a line, without hanging quotation marks.
    pub width: f32,
    /// Distance from the cap line of the first line (0) to the baseline of the last: cap height × size + (lines − 1) ×
    /// leading × size; 0 without lines. Descenders extend below it.
    pub height: f32,
    /// The union of all ink. May extend outside 0..width, because of hanging quotation marks and overshoot.
    pub ink: Rect,
    /// The size of the text.
    pub size: f32,
    /// Whether a word was wider than the box and had to be broken without a hyphen.
    pub broken_word: bool,
    /// Whether a word was wider than the box and was hyphenated.
    pub hyphenated: bool,
    /// Characters that no face has, each once; they were dropped.
    pub missing: Vec<char>,
}

/// Glyphs with one tag.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedRun {
    /// The tag of their span, 0 outside spans.
    pub tag: u8,
    /// The glyphs.
    pub glyphs: GlyphRun,
}

/// A positioned emoji.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedEmoji {
    /// The picture.
    pub id: emoji::EmojiId,
    /// The square that its picture fills.
    pub rect: Rect,
    /// The tag of its span, 0 outside spans.
    pub tag: u8,
}

/// A contiguous part of a tagged stretch on one line. A stretch has several pieces if it wraps, or if text of the other
/// direction splits it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// The tag of the span.
    pub tag: u8,
    /// The index of the line, from 0.
    pub line: usize,
    /// The ink box; never empty.
    pub ink: Rect,
    /// Distances from its ink to the next ink of the line on the left and on the right; negative if they overlap,
    /// infinite if there is none.
    pub room: [f32; 2],
}

/// One line of a paragraph.
#[derive(Debug, Clone, PartialEq)]
pub struct LaidLine {
    /// Byte range in the paragraph's text, without trailing space.
    pub range: std::ops::Range<usize>,
    /// Distance of the baseline from the top of the box.
    pub baseline: f32,
    /// Sum of advances, without trailing space and tracking and without hanging quotation marks.
    pub width: f32,
    /// Ink box.
    pub ink: Rect,
}

/// Vertical metrics of a face as multiples of its size; the baseline is at 0, upwards is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceMetrics {
    /// Height of flat capitals.
    pub cap_height: f32,
    /// Height of a flat lower-case letter.
    pub x_height: f32,
    /// Highest ink that the face declares.
    pub ascent: f32,
    /// Lowest ink that the face declares; negative.
    pub descent: f32,
    /// Middle of the underline that the face declares; negative.
    pub underline: f32,
    /// Thickness of the underline.
    pub underline_thickness: f32,
}
