//! Sets font weights. The text keeps its size, and its italic words change weight with it.

use crate::design::{Part, Which};
use crate::scene::{Coverage, Role, Scene};
use crate::text::{Family, Fonts};

use super::super::Op;
use super::super::target::{is_of, sizes};
use super::{ApplyError, Work, no};

impl Work<'_, '_> {
    /// Sets a part in a weight, or in the nearest weight that its typeface has. The size stays.
    pub(super) fn weight(&mut self, part: Part, to: u16) -> Result<Op, ApplyError> {
        let of = Which::All(part);
        let weight = |scene: &Scene| scene.blocks.iter().find(|b| is_of(b, of)).map(|b| b.weight);
        let before = self.composed().scene;
        let Some(now) = weight(&before) else { return no(format!("This page has no {}.", part.name())) };
        if now == to {
            return Ok(Op::Weight { part, to });
        }
        let page = self.page.clone();
        self.page.adjust.weights.retain(|(of, _)| *of != part);
        self.page.adjust.weights.push((part, to));
        let reached = weight(&self.composed().scene).unwrap_or(now);
        if reached == now {
            self.page = page;
            let side = if to > now { "heavier" } else { "lighter" };
            return no(format!("The face of the {} has no {side} weight.", part.name()));
        }
        if reached != to {
            self.note(format!("The {} is set in weight {reached}: the nearest that its face has.", part.name()));
            self.page.adjust.weights.retain(|(of, _)| *of != part);
            self.page.adjust.weights.push((part, reached));
        }
        if is_slanted(&before, of, self.fonts()) && !is_slanted(&self.composed().scene, of, self.fonts()) {
            self.note(format!("Words in italics stand upright: their italic has no weight {reached}."));
        }
        self.hold(of, &before);
        Ok(Op::Weight { part, to: reached })
    }

    /// Restores the size of a part as far as it fits, because another weight changes the width of the text.
    fn hold(&mut self, of: Which, before: &Scene) {
        let Some(size) = sizes(before, of).max_by(f32::total_cmp) else { return };
        self.refit(of, size);
        let now = sizes(&self.composed().scene, of).max_by(f32::total_cmp).unwrap_or(size);
        if (now - size).abs() > 1.5 {
            self.note(format!("The {of} is set to {now:.0}, which is as near to {size:.0} as it fits in this weight."));
        }
    }
}

/// Returns whether words of some texts are in italics.
fn is_slanted(scene: &Scene, of: Which, fonts: &Fonts) -> bool {
    scene.items.iter().any(|item| {
        let (Role::Text(n), Coverage::Glyphs(run)) = (&item.role, &item.coverage) else { return false };
        let italic = matches!(
            fonts.family(run.face),
            Family::NewsreaderItalic | Family::InstrumentSerifItalic | Family::CormorantItalic
        );
        italic && scene.blocks.get(*n as usize).is_some_and(|b| is_of(b, of))
    })
}
