//! [`Columns`]: a text in columns from right to left, as Japanese is set.

use crate::scene::{Color, Rect, Size, TextLevel};
use crate::text::{LaidVertical, TextStyle};

/// A text that has words on their side beyond this share of its length reads better in lines.
const TURNED: f32 = 0.4;
/// Shares of its range at which a text is laid out.
pub(super) const SHARES: [f32; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];

/// A text in columns.
pub struct Columns {
    /// The id of its element.
    pub id: String,
    /// The words.
    pub text: String,
    /// The most columns.
    pub most: usize,
    /// What the text is for the measures.
    pub level: TextLevel,
    /// Its colour.
    pub ink: Color,
    /// How it is set, its size aside.
    pub style: TextStyle,
    /// The text at each of the shares, which rise.
    pub(super) laid: Vec<LaidVertical>,
}

impl Columns {
    /// The text at a share of its range.
    pub fn at_share(&self, share: f32) -> &LaidVertical {
        let at = SHARES.iter().rposition(|s| *s <= share + 1e-3).unwrap_or(0);
        &self.laid[at.min(self.laid.len() - 1)]
    }

    /// The text at the size that it was placed at.
    pub fn at_size(&self, size: f32) -> &LaidVertical {
        let same = |laid: &&LaidVertical| (laid.size - size).abs() < 1e-3;
        self.laid.iter().find(same).unwrap_or(&self.laid[0])
    }

    /// What the ink of a laid text takes.
    pub fn extent(laid: &LaidVertical) -> Size {
        Size::new(laid.ink.w().max(1.0), laid.ink.h().max(1.0))
    }

    /// Whether a laid text reads well, and stands in `rect`, give or take `tolerance` du.
    pub fn fits(&self, laid: &LaidVertical, rect: Rect, tolerance: f32) -> bool {
        let extent = Self::extent(laid);
        self.reads(laid) && extent.w <= rect.w() + tolerance && extent.h <= rect.h() + tolerance
    }

    /// Whether a laid text reads well in columns: not too many of them, no word broken, few words on their side.
    fn reads(&self, laid: &LaidVertical) -> bool {
        laid.columns.len() <= self.most && !laid.broken_word && laid.turned <= TURNED
    }
}
