//! Lays out words in vertical columns: from a plan and its surroundings to [`Columns`].

use crate::design::Voice;
use crate::text::{Locale, TextStyle, VerticalText, layout_vertical};
use crate::tree::Run;

use super::columns::{Columns, SHARES};
use super::setting::With;
use super::wording::Plan;
use super::words::Words;

/// Share of the page's height that columns may take.
const HIGH: f32 = 0.8;
/// Letter spacing and column distance of display type and of running text; vertical columns need generous spacing.
const LOUD: (f32, f32) = (0.05, 1.42);
const QUIET: (f32, f32) = (0.08, 1.8);
/// Share of its size to which a text may shrink to save a column.
const A_LITTLE: f32 = 0.84;

impl Columns {
    /// Lays out the words of `runs` in columns according to `plan` in the surroundings of `with`.
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
            // Slightly smaller type is used if it saves a column.
            if laid.columns.len() > 1 && fewer.columns.len() < laid.columns.len() { fewer } else { laid }
        };
        let laid = SHARES.into_iter().map(set).collect();
        Self { style, most, laid, id: words.id, text: words.text, level: words.level, ink: words.ink }
    }
}
