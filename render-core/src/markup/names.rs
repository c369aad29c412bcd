//! Names of elements: those of the vocabulary, HTML names that writers use instead, and those that no page may contain.

use super::shortened;
use crate::tree::{Element, Group, Vocabulary};

/// HTML elements and their names in the page language.
const ALIASES: [(&str, &str); 14] = [
    ("h1", "headline"),
    ("h2", "headline"),
    ("h3", "headline"),
    ("title", "headline"),
    ("p", "text"),
    ("div", "column"),
    ("section", "column"),
    ("ul", "list"),
    ("ol", "list"),
    ("li", "item"),
    ("hr", "rule"),
    ("blockquote", "quote"),
    ("figcaption", "caption"),
    ("small", "caption"),
];

/// Elements that are not allowed in a page, and why.
const REFUSED: [(&str, &str); 6] = [
    ("script", "a script may not stand in a page"),
    ("style", "a style sheet may not stand in a page; attributes say how elements look"),
    ("a", "a link may not stand in a page; its words may"),
    ("iframe", "another page may not stand in a page"),
    ("link", "a reference to a file may not stand in a page"),
    ("foreignObject", "markup of another language may not stand in a page"),
];

/// Elements that are not allowed in an `svg`, and why.
const REFUSED_IN_DRAWINGS: [(&str, &str); 7] = [
    ("text", "text may not stand in an svg by itself; put it into a <place> of the svg"),
    ("tspan", "text may not stand in an svg by itself; put it into a <place> of the svg"),
    ("image", "an image may not stand in an svg"),
    ("filter", "a filter may not stand in an svg"),
    ("animate", "an animation may not stand in an svg"),
    ("animateTransform", "an animation may not stand in an svg"),
    ("set", "an animation may not stand in an svg"),
];

/// The reason why an element is not read.
pub(super) struct Unknown {
    /// The message of its fault.
    pub(super) message: String,
    /// Whether its content is still read, because it is a slip and not a forbidden element.
    pub(super) is_slip: bool,
}

/// Returns the element with the written name `name`, inside or outside an `svg`.
pub(super) fn find(vocabulary: &Vocabulary, name: &str, in_drawing: bool) -> Result<&'static Element, Unknown> {
    let found = vocabulary.find(name).filter(|e| !in_drawing || e.group == Group::Shapes);
    let alias = || {
        let target = ALIASES.iter().find(|(from, _)| *from == name && !in_drawing)?;
        vocabulary.find(target.1)
    };
    if let Some(element) = found.or_else(alias) {
        return Ok(element);
    }
    let in_drawings = REFUSED_IN_DRAWINGS.iter().filter(|_| in_drawing);
    if let Some((_, why)) = REFUSED.iter().chain(in_drawings).find(|(refused, _)| *refused == name) {
        return Err(Unknown { message: (*why).to_owned(), is_slip: false });
    }
    // An element of the page in an `svg` is accepted here; the check reports that it is not allowed there.
    vocabulary.find(name).ok_or_else(|| {
        let near = nearest(vocabulary, name).map(|near| format!("; near it is <{near}>")).unwrap_or_default();
        Unknown { message: format!("<{}> is no element{near}", shortened(name)), is_slip: true }
    })
}

/// Returns the name in the vocabulary that is most similar to `name`, if it is similar enough.
fn nearest(vocabulary: &Vocabulary, name: &str) -> Option<&'static str> {
    let name: Vec<char> = name.to_lowercase().chars().take(64).collect();
    let most = if name.len() <= 3 { 1 } else { 2 };
    let known = vocabulary.0.iter().map(|e| (edits(&name, e.name), e.name));
    known.filter(|(edits, _)| *edits <= most).min_by_key(|(edits, _)| *edits).map(|(_, known)| known)
}

/// Returns the number of letters that are added, removed or replaced from `a` to `b`.
fn edits(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
