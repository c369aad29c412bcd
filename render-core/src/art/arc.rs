//! One large thin ring, with a part of it in the accent colour. The part shows a value if there is one: the progress
//! through the set, or the share that a figure stands for.

use super::Easel;
use kurbo::{Arc as KurboArc, BezPath, Cap, Shape, Stroke, StrokeOpts, Vec2, stroke};

use super::Zone;
use crate::scene::{Item, Point, Role};

/// Size of a ring that extends over a corner, relative to its zone: much of it is off the canvas.
const HANGING: f32 = 1.24;
/// Distance of such a ring's centre from the canvas's edges, in radii.
const INSET: f32 = 0.4;
/// The share that is drawn without a value.
const SILENT: f32 = 0.45;

pub(super) fn draw(easel: &mut Easel, zone: Zone, value: Option<f32>) {
    let canvas = easel.size;
    let r = &zone.rect;
    // The ring extends over a corner of the canvas if the zone reaches one, so that it looks like part of something
    // larger.
    let hangs = r.x1 >= canvas.w - 0.5 && (r.y1 >= canvas.h - 0.5 || r.y0 <= 0.5);
    let k = easel.k;
    let half = 0.5 * r.w().min(r.h());
    let radius = if hangs { HANGING * half } else { half - 5.0 * k };
    let toward =
        |edge: f32, inner: f32, bleeds: bool, sign: f32| if bleeds { edge - sign * radius * INSET } else { inner };
    let right = r.x1 >= canvas.w - 0.5;
    let bottom = r.y1 >= canvas.h - 0.5;
    let cx = toward(r.x1, r.center().x, right, 1.0);
    let cy = if r.y0 <= 0.5 && !bottom { r.y0 + radius * INSET } else { toward(r.y1, r.center().y, bottom, 1.0) };
    let center = Point::new(cx, cy);
    let (line, accent) = (easel.palette.accent2, easel.palette.accent);
    easel.art(Item::ring(center, radius, 2.5 * k, line, Role::Art));
    let share = value.unwrap_or(SILENT).clamp(0.02, 1.0);
    // The part is drawn on the visible arc of the ring: clockwise from where the ring enters the canvas.
    let (start, seen) = match (right, bottom) {
        (true, true) => (156.0, 138.0),
        (true, false) if r.y0 <= 0.5 => (66.0, 138.0),
        (true, false) => (66.0, 228.0),
        _ => (-90.0, 360.0),
    };
    // Without a value, the part is on the crest.
    let start = if value.is_none() && hangs { start + 0.34 * seen } else { start };
    easel.art(Item::path(ring_part(center, radius, 10.0 * k, start, seen * share), accent, Role::Art));
}

/// Returns a part of a ring of width `width`, from `start` degrees (0 is to the right, clockwise) over `sweep` degrees.
pub(crate) fn ring_part(center: Point, radius: f32, width: f32, start: f32, sweep: f32) -> BezPath {
    let arc = KurboArc {
        center: (f64::from(center.x), f64::from(center.y)).into(),
        radii: Vec2::new(f64::from(radius), f64::from(radius)),
        start_angle: f64::from(start).to_radians(),
        sweep_angle: f64::from(sweep).to_radians(),
        x_rotation: 0.0,
    };
    let style = Stroke::new(f64::from(width)).with_caps(Cap::Butt);
    stroke(arc.path_elements(0.05), &style, &StrokeOpts::default(), 0.05)
}
