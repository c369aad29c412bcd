//! [`Words`]: a text of a page with its range of sizes and its colours, and its largest size in a given width.

use crate::scene::{Color, TextLevel};
use crate::text::{Align, Fonts, Laid, ShapedText, TextStyle};

use super::ranged::Ranged;

/// A text of a page.
pub struct Words {
    /// The id of its element.
    pub id: String,
    /// The words without marks.
    pub text: String,
    /// Their size range in du, from the page.
    pub size: Ranged<f32>,
    /// The largest size in du that the other pages of its set allow.
    pub most: f32,
    /// The smallest size in du, as a last resort.
    pub floor: f32,
    /// The maximum number of lines.
    pub lines: usize,
    /// The alignment of the lines.
    pub align: Align,
    /// The minimum width of its box in em, so that boxes of several texts are equally wide.
    pub room: f32,
    /// Texts of the same group share one size.
    pub group: Option<String>,
    /// Its level for legibility checks.
    pub level: TextLevel,
    /// The colour of words without marks.
    pub ink: Color,
    /// Where the words overlap a band of the first colour that was drawn before them, their ink is the second colour.
    pub across: Option<(Color, Color)>,
    /// The look of marked words, by tag.
    pub manners: Vec<Manner>,
    /// The text style, without the size.
    pub style: TextStyle,
    /// How far the deepest descender reaches below a baseline, in em.
    pub depth: f32,
    /// How far accents and ascenders reach above the cap line, in em.
    pub rise: f32,
    /// The shaped text, computed once.
    pub shaped: ShapedText,
}

/// The look of marked words of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// The tag of the paragraph's spans.
    pub tag: u8,
    /// Their ink.
    pub ink: Color,
    /// The band behind them.
    pub band: Option<Color>,
    /// Whether they are struck out.
    pub struck: bool,
    /// Whether a line is drawn under them.
    pub underlined: bool,
    /// The colour of the wavy line under them.
    pub wave: Option<Color>,
}

impl Words {
    /// Returns the key under which it is fitted: its group, or its id.
    pub fn key(&self) -> &str {
        self.group.as_deref().unwrap_or(&self.id)
    }

    /// Returns its size at a share of its range: from the floor at −1 over the smallest at 0 to the largest at 1.
    pub fn size_at(&self, share: f32) -> f32 {
        let own = if share < 0.0 {
            Ranged { min: self.floor, max: self.size.min }.at(1.0 + share)
        } else {
            self.size.at(share)
        };
        own.min(self.most)
    }

    /// Lays out the words at `size` in `width` du. A headline whose first line would hold a single word is set slightly
    /// smaller if that helps.
    pub fn set(&self, fonts: &Fonts, size: f32, width: f32) -> Laid {
        let laid = self.shaped.set(fonts, size, width);
        if self.level != TextLevel::Hero || self.group.is_some() || self.text.contains('\n') || !opens_alone(&laid) {
            return laid;
        }
        let smaller = SMALLER.into_iter().map(|by| by * size).take_while(|s| *s >= self.floor);
        let fuller = smaller
            .map(|s| self.shaped.set(fonts, s, width))
            .find(|other| other.lines.len() <= laid.lines.len() && !opens_alone(other));
        fuller.unwrap_or(laid)
    }

    /// Returns the largest size up to `most` at which no word is broken and the number of lines fits in `width` du; the
    /// floor if there is none.
    pub fn largest(&self, most: f32, width: f32) -> f32 {
        let fits = |size: f32| {
            let extent = self.shaped.extent(size, width);
            extent.whole && extent.lines <= self.lines
        };
        if most <= self.floor || fits(most) {
            return most;
        }
        let (mut low, mut high) = (self.floor, most);
        while high - low > 0.5 {
            let half = (low + high) / 2.0;
            if fits(half) { low = half } else { high = half }
        }
        low
    }
}

/// Sizes to try, relative to the found size, if a headline's first line holds a single word.
const SMALLER: [f32; 4] = [0.97, 0.94, 0.9, 0.86];
/// Share of the widest line below which the first line counts as too short.
const ALONE: f32 = 0.42;

/// Returns whether the first of several lines is much shorter than the widest.
fn opens_alone(laid: &Laid) -> bool {
    let widest = laid.lines.iter().map(|l| l.width).fold(0.0, f32::max);
    laid.lines.len() > 1 && laid.lines[0].width < ALONE * widest
}
