//! big-stat: one figure over the full width, what it means above it, where it comes from below.

use super::super::art::Scale;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Set, Setter, Spec};
use super::{art, art_on_clear_sides};
use crate::design::{SlotId, Voice};
use crate::scene::{Item, Rect, Role, TextLevel};
use crate::text::TextSpan;

/// Words that a label begins with where its figure is a share of a whole.
const OF: [&str; 18] = [
    "of", "der", "des", "von", "aller", "de", "del", "di", "dei", "degli", "van", "dos", "das", "af", "av", "из",
    "всех", "των",
];
/// Size of a unit against its figure.
const UNIT: f32 = 0.42;
/// From the figure's ink to that of a sign, and to that of a word, in em of the figure.
const GAPS: (f32, f32) = (0.065, 0.12);
/// How much heavier a unit is drawn, so that its strokes are no hairlines beside the figure's.
const HEAVIER: u16 = 100;
/// Tags of the figure's digits and of its unit.
const TAGS: (u8, u8) = (11, 12);

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, palette) = (setter.frame, setter.page.palette);
    let (b, k) = (frame.body, frame.k);
    let shape = Frame::shape_of(&area);
    let label = Spec::new(
        SlotId::Title,
        setter.text(SlotId::Title).unwrap_or_default(),
        Voice::Head,
        TextLevel::Head,
        palette.ink,
        (frame.body_floor, 1.4 * frame.lead),
    )
    .capped(setter.page.sizes.title);
    let source = setter.text(SlotId::Attribution).map(|text| {
        let ink = palette.ink2;
        Spec::new(SlotId::Attribution, text, Voice::Label, TextLevel::Small, ink, (frame.small, 0.8 * b)).lines(2)
    });
    match shape {
        Shape::Tall | Shape::Upright => {
            let source = source.map(|s| setter.set(s, 0.8 * area.w()));
            let foot = source.as_ref().map_or(0.0, |s| s.depth() + 48.0 * k);
            let label = setter.set(label.lines(4), 0.84 * area.w());
            let gap = 84.0 * k;
            let room = area.h() - foot - label.depth() - gap;
            let figure = Figure::fit(setter, area.w(), (0.62 * room).min(0.62 * area.w()));
            let share = share(setter);
            let bar = if share.is_some() { 48.0 * k } else { 0.0 };
            let bar_gap = if share.is_some() { 72.0 * k } else { 0.0 };
            let used = label.height() + gap + figure.height + bar_gap + bar;
            let spare = (area.h() - foot - used).max(0.0);
            let top = area.y0 + (0.3 * spare).min(0.16 * area.h());
            // A label that goes on from the figure ("62 % less water …") stands under it, one of its own above.
            let goes_on = label.spec.text.chars().next().is_some_and(char::is_lowercase);
            let mut end = if goes_on {
                figure.place(setter, area.x0, top);
                setter.place(&label, area.x0, top + figure.height + gap);
                top + figure.height + gap + label.height()
            } else {
                setter.place(&label, area.x0, top);
                figure.place(setter, area.x0, top + label.height() + gap);
                top + label.height() + gap + figure.height
            };
            if let Some(share) = share {
                end += bar_gap + bar;
                share_bar(setter, Rect::new(area.x0, end - bar, area.x1, end), share);
            }
            if let Some(source) = &source {
                setter.place(source, area.x0, area.y1 - source.depth());
            }
            let below = Rect::new(0.46 * frame.size.w, end + 96.0 * k, frame.size.w, area.y1 - foot - 24.0 * k);
            // A bar is the figure's art; a second picture beside it would say nothing.
            if !art_on_clear_sides(setter, Scale::Accent) && share.is_none() && below.h() > 0.16 * frame.size.h {
                art(setter, below, Scale::Accent);
            }
        }
        Shape::Wide | Shape::Strip => {
            let figure = Figure::fit(setter, 0.56 * area.w(), 0.62 * area.h());
            let x = area.x0 + figure.width + 72.0 * k;
            let width = area.x1 - x;
            let label = setter.set(label.lines(6).range(frame.body_floor, 1.5 * b), width);
            let source = source.map(|s| setter.set(s, width));
            let bar = 44.0 * k;
            let has_bar = share(setter).is_some() && area.h() - figure.height > 4.4 * bar;
            let y = area.y0 + 0.5 * (area.h() - figure.height - if has_bar { 2.2 * bar } else { 0.0 });
            figure.place(setter, area.x0, y);
            // The label stands on the figure's cap line, the source on its baseline.
            let low = source.as_ref().map_or(0.0, |s| s.height() + 40.0 * k);
            let fits_beside = label.height() + low <= figure.height;
            let top = if fits_beside { y } else { area.y0 + 0.5 * (area.h() - label.height() - low) };
            setter.place(&label, x, top);
            if let Some(source) = &source {
                let at =
                    if fits_beside { y + figure.height - source.height() } else { top + label.height() + 40.0 * k };
                setter.place(source, x, at);
            }
            if let Some(share) = share(setter).filter(|_| has_bar) {
                share_bar(setter, Rect::new(area.x0, area.y1 - bar, area.x1, area.y1), share);
            }
            art_on_clear_sides(setter, Scale::Accent);
        }
    }
}

/// The share of a whole that the figure stands for, if it is one.
fn share(setter: &Setter<'_>) -> Option<f32> {
    let value = setter.page.art.and_then(|a| a.value);
    // "64 % of respondents" is a share of a whole; "meeting hours fell: 38 %" is none, and a bar would claim it.
    let of = setter.text(SlotId::Title).and_then(|t| t.split_whitespace().next()).is_some_and(|w| OF.contains(&w));
    value.filter(|v| of && (0.0..=1.0).contains(v) && setter.text(SlotId::Unit) == Some("%"))
}

/// A bar true to scale: the whole, and the share of it.
fn share_bar(setter: &mut Setter<'_>, whole: Rect, share: f32) {
    let palette = setter.page.palette;
    let r = setter.theme.radius.min(16.0 * setter.frame.k).min(whole.h() / 2.0);
    setter.mark(Item::rounded(whole, [r; 4], palette.surface, Role::Field));
    let part = Rect { x1: whole.x0 + share * whole.w(), ..whole };
    let r = r.min(part.w() / 2.0);
    setter.mark(Item::rounded(part, [r; 4], palette.accent, Role::Field));
}

/// A figure with its unit, one line of type: a sign ("%") is raised until its top stands on the figure's cap line, a word
/// stands on the baseline. No vendored face has raised forms of such signs (`sups`), so they are scaled.
pub(super) struct Figure<'a> {
    set: Set<'a>,
    /// From its left edge to the farthest ink.
    pub width: f32,
    /// From its cap line to its baseline.
    pub height: f32,
}

impl<'a> Figure<'a> {
    /// The largest figure that keeps `width` and stands at most `height` high.
    pub fn fit(setter: &Setter<'a>, width: f32, height: f32) -> Self {
        let b = setter.frame.body;
        let most = 17.0 * setter.frame.lead;
        let spans = unit_spans(setter, most);
        let mut best = Self::at(setter, most, &spans);
        // Everything scales with the size, so two corrections land on it.
        for _ in 0..2 {
            let by = (width / best.width).min(height / best.height).min(1.0);
            if by >= 0.999 {
                break;
            }
            best = Self::at(setter, (best.set.laid.size * by * 0.998).max(2.0 * b), &spans);
        }
        best
    }

    fn at(setter: &Setter<'a>, size: f32, spans: &[TextSpan]) -> Self {
        let palette = setter.page.palette;
        let ink = if setter.page.field == crate::design::Field::Base { palette.accent_text } else { palette.ink };
        let text = setter.value.text.as_str();
        let spec = Spec::new(SlotId::Value, text, Voice::Figure, TextLevel::Hero, ink, (size, size)).lines(1);
        let set = setter.set(spec.spans(spans.to_vec()), 100.0 * size);
        Self { width: set.reach(), height: set.height(), set }
    }

    /// Places it with its cap line at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        setter.place(&self.set, x, y);
    }
}

/// The figure's unit as a span: its raise and the room before it are measured on ink at `size`, and hold at any.
fn unit_spans(setter: &Setter<'_>, size: f32) -> Vec<TextSpan> {
    let (text, end) = (setter.value.text.as_str(), setter.value.end);
    if end == 0 || end >= text.len() {
        return Vec::new();
    }
    let style = setter.style(Voice::Figure, size);
    let (family, weight) = (setter.fonts.family(style.face), setter.fonts.weight(style.face));
    let face = Some(setter.fonts.face(family, weight + HEAVIER));
    let digits = TextSpan::tagged(0..end, TAGS.0);
    let unit = TextSpan { face, scale: UNIT, ..TextSpan::tagged(end..text.len(), TAGS.1) };
    let trial = Figure::at(setter, size, &[digits.clone(), unit.clone()]);
    let ink = |tag: u8| {
        let pieces = trial.set.laid.pieces.iter().filter(|p| p.tag == tag);
        pieces.fold(Rect::EMPTY, |all, p| all.union(&p.ink))
    };
    let (figure, own) = (ink(TAGS.0), ink(TAGS.1));
    if figure.is_empty() || own.is_empty() {
        return vec![digits, unit];
    }
    let is_word = text[end..].starts_with('\u{a0}');
    // Behind the figure in reading order: on its left where the language runs that way.
    let apart = if own.x0 < figure.x0 { figure.x0 - own.x1 } else { own.x0 - figure.x1 };
    let gap = if is_word { GAPS.1 } else { GAPS.0 };
    let raise = if is_word { 0.0 } else { own.y0 / size };
    vec![digits, TextSpan { raise, kern: gap - apart / size, ..unit }]
}
