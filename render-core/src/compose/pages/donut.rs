//! donut: a share of a whole as a ring true to scale, its figure inside, what it is a share of beside or under it.

use super::super::charts::{Tones, ring};
use super::super::figure::Figure;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{share, source, sourced};
use crate::design::{SlotId, Voice};
use crate::scene::{Point, Rect, TextLevel};

/// Width of a ring in proportion to its diameter: of one in fine lines, of the others, and what each du of a style's
/// strokes adds to those.
const FINE: f32 = 0.024;
const BROAD: f32 = 0.05;
const BY_STROKE: f32 = 0.0105;
/// The figure's share of the room inside its ring.
const INSIDE: (f32, f32) = (0.74, 0.36);

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (k, lead) = (frame.k, frame.lead);
    let Some(share) = share(setter) else {
        setter.misfit = true;
        return;
    };
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let cap = setter.page.sizes.title;
    let label = |most: f32| {
        let range = (frame.body_floor, most * lead);
        Spec::new(SlotId::Title, text, Voice::Head, TextLevel::Head, palette.ink, range).capped(cap)
    };
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => {
            let area = sourced(setter, area);
            let label = setter.set_at_most(label(1.75).lines(4), 0.92 * area.w(), 0.34 * area.h());
            let gap = 72.0 * k;
            let room = area.h() - label.depth() - gap;
            let side = room.min(0.94 * area.w());
            let spare = (room - side).max(0.0);
            let top = area.y0 + 0.4 * spare;
            draw(setter, Rect::at(area.x0, top, side, side), share);
            // The label stands under the ring; what is left over is shared above and below.
            setter.place(&label, area.x0, top + side + gap + 0.1 * spare);
        }
        Shape::Wide | Shape::Strip => {
            let side = area.h().min(0.44 * area.w());
            let top = area.y0 + (area.h() - side) / 2.0;
            draw(setter, Rect::at(area.x0, top, side, side), share);
            let x = area.x0 + (side + 84.0 * k).max(0.5 * area.w() * f32::from(u8::from(side > 0.4 * area.w())));
            let width = area.x1 - x;
            let source = source(setter, width);
            let under = source.as_ref().map_or(0.0, |s| s.depth() + 44.0 * k);
            let label = setter.set_at_most(label(2.0).lines(6), width, area.h() - under);
            let y = area.y0 + 0.5 * (area.h() - label.height() - under);
            setter.place(&label, x, y);
            if let Some(source) = &source {
                setter.place(source, x, y + label.depth() + 44.0 * k);
            }
        }
    }
}

/// The ring in its square, and the figure in its middle.
fn draw(setter: &mut Setter<'_>, square: Rect, share: f32) {
    let theme = setter.theme;
    let side = square.w();
    let width = side * if theme.stroke <= 3.0 { FINE } else { BROAD + BY_STROKE * theme.stroke.max(6.0) };
    let inks = Tones::of(setter);
    let center: Point = square.center();
    ring(setter, (center, side / 2.0), width, share, (inks.track, inks.hero));
    let inner = side - 2.0 * width;
    let figure = Figure::hero(setter, INSIDE.0 * inner, INSIDE.1 * inner);
    setter.misfit |= figure.width > 0.92 * inner;
    figure.place(setter, center.x - figure.width / 2.0, center.y - figure.height / 2.0);
}
