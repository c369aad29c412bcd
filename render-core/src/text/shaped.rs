//! [`ShapedText`]: a paragraph that is shaped once and measured at any size and width.

use super::layout::Prepared;
use super::{Fonts, Laid, Paragraph, TextSpan};

/// A shaped paragraph that can be measured or laid out at any size. Lengths in em are independent of the size.
pub struct ShapedText {
    prepared: Prepared,
    text: String,
    spans: Vec<TextSpan>,
    paragraph: Paragraph<'static>,
    narrowest: f32,
    widest: f32,
}

/// The extent of a paragraph at one size and width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Number of lines.
    pub lines: usize,
    /// The widest line, in du.
    pub width: f32,
    /// Distance from the cap line of the first line to the baseline of the last, in du.
    pub height: f32,
    /// Whether no word is broken or hyphenated.
    pub whole: bool,
}

impl ShapedText {
    /// Shapes `paragraph`. Ignores its style's size.
    pub fn new(fonts: &Fonts, paragraph: &Paragraph<'_>) -> Self {
        let prepared = Prepared::new(fonts, paragraph);
        let fill = prepared.breaker.fill(f64::INFINITY);
        let widest = fill.ranges.iter().map(|r| prepared.breaker.width(r)).fold(0.0, f64::max) as f32;
        let narrowest = prepared.breaker.longest_word() as f32;
        let own = Paragraph { text: "", spans: &[], ..paragraph.clone() };
        let spans = paragraph.spans.to_vec();
        Self { prepared, text: paragraph.text.to_owned(), spans, paragraph: own, narrowest, widest }
    }

    /// Returns the width of the longest word, in em.
    pub fn narrowest(&self) -> f32 {
        self.narrowest
    }

    /// Returns the width of the widest line if only forced breaks end lines, in em.
    pub fn widest(&self) -> f32 {
        self.widest
    }

    /// Returns the extent of the paragraph at `size` with lines of at most `width` du.
    pub fn extent(&self, size: f32, width: f32) -> Extent {
        let fill = self.prepared.breaker.fill(f64::from(width) / f64::from(size));
        let lines = fill.ranges.len();
        let widest = fill.ranges.iter().map(|r| self.prepared.breaker.width(r)).fold(0.0, f64::max) as f32;
        let below = lines.saturating_sub(1) as f32 * self.prepared.leading(&self.paragraph.style, size);
        let height = if lines == 0 { 0.0 } else { (self.prepared.cap + below) * size };
        Extent { lines, width: widest * size, height, whole: !fill.broken_word && !fill.hyphenated }
    }

    /// Returns how far the deepest descender extends below the last baseline, in em.
    pub fn depth(&self, fonts: &Fonts) -> f32 {
        self.prepared.depth(fonts)
    }

    /// Returns how far the highest ink extends above the cap line, in em.
    pub fn rise(&self, fonts: &Fonts) -> f32 {
        self.prepared.rise(fonts)
    }

    /// Lays the paragraph out at `size` in a box of `width` du.
    pub fn set(&self, fonts: &Fonts, size: f32, width: f32) -> Laid {
        let paragraph = Paragraph { text: &self.text, spans: &self.spans, ..self.paragraph.clone() };
        self.prepared.set(fonts, &paragraph, size, width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Align, Family, Locale, TextStyle, layout};

    #[test]
    fn extents_agree_with_layout() {
        let fonts = Fonts::new();
        let face = fonts.face(Family::Manrope, 700);
        let style =
            TextStyle { face, size: 1.0, tracking: 0.0, leading: 1.2, tabular: false, case: false, stylistic_set: 0 };
        let text = "A page is a tree of elements,\nand every element has an id";
        let paragraph = Paragraph {
            text,
            style,
            locale: Locale::default(),
            align: Align::Start,
            balance: false,
            optical: false,
            spans: &[],
        };
        let shaped = ShapedText::new(&fonts, &paragraph);
        for (size, width) in [(40.0, 300.0), (40.0, 900.0), (80.0, 320.0), (12.0, 1000.0)] {
            let laid = layout(&fonts, &Paragraph { style: TextStyle { size, ..style }, ..paragraph.clone() }, width);
            let extent = shaped.extent(size, width);
            assert_eq!(extent.lines, laid.lines.len(), "{size} in {width}");
            assert!((extent.height - laid.height).abs() < 0.01, "{} and {}", extent.height, laid.height);
            assert_eq!(shaped.set(&fonts, size, width), laid);
        }
        assert!(shaped.extent(40.0, shaped.narrowest() * 40.0 + 0.1).whole);
        assert!(!shaped.extent(40.0, shaped.narrowest() * 40.0 - 1.0).whole);
        assert_eq!(shaped.extent(40.0, shaped.widest() * 40.0 + 0.1).lines, 2);
    }
}
