//! Contour lines of a height field, one of them in the accent.
//!
//! Marching squares (Lorensen and Cline 1987, in two dimensions) over a smooth peak and value noise. The segments are
//! chained to lines and smoothed as Catmull–Rom splines.

use std::collections::BTreeMap;
use std::sync::Arc;

use kurbo::{BezPath, Stroke, StrokeOpts, stroke};

use super::shapes::{mix, spline};
use super::{Easel, Scale, Zone, within};
use crate::random::{Chance, STEP};
use crate::scene::{Coverage, FillRule, Item, Paint, Point, Role, Stop};

/// Number of lines between the valley and the peak.
const LEVELS: usize = 22;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance) {
    let canvas = easel.size;
    let r = zone.rect;
    let k = easel.k;
    let unit = r.w().min(r.h());
    let cell = (unit / 34.0).max(8.0);
    // The field extends one cell over the edge on all sides, so that lines leave the zone instead of ending in it.
    let cols = (r.w() / cell) as usize + 3;
    let rows = (r.h() / cell) as usize + 3;
    let (sin, cos) = libm::sincosf(chance.range(0.0, std::f32::consts::TAU));
    let hill = Hill {
        beside: Point::new(0.85 * cos, 0.85 * sin),
        peak: if zone.scale == Scale::Lead {
            Point::new(chance.range(0.5, 0.66), chance.range(0.36, 0.56))
        } else {
            Point::new(chance.range(0.48, 0.56), chance.range(0.46, 0.54))
        },
        lean: chance.range(0.85, 1.25),
        seed: chance.number(),
        aspect: r.w() / r.h(),
    };
    let height = |i: usize, j: usize| hill.at((i as f32 - 1.0) * cell / r.w(), (j as f32 - 1.0) * cell / r.h());
    let field: Vec<f32> = (0..rows * cols).map(|n| height(n % cols, n / cols)).collect();
    let p = easel.palette;
    // The accented line is where it is completely visible: near the peak if the outer lines fade.
    let hot = LEVELS * if zone.scale == Scale::Lead { 3 } else { 4 } / 5 + chance.below(3);
    let accent = p.accent;
    // On a light background, the lines have the ink's colour, as on a map. On a dark one, they glow in a relative of
    // the accent.
    let (line, strength) = if p.bg.luminance() > 0.4 {
        (p.ink, 0.26)
    } else if p.accent2.contrast(p.bg) > 4.0 || p.bg.luminance() > 0.06 && p.accent2.luminance() > p.bg.luminance() {
        (p.accent2, 0.74)
    } else {
        (mix(p.bg, p.accent, 0.55), 0.74)
    };
    // Lines fade towards the text, which is on the left of or below a zone that touches the right edge.
    let fades = r.x1 >= canvas.w - 0.5 && r.x0 > 1.0 && zone.scale == Scale::Lead;
    let peak = Point::new(r.x0 + hill.peak.x * r.w(), r.y0 + hill.peak.y * r.h());
    let levels = if zone.scale == Scale::Lead { LEVELS } else { LEVELS * 2 / 3 };
    let mut lines: Vec<Item> = Vec::with_capacity(levels);
    let at = |n: usize| chains(&field, cols, rows, 0.24 + n as f32 * (1.84 / levels as f32));
    let levelled: Vec<Vec<Vec<Point>>> = (0..levels).map(at).collect();
    // The accented line is a closed ring if there is one nearby.
    let first = hot * levels / LEVELS;
    let seen = |q: &Point| (q.x - 1.0) * cell < 0.94 * r.w() && (0.04..0.96).contains(&((q.y - 1.0) * cell / r.h()));
    let ring = |chain: &Vec<Point>| chain.first() == chain.last() && chain.iter().all(seen);
    let whole = |n: &usize| levelled.get(*n).is_some_and(|l| !l.is_empty() && l.iter().all(ring));
    let hot = (first..first + 5).find(whole).unwrap_or(first);
    for (n, chains) in levelled.iter().enumerate() {
        let mut path = BezPath::new();
        for chain in chains {
            let chain = eased(chain);
            spline(&mut path, &chain, |q| (f64::from(r.x0 + (q.x - 1.0) * cell), f64::from(r.y0 + (q.y - 1.0) * cell)));
        }
        if path.elements().is_empty() {
            continue;
        }
        let is_hot = n == hot;
        let width = if is_hot { 4.0 } else { 1.9 } * k;
        let outline = stroke(&path, &Stroke::new(f64::from(width)), &StrokeOpts::default(), 0.2);
        let (color, alpha) = if is_hot { (accent, 1.0) } else { (line, strength) };
        let paint = if fades && r.y0 <= 0.5 && r.y1 < canvas.h - 1.0 {
            // In an upper corner, they fade towards the text below too.
            let stops = [(0.6, alpha), (1.0, 0.0)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
            Paint::Radial { center: Point::new(r.x1, r.y0), radius: r.h(), stops: Arc::new(stops) }
        } else if fades {
            Paint::Linear {
                from: Point::new(r.x0, 0.0),
                to: Point::new(r.x0 + 0.42 * r.w(), 0.0),
                stops: Arc::new([
                    Stop { offset: 0.0, color: color.alpha(0.0) },
                    Stop { offset: 1.0, color: color.alpha(alpha) },
                ]),
            }
        } else if zone.scale == Scale::Accent {
            // Beside text, they form an island that fades out before the zone ends.
            let stops = [(0.45, alpha), (1.0, 0.0)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
            Paint::Radial { center: peak, radius: 0.46 * r.w().min(r.h()), stops: Arc::new(stops) }
        } else if r.y1 < canvas.h - 1.0 {
            // Above text, they fade downwards.
            let stops = [(0.0, alpha), (1.0, 0.0)].map(|(offset, a)| Stop { offset, color: color.alpha(a) });
            let (from, to) = (Point::new(0.0, r.y0 + 0.6 * r.h()), Point::new(0.0, r.y1));
            Paint::Linear { from, to, stops: Arc::new(stops) }
        } else {
            Paint::Solid(color.alpha(alpha))
        };
        lines.push(Item::new(Coverage::Path { path: Arc::new(outline), rule: FillRule::NonZero }, paint, Role::Art));
    }
    within(easel, zone, |easel| lines.into_iter().for_each(|line| easel.art(line)));
}

/// Smooths out the kinks where a line crosses the grid close to a corner: twice, each point moves half way to the
/// midpoint of its neighbours. Ends stay.
fn eased(line: &[Point]) -> Vec<Point> {
    let mut line = line.to_vec();
    let n = line.len();
    let closed = n > 3 && line[0] == line[n - 1];
    for _ in 0..2 {
        let old = line.clone();
        let mean = |a: Point, b: Point, c: Point| {
            Point::new(0.25 * a.x + 0.5 * b.x + 0.25 * c.x, 0.25 * a.y + 0.5 * b.y + 0.25 * c.y)
        };
        for i in 1..n - 1 {
            line[i] = mean(old[i - 1], old[i], old[i + 1]);
        }
        if closed {
            line[0] = mean(old[n - 2], old[0], old[1]);
            line[n - 1] = line[0];
        }
    }
    line
}

/// The height field over the unit square.
struct Hill {
    peak: Point,
    /// Position of the lower summit relative to the peak, in units of the peak's extent.
    beside: Point,
    lean: f32,
    seed: u64,
    aspect: f32,
}

impl Hill {
    fn at(&self, u: f32, v: f32) -> f32 {
        let dx = (u - self.peak.x) * self.aspect.max(1.0) / 0.62 * self.lean;
        let dy = (v - self.peak.y) / self.aspect.min(1.0) / 0.62;
        // The lower summit prevents the lines from being plain rings.
        let (ex, ey) = (dx - self.beside.x, dy - self.beside.y);
        let bump = 1.5 * libm::expf(-(dx * dx + dy * dy)) + 0.42 * libm::expf(-3.0 * (ex * ex + ey * ey));
        bump + 0.56 * self.noise(u * 2.6 * self.aspect + 3.0, v * 2.6)
            + 0.12 * self.noise(u * 5.2 * self.aspect, v * 5.2 + 9.0)
    }

    /// Returns value noise with quintic interpolation.
    fn noise(&self, x: f32, y: f32) -> f32 {
        let (i, j) = (x.floor(), y.floor());
        let fade = |t: f32| t * t * t * (t * (6.0 * t - 15.0) + 10.0);
        let (s, t) = (fade(x - i), fade(y - j));
        let knot = |di: f32, dj: f32| {
            let key = ((i + di) as i32 as u32 as u64) << 32 | ((j + dj) as i32 as u32 as u64);
            Chance::new(self.seed ^ key.wrapping_mul(STEP)).unit()
        };
        let top = knot(0.0, 0.0) * (1.0 - s) + knot(1.0, 0.0) * s;
        let low = knot(0.0, 1.0) * (1.0 - s) + knot(1.0, 1.0) * s;
        top * (1.0 - t) + low * t
    }
}

/// An edge of the grid: (row, column, 0 for the horizontal edge that starts there, 1 for the vertical one).
type Edge = (usize, usize, u8);

/// Returns the lines of one level in grid coordinates; closed lines repeat their first point.
fn chains(field: &[f32], cols: usize, rows: usize, level: f32) -> Vec<Vec<Point>> {
    let mut links: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
    for j in 0..rows - 1 {
        for i in 0..cols - 1 {
            let at = |di: usize, dj: usize| field[(j + dj) * cols + i + di] >= level;
            let corners = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
            let edges: [Edge; 4] = [(j, i, 0), (j, i + 1, 1), (j + 1, i, 0), (j, i, 1)];
            let crossed: Vec<Edge> =
                (0..4).filter(|e| corners[*e] != corners[(*e + 1) % 4]).map(|e| edges[e]).collect();
            // A saddle crosses all four edges; joining them in order keeps the lines from touching.
            for pair in crossed.chunks_exact(2) {
                links.entry(pair[0]).or_default().push(pair[1]);
                links.entry(pair[1]).or_default().push(pair[0]);
            }
        }
    }
    let point = |(j, i, kind): Edge| {
        let a = field[j * cols + i];
        let b = if kind == 0 { field[j * cols + i + 1] } else { field[(j + 1) * cols + i] };
        let t = ((level - a) / (b - a)).clamp(0.0, 1.0);
        if kind == 0 { Point::new(i as f32 + t, j as f32) } else { Point::new(i as f32, j as f32 + t) }
    };
    let mut out = Vec::new();
    // Follows open lines first, from their ends; the remaining lines are closed.
    for open in [true, false] {
        while let Some(start) = links.iter().find(|(_, to)| !open || to.len() == 1).map(|(e, _)| *e) {
            let mut line = vec![point(start)];
            let mut here = start;
            while let Some(next) = links.get_mut(&here).and_then(Vec::pop) {
                if links.get(&here).is_some_and(Vec::is_empty) {
                    links.remove(&here);
                }
                if let Some(back) = links.get_mut(&next) {
                    if let Some(at) = back.iter().position(|e| *e == here) {
                        back.remove(at);
                    }
                    if back.is_empty() {
                        links.remove(&next);
                    }
                }
                line.push(point(next));
                here = next;
            }
            links.remove(&start);
            if line.len() > 3 {
                out.push(line);
            }
        }
    }
    out
}
