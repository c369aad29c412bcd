//! Declarations of elements: name, attributes and content. The parser, the reference page and the elements themselves
//! read the same declaration.

/// The declaration of an element.
#[derive(Debug, Clone, Copy)]
pub struct Element {
    /// Its name in the language.
    pub name: &'static str,
    /// Where the reference page lists it.
    pub group: Group,
    /// One sentence for the reference page, without a full stop.
    pub about: &'static str,
    /// What may stand inside it.
    pub holds: Holds,
    /// Its own attributes, beside those of [`COMMON`] (which shapes of an `svg` lack).
    pub attributes: &'static [Attribute],
}

/// Elements are equal where their names are.
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
    /// Drawings of things with words in them: a terminal, a chat.
    Devices,
    /// Parts that stand only in certain elements: items, rows, cells.
    Parts,
    /// Shapes of an `svg`.
    Shapes,
}

/// What may stand inside an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Nothing.
    Nothing,
    /// Words with inline marks.
    Words,
    /// Any elements but parts and shapes. Bare words become a `text` element.
    Elements,
    /// Elements of these names only.
    Only(&'static [&'static str]),
    /// Words, and elements of these names behind them.
    WordsAnd(&'static [&'static str]),
}

/// The declaration of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value that holds where it is absent, as it would be written; empty where there is none.
    pub default: &'static str,
}

impl Attribute {
    /// An attribute without a default.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, default: "" }
    }

    /// An attribute that has `default` where it is absent.
    pub const fn or(name: &'static str, kind: Kind, default: &'static str) -> Self {
        Self { name, kind, default }
    }
}

/// What values an attribute takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Words that are set on the page.
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
    /// A place in a `layer`: `top left`, `center`, `bottom`.
    Anchor,
    /// Sides of a box: `left top`, or `all`.
    Sides,
    /// The name of an icon.
    Icon,
    /// An emoji character.
    Emoji,
    /// An identifier: letters, digits, `-`, `_` and `.`.
    Id,
    /// Any short text without markup that is not set: a source's name, an address.
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

/// What every element takes, shapes of an `svg` and parts aside.
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
    /// The declaration of one of its attributes, those of [`COMMON`] included.
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        let common: &'static [Attribute] = match self.group {
            Group::Parts | Group::Shapes => &COMMON[..1],
            _ => COMMON,
        };
        self.attributes.iter().chain(common).find(|a| a.name == name)
    }
}
