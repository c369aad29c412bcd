//! [`Columns`]: a text in vertical columns from right to left, as in Japanese.

use crate::scene::{Color, Rect, Size, TextLevel};
use crate::text::{LaidVertical, TextStyle};

/// Share of rotated words above which a text reads better in horizontal lines.
const TURNED: f32 = 0.4;
/// Shares of its size range at which a text is laid out.
pub(super) const SHARES: [f32; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];

/// A text in vertical columns.
pub struct Columns {
    /// The id of its element.
    pub id: String,
    /// The words.
    pub text: String,
    /// The maximum number of columns.
    pub most: usize,
    /// Its level for legibility checks.
    pub level: TextLevel,
    /// Its colour.
    pub ink: Color,
    /// Its text style, without the size.
    pub style: TextStyle,
    /// The layout at each of `SHARES`, in ascending order.
    pub(super) laid: Vec<LaidVertical>,
}

impl Columns {
    /// Returns the layout at a share of its range.
    pub fn at_share(&self, share: f32) -> &LaidVertical {
        let at = SHARES.iter().rposition(|s| *s <= share + 1e-3).unwrap_or(0);
        &self.laid[at.min(self.laid.len() - 1)]
    }

    /// Returns the layout at the size that was chosen.
    pub fn at_size(&self, size: f32) -> &LaidVertical {
        let same = |laid: &&LaidVertical| (laid.size - size).abs() < 1e-3;
        self.laid.iter().find(same).unwrap_or(&self.laid[0])
    }

    /// Returns the extent of the ink of a layout.
    pub fn extent(laid: &LaidVertical) -> Size {
        Size::new(laid.ink.w().max(1.0), laid.ink.h().max(1.0))
    }

    /// Returns whether a layout is readable and fits into `rect`, within `tolerance` du.
    pub fn fits(&self, laid: &LaidVertical, rect: Rect, tolerance: f32) -> bool {
        let extent = Self::extent(laid);
        self.reads(laid) && extent.w <= rect.w() + tolerance && extent.h <= rect.h() + tolerance
    }

    /// Returns whether a layout is readable: few enough columns, no broken word, few rotated words.
    fn reads(&self, laid: &LaidVertical) -> bool {
        laid.columns.len() <= self.most && !laid.broken_word && laid.turned <= TURNED
    }
}
