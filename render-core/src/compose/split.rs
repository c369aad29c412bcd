//! A page in two parts: which way it is divided, what each part stands on, and what is drawn where they meet.

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use super::frame::{Frame, Shape};
use super::inks::Inks;
use super::pages::fill_stat;
use super::setter::Setter;
use crate::art::Chance;
use crate::design::{Archetype, Cut, Fields, Page, SlotId, Theme};
use crate::scene::{Item, Rect, Role};

/// Length of a wave, and how far it swings to either side, in units.
const WAVE: (f32, f32) = (400.0, 36.0);
/// A canvas narrower than this against its height is divided across.
const SLIM: f32 = 0.72;
/// How far fields reach over the edges of the canvas.
const OVER: f64 = 40.0;

/// How a page is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Split {
    /// Not at all.
    Whole,
    /// One part over the other.
    Stacked,
    /// One beside the other; they meet at this x.
    Beside(f32),
}

impl Split {
    /// How the archetype of `page` divides it.
    pub fn of(page: &Page, theme: &Theme, frame: &Frame) -> Self {
        let shape = Frame::shape_of(&frame.text);
        let upright = matches!(shape, Shape::Tall | Shape::Upright);
        // Where a format keeps one side of the canvas clear, the parts share what is left.
        let at = |share: f32| Self::Beside(frame.text.x0 + share * frame.text.w());
        match page.archetype {
            Archetype::FillStat => Self::Stacked,
            Archetype::MythFact if upright => Self::Stacked,
            Archetype::MythFact => at(0.46),
            Archetype::SplitVs if frame.size.aspect() < SLIM => Self::Stacked,
            Archetype::SplitVs if shape == Shape::Strip => at(0.64),
            Archetype::SplitVs => at(0.5),
            Archetype::PointSlide | Archetype::StepSlide => {
                let parted = theme.fields != Fields::One && page.text(SlotId::Body).is_some();
                match shape {
                    Shape::Tall | Shape::Upright if parted => Self::Stacked,
                    Shape::Wide if parted => at(0.6),
                    _ => Self::Whole,
                }
            }
            _ => Self::Whole,
        }
    }
}

/// The inks of the two parts of a page; of the same one twice where it isn't divided.
pub(super) fn parts(page: &Page, theme: &Theme, split: Split, frame: &Frame) -> [Inks; 2] {
    let base = Inks::page(&page.palette);
    if let Some(line) = fill_stat::waterline(page, frame) {
        // Head and foot stand on whichever field the share leaves them.
        let at = |y: f32| if y > line { Inks::field(&page.palette) } else { base };
        return [at(frame.text.y0), at(frame.text.y1)];
    }
    let pointed = matches!(page.archetype, Archetype::PointSlide | Archetype::StepSlide);
    match split {
        Split::Whole => [base; 2],
        _ if pointed && theme.fields == Fields::Upper => [Inks::field(&page.palette), base],
        _ if !pointed && theme.cut == Cut::Rule => [base; 2],
        _ => [base, Inks::field(&page.palette)],
    }
}

/// How far to each side of where the parts meet something is drawn.
pub(super) fn swing(theme: &Theme, k: f32) -> f32 {
    match theme.cut {
        Cut::Wave => 1.2 * WAVE.1 * k,
        Cut::Straight | Cut::Rule => 0.0,
    }
}

/// Divides the page at `y`: draws the part that doesn't stand on the page's ground, or a rule `within`.
pub(super) fn across(setter: &mut Setter<'_>, y: f32, within: (f32, f32)) {
    let size = setter.frame.size;
    let bg = setter.page.palette.bg;
    let [above, below] = setter.parts.map(|p| p.ground != bg);
    if !above && !below {
        let line = setter.page.palette.line;
        return setter.rule(within.0, within.1, y, line);
    }
    let line = edge(setter, size.w, y);
    let far = if above { -OVER } else { f64::from(size.h) + OVER };
    let mut field = line.clone();
    field.line_to((f64::from(size.w) + OVER, far));
    field.line_to((-OVER, far));
    field.close_path();
    finish(setter, field, &line);
}

/// Divides the page at `x`, from `top` down, likewise.
pub(super) fn down(setter: &mut Setter<'_>, x: f32, top: f32, within: (f32, f32)) {
    let size = setter.frame.size;
    let bg = setter.page.palette.bg;
    let [left, right] = setter.parts.map(|p| p.ground != bg);
    if !left && !right {
        let (line, t) = (setter.page.palette.line, setter.theme.rule.min(2.0) * setter.frame.k);
        return setter.mark(Item::rect(Rect::new(x - t / 2.0, within.0, x + t / 2.0, within.1), line, Role::Mark));
    }
    // The edge runs down: the wave turned by a quarter. A field that begins below the canvas's top begins flat.
    let over = if top > 0.0 { 0.0 } else { OVER };
    let mut line = edge(setter, size.h - top, 0.0);
    line.apply_affine(kurbo::Affine::new([0.0, 1.0, -1.0, 0.0, f64::from(x), f64::from(top)]));
    let far = if left { -OVER } else { f64::from(size.w) + OVER };
    let top = f64::from(top) - over;
    let mut field = BezPath::new();
    field.move_to((far, top));
    let mut elements = line.elements().to_vec();
    if let Some(kurbo::PathEl::MoveTo(start)) = elements.first_mut() {
        start.y = top;
        field.line_to(*start);
    }
    elements.iter().skip(1).for_each(|el| field.push(*el));
    field.line_to((far, f64::from(size.h) + OVER));
    field.close_path();
    let outline = if over > 0.0 { BezPath::from_vec(elements) } else { field.clone() };
    finish(setter, field, &outline);
}

/// Where two fields meet, from left to right over `length` at the height `y`, and a little further at both ends.
fn edge(setter: &Setter<'_>, length: f32, y: f32) -> BezPath {
    let k = setter.frame.k;
    let mut path = BezPath::new();
    if setter.theme.cut != Cut::Wave {
        path.move_to((-OVER, f64::from(y)));
        path.line_to((f64::from(length) + OVER, f64::from(y)));
        return path;
    }
    let mut chance = Chance::new(setter.page.seed ^ 0x77);
    // Crests and troughs in turn; each half wave is one curve with level ends.
    let halves = (2.0 * length / (WAVE.0 * k)).round().max(2.0);
    let step = length / halves;
    let at = |n: f32, chance: &mut Chance, up: bool| {
        let swing = WAVE.1 * k * chance.range(0.62, 1.0);
        let lean = if n > 0.0 && n < halves { chance.range(-0.12, 0.12) } else { 0.0 };
        ((n + lean) * step, y + if up { -swing } else { swing })
    };
    let mut up = chance.unit() < 0.5;
    let (mut x0, mut y0) = at(0.0, &mut chance, up);
    path.move_to((-OVER, f64::from(y0)));
    path.line_to((f64::from(x0), f64::from(y0)));
    for n in 1..=halves as usize {
        up = !up;
        let (x1, y1) = at(n as f32, &mut chance, up);
        let pull = 0.44 * (x1 - x0);
        let point = |x: f32, y: f32| (f64::from(x), f64::from(y));
        path.curve_to(point(x0 + pull, y0), point(x1 - pull, y1), point(x1, y1));
        (x0, y0) = (x1, y1);
    }
    path.line_to((f64::from(length) + OVER, f64::from(y0)));
    path
}

/// Draws the field, and its edge as a line where the style outlines its tiles.
fn finish(setter: &mut Setter<'_>, field: BezPath, edge: &BezPath) {
    let palette = setter.page.palette;
    setter.ground(Item::path(field, palette.field, Role::Field));
    let width = setter.theme.card.map_or(0.0, |c| c.stroke) * setter.frame.k;
    if width > 0.0 {
        let style = Stroke::new(f64::from(width)).with_caps(Cap::Butt).with_join(Join::Round);
        let line = stroke(edge, &style, &StrokeOpts::default(), 0.05);
        setter.ground(Item::path(line, palette.ink, Role::Field));
    }
}
