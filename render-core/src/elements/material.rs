//! What things on a page are made of: paper, a dark screen, the shadow that they cast.

use crate::scene::{BezPath, Color, Coverage, Item, Paint, Rect, Role as Part, Stroke};
use crate::sheet::{Border, With, mix};
use crate::tree::{Colour, Role};

/// Lightness from which a colour is that of paper, and the most chroma that it may have.
const LIGHT: (f32, f32) = (0.93, 0.035);
/// Luminance up to which a screen counts as dark.
const DARK: f32 = 0.07;
/// Contrast from which a thing is told apart from its ground.
const APART: f32 = 1.07;
/// Opacity, offset and blur of a soft shadow, the latter two in shares of the spacing scale's third step.
const SOFT: (f32, f32, f32) = (0.2, 0.35, 0.55);

/// The colour of paper: the lightest that the palette has, where it is light enough; told apart from its ground.
pub fn paper(with: &With<'_>) -> Color {
    let inks = &with.inks;
    let all = [Role::Surface, Role::Bg, Role::Ink].map(|role| inks.fill(Colour::Role(role)));
    let lightest = all.into_iter().max_by(|a, b| a.luminance().total_cmp(&b.luminance())).unwrap_or(Color::WHITE);
    let tone = lightest.to_oklch();
    let white = tone.l >= LIGHT.0 && tone.c <= LIGHT.1;
    if white && lightest.contrast(inks.ground) >= 1.03 { lightest } else { mix(lightest, Color::WHITE, 0.85) }
}

/// The colour of what is printed on paper: dark enough for any reader, machines included.
pub fn print(with: &With<'_>) -> Color {
    let inks = &with.inks;
    let all = [Role::Ink, Role::Bg, Role::OnAccent].map(|role| inks.fill(Colour::Role(role)));
    let paper = paper(with);
    all.into_iter().find(|c| c.contrast(paper) >= 9.0).unwrap_or(Color::BLACK)
}

/// The colour of a dark screen that is seen on the ground.
pub fn screen(with: &With<'_>) -> Color {
    let inks = &with.inks;
    let all = [Role::Ink, Role::Surface, Role::Bg].map(|role| inks.fill(Colour::Role(role)));
    let seen = |c: &Color| c.luminance() <= DARK && c.contrast(inks.ground) >= APART;
    all.into_iter().find(seen).unwrap_or_else(|| mix(inks.ground, Color::BLACK, 0.55))
}

/// How a thing of any shape stands on the ground: its shadow and its outline.
#[derive(Clone, Copy)]
pub struct Standing {
    hard: Option<(f32, Color)>,
    soft: Option<(f32, Color)>,
    outline: Option<Border>,
}

impl Standing {
    /// As the style draws cards; things that have no hard shadow cast a soft one where `lifted`.
    pub fn of(with: &With<'_>, lifted: bool) -> Self {
        let by = with.theme().card.map_or(0.0, |card| card.shadow) * with.frame.k;
        let hard = (by > 0.0).then(|| (by, with.inks.ink()));
        let soft = (hard.is_none() && lifted).then(|| (with.step(3), Color::BLACK.alpha(SOFT.0)));
        Self { hard, soft, outline: with.outline() }
    }

    /// The thing with its shadow and its outline.
    pub fn draw(&self, rect: &Rect, path: &BezPath, fill: Color) -> Vec<Item> {
        let mut items = self.shadow(rect, path, true);
        items.extend(self.body(path, fill, None));
        items
    }

    /// The shadow alone; straight down where something else of the thing stands at its right.
    pub fn shadow(&self, rect: &Rect, path: &BezPath, aside: bool) -> Vec<Item> {
        let mut items = Vec::new();
        if let Some((by, color)) = self.hard {
            let by = f64::from(by);
            let moved = kurbo::Affine::translate((if aside { by } else { 0.0 }, by)) * path.clone();
            items.push(Item::path(moved, color, Part::Field));
        }
        if let Some((step, color)) = self.soft {
            let shadow = Coverage::Shadow { rect: rect.shift(0.0, SOFT.1 * step), radius: 0.0, sigma: SOFT.2 * step };
            items.push(Item::new(shadow, Paint::Solid(color), Part::Field));
        }
        items
    }

    /// The thing itself, filled; its outline runs along `edge` where that isn't all of it.
    pub fn body(&self, path: &BezPath, fill: Color, edge: Option<&BezPath>) -> Vec<Item> {
        let mut items = vec![Item::path(path.clone(), fill, Part::Field)];
        if let Some(border) = self.outline {
            let path = edge.unwrap_or(path).clone();
            let coverage = Coverage::Stroke { path: path.into(), stroke: Stroke::round(border.width) };
            items.push(Item::new(coverage, Paint::Solid(border.color), Part::Mark));
        }
        items
    }
}
