//! Rising columns, quiet except the last one, which is in the accent. The last one is as high as the share if there is
//! one.

use super::shapes::{bar, fill, mix};
use super::{Easel, Scale, Zone, inks, pen};
use crate::random::Chance;
use crate::scene::Rect;

pub(super) fn draw(easel: &mut Easel, zone: Zone, chance: &mut Chance, value: Option<f32>) {
    let canvas = easel.size;
    let (k, r, edges, inks) = (pen(easel), zone.rect, zone.edges(canvas), inks(easel));
    let bg = easel.palette.bg;
    let count = if zone.scale == Scale::Lead { 7 + chance.below(5) } else { 5 + chance.below(3) };
    let step = r.w() / count as f32;
    let width = step * chance.range(0.58, 0.78);
    let growth = chance.range(0.9, 2.4);
    let least = chance.range(0.1, 0.2);
    let most = value.map_or_else(|| chance.range(0.86, 0.96), |v| v.clamp(0.08, 1.0));
    let dip = if chance.below(2) == 0 { chance.range(0.25, 0.6) } else { 2.0 };
    let foot = r.y1 + if edges.bottom { 20.0 } else { 0.0 };
    for i in 0..count {
        let t = i as f32 / (count - 1) as f32;
        let last = i + 1 == count;
        let wobble = if last { 0.0 } else { chance.range(-0.04, 0.04) };
        // Some have a dip in the middle, like real figures.
        let off = if (t - dip).abs() < 0.5 / count as f32 { 0.12 } else { 0.0 };
        let share = (least + (most - least) * libm::powf(t, growth) + wobble - off).max(0.06);
        let right = r.x1 - (count - 1 - i) as f32 * step;
        let column = Rect::new(
            right - width,
            r.y1 - share * r.h(),
            if last && edges.right { right + 20.0 } else { right },
            foot,
        );
        let ink = if last { inks[1] } else { mix(mix(bg, inks[3], 0.5), inks[3], t) };
        easel.art(fill(bar(column), ink));
    }
    if !edges.bottom {
        let end = r.x1 + if edges.right { 20.0 } else { 0.0 };
        easel.art(fill(bar(Rect::new(r.x0, r.y1 - 3.0 * k, end, r.y1)), inks[0]));
    }
}
