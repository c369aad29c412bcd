//! One file an archetype: how its slots are set in an area of any shape.

mod bar_rank;
mod before_after;
mod card;
mod checklist;
mod cover;
mod credit;
mod cycle;
mod day;
mod definition;
mod donut;
mod example;
mod facts;
pub(super) mod fill_stat;
mod funnel;
mod kpi_bento;
mod line_chart;
mod list;
mod list_bands;
mod list_numbered;
mod lockup;
mod mosaic;
mod myth_fact;
mod notice;
mod numeral;
mod parted;
mod pictogram;
mod point;
mod points;
mod process_flow;
mod process_rows;
mod pros_cons;
mod question;
mod quote;
mod recap;
mod rows;
mod split;
mod stat;
mod step;
mod table;
mod ticket;
mod timeline_h;
mod timeline_v;
mod tips_bento;
mod tree;
mod versus;
mod vertical_cover;

pub(crate) use table::MOST as TABLE;

use super::setter::{Set, Setter, Spec, UNDERLINED};
use super::sign;
use crate::art::{self, Scale, Zone};
use crate::design::{Archetype, Page, Recipe, SlotId, Voice};
use crate::scene::{Rect, TextLevel};
use crate::text::{TextSpan, addresses};

/// Sets the page's archetype in `area`.
pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match setter.page.archetype {
        Archetype::CoverType => cover::set(setter, area),
        Archetype::CoverMosaic => mosaic::set(setter, area),
        Archetype::CoverSplit => split::set(setter, area),
        Archetype::ArticleCard => card::set(setter, area),
        Archetype::CoverLockup => lockup::set(setter, area),
        Archetype::PointSlide => point::set(setter, area),
        Archetype::StepSlide => step::set(setter, area),
        Archetype::ExampleSlide => example::set(setter, area),
        Archetype::ListGrid => list::set(setter, area),
        Archetype::TimelineV => timeline_v::set(setter, area),
        Archetype::TimelineH => timeline_h::set(setter, area),
        Archetype::ProcessRows => process_rows::set(setter, area),
        Archetype::ProcessFlow => process_flow::set(setter, area),
        Archetype::Checklist => checklist::set(setter, area),
        Archetype::ListNumbered => list_numbered::set(setter, area),
        Archetype::TipsBento => tips_bento::set(setter, area),
        Archetype::ListBands => list_bands::set(setter, area),
        Archetype::Cycle => cycle::set(setter, area),
        Archetype::Funnel => funnel::set(setter, area),
        Archetype::Tree => tree::set(setter, area),
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
        Archetype::MythFact => myth_fact::set(setter, area),
        Archetype::Definition => definition::set(setter, area),
        Archetype::Qa => question::set(setter, area),
        Archetype::SplitVs => versus::set(setter, area),
        Archetype::ProsCons => pros_cons::set(setter, area),
        Archetype::CompareTable => table::set(setter, area),
        Archetype::Announcement | Archetype::Event | Archetype::Offer => notice::set(setter, area),
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
    let frame = setter.frame;
    let text = setter.text(SlotId::Attribution)?;
    let width = setter.signed_from.map_or(width, |end| width.min(end - sign::SOURCE_GAP * frame.k - frame.text.x0));
    // Whoever signs the page stands on the same line or under it: both are of one size.
    let signed = setter.text(SlotId::Handle).is_some();
    let range = (frame.small, if signed { frame.small } else { frame.small.max(0.76 * frame.body) });
    // A band at the side holds the headline alone.
    let on = setter.foot()[usize::from(setter.banded)];
    let spec = Spec::new(SlotId::Attribution, text, Voice::Label, TextLevel::Small, on.quiet, range);
    Some(setter.set(spec.lines(sign::SOURCE_LINES).on(on.ground), width))
}

/// Where the cap line of a source stands at the foot of an area: so that its last line is that of whoever signs the page
/// at the end of the foot.
fn at_foot(setter: &Setter<'_>, source: &Set<'_>, area: &Rect) -> f32 {
    let shared = setter.signed_from.is_some();
    area.y1 - if shared { 0.26 * setter.frame.small + source.height() } else { source.depth() }
}

/// Sets the source, if the page names one, at the foot of `area` and returns what is left over it.
fn sourced(setter: &mut Setter<'_>, area: Rect) -> Rect {
    let Some(source) = source(setter, 0.8 * area.w()) else { return area };
    let y = at_foot(setter, &source, &area);
    setter.place(&source, area.x0, y);
    Rect { y1: area.y1 - source.depth() - 60.0 * setter.frame.k, ..area }
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

/// A call on one line, smaller where it must be, rather than on two: an address broken in two is none.
fn on_one_line<'a>(setter: &Setter<'a>, spec: Spec<'a>, width: f32) -> Set<'a> {
    let small = (setter.frame.small, spec.range.1);
    let one = setter.set(spec.clone().range(small.0, small.1).lines(1), width);
    if one.fits { one } else { setter.set(spec.lines(3), width) }
}

/// With a line under the addresses of sites, which nobody can click on a picture but everybody should see.
fn underlined(spec: Spec<'_>) -> Spec<'_> {
    let spans = addresses(spec.text).map(|r| TextSpan::tagged(r, UNDERLINED)).collect();
    spec.spans(spans)
}

/// The items of a page that fall under a group.
fn members(page: &Page, group: u8) -> impl Iterator<Item = u8> {
    let count = page.item_count().min(crate::limits::PAGE_ITEMS) as u8;
    let of = |n: &u8| page.items.get(usize::from(*n)).map_or(0, |i| i.group);
    (0..count).filter(move |n| of(n) == group)
}

/// The voice of a few sentences that are to be read large: the style's heads where they are light enough for it.
fn reading(setter: &Setter<'_>) -> Voice {
    const LIGHT: u16 = 450;
    let head = setter.style(Voice::Head, setter.frame.body).face;
    if setter.fonts.weight(head) <= LIGHT { Voice::Head } else { Voice::Body }
}

/// Draws the page's art, if it has any.
fn art(setter: &mut Setter<'_>, rect: Rect, scale: Scale) {
    if let Some(page_art) = setter.page.art {
        setter.easel(|easel| art::draw(easel, &page_art, Zone { rect, scale }));
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
    if is_headed(setter) { area.y0 - 34.0 * setter.frame.k } else { 0.0 }
}

/// Whether something stands in the head line.
fn is_headed(setter: &Setter<'_>) -> bool {
    let signed = setter.text(SlotId::Brand).is_some() && !sign::stands_low(setter);
    setter.frame.has_chrome() && (signed || setter.text(SlotId::Kicker).is_some())
}

/// The lower end of art on the right: the canvas's edge, or over the foot line where something stands at its end.
fn art_bottom(setter: &Setter<'_>, area: &Rect) -> f32 {
    if is_footed(setter) { area.y1 } else { setter.frame.size.h }
}

/// Whether something stands at the end of the foot line.
fn is_footed(setter: &Setter<'_>) -> bool {
    let signed = setter.signed_from.is_some() || sign::stands_low(setter);
    setter.frame.has_chrome() && (setter.page.slide.is_some() || signed)
}

/// Room in du that art in a corner keeps from text.
const CLEAR: f32 = 46.0;

/// The lines of text that stand so far, with `clear` du around each. Text stands where it is read; art is drawn as if the
/// page were read from the left, and so are they.
pub(super) fn lines_grown(setter: &Setter<'_>, clear: f32) -> Vec<Rect> {
    let (w, rtl) = (setter.frame.size.w, setter.is_rtl());
    let unmirrored = |r: Rect| if rtl { Rect::new(w - r.x1, r.y0, w - r.x0, r.y1) } else { r };
    setter.blocks.iter().flat_map(|b| &b.lines).map(|l| unmirrored(l.ink).grow(clear)).collect()
}

/// Offers the page's art the lower corner at the end of the lines, up to `top` at the most, and as much of it as no text
/// comes near.
fn art_in_lower_corner(setter: &mut Setter<'_>, top: f32) {
    let size = setter.frame.size;
    let lines = lines_grown(setter, 0.7 * CLEAR * setter.frame.k);
    let square = |n: u8| {
        let side = f32::from(n) / 32.0 * size.short();
        Rect::new(size.w - side, size.h - side, size.w, size.h)
    };
    let free = |zone: &Rect| zone.y0 >= top && lines.iter().all(|l| l.intersect(zone).is_empty());
    if let Some(zone) = (9..=16).rev().map(square).find(free) {
        art(setter, zone, Scale::Accent);
    }
}

/// Offers the page's art the upper corner at the end of the lines, down to `bottom` at the most, and as much of it as no
/// text that stands there so far comes near.
fn art_in_corner(setter: &mut Setter<'_>, bottom: f32) {
    let Some(page_art) = setter.page.art else { return };
    let size = setter.frame.size;
    let round = page_art.recipe == Recipe::Limb;
    let lines = lines_grown(setter, if round { 0.7 } else { 1.0 } * CLEAR * setter.frame.k);
    let steps = || (5..=16).map(|n| n as f32 / 32.0);
    let tried =
        steps().flat_map(|h| steps().map(move |w| Rect::new(size.w * (1.0 - 1.2 * w), 0.0, size.w, h * size.h)));
    let free = |zone: &Rect| match page_art.recipe {
        // Its glow is round: text may stand in the corner of its zone that it leaves dark.
        Recipe::Limb => {
            let reach = libm::sqrtf(zone.w() * zone.w() + zone.h() * zone.h());
            let center = art::limb_center(zone, reach);
            // Its outermost glow can't be told from the night.
            let reach = art::LIMB_SEEN * reach;
            lines.iter().all(|l| {
                let (dx, dy) = ((l.x0 - center.x).max(center.x - l.x1), (l.y0 - center.y).max(center.y - l.y1));
                let (dx, dy) = (dx.max(0.0), dy.max(0.0));
                libm::sqrtf(dx * dx + dy * dy) >= reach
            })
        }
        _ => zone.y1 <= bottom && lines.iter().all(|l| l.intersect(zone).is_empty()),
    };
    // The largest, and of those the one nearest to a square.
    let value = |z: &Rect| z.area() * libm::sqrtf(z.w().min(z.h()) / z.w().max(z.h()));
    let best = tried.filter(free).max_by(|a, b| value(a).total_cmp(&value(b)));
    if let Some(zone) = best {
        art(setter, zone, Scale::Accent);
    }
}
