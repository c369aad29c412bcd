//! `list`: items from top to bottom or in columns, each with a mark.

use super::Made;
use super::bullets::{Marks, Row};
use super::shared::text_box;
use super::signs::{CAPITAL, below, switch};
use crate::design::{Tiles, Voice};
use crate::scene::{Color, Item, Rect, Role as Mark, Size, TextLevel};
use crate::sheet::{Boxed, Flow, Justify, Place, Plan, Ranged, With, Words};
use crate::text::Align;
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role as Named, Run, Step};

/// Most characters of an item that is set in bold as a catchword, and of items whose marks are vertically centred.
const SHORT: usize = 34;
const BRIEF: usize = 90;
/// Distance of a head from the words below it, and of a mark from the words, in em.
const BELOW: f32 = 0.46;
const BESIDE: f32 = 0.62;
/// Distance of a mark from the words below it, in em.
const ABOVE: f32 = 0.7;
/// Least distance of two items without a ground, in em.
const LEAST: f32 = 0.5;
/// Largest type size that distances scale with, in sizes of large running text.
const LARGE: f32 = 1.25;
/// Height of switches relative to the size of type.
const SWITCH: f32 = 1.4;

const COLUMNS: Kind = Kind::Whole(1, 6);

const ELEMENT: Element = Element {
    name: "list",
    group: Group::Marks,
    about: "items with a mark each, in rows, with rules between, in cards, or in tiles (mark above words); tall, …: columns on that shape",
    holds: Holds::Only(&["item"]),
    attributes: &[
        Attribute::new(
            "marks",
            Kind::Choice(&["none", "bullet", "number", "check", "cross", "icon", "dash", "toggle"]),
        ),
        Attribute::new("look", Kind::Choice(&["plain", "ruled", "cards", "tiles"])),
        Attribute::or("columns", COLUMNS, "1"),
        Attribute::or("fit", Kind::Fit, "sm..lg"),
        Attribute::new("gap", Kind::Space),
        Attribute::or("fill", Kind::Colour, "surface"),
        Attribute::new("tall", COLUMNS),
        Attribute::new("upright", COLUMNS),
        Attribute::new("square", COLUMNS),
        Attribute::new("wide", COLUMNS),
        Attribute::new("strip", COLUMNS),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// The layout of a list's items.
struct List<'n> {
    node: &'n Node,
    look: Look,
    marks: Marks,
    columns: usize,
    fit: Fit,
    /// Whether marks are above the words.
    above: bool,
    /// Whether the words are catchwords in bold.
    bold: bool,
    /// Whether no item is longer than a few lines.
    brief: bool,
    /// Whether one of the items is highlighted.
    marked: bool,
    /// Whether the rows are only as wide as their words.
    hugs: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Look {
    Plain,
    Ruled,
    Cards,
    Tiles,
}

fn items(node: &Node) -> Vec<&Node> {
    node.children.iter().filter(|n| n.name() == "item").collect()
}

/// Returns whether an item has a head but no mark.
fn has_head(node: &Node) -> bool {
    node.has("head") && !node.has("icon") && !node.has("emoji") && !node.has("done")
}

fn length(node: &Node) -> usize {
    node.text().chars().count() + node.get("head").map_or(0, |h| h.chars().count())
}

impl<'n> List<'n> {
    fn of(node: &'n Node, with: &With<'_>) -> Self {
        let centred = with.align == Align::Center && with.flow == Flow::Column;
        let items = items(node);
        let look = match node.get("look") {
            Some("ruled") => Look::Ruled,
            Some("cards") => Look::Cards,
            Some("tiles") => Look::Tiles,
            Some(_) => Look::Plain,
            // Rules separate heads without signs.
            None if !node.has("marks") && items.iter().all(|i| has_head(i)) => Look::Ruled,
            None => Look::Plain,
        };
        let boxed = matches!(look, Look::Cards | Look::Tiles);
        let asked = node.number(with.frame.shape.name()).or_else(|| node.number("columns")).unwrap_or(1.0) as usize;
        let columns = asked.clamp(1, items.len().max(1));
        let columns = if boxed { even(items.len(), columns) } else { columns };
        let above = look == Look::Tiles || (columns > 2 && look != Look::Cards);
        Self {
            node,
            look,
            columns,
            marks: Marks::of(node.get("marks"), &items, look == Look::Plain),
            fit: node.fit("fit").unwrap_or(Fit { min: Step::Sm, max: Step::Lg }),
            above,
            hugs: centred && look == Look::Plain && columns == 1,
            bold: items.iter().all(|i| !i.has("head") && i.children.is_empty() && length(i) <= SHORT),
            brief: items.iter().all(|i| i.children.is_empty() && length(i) * columns <= BRIEF),
            marked: items.iter().any(|i| i.flag("mark")),
        }
    }
}

/// Returns the number of columns that makes the rows most even.
fn even(items: usize, columns: usize) -> usize {
    let rows = items.div_ceil(columns.max(1)).max(1);
    items.div_ceil(rows).max(1)
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let list = List::of(node, with);
    let inside = if list.above { *with } else { with.aligned(Align::Start) };
    let boxes: Vec<Boxed> = (0..).zip(items(node)).map(|(i, item)| list.entry(i, item, &inside)).collect();
    let gap = node.space("gap").map_or_else(|| list.gap(with), |gap| with.frame.space(gap).max(list.least(with)));
    if list.columns > 1 {
        return list.grid(boxes, gap, with);
    }
    let grows = node.number("grow").is_some_and(|g| g > 0.0);
    let mut column = Vec::with_capacity(2 * boxes.len());
    for entry in boxes {
        if list.look == Look::Ruled && !column.is_empty() {
            column.push(line(with));
        }
        let spreads = grows && list.look != Look::Plain;
        column.push(if spreads { entry.growing(1.0) } else { entry });
    }
    Boxed::column(gap, column).with(|lay| {
        lay.justify = Justify::Between;
        if list.hugs {
            lay.place = Some(Place::Center);
        }
    })
}

/// Draws a rule across an item.
fn line(with: &With<'_>) -> Boxed {
    let (color, high) = (with.inks.line(), with.rule());
    let draw = move |rect: Rect| vec![Item::rect(rect, color, Mark::Mark)];
    Boxed::drawn(Ranged::fixed(Size::new(1.0, high)), draw).with(|lay| lay.place = Some(Place::Stretch))
}

impl List<'_> {
    /// Arranges items in columns. If items have backgrounds, the last ones fill the last row.
    fn grid(&self, boxes: Vec<Boxed>, gap: f32, with: &With<'_>) -> Boxed {
        let (count, columns) = (boxes.len(), self.columns);
        let left = if self.is_boxed() { count % columns } else { 0 };
        // The number of tracks is divisible by both a full row and the last row.
        let tracks = columns * left.max(1);
        let span = |i: usize| if left > 0 && i >= count - left { columns } else { left.max(1) };
        let place = |(i, entry): (usize, Boxed)| {
            let entry = match self.look {
                Look::Ruled => Boxed::column(gap, vec![line(with), entry]),
                _ => entry,
            };
            entry.with(|lay| lay.span = span(i) as u16)
        };
        let wide = if self.is_boxed() { gap } else { gap.max(with.step(5)) };
        Boxed::grid(tracks as u16, wide, boxes.into_iter().enumerate().map(place).collect())
            .with(|lay| lay.row_gap = Some(gap))
    }

    /// Returns the size in du on which distances are based. It is capped, because type with a very large maximum is
    /// rarely that large.
    fn em(&self, with: &With<'_>) -> f32 {
        with.size(self.fit.max).min(LARGE * with.size(Step::Lg))
    }

    /// Returns the gap between items, which exceeds that between their lines.
    fn gap(&self, with: &With<'_>) -> f32 {
        let em = self.em(with);
        match self.look {
            Look::Cards | Look::Tiles => with.step(2),
            Look::Plain if self.above => em,
            Look::Plain if self.marks.is_ground(with) => 0.76 * em,
            Look::Plain if self.bold => 0.84 * em,
            Look::Plain => 1.04 * em,
            Look::Ruled => 0.66 * em,
        }
    }

    /// Returns the smallest gap at which items are told apart from the lines of an item.
    fn least(&self, with: &With<'_>) -> f32 {
        if self.is_boxed() { 0.0 } else { LEAST * self.em(with) }
    }

    fn is_boxed(&self) -> bool {
        matches!(self.look, Look::Cards | Look::Tiles)
    }

    /// Returns one item.
    fn entry(&self, i: usize, item: &Node, with: &With<'_>) -> Boxed {
        let fill = self.is_boxed().then(|| self.fill(i, item, with));
        let own = &fill.map_or(*with, |fill| with.on(fill));
        let row = Row { index: i, item, list: self.node, fit: self.fit, above: self.above, marked: self.marked };
        let mark = self.marks.draw(&row, own);
        let em = self.em(with);
        let laid = if self.above {
            let place = if own.align == Align::Center { Place::Center } else { Place::Start };
            let mark = mark.map(|m| m.boxed.with(|lay| lay.place = Some(place)));
            let value = self.value(item, own);
            let boxes = mark.into_iter().chain(value).chain([self.text(item, own)]).collect();
            Boxed::column(ABOVE * em, boxes)
        } else {
            let high = mark.as_ref().and_then(|m| m.high);
            let align = match (&mark, high) {
                (Some(_), None) => Place::Baseline,
                (None, _) if item.has("value") || item.has("label") => Place::Baseline,
                (None, _) | (Some(_), Some(_)) if self.brief => Place::Center,
                _ => Place::Start,
            };
            // The first line of longer texts is centred on the mark.
            let over =
                if align == Place::Start { high.map_or(0.0, |h| 0.5 * (h - CAPITAL)).max(0.0) * em } else { 0.0 };
            let text = self.text(item, own).growing(if self.hugs { 0.0 } else { 1.0 });
            let text = text.with(|lay| lay.pad[0] = over);
            let end = self.end(item, own).map(|end| if over > 0.0 { end.with(|lay| lay.pad[0] = over) } else { end });
            let boxes = mark.map(|m| m.boxed).into_iter().chain([text]).chain(end).collect();
            Boxed::row(BESIDE * em, align, boxes)
        };
        match fill {
            Some(fill) => self.carded(laid, fill, with),
            None => laid,
        }
    }

    /// Returns the background of an item.
    fn fill(&self, i: usize, item: &Node, with: &With<'_>) -> Color {
        let inks = &with.inks;
        let flats = with.theme().tiles == Tiles::Flats && with.outline().is_some();
        let flats = flats && self.look == Look::Tiles && !self.marked;
        match item.colour("fill") {
            Some(own) => inks.fill(own),
            None if item.flag("mark") => inks.accent(),
            None if flats && !self.node.has("fill") => inks.data((i % 4) as u8),
            None => inks.fill(self.node.colour("fill").unwrap_or(Colour::Role(Named::Surface))),
        }
    }

    fn carded(&self, laid: Boxed, fill: Color, with: &With<'_>) -> Boxed {
        let by = with.theme().card.map_or(0.0, |card| card.shadow) * with.frame.k;
        let tile = self.look == Look::Tiles;
        let pad = if tile { [with.step(4), with.step(4)] } else { [with.step(3), with.step(4)] };
        // The background of a mark has the same distance on all sides.
        let start = if !tile && self.marks.is_ground(with) { pad[0] } else { pad[1] };
        let (left, right) = if with.frame.rtl { (pad[1], start) } else { (start, pad[1]) };
        let radius = with.radius(0.9);
        laid.with(|lay| lay.pad = [pad[0], right, pad[0], left]).looking(|look| {
            look.fill = Some(fill);
            look.radii = [radius; 4];
            look.border = with.outline();
            look.shadow = (by > 0.0).then(|| (0.7 * by, with.inks.ink()));
        })
    }

    /// Returns the words of an item: a label, its head, its words, the items inside it, a note.
    fn text(&self, item: &Node, with: &With<'_>) -> Boxed {
        let off = self.marks.switches && !item.flag("done");
        let inks = &with.inks;
        let lit = item.flag("mark") && !self.is_boxed();
        let loud = if off {
            inks.ink2()
        } else if lit {
            inks.accent_ink()
        } else {
            inks.ink()
        };
        let part = |part: &str| format!("{}.{part}", item.id);
        let group = |part: &str| format!("{}.{part}", self.node.id);
        let small = Plan { level: TextLevel::Small, ink: Some(inks.ink2()), ..Plan::at(Voice::Label, Step::Sm, 3) };
        let small = small.fit(Step::Xs, Step::Sm);
        let mut lines = Vec::new();
        if let Some(label) = item.get("label").filter(|_| !self.has_ends()) {
            lines.push(text_box(
                label,
                &part("label"),
                with,
                Plan { ink: Some(inks.accent_ink()), group: Some(&group("label")), ..small },
            ));
        }
        let head =
            Plan { fit: self.fit, level: TextLevel::Head, ink: Some(loud), ..Plan::at(Voice::Head, Step::Md, 4) };
        if let Some(text) = item.get("head") {
            lines.push(text_box(text, &part("head"), with, Plan { group: Some(&group("head")), ..head }));
        }
        if !item.text().trim().is_empty() {
            let plan = match (item.has("head"), self.bold) {
                (false, true) => head,
                (headed, _) => Plan {
                    fit: if headed { below(self.fit) } else { self.fit },
                    ink: Some(if headed { inks.ink2() } else { loud }),
                    ..Plan::at(Voice::Body, Step::Md, 9)
                },
            };
            let id = if item.has("head") { part("body") } else { item.id.clone() };
            let plan = Plan { id: &id, group: Some(&group("words")), ..plan };
            lines.push(Boxed::words(Words::new(&item.words, plan, with)));
        }
        lines.extend(items(item).into_iter().map(|inner| self.inner(inner, with)));
        if let Some(note) = item.get("note") {
            lines.push(text_box(note, &part("note"), with, Plan { group: Some(&group("note")), ..small }));
        }
        Boxed::column(BELOW * self.em(with), lines)
    }

    /// Returns an item inside an item: a dash and its words.
    fn inner(&self, item: &Node, with: &With<'_>) -> Boxed {
        let fit = below(self.fit);
        let dash = Marks::DASH.draw(&Row { index: 0, item, list: self.node, fit, above: false, marked: false }, with);
        let group = format!("{}.inner", self.node.id);
        let plan = Plan { id: &item.id, fit, group: Some(&group), ..Plan::at(Voice::Body, Step::Sm, 6) };
        let plan = Plan { ink: Some(with.inks.ink2()), ..plan };
        let head = item.get("head").map(|h| Run { text: format!("{h} "), marks: Default::default() });
        let runs: Vec<Run> = head.into_iter().chain(item.words.iter().cloned()).collect();
        let words = Boxed::words(Words::new(&runs, plan, with)).growing(1.0);
        let boxes = dash.map(|m| m.boxed).into_iter().chain([words]).collect();
        Boxed::row(BESIDE * with.size(fit.max), Place::Baseline, boxes)
    }

    /// Returns whether labels go at the ends of rows.
    fn has_ends(&self) -> bool {
        self.columns == 1 && !self.above
    }

    /// Returns a value above the words of a tile.
    fn value(&self, item: &Node, with: &With<'_>) -> Option<Boxed> {
        let group = format!("{}.value", self.node.id);
        let plan =
            Plan { group: Some(&group), ink: Some(with.inks.accent_ink()), ..Plan::at(Voice::Figure, Step::Xl, 1) };
        let id = format!("{}.value", item.id);
        item.get("value").map(|value| text_box(value, &id, with, plan.fit(Step::Lg, Step::Xxl)))
    }

    /// Returns the content at the end of a row: a switch, a value, a label.
    fn end(&self, item: &Node, with: &With<'_>) -> Option<Boxed> {
        if self.marks.switches {
            let size = with.square(self.fit.min, self.fit.max, SWITCH);
            return Some(switch(with, item.flag("done"), size, with.inks.accent()));
        }
        let part = |part: &str| format!("{}.{part}", item.id);
        let plan = Plan { fit: self.fit, align: Some(Align::End), ..Plan::at(Voice::Data, Step::Md, 2) };
        if let Some(value) = item.get("value") {
            let group = format!("{}.value", self.node.id);
            let plan = Plan { ink: Some(with.inks.accent_ink()), group: Some(&group), ..plan };
            return Some(text_box(value, &part("value"), with, plan).rigid());
        }
        let label = item.get("label").filter(|_| self.has_ends())?;
        let group = format!("{}.label", self.node.id);
        let fit = below(self.fit);
        let plan = Plan { voice: Voice::Label, ink: Some(with.inks.ink2()), group: Some(&group), fit, ..plan };
        let made = text_box(label, &part("label"), with, plan);
        Some(if label.chars().count() > SHORT / 2 { made.growing(0.6) } else { made.rigid() })
    }
}

#[cfg(test)]
mod tests {
    use super::even;

    #[test]
    fn rows_are_even() {
        assert_eq!([(4, 3), (5, 3), (7, 3), (5, 4), (6, 4), (1, 3)].map(|(n, c)| even(n, c)), [2, 3, 3, 3, 3, 1]);
    }
}
