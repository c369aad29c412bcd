//! [`PageView`]: a page as text, with the positions of its elements, for an editor.

use std::collections::HashMap;

use super::{Composed, text};
use crate::design::Page;
use crate::elements::VOCABULARY;
use crate::markup;
use crate::scene::Color;
use crate::sheet::{Inks, Located};
use crate::tree::{Node, read_colour};

/// The attributes of elements that an editor can set.
const ATTRIBUTES: [&str; 7] = ["fit", "size", "ink", "fill", "align", "icon", "name"];
/// The attributes that give a range of sizes.
const SIZES: [&str; 2] = ["fit", "size"];
/// The colours that an editor offers, by role.
const COLOURS: [&str; 12] =
    ["ink", "ink2", "accent-ink", "accent", "bg", "surface", "tint", "art1", "art2", "art3", "art4", "art5"];

/// A page in the page language, and its look.
#[derive(Debug, Clone, PartialEq)]
pub struct PageView {
    /// The whole page with head and foot; every element has its id.
    pub text: String,
    /// The positions of its elements; parents come before their children.
    pub elements: Vec<ElementView>,
    /// The colours of its palette on its ground, by role.
    pub colours: Vec<(&'static str, Color)>,
}

/// An element with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementView {
    /// The element's id.
    pub id: String,
    /// Its name, such as `headline`.
    pub name: &'static str,
    /// What may be changed: `words` if it holds words, and names of attributes.
    pub takes: Vec<&'static str>,
    /// The range of its sizes, explicit or by default, such as `xl..hero`; `None` if it has none.
    pub sizes: Option<String>,
    /// Left, top, width and height, as shares of the page's width and height. An element may extend beyond the page.
    pub rect: [f32; 4],
    /// The size of its type in du, if it is a text.
    pub size: Option<f32>,
}

/// Returns a page as text, with the positions of its elements from `composed`. Boxes that the page's text doesn't name,
/// such as shapes of its pictures, are left out.
///
/// # Errors
/// A description of the mistake in its template, or in its author's text.
pub fn view(page: &Page, composed: &Composed) -> Result<PageView, String> {
    let text = text(page)?;
    let tree = markup::parse(&text, &VOCABULARY).map_err(|faults| super::listed(&faults))?;
    let nodes: HashMap<&str, &Node> = tree.root.walk().map(|node| (node.id.as_str(), node)).collect();
    let size = composed.scene.size;
    let seen = |Located { id, rect, size: own }: &Located| {
        let node = nodes.get(id.as_str())?;
        let words = node.has_words().then_some("words");
        let attributes = ATTRIBUTES.into_iter().filter(|name| node.element.attribute(name).is_some());
        Some(ElementView {
            id: id.clone(),
            name: node.name(),
            takes: words.into_iter().chain(attributes).collect(),
            sizes: SIZES.iter().find_map(|name| node.get(name)).map(str::to_owned),
            rect: [rect.x0 / size.w, rect.y0 / size.h, rect.w() / size.w, rect.h() / size.h],
            size: *own,
        })
    };
    let elements = composed.elements.iter().filter_map(seen).collect();
    let inks = Inks::of(page.palette);
    let colours = COLOURS.iter().filter_map(|name| Some((*name, inks.fill(read_colour(name).ok()?)))).collect();
    Ok(PageView { text, elements, colours })
}
