//! [`Words`]: a text of a page with its range of sizes and its colours, and how large it may be in a width.

use crate::scene::{Color, TextLevel};
use crate::text::{Align, Fonts, Laid, ShapedText, TextStyle};

use super::ranged::Ranged;

/// A text of a page.
pub struct Words {
    /// The id of its element.
    pub id: String,
    /// The words without marks.
    pub text: String,
    /// Their size in du: the smallest and the largest that the page asks for.
    pub size: Ranged<f32>,
    /// The largest size in du that the other pages of its set leave it.
    pub most: f32,
    /// The smallest size in du where nothing else helps.
    pub floor: f32,
    /// The most lines.
    pub lines: usize,
    /// Where the lines stand.
    pub align: Align,
    /// The least width of its box in em, so that boxes of several texts are equally wide.
    pub room: f32,
    /// Texts of the same group have one size.
    pub group: Option<String>,
    /// What the text is for the measures.
    pub level: TextLevel,
    /// The colour of words without marks.
    pub ink: Color,
    /// Where the words stand on a band of the first colour that is drawn before them, their ink is the second.
    pub across: Option<(Color, Color)>,
    /// How marked words look, by their tag.
    pub manners: Vec<Manner>,
    /// How the text is set, its size aside.
    pub style: TextStyle,
    /// How far the deepest descender reaches below a baseline, in em.
    pub depth: f32,
    /// How far accents and ascenders reach over the cap line, in em.
    pub rise: f32,
    /// Shaped once.
    pub shaped: ShapedText,
}

/// How marked words of a text look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// Which of the paragraph's spans.
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
    /// What it is fitted together with: its group, or itself.
    pub fn key(&self) -> &str {
        self.group.as_deref().unwrap_or(&self.id)
    }

    /// Its size at a share of its range: from the floor at −1 over the smallest at 0 to the largest at 1.
    pub fn size_at(&self, share: f32) -> f32 {
        let own = if share < 0.0 {
            Ranged { min: self.floor, max: self.size.min }.at(1.0 + share)
        } else {
            self.size.at(share)
        };
        own.min(self.most)
    }

    /// Sets the words at `size` in `width` du: a headline that would open with a word on a line of its own a little smaller,
    /// where that helps.
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

    /// The largest size up to `most` at which no word is broken and no line too many in `width` du; the floor where
    /// there is none.
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

/// Sizes that are tried, against the one found, where a headline opens with a word on a line of its own.
const SMALLER: [f32; 4] = [0.97, 0.94, 0.9, 0.86];
/// A first line below this share of the widest one opens alone.
const ALONE: f32 = 0.42;

/// Whether the first of several lines is much shorter than the widest.
fn opens_alone(laid: &Laid) -> bool {
    let widest = laid.lines.iter().map(|l| l.width).fold(0.0, f32::max);
    laid.lines.len() > 1 && laid.lines[0].width < ALONE * widest
}
