//! A code as a ticket: an outline with a bite out of either side, what it is before a dotted line, the code behind it.

use std::sync::Arc;

use kurbo::{BezPath, Shape, Vec2};

use super::super::setter::{Set, Setter, Spec};
use crate::design::{SlotId, Voice};
use crate::scene::{Coverage, Item, Paint, Rect, Role, Stroke, TextLevel};

/// A ticket that has its size, but no place yet.
pub(super) struct Ticket<'a> {
    label: Option<Set<'a>>,
    code: Set<'a>,
    pad: (f32, f32),
    /// Its outline.
    pub size: (f32, f32),
}

/// Whether words are a code: one word in capitals and figures.
pub(super) fn is_code(text: &str) -> bool {
    let long = (3..=20).contains(&text.chars().count());
    let plain = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    long && plain && text.chars().filter(char::is_ascii_uppercase).count() >= 2
}

impl<'a> Ticket<'a> {
    /// The code of item `n` in at most `width`, in type of `size` where that fits.
    pub fn of(setter: &Setter<'a>, n: u8, width: f32, size: f32) -> Option<Self> {
        let (frame, palette) = (setter.frame, &setter.page.palette);
        let text = setter.text(SlotId::ItemHead(n))?;
        let small = (0.6 * size).max(frame.small);
        let label = setter.text(SlotId::ItemLabel(n)).map(|text| {
            let spec =
                Spec::new(SlotId::ItemLabel(n), text, Voice::Label, TextLevel::Small, palette.ink2, (small, small));
            setter.set(spec.lines(1), 0.4 * width)
        });
        let pad = (0.8 * size, 0.72 * size);
        let before = label.as_ref().map_or(0.0, |l| l.reach() + 2.0 * pad.0);
        let range = (0.7 * frame.body_floor, size);
        let spec = Spec::new(SlotId::ItemHead(n), text, Voice::Data, TextLevel::Head, palette.ink, range).lines(1);
        let code = setter.set(spec, width - before - 2.0 * pad.0);
        let size = (before + code.reach() + 2.0 * pad.0, code.height() + 2.0 * pad.1);
        Some(Self { label, code, pad, size })
    }

    /// Places it with its upper left corner at (x, y).
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        let (k, palette) = (setter.frame.k, setter.page.palette);
        let (w, h) = self.size;
        let width = setter.theme.stroke.clamp(3.0, 6.0) * k;
        let ink = Paint::Solid(palette.accent_text);
        let round = setter.theme.radius.min(14.0) * k;
        let outline = outline(Rect::at(x, y, w, h).grow(-width / 2.0), 0.17 * h, round);
        let coverage = Coverage::Stroke { path: Arc::new(outline), stroke: Stroke::new(width) };
        setter.mark(Item::new(coverage, ink.clone(), Role::Mark));
        let mut left = x + self.pad.0;
        if let Some(label) = &self.label {
            // Both words stand on one baseline.
            setter.place(label, left, y + self.pad.1 + self.code.height() - label.height());
            left += label.reach() + self.pad.0;
            let dot = 0.5 * width;
            let mut path = BezPath::new();
            path.move_to((f64::from(left), f64::from(y + 0.2 * h)));
            path.line_to((f64::from(left), f64::from(y + 0.8 * h)));
            let dashes: Arc<[f32]> = Arc::from([0.01, 4.5 * dot]);
            let stroke = Stroke { dashes, ..Stroke::round(2.0 * dot) };
            setter.mark(Item::new(Coverage::Stroke { path: Arc::new(path), stroke }, ink, Role::Mark));
            left += self.pad.0;
        }
        setter.place(&self.code, left, y + self.pad.1);
    }
}

/// A rectangle with a half circle of radius `bite` cut out of the middle of its left and right sides.
fn outline(r: Rect, bite: f32, round: f32) -> BezPath {
    let [x0, y0, x1, y1, bite, c] = [r.x0, r.y0, r.x1, r.y1, bite, round].map(f64::from);
    let middle = 0.5 * (y0 + y1);
    let turn = std::f64::consts::FRAC_PI_2;
    let mut path = BezPath::new();
    let arc = |path: &mut BezPath, (x, y): (f64, f64), r: f64, start: f64, sweep: f64| {
        let arc = kurbo::Arc::new((x, y), Vec2::new(r, r), start, sweep, 0.0);
        path.extend(arc.path_elements(0.02).skip(1));
    };
    path.move_to((x0 + c, y0));
    path.line_to((x1 - c, y0));
    if c > 0.0 {
        arc(&mut path, (x1 - c, y0 + c), c, -turn, turn);
    }
    path.line_to((x1, middle - bite));
    arc(&mut path, (x1, middle), bite, -turn, -2.0 * turn);
    path.line_to((x1, y1 - c));
    if c > 0.0 {
        arc(&mut path, (x1 - c, y1 - c), c, 0.0, turn);
    }
    path.line_to((x0 + c, y1));
    if c > 0.0 {
        arc(&mut path, (x0 + c, y1 - c), c, turn, turn);
    }
    path.line_to((x0, middle + bite));
    arc(&mut path, (x0, middle), bite, turn, -2.0 * turn);
    path.line_to((x0, y0 + c));
    if c > 0.0 {
        arc(&mut path, (x0 + c, y0 + c), c, 2.0 * turn, turn);
    }
    path.close_path();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_from_words() {
        for code in ["DRIP30", "SUN-30", "WELCOME"] {
            assert!(is_code(code), "{code}");
        }
        for other in ["31 May", "Sunday", "30", "ab12", "7 PM", "FREE ENTRY"] {
            assert!(!is_code(other), "{other}");
        }
    }

    #[test]
    fn a_ticket_is_bitten_and_stays_in_its_rectangle() {
        let whole = Rect::at(10.0, 20.0, 300.0, 100.0);
        let path = outline(whole, 17.0, 12.0);
        let bounds = path.bounding_box();
        assert!((bounds.x0 - 10.0).abs() < 0.01 && (bounds.x1 - 310.0).abs() < 0.01, "{bounds:?}");
        assert!((bounds.y0 - 20.0).abs() < 0.01 && (bounds.y1 - 120.0).abs() < 0.01, "{bounds:?}");
        assert!(path.contains((160.0, 70.0).into()));
        assert!(!path.contains((18.0, 70.0).into()) && !path.contains((302.0, 70.0).into()));
        assert!(path.contains((18.0, 100.0).into()));
    }
}
