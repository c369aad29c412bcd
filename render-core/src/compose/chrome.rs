//! What frames the content of a page: the running title above, progress and page number below. It stands in the same
//! place on every slide of a set.

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use super::heading;
use super::inks::mix;
use super::setter::{Setter, Spec};
use super::sign::{self, Taken};
use super::split::Split;
use crate::content::Language;
use crate::design::{Archetype, Field, Slide, SlotId, Voice, Writing};
use crate::scene::{Color, Item, Point, Rect, Role, TextLevel};
use crate::text::Align;

/// From the head to the content in units, on a page that is high.
const GAP: f32 = 88.0;
/// Radius of the disc around the arrow that says there is more.
const ARROW: f32 = 40.0;

/// Draws head and foot, and returns the area left between them.
pub(super) fn draw(setter: &mut Setter<'_>) -> Rect {
    let frame = setter.frame;
    let mut area = frame.text;
    fine_frame(setter);
    if !frame.has_chrome() {
        return area;
    }
    let k = frame.k;
    // A page that isn't high has less to give.
    let air = f32::from(setter.page.adjust.space) / 100.0;
    let gap = air * (GAP * (frame.text.h() / frame.text.w() - 0.25)).clamp(0.62 * GAP, GAP) * k;
    let low = sign::stands_low(setter);
    let signed = if low { None } else { sign::draw(setter, area) };
    if let Some(text) = setter.text(SlotId::Kicker).filter(|_| !heading::takes_kicker(setter)) {
        let ink = if setter.banded { setter.page.palette.on_field } else { setter.parts[0].quiet };
        let spec = Spec::new(SlotId::Kicker, text, Voice::Label, TextLevel::Small, ink, (frame.small, frame.small));
        // It stands on one field where the page has two side by side.
        let width = match setter.split {
            Split::Beside(x) if setter.page.archetype != Archetype::SplitVs => x - area.x0 - 40.0 * k,
            _ => area.w(),
        };
        // Beside a brand it stands at the other end of the line.
        let Taken { start, end, .. } = signed.unwrap_or_default();
        let beside = |taken: f32| if taken > 0.0 { taken + 48.0 * k } else { 0.0 };
        let (start, end) = (beside(start), beside(end));
        let spec = if start > 0.0 { spec.align(Align::End) } else { spec };
        let set = setter.set(spec.lines(1), width - start - end);
        if set.fits || start + end == 0.0 {
            setter.place(&set, area.x0 + start, area.y0);
        }
        area.y0 += set.height() + gap;
    } else if signed.is_some() {
        area.y0 += 0.72 * frame.small + gap;
    }
    area.y0 += signed.map_or(0.0, |taken| taken.below);
    let foot = foot(setter);
    if foot > 0.0 {
        area.y1 -= foot + 0.88 * gap;
    }
    area
}

/// A fine frame around the page, where the style has one and the canvas is no strip.
fn fine_frame(setter: &mut Setter<'_>) {
    // A deep field that contrasts is a picture of its own.
    let Some(inset) = setter.theme.frame.filter(|_| setter.page.field != Field::Accent) else { return };
    let (size, t) = (setter.frame.size, setter.theme.rule);
    let inset = inset.min(0.4 * setter.frame.text.x0);
    if size.short() < 900.0 || size.aspect() > 2.6 {
        return;
    }
    let color = setter.page.palette.line;
    let whole = Rect::new(0.0, 0.0, size.w, size.h).grow(-inset);
    for side in [
        Rect::new(whole.x0, whole.y0, whole.x1, whole.y0 + t),
        Rect::new(whole.x0, whole.y1 - t, whole.x1, whole.y1),
        Rect::new(whole.x0, whole.y0 + t, whole.x0 + t, whole.y1 - t),
        Rect::new(whole.x1 - t, whole.y0 + t, whole.x1, whole.y1 - t),
    ] {
        setter.mark(Item::rect(side, color, Role::Mark));
    }
}

/// Draws the foot and returns its height; 0 where there is none, or what stands there shares its line.
fn foot(setter: &mut Setter<'_>) -> f32 {
    let frame = setter.frame;
    // The foot's baseline; descenders stay inside the text area.
    let base = frame.text.y1 - 0.26 * frame.small;
    match setter.page.slide.filter(|s| s.count > 1 && !setter.page.adjust.unnumbered) {
        Some(slide) => place_in_set(setter, slide, base),
        _ if setter.page.adjust.logo.place.is_low() => sign::logo_in_foot(setter, base),
        None if sign::stands_low(setter) => sign::draw_low(setter, base),
        None => sign::address(setter, base),
    }
}

/// A text of the foot, in its quiet ink, at one end of it.
pub(super) fn foot_label<'a>(setter: &Setter<'a>, slot: SlotId, text: &'a str, align: Align) -> Spec<'a> {
    let small = setter.frame.small;
    let on = setter.foot()[usize::from(align == Align::End)];
    let spec = Spec::new(slot, text, Voice::Label, TextLevel::Small, on.quiet, (small, small));
    spec.lines(1).align(align).on(on.ground)
}

/// Where a slide stands in its set: its progress, and its number or the cue to swipe on.
fn place_in_set(setter: &mut Setter<'_>, slide: Slide, base: f32) -> f32 {
    let frame = setter.frame;
    let (k, area) = (frame.k, frame.text);
    let number = foot_label(setter, SlotId::Counter, setter.counter, Align::End);
    if setter.page.writing == Writing::Vertical {
        // Read from right to left, a set is numbered at the left, and quietly.
        let number = Spec { color: setter.page.palette.ink, ..number }.align(Align::Start);
        let set = setter.set(number, 400.0 * k);
        setter.place(&set, area.x0, base - set.height());
        return frame.small;
    }
    let mid = base - 0.36 * frame.small;
    track(setter, slide.index, slide.count, mid);
    if slide.index > 0 {
        let number = Spec { color: setter.foot()[1].ink, ..number };
        let set = setter.set(number, 200.0 * k);
        setter.place(&set, area.x1 - 200.0 * k, base - set.height());
    } else if frame.cued {
        let r = ARROW * k;
        let center = Point::new(area.x1 - r, mid);
        let (disc, arrow_ink) = (setter.foot()[1].ink, setter.foot()[1].ground);
        setter.mark(Item::circle(center, r, disc, Role::Mark));
        setter.mark(arrow(center, 0.6 * r, 3.4 * k, arrow_ink));
        // Under a wave it waits until that is drawn: its ground isn't known before.
        if !setter.cut {
            cue(setter);
        }
        return frame.small.max(r + base - mid - 20.0 * k);
    }
    frame.small
}

/// What to do with a cover, in its language, before the arrow at the end of the foot; where the page is one of a set that
/// is leafed through.
pub(super) fn cue(setter: &mut Setter<'_>) {
    let frame = setter.frame;
    let first = setter.page.slide.is_some_and(|s| s.count > 1 && s.index == 0) && !setter.page.adjust.unnumbered;
    if !first || !frame.cued || !frame.has_chrome() || setter.page.writing == Writing::Vertical {
        return;
    }
    let (base, taken) = (frame.text.y1 - 0.26 * frame.small, (2.0 * ARROW + 24.0) * frame.k);
    let Some(word) = swipe(&setter.page.locale.language) else { return };
    let spec = foot_label(setter, SlotId::Counter, word, Align::End);
    let spec = Spec { color: setter.foot()[1].ink, ..spec };
    // Progress has the other half.
    let room = 0.5 * frame.text.w() - taken;
    let set = setter.set(spec, room.max(1.0));
    if set.fits {
        setter.place(&set, frame.text.x1 - taken - room, base - set.height());
    }
}

/// "Swipe" in the languages that we know the word of.
fn swipe(language: &Language) -> Option<&'static str> {
    Some(match language.primary() {
        "en" | "nl" | "da" => "Swipe",
        "de" => "Weiter",
        "fr" => "Glissez",
        "es" => "Desliza",
        "it" => "Scorri",
        "pt" => "Deslize",
        "sv" => "Svep",
        "no" | "nb" | "nn" => "Sveip",
        "fi" => "Pyyhkäise",
        "pl" => "Przesuń",
        "cs" => "Posuňte",
        "sk" => "Posuňte",
        "hu" => "Lapozz",
        "ro" => "Glisează",
        "bg" => "Плъзнете",
        "ru" => "Листайте",
        "uk" => "Гортайте",
        "el" => "Σύρετε",
        "tr" => "Kaydır",
        "ar" => "اسحب",
        "fa" => "بکشید",
        "he" => "החליקו",
        "hi" => "स्वाइप करें",
        "ja" => "スワイプ",
        "zh" => "左滑查看",
        "ko" => "넘기기",
        _ => return None,
    })
}

/// Progress: one mark a slide where there is room to see them apart, else one bar filled so far.
fn track(setter: &mut Setter<'_>, index: u32, count: u32, mid: f32) {
    let frame = setter.frame;
    let k = frame.k;
    let on = setter.foot()[0];
    // A style whose rules are as loud as its type has paler ones here, or none would be seen to be idle.
    let loud = on.line.contrast(on.ink) < 2.0 || on.line.contrast(on.ground) > 2.2;
    let off = if loud { mix(on.ground, on.ink, 0.25) } else { on.line };
    let room = match setter.split {
        Split::Beside(x) => (0.46 * frame.text.w()).min(x - frame.text.x0 - 40.0 * k),
        // It stays on the band that a headline stands on.
        Split::Whole | Split::Stacked if on.ground != setter.page.palette.bg => 0.24 * frame.text.w(),
        Split::Whole | Split::Stacked => 0.46 * frame.text.w(),
    };
    let on = on.ink;
    let (h, gap) = (8.0 * k, 10.0 * k);
    let width = ((room - gap * (count - 1) as f32) / count as f32).min(52.0 * k);
    let x0 = frame.text.x0;
    let bar =
        |x: f32, w: f32, color: Color| Item::rounded(Rect::at(x, mid - h / 2.0, w, h), [h / 2.0; 4], color, Role::Mark);
    if width >= 16.0 * k {
        for i in 0..count {
            setter.mark(bar(x0 + i as f32 * (width + gap), width, if i <= index { on } else { off }));
        }
    } else {
        setter.mark(bar(x0, room, off));
        setter.mark(bar(x0, room * (index + 1) as f32 / count as f32, on));
    }
}

/// An arrow to the right of length `length`, centred.
pub(super) fn arrow(center: Point, length: f32, width: f32, color: Color) -> Item {
    let (x, y, l) = (f64::from(center.x), f64::from(center.y), f64::from(length) / 2.0);
    let mut path = BezPath::new();
    path.move_to((x - l, y));
    path.line_to((x + l, y));
    path.move_to((x + 0.15 * l, y - 0.85 * l));
    path.line_to((x + l, y));
    path.line_to((x + 0.15 * l, y + 0.85 * l));
    let style = Stroke::new(f64::from(width)).with_caps(Cap::Round).with_join(Join::Round);
    Item::path(stroke(&path, &style, &StrokeOpts::default(), 0.05), color, Role::Mark)
}
