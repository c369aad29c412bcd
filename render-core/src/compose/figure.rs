//! A figure with its unit, one line of type: a sign ("%") is raised until its top stands on the figure's cap line, a word
//! stands on the baseline. No vendored face has raised forms of such signs (`sups`), so they are scaled.

use super::setter::{Set, Setter, Spec, Value};
use crate::design::{Field, SlotId, Voice};
use crate::scene::{Color, Rect, TextLevel};
use crate::text::TextSpan;

/// From the figure's ink to that of a sign, and to that of a word, in em of the figure.
const GAPS: (f32, f32) = (0.065, 0.12);
/// The same to a sign that stands on the baseline.
const LOW_GAP: f32 = 0.03;
/// How much heavier a unit is drawn, so that its strokes are no hairlines beside the figure's.
const HEAVIER: u16 = 100;
/// Tags of the figure's digits and of its unit.
const TAGS: (u8, u8) = (11, 12);

/// How a figure is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Where it comes from.
    pub slot: SlotId,
    /// How loud it is.
    pub level: TextLevel,
    /// The ink of its digits.
    pub ink: Color,
    /// The ink of its unit.
    pub unit: Color,
    /// Size of the unit against its figure; at 1 both are one text.
    pub scale: f32,
    /// Whether a sign is raised.
    pub raised: bool,
    /// Smallest and largest size in du.
    pub range: (f32, f32),
}

impl Manner {
    /// A page's one figure, a sign behind it raised: in the accent on the style's own ground.
    pub fn hero(setter: &Setter<'_>) -> Self {
        let palette = &setter.page.palette;
        let ink = if setter.page.field == Field::Base { palette.accent_text } else { palette.ink };
        let range = (2.0 * setter.frame.body, 17.0 * setter.frame.lead);
        Self { slot: SlotId::Value, level: TextLevel::Hero, ink, unit: ink, scale: 0.42, raised: true, range }
    }
}

/// A figure that has its size.
#[derive(Debug, Clone)]
pub(super) struct Figure<'a> {
    pub set: Set<'a>,
    pub width: f32,
    pub height: f32,
}

impl<'a> Figure<'a> {
    /// The largest figure that keeps `width` and stands at most `height` high.
    pub fn fit(setter: &Setter<'a>, value: &'a Value, manner: Manner, width: f32, height: f32) -> Self {
        // An edit's size is that of the figure at its largest: it has the room that it has.
        let by = setter.page.adjust.scale(manner.slot);
        let (least, most) = (manner.range.0 * by.min(1.0), manner.range.1 * by);
        let spans = unit_spans(setter, value, manner, most);
        let mut best = Self::at(setter, value, manner, most, &spans);
        // Everything scales with the size, so two corrections land on it.
        for _ in 0..2 {
            let by = (width / best.width).min(height / best.height).min(1.0);
            if by.is_nan() || by >= 0.999 {
                break;
            }
            best = Self::at(setter, value, manner, (best.set.laid.size * by * 0.998).max(least), &spans);
        }
        best.set.fits &= best.width <= width + 1.0;
        best.trimmed(setter)
    }

    /// The page's one figure, likewise.
    pub fn hero(setter: &Setter<'a>, width: f32, height: f32) -> Self {
        Self::fit(setter, setter.value, Manner::hero(setter), width, height)
    }

    /// The figure at one size.
    pub fn sized(setter: &Setter<'a>, value: &'a Value, manner: Manner, size: f32) -> Self {
        Self::at(setter, value, manner, size, &unit_spans(setter, value, manner, size)).trimmed(setter)
    }

    /// The same in a box of its own width, and of what stands around its ink.
    fn trimmed(self, setter: &Setter<'a>) -> Self {
        let trimmed = setter.set(self.set.spec.clone(), self.width + self.set.laid.size);
        Self { set: Set { fits: self.set.fits, ..trimmed }, ..self }
    }

    fn at(setter: &Setter<'a>, value: &'a Value, manner: Manner, size: f32, spans: &[TextSpan]) -> Self {
        let spec = Spec::new(manner.slot, &value.text, Voice::Figure, manner.level, manner.ink, (size, size)).lines(1);
        let inks = if manner.unit == manner.ink { Vec::new() } else { vec![(TAGS.1, manner.unit)] };
        let set = setter.set(spec.spans(spans.to_vec()).inks(inks), 100.0 * size);
        Self { width: set.reach(), height: set.height(), set }
    }

    /// Places it with its cap line at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        setter.place(&self.set, x, y);
    }
}

/// The figure's unit as a span: its raise and the room before it are measured on ink at `size`, and hold at any.
fn unit_spans(setter: &Setter<'_>, value: &Value, manner: Manner, size: f32) -> Vec<TextSpan> {
    let (text, end) = (value.text.as_str(), value.end);
    if end == 0 || end >= text.len() || manner.scale >= 1.0 {
        return Vec::new();
    }
    let style = setter.style(Voice::Figure, size);
    let (family, weight) = (setter.fonts.family(style.face), setter.fonts.weight(style.face));
    let heavier = if manner.unit == manner.ink { HEAVIER } else { 0 };
    let face = Some(setter.fonts.face(family, weight + heavier));
    // A sign can stand at the other side of them than their unit.
    let sign = text[..end].find(char::is_numeric).unwrap_or(0);
    let digits = TextSpan::tagged(sign..end, TAGS.0);
    let unit = TextSpan { face, scale: manner.scale, ..TextSpan::tagged(end..text.len(), TAGS.1) };
    let trial = Figure::at(setter, value, manner, size, &[digits.clone(), unit.clone()]);
    let ink = |tag: u8| {
        let pieces = trial.set.laid.pieces.iter().filter(|p| p.tag == tag);
        pieces.fold(Rect::EMPTY, |all, p| all.union(&p.ink))
    };
    let (figure, own) = (ink(TAGS.0), ink(TAGS.1));
    if figure.is_empty() || own.is_empty() {
        return vec![digits, unit];
    }
    let is_word = text[end..].trim_start().starts_with(char::is_alphabetic);
    // Behind the figure in reading order: on its left where the language runs that way.
    let apart = if own.x0 < figure.x0 { figure.x0 - own.x1 } else { own.x0 - figure.x1 };
    let gap = match (is_word, manner.raised) {
        (true, true) => GAPS.1,
        (true, false) => 0.5 * GAPS.1,
        (false, true) => GAPS.0,
        (false, false) => LOW_GAP,
    };
    let raise = if is_word || !manner.raised { 0.0 } else { own.y0 / size };
    vec![digits, TextSpan { raise, kern: gap - apart / size, ..unit }]
}
