//! Signs that marks, lists and avatars share: backgrounds of several shapes, ticks, crosses, switches, stars.

use std::sync::Arc;

use super::shared::{emoji, icon};
use crate::design::Nodes;
use crate::icon::Icon;
use crate::scene::{Affine, BezPath, Color, Coverage, Item, LineJoin, Paint, Point, Rect, Role, Size, Stroke};
use crate::sheet::{Border, Boxed, Flow, Place, Ranged, With, mix};
use crate::text::Align;
use crate::tree::{Fit, Node, Step};

/// Points of a burst, and its inner radius relative to the outer one.
const BURST: (u16, f32) = (12, 0.86);
/// The points of a tick in a unit square.
const TICK: [(f32, f32); 3] = [(0.29, 0.51), (0.44, 0.66), (0.71, 0.355)];
/// Length of the arms of a cross from the middle, as a share of the side.
const ARM: f32 = 0.165;
/// Line width of ticks and crosses, as a share of the side.
const PEN: f32 = 0.105;
/// Width of a switch relative to its height, and the space around its knob.
const SWITCH: (f32, f32) = (1.76, 0.13);
/// Inner radius of a star relative to the outer one.
const STAR: f32 = 0.46;
/// Side of a sign on a line of words, and height of capitals, in em.
const INLINE: f32 = 1.15;
pub const CAPITAL: f32 = 0.71;
/// Most characters of a label on one line.
const ONE_LINE: usize = 22;
/// Contrasts of inactive marks with their ground.
const IDLE: std::ops::Range<f32> = 1.22..1.7;
/// Least contrast of thin marks with their ground.
const FINE: f32 = 2.4;
/// Least contrast of a sign with its ground.
const SEEN: f32 = 3.0;

/// The shape of a sign's background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A circle, or a capsule for wide content.
    Circle,
    /// A square with the style's corners.
    Square,
    /// A circle with a jagged edge.
    Burst,
}

/// Returns a size range multiplied by `times`.
pub fn times(size: Ranged<Size>, times: f32) -> Ranged<Size> {
    let by = |s: Size| Size::new(s.w * times, s.h * times);
    Ranged { min: by(size.min), max: by(size.max) }
}

/// Returns a size range with its width multiplied by `times`.
pub fn wider(size: Ranged<Size>, times: f32) -> Ranged<Size> {
    let by = |s: Size| Size::new(s.w * times, s.h);
    Ranged { min: by(size.min), max: by(size.max) }
}

/// Returns the colour of signs on `fill`, which is on the ground of `with`: the ground's own colour if it is visible.
pub fn upon(with: &With<'_>, fill: Color) -> Color {
    let inks = &with.inks;
    if fill == inks.accent() && fill != inks.ink() {
        return inks.on_accent();
    }
    if inks.ground.contrast(fill) >= 4.5 { inks.ground } else { inks.on(fill).ink() }
}

/// Aligns a mark across a column at its own width, and centres it in a layer.
pub fn hugging(boxed: Boxed, with: &With<'_>) -> Boxed {
    let place = match with.align {
        Align::Center => Place::Center,
        Align::End => Place::End,
        Align::Start => Place::Start,
    };
    boxed.at(Some(0.5), Some(0.5)).with(|lay| {
        lay.shrink = false;
        lay.place = match with.flow {
            Flow::Row => lay.place,
            Flow::Wrap => Some(Place::Center),
            _ => Some(place),
        };
    })
}

/// Returns a background with content centred on it. The box is at least as large as the background.
pub fn grounded(ground: Boxed, content: Option<Boxed>) -> Boxed {
    let content = content.map(|c| c.at(Some(0.5), Some(0.5)));
    Boxed::layer(std::iter::once(ground).chain(content).collect()).rigid()
}

/// Draws a background for a sign.
pub fn ground(shape: Ground, size: Ranged<Size>, fill: Option<Color>, line: Option<Border>, radius: f32) -> Boxed {
    Boxed::drawn(size, move |rect| {
        // A box that is stretched vertically keeps the shape's height equal to its width.
        let high = rect.h().min(rect.w());
        let rect = Rect::at(rect.x0, rect.center().y - high / 2.0, rect.w(), high);
        let inset = line.map_or(0.0, |l| l.width / 2.0);
        let coverage = |stroke: Option<f32>| match shape {
            Ground::Circle => Coverage::Rect { rect: rect.grow(-inset), radii: [high; 4], stroke },
            Ground::Square => {
                let radii = [radius.min(0.3 * high); 4];
                Coverage::Rect { rect: rect.grow(-inset), radii, stroke }
            }
            Ground::Burst => burst(rect, inset, stroke),
        };
        let fill = fill.map(|color| Item::new(coverage(None), Paint::Solid(color), Role::Field));
        let line = line.map(|l| Item::new(coverage(Some(l.width)), Paint::Solid(l.color), Role::Mark));
        fill.into_iter().chain(line).collect()
    })
}

fn burst(rect: Rect, inset: f32, stroke: Option<f32>) -> Coverage {
    let center = rect.center();
    let radii = [rect.w() / 2.0 - inset, rect.h() / 2.0 - inset];
    let points = (0..2 * BURST.0).map(|i| {
        let turn = f32::from(i) * std::f32::consts::PI / f32::from(BURST.0) - std::f32::consts::FRAC_PI_2;
        let k = if i % 2 == 0 { 1.0 } else { BURST.1 };
        Point::new(center.x + k * radii[0] * libm::cosf(turn), center.y + k * radii[1] * libm::sinf(turn))
    });
    let stroke = stroke.map(|width| Stroke { join: LineJoin::Round, ..Stroke::new(width) });
    Coverage::Polyline { points: points.collect(), closed: true, stroke }
}

/// Returns the colour of inactive parts: the rest of a bar, a switch that is off.
pub fn idle(with: &With<'_>) -> Color {
    let (line, ground) = (with.inks.line(), with.inks.ground);
    if IDLE.contains(&line.contrast(ground)) { line } else { mix(with.inks.ink(), ground, 0.84) }
}

/// Returns the accent of thin marks: bullets, arrows, bare ticks.
pub fn fine(with: &With<'_>) -> Color {
    let inks = &with.inks;
    match with.theme().nodes {
        _ if inks.accent().contrast(inks.ground) >= FINE => inks.accent(),
        Nodes::Outlined => inks.ink(),
        _ => inks.accent_ink(),
    }
}

/// Returns the colour in an attribute, or that of thin marks if it is absent.
pub fn fine_or(node: &Node, name: &str, with: &With<'_>) -> Color {
    node.colour(name).map_or_else(|| fine(with), |c| with.inks.fill(c))
}

/// Returns the stroke of signs: round if the style has round corners.
pub fn pen(with: &With<'_>, width: f32) -> Stroke {
    if with.theme().radius > 0.0 { Stroke::round(width) } else { Stroke::new(width) }
}

fn line(points: Vec<Point>, pen: Stroke, color: Color) -> Item {
    let coverage = Coverage::Polyline { points: Arc::from(points), closed: false, stroke: Some(pen) };
    Item::new(coverage, Paint::Solid(color), Role::Mark)
}

/// Returns the square in the middle of a box.
pub fn square(rect: Rect) -> Rect {
    let (side, center) = (rect.size().short(), rect.center());
    Rect::at(center.x - side / 2.0, center.y - side / 2.0, side, side)
}

/// Draws a tick into the middle of a box, `zoom` times as large as on a disc.
pub fn tick(with: &With<'_>, ink: Color, zoom: f32) -> impl Fn(Rect) -> Vec<Item> + 'static {
    let pen = pen(with, 1.0);
    move |rect| {
        let (side, center) = (zoom * rect.size().short(), rect.center());
        let at = |(x, y): (f32, f32)| Point::new(center.x + side * (x - 0.5), center.y + side * (y - 0.5));
        vec![line(TICK.map(at).to_vec(), Stroke { width: PEN * side, ..pen.clone() }, ink)]
    }
}

/// Draws a cross into the middle of a box, `zoom` times as large as on a disc.
pub fn cross(with: &With<'_>, ink: Color, zoom: f32) -> impl Fn(Rect) -> Vec<Item> + 'static {
    let pen = pen(with, 1.0);
    move |rect| {
        let (side, c) = (zoom * rect.size().short(), rect.center());
        let (arm, pen) = (ARM * side, Stroke { width: PEN * side, ..pen.clone() });
        let stroke = |dx: f32, dy: f32| {
            line(vec![Point::new(c.x - dx, c.y - dy), Point::new(c.x + dx, c.y + dy)], pen.clone(), ink)
        };
        vec![stroke(arm, arm), stroke(arm, -arm)]
    }
}

/// Returns whether signs of this style have backgrounds.
pub fn has_grounds(with: &With<'_>) -> bool {
    with.theme().nodes != Nodes::Ring
}

/// Returns a tick (or a cross) on a disc of `fill`; without a disc if `fill` is `None`.
pub fn verdict(with: &With<'_>, right: bool, size: Ranged<Size>, fill: Option<Color>, ink: Color) -> Boxed {
    let zoom = if fill.is_some() { 1.0 } else { 1.7 };
    let sign = match right {
        true => Boxed::drawn(size, tick(with, ink, zoom)),
        false => Boxed::drawn(size, cross(with, ink, zoom)),
    };
    match fill {
        Some(_) => grounded(ground(Ground::Circle, size, fill, thin(with), 0.0), Some(sign)),
        None => sign.rigid(),
    }
}

/// Returns the outline of small signs, if the style's cards have one.
pub fn thin(with: &With<'_>) -> Option<Border> {
    with.outline().map(|o| Border { width: 0.8 * o.width, ..o })
}

/// Returns a tick box: filled and ticked, or empty.
pub fn tickbox(with: &With<'_>, done: bool, size: Ranged<Size>, fill: Color) -> Boxed {
    let line = Border { width: (1.5 * with.rule()).max(0.6 * with.stroke()), color: with.inks.ink2(), dashed: false };
    let line = thin(with).or((!done).then_some(line));
    let box_ = ground(Ground::Square, size, done.then_some(fill), line, with.radius(0.36));
    grounded(box_, done.then(|| Boxed::drawn(size, tick(with, upon(with, fill), 1.1))))
}

/// Returns a switch, on or off, as high as `size`.
pub fn switch(with: &With<'_>, on: bool, size: Ranged<Size>, fill: Color) -> Boxed {
    let idle = mix(with.inks.ink(), with.inks.ground, 0.74);
    let track = if on { fill } else { idle };
    let own = with.inks.ground;
    let knob = if own.contrast(track) >= 1.5 { own } else { upon(with, track) };
    let rtl = with.frame.rtl;
    let (outline, at_end) = (thin(with), on != rtl);
    Boxed::drawn(wider(size, SWITCH.0), move |rect| {
        let width = rect.w().min(rect.h() * SWITCH.0);
        let left = if rtl { rect.x1 - width } else { rect.x0 };
        let rect = Rect::at(left, rect.center().y - width / SWITCH.0 / 2.0, width, width / SWITCH.0);
        let half = rect.h() / 2.0;
        let radius = half * (1.0 - 2.0 * SWITCH.1);
        let center = Point::new(if at_end { rect.x1 - half } else { rect.x0 + half }, rect.center().y);
        let mut items =
            vec![Item::rounded(rect, [half; 4], track, Role::Field), Item::circle(center, radius, knob, Role::Mark)];
        if let Some(Border { width, color, .. }) = outline {
            let radii = [half; 4];
            let coverage = Coverage::Rect { rect: rect.grow(-width / 2.0), radii, stroke: Some(width) };
            items.push(Item::new(coverage, Paint::Solid(color), Role::Mark));
            items.push(Item::ring(center, radius - width / 2.0, width, color, Role::Mark));
        }
        items
    })
    .rigid()
}

/// Returns a star with slightly rounded points around `center`.
pub fn star(center: Point, radius: f32) -> BezPath {
    let mut path = BezPath::new();
    for i in 0..10_u8 {
        let turn = f32::from(i) * std::f32::consts::PI / 5.0 - std::f32::consts::FRAC_PI_2;
        let r = if i % 2 == 0 { radius } else { STAR * radius };
        let at = (f64::from(center.x + r * libm::cosf(turn)), f64::from(center.y + r * libm::sinf(turn)));
        if i == 0 { path.move_to(at) } else { path.line_to(at) }
    }
    path.close_path();
    path
}

/// Draws a sign into a box.
type Drawing = Box<dyn Fn(Rect) -> Vec<Item>>;

/// Draws an icon or emoji from attributes `icon` and `emoji`.
fn drawing(node: &Node, with: &With<'_>, ink: Color) -> Option<Drawing> {
    if let Some(found) = node.get("icon").and_then(|name| Icon::by_name(name.trim())) {
        let draw = icon(found, with, ink);
        // Arrows point in reading direction.
        let turns = with.frame.rtl && found.name().starts_with("arrow") && found.name().ends_with("right");
        return Some(Box::new(move |rect| {
            let c = rect.center();
            let turned = Affine([-1.0, 0.0, 0.0, 1.0, 2.0 * c.x, 0.0]);
            let place = |item: Item| Item { transform: if turns { turned } else { item.transform }, ..item };
            draw(rect).into_iter().map(place).collect()
        }));
    }
    let draw = emoji(node.get("emoji")?);
    // Emoji fill their square, icons leave a margin.
    Some(Box::new(move |rect| draw(rect.grow(0.04 * rect.size().short()))))
}

/// Returns a box of `size` with the icon or emoji of the attributes `icon` and `emoji`.
pub fn sign(node: &Node, with: &With<'_>, size: Ranged<Size>, ink: Color) -> Option<Boxed> {
    drawing(node, with, ink).map(|draw| Boxed::drawn(size, draw).rigid())
}

/// Returns a sign on a line of words: it takes the height of capitals and extends beyond it.
pub fn inline_sign(node: &Node, with: &With<'_>, fit: Fit, ink: Color) -> Option<Boxed> {
    let draw = drawing(node, with, ink)?;
    let line = |step| Size::new(INLINE * with.size(step), CAPITAL * with.size(step));
    let size = Ranged { min: line(fit.min), max: line(fit.max) };
    Some(Boxed::drawn(size, move |rect| draw(high(rect))).rigid())
}

/// Returns a square box with the same width and centre.
fn high(rect: Rect) -> Rect {
    let half = rect.w() / 2.0;
    Rect { y0: rect.center().y - half, y1: rect.center().y + half, ..rect }
}

/// Returns the number of lines of a label, which is one if it is short, and whether it is.
pub fn one_line(node: &Node) -> (usize, bool) {
    let short = node.text().chars().count() <= ONE_LINE;
    (if short { 1 } else { 2 }, short)
}

/// Returns the next smaller step, at least the smallest.
pub fn below(fit: Fit) -> Fit {
    let step = |step: Step| match step {
        Step::Colossal => Step::Giant,
        Step::Giant => Step::Hero,
        Step::Hero => Step::Xxxl,
        Step::Xxxl => Step::Xxl,
        Step::Xxl => Step::Xl,
        Step::Xl => Step::Lg,
        Step::Lg => Step::Md,
        Step::Md => Step::Sm,
        Step::Sm | Step::Xs => Step::Xs,
    };
    Fit { min: step(fit.min), max: step(fit.max) }
}

/// Returns the colours of an icon's background and of the icon: pale, or in the accent if highlighted.
pub fn plate(with: &With<'_>, marked: bool, own: Option<Color>) -> (Color, Color) {
    let inks = &with.inks;
    let square = with.theme().radius <= 0.0;
    let fill = own.unwrap_or_else(|| match with.theme().nodes {
        _ if marked => inks.accent(),
        Nodes::Solid if square => inks.accent(),
        Nodes::Outlined => inks.surface(),
        _ => inks.tint(),
    });
    if own.is_some() || fill == inks.accent() {
        return (fill, upon(with, fill));
    }
    let on = inks.on(fill);
    let accent = on.accent_ink();
    let ink = if with.theme().nodes == Nodes::Outlined || accent.contrast(fill) < SEEN { on.ink() } else { accent };
    (fill, ink)
}

/// Returns the shape of an icon's background.
pub fn plate_shape(with: &With<'_>) -> Ground {
    if with.theme().nodes == Nodes::Outlined { Ground::Circle } else { Ground::Square }
}
