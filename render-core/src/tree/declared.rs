//! Declarations of elements: name, attributes and content. The parser, the reference page and the elements themselves
//! use the same declaration.

/// The declaration of an element.
#[derive(Debug, Clone, Copy)]
pub struct Element {
    /// Its name in the language.
    pub name: &'static str,
    /// The section of the reference page that lists it.
    pub group: Group,
    /// One sentence for the reference page, without a full stop.
    pub about: &'static str,
    /// Its allowed content.
    pub holds: Holds,
    /// Its own attributes, in addition to those of [`COMMON`] (of which parts and shapes only have the id).
    pub attributes: &'static [Attribute],
}

/// Elements are equal if their names are.
impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Groups of elements, in the reference page's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Boxes that lay out their children.
    Containers,
    /// Words.
    Text,
    /// Small signs: badges, icons, buttons.
    Marks,
    /// Illustrations and photographs.
    Pictures,
    /// Charts, tables and diagrams.
    Data,
    /// Drawings of objects with words in them: a terminal, a chat.
    Devices,
    /// Parts that are only allowed in certain elements: items, rows, cells.
    Parts,
    /// Shapes of an `svg`.
    Shapes,
}

/// The allowed content of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// No content.
    Nothing,
    /// Words with inline marks.
    Words,
    /// Any elements except parts and shapes. Bare words become a `text` element.
    Elements,
    /// Only elements with these names.
    Only(&'static [&'static str]),
    /// Words, followed by elements with these names.
    WordsAnd(&'static [&'static str]),
}

/// The declaration of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The value if it is absent, as it would be written; empty if there is none.
    pub default: &'static str,
}

impl Attribute {
    /// Creates an attribute without a default.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, default: "" }
    }

    /// Creates an attribute with the default `default`.
    pub const fn or(name: &'static str, kind: Kind, default: &'static str) -> Self {
        Self { name, kind, default }
    }
}

/// The kind of an attribute's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Words that the page shows.
    Words,
    /// A number.
    Number(f64, f64),
    /// A whole number.
    Whole(i64, i64),
    /// Numbers separated by spaces or commas.
    Numbers,
    /// `true` or `false`; an empty value or the attribute's own name is `true`.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A colour role, or `#rrggbb`.
    Colour,
    /// A step of the spacing scale from 0 to 9, or a length such as `96du`.
    Space,
    /// Type sizes: a step, or a range of steps such as `md..hero`.
    Fit,
    /// A length along an axis: `40%`, a step of the spacing scale, or `96du`.
    Length,
    /// Shapes of pages, separated by spaces.
    Shapes,
    /// A position in a `layer`: `top left`, `center`, `bottom`.
    Anchor,
    /// Sides of a box: `left top`, or `all`.
    Sides,
    /// The name of an icon.
    Icon,
    /// An emoji character.
    Emoji,
    /// An identifier: letters, digits, `-`, `_` and `.`.
    Id,
    /// Any short text without markup that the page doesn't show: a source's name, an address.
    Name,
    /// SVG path data.
    Path,
    /// SVG points.
    Points,
    /// An SVG transform list.
    Transform,
    /// An SVG paint: a colour, `none`, or `url(#gradient)`.
    Paint,
}

/// The attributes of every element, except parts and shapes of an `svg`, which only have the first.
pub const COMMON: &[Attribute] = &[
    Attribute::new("id", Kind::Id),
    Attribute::new("when", Kind::Shapes),
    Attribute::new("optional", Kind::Whole(1, 9)),
    Attribute::or("grow", Kind::Number(0.0, 10.0), "0"),
    Attribute::new("basis", Kind::Length),
    Attribute::new("width", Kind::Length),
    Attribute::new("height", Kind::Length),
    Attribute::new("self", Kind::Choice(&["start", "center", "end", "stretch"])),
    Attribute::or("at", Kind::Anchor, "fill"),
    Attribute::or("shift", Kind::Numbers, "0 0"),
    Attribute::or("turn", Kind::Number(-30.0, 30.0), "0"),
];

impl Element {
    /// Returns the declaration of one of its attributes, including those of [`COMMON`].
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        let common: &'static [Attribute] = match self.group {
            Group::Parts | Group::Shapes => &COMMON[..1],
            _ => COMMON,
        };
        self.attributes.iter().chain(common).find(|a| a.name == name)
    }
}
