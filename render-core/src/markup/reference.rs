//! The reference page: the language in Markdown, short enough for the prompt of a language model.

use std::collections::HashMap;
use std::fmt::Write;

use crate::limits::{DRAWING_BYTES, DRAWING_SEGMENTS, DRAWING_SHAPES, PAGE_CHARACTERS, PAGE_DEPTH, PAGE_ELEMENTS};
use crate::tree::{Attribute, COMMON, Element, Group, Holds, Kind, Vocabulary};

/// Most words of an attribute that are all listed; of more, only the first half of this number is.
const MOST_WORDS: usize = 12;
/// Text attributes that the title of their group explains.
const SHARED: [&str; 5] = ["ink", "align", "fit-group", "letter-spacing", "line-spacing"];
/// Ranges of numbers beyond this are not printed.
const WIDE: f64 = 1e5;

/// How pages are written.
const SYNTAX: &str = "\
# The page language

A page is XML-like text: one `<page>`, elements inside one another, each closed. Pages stand one after another.

- Names are those of HTML and SVG. No styles, classes, scripts or links.
- Words take the inline marks em, strong, mark, del, u, sup, code and br. Bare words in a container become a text.
- Every element has an id, unique in the page: `id=\"price\"`, or generated from its name (card-2).
- Type is as large as its range allows while everything fits. What can't fit is a fault.
";

/// The forms of values.
const VALUES: &str = "\
## Values

- colour: a role: bg surface ink ink2 line accent accent-ink on-accent tint field on-field data1 … data6 art1 … art5; \
`color-mix(in oklab, bg, accent 30%)` of two roles; `#0a7d4f` only where asked for exactly that
- space: a step from 0 to 9; `96du` (a square page has 1080) only where asked for
- length: `40%` of the parent, or a space
- size: xs sm md lg xl 2xl 3xl hero giant colossal, or a range: `md..hero`
- shapes: any of tall upright square wide strip
- anchor: top left, bottom, center …; across fills the width, down the height, fill both
- sides: any of top right bottom left, or all, none
- flag: true, false; the name alone is true
- words: set as text; name: not set; id: letters, digits, - _ .
- paint: a colour, none, black, white, dark, light, skin1 … skin4, `url(#id)`, `color-mix(in oklab, accent, black 20%)`
";

/// How to read the list of elements.
const ELEMENTS: &str = "\
## Elements

`headline*(fit:size=xl..hero)` is an element, its attribute fit, that attribute's kind and its default; `a|b` are the \
words that it takes. Where no kind is given, it is the last one given for that name. Elements with * hold words, those \
with + hold elements.
";

/// Describes the language in Markdown: its rules, and one line per element. `examples` are titles and texts of pages to
/// append.
pub fn reference(vocabulary: &Vocabulary, examples: &[(&str, &str)]) -> String {
    let mut page = format!("{SYNTAX}{}\n{VALUES}\n{ELEMENTS}", limits());
    let mut kinds = HashMap::new();
    let _ = writeln!(page, "\nAll of them take:\n");
    for attribute in COMMON {
        let _ = writeln!(page, "- {}: {}", signature(attribute, &mut kinds), meaning(attribute.name));
    }
    for group in groups() {
        let mut members = vocabulary.0.iter().filter(|e| e.group == group).peekable();
        if members.peek().is_some() {
            let _ = writeln!(page, "\n### {}\n", title(group));
        }
        if group == Group::Shapes {
            page.push_str(&shapes(members.copied()));
            continue;
        }
        for element in members {
            let _ = writeln!(page, "- {}", line(element, &mut kinds));
        }
    }
    if !examples.is_empty() {
        page.push_str("\n## Examples\n");
    }
    for (title, text) in examples {
        let _ = write!(page, "\n### {title}\n\n```xml\n{}\n```\n", text.trim_end());
    }
    page
}

fn limits() -> String {
    format!(
        "- At most {PAGE_ELEMENTS} elements, {PAGE_DEPTH} deep, with {PAGE_CHARACTERS} characters of words. An `svg` \
         has at most {DRAWING_SHAPES} shapes, {DRAWING_SEGMENTS} path segments and {} KiB.\n",
        DRAWING_BYTES >> 10
    )
}

fn groups() -> [Group; 8] {
    [
        Group::Containers,
        Group::Text,
        Group::Marks,
        Group::Pictures,
        Group::Data,
        Group::Devices,
        Group::Parts,
        Group::Shapes,
    ]
}

fn title(group: Group) -> &'static str {
    match group {
        Group::Containers => "Containers",
        Group::Text => {
            "Text; all take ink, align, fit-group (the id of a group whose texts have one size), letter-spacing (in \
             em) and line-spacing too"
        }
        Group::Marks => "Marks",
        Group::Pictures => "Pictures",
        Group::Data => "Data; all take the room that is left, unless grow=\"0\"",
        Group::Devices => "Devices",
        Group::Parts => "Parts, only in the elements that hold them",
        Group::Shapes => "Shapes, only in svg",
    }
}

/// Lists shapes without explanations: they are those of SVG.
fn shapes(members: impl Iterator<Item = &'static Element>) -> String {
    let (mut names, mut attributes) = (Vec::new(), Vec::new());
    for element in members {
        names.push(element.name);
        for attribute in element.attributes {
            if !attributes.contains(&attribute.name) {
                attributes.push(attribute.name);
            }
        }
    }
    format!("`{}` with the attributes that SVG gives them of `{}`.\n", names.join(" "), attributes.join(" "))
}

/// Returns the purpose of an attribute that all elements support.
fn meaning(name: &str) -> &'static str {
    match name {
        "id" => "its name",
        "when" => "the shapes of pages that it stands on",
        "optional" => "may be left out of a full page, 9 first",
        "grow" => "share of the room that is left",
        "basis" => "length before it grows",
        "width" | "height" => "size, where its contents do not decide",
        "self" => "place across its parent",
        "at" => "place in a layer",
        "shift" => "right and down, in % of its parent",
        "turn" => "clockwise, in degrees",
        _ => "",
    }
}

/// Returns the line of an element.
fn line(element: &'static Element, kinds: &mut HashMap<&'static str, Kind>) -> String {
    let mut attributes: Vec<String> = Vec::new();
    let mut rest = element.attributes;
    while let [first, ..] = rest {
        // Neighbours of the same kind share it: `tall,wide:row|column`.
        let is_new = |a: &Attribute| kinds.get(a.name) != Some(&a.kind);
        let alike = |a: &&Attribute| a.kind == first.kind && a.default == first.default && is_new(a);
        let count = rest.iter().take_while(alike).count().max(1);
        let (these, others) = rest.split_at(count);
        rest = others;
        let is_shared = element.group == Group::Text && SHARED.contains(&first.name);
        // Inherited attributes of shapes are listed with the shapes.
        if element.group == Group::Pictures && first.name.starts_with("stroke-") {
            continue;
        }
        let signatures: Vec<String> = these.iter().map(|a| signature(a, kinds)).collect();
        if is_shared && element.name != "headline" {
            continue;
        }
        let last = signatures.last().map(String::as_str);
        attributes.push(match these {
            [first, .., last] if first.name == "tall" && last.name == "strip" => {
                let own = signatures.last().and_then(|s| s.strip_prefix("strip")).unwrap_or_default();
                format!("tall,…,strip{own}")
            }
            _ => these.iter().take(count - 1).map(|a| a.name).chain(last).collect::<Vec<_>>().join(","),
        });
    }
    let mut line = element.name.to_owned();
    match element.holds {
        Holds::Words | Holds::WordsAnd(_) => line.push('*'),
        Holds::Elements => line.push('+'),
        Holds::Nothing | Holds::Only(_) => {}
    }
    if !attributes.is_empty() {
        let _ = write!(line, "({})", attributes.join(" "));
    }
    let _ = write!(line, ": {}.", element.about);
    match element.holds {
        Holds::Nothing | Holds::Words | Holds::Elements => {}
        Holds::Only(names) if names.len() > 4 => line.push_str(" Holds shapes."),
        Holds::Only(names) | Holds::WordsAnd(names) => {
            let _ = write!(line, " Holds {}.", names.join(", "));
        }
    }
    line
}

/// Returns an attribute with its default, and with its kind if that differs from the previous attribute with this name.
fn signature(attribute: &Attribute, kinds: &mut HashMap<&'static str, Kind>) -> String {
    let mut text = attribute.name.to_owned();
    if kinds.insert(attribute.name, attribute.kind) != Some(attribute.kind) {
        text.push(':');
        text.push_str(&kind(attribute.kind));
    }
    if !attribute.default.is_empty() {
        text.push('=');
        text.push_str(attribute.default);
    }
    text
}

fn kind(kind: Kind) -> String {
    let name = match kind {
        Kind::Number(min, max) if max - min > WIDE => "number",
        Kind::Whole(min, max) if max.saturating_sub(min) as f64 > WIDE => "whole number",
        Kind::Number(min, max) => return format!("{min}..{max}"),
        Kind::Whole(min, max) => return format!("whole {min}..{max}"),
        Kind::Choice(words) if words.len() > MOST_WORDS => return format!("{}|…", words[..MOST_WORDS / 2].join("|")),
        Kind::Choice(words) => return words.join("|"),
        Kind::Words => "words",
        Kind::Numbers => "numbers",
        Kind::Flag => "flag",
        Kind::Colour => "colour",
        Kind::Space => "space",
        Kind::Fit => "size",
        Kind::Length => "length",
        Kind::Shapes => "shapes",
        Kind::Anchor => "anchor",
        Kind::Sides => "sides",
        Kind::Icon => "icon",
        Kind::Emoji => "emoji",
        Kind::Id => "id",
        Kind::Name => "name",
        Kind::Path => "path",
        Kind::Points => "points",
        Kind::Transform => "transform",
        Kind::Paint => "paint",
    };
    name.to_owned()
}
