//! The materials of objects on a page: paper, a dark screen, shadows.

use crate::scene::{BezPath, Color, Coverage, Item, Paint, Rect, Role as Part, Stroke};
use crate::sheet::{Border, With, mix};
use crate::tree::{Colour, Role};

/// Least lightness of the colour of paper, and its largest chroma.
const LIGHT: (f32, f32) = (0.93, 0.035);
/// Largest luminance of a dark screen.
const DARK: f32 = 0.07;
/// Least contrast of an object with its ground.
const APART: f32 = 1.07;
/// Opacity, offset and blur of a soft shadow; the latter two relative to the third step of the spacing scale.
const SOFT: (f32, f32, f32) = (0.2, 0.35, 0.55);

/// Returns the colour of paper: the lightest of the palette if it is light enough, distinct from its ground.
pub fn paper(with: &With<'_>) -> Color {
    let inks = &with.inks;
    let all = [Role::Surface, Role::Bg, Role::Ink].map(|role| inks.fill(Colour::Role(role)));
    let lightest = all.into_iter().max_by(|a, b| a.luminance().total_cmp(&b.luminance())).unwrap_or(Color::WHITE);
    let tone = lightest.to_oklch();
    let white = tone.l >= LIGHT.0 && tone.c <= LIGHT.1;
    if white && lightest.contrast(inks.ground) >= 1.03 { lightest } else { mix(lightest, Color::WHITE, 0.85) }
}

/// Returns the colour of print on paper: dark enough for any reader, including machines.
pub fn print(with: &With<'_>) -> Color {
    let inks = &with.inks;
    let all = [Role::Ink, Role::Bg, Role::OnAccent].map(|role| inks.fill(Colour::Role(role)));
    let paper = paper(with);
    all.into_iter().find(|c| c.contrast(paper) >= 9.0).unwrap_or(Color::BLACK)
}

/// Returns the colour of a dark screen that is visible on the ground.
pub fn screen(with: &With<'_>) -> Color {
    let inks = &with.inks;
    let all = [Role::Ink, Role::Surface, Role::Bg].map(|role| inks.fill(Colour::Role(role)));
    let seen = |c: &Color| c.luminance() <= DARK && c.contrast(inks.ground) >= APART;
    all.into_iter().find(seen).unwrap_or_else(|| mix(inks.ground, Color::BLACK, 0.55))
}

/// The shadow and the outline of an object of any shape.
#[derive(Clone, Copy)]
pub struct Standing {
    hard: Option<(f32, Color)>,
    soft: Option<(f32, Color)>,
    outline: Option<Border>,
}

impl Standing {
    /// Returns those of the style's cards; objects without a hard shadow cast a soft one if `lifted`.
    pub fn of(with: &With<'_>, lifted: bool) -> Self {
        let by = with.theme().card.map_or(0.0, |card| card.shadow) * with.frame.k;
        let hard = (by > 0.0).then(|| (by, with.inks.ink()));
        let soft = (hard.is_none() && lifted).then(|| (with.step(3), Color::BLACK.alpha(SOFT.0)));
        Self { hard, soft, outline: with.outline() }
    }

    /// Draws the object with its shadow and its outline.
    pub fn draw(&self, rect: &Rect, path: &BezPath, fill: Color) -> Vec<Item> {
        let mut items = self.shadow(rect, path, true);
        items.extend(self.body(path, fill, None));
        items
    }

    /// Draws only the shadow; it falls straight down if another part of the object is to the right.
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

    /// Draws only the object, filled; its outline runs along `edge` if that isn't the complete path.
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
