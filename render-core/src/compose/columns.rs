//! Texts in columns on a page: vertical Japanese.

use super::edited;
use super::setter::{Setter, Spec, characters};
use crate::scene::{Affine, Coverage, Item, LineBox, Paint, Rect, Role, Size, TextBlock};
use crate::text::{LaidVertical, Locale, TextStyle, VerticalText, fit_vertical};

/// A text that leans on words on their side beyond this share of its length reads better in lines.
const TURNED: f32 = 0.4;
/// What of its size a text gives for one column less.
const A_LITTLE: f32 = 0.84;

/// A text that has its size and its columns, but no place yet.
#[derive(Debug, Clone)]
pub(super) struct VerticalSet<'a> {
    spec: Spec<'a>,
    pub laid: LaidVertical,
    /// Whether it keeps its range of sizes and its box, and reads well in columns.
    pub fits: bool,
}

impl<'a> Setter<'a> {
    /// Sets a text in a box: the largest size of its range at which it keeps its columns, as many as its spec has lines.
    /// They stand `leading` times the size apart, their characters `tracking` em.
    pub fn set_vertical(&self, spec: Spec<'a>, bounds: Size, tracking: f32, leading: f32) -> VerticalSet<'a> {
        let (spec, _) = edited::spec(self, spec, bounds.h);
        let (min, max) = spec.range;
        let style = TextStyle { tracking, leading, ..self.style_of(&spec, max) };
        let text = VerticalText { text: spec.text, style, locale: Locale::of(&self.page.locale.language) };
        let mut fitted = fit_vertical(self.fonts, &text, bounds, min, max, spec.lines);
        let columns = fitted.laid.columns.len();
        if fitted.fits && columns >= 2 {
            let least = (fitted.size * A_LITTLE).max(min);
            let fewer = fit_vertical(self.fonts, &text, bounds, least, fitted.size.max(least), columns - 1);
            if fewer.fits {
                fitted = fewer;
            }
        }
        let fits = fitted.fits && fitted.laid.turned <= TURNED;
        VerticalSet { spec, laid: fitted.laid, fits }
    }

    /// Puts a set text with the top left of its box at `x`, `y`.
    pub fn place_vertical(&mut self, set: &VerticalSet<'_>, x: f32, y: f32) {
        let index = self.blocks.len() as u32;
        let (laid, spec) = (&set.laid, &set.spec);
        let at = Affine::translate(x, y);
        let role = Role::Text(index);
        self.texts.extend(laid.runs.iter().map(|run| Item {
            transform: at.after(&run.transform),
            coverage: Coverage::Glyphs(run.glyphs.clone()),
            paint: Paint::Solid(spec.color),
            role,
        }));
        self.place_emoji(&laid.emoji, at, role);
        self.missing.extend(&laid.missing);
        self.misfit |= !set.fits || laid.broken_word;
        let columns = laid.columns.iter().map(|c| LineBox {
            ink: c.ink.shift(x, y),
            baseline: x + c.axis,
            chars: characters(spec.text, &c.range),
        });
        self.blocks.push(TextBlock {
            lines: columns.collect(),
            vertical: true,
            ..self.block(spec, laid.size, laid.ink.shift(x, y), Rect::at(x, y, laid.width, laid.height))
        });
    }
}
