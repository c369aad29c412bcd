//! One file an archetype: how its slots are set in an area of any shape.

mod bar_rank;
mod before_after;
mod cover;
mod donut;
pub(super) mod fill_stat;
mod kpi_bento;
mod line_chart;
mod list;
mod pictogram;
mod point;
mod quote;
mod recap;
mod rows;
mod stat;
mod step;
mod vertical_cover;

use super::art::{self, Scale, Zone};
use super::setter::{Set, Setter, Spec, UNDERLINED};
use crate::design::{Archetype, SlotId, Voice};
use crate::scene::{Rect, TextLevel};
use crate::text::{TextSpan, addresses};

/// Sets the page's archetype in `area`.
pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match setter.page.archetype {
        Archetype::CoverType => cover::set(setter, area),
        Archetype::PointSlide => point::set(setter, area),
        Archetype::StepSlide => step::set(setter, area),
        Archetype::ListGrid => list::set(setter, area),
        Archetype::BigStat => stat::set(setter, area),
        Archetype::FillStat => fill_stat::set(setter, area),
        Archetype::Donut => donut::set(setter, area),
        Archetype::Pictogram => pictogram::set(setter, area),
        Archetype::BeforeAfter => before_after::set(setter, area),
        Archetype::KpiBento => kpi_bento::set(setter, area),
        Archetype::LineChart => line_chart::set(setter, area),
        Archetype::BarRank => bar_rank::set(setter, area),
        Archetype::Quote => quote::set(setter, area),
        Archetype::RecapCta => recap::set(setter, area),
    }
}

/// What to do now, as a line under what a page says; a recap has a button for it.
fn call<'a>(setter: &Setter<'a>) -> Option<Spec<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Cta)?;
    let range = (frame.body_floor, 1.12 * frame.body.max(0.9 * frame.lead));
    Some(underlined(Spec::new(SlotId::Cta, text, Voice::Head, TextLevel::Head, palette.accent_text, range).lines(2)))
}

/// The share of a whole that the page's figure stands for.
fn share(setter: &Setter<'_>) -> Option<f32> {
    setter.page.art.and_then(|a| a.value).filter(|v| (0.0..=1.0).contains(v))
}

/// Where a figure comes from, as a line at the foot of an area.
fn source<'a>(setter: &Setter<'a>, width: f32) -> Option<Set<'a>> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let text = setter.text(SlotId::Attribution)?;
    let range = (frame.small, 0.8 * frame.body);
    let ink = setter.ink_at(frame.text.y1, palette.ink2);
    let spec = Spec::new(SlotId::Attribution, text, Voice::Label, TextLevel::Small, ink, range).lines(2);
    Some(setter.set(spec, width))
}

/// Sets the source, if the page names one, at the foot of `area` and returns what is left over it.
fn sourced(setter: &mut Setter<'_>, area: Rect) -> Rect {
    let Some(source) = source(setter, 0.8 * area.w()) else { return area };
    setter.place(&source, area.x0, area.y1 - source.depth());
    Rect { y1: area.y1 - source.depth() - 48.0 * setter.frame.k, ..area }
}

/// Texts that agree on their size: the largest at which each keeps `width`.
fn even<'a>(setter: &Setter<'a>, specs: Vec<Spec<'a>>, width: f32) -> Vec<Set<'a>> {
    let sets: Vec<Set<'a>> = specs.into_iter().map(|spec| setter.set(spec, width)).collect();
    let size = sets.iter().map(|s| s.laid.size).fold(f32::INFINITY, f32::min);
    let again = |set: Set<'a>| {
        let (least, most) = set.spec.range;
        if set.laid.size <= size { set } else { setter.set(set.spec.range(least, most.min(size)), width) }
    };
    sets.into_iter().map(again).collect()
}

/// The widest reach of some texts.
fn widest(sets: &[Set<'_>]) -> f32 {
    sets.iter().map(Set::reach).fold(0.0, f32::max)
}

/// With a line under the addresses of sites, which nobody can click on a picture but everybody should see.
fn underlined(spec: Spec<'_>) -> Spec<'_> {
    let spans = addresses(spec.text).map(|r| TextSpan::tagged(r, UNDERLINED)).collect();
    spec.spans(spans)
}

/// Draws the page's art, if it has any.
fn art(setter: &mut Setter<'_>, rect: Rect, scale: Scale) {
    if let Some(page_art) = setter.page.art {
        art::draw(setter, &page_art, Zone { rect, scale });
    }
}

/// Draws art on the parts of the canvas that no text may use (the format keeps them clear for controls laid over the
/// picture, or crops them), where they are large. Returns whether there were any.
fn art_on_clear_sides(setter: &mut Setter<'_>, scale: Scale) -> bool {
    let (size, text, k) = (setter.frame.size, setter.frame.text, setter.frame.k);
    let gap = 44.0 * k;
    let wide = |w: f32| w > 0.14 * size.w && w > 260.0;
    let (left, right) = (text.x0 - gap, size.w - text.x1 - gap);
    let below = size.h - text.y1 - gap;
    if wide(right) {
        art(setter, Rect::new(text.x1 + gap, 0.0, size.w, size.h), scale);
        if wide(left) {
            art(setter, Rect::new(0.0, 0.0, left, size.h), scale);
        }
        true
    } else if below > 0.22 * size.h && below > 260.0 {
        art(setter, Rect::new(0.0, text.y1 + gap, size.w, size.h), scale);
        true
    } else {
        false
    }
}

/// Whether the format itself leaves room for art outside the text area.
fn has_clear_side(setter: &Setter<'_>) -> bool {
    let (size, text, k) = (setter.frame.size, setter.frame.text, setter.frame.k);
    let (right, below) = (size.w - text.x1 - 44.0 * k, size.h - text.y1 - 44.0 * k);
    (right > 0.14 * size.w && right > 260.0) || (below > 0.22 * size.h && below > 260.0)
}

/// Top of the area that art may use: the canvas's edge, or under the head line where the page has one.
fn art_top(setter: &Setter<'_>, area: &Rect) -> f32 {
    let has_head = setter.text(SlotId::Kicker).is_some() && setter.frame.has_chrome();
    if has_head { area.y0 - 34.0 * setter.frame.k } else { 0.0 }
}
