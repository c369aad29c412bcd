//! Quarter circles, discs and dots on a square grid.

use std::sync::Arc;

use super::{Easel, Scale, Zone};
use crate::random::Chance;
use crate::scene::color::Oklch;
use crate::scene::{Color, Coverage, Item, Paint, Point, Rect, Role, Size, Stop};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tile {
    Quarter,
    Leaf,
    Disc,
    Ball,
    Dots,
    Punched,
    Halves,
    Ring,
}

/// Tiles that may be anywhere. `Ball` and `Dots` are placed once each, so that the cluster has one bright spot and one
/// texture.
const COMMON: [Tile; 6] = [Tile::Quarter, Tile::Quarter, Tile::Quarter, Tile::Leaf, Tile::Leaf, Tile::Halves];

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let (cols, rows, side) = grid(zone, canvas);
    // The cluster is aligned to the edges that bleed.
    let x0 = if zone.rect.x1 >= canvas.w - 0.5 { zone.rect.x1 - cols as f32 * side } else { zone.rect.x0 };
    let y0 = if zone.rect.y1 >= canvas.h - 0.5 { zone.rect.y1 - rows as f32 * side } else { zone.rect.y0 };
    let count = cols * rows;
    let colors = inks(easel);
    let mut kinds: Vec<Tile> = (0..count).map(|_| COMMON[chance.below(COMMON.len())]).collect();
    if count == 1 {
        // A single disc would look like a dot and a single ring like a target; a quarter has a direction.
        kinds[0] = if chance.below(3) == 0 { Tile::Leaf } else { Tile::Quarter };
    } else {
        // If the cluster continues beyond the canvas, its last column must look cropped, which a ball or dots wouldn't.
        let cut = zone.rect.x1 >= canvas.w - 0.5 && cols > 2;
        let inner = |i: &usize| !cut || i % cols + 1 < cols;
        let places: Vec<usize> = (0..count).filter(inner).collect();
        let first = chance.below(places.len());
        let ball = places[first];
        kinds[ball] = Tile::Ball;
        if count >= 4 {
            kinds[places[(first + 1 + chance.below(places.len() - 1)) % places.len()]] = Tile::Dots;
        }
        let mut free: Vec<usize> = (0..count).filter(|i| !matches!(kinds[*i], Tile::Ball | Tile::Dots)).collect();
        if count >= 5 {
            kinds[free.swap_remove(chance.below(free.len()))] = Tile::Punched;
        }
        // At most one more round tile, away from the ball, because round tiles don't show the grid.
        let apart = |i: usize| i % cols != ball % cols && i / cols != ball / cols;
        free.retain(|i| apart(*i));
        if count >= 4 && !free.is_empty() && chance.below(2) == 0 {
            let round = if chance.below(2) == 0 { Tile::Disc } else { Tile::Ring };
            kinds[free[chance.below(free.len())]] = round;
        }
    }
    let mut used: Vec<usize> = Vec::with_capacity(count);
    let mut turn = chance.below(4);
    for (i, kind) in kinds.into_iter().enumerate() {
        let (col, row) = (i % cols, i / cols);
        let beside = [(col > 0).then(|| used[i - 1]), (row > 0).then(|| used[i - cols])];
        // The first tile of a cluster has its darkest colour; neighbours never share a colour. A single tile is pale,
        // so that it doesn't dominate the words.
        let mut color = match (count, i) {
            (1, _) => 2,
            (_, 0) => 0,
            _ => chance.below(colors.len()),
        };
        if count > 1 && i > 0 {
            // Takes the least used colour, so that pale ones are used too.
            let free = (0..colors.len()).map(|n| (color + n) % colors.len()).filter(|c| !beside.contains(&Some(*c)));
            color = free.min_by_key(|c| used.iter().filter(|u| *u == c).count()).unwrap_or(color);
        }
        used.push(color);
        // Neighbours with the same orientation would look like scales.
        turn = (turn + 1 + chance.below(3)) % 4;
        let cell = Rect::at(x0 + col as f32 * side, y0 + row as f32 * side, side, side);
        let other = colors[(color + 1 + chance.below(colors.len() - 1)) % colors.len()];
        turn = tile(easel, kind, cell, [colors[color], other], turn);
    }
}

/// Returns columns, rows and side of the tiles: the grid that fills the zone best with about the number of tiles for
/// its scale. A zone as high as the canvas is filled from top to bottom, so that the cluster bleeds on three sides.
fn grid(zone: Zone, canvas: Size) -> (usize, usize, f32) {
    let (w, h) = (zone.rect.w(), zone.rect.h());
    let full = h >= canvas.h - 0.5;
    let wanted = match zone.scale {
        Scale::Lead => 6.0,
        Scale::Accent if w.min(h) > 420.0 => 4.0,
        Scale::Accent => 1.0,
    };
    let options = (1..=6_usize).flat_map(|cols| (1..=6_usize).map(move |rows| (cols, rows)));
    let scored = options.filter_map(|(cols, rows)| {
        let (across, down) = (w / cols as f32, h / rows as f32);
        let side = if full { down } else { across.min(down) };
        let count = (cols * rows) as f32;
        let filled = count * side * side / (w * h);
        (side <= across + 0.5).then_some((filled - 0.05 * (count - wanted).abs(), cols, rows, side.min(across)))
    });
    let best = scored.fold((f32::MIN, 1, 1, w.min(h)), |a, b| if b.0 > a.0 { b } else { a });
    (best.1, best.2, best.3)
}

/// Returns four inks of the page, the darkest first.
fn inks(easel: &Easel) -> [Color; 4] {
    let p = &easel.palette;
    [p.ink, p.accent, p.accent2, p.tint]
}

/// Draws a tile in its colour and another one, and returns its actual orientation.
fn tile(easel: &mut Easel, kind: Tile, cell: Rect, [color, other]: [Color; 2], turn: usize) -> usize {
    let side = cell.w();
    let mut radii = [0.0; 4];
    // At the canvas's edge, a curve would only touch the edge, as if trimmed. So a tile ends in a straight side there.
    let cut = cell.x1 >= easel.size.w - 0.5;
    let kind = if cut && kind == Tile::Leaf { Tile::Quarter } else { kind };
    let turn = if cut && kind == Tile::Quarter { [0, 3][turn % 2] } else { turn };
    match kind {
        Tile::Quarter => {
            radii[turn] = side;
            easel.art(Item::rounded(cell, radii, color, Role::Art));
        }
        Tile::Leaf => {
            radii[turn % 2] = side * 0.75;
            radii[turn % 2 + 2] = side * 0.75;
            easel.art(Item::rounded(cell, radii, color, Role::Art));
        }
        Tile::Disc => easel.art(Item::circle(cell.center(), side / 2.0, color, Role::Art)),
        Tile::Ball => {
            let ball = ball(cell, easel.palette.accent);
            easel.art(ball);
        }
        Tile::Dots => {
            // Eight by eight dots, like a halftone screen.
            let step = side / 8.0;
            let ink = easel.palette.ink;
            for i in 0..64 {
                let (x, y) = ((i % 8) as f32 + 0.5, (i / 8) as f32 + 0.5);
                let at = Point::new(cell.x0 + x * step, cell.y0 + y * step);
                easel.art(Item::circle(at, step * 0.155, ink, Role::Art));
            }
        }
        Tile::Punched => {
            let hole = easel.palette.bg;
            easel.art(Item::rect(cell, color, Role::Art));
            easel.art(Item::circle(cell.center(), side * 0.267, hole, Role::Art));
        }
        Tile::Halves => {
            let upright = turn.is_multiple_of(2);
            let r = side / 2.0;
            let (a, b, ra, rb) = if upright {
                let mid = cell.center().x;
                (
                    Rect::new(cell.x0, cell.y0, mid, cell.y1),
                    Rect::new(mid, cell.y0, cell.x1, cell.y1),
                    [r, 0.0, 0.0, r],
                    [r, 0.0, 0.0, r],
                )
            } else {
                let mid = cell.center().y;
                (
                    Rect::new(cell.x0, cell.y0, cell.x1, mid),
                    Rect::new(cell.x0, mid, cell.x1, cell.y1),
                    [r, r, 0.0, 0.0],
                    [r, r, 0.0, 0.0],
                )
            };
            easel.art(Item::rounded(a, ra, color, Role::Art));
            easel.art(Item::rounded(b, rb, other, Role::Art));
        }
        Tile::Ring => {
            let stroke = side * 0.2;
            easel.art(Item::ring(cell.center(), side / 2.0 - stroke / 2.0, stroke, color, Role::Art));
        }
    }
    turn
}

/// Returns a disc lit from the upper left, the only object of the cluster with a gradient.
fn ball(cell: Rect, accent: Color) -> Item {
    let base = accent.to_oklch();
    let at = |l: f32, c: f32| Oklch::new(l.clamp(0.0, 0.95), c, base.h).to_color();
    let side = cell.w();
    let stops = [
        Stop { offset: 0.0, color: at((base.l + 0.3).max(0.84), base.c * 0.7) },
        Stop { offset: 0.4, color: at(base.l + 0.03, base.c) },
        Stop { offset: 1.0, color: at(base.l - 0.1, base.c) },
    ];
    Item::new(
        Coverage::Ellipse { center: cell.center(), radii: Size::new(side / 2.0, side / 2.0), stroke: None },
        Paint::Radial {
            center: Point::new(cell.x0 + 0.25 * side, cell.y0 + 0.2 * side),
            radius: 1.1 * side,
            stops: Arc::new(stops),
        },
        Role::Art,
    )
}
