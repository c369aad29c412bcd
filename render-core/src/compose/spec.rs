//! What is to be set and what has been: text with its voice, colour and range of sizes, and the lines that came of it.

use crate::design::{Page, SlotId, Voice};
use crate::scene::{Color, TextLevel};
use crate::text::{Align, Laid, TextSpan};

/// A figure as one line of type: its value, and its unit behind it.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    /// Both. A no-break space stands before a unit that is a word.
    pub text: String,
    /// Where the value ends.
    pub end: usize,
}

impl Value {
    /// The figure of a page.
    pub fn of(page: &Page) -> Self {
        Self::joined(page.text(SlotId::Value).unwrap_or_default(), page.text(SlotId::Unit).unwrap_or_default())
    }

    /// A figure as written, parted behind its last digit, or the currency or sign that follows it.
    pub fn parted(text: &str) -> Self {
        let digits = text.char_indices().rfind(|(_, c)| c.is_numeric());
        let end = digits.map_or(text.len(), |(at, c)| at + c.len_utf8());
        Self { text: text.to_owned(), end }
    }

    /// A value and its unit.
    pub fn joined(value: &str, unit: &str) -> Self {
        let space = if unit.starts_with(char::is_alphabetic) { "\u{a0}" } else { "" };
        Self { text: format!("{value}{space}{unit}"), end: value.len() }
    }
}

/// Everything about a text but its place.
#[derive(Debug, Clone)]
pub(super) struct Spec<'a> {
    /// Where the words come from.
    pub slot: SlotId,
    /// The words.
    pub text: &'a str,
    /// The part they play.
    pub voice: Voice,
    /// How loud they are.
    pub level: TextLevel,
    /// Their ink.
    pub color: Color,
    /// Smallest and largest size in du.
    pub range: (f32, f32),
    /// At most so many lines.
    pub lines: usize,
    /// Where lines stand.
    pub align: Align,
    /// Stretches that are set otherwise; without any, those that the source emphasises.
    pub spans: Vec<TextSpan>,
    /// Inks of such stretches by their tags; the rest has the text's.
    pub inks: Vec<(u8, Color)>,
    /// The field it stands on, where that isn't the page's ground.
    pub ground: Option<Color>,
    /// The ink of a line through it.
    pub struck: Option<Color>,
    /// The longest line in em, where it should be shorter than its width.
    pub measure: Option<f32>,
    /// Size goes before fewer lines.
    pub loud: bool,
    /// Distance of baselines as a multiple of the size, where it isn't the voice's.
    pub leading: Option<f32>,
    /// Whether marks hang beside it; on a card they would stand in its margin.
    pub hangs: bool,
    /// What edits asked for is in it.
    pub adjusted: bool,
}

impl<'a> Spec<'a> {
    /// A text that starts at the left, of at most four lines.
    pub fn new(slot: SlotId, text: &'a str, voice: Voice, level: TextLevel, color: Color, range: (f32, f32)) -> Self {
        let (align, spans, inks) = (Align::Start, Vec::new(), Vec::new());
        let (ground, struck, measure, leading, loud) = (None, None, None, None, false);
        Self {
            slot,
            text,
            voice,
            level,
            color,
            range,
            lines: 4,
            align,
            spans,
            inks,
            ground,
            struck,
            measure,
            leading,
            loud,
            hangs: true,
            adjusted: false,
        }
    }

    /// Standing on the field `ground`.
    pub fn on(self, ground: Color) -> Self {
        Self { ground: Some(ground), ..self }
    }

    /// With baselines at least `by` times the size apart.
    pub fn leading(self, by: f32) -> Self {
        Self { leading: Some(by), ..self }
    }

    /// As large as goes, in however many of its lines.
    pub fn loud(self, loud: bool) -> Self {
        Self { loud, ..self }
    }

    /// With every mark within its width.
    pub fn flush(self) -> Self {
        Self { hangs: false, ..self }
    }

    /// With lines of at most `em`.
    pub fn measure(self, em: f32) -> Self {
        Self { measure: Some(em), ..self }
    }

    /// With a line through it.
    pub fn struck(self, ink: Option<Color>) -> Self {
        Self { struck: ink, ..self }
    }

    /// With at most `n` lines.
    pub fn lines(self, n: usize) -> Self {
        Self { lines: n, ..self }
    }

    /// With lines standing at `align`.
    pub fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// With stretches that are set otherwise.
    pub fn spans(self, spans: Vec<TextSpan>) -> Self {
        Self { spans, ..self }
    }

    /// With inks of stretches by their tags.
    pub fn inks(self, inks: Vec<(u8, Color)>) -> Self {
        Self { inks, ..self }
    }

    /// Under a cap, which lowers the smallest size too where it is below it.
    pub fn capped(self, cap: Option<f32>) -> Self {
        let cap = cap.unwrap_or(f32::INFINITY);
        Self { range: (self.range.0.min(cap), self.range.1.min(cap)), ..self }
    }

    /// With another range of sizes.
    pub fn range(self, min: f32, max: f32) -> Self {
        Self { range: (min, max.max(min)), ..self }
    }
}

/// A text that has its size and its lines, but no place yet.
#[derive(Debug, Clone)]
pub(super) struct Set<'a> {
    pub spec: Spec<'a>,
    pub laid: Laid,
    /// The width it was given.
    pub width: f32,
    /// Whether it keeps its range of sizes, its lines and its width.
    pub fits: bool,
    /// An opening mark that should hang stands in the text, as the margin is too narrow for it.
    pub flush: bool,
    /// The page is read from right to left: the text starts at the right end of its width.
    pub(super) rtl: bool,
    /// How far a text that an edit aligns stands further along where it stands at the start of the page's lines.
    pub(super) along: f32,
}

impl Set<'_> {
    /// From where its lines start to the farthest ink.
    pub fn reach(&self) -> f32 {
        if self.rtl { self.width - self.laid.ink.x0 } else { self.laid.ink.x1 }
    }

    /// How far ink stands out before where its lines start.
    pub fn overhang(&self) -> f32 {
        let before = if self.rtl { self.laid.ink.x1 - self.width } else { -self.laid.ink.x0 };
        before.max(0.0)
    }

    /// In a box of `width`, which its ink may need more of than its advances do. What starts at the right stays as it is.
    pub fn widened(self, width: f32) -> Self {
        if self.rtl { self } else { Self { width: self.width.max(width), ..self } }
    }

    /// From the cap line of its first line to its last baseline.
    pub fn height(&self) -> f32 {
        self.laid.height
    }

    /// From the cap line to the lowest ink.
    pub fn depth(&self) -> f32 {
        self.laid.ink.y1.max(self.laid.height)
    }
}
