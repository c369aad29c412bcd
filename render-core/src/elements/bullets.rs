//! The marks of a list's items: bullets, numbers, ticks, icons.

use super::shared::text_box;
use super::signs::{
    CAPITAL, Ground, below, fine, ground, grounded, has_grounds, plate, plate_shape, sign, thin, tickbox, times, upon,
    verdict,
};
use crate::design::{Nodes, Numerals, Voice};
use crate::scene::{Item, Point, Rect, Role, Size, TextLevel};
use crate::sheet::{Border, Boxed, Plan, Ranged, With, mix};
use crate::text::{Align, roman_numerals};
use crate::tree::{Fit, Node, Step};

/// Sides of marks relative to the size of type: discs of ticks, tick boxes, discs of numbers, backgrounds of icons,
/// icons without a background, and emoji.
const TICK: f32 = 1.22;
const BOX: f32 = 1.4;
const NUMBER: f32 = 1.62;
const PLATE: [f32; 2] = [2.0, 1.72];
const BARE: f32 = 1.36;
const EMOJI: f32 = 1.6;
/// Side of an icon relative to its background, square or round.
const ICON: [f32; 2] = [0.56, 0.56];
/// Radius of a bullet; length and width of a dash, in em.
const BULLET: f32 = 0.155;
const DASH: (f32, f32) = (0.55, 0.125);

/// The marks of a list's items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marks {
    kind: Kind,
    /// Whether they are switches at the ends of rows.
    pub switches: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    None,
    Bullet,
    Dash,
    Number,
    Check,
    Box,
    Cross,
    Icon,
}

/// An item with a mark.
pub struct Row<'n> {
    /// Its index, from 0.
    pub index: usize,
    /// The item.
    pub item: &'n Node,
    /// Its list.
    pub list: &'n Node,
    /// The sizes of its type.
    pub fit: Fit,
    /// Whether the mark is above the words.
    pub above: bool,
    /// Whether one of the items is highlighted.
    pub marked: bool,
}

/// A mark.
pub struct Drawn {
    /// Its box.
    pub boxed: Boxed,
    /// Its height in em; `None` if it is on the line of the words.
    pub high: Option<f32>,
}

impl Marks {
    /// Dashes.
    pub const DASH: Self = Self { kind: Kind::Dash, switches: false };

    /// Returns the marks with this name, or those that suit the items. `plain` means that nothing else separates the
    /// items.
    pub fn of(name: Option<&str>, items: &[&Node], plain: bool) -> Self {
        let signs = items.iter().any(|i| i.has("icon") || i.has("emoji"));
        let ticked = items.iter().any(|i| i.has("done"));
        let told = items.iter().all(|i| i.has("label") || i.has("value"));
        let kind = match name {
            Some("none") => Kind::None,
            Some("bullet") => Kind::Bullet,
            Some("dash") => Kind::Dash,
            Some("number") => Kind::Number,
            Some("check") if ticked => Kind::Box,
            Some("check") => Kind::Check,
            Some("cross") => Kind::Cross,
            Some("icon") => Kind::Icon,
            _ if signs => Kind::Icon,
            Some("toggle") => Kind::None,
            _ if ticked => Kind::Box,
            _ if told || !plain => Kind::None,
            _ => Kind::Bullet,
        };
        Self { kind, switches: name == Some("toggle") }
    }

    /// Returns whether marks have backgrounds about two lines high.
    pub fn is_ground(&self, with: &With<'_>) -> bool {
        has_grounds(with) && matches!(self.kind, Kind::Icon | Kind::Number)
    }

    /// Draws the mark of an item.
    pub fn draw(&self, row: &Row<'_>, with: &With<'_>) -> Option<Drawn> {
        let square = |t: f32| with.square(row.fit.min, row.fit.max, t);
        let accent = with.inks.accent();
        let on_line = |boxed: Boxed| Some(Drawn { boxed: boxed.rigid(), high: None });
        let tall = |boxed: Boxed, high: f32| Some(Drawn { boxed: boxed.rigid(), high: Some(high) });
        match self.kind {
            Kind::None => None,
            Kind::Bullet => on_line(bullet(row, with)),
            Kind::Dash => on_line(dash(row, with)),
            Kind::Box => tall(tickbox(with, row.item.flag("done"), square(BOX), accent), BOX),
            Kind::Check | Kind::Cross => {
                let right = self.kind == Kind::Check;
                let fill = if right { accent } else { with.inks.ink2() };
                let on_disc = has_grounds(with);
                let ink = match (on_disc, right) {
                    (true, _) => upon(with, fill),
                    (false, true) => fine(with),
                    (false, false) => fill,
                };
                tall(verdict(with, right, square(TICK), on_disc.then_some(fill), ink), TICK)
            }
            Kind::Number => self.number(row, with),
            Kind::Icon => self.icon(row, with),
        }
    }

    fn icon(&self, row: &Row<'_>, with: &With<'_>) -> Option<Drawn> {
        let square = |t: f32| with.square(row.fit.min, row.fit.max, t);
        let shape = plate_shape(with);
        let round = usize::from(shape == Ground::Circle);
        let bare = !has_grounds(with) || (row.above && row.list.get("look") != Some("tiles"));
        let high = if bare { BARE } else { PLATE[round] };
        let tall = |boxed: Boxed, high: f32| Some(Drawn { boxed: boxed.rigid(), high: Some(high) });
        if !row.item.has("icon") && !row.item.has("emoji") {
            // The words of items without a sign are aligned with the others.
            return (!row.above).then(|| Drawn { boxed: Boxed::drawn(square(high), |_| Vec::new()), high: Some(high) });
        }
        if row.item.has("emoji") {
            let size = if row.above { 1.3 * EMOJI } else { EMOJI };
            return tall(sign(row.item, with, square(size), with.inks.ink())?, size);
        }
        let off = self.switches && !row.item.flag("done");
        if bare {
            let ink = if off { with.inks.ink2() } else { fine(with) };
            return tall(sign(row.item, with, square(BARE), ink)?, BARE);
        }
        let own = row.item.colour("fill").map(|c| with.inks.fill(c)).filter(|c| *c != with.inks.ground);
        let lit = row.item.flag("mark") && with.inks.ground != with.inks.accent();
        let (fill, ink) = match off {
            true => (mix(with.inks.ink(), with.inks.ground, 0.91), with.inks.ink2()),
            false => plate(with, lit, own),
        };
        let icon = sign(row.item, with, times(square(PLATE[round]), ICON[round]), ink)?;
        let radius = with.radius(0.75);
        tall(grounded(ground(shape, square(PLATE[round]), Some(fill), thin(with), radius), Some(icon)), PLATE[round])
    }

    fn number(&self, row: &Row<'_>, with: &With<'_>) -> Option<Drawn> {
        let number = row.index as u32 + 1;
        let inks = &with.inks;
        let id = format!("{}.number", row.item.id);
        let small = Plan { level: TextLevel::Small, ..Plan::at(Voice::Figure, Step::Md, 1) };
        if !has_grounds(with) {
            let roman = with.theme().numerals == Numerals::Roman;
            let text = if roman { roman_numerals(number) } else { number.to_string() };
            let ink = if with.theme().numerals == Numerals::Plain { inks.ink2() } else { inks.accent_ink() };
            let fit = if row.above { Fit { min: Step::Lg, max: Step::Xl } } else { row.fit };
            let words = text_box(&text, &id, with, Plan { fit, ink: Some(ink), ..small });
            let wide = if roman { 1.5 } else { 0.95 } * with.size(row.fit.max);
            return Some(Drawn { boxed: words.rigid().with(|lay| lay.least_width = wide), high: None });
        }
        let lit = row.item.flag("mark") || !row.marked;
        let (fill, line) = match with.theme().nodes {
            Nodes::Outlined if !row.marked => (Some(inks.data((row.index % 4) as u8)), thin(with)),
            Nodes::Lit if !row.item.flag("mark") => {
                (None, Some(Border { width: with.rule(), color: inks.accent(), dashed: false }))
            }
            _ if lit => (Some(inks.accent()), thin(with)),
            _ => (Some(mix(inks.ink(), inks.ground, 0.84)), thin(with)),
        };
        let ink = fill.map_or_else(|| inks.accent_ink(), |fill| upon(with, fill));
        let on = fill.map_or(*with, |fill| with.on(fill)).aligned(Align::Center);
        // Digits of equal width would look off centre.
        let small = if number < 10 { Plan { voice: Voice::Display, ..small } } else { small };
        let words = text_box(&number.to_string(), &id, &on, Plan { fit: below(row.fit), ink: Some(ink), ..small });
        let shape = if with.theme().radius > 0.0 { Ground::Circle } else { Ground::Square };
        let size = with.square(row.fit.min, row.fit.max, NUMBER);
        let boxed = grounded(ground(shape, size, fill, line, 0.0), Some(words)).rigid();
        Some(Drawn { boxed, high: Some(NUMBER) })
    }
}

/// Returns the size of a box on the line of the words, as high as capitals and `wide` em wide.
fn on_line(row: &Row<'_>, with: &With<'_>, wide: f32) -> Ranged<Size> {
    let size = |step| Size::new(wide * with.size(step), CAPITAL * with.size(step));
    Ranged { min: size(row.fit.min), max: size(row.fit.max) }
}

fn bullet(row: &Row<'_>, with: &With<'_>) -> Boxed {
    let ink = fine(with);
    let square = with.theme().radius <= 0.0;
    Boxed::drawn(on_line(row, with, 2.2 * BULLET), move |rect| {
        let r = BULLET / CAPITAL * rect.h();
        // Centred on lower-case letters, slightly below the middle of capitals.
        let c = Point::new(rect.center().x, rect.center().y + 0.06 * rect.h());
        let item = match square {
            true => Item::rect(Rect::new(c.x - r, c.y - r, c.x + r, c.y + r).grow(-0.1 * r), ink, Role::Mark),
            false => Item::circle(c, r, ink, Role::Mark),
        };
        vec![item]
    })
}

fn dash(row: &Row<'_>, with: &With<'_>) -> Boxed {
    let (ink, round) = (fine(with), with.theme().radius > 0.0);
    Boxed::drawn(on_line(row, with, DASH.0), move |rect| {
        let half = 0.5 * DASH.1 / CAPITAL * rect.h();
        let y = rect.center().y + 0.06 * rect.h();
        let radius = if round { half } else { 0.0 };
        vec![Item::rounded(Rect::new(rect.x0, y - half, rect.x1, y + half), [radius; 4], ink, Role::Mark)]
    })
}
