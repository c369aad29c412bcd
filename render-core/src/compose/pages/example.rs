//! example-slide: a point or a step, and under or beside it two cards: how not to, under a cross, and how to, under a tick.

use kurbo::{BezPath, Cap, Join, Stroke, StrokeOpts, stroke};

use super::super::frame::{Frame, Shape};
use super::super::inks::Inks;
use super::super::setter::{Set, Setter, Spec};
use super::super::tiles::{self, Coat};
use super::point::column;
use super::{art_on_clear_sides, even, numeral};
use crate::art::Scale;
use crate::design::{Cut, SlotId, Voice};
use crate::scene::{Color, Item, Rect, Role, TextLevel};

/// Height of the numeral, at most, as a share of the canvas's.
const HIGH: f32 = 0.2;
/// What of the free height lies between the numeral and the words.
const OVER: f32 = 0.4;
/// Contrast from which a card is told from the page, and the distance in OKLab from which it is told from the other card.
const SEEN: (f32, f32) = (1.1, 0.04);

/// Both cards, as wide as each other and as high.
struct Cards<'a> {
    words: Vec<Set<'a>>,
    names: Vec<Option<Set<'a>>>,
    on: [Inks; 2],
    width: f32,
    height: f32,
    gutter: f32,
    /// Side of the signs, and room within a card.
    side: f32,
    pad: f32,
    beside: bool,
    fits: bool,
}

/// What the cards stand on: fields of their own, or the page under a rule.
fn inks(setter: &Setter<'_>) -> [Inks; 2] {
    let p = &setter.page.palette;
    if ruled(setter) {
        return [Inks::page(p); 2];
    }
    if setter.theme.card.is_some_and(|c| c.stroke > 0.0) {
        let coat = Coat::of(setter, numeral::turn(setter), false);
        let take = Inks { accent: coat.ink, ..Inks::on(coat.fill, coat.ink, p) };
        return [Inks::on(p.surface, p.ink, p), take];
    }
    let told = p.tint.contrast(p.bg) >= SEEN.0 && apart(p.tint, p.surface) >= SEEN.1;
    let take = if told { Inks::on(p.tint, p.ink, p) } else { Inks::on(p.accent, p.on_accent, p) };
    [Inks::on(p.surface, p.ink, p), take]
}

/// The distance of two colours in OKLab.
fn apart(a: Color, b: Color) -> f32 {
    let (a, b) = (a.to_oklab(), b.to_oklab());
    libm::sqrtf((0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum())
}

fn ruled(setter: &Setter<'_>) -> bool {
    setter.theme.cut == Cut::Rule || setter.page.palette.surface.contrast(setter.page.palette.bg) < 1.04
}

impl<'a> Cards<'a> {
    /// In a column of `width`, side by side or one under the other.
    fn of(setter: &Setter<'a>, width: f32, beside: bool) -> Self {
        let (frame, k) = (setter.frame, setter.frame.k);
        let b = frame.body.max(0.9 * frame.lead);
        let on = inks(setter);
        let ruled = ruled(setter);
        let gutter = if ruled { 44.0 } else { 24.0 } * k;
        let pad = if ruled { 0.0 } else { 0.95 * b };
        let each = if beside { 0.5 * (width - gutter) } else { width };
        let side = 0.82 * b;
        let specs = (0..2_u8).filter_map(|n| {
            let text = setter.text(SlotId::ItemHead(n))?;
            let on = on[usize::from(n)];
            let ink = if n == 0 { on.quiet } else { on.ink };
            let range = (frame.body_floor, frame.body_floor.max(b));
            Some(
                Spec::new(SlotId::ItemHead(n), text, Voice::Body, TextLevel::Body, ink, range)
                    .lines(5)
                    .flush()
                    .on(on.ground),
            )
        });
        let words = even(setter, specs.collect(), each - 2.0 * pad);
        let names = (0..2_u8).map(|n| {
            let text = setter.text(SlotId::Group(n))?;
            let on = on[usize::from(n)];
            let range = (frame.small, frame.small.max(0.8 * b));
            let ink = if n == 0 { on.quiet } else { on.accent };
            let spec = Spec::new(SlotId::Group(n), text, Voice::Head, TextLevel::Small, ink, range);
            Some(setter.set(spec.lines(1).on(on.ground), each - 2.0 * pad - 1.7 * side))
        });
        let names: Vec<Option<Set<'a>>> = names.collect();
        let tall = words.iter().map(Set::depth).fold(0.0, f32::max);
        let air = if ruled { 0.9 * side } else { b * if beside { 1.5 } else { 1.0 } };
        let fits = words.iter().chain(names.iter().flatten()).all(|s| s.fits);
        let top = if ruled { 0.95 * b } else { pad };
        Self { words, names, on, width: each, height: top + side + air + tall + pad, gutter, side, pad, beside, fits }
    }

    fn depth(&self) -> f32 {
        if self.beside { self.height } else { 2.0 * self.height + self.gutter }
    }

    /// Places them with their top at `y`, `grown` higher than they need be.
    fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32, grown: f32) {
        let ruled = ruled(setter);
        let height = self.height + grown;
        for (n, words) in self.words.iter().enumerate() {
            let by = n as f32;
            let (left, top) = if self.beside {
                (x + by * (self.width + self.gutter), y)
            } else {
                (x, y + by * (height + self.gutter))
            };
            let rect = Rect::at(left, top, self.width, height);
            let on = self.on[n];
            let sign = if ruled {
                let line = if n == 0 { setter.page.palette.line } else { on.accent };
                setter.rule(rect.x0, rect.x1, rect.y0, line);
                rect.y0 + 0.95 * setter.frame.body.max(0.9 * setter.frame.lead)
            } else {
                tiles::draw(setter, rect, setter.theme.radius, on.ground);
                rect.y0 + self.pad
            };
            let ink = if n == 0 { on.quiet } else { on.accent };
            let square = Rect::at(left + self.pad, sign, self.side, self.side);
            draw_sign(setter, square, n == 1, ink);
            if let Some(name) = &self.names[n] {
                setter.place(name, square.x1 + 0.7 * self.side, sign + 0.5 * (self.side - name.height()));
            }
            // Under a rule both begin on one line; on cards they end on one.
            let from = sign + self.side + 0.9 * self.side;
            setter.place(words, left + self.pad, if ruled { from } else { rect.y1 - self.pad - words.depth() });
        }
    }
}

/// A cross or a tick, in strokes.
fn draw_sign(setter: &mut Setter<'_>, rect: Rect, tick: bool, ink: Color) {
    let rtl = setter.is_rtl();
    let across = |x: f32| if rtl { 1.0 - x } else { x };
    let at = |x: f32, y: f32| (f64::from(rect.x0 + across(x) * rect.w()), f64::from(rect.y0 + y * rect.h()));
    let mut path = BezPath::new();
    let lines: &[&[(f32, f32)]] = if tick {
        &[&[(0.04, 0.55), (0.36, 0.86), (0.96, 0.16)]]
    } else {
        &[&[(0.12, 0.12), (0.88, 0.88)], &[(0.88, 0.12), (0.12, 0.88)]]
    };
    for line in lines {
        for (i, (x, y)) in line.iter().enumerate() {
            if i == 0 { path.move_to(at(*x, *y)) } else { path.line_to(at(*x, *y)) }
        }
    }
    let round = setter.theme.radius > 0.0;
    let (cap, join) = if round { (Cap::Round, Join::Round) } else { (Cap::Butt, Join::Miter) };
    let width = (1.3 * setter.theme.stroke * setter.frame.k).clamp(0.09 * rect.w(), 0.16 * rect.w());
    let pen = Stroke::new(f64::from(width)).with_caps(cap).with_join(join);
    setter.mark(Item::path(stroke(&path, &pen, &StrokeOpts::default(), 0.05), ink, Role::Mark));
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => upright(setter, area),
        Shape::Wide | Shape::Strip => wide(setter, area),
    }
}

/// The words over the cards.
fn upright(setter: &mut Setter<'_>, area: Rect) {
    let (size, k, b) = (setter.frame.size, setter.frame.k, setter.frame.lead);
    let cards = Cards::of(setter, area.w(), area.w() > 560.0 * k);
    setter.misfit |= !cards.fits;
    // Cards that are lower than a sixth of the page are slips of paper.
    let grown = if ruled(setter) { 0.0 } else { (size.h / 6.0 - cards.height).clamp(0.0, 0.1 * size.h) };
    let shadow = setter.theme.card.map_or(0.0, |c| c.shadow) * k;
    let depth = cards.depth() + grown * if cards.beside { 1.0 } else { 2.0 } + shadow;
    let cards_top = area.y1 - depth;
    cards.place(setter, area.x0, cards_top, grown);
    let above = Rect { y1: cards_top - 72.0 * k, ..area };
    let numbered = setter.text(SlotId::Number).is_some();
    let least = if numbered { 3.4 * b } else { 0.0 };
    let stack = column(setter, if numbered { 2.5 } else { 2.9 }).solve(setter, above.w(), above.h() - least);
    let room = (above.y1 - stack.depth - above.y0 - 60.0 * k).min(HIGH * size.h);
    let numeral = numeral::of(setter, setter.parts[0], (0.6 * area.w(), room));
    let high = numeral.as_ref().map_or(0.0, |n| n.height);
    let free = above.h() - high - stack.depth;
    let text_top = above.y0 + high + free.max(0.0).min((OVER * free).max(72.0 * k)) * if numbered { 1.0 } else { 0.9 };
    stack.place(setter, area.x0, text_top);
    numeral::over(setter, &area, numeral.as_ref(), text_top, 56.0 * k);
}

/// The words at the left, the cards at the right: one under the other, or side by side where the page is a strip.
fn wide(setter: &mut Setter<'_>, area: Rect) {
    let k = setter.frame.k;
    let strip = Frame::shape_of(&area) == Shape::Strip;
    let left = area.w() * if strip { 0.42 } else { 0.52 };
    let gap = 72.0 * k;
    let cards = Cards::of(setter, area.w() - left - gap, strip);
    setter.misfit |= !cards.fits || cards.depth() > area.h();
    let most = if strip { 0.5 * area.h() } else { 0.16 * area.h() };
    let grown = (area.h() - cards.depth()).max(0.0).min(most) / if cards.beside { 1.0 } else { 2.0 };
    let depth = cards.depth() + grown * if cards.beside { 1.0 } else { 2.0 };
    let cards_top = if strip { area.y0 + 0.5 * (area.h() - depth) } else { area.y1 - depth };
    cards.place(setter, area.x0 + left + gap, cards_top, grown);
    let room = area.h() - if strip { 0.0 } else { 3.2 * setter.frame.lead };
    let stack = column(setter, if strip { 1.9 } else { 2.1 }).solve(setter, left, room);
    let free = area.h() - stack.depth;
    let y = area.y0 + free * if strip { 0.5 } else { 1.0 };
    stack.place(setter, area.x0, y);
    let high = (y - area.y0 - 56.0 * k).min(0.26 * setter.frame.size.h);
    if !strip && let Some(numeral) = numeral::of(setter, setter.parts[0], (0.8 * left, high)) {
        numeral.place(setter, area.x0, area.y0);
    }
    art_on_clear_sides(setter, Scale::Accent);
}
