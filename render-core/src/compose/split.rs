//! A page in two parts: which way it is divided, and what is drawn where they meet.

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use super::art::Chance;
use super::frame::{Frame, Shape};
use super::inks::Inks;
use super::setter::Setter;
use crate::design::{Archetype, Cut, Page, Palette, Theme};
use crate::scene::{Item, Rect, Role};

/// Length of a wave, and how far it swings to either side, in units.
const WAVE: (f32, f32) = (400.0, 36.0);
/// A canvas narrower than this against its height is divided across.
const SLIM: f32 = 0.72;

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
    pub fn of(page: &Page, frame: &Frame) -> Self {
        let shape = Frame::shape_of(&frame.text);
        let upright = matches!(shape, Shape::Tall | Shape::Upright);
        // Where a format keeps one side of the canvas clear, the parts share what is left.
        let at = |share: f32| frame.text.x0 + share * frame.text.w();
        match page.archetype {
            Archetype::MythFact if upright => Self::Stacked,
            Archetype::MythFact => Self::Beside(at(0.46)),
            Archetype::SplitVs if frame.size.aspect() < SLIM => Self::Stacked,
            Archetype::SplitVs if shape == Shape::Strip => Self::Beside(at(0.64)),
            Archetype::SplitVs => Self::Beside(at(0.5)),
            _ => Self::Whole,
        }
    }
}

/// The inks of the two parts: on two fields, or on one where the style rules off.
pub(super) fn inks(theme: &Theme, palette: &Palette) -> [Inks; 2] {
    let base = Inks::page(palette);
    [base, if theme.cut == Cut::Rule { base } else { Inks::field(palette) }]
}

/// How far to each side of where the parts meet something is drawn.
pub(super) fn swing(theme: &Theme, k: f32) -> f32 {
    match theme.cut {
        Cut::Wave => 1.35 * WAVE.1 * k,
        Cut::Straight | Cut::Rule => 0.0,
    }
}

/// Draws the lower part of a page that is divided at `y`; a rule keeps to `within`.
pub(super) fn below(setter: &mut Setter<'_>, y: f32, within: (f32, f32)) {
    let size = setter.frame.size;
    if setter.theme.cut == Cut::Rule {
        let line = setter.page.palette.line;
        return setter.rule(within.0, within.1, y, line);
    }
    let line = edge(setter, size.w, y);
    let (w, h) = (f64::from(size.w), f64::from(size.h));
    let mut field = line.clone();
    field.line_to((w + 40.0, h + 40.0));
    field.line_to((-40.0, h + 40.0));
    field.close_path();
    finish(setter, field, line);
}

/// Draws the right part of a page that is divided at `x`, from `top` down; a rule keeps to `within`.
pub(super) fn right(setter: &mut Setter<'_>, x: f32, top: f32, within: (f32, f32)) {
    let size = setter.frame.size;
    if setter.theme.cut == Cut::Rule {
        let (line, t) = (setter.page.palette.line, setter.theme.rule.min(2.0) * setter.frame.k);
        return setter.mark(Item::rect(Rect::new(x - t / 2.0, within.0, x + t / 2.0, within.1), line, Role::Mark));
    }
    let (w, h, top) = (f64::from(size.w), f64::from(size.h), f64::from(top));
    // The edge runs down: the wave turned by a quarter.
    let mut line = edge(setter, size.h - top as f32, 0.0);
    line.apply_affine(kurbo::Affine::new([0.0, 1.0, -1.0, 0.0, f64::from(x), top]));
    let mut field = line.clone();
    field.line_to((w + 40.0, h + 40.0));
    field.line_to((w + 40.0, top));
    field.close_path();
    let mut outline = line;
    if top > 0.0 {
        outline = field.clone();
    }
    finish(setter, field, outline);
}

/// Where two fields meet, from left to right over `length` at the height `y`.
fn edge(setter: &Setter<'_>, length: f32, y: f32) -> BezPath {
    let k = setter.frame.k;
    let mut path = BezPath::new();
    if setter.theme.cut != Cut::Wave {
        path.move_to((-40.0, f64::from(y)));
        path.line_to((f64::from(length) + 40.0, f64::from(y)));
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
    path.move_to((-40.0, f64::from(y0)));
    path.line_to((f64::from(x0), f64::from(y0)));
    for n in 1..=halves as usize {
        up = !up;
        let (x1, y1) = at(n as f32, &mut chance, up);
        let pull = 0.44 * (x1 - x0);
        let point = |x: f32, y: f32| (f64::from(x), f64::from(y));
        path.curve_to(point(x0 + pull, y0), point(x1 - pull, y1), point(x1, y1));
        (x0, y0) = (x1, y1);
    }
    path.line_to((f64::from(length) + 40.0, f64::from(y0)));
    path
}

/// Draws the field, and its edge as a line where the style outlines its tiles.
fn finish(setter: &mut Setter<'_>, field: BezPath, edge: BezPath) {
    let palette = setter.page.palette;
    setter.ground(Item::path(field, palette.field, Role::Field));
    let width = setter.theme.card.map_or(0.0, |c| c.stroke) * setter.frame.k;
    if width > 0.0 {
        let style = Stroke::new(f64::from(width)).with_caps(Cap::Butt).with_join(Join::Round);
        let line = stroke(&edge, &style, &StrokeOpts::default(), 0.05);
        setter.ground(Item::path(line, palette.ink, Role::Field));
    }
}
