//! [`Columns`]: a text in columns from right to left, as Japanese is set.

use crate::design::Voice;
use crate::scene::{Color, Size, TextLevel};
use crate::text::{LaidVertical, Locale, TextStyle, VerticalText, layout_vertical};
use crate::tree::Run;

use super::setting::With;
use super::wording::Plan;
use super::words::Words;

/// The share of the page's height that columns may take.
const HIGH: f32 = 0.8;
/// Letter spacing and distance of columns of display type and of running text: columns live on the air between them.
const LOUD: (f32, f32) = (0.05, 1.42);
const QUIET: (f32, f32) = (0.08, 1.8);
/// A text that has words on their side beyond this share of its length reads better in lines.
const TURNED: f32 = 0.4;
/// What of its size a text gives for one column less.
const A_LITTLE: f32 = 0.84;

/// Shares of its range at which a text is laid out.
const SHARES: [f32; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];

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
    laid: Vec<LaidVertical>,
}

impl Columns {
    /// The words of `runs` in columns, set as `plan` says in the surroundings of `with`.
    pub fn new(runs: &[Run], plan: Plan<'_>, with: &With<'_>) -> Self {
        let (tracking, leading) = if plan.voice == Voice::Display { LOUD } else { QUIET };
        let most = plan.lines;
        let words = Words::new(runs, plan, with);
        let style = TextStyle { tracking, leading, ..words.style };
        let fonts = with.setting.fonts;
        let at = |size: f32| {
            let text = VerticalText {
                text: &words.text,
                style: TextStyle { size, ..style },
                locale: Locale::of(with.setting.language),
            };
            layout_vertical(fonts, &text, HIGH * with.frame.room.h())
        };
        let set = |share: f32| {
            let size = words.size_at(share);
            let (laid, fewer) = (at(size), at((A_LITTLE * size).max(words.floor)));
            // A little smaller where that saves a column.
            if laid.columns.len() > 1 && fewer.columns.len() < laid.columns.len() { fewer } else { laid }
        };
        let laid = SHARES.into_iter().map(set).collect();
        Self { style, most, laid, id: words.id, text: words.text, level: words.level, ink: words.ink }
    }

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

    /// Whether a laid text reads well in columns: not too many of them, no word broken, few words on their side.
    pub fn reads(&self, laid: &LaidVertical) -> bool {
        laid.columns.len() <= self.most && !laid.broken_word && laid.turned <= TURNED
    }
}
