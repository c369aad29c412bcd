//! Common parts of elements: the attributes of texts and containers, and small drawings.

use kurbo::{Affine as KurboAffine, Cap, Join, Stroke as KurboStroke, StrokeOpts, stroke};

use crate::design::Voice;
use crate::icon::Icon;
use crate::scene::{Color, Coverage, FillRule, Item, Point, Rect, Role, TextLevel};
use crate::sheet::{Boxed, Columns, Flow, Lay, Plan, Ranged, Stress, With, Words};
use crate::text::Align;
use crate::text::emoji::Emoji;
use crate::tree::{Attribute, Fit, Kind, Node, Run, Step};

/// The writing direction.
pub const WRITING: Attribute = Attribute::or("writing", Kind::Choice(&["horizontal", "vertical"]), "horizontal");
/// Names of alignments across a flow.
pub const ALIGN: Kind = Kind::Choice(&["start", "center", "end", "stretch", "baseline"]);
/// Names of distributions along a flow.
pub const JUSTIFY: Kind = Kind::Choice(&["start", "center", "end", "between", "evenly"]);
/// Names of text alignments.
pub const LINES: Kind = Kind::Choice(&["start", "center", "end"]);

/// Returns the attributes of every text element, with its own defaults of `fit` and `lines`.
pub const fn text_attributes(fit: &'static str, lines: &'static str) -> [Attribute; 7] {
    [
        Attribute::or("fit", Kind::Fit, fit),
        Attribute::or("lines", Kind::Whole(1, 30), lines),
        Attribute::new("ink", Kind::Colour),
        Attribute::new("align", LINES),
        Attribute::new("fit-group", Kind::Id),
        Attribute::or("letter-spacing", Kind::Number(-0.1, 0.6), "0"),
        Attribute::or("line-spacing", Kind::Number(0.7, 2.0), "1"),
    ]
}

/// Returns the plan of a text element.
pub fn plan<'n>(node: &'n Node, with: &With<'_>, voice: Voice, level: TextLevel) -> Plan<'n> {
    Plan {
        id: &node.id,
        voice,
        fit: node.fit("fit").unwrap_or(Fit { min: Step::Md, max: Step::Md }),
        lines: node.number("lines").unwrap_or(4.0) as usize,
        level,
        ink: node.colour("ink").map(|c| with.inks.text(c)),
        align: match node.get("align") {
            Some("center") => Some(Align::Center),
            Some("end") => Some(Align::End),
            Some("start") => Some(Align::Start),
            _ => None,
        },
        group: node.get("fit-group"),
        spacing: node.number("letter-spacing").unwrap_or_default() as f32,
        leading: node.number("line-spacing").unwrap_or(1.0) as f32,
        weight: None,
        code: false,
        stress: Stress::None,
    }
}

/// Returns a box with words that an element has beside its own text: a label, a value.
pub fn text_box(text: &str, id: &str, with: &With<'_>, plan: Plan<'_>) -> Boxed {
    Boxed::words(Words::new(&Run::inline(text), Plan { id, ..plan }, with))
}

/// Returns a box with an element's words.
pub fn worded(node: &Node, with: &With<'_>, plan: Plan<'_>) -> Boxed {
    if node.get("writing") == Some("vertical") {
        return Boxed::columns(Columns::new(&node.words, plan, with));
    }
    Boxed::words(Words::new(&node.words, plan, with))
}

/// Returns the box of a container without a look of its own.
pub fn container(node: &Node, with: &With<'_>, lay: Lay) -> Boxed {
    let boxes = with.inside(node, &lay).children(node);
    let flow = lay.flow;
    // A box that draws below itself in this column also draws below the rest of the outer column.
    let below = boxes.iter().rev().find_map(|boxed| boxed.look.below).filter(|_| flow == Flow::Column);
    Boxed::around(flow, boxes).with(|own| *own = lay).looking(|look| look.below = below)
}

/// Draws an icon of the page's icon set, as large as fits into a box.
pub fn icon(icon: Icon, with: &With<'_>, ink: Color) -> impl Fn(Rect) -> Vec<Item> + 'static {
    let family = with.theme().icons;
    move |rect| {
        let Some(drawing) = icon.drawing(family) else { return Vec::new() };
        let side = rect.size().short();
        let center = rect.center();
        let (x, y) = (f64::from(center.x - 0.5 * side), f64::from(center.y - 0.5 * side));
        let place = KurboAffine::translate((x, y)) * KurboAffine::scale(f64::from(side));
        let pen = KurboStroke::new(drawing.pen * f64::from(side)).with_caps(Cap::Round).with_join(Join::Round);
        let strokes = drawing.strokes.iter().map(|p| stroke(place * (**p).clone(), &pen, &StrokeOpts::default(), 0.05));
        let fills = drawing.fills.iter().map(|p| place * (**p).clone());
        strokes.chain(fills).map(|path| Item::path(path, ink, Role::Mark)).collect()
    }
}

/// Draws an emoji, as large as fits into a box; nothing if the text isn't one.
pub fn emoji(text: &str) -> impl Fn(Rect) -> Vec<Item> + 'static {
    let id = Emoji::longest(text.trim()).map(|(id, _)| id);
    move |rect| {
        let Some(id) = id else { return Vec::new() };
        let side = rect.size().short();
        let Point { x, y } = rect.center();
        let at = crate::scene::Affine::translate(x - 0.5 * side, y - 0.5 * side);
        let square = at.after(&crate::scene::Affine::scale(side));
        let layers = Emoji::picture(id).layers.into_iter();
        let item = |layer: crate::text::emoji::Layer| Item {
            transform: square,
            coverage: Coverage::Path { path: layer.path, rule: FillRule::NonZero },
            paint: layer.paint,
            role: Role::Mark,
        };
        layers.map(item).collect()
    }
}

/// Returns a square box with the icon or emoji of the attributes `icon` and `emoji`.
pub fn sign(node: &Node, with: &With<'_>, size: Ranged<crate::scene::Size>, ink: Color) -> Option<Boxed> {
    if let Some(name) = node.get("icon") {
        let found = Icon::by_name(name.trim())?;
        return Some(Boxed::drawn(size, icon(found, with, ink)).rigid());
    }
    let text = node.get("emoji")?;
    Some(Boxed::drawn(size, emoji(text)).rigid())
}
