//! Northern light: a mesh of colours that rises from the edge and is gone before the zone ends.

use super::shapes::{bar, fill, lighter};
use super::{Chance, Zone, inks};
use crate::compose::setter::Setter;
use crate::scene::color::Oklch;
use crate::scene::{Color, Paint, Rect};

/// Points of the mesh across and down.
const COLUMNS: usize = 7;
const ROWS: usize = 5;

pub(super) fn draw(setter: &mut Setter<'_>, zone: Zone, chance: &mut Chance) {
    let canvas = setter.frame.size;
    let (edges, accent) = (zone.edges(canvas), setter.page.palette.accent);
    let inks = inks(setter);
    let hue = accent.to_oklch();
    // Neighbours of the accent's hue, never far from it: one light, not a rainbow.
    let to = if chance.below(2) == 0 { 34.0 } else { -34.0 };
    let cool = Oklch::new(0.62, hue.c.max(0.1), hue.h + to).to_color();
    let deep = lighter(inks[2], -0.1, 1.0);
    let focus = chance.range(0.3, 0.85);
    let colors: Vec<Color> = (0..ROWS * COLUMNS)
        .map(|n| {
            let (u, v) = ((n % COLUMNS) as f32 / (COLUMNS - 1) as f32, (n / COLUMNS) as f32 / (ROWS - 1) as f32);
            let hold = |bleeds: bool, d: f32| if bleeds { 1.0 } else { (d / 0.34).clamp(0.0, 1.0) };
            let fade =
                hold(edges.left, u) * hold(edges.right, 1.0 - u) * hold(edges.top, v) * hold(edges.bottom, 1.0 - v);
            let far = libm::hypotf((u - focus) * 1.2, if edges.bottom && !edges.top { 1.0 - v } else { v } * 0.9);
            let strength = (1.0 - far).clamp(0.0, 1.0) * chance.range(0.4, 1.0);
            let color = [accent, cool, deep][chance.below(3)];
            color.alpha((0.95 * fade * strength).clamp(0.0, 1.0))
        })
        .collect();
    let rect = zone.reach(canvas, 4.0);
    let area = Rect::new(rect.x0, rect.y0, rect.x1, rect.y1);
    setter.art(fill(bar(area), Paint::Mesh { rect: area, columns: COLUMNS as u32, colors: colors.into() }));
}
