//! [`Reshape`]: one change to the elements of a page's source text.

use super::marked::{self, Marking};
use crate::elements::VOCABULARY;
use crate::markup;
use crate::tree::{Node, Tree};

/// A selection of elements of a page's source text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Elements {
    /// The element with this id.
    One(String),
    /// Every element of this name, such as `card`.
    Every(String),
}

/// Where an element goes relative to another element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Beside {
    /// Before it, in the same parent.
    Before,
    /// After it, in the same parent.
    After,
    /// Into it, as its first child.
    First,
    /// Into it, as its last child.
    Last,
}

/// A change to the elements of a page's source text, described by its end state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reshape {
    /// Sets an attribute of elements.
    Give {
        /// Which elements.
        to: Elements,
        /// The attribute. Elements of `to` that don't support it stay unchanged.
        name: String,
        /// Its value.
        value: String,
    },
    /// Removes elements with all their children.
    Take(Elements),
    /// Adds an element, unless the page already has an element with its id.
    Put {
        /// The element in the page language, with an id that is unique on the page.
        element: String,
        /// On which side.
        place: Beside,
        /// The id of the element that it goes beside or into.
        of: String,
    },
    /// Marks words of an element.
    Mark {
        /// The words as the element spells them. Empty marks all words.
        words: String,
        /// The marking.
        how: Marking,
        /// The element's id.
        of: String,
    },
    /// Moves an element beside or into another one.
    Move {
        /// The id of the element.
        element: String,
        /// On which side.
        place: Beside,
        /// The id of the other one.
        of: String,
    },
}

impl Beside {
    /// All places.
    pub(super) const ALL: [Self; 4] = [Self::Before, Self::After, Self::First, Self::Last];

    /// Returns its name in instructions.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::First => "first in",
            Self::Last => "last in",
        }
    }
}

impl Elements {
    fn has(&self, node: &Node) -> bool {
        match self {
            Self::One(id) => node.id == *id,
            Self::Every(name) => node.name() == name,
        }
    }
}

impl Reshape {
    /// The key of what the change sets. A later change overrides an earlier one with the same key. `None` for changes
    /// that accumulate.
    pub(super) fn key(&self) -> Option<String> {
        let named = |of: &Elements| match of {
            Elements::One(id) => format!("#{id}"),
            Elements::Every(name) => name.clone(),
        };
        match self {
            Self::Give { to, name, .. } => Some(format!("give {} {name}", named(to))),
            Self::Take(of) => Some(format!("take {}", named(of))),
            Self::Mark { words, how, of } => Some(format!("mark {} {of} {words}", how.name())),
            Self::Put { .. } | Self::Move { .. } => None,
        }
    }

    /// Returns whether the change means the same on every page of a set.
    pub(super) fn is_general(&self) -> bool {
        matches!(self, Self::Give { to: Elements::Every(_), .. } | Self::Take(Elements::Every(_)))
    }

    /// Applies the change to a page.
    ///
    /// # Errors
    /// A sentence that says why the change can't be applied.
    pub(super) fn change(&self, tree: &mut Tree) -> Result<(), String> {
        match self {
            Self::Give { to, name, value } => {
                let takes = |node: &Node| to.has(node) && node.element.attribute(name).is_some();
                if !tree.root.walk().any(takes) {
                    return Err(lacks(to));
                }
                each(&mut tree.root, &mut |node| {
                    if takes(node) {
                        node.set(name, value.clone());
                    }
                });
                Ok(())
            }
            Self::Take(of) => {
                take(&mut tree.root, of);
                Ok(())
            }
            Self::Put { element, place, of } => {
                let node = alone(element)?;
                if tree.find(&node.id).is_some() {
                    return Ok(());
                }
                put(&mut tree.root, &node, *place, of).ok_or_else(|| lacks(&Elements::One(of.clone())))
            }
            Self::Mark { words, how, of } => {
                let node = tree.find_mut(of).ok_or_else(|| lacks(&Elements::One(of.clone())))?;
                if marked::mark(node, words, *how) { Ok(()) } else { Err(format!("It doesn't say “{words}”.")) }
            }
            Self::Move { element, place, of } => {
                let which = Elements::One(element.clone());
                let node = tree.find(element).cloned().ok_or_else(|| lacks(&which))?;
                if element == of || node.walk().any(|inner| inner.id == *of) {
                    return Err("An element can't be moved into itself.".to_owned());
                }
                take(&mut tree.root, &which);
                put(&mut tree.root, &node, *place, of).ok_or_else(|| lacks(&Elements::One(of.clone())))
            }
        }
    }
}

/// Returns where an element goes that is added at the end of a page's content, before the page's own last line.
pub(super) fn end_of_content(tree: &Tree) -> (Beside, String) {
    let foot = tree.root.children.iter().find(|child| matches!(child.id.as_str(), "foot" | "foot-end"));
    match foot {
        _ if tree.find("main").is_some() => (Beside::Last, "main".to_owned()),
        Some(foot) => (Beside::Before, foot.id.clone()),
        None => (Beside::Last, tree.root.id.clone()),
    }
}

/// Escapes words for an element's text or for an attribute in quotation marks.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

fn lacks(of: &Elements) -> String {
    match of {
        Elements::One(id) => format!("This page has no element “{id}”."),
        Elements::Every(name) => format!("This page has no {name} that takes this."),
    }
}

/// Parses a text in the page language that must be a single element.
fn alone(text: &str) -> Result<Node, String> {
    let wrong = || "What is to be added is not one element with an id.".to_owned();
    let mut tree = markup::parse(&format!("<page>{text}</page>"), &VOCABULARY).map_err(|_| wrong())?;
    let node = tree.root.children.pop().filter(|_| tree.root.children.is_empty());
    node.filter(|node| !node.id.is_empty()).ok_or_else(wrong)
}

fn each(node: &mut Node, change: &mut dyn FnMut(&mut Node)) {
    change(node);
    node.children.iter_mut().for_each(|child| each(child, change));
}

/// Removes elements from a node, and containers that are empty afterwards.
fn take(node: &mut Node, of: &Elements) {
    node.children.retain_mut(|child| {
        if of.has(child) {
            return false;
        }
        let held = !child.children.is_empty();
        take(child, of);
        let box_of_nothing = held && child.children.is_empty() && child.words.is_empty();
        !(box_of_nothing && matches!(child.name(), "row" | "column" | "layer" | "card" | "band" | "grid"))
    });
}

/// Inserts a node at its place. Returns `None` if there is no element `of` or, for `Before` and `After`, if it is the
/// root.
fn put(node: &mut Node, new: &Node, place: Beside, of: &str) -> Option<()> {
    if node.id == of && matches!(place, Beside::First | Beside::Last) {
        let at = if place == Beside::First { 0 } else { node.children.len() };
        node.children.insert(at, new.clone());
        return Some(());
    }
    if let Some(at) = node.children.iter().position(|child| child.id == of)
        && matches!(place, Beside::Before | Beside::After)
    {
        node.children.insert(at + usize::from(place == Beside::After), new.clone());
        return Some(());
    }
    node.children.iter_mut().find_map(|child| put(child, new, place, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<page id=\"page\"><headline id=\"title\">Hi</headline><row id=\"row\"><card id=\"a\">\
        <label id=\"l\">One</label></card><card id=\"b\"><label id=\"m\">Two</label></card></row></page>";

    fn after(change: &Reshape) -> Result<String, String> {
        let mut tree = markup::parse(PAGE, &VOCABULARY).expect("the page is in the language");
        change.change(&mut tree)?;
        assert!(tree.check().is_empty(), "{:?}", tree.check());
        Ok(tree.root.walk().map(|node| node.id.as_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn elements_are_taken_put_and_moved() {
        let one = |id: &str| Elements::One(id.to_owned());
        let put = |place, of: &str| Reshape::Put { element: "<rule id=\"new\"/>".into(), place, of: of.into() };
        assert_eq!(after(&Reshape::Take(one("a"))).as_deref(), Ok("page title row b m"));
        // A container is removed with its last child.
        assert_eq!(after(&Reshape::Take(Elements::Every("card".into()))).as_deref(), Ok("page title"));
        assert_eq!(after(&put(Beside::Before, "title")).as_deref(), Ok("page new title row a l b m"));
        assert_eq!(after(&put(Beside::Last, "a")).as_deref(), Ok("page title row a l new b m"));
        let moved = |of: &str| Reshape::Move { element: "b".into(), place: Beside::Before, of: of.into() };
        assert_eq!(after(&moved("a")).as_deref(), Ok("page title row b m a l"));
        assert!(after(&moved("m")).is_err() && after(&put(Beside::After, "nobody")).is_err());
    }

    #[test]
    fn attributes_are_given_to_those_that_take_them() {
        let give =
            |name: &str| Reshape::Give { to: Elements::Every("card".into()), name: name.into(), value: "6".into() };
        assert!(after(&give("radius")).is_ok());
        assert_eq!(after(&give("marks")), Err("This page has no card that takes this.".to_owned()));
    }
}
