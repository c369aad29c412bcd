//! Checks a tree against the declarations of its elements and the limits of a page.

use std::collections::HashSet;

use svgtypes::{PointsParser, TransformListParser};

use super::value::{
    read_anchor, read_colour, read_filling, read_fit, read_flag, read_length, read_numbers, read_shapes, read_sides,
    read_space,
};
use super::{Attribute, Element, Fault, Filling, Group, Holds, Kind, Node, Tree};
use crate::icon::Icon;
use crate::limits::{
    DRAWING_SEGMENTS, DRAWING_SHAPES, PAGE_CHARACTERS, PAGE_DEPTH, PAGE_ELEMENTS, PAGE_FAULTS, SLOT_CHARS,
};
use crate::scene::BezPath;
use crate::text::emoji::Emoji;

/// Most characters of an attribute's value that a fault quotes.
const QUOTED: usize = 40;
/// Most numbers of one attribute.
const MOST_NUMBERS: usize = 60;

/// The elements that a page may contain.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary(pub &'static [&'static Element]);

impl Vocabulary {
    /// Returns the element with this name.
    pub fn find(&self, name: &str) -> Option<&'static Element> {
        self.0.iter().find(|e| e.name == name).copied()
    }
}

impl Tree {
    /// Returns every fault of the page: values that can't be read, elements in the wrong place, duplicate ids, and
    /// exceeded limits. Empty if there is none; at most [`PAGE_FAULTS`], and one that gives the number of the rest.
    pub fn check(&self) -> Vec<Fault> {
        let mut faults = Faults::default();
        if self.root.name() != "page" {
            faults.add(&self.root, "is the outermost element, which must be <page>");
        }
        let mut ids = HashSet::new();
        for node in self.root.walk().filter(|n| !n.id.is_empty() && n.element.group != Group::Shapes) {
            if !ids.insert(node.id.as_str()) {
                faults.add(node, "has an id that another element has too");
            }
        }
        check_node(&self.root, 1, &mut faults);
        check_size(self, &mut faults);
        faults.list()
    }
}

impl Node {
    /// Removes attributes whose values can't be read, including those of descendants.
    pub fn drop_unreadable(&mut self) {
        let element = self.element;
        self.attributes.retain(|(name, value)| element.attribute(name).is_none_or(|a| check_value(a, value).is_ok()));
        self.children.iter_mut().for_each(Self::drop_unreadable);
    }
}

/// The faults found so far.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, node: &Node, message: impl Into<String>) {
        let name = if node.id.is_empty() { node.name() } else { &node.id };
        self.0.push(Fault::new(name, message));
    }

    fn list(mut self) -> Vec<Fault> {
        let more = self.0.len().saturating_sub(PAGE_FAULTS);
        if more > 0 {
            self.0.truncate(PAGE_FAULTS);
            self.0.push(Fault::new("page", format!("has {more} more faults")));
        }
        self.0
    }
}

/// Checks a node with its content. The parser limits the depth too, so recursion is bounded.
fn check_node(node: &Node, depth: usize, faults: &mut Faults) {
    for (name, value) in &node.attributes {
        if let Some(attribute) = node.element.attribute(name)
            && let Err(wrong) = check_value(attribute, value)
        {
            faults.add(node, format!("{name}=\"{}\" {wrong}", shortened(value)));
        }
    }
    if !node.words.is_empty() && !node.has_words() {
        faults.add(node, "holds no words");
    }
    if depth == PAGE_DEPTH && !node.children.is_empty() {
        faults.add(node, format!("holds elements {PAGE_DEPTH} deep; a page may be {PAGE_DEPTH} deep at most"));
        return;
    }
    for child in &node.children {
        if !may_hold(node.element.holds, child.element) {
            faults.add(child, format!("may not stand in <{}>{}", node.name(), instead(node.element.holds)));
        }
        check_node(child, depth + 1, faults);
    }
    if node.name() == "svg" {
        check_drawing(node, faults);
    }
}

fn may_hold(holds: Holds, child: &Element) -> bool {
    match holds {
        Holds::Nothing | Holds::Words => false,
        Holds::Elements => !matches!(child.group, Group::Parts | Group::Shapes) && child.name != "page",
        Holds::Only(names) | Holds::WordsAnd(names) => names.contains(&child.name),
    }
}

fn instead(holds: Holds) -> String {
    match holds {
        Holds::Nothing => ", which holds nothing".to_owned(),
        Holds::Words => ", which holds words only".to_owned(),
        Holds::Elements => String::new(),
        Holds::Only(names) | Holds::WordsAnd(names) => format!(", which holds {}", names.join(", ")),
    }
}

fn check_value(attribute: &Attribute, value: &str) -> Result<(), String> {
    match attribute.kind {
        Kind::Words if value.chars().count() > SLOT_CHARS => Err(format!("has over {SLOT_CHARS} characters")),
        Kind::Words => Ok(()),
        Kind::Number(min, max) => {
            let read = value.trim().parse::<f64>().ok().filter(|n| n.is_finite() && (min..=max).contains(n));
            read.map(drop).ok_or_else(|| format!("is no number from {min} to {max}"))
        }
        Kind::Whole(min, max) => {
            let read = value.trim().parse::<i64>().ok().filter(|n| (min..=max).contains(n));
            read.map(drop).ok_or_else(|| format!("is no whole number from {min} to {max}"))
        }
        Kind::Numbers => match read_numbers(value)?.len() {
            n if n > MOST_NUMBERS => Err(format!("has {n} numbers; {MOST_NUMBERS} are the most")),
            _ => Ok(()),
        },
        Kind::Flag => read_flag(value, attribute.name).map(drop),
        Kind::Choice(words) if words.contains(&value.trim()) => Ok(()),
        Kind::Choice(words) => Err(format!("is none of {}", words.join(", "))),
        Kind::Colour => read_colour(value).map(drop),
        Kind::Space => read_space(value).map(drop),
        Kind::Fit => read_fit(value).map(drop),
        Kind::Length => read_length(value).map(drop),
        Kind::Shapes => read_shapes(value).map(drop),
        Kind::Anchor => read_anchor(value).map(drop),
        Kind::Sides => read_sides(value).map(drop),
        Kind::Icon if Icon::by_name(value.trim()).is_some() => Ok(()),
        Kind::Icon => Err(format!("is no icon{}", near(value.trim()))),
        Kind::Emoji if Emoji::longest(value.trim()).is_some_and(|(_, n)| n == value.trim().len()) => Ok(()),
        Kind::Emoji => Err("is no emoji".to_owned()),
        Kind::Id if is_id(value) => Ok(()),
        Kind::Id => Err("is no id of letters, digits, -, _ and ., 64 at most".to_owned()),
        Kind::Name if value.chars().count() <= 2048 => Ok(()),
        Kind::Name => Err("has over 2048 characters".to_owned()),
        Kind::Path => BezPath::from_svg(value).map(drop).map_err(|_| "is no path data".to_owned()),
        Kind::Points if PointsParser::from(value).count() >= 2 => Ok(()),
        Kind::Points => Err("are not at least two points".to_owned()),
        Kind::Transform if TransformListParser::from(value).all(|t| t.is_ok()) => Ok(()),
        Kind::Transform => Err("is no transform such as rotate(45) translate(10 20)".to_owned()),
        Kind::Paint => check_paint(value),
    }
}

fn check_paint(value: &str) -> Result<(), String> {
    match read_filling(value)? {
        Filling::Gradient(id) if !is_id(&id) => Err("refers to no id".to_owned()),
        _ => Ok(()),
    }
}

fn is_id(text: &str) -> bool {
    let mut chars = text.chars();
    text.len() <= 64
        && chars.next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Suggests up to three icons whose names contain a word of `name`.
fn near(name: &str) -> String {
    let words: Vec<&str> = name.split(['-', '_', ' ']).filter(|w| w.len() > 2).collect();
    let close = Icon::all().map(Icon::name).filter(|n| words.iter().any(|w| n.contains(w)));
    let close: Vec<&str> = close.take(3).collect();
    if close.is_empty() { String::new() } else { format!("; near it are {}", close.join(", ")) }
}

/// Checks what each `use` of an `svg` refers to. Returns the originals, one for each copy.
fn check_copies<'n>(svg: &'n Node, faults: &mut Faults) -> Vec<&'n Node> {
    let mut copies = Vec::new();
    for node in svg.walk().filter(|n| n.name() == "use") {
        let id = node.get("href").unwrap_or_default().trim();
        match svg.original(node) {
            Some(original) if original.walk().any(|n| n.name() == "use") => {
                faults.add(node, format!("copies {id:?}, which holds a use itself"));
            }
            Some(original) => copies.push(original),
            None => faults.add(node, format!("refers to {id:?}, which is no shape or g of this svg")),
        }
    }
    copies
}

/// Checks the shapes of one `svg`: their number, their segments, and the gradients that paints refer to.
fn check_drawing(svg: &Node, faults: &mut Faults) {
    let copies = check_copies(svg, faults);
    let shapes = svg.walk().skip(1).chain(copies.iter().flat_map(|copy| copy.walk())).count();
    if shapes > DRAWING_SHAPES {
        faults.add(svg, format!("has {shapes} shapes; {DRAWING_SHAPES} are the most"));
    }
    let places: Vec<&Node> = svg.children.iter().filter(|child| child.name() == "place").collect();
    for place in &places {
        if !matches!(place.numbers("box")[..], [_, _, w, h] if w > 0.0 && h > 0.0) {
            faults.add(place, "needs a box of four numbers: x y width height".to_owned());
        }
    }
    if svg.has("bleed") && !svg.is_scene() && !places.is_empty() {
        faults.add(
            svg,
            "has places: its bleed can only be \"left right\" or \"left right bottom\", with fit=\"contain\""
                .to_owned(),
        );
    }
    let value = |n: &Node, name: &str| n.attributes.iter().find(|(a, _)| *a == name).map(|(_, v)| v.clone());
    let path = |n: &Node| value(n, "d").and_then(|d| BezPath::from_svg(&d).ok()).map_or(0, |p| p.elements().len());
    let points = |n: &Node| value(n, "points").map_or(0, |p| PointsParser::from(p.as_str()).count());
    let drawn = svg.walk().chain(copies.iter().flat_map(|copy| copy.walk()));
    let segments: usize = drawn.map(|n| path(n) + points(n)).sum();
    if segments > DRAWING_SEGMENTS {
        faults.add(svg, format!("has {segments} path segments; {DRAWING_SEGMENTS} are the most"));
    }
    let named = |names: &'static [&'static str]| -> HashSet<&str> {
        svg.walk().filter(|n| names.contains(&n.name())).map(|n| n.id.as_str()).collect()
    };
    let (gradients, clips) = (named(&["linearGradient", "radialGradient"]), named(&["clipPath"]));
    for (node, (name, paint)) in svg.walk().flat_map(|n| n.attributes.iter().map(move |a| (n, a))) {
        let Some(id) = paint.trim().strip_prefix("url(#").and_then(|v| v.strip_suffix(')')) else { continue };
        let (known, what) = if *name == "clip-path" { (&clips, "clipPath") } else { (&gradients, "gradient") };
        if !known.contains(id) {
            faults.add(node, format!("refers to #{id}, which is no {what} of this svg"));
        }
    }
}

fn check_size(tree: &Tree, faults: &mut Faults) {
    let elements = tree.root.walk().filter(|n| n.element.group != Group::Shapes).count();
    if elements > PAGE_ELEMENTS {
        faults.add(&tree.root, format!("has {elements} elements; {PAGE_ELEMENTS} are the most"));
    }
    let own = |n: &Node| n.words.iter().map(|r| r.text.chars().count()).sum::<usize>();
    let set = |n: &Node| -> usize {
        let words = |name: &str| n.element.attribute(name).is_some_and(|a| a.kind == Kind::Words);
        n.attributes.iter().filter(|(name, _)| words(name)).map(|(_, v)| v.chars().count()).sum()
    };
    let characters: usize = tree.root.walk().map(|n| own(n) + set(n)).sum();
    if characters > PAGE_CHARACTERS {
        faults.add(&tree.root, format!("has {characters} characters of text; {PAGE_CHARACTERS} are the most"));
    }
}

fn shortened(value: &str) -> String {
    let mut short: String = value.chars().take(QUOTED).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    short
}
