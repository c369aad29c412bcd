//! pictogram: "3 in 4" as three marks of four, a few per cent as a few of a hundred: counted, not measured.

use super::super::charts::{Tones, Units, units};
use super::super::figure::Figure;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Setter, Spec};
use super::{share, source, sourced};
use crate::design::{SlotId, Voice};
use crate::outline::ratio;
use crate::scene::{Rect, Size, TextLevel};

/// How many units a share in per cent is counted in.
const HUNDRED: u32 = 100;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (k, lead) = (frame.k, frame.lead);
    let Some((counted, of)) = counts(setter) else {
        setter.misfit = true;
        return;
    };
    let text = setter.text(SlotId::Title).unwrap_or_default();
    let cap = setter.page.sizes.title;
    let label = |most: f32| {
        let range = (frame.body_floor, most * lead);
        Spec::new(SlotId::Title, text, Voice::Head, TextLevel::Head, palette.ink, range).capped(cap)
    };
    let inks = Tones::of(setter);
    let rest = if setter.theme.stroke <= 3.0 { inks.quiet } else { inks.track };
    let gap = 64.0 * k;
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => {
            let area = sourced(setter, area);
            let share = if of == HUNDRED { 0.2 } else { 0.24 };
            let figure = Figure::hero(setter, area.w(), share * area.h());
            let label = setter.set_at_most(label(1.6).lines(4), 0.94 * area.w(), 0.3 * area.h());
            let text = figure.height + gap + label.depth();
            let under = 84.0 * k;
            let grid = Units::fit(counted, of, Size::new(area.w(), area.h() - text - under));
            figure.place(setter, area.x0, area.y0);
            setter.place(&label, area.x0, area.y0 + figure.height + gap);
            let size = grid.size();
            // Content ends at the foot of its area, unless it would stand apart from its words.
            let low = area.y1 - size.h;
            let y = low.min(area.y0 + text + under + 0.12 * area.h());
            units(setter, grid, (area.x0, y), (rest, inks.hero));
        }
        Shape::Wide | Shape::Strip => {
            let share = if of == HUNDRED { 0.4 } else { 0.5 };
            let grid = Units::fit(counted, of, Size::new(share * area.w(), area.h()));
            let size = grid.size();
            let x = area.x1 - size.w;
            let width = x - area.x0 - 1.4 * gap;
            let source = source(setter, width);
            let foot = source.as_ref().map_or(0.0, |s| s.depth() + 40.0 * k);
            let figure = Figure::hero(setter, width, 0.42 * area.h());
            let room = area.h() - foot - figure.height - gap;
            let label = setter.set_at_most(label(1.7).lines(5), width, room);
            let spare = (room - label.depth()).max(0.0);
            let y = area.y0 + 0.4 * spare;
            figure.place(setter, area.x0, y);
            setter.place(&label, area.x0, y + figure.height + gap);
            if let Some(source) = &source {
                setter.place(source, area.x0, area.y1 - source.depth());
            }
            units(setter, grid, (x, area.y0 + (area.h() - size.h) / 2.0), (rest, inks.hero));
        }
    }
}

/// How many are counted of how many: the figure's own two numbers, else whole per cents of a hundred.
fn counts(setter: &Setter<'_>) -> Option<(u32, u32)> {
    let share = share(setter)?;
    let own = ratio(setter.text(SlotId::Value)?);
    let hundredths = libm::roundf(share * HUNDRED as f32);
    let whole = (share * HUNDRED as f32 - hundredths).abs() < 0.01 && hundredths >= 1.0;
    own.or(whole.then_some((hundredths as u32, HUNDRED)))
}
