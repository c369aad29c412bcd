//! Converts paints to fills.

use krilla::color::rgb;
use krilla::geom::Transform;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, LinearGradient, RadialGradient, SpreadMethod, StrokeDash};

use crate::raster::premultiplied;
use crate::scene::{self, Color, Paint, Stop, Stroke};

/// Steps between two stops. PDF interpolates in sRGB, scenes in OKLab; with this many steps, the difference is
/// invisible.
const STEPS: usize = 12;
/// The smallest distance of two stops: a hard edge.
const HARD: f32 = 1e-4;

/// Returns a paint for PDF, and its opacity; `None` if PDF has no such paint.
pub(super) fn paint(paint: &Paint) -> Option<(krilla::paint::Paint, NormalizedF32)> {
    match paint {
        Paint::Solid(color) => Some((rgb_of(*color).into(), unit(color.a))),
        Paint::Linear { stops, .. } | Paint::Radial { stops, .. } if stops.len() < 2 => {
            let only = stops.first()?.color;
            Some((rgb_of(only).into(), unit(only.a)))
        }
        Paint::Linear { from, to, .. } if from == to => None,
        Paint::Radial { radius, .. } if radius.is_nan() || *radius <= 0.0 => None,
        Paint::Linear { from, to, stops } => {
            let gradient = LinearGradient {
                x1: from.x,
                y1: from.y,
                x2: to.x,
                y2: to.y,
                transform: Transform::identity(),
                spread_method: SpreadMethod::Pad,
                stops: fine(stops),
                anti_alias: false,
            };
            Some((gradient.into(), NormalizedF32::ONE))
        }
        Paint::Radial { center, radius, stops } => {
            let gradient = RadialGradient {
                fx: center.x,
                fy: center.y,
                fr: 0.0,
                cx: center.x,
                cy: center.y,
                cr: *radius,
                transform: Transform::identity(),
                spread_method: SpreadMethod::Pad,
                stops: fine(stops),
                anti_alias: false,
            };
            Some((gradient.into(), NormalizedF32::ONE))
        }
        Paint::Conic { .. } | Paint::Mesh { .. } | Paint::Backdrop(_) | Paint::Image { .. } => None,
    }
}

/// Returns a fill with a paint.
pub(super) fn fill((paint, opacity): (krilla::paint::Paint, NormalizedF32), rule: FillRule) -> Fill {
    Fill { paint, opacity, rule }
}

/// Returns a stroke with a paint.
pub(super) fn pen((paint, opacity): (krilla::paint::Paint, NormalizedF32), pen: &Stroke) -> krilla::paint::Stroke {
    let (line_join, miter_limit) = match pen.join {
        scene::LineJoin::Miter(limit) => (LineJoin::Miter, limit.max(1.0)),
        scene::LineJoin::Round => (LineJoin::Round, 4.0),
        scene::LineJoin::Bevel => (LineJoin::Bevel, 4.0),
    };
    let line_cap = match pen.cap {
        scene::LineCap::Butt => LineCap::Butt,
        scene::LineCap::Round => LineCap::Round,
        scene::LineCap::Square => LineCap::Square,
    };
    let dash = (!pen.dashes.is_empty()).then(|| StrokeDash { array: pen.dashes.to_vec(), offset: pen.dash_offset });
    krilla::paint::Stroke { paint, width: pen.width, miter_limit, line_cap, line_join, opacity, dash }
}

/// Returns an invisible fill, for text over its own picture.
pub(super) fn invisible() -> Fill {
    Fill { paint: rgb::Color::black().into(), opacity: NormalizedF32::ZERO, rule: FillRule::NonZero }
}

/// Returns stops so close together that linear interpolation in sRGB matches OKLab with premultiplied alpha.
fn fine(stops: &[Stop]) -> Vec<krilla::paint::Stop> {
    let mut out = Vec::new();
    let mut reached = 0.0_f32;
    let mut push = |offset: f32, [r, g, b, a]: [f32; 4]| {
        // Two stops with the same offset are a hard edge; their offsets must preserve their order.
        let offset = if out.is_empty() { offset } else { offset.max(reached + HARD) };
        reached = offset;
        let color = if a > 0.0 { Color { r: r / a, g: g / a, b: b / a, a } } else { Color { r, g, b, a } };
        out.push(krilla::paint::Stop { offset: unit(offset), color: rgb_of(color).into(), opacity: unit(color.a) });
    };
    let mut last: Option<(f32, [f32; 4])> = None;
    for (i, stop) in stops.iter().enumerate() {
        let lab = multiplied(stop.color);
        let at = stop.offset.clamp(0.0, 1.0).max(last.map_or(0.0, |(at, _)| at));
        match last {
            Some((from, p)) if at > from => {
                let steps = if p == lab { 1 } else { STEPS };
                for i in 1..steps {
                    let f = i as f32 / steps as f32;
                    push(from + (at - from) * f, premultiplied(std::array::from_fn(|c| p[c] + (lab[c] - p[c]) * f)));
                }
            }
            _ => {}
        }
        push(at, end(stops, i));
        last = Some((at, lab));
    }
    out
}

/// Returns a colour in OKLab, premultiplied by its alpha, and alpha.
fn multiplied(color: Color) -> [f32; 4] {
    let [l, a, b] = color.to_oklab();
    [l * color.a, a * color.a, b * color.a, color.a]
}

/// Returns the premultiplied colour of stop `i`. A transparent stop takes the colour of the stop that fades into it.
fn end(stops: &[Stop], i: usize) -> [f32; 4] {
    let Color { r, g, b, a } = stops[i].color;
    if a > 0.0 {
        return [r * a, g * a, b * a, a];
    }
    let near = [i.checked_sub(1), Some(i + 1)].into_iter().flatten().filter_map(|at| stops.get(at));
    let Color { r, g, b, .. } = near.map(|stop| stop.color).find(|color| color.a > 0.0).unwrap_or(stops[i].color);
    [r, g, b, 0.0]
}

fn rgb_of(color: Color) -> rgb::Color {
    let [r, g, b, _] = color.to_rgba8();
    rgb::Color::new(r, g, b)
}

/// Clamps a number to 0–1; NaN becomes 0.
pub(super) fn unit(v: f32) -> NormalizedF32 {
    NormalizedF32::new(if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) }).unwrap_or(NormalizedF32::ZERO)
}
