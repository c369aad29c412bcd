//! [`Tree`] and [`Node`]: a page as plain data.

use super::value::{
    Anchor, Colour, Filling, Fit, Length, Shape, Sides, Space, read_anchor, read_colour, read_filling, read_fit,
    read_flag, read_length, read_numbers, read_shapes, read_sides, read_space,
};
use super::{Element, Holds};

/// The elements that a `use` can copy.
const COPIED: [&str; 8] = ["g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path"];

/// A page: its root is a `page` element.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The `page` element.
    pub root: Node,
}

/// An element of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its declaration.
    pub element: &'static Element,
    /// Unique within the page; empty for shapes of an `svg` without an explicit id.
    pub id: String,
    /// Names and values as written, except `id`, in declaration order.
    pub attributes: Vec<(&'static str, String)>,
    /// Words, if it holds words.
    pub words: Vec<Run>,
    /// Elements inside it.
    pub children: Vec<Node>,
}

/// Words with the same marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The words; `\n` is a forced line break.
    pub text: String,
    /// Their marks.
    pub marks: Marks,
}

/// The emphasis of words within their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Marks {
    /// `em`: emphasis in the style's manner.
    pub em: bool,
    /// `strong`: a heavier weight.
    pub strong: bool,
    /// `mark`: a highlight behind the words.
    pub mark: bool,
    /// `del`: struck out.
    pub del: bool,
    /// `u`: underlined.
    pub u: bool,
    /// `sup`: raised and small.
    pub sup: bool,
    /// `code`: the font for code.
    pub code: bool,
}

impl Marks {
    /// Names of the inline elements, in nesting order when printed.
    pub const NAMES: [&'static str; 7] = ["em", "strong", "mark", "del", "u", "sup", "code"];

    /// Returns the mark that the inline element `name` sets; `None` if there is no such element.
    pub fn named(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "em" | "i" => &mut self.em,
            "strong" | "b" => &mut self.strong,
            "mark" => &mut self.mark,
            "del" | "s" => &mut self.del,
            "u" => &mut self.u,
            "sup" => &mut self.sup,
            "code" => &mut self.code,
            _ => return None,
        })
    }

    /// Returns the names of the marks that are set, outermost first.
    pub fn names(mut self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(move |name| self.named(name).is_some_and(|set| *set))
    }
}

impl Run {
    /// Creates words without marks.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), marks: Marks::default() }
    }

    /// Parses words of an attribute, in which marks are tags: `a <em>word</em>`. Other markup stays unchanged.
    pub fn inline(text: &str) -> Vec<Self> {
        if !text.contains('<') {
            return vec![Self::plain(text)];
        }
        let (mut runs, mut marks, mut rest) = (Vec::new(), Marks::default(), text);
        let mut open = String::new();
        while let Some(at) = rest.find('<') {
            let (before, tag) = rest.split_at(at);
            open.push_str(before);
            let named = tag.find('>').map(|end| (&tag[1..end], &tag[end + 1..]));
            let mark = named.and_then(|(name, after)| {
                let set = !name.starts_with('/');
                let mut next = marks;
                *next.named(name.trim_start_matches('/'))? = set;
                Some((next, after))
            });
            let Some((next, after)) = mark else {
                open.push('<');
                rest = &tag[1..];
                continue;
            };
            if !open.is_empty() {
                runs.push(Self { text: std::mem::take(&mut open), marks });
            }
            (marks, rest) = (next, after);
        }
        open.push_str(rest);
        if !open.is_empty() {
            runs.push(Self { text: open, marks });
        }
        runs
    }
}

impl Tree {
    /// Returns the node with this id.
    pub fn find(&self, id: &str) -> Option<&Node> {
        self.root.walk().find(|n| n.id == id)
    }

    /// Returns the node with this id.
    pub fn find_mut(&mut self, id: &str) -> Option<&mut Node> {
        self.root.find_mut(id)
    }
}

impl Node {
    /// Creates an element without attributes or content.
    pub fn new(element: &'static Element, id: impl Into<String>) -> Self {
        Self { element, id: id.into(), attributes: Vec::new(), words: Vec::new(), children: Vec::new() }
    }

    /// Returns its element's name.
    pub fn name(&self) -> &'static str {
        self.element.name
    }

    /// Returns the shape or group of this `svg` that a `use` copies; `None` if its `href` names none.
    pub fn original(&self, copy: &Self) -> Option<&Self> {
        let id = copy.get("href")?.trim().strip_prefix('#')?;
        self.walk().find(|node| node.id == id && COPIED.contains(&node.name()))
    }

    /// Returns itself and all descendants, in document order.
    pub fn walk(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let node = waiting.pop()?;
            waiting.extend(node.children.iter().rev());
            Some(node)
        })
    }

    fn find_mut(&mut self, id: &str) -> Option<&mut Self> {
        if self.id == id {
            return Some(self);
        }
        self.children.iter_mut().find_map(|child| child.find_mut(id))
    }

    /// Returns all its own words as one text, without marks.
    pub fn text(&self) -> String {
        self.words.iter().map(|run| run.text.as_str()).collect()
    }

    /// Returns whether its element can hold words.
    pub fn has_words(&self) -> bool {
        matches!(self.element.holds, Holds::Words | Holds::WordsAnd(_))
    }

    /// Returns an attribute as written, or its default; `None` if it has neither.
    pub fn get(&self, name: &str) -> Option<&str> {
        let own = self.attributes.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str());
        own.or_else(|| self.element.attribute(name).map(|a| a.default).filter(|d| !d.is_empty()))
    }

    /// Returns whether an attribute is explicitly set.
    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(n, _)| *n == name)
    }

    /// Sets an attribute that its element declares; does nothing for others.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let Some(attribute) = self.element.attribute(name) else { return };
        match self.attributes.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value.into(),
            None => self.attributes.push((attribute.name, value.into())),
        }
    }

    fn read<T>(&self, name: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let own = self.attributes.iter().find(|(n, _)| *n == name).and_then(|(_, v)| read(v).ok());
        own.or_else(|| read(self.element.attribute(name).map(|a| a.default).filter(|d| !d.is_empty())?).ok())
    }

    /// Returns a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.read(name, |v| v.trim().parse().map_err(|_| String::new()))
    }

    /// Returns numbers.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        self.read(name, read_numbers).unwrap_or_default()
    }

    /// Returns whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.read(name, |v| read_flag(v, name)).unwrap_or_default()
    }

    /// Returns a colour.
    pub fn colour(&self, name: &str) -> Option<Colour> {
        self.read(name, read_colour)
    }

    /// Returns the fill or stroke of a shape.
    pub fn filling(&self, name: &str) -> Option<Filling> {
        self.read(name, read_filling)
    }

    /// Returns a step of the spacing scale or a length.
    pub fn space(&self, name: &str) -> Option<Space> {
        self.read(name, read_space)
    }

    /// Returns a length along an axis.
    pub fn length(&self, name: &str) -> Option<Length> {
        self.read(name, read_length)
    }

    /// Returns a range of type sizes.
    pub fn fit(&self, name: &str) -> Option<Fit> {
        self.read(name, read_fit)
    }

    /// Returns its position in a `layer`.
    pub fn anchor(&self, name: &str) -> Option<Anchor> {
        self.read(name, read_anchor)
    }

    /// Returns whether this is a drawing from edge to edge of its page: at its foot, or as a strip between words.
    pub fn is_scene(&self) -> bool {
        let sides = self.sides("bleed");
        self.name() == "svg" && sides.left && sides.right && !sides.top && self.get("fit") != Some("cover")
    }

    /// Returns sides of a box; none if the attribute is absent.
    pub fn sides(&self, name: &str) -> Sides {
        self.read(name, read_sides).unwrap_or_default()
    }

    /// Returns page shapes; `None` if the attribute is absent.
    pub fn shapes(&self, name: &str) -> Option<Vec<Shape>> {
        self.read(name, read_shapes)
    }
}
