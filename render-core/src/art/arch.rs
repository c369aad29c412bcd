//! An arched window with a landscape at dusk: sky, sun, hills or a sea, with a fine line around it. One window or an
//! arcade.

use kurbo::BezPath;

use super::shapes::{add_line, at, bar, disc, fill, inside, line, linear, mix, radial, shape};
use super::{Easel, Scale, Zone, clipped, framed, inks, pen};
use crate::random::Chance;
use crate::scene::{Affine, Color, Point, Rect, Stroke};

/// The colours of the view.
struct Light {
    deep: Color,
    warm: Color,
    metal: Color,
}

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let stand = framed(easel, zone).rect;
    let k = pen(easel);
    let light = light(easel);
    let gap = 18.0 * k;
    // The outer line goes around the window.
    let room = Rect::new(stand.x0 + gap, stand.y0 + gap, stand.x1 - gap, stand.y1);
    let windows = windows(room, zone.scale, 2.0 * gap + 14.0 * k, chance);
    let view = windows.iter().fold(Rect::EMPTY, |all, w| all.union(w));
    let stroke = easel.rule.min(2.0) * k;
    let mut panes = BezPath::new();
    windows.iter().for_each(|w| arch(&mut panes, *w));
    clipped(easel, Affine::IDENTITY, inside(panes), |easel| landscape(easel, view, &light, chance, value));
    for window in &windows {
        let mut outline = BezPath::new();
        arch_line(&mut outline, Rect::new(window.x0 - gap, window.y0 - gap, window.x1 + gap, window.y1));
        easel.art(line(outline, Stroke::new(stroke), light.metal));
    }
}

/// Returns one window at the side, or several in a wide zone.
fn windows(room: Rect, scale: Scale, gap: f32, chance: &mut Chance) -> Vec<Rect> {
    let (w, h) = (room.w(), room.h());
    // A low zone gets several windows, because a single view would be small.
    let count = match (scale, w / h) {
        (Scale::Lead, a) if a > 1.7 => 3,
        (Scale::Lead, a) if a > 1.05 => 1 + 2 * chance.below(2),
        _ => 1,
    };
    if count == 3 {
        let width = ((w - 2.0 * gap) / 3.0).min(0.62 * h);
        let middle = chance.below(2) == 0;
        return (0..3)
            .map(|i| {
                let right = room.x1 - (2 - i) as f32 * (width + gap);
                let drop = if middle && i != 1 { 0.16 * h } else { 0.0 };
                Rect::new(right - width, room.y0 + drop, right, room.y1)
            })
            .collect();
    }
    let width = w.min(h * chance.range(0.62, 0.74));
    let height = h.min(width * 1.75);
    vec![Rect::new(room.x1 - width, room.y1 - height, room.x1, room.y1)]
}

/// Adds a window with a round head.
fn arch(path: &mut BezPath, r: Rect) {
    arch_line(path, r);
    path.close_path();
}

/// Adds the outline of a window without the sill.
fn arch_line(path: &mut BezPath, r: Rect) {
    let radius = 0.5 * r.w();
    let (head, mid, handle) = (r.y0 + radius, r.center().x, 0.552_284_8 * radius);
    let p = |x: f32, y: f32| at(Point::new(x, y));
    path.move_to(p(r.x0, r.y1));
    path.line_to(p(r.x0, head));
    path.curve_to(p(r.x0, head - handle), p(mid - handle, r.y0), p(mid, r.y0));
    path.curve_to(p(mid + handle, r.y0), p(r.x1, head - handle), p(r.x1, head));
    path.line_to(p(r.x1, r.y1));
}

/// Chooses the dark, the warm and the metallic colour among the page's inks.
fn light(easel: &Easel) -> Light {
    let inks = inks(easel);
    let nearest = |l: f32| {
        let off = |c: &Color| (c.to_oklch().l - l).abs();
        inks.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(inks[0])
    };
    Light { deep: nearest(0.36), warm: nearest(0.8), metal: easel.palette.line }
}

fn landscape(easel: &mut Easel, view: Rect, light: &Light, chance: &mut Chance, value: Option<f32>) {
    let (w, h) = (view.w(), view.h());
    let pale = mix(light.warm, Color::WHITE, 0.42);
    let sky = linear(
        Point::new(0.0, view.y0),
        Point::new(0.0, view.y1),
        &[(0.0, light.deep), (0.42, mix(light.deep, light.warm, 0.52)), (0.68, light.warm), (1.0, pale)],
    );
    easel.art(fill(bar(view.grow(2.0)), sky));
    let sea = chance.below(3) == 0;
    let ground = view.y0 + h * chance.range(0.76, 0.84);
    let radius = 0.27 * w.min(0.7 * h) * chance.range(0.85, 1.1);
    // The sun is as high as the share says, or low without one.
    let rise = value.unwrap_or_else(|| chance.range(0.42, 0.62)).clamp(0.2, 1.0);
    let x = view.center().x + w * chance.range(-0.12, 0.12);
    let sun = Point::new(x, ground + radius - 2.0 * radius * rise);
    let glow = [(0.0, mix(light.warm, Color::WHITE, 0.8)), (1.0, mix(light.warm, Color::WHITE, 0.36))];
    easel.art(fill(disc(sun, radius), radial(sun, radius, &glow)));
    let layers = [(0.0, 0.2, 0.9), (0.4, 0.02, 0.8), (0.78, -0.1, 0.6)];
    let shade = |by: f32, chroma: f32| super::shapes::lighter(light.deep, by, chroma);
    if sea {
        let coast = hills(view, ground, 0.05 * h, chance);
        easel.art(shape(coast, mix(light.deep, light.warm, 0.2)));
        water(easel, view, ground, sun, radius, light, chance);
        return;
    }
    for (down, by, chroma) in layers {
        let y = ground + (view.y1 - ground) * down;
        easel.art(shape(hills(view, y, 0.045 * h, chance), shade(by, chroma)));
    }
}

/// Returns a ridge of soft hills, filled down to the sill.
fn hills(view: Rect, y: f32, swell: f32, chance: &mut Chance) -> BezPath {
    let mut path = BezPath::new();
    let p = |x: f32, y: f32| at(Point::new(x, y));
    let start = y + swell * chance.range(-0.6, 0.6);
    path.move_to(p(view.x0 - 4.0, view.y1 + 4.0));
    path.line_to(p(view.x0 - 4.0, start));
    let mut here = (view.x0 - 4.0, start);
    let mut up = chance.below(2) == 0;
    while here.0 < view.x1 + 4.0 {
        let x = here.0 + (view.w() * chance.range(0.28, 0.46)).min(0.6 * view.h());
        let to = y + swell * if up { -chance.range(0.4, 1.0) } else { chance.range(0.2, 0.9) };
        let mid = 0.5 * (x - here.0);
        path.curve_to(p(here.0 + mid, here.1), p(x - mid, to), p(x, to));
        here = (x, to);
        up = !up;
    }
    path.line_to(p(here.0, view.y1 + 4.0));
    path.close_path();
    path
}

/// Draws a calm sea that reflects the sun's light.
fn water(easel: &mut Easel, view: Rect, y: f32, sun: Point, radius: f32, light: &Light, chance: &mut Chance) {
    let far = mix(light.deep, light.warm, 0.34);
    let sea = Rect::new(view.x0 - 4.0, y, view.x1 + 4.0, view.y1 + 4.0);
    let paint = linear(Point::new(0.0, y), Point::new(0.0, view.y1), &[(0.0, far), (1.0, light.deep)]);
    easel.art(fill(bar(sea), paint));
    let mut glints = BezPath::new();
    let rows = 7;
    for i in 0..rows {
        let t = (i as f32 + 0.6) / rows as f32;
        let half = radius * (0.95 - 0.6 * t) * chance.range(0.6, 1.1);
        let x = sun.x + radius * chance.range(-0.16, 0.16);
        let line = y + (view.y1 - y) * t;
        add_line(&mut glints, Point::new(x - half, line), Point::new(x + half, line));
    }
    let pen = Stroke::round(0.1 * (view.y1 - y) / 2.0);
    easel.art(line(glints, pen, mix(light.warm, Color::WHITE, 0.3)));
}
