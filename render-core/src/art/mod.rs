//! The art kit: parametric pictures, drawn from a seed in the palette of the page.
//!
//! Art has a zone, the box of an `art` element. It may bleed over the edges of the canvas that the zone touches, and
//! stays inside the zone elsewhere, so that it never comes near text. It is drawn on an [`Easel`].

mod arc;
mod arch;
mod aurora;
mod ball;
mod beams;
mod blobs;
mod blocks;
mod columns;
mod contours;
mod discs;
mod dots;
mod easel;
mod fan;
mod flow;
mod grid;
mod halftone;
mod horizon;
mod limb;
mod mosaic;
mod orbit;
mod pebbles;
mod phases;
mod prisms;
mod pulse;
mod quarters;
mod rays;
mod ridge;
mod rings;
mod scallops;
mod shapes;
mod sprig;
mod squiggles;
mod stack;
mod steps;
mod strokes;
mod sun;
mod trend;
mod waves;

pub(crate) use easel::Easel;

use crate::design::{Art, Recipe};
use crate::random::Chance;
use crate::scene::{Affine, Clip, Color, Coverage, Layer, Rect, Size};

/// How dominant the art is on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// It dominates: a cover.
    Lead,
    /// It accompanies text.
    Accent,
}

/// The place of the art.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zone {
    /// The area. Art bleeds over an edge that coincides with the canvas's edge.
    pub rect: Rect,
    /// How dominant the art is.
    pub scale: Scale,
}

/// The edges of the canvas that a zone touches.
#[derive(Debug, Clone, Copy)]
struct Edges {
    left: bool,
    top: bool,
    right: bool,
    bottom: bool,
}

/// The corner of a zone that art is anchored to, and the zone in its coordinates: x and y grow from the corner inwards.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// From these coordinates to those of the canvas.
    frame: Affine,
    /// Width and height of the zone.
    size: Size,
    /// Whether the zone's edges at x = 0 and at y = 0 bleed.
    bleeds: (bool, bool),
    /// Whether the opposite edges bleed.
    far: (bool, bool),
}

impl Zone {
    /// Returns the edges of the canvas that the zone touches. Art bleeds over them.
    fn edges(&self, canvas: Size) -> Edges {
        let r = &self.rect;
        Edges { left: r.x0 <= 0.5, top: r.y0 <= 0.5, right: r.x1 >= canvas.w - 0.5, bottom: r.y1 >= canvas.h - 0.5 }
    }

    /// Returns the area that art may cover: the zone, and `out` du beyond the canvas where it bleeds.
    fn reach(&self, canvas: Size, out: f32) -> Rect {
        let (r, edges) = (&self.rect, self.edges(canvas));
        let by = |bleeds: bool| if bleeds { out } else { 0.0 };
        Rect::new(r.x0 - by(edges.left), r.y0 - by(edges.top), r.x1 + by(edges.right), r.y1 + by(edges.bottom))
    }

    /// Returns the corner that art is anchored to: one at the canvas's edges if there is one, and on the right rather
    /// than the left. If the zone is as high as the canvas, `low` chooses between top and bottom.
    fn corner(&self, canvas: Size, low: bool) -> Corner {
        let (r, edges) = (&self.rect, self.edges(canvas));
        let right = edges.right || !edges.left;
        let bottom = edges.bottom && (low || !edges.top);
        let (x, sx) = if right { (r.x1, -1.0) } else { (r.x0, 1.0) };
        let (y, sy) = if bottom { (r.y1, -1.0) } else { (r.y0, 1.0) };
        let (across, down) = ([edges.left, edges.right], [edges.top, edges.bottom]);
        let (i, j) = (usize::from(right), usize::from(bottom));
        Corner {
            frame: Affine([sx, 0.0, 0.0, sy, x, y]),
            size: r.size(),
            bleeds: (across[i], down[j]),
            far: (across[1 - i], down[1 - j]),
        }
    }
}

/// Returns the colours of art: the strongest first, the one closest to the background last.
fn inks(easel: &Easel) -> [Color; 5] {
    easel.palette.art
}

/// Returns the first of `inks` with a distance of at least `least` from all of `from`; if there is none, the farthest
/// one.
fn apart(inks: &[Color], from: &[Color], least: f32) -> Color {
    // Lightness distinguishes colours better than hue.
    let away = |a: Color, b: Color| {
        let (p, q) = (a.to_oklab(), b.to_oklab());
        let squares: [f32; 3] = std::array::from_fn(|i| (p[i] - q[i]) * (p[i] - q[i]));
        libm::sqrtf(2.5 * squares[0] + squares[1] + squares[2])
    };
    let near = |ink: Color| from.iter().map(|f| away(ink, *f)).fold(f32::MAX, f32::min);
    let clear = inks.iter().copied().find(|ink| near(*ink) >= least);
    clear.or_else(|| inks.iter().copied().max_by(|a, b| near(*a).total_cmp(&near(*b)))).unwrap_or(Color::BLACK)
}

/// Returns the factor for line thicknesses. Strips have wide spacing, but their art is no larger than elsewhere.
fn pen(easel: &Easel) -> f32 {
    easel.k.min(1.4)
}

/// Returns the zone, shrunk to the page's margins if the style has a fine frame along them.
fn framed(easel: &Easel, zone: Zone) -> Zone {
    let (text, r) = (easel.text, zone.rect);
    let within = r.intersect(&text);
    let rect = if !easel.framed {
        r
    } else if within.w() > 0.6 * r.w() && within.h() > 0.6 * r.h() {
        within
    } else {
        // In a zone without text, margins are measured from the edges of the zone.
        r.grow(-text.x0.min(0.12 * r.w().min(r.h())))
    };
    Zone { rect, ..zone }
}

/// Draws the items of `draw` clipped to the zone, and over the edges where it bleeds.
fn within(easel: &mut Easel, zone: Zone, draw: impl FnOnce(&mut Easel)) {
    let rect = zone.reach(easel.size, 8.0);
    clipped(easel, Affine::IDENTITY, Coverage::Rect { rect, radii: [0.0; 4], stroke: None }, draw);
}

/// Draws the items of `draw` clipped to `coverage`.
fn clipped(easel: &mut Easel, transform: Affine, coverage: Coverage, draw: impl FnOnce(&mut Easel)) {
    let clip = Some(Clip { transform, coverage });
    easel.art_group(Layer { clip, ..Layer::new(0..0) }, draw);
}

/// Draws `art` in a zone of any size.
pub(crate) fn draw(easel: &mut Easel, art: &Art, zone: Zone) {
    let mut chance = Chance::new(art.seed);
    let value = art.value;
    match art.recipe {
        Recipe::Mosaic => mosaic::draw(easel, zone, &mut chance),
        Recipe::Dots => dots::draw(easel, zone, &mut chance, value),
        Recipe::Stack => stack::draw(easel, zone, &mut chance),
        Recipe::Contours => contours::draw(easel, zone, &mut chance),
        Recipe::Arc => arc::draw(easel, zone, value),
        Recipe::Horizon => horizon::draw(easel, zone, &mut chance, value),
        Recipe::Strokes => strokes::draw(easel, zone, &mut chance, value),
        Recipe::Rays => rays::draw(easel, zone, &mut chance),
        Recipe::Halftone => halftone::draw(easel, zone, &mut chance),
        Recipe::Blocks => blocks::draw(easel, zone, &mut chance),
        Recipe::Arch => arch::draw(easel, zone, &mut chance, value),
        Recipe::Beams => beams::draw(easel, zone, &mut chance),
        Recipe::Phases => phases::draw(easel, zone, &mut chance, value),
        Recipe::Sun => sun::draw(easel, zone, &mut chance),
        Recipe::Blobs => blobs::draw(easel, zone, &mut chance),
        Recipe::Squiggles => squiggles::draw(easel, zone, &mut chance),
        Recipe::Scallops => scallops::draw(easel, zone, &mut chance),
        Recipe::Columns => columns::draw(easel, zone, &mut chance, value),
        Recipe::Grid => grid::draw(easel, zone, &mut chance, value),
        Recipe::Steps => steps::draw(easel, zone, &mut chance, value),
        Recipe::Pebbles => pebbles::draw(easel, zone, &mut chance, value),
        Recipe::Discs => discs::draw(easel, zone, &mut chance),
        Recipe::Pulse => pulse::draw(easel, zone, &mut chance, value),
        Recipe::Sprig => sprig::draw(easel, zone, &mut chance, value),
        Recipe::Fan => fan::draw(easel, zone, &mut chance, value),
        Recipe::Trend => trend::draw(easel, zone, &mut chance, value),
        Recipe::Rings => rings::draw(easel, zone, &mut chance, value),
        Recipe::Flow => flow::draw(easel, zone, &mut chance, value),
        Recipe::Prisms => prisms::draw(easel, zone, &mut chance, value),
        Recipe::Waves => waves::draw(easel, zone, &mut chance),
        Recipe::Ball => ball::draw(easel, zone, &mut chance),
        Recipe::Quarters => quarters::draw(easel, zone, &mut chance),
        Recipe::Limb => limb::draw(easel, zone, &mut chance),
        Recipe::Orbit => orbit::draw(easel, zone, &mut chance, value),
        Recipe::Aurora => aurora::draw(easel, zone, &mut chance),
        Recipe::Ridge => ridge::draw(easel, zone, &mut chance),
    }
}

#[cfg(test)]
mod tests;
