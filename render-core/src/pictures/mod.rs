//! The picture vocabulary: small parametric illustrations with a meaning, one file of `assets/pictures` each.
//!
//! ```text
//! <picture name="waffle" n="35"/> --entry--> template + parameters --minijinja--> svg markup --markup--> <svg>
//! ```
//!
//! A file has two parts. The header states the picture's meaning and its parameters:
//!
//! ```xml
//! <picture about="a share as cells of a hundred" words="percent share" aspect="1">
//!   <param name="n" min="0" max="100" default="35" about="highlighted cells"/>
//!   <param name="variant" values="flat raised" default="flat" about="…"/>
//! </picture>
//! ```
//!
//! `words` are English words in a page that select the picture ([`meant`]); `de`, `fr` and `es` give those of other
//! languages. `emoji` lists emoji with the same meaning ([`of_emoji`]).
//!
//! The header is followed by one `<svg>`, a minijinja template: numbers are expressions over the parameters, loops
//! repeat shapes, colours are roles of the palette. Beside its parameters, the template can use `manner`, `pen` (the
//! outline of every shape in that manner, as attributes), `seed`, and the functions of `functions.rs`. It may import
//! `people` and `solid`, which are files of macros.
//!
//! [`resolve`] replaces pictures by their drawings before a page is laid out: layout only supports `svg`.

mod emoji;
mod entry;
mod functions;
mod meaning;

use std::collections::HashMap;
use std::sync::OnceLock;

use minijinja::{Environment, Value};

pub use entry::{Entry, Parameter, Range};
pub use meaning::{illustrating, meant, mentioned};

use crate::design::Manner;
use crate::text::emoji::Emoji;
use crate::tree::{Fault, Node, Tree};
use crate::{elements, markup};

include!(concat!(env!("OUT_DIR"), "/pictures.rs"));

/// The pictures: their headers, read once, and their templates, each parsed when it is first drawn.
struct Library {
    entries: Vec<Entry>,
    drawings: Vec<Drawing>,
    macros: Vec<(String, &'static str)>,
}

/// The template of a picture.
struct Drawing {
    text: &'static str,
    /// The template with the macros that it imports, once drawn.
    read: OnceLock<Result<Environment<'static>, String>>,
}

static LIBRARY: OnceLock<Library> = OnceLock::new();

fn library() -> &'static Library {
    LIBRARY.get_or_init(|| {
        let read = Library::read(MACROS, PICTURES);
        debug_assert!(read.is_ok(), "{:?}", read.err());
        read.unwrap_or_else(|_| Library { entries: Vec::new(), drawings: Vec::new(), macros: Vec::new() })
    })
}

impl Library {
    /// Reads files by name; macros are in `macros/`.
    fn read(macros: &[(&str, &'static str)], pictures: &[(&'static str, &'static str)]) -> Result<Self, String> {
        let macros = macros.iter().map(|(name, source)| (format!("macros/{name}"), *source)).collect();
        let mut out = Self { entries: Vec::new(), drawings: Vec::new(), macros };
        for (name, source) in pictures {
            let (entry, text) = entry::read(name, source).map_err(|e| format!("{name}: {e}"))?;
            out.entries.push(entry);
            out.drawings.push(Drawing { text, read: OnceLock::new() });
        }
        Ok(out)
    }

    /// Returns the template of a picture with its imports.
    fn template(&'static self, name: &'static str) -> Result<minijinja::Template<'static, 'static>, String> {
        let at = self.entries.iter().position(|entry| entry.name == name).ok_or("there is no such picture")?;
        let drawing = &self.drawings[at];
        let read = drawing.read.get_or_init(|| {
            let mut environment = functions::environment();
            let mut texts = vec![drawing.text];
            let mut left: Vec<&(String, &'static str)> = self.macros.iter().collect();
            // Macros may import others.
            while let Some(text) = texts.pop() {
                let (imported, others): (Vec<_>, Vec<_>) =
                    left.into_iter().partition(|(name, _)| text.contains(name.as_str()));
                left = others;
                for (name, source) in imported {
                    environment.add_template(name, source).map_err(|e| format!("{name}: {e:#}"))?;
                    texts.push(source);
                }
            }
            environment.add_template(name, drawing.text).map_err(|e| format!("{name}: {e:#}"))?;
            Ok(environment)
        });
        read.as_ref().map_err(Clone::clone)?.get_template(name).map_err(|e| e.to_string())
    }
}

/// Replaces the built-in pictures, for programs that try pictures out: names and texts of the macro files, and of the
/// pictures. Must be called before any picture is used.
///
/// # Errors
/// A description of what is wrong with a file, or that pictures are already in use.
pub fn load(macros: Vec<(String, String)>, pictures: Vec<(String, String)>) -> Result<(), String> {
    // They are used until the program ends.
    let kept = |files: Vec<(String, String)>| -> Vec<(&'static str, &'static str)> {
        files.into_iter().map(|(name, text)| (&*name.leak(), &*text.leak())).collect()
    };
    let read = Library::read(&kept(macros), &kept(pictures))?;
    LIBRARY.set(read).map_err(|_| "pictures are in use already".to_owned())
}

/// Returns every picture.
pub fn all() -> &'static [Entry] {
    &library().entries
}

/// Returns whether there is a picture with this name, or an emoji that equals it.
pub fn is_known(name: &str) -> bool {
    let emoji = || Emoji::longest(name).is_some_and(|(_, length)| length == name.len());
    all().iter().any(|entry| entry.name == name) || emoji()
}

/// Returns the picture with the same meaning as an emoji, with or without a variation selector.
pub fn of_emoji(emoji: &str) -> Option<&'static Entry> {
    const SELECTOR: char = '\u{FE0F}';
    let bare = |text: &'static str| text.trim_end_matches(SELECTOR);
    let wanted = emoji.trim_end_matches(SELECTOR);
    all().iter().find(|entry| entry.emoji.split_whitespace().map(bare).any(|own| own == wanted))
}

/// Returns the page with its pictures drawn in the style's manner.
///
/// # Errors
/// Pictures that don't exist, and parameters out of range.
pub fn resolve(tree: &Tree, manner: Manner, seed: u64) -> Result<Tree, Vec<Fault>> {
    let mut tree = tree.clone();
    let mut faults = Vec::new();
    replace(&mut tree.root, manner, seed, &mut faults);
    if faults.is_empty() { Ok(tree) } else { Err(faults) }
}

fn replace(node: &mut Node, manner: Manner, seed: u64, faults: &mut Vec<Fault>) {
    for child in &mut node.children {
        if child.name() != "picture" {
            replace(child, manner, seed, faults);
            continue;
        }
        match drawn(child, manner, seed) {
            Ok(svg) => *child = svg,
            Err(wrong) => faults.extend(wrong.into_iter().map(|message| Fault::new(&child.id, message))),
        }
    }
}

/// Returns the `svg` of a `picture`, with the attributes that both support.
fn drawn(node: &Node, manner: Manner, seed: u64) -> Result<Node, Vec<String>> {
    if let Some(text) = node.get("emoji") {
        return restyled(node, text, manner);
    }
    let name = node.get("name").unwrap_or_default().trim();
    let Some(entry) = all().iter().find(|e| e.name == name) else {
        let names: Vec<&str> = all().iter().map(|e| e.name).collect();
        return Err(vec![format!("name=\"{name}\" is no picture; there are {}", names.join(", "))]);
    };
    let mut context = entry.values(node)?;
    let seed = node.number("seed").map_or(seed, |n| n as u64);
    context.insert("seed".to_owned(), Value::from(seed % 1_000_000));
    context.insert("manner".to_owned(), Value::from(manner.name()));
    let svg = render(entry, context).map_err(|wrong| vec![wrong])?;
    Ok(in_place(svg, node, |name| entry.takes(name)))
}

/// Returns the `svg` of a `picture` with an emoji.
fn restyled(node: &Node, text: &str, manner: Manner) -> Result<Node, Vec<String>> {
    if node.has("name") {
        return Err(vec!["takes a name or an emoji, not both".to_owned()]);
    }
    let svg = emoji::drawn(text, manner).ok_or_else(|| vec![format!("emoji=\"{text}\" is no emoji")])?;
    let svg = read(&svg).map_err(|wrong| vec![wrong])?;
    Ok(in_place(svg, node, |_| false))
}

/// Gives a drawing the id of its picture and the layout attributes; `own` recognises the picture's parameters.
fn in_place(mut svg: Node, picture: &Node, own: impl Fn(&str) -> bool) -> Node {
    svg.id.clone_from(&picture.id);
    for (name, value) in &picture.attributes {
        if svg.element.attribute(name).is_some() && !own(name) {
            svg.set(name, value.clone());
        }
    }
    svg
}

fn render(entry: &Entry, context: HashMap<String, Value>) -> Result<Node, String> {
    let template = library().template(entry.name)?;
    let text = template.render(Value::from_pairs(context)).map_err(|e| format!("can't be drawn: {e}"))?;
    read(&text)
}

/// Parses the single `svg` of a text in the page language.
fn read(text: &str) -> Result<Node, String> {
    let page = markup::parse(&format!("<page>{text}</page>"), &elements::VOCABULARY);
    let mut page = page.map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    page.root.children.pop().ok_or_else(|| "is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(picture: &str) -> Tree {
        markup::parse(&format!("<page>{picture}</page>"), &elements::VOCABULARY).expect("a page")
    }

    #[test]
    fn no_two_pictures_show_the_same_emoji() {
        let mut seen = Vec::new();
        for text in all().iter().flat_map(|entry| entry.emoji.split_whitespace()) {
            assert!(emoji::drawn(text, Manner::Flat).is_some(), "{text} is no emoji");
            assert!(!seen.contains(&text), "{text} calls for two pictures");
            seen.push(text);
        }
        assert_eq!(of_emoji("🔑").map(|entry| entry.name), Some("key"));
    }

    #[test]
    fn a_picture_has_a_name_or_an_emoji() {
        let faults = |markup: &str| resolve(&page(markup), Manner::Flat, 7).err().unwrap_or_default();
        assert!(faults("<picture emoji=\"🚲\"/>").is_empty());
        assert_eq!(faults("<picture name=\"key\" emoji=\"🚲\"/>").len(), 1);
        assert_eq!(faults("<picture/>").len(), 1);
    }

    #[test]
    fn every_picture_is_drawn_over_all_of_its_ranges_in_every_manner() {
        for entry in all() {
            for manner in Manner::ALL {
                for choice in entry.samples() {
                    let attributes: Vec<String> = choice.iter().map(|(n, v)| format!("{n}=\"{v}\"")).collect();
                    let markup = format!("<picture name=\"{}\" {}/>", entry.name, attributes.join(" "));
                    let resolved = resolve(&page(&markup), manner, 7);
                    assert!(resolved.is_ok(), "{manner:?} {markup}: {resolved:?}");
                }
            }
        }
        assert_eq!(all().len(), PICTURES.len());
    }

    #[test]
    fn layout_goes_over_and_faults_are_told() {
        let tree = page("<picture id=\"p\" name=\"waffle\" n=\"40\" width=\"50%\" grow=\"2\"/>");
        let svg = resolve(&tree, Manner::Flat, 1).expect("a drawing").root.children.remove(0);
        assert_eq!(
            (svg.name(), svg.id.as_str(), svg.get("width"), svg.get("grow")),
            ("svg", "p", Some("50%"), Some("2"))
        );
        for wrong in ["name=\"wafle\"", "name=\"waffle\" n=\"101\"", "name=\"waffle\" side=\"left\""] {
            let faults = resolve(&page(&format!("<picture {wrong}/>")), Manner::Flat, 1).expect_err(wrong);
            assert_eq!(faults.len(), 1, "{wrong}");
        }
    }
}
